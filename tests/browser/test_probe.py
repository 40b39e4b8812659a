"""A small game of a family of its own, played in the browser by its registration alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import DESKTOP, PHONE, Opener, Served
from playwright.sync_api import Page, expect
from table import click_hex, part

SEATS = ("north", "south")


def begin(probed: Served, scenario: str = "ford") -> dict[str, Any]:
    wanted = {"game": "probe", "scenario": scenario, "seats": dict.fromkeys(SEATS, "human"), "seed": 3}
    opened: dict[str, Any] = probed.post("/api/matches", wanted)
    return opened


def play(probed: Served, match: dict[str, Any], *actions: str) -> None:
    """Play lines for whoever owes them."""
    for action in actions:
        seat = probed.table(match, SEATS[0])["decision"]["seat"]
        line = probed.table(match, seat)["line"]
        body = {"action": action, "line": line}
        probed.post(f"/api/matches/{match['id']}/actions", body, match["tokens"][seat])


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_pieces_show_where_they_look_and_strangers_are_blank(
    open_probe: Opener, probed: Served, shots: Path, size: Any
) -> None:
    match = begin(probed)
    page = open_probe(size, match, handover=False)
    view = probed.table(match, "north")["view"]
    there = [piece for piece in view["pieces"] if piece["at"] != "gone"]
    expect(page.locator("svg.play [data-unit]")).to_have_count(len(there))
    strangers = [piece for piece in there if "id" not in piece]
    assert strangers
    expect(page.locator("svg.play [data-unit^='?']")).to_have_count(len(strangers))
    expect(page.locator("svg.play [data-unit^='?'] .plainname").first).to_have_text("?")
    arrows = page.locator("svg.play .facing").evaluate_all("all => all.map(one => Number(one.dataset.facing))")
    assert sorted(arrows) == sorted(piece["facing"] for piece in there)
    own = next(piece for piece in there if piece.get("mine"))
    assert part_of(page, own["id"]).locator(".worth").first.text_content() == own["values"]["kind"]
    page.screenshot(path=shots / f"probe-{page.viewport_size['width'] if page.viewport_size else 0}.png")


def part_of(page: Page, unit: str) -> Any:
    return page.locator(f"svg.play [data-unit='{unit}']")


def test_a_hex_is_told_in_the_words_of_the_game_and_an_overlay_laid(
    open_probe: Opener, probed: Served, shots: Path
) -> None:
    match = begin(probed)
    page = open_probe(DESKTOP, match, handover=False)
    expect(page.locator("svg.play [data-unit]").first).to_be_visible()
    click_hex(page, "0304")
    expect(part(page, "hex-card")).to_contain_text("objective")
    part(page, "layers").click()
    assert page.get_by_test_id("layer-zoc").count() == 0  # this game has no zones
    part(page, "layer-fronts").check()
    expect(page.locator("path.laid").first).to_be_visible()
    page.screenshot(path=shots / "probe-fronts.png")


def test_a_march_by_clicks_counts_in_quarters(open_probe: Opener, probed: Served, shots: Path) -> None:
    match = begin(probed)
    play(probed, match, "plan red", "plan blue")
    seat = probed.table(match, "north")["decision"]["seat"]
    force = "red" if seat == "north" else "blue"
    play(probed, match, f"activate {force}")
    table = probed.table(match, seat)
    unit, offer = next((name, one) for name, one in table["offer"]["units"].items() if one["reach"])
    goal, way = next(iter(offer["reach"].items()))
    page = open_probe(DESKTOP, match, handover=False)
    part_of(page, unit).click()
    expect(page.locator(".acting")).to_contain_text(f"{offer['left'] // 4} movement points left")
    page.screenshot(path=shots / "probe-move.png")
    part(page, "move-to").select_option(goal)
    part(page, "move-go").click()
    line = table["line"]
    for _ in range(100):
        if probed.table(match, seat)["line"] > line:
            break
        page.wait_for_timeout(50)
    assert way["path"][-1] == goal
    assert probed.table(match, seat)["line"] > line


def test_a_whole_match_by_the_buttons_of_the_panels(open_probe: Opener, probed: Served, shots: Path) -> None:
    match = begin(probed, "farm")
    page = open_probe(DESKTOP, match, handover=False)
    expect(page.locator("path.off")).to_have_count(1)  # the field of this scenario is smaller than the board
    over = part(page, "over")
    buttons = page.locator(".acting [data-testid^=do-]")
    for count in range(300):
        page.wait_for_selector("[data-testid=over], .acting [data-testid^=do-]")
        if over.is_visible():
            break
        before = page.locator(".acting").inner_text()
        (buttons.first if count % 3 else buttons.last).click()
        page.wait_for_function("before => document.querySelector('.acting')?.innerText !== before", arg=before)
    expect(over).to_be_visible()
    page.screenshot(path=shots / "probe-over.png")
    assert probed.table(match, "north")["result"] is not None
