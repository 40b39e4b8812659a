"""For everyone: the list, the keyboard, a phone held sideways, and no serious finding of axe."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import DESKTOP, PHONE, Opener, Served
from playwright.sync_api import ViewportSize, expect
from table import click_hex, end_phase, findings, part, wait_asked


def test_a_turn_is_played_from_the_list(open_page: Opener, served: Served, shots: Path) -> None:
    page = open_page(DESKTOP, served.create(), handover=False)
    wait_asked(page, "bridge engineers")
    part(page, "tab-list").click()
    page.get_by_role("tabpanel").get_by_role("button", name="End").click()
    wait_asked(page, "Move your units")
    part(page, "list-open-it-spezia").click()
    part(page, "list-goal-it-spezia").select_option("1110")
    part(page, "list-move-it-spezia").click()
    expect(page.get_by_role("tabpanel").get_by_text("SPEZIA, 1110").first).to_be_visible()
    page.screenshot(path=shots / "list.png")
    end_phase(page)
    wait_asked(page, "Attack enemies")
    page.get_by_role("tabpanel").get_by_role("button", name="Attack 1208").click()
    expect(part(page, "odds")).to_be_visible()
    part(page, "attack").click()
    expect(part(page, "what-now")).not_to_contain_text("Attack enemies")


def test_the_keyboard_is_enough(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(), handover=False)
    wait_asked(page, "bridge engineers")
    page.keyboard.press("e")
    wait_asked(page, "Move your units")
    page.get_by_test_id("map").focus()
    page.keyboard.press("n")
    expect(page.locator(".acting .chip").first).to_contain_text("CALTANISS.")
    page.keyboard.press("ArrowDown")  # the cursor appears on the unit's hex
    page.keyboard.press("ArrowDown")
    expect(page.locator(".frame [aria-live]")).to_contain_text("0812")
    page.keyboard.press("Enter")
    wait_asked(page, "CALTANISS. still has")
    page.keyboard.press("u")
    expect(part(page, "what-now")).not_to_contain_text("CALTANISS.")
    page.keyboard.press("4")
    expect(part(page, "tab-log")).to_have_attribute("aria-selected", "true")


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
        part(page, f"tab-{tab}").click()
        search = page.locator(".other input[type=search]")
        if search.count():
            search.fill("alpini" if tab == "list" else "retreat")  # a few entries stand for all
        assert findings(page, ".other") == [], tab
    part(page, "tab-now").click()
    # the drawings are hidden from readers, and going through their thousands of strokes takes axe very long
    page.evaluate("document.querySelectorAll('svg[aria-hidden]').forEach((drawing) => drawing.replaceChildren())")
    assert findings(page) == []


def test_a_phone_held_sideways(open_page: Opener, served: Served, shots: Path) -> None:
    page = open_page(PHONE, served.create(ah="random"))
    wait_asked(page, "bridge engineers")
    page.screenshot(path=shots / "phone.png")
    end_phase(page)
    wait_asked(page, "Move your units")
    part(page, "next-unit").tap()
    page.screenshot(path=shots / "phone-move.png")
    goal = part(page, "move-to").locator("option").nth(1).get_attribute("value")
    assert goal is not None
    click_hex(page, goal)
    wait_asked(page, "still has")
    overflow = page.evaluate(
        "document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight"
    )
    assert not overflow
    part(page, "tab-log").tap()
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()


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
