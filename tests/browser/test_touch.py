"""Fingers on a tablet held upright: a counter is dragged, two fingers zoom, one that rests sees the ground."""

from __future__ import annotations

import re
from itertools import pairwise

from playwright.sync_api import Page, ViewportSize, expect
from table import asked, go_on_to, part, place, wait_asked
from visitors import Opener, Served

UPRIGHT: ViewportSize = {"width": 768, "height": 1024}
Spot = tuple[float, float]


class Fingers:
    """Fingers on the glass, as the browser is told of them."""

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)

    def touch(self, kind: str, *spots: Spot) -> None:
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(spots)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def drag(self, *way: Spot) -> None:
        """One finger along a way."""
        self.touch("touchStart", way[0])
        for (x, y), (to_x, to_y) in pairwise(way):
            for step in range(1, 5):
                self.touch("touchMove", (x + (to_x - x) * step / 4, y + (to_y - y) * step / 4))
        self.touch("touchEnd")

    def spread(self, middle: Spot, first: float, last: float) -> None:
        """Two fingers from so far apart to so far apart."""
        x, y = middle
        self.touch("touchStart", (x - first, y), (x + first, y))
        for step in range(1, 7):
            far = first + (last - first) * step / 6
            self.touch("touchMove", (x - far, y), (x + far, y))
        self.touch("touchEnd")


def test_fingers_on_a_tablet(open_page: Opener, served: Served) -> None:
    page = open_page(UPRIGHT, served.create(), touch=True, handover=False)
    go_on_to(page, "Move your units")
    fingers, world = Fingers(page), page.locator(".world")
    before = world.get_attribute("style") or ""
    fingers.spread(place(page, "1308"), 40, 80)
    expect(world).not_to_have_attribute("style", before)
    x, y = place(page, "1909")  # nobody stands there who could be taken along
    fingers.drag((x, y), (x + 200, y + 60))
    assert place(page, "1909")[0] > x + 150, "the map is drawn along, away from the buttons"

    fingers.touch("touchStart", place(page, "1308"))
    expect(world).to_have_class(re.compile("through"))
    fingers.touch("touchEnd")
    expect(world).not_to_have_class(re.compile("through"))
    assert "TARO" not in asked(page), "who only looks moves nobody"

    fingers.drag(place(page, "1308"), place(page, "1209"), place(page, "1110"))
    wait_asked(page, "TARO still has")
    expect(part(page, "undo")).to_be_enabled()
