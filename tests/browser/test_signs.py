"""What the map and the counters show: crags, who may not move, the barrage, names and points over the counters."""

from __future__ import annotations

from typing import Any

import positions
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from table import click_hex, findings, go_on_to, open_tab, part
from visitors import DESKTOP, PHONE, Opener, Served, Shots

TABLET: ViewportSize = {"width": 820, "height": 1180}
BOXES = "all => all.map(one => { const b = one.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom] })"


def boxes(page: Page, where: str) -> Any:
    return page.locator(where).evaluate_all(BOXES)


def test_crags_are_cliffs_and_named_beside_the_map(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(game="altipiani"), handover=False, layers={"units": False})
    expect(page.locator("svg.ground path.cliff")).to_have_count(1)
    click_hex(page, "1105")
    for beyond in ("1106", "1206"):
        expect(part(page, "hex-card")).to_contain_text(f"towards {beyond}, crag")


def test_who_may_not_move_yet_and_the_barrage_are_marked(open_page: Opener, served: Served, shots: Shots) -> None:
    match = served.create(game="altipiani")
    page = open_page(DESKTOP, match, handover=False)
    expect(page.locator("[data-unit=it-ivrea] .frozen")).to_be_visible()  # the enemy sees the dot on the counter too
    expect(page.locator("[data-unit^=ah-art] .barrage").first).to_be_visible()
    expect(part(page, "barrage")).to_contain_text("barrage")
    shots(page, "first-turn-altipiani.png")
    units = {"it-ivrea": "2509", "it-lambro": "2410", "ah-1kj": "2407"}
    start = positions.position("altipiani", units, turn=2, roused=["it-lambro"])
    other = open_page(DESKTOP, served.create(more=start), handover=False)
    go_on_to(other, "Move your units")
    expect(other.locator("[data-unit=it-lambro]")).to_be_visible()
    expect(other.locator(".unit .frozen")).to_have_count(1)
    expect(other.locator(".barrage")).to_have_count(0)
    click_hex(other, "2509")
    expect(part(other, "stuck")).to_contain_text("may not move on turn 2")
    expect(other.locator("#panel-other")).to_contain_text("may not move yet")


@pytest.mark.costly
@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
def test_names_and_points_are_read_above_the_counters(open_page: Opener, served: Served, game: str) -> None:
    page = open_page(DESKTOP, served.create(game=game), handover=False)
    expect(page.locator(".unit").first).to_be_visible()
    over = """() => {
        const last = [...document.querySelectorAll('svg.play .unit')].at(-1)
        const labels = [...document.querySelectorAll('.town, .peakname, .objective')]
        const after = Node.DOCUMENT_POSITION_FOLLOWING
        return [labels.length, labels.filter((one) => !(last.compareDocumentPosition(one) & after)).length]
    }"""
    labels, below = page.evaluate(over)
    assert labels > 40 and below == 0
    cards = boxes(page, "svg.play .unit .card")
    for left, top, right, bottom in boxes(page, ".objective"):
        hidden = [c for c in cards if min(right, c[2]) - max(left, c[0]) > 4 and min(bottom, c[3]) - max(top, c[1]) > 4]
        assert not hidden  # a disc stands beside the counter in its hex


def test_a_tablet_held_upright(open_page: Opener, served: Served, shots: Shots) -> None:
    page = open_page(TABLET, served.create(), handover=False)
    go_on_to(page, "Move your units")
    shots(page, "tablet.png")
    ((left, top, right, bottom),) = boxes(page, ".mapbox")
    ((_, panel, _, end),) = boxes(page, "aside.panel")
    assert right - left == TABLET["width"] and bottom - top > 0.45 * TABLET["height"]
    assert panel >= bottom and end <= TABLET["height"]
    part(page, "next-unit").click()
    (box,) = boxes(page, "[data-testid=move-go]")
    assert box[3] <= TABLET["height"]  # what one does is in sight
    page.evaluate("document.querySelectorAll('svg[aria-hidden]').forEach((drawing) => drawing.replaceChildren())")
    assert findings(page) == []


@pytest.mark.parametrize("size", [DESKTOP, TABLET, PHONE], ids=["desktop", "tablet", "phone"])
@pytest.mark.parametrize(("language", "text"), [("en", 100), ("it", 100), ("it", 140)])
def test_no_tab_is_clipped(come: Opener, hosted: Served, size: ViewportSize, language: str, text: int) -> None:
    page = come(size, hosted.create(ah="random"), language=language, textSize=text)
    expect(part(page, "what-now")).to_be_visible()
    if part(page, "tab-more").is_visible():
        part(page, "tab-more").click()
    ((left, _, right, _),) = boxes(page, "aside.panel")
    for one in boxes(page, "[role=tab]"):
        assert left <= one[0] and one[2] <= right + 0.5
    wide = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
    assert page.locator("[role=tab]").evaluate_all(wide) == []


def test_who_plays_with_a_finger_is_told_of_no_keys(browser: Browser, served: Served) -> None:
    match = served.create()
    context = browser.new_context(viewport={"width": 412, "height": 860}, has_touch=True, is_mobile=True)
    held = f"localStorage.setItem('fronte.tokens', JSON.stringify({{'{match['id']}': {match['tokens']}}}))"
    prefs = "localStorage.setItem('fronte.prefs', JSON.stringify({language: 'en', pace: 0, handover: false}))"
    context.add_init_script(f"{held}; {prefs}")
    page = context.new_page()
    page.goto(f"{served.address}/#match/{match['id']}")
    expect(page.locator(".now.mine")).to_be_visible()
    expect(page.locator("kbd").first).to_be_hidden()
    open_tab(page, "settings")
    expect(part(page, "handover-pref")).to_be_visible()
    expect(page.get_by_text("Arrow keys: cursor")).to_be_hidden()
    context.close()


def test_a_seat_that_waits_is_told_with_a_space(come: Opener, hosted: Served) -> None:
    match = hosted.create(more={"invite": ["ah"]})
    page = come(DESKTOP, match)
    expect(part(page, "opponent-ah")).to_contain_text("Austro-Hungarian: nobody yet")


def test_who_lies_under_an_enemy_that_is_seen_is_a_blank_counter(open_page: Opener, served: Served) -> None:
    match = served.create(more={"options": {"fog_stack_size": True}})
    page = open_page(DESKTOP, match, handover=False)
    seen = served.table(match, "italian")["view"]["pieces"]
    blank = [piece["at"] for piece in seen if "id" not in piece]
    assert blank  # under the one on top
    expect(page.locator("svg.play [data-unit^='?']")).to_have_count(len(blank))
    stack = [piece for piece in seen if piece["at"] == blank[0]]
    click_hex(page, blank[0])
    expect(page.locator("#panel-other .chip")).to_have_count(len(stack))
    top = page.locator("#panel-other .chip").first
    assert "a unit" not in top.inner_text() and "a unit" in page.locator("#panel-other .chip").last.inner_text()
