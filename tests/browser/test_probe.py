"""A small game of a family of its own, played in the browser by its registration alone."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, TimeoutError, expect
from table import click_hex, open_tab, part
from visitors import DESKTOP, PHONE, Opener, Served, Shots

import fronte

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


@pytest.mark.costly
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_pieces_show_where_they_look_and_strangers_are_blank(
    open_probe: Opener, probed: Served, shots: Shots, size: Any
) -> None:
    match = begin(probed)
    page = open_probe(size, match, handover=False)
    view = probed.table(match, "north")["view"]
    there = [piece for piece in view["pieces"] if piece["at"] != "gone"]
    expect(page.locator("svg.play [data-unit]")).to_have_count(len(there))
    strangers = [piece for piece in there if "id" not in piece]
    assert strangers
    expect(page.locator("svg.play [data-unit^='?']")).to_have_count(len(strangers))
    expect(page.locator("svg.play [data-unit^='?'] .bottom").first).to_have_text("?")
    arrows = page.locator("svg.play .facing").evaluate_all("all => all.map(one => Number(one.dataset.facing))")
    assert sorted(arrows) == sorted(piece["facing"] for piece in there)
    own = next(piece for piece in there if piece.get("mine"))
    branch = {"company": "#branch-infantry", "gun": "#branch-artillery"}[own["values"]["kind"]]
    expect(part_of(page, own["id"]).locator("use")).to_have_attribute("href", branch)
    expect(page.locator(branch)).to_have_count(1)  # drawn once, by the server, and there when its drawing is
    shots(page, f"probe-{page.viewport_size['width'] if page.viewport_size else 0}.png")


def part_of(page: Page, unit: str) -> Any:
    return page.locator(f"svg.play [data-unit='{unit}']")


def test_a_hex_is_told_in_the_words_of_the_game_and_an_overlay_laid(
    open_probe: Opener, probed: Served, shots: Shots
) -> None:
    match = begin(probed)
    page = open_probe(DESKTOP, match, handover=False)
    expect(page.locator("svg.play [data-unit]").first).to_be_visible()
    click_hex(page, "0304")
    expect(part(page, "hex-card")).to_contain_text("objective")
    part(page, "layers").click()
    assert page.get_by_test_id("layer-zones").count() == 0  # this game has no zones
    part(page, "layer-fronts").check()
    expect(page.locator("path.laid").first).to_be_visible()
    shots(page, "probe-fronts.png")


def test_a_march_by_clicks_counts_in_quarters(open_probe: Opener, probed: Served, shots: Shots) -> None:
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
    shots(page, "probe-move.png")
    part(page, "move-to").select_option(goal)
    part(page, "move-go").click()
    line = table["line"]
    for _ in range(100):
        if probed.table(match, seat)["line"] > line:
            break
        page.wait_for_timeout(50)
    assert way["path"][-1] == goal
    assert probed.table(match, seat)["line"] > line


def test_a_whole_match_by_the_buttons_of_the_panels(open_probe: Opener, probed: Served, shots: Shots) -> None:
    match = begin(probed, "farm")
    page = open_probe(DESKTOP, match, handover=False)
    expect(page.locator("path.off")).to_have_count(1)  # the field of this scenario is smaller than the board
    over = part(page, "over")
    buttons = page.locator(".acting :is([data-testid^=do-], [data-testid^=end])")  # `done` ends the phase
    for count in range(300):
        page.wait_for_selector("[data-testid=over], .acting [data-testid^=do-], .acting [data-testid^=end]")
        if over.is_visible():
            break
        before = page.evaluate("document.body.innerText")
        with suppress(TimeoutError):  # the last answer may take the buttons away before they are pressed again
            (buttons.first if count % 3 else buttons.last).click(timeout=3000)
        with suppress(TimeoutError):  # who is asked next may be asked the same by the same words
            page.wait_for_function("before => document.body.innerText !== before", arg=before, timeout=3000)
    expect(over).to_be_visible()
    shots(page, "probe-over.png")
    assert probed.table(match, "north")["result"] is not None


def to_a_window(probed: Served, probe: str) -> tuple[dict[str, Any], str]:
    """A match in which a reaction window is open, and the seat that is asked; more windows of the same march follow."""
    for seed in range(3, 60):
        match = fronte.new(probe, "ford", seed)
        rng = Random(seed)
        played: list[Any] = []
        for _ in range(60):
            if match.decision is None:
                break
            if match.decision.kind == "react":
                twin = match.copy()
                before = len(twin.entries)
                twin.play("hold", whole=True)
                if len(twin.entries) - before > 2:
                    wanted = {"game": "probe", "scenario": "ford", "seats": dict.fromkeys(SEATS, "human"), "seed": seed}
                    opened: dict[str, Any] = probed.post("/api/matches", wanted)
                    for line, (seat, action) in enumerate(played):
                        body = {"action": action, "line": line}
                        probed.post(f"/api/matches/{opened['id']}/actions", body, opened["tokens"][seat])
                    return opened, match.decision.seat
            action = match.sample(rng)
            played.append((match.decision.seat, msgspec.to_builtins(action)))
            match.play(action)
    raise AssertionError("nobody marches past an enemy")


@pytest.mark.costly
@pytest.mark.parametrize("language", ["en", "it"])
def test_a_whole_move_is_let_pass_by_one_click_on_one_socket(
    open_probe: Opener, probed: Served, probe: str, shots: Shots, language: str
) -> None:
    match, seat = to_a_window(probed, probe)
    page = open_probe({"width": 1280, "height": 800}, match, handover=False, language=language)
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    line = probed.table(match, seat)["line"]
    whole = part(page, "whole")
    expect(whole).to_have_text(
        "Nobody shoots: for this whole move" if language == "en" else "Non spara nessuno: per tutto questo movimento"
    )
    expect(part(page, "do-shoot").first).to_contain_text("%")
    shots(page, f"probe-window-{language}.png")
    sockets.clear()
    whole.click()
    expect(whole).to_have_count(0)
    assert probed.table(match, seat)["line"] > line + 2
    assert probed.table(match, seat)["decision"]["kind"] != "react"
    expect(page.locator(".now.mine")).to_be_visible()  # it is the other seat's turn, on the same line
    assert not sockets


def test_orders_with_conditions_by_clicks(open_probe: Opener, probed: Served, shots: Shots) -> None:
    match = begin(probed)
    page = open_probe({"width": 390, "height": 844}, match, handover=False)
    open_tab(page, "orders")
    part(page, "order-react").select_option("shoot")
    part(page, "given-react-odds").fill("60")
    part(page, "given-react-odds").press("Tab")
    part(page, "given-react-when").select_option("after")
    part(page, "order-react1").select_option("hold")
    expect(part(page, "order-react1")).to_have_value("hold")
    for _ in range(100):
        if probed.table(match, "north")["orders"] == {"react": "shoot odds=60 when=after; hold"}:
            break
        page.wait_for_timeout(50)
    assert probed.table(match, "north")["orders"] == {"react": "shoot odds=60 when=after; hold"}
    assert probed.table(match, "south")["orders"] == {}
    shots(page, "probe-orders.png")
    part(page, "order-react").select_option("")
    expect(part(page, "given-react-odds")).to_have_count(0)


def test_the_screen_is_handed_over_where_something_is_hidden(open_probe: Opener, probed: Served) -> None:
    match = begin(probed)
    page = open_probe(DESKTOP, match)
    part(page, "handover-confirm").click()
    expect(page.locator(".now.mine")).to_be_visible()
    part(page, "do-plan").first.click()
    expect(part(page, "handover")).to_contain_text("the plans")  # the other seat must not see this one's plan
    part(page, "handover-confirm").click()
    part(page, "do-plan").first.click()
    expect(part(page, "do-activate").first.or_(part(page, "handover"))).to_be_visible()
