"""Hints while one plays; beside a replay the curve, advice, the cost of a decision, and playing on."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, ViewportSize, expect
from table import open_tab, part, wait_asked
from visitors import DESKTOP, Opener, Served, Shots

RECORDED = Path(__file__).parents[1] / "recorded" / "isonzo-canale-random.jsonl"
TABLET: ViewportSize = {"width": 820, "height": 1180}
UPRIGHT: ViewportSize = {"width": 390, "height": 844}
LONG = 60_000
"""Milliseconds that an answer may take on a busy machine."""


def reopened(served: Served) -> dict[str, Any]:
    """A recorded game that is over."""
    request = urllib.request.Request(
        f"{served.address}/api/matches/upload?seats=italian:human,ah:steady",
        RECORDED.read_bytes(),
        {"Content-Type": "text/plain"},
    )
    with urllib.request.urlopen(request) as answer:
        opened: dict[str, Any] = json.load(answer)
    return opened


def back_to(page: Page, line: int) -> None:
    """Move the time line of the replay."""
    part(page, "timeline").evaluate(
        "(input, at) => { input.value = at; input.dispatchEvent(new Event('input', { bubbles: true })) }", line
    )
    expect(page.get_by_text(f"After action {line} of")).to_be_visible()


def test_a_hint_alone_against_the_machine(open_page: Opener, served: Served, shots: Shots) -> None:
    match = served.create(game="isonzo", ah="steady")
    page = open_page(DESKTOP, match)
    wait_asked(page, "bridge engineers")
    part(page, "hint").click()
    expect(part(page, "advice")).to_be_visible(timeout=LONG)
    shots(page, "hint.png")
    before = served.table(match, "italian")["line"]
    part(page, "hint-do").click()
    expect(part(page, "advice")).to_have_count(0)
    assert served.table(match, "italian")["line"] > before


def test_between_people_one_is_warned_and_the_other_told(open_page: Opener, served: Served, shots: Shots) -> None:
    match = served.create(game="isonzo")
    page = open_page(DESKTOP, match, handover=False)
    wait_asked(page, "bridge engineers")
    part(page, "hint").click()
    expect(part(page, "hint-warning")).to_be_visible()
    part(page, "hint-anyway").click()
    expect(part(page, "advice")).to_be_visible(timeout=LONG)
    expect(part(page, "hints-italian")).to_contain_text("asked the machine")
    shots(page, "hint-told.png")


def test_a_match_that_is_over_is_analysed_beside_its_replay(open_page: Opener, served: Served, shots: Shots) -> None:
    match = reopened(served)
    page = open_page(DESKTOP, match)
    open_tab(page, "replay")
    back_to(page, 7)
    expect(part(page, "curve")).to_be_visible(timeout=LONG)
    part(page, "ask-advice").click()
    expect(part(page, "compared")).to_be_visible(timeout=LONG)
    for name, size in {"tablet": TABLET, "phone": UPRIGHT, "desktop": DESKTOP}.items():
        page.set_viewport_size(size)
        expect(part(page, "curve")).to_be_visible()
        shots(page, f"analysis-{name}.png")
        part(page, "compared").scroll_into_view_if_needed()
        shots(page, f"analysis-{name}-below.png")
    part(page, "ask-cost").click()
    expect(part(page, "cost")).to_be_visible(timeout=LONG)
    part(page, "ask-judgement").click()
    expect(part(page, "judgement")).to_be_visible(timeout=LONG)
    part(page, "judgement").scroll_into_view_if_needed()
    shots(page, "analysis-judgement.png")
    part(page, "curve").click(position={"x": 200, "y": 60})
    expect(page.get_by_text("After action 7 of")).to_have_count(0)
    back_to(page, 7)
    part(page, "branch").click()
    expect(page.locator(".banner")).to_have_count(0)
    page.wait_for_function(f"() => !location.hash.includes('{match['id']}')")
    expect(part(page, "what-now")).to_be_visible()
