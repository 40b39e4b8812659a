"""For everyone: the list, the keyboard, a phone held sideways, and no serious finding of axe."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize
from table import end_phase, findings, open_tab, part, wait_asked
from visitors import DESKTOP, PHONE, Opener, Served

ALL_TABS = ("hex", "list", "log", "rules", "tables", "orders", "replay", "settings")


@pytest.mark.parametrize(("size", "tabs"), [(DESKTOP, ALL_TABS), (PHONE, ("list", "tables"))], ids=["desktop", "phone"])
def test_axe_finds_nothing_serious(
    open_page: Opener, served: Served, size: ViewportSize, tabs: tuple[str, ...]
) -> None:
    assert findings(open_page(size)) == []
    page = open_page(size, served.create(ah="random"))
    wait_asked(page, "bridge engineers")
    end_phase(page)
    wait_asked(page, "Move your units")
    page.keyboard.press("n")
    for tab in tabs:
        open_tab(page, tab)
        search = page.locator(".other input[type=search]")
        if search.count():
            search.fill("alpini" if tab == "list" else "retreat")  # a few entries stand for all
        assert findings(page, ".other") == [], tab
    part(page, "tab-now").click()
    # the drawings are hidden from readers, and going through their thousands of strokes takes axe very long
    page.evaluate("document.querySelectorAll('svg[aria-hidden]').forEach((drawing) => drawing.replaceChildren())")
    assert findings(page) == []


def test_two_fingers_zoom(open_page: Opener, served: Served) -> None:
    page = open_page(PHONE, served.create(ah="random"))
    wait_asked(page, "bridge engineers")
    width = "document.querySelector('svg.play').getBoundingClientRect().width"
    before = page.evaluate(width)
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, gap: int) -> None:
        points = (
            [] if kind == "touchEnd" else [{"x": 250 - gap, "y": 200, "id": 0}, {"x": 250 + gap, "y": 200, "id": 1}]
        )
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 30)
    for gap in (45, 60, 75):
        fingers("touchMove", gap)
    fingers("touchEnd", 0)
    assert page.evaluate(width) > 1.5 * before
