"""Before one decides: why a unit cannot go somewhere, who can do nothing, what is foreseen, a word before a move."""

from __future__ import annotations

import positions
import pytest
from playwright.sync_api import Page, ViewportSize, expect
from table import click_hex, go_on_to, open_tab, part, wait_asked
from visitors import DESKTOP, Opener, Served, Shots

MOVE = "Move your units"
UPRIGHT: ViewportSize = {"width": 820, "height": 1180}
PHONE_UPRIGHT: ViewportSize = {"width": 390, "height": 844}


def objective_left() -> positions.Start:
    """15: a brigade alone on Kobilek, which it has taken, with the enemy near."""
    units = {"it-spezia": "2412", "it-taro": "1310", "ah-15geb": "2311", "ah-lst-a": "1208"}
    return positions.position("isonzo", units, held={"italian": ["2412"]})


def test_the_way_is_drawn_and_what_would_open_it_is_said(open_page: Opener, served: Served, shots: Shots) -> None:
    """4, 14.2.b: over the Isonzo without a bridge: the way, the hexside, and the pontoon that would help."""
    page = open_page(DESKTOP, served.create(), handover=False)
    go_on_to(page, MOVE)
    click_hex(page, "1308")
    wait_asked(page, MOVE)
    click_hex(page, "1108")
    told = part(page, "refusal")
    expect(told).to_contain_text("TARO cannot go to 1108")
    expect(told.get_by_role("button", name="Open rule").first).to_be_visible()
    expect(page.locator("g.whynot .cross").first).to_be_visible()
    for size in (UPRIGHT, PHONE_UPRIGHT, DESKTOP):
        page.set_viewport_size(size)
        expect(told).to_be_visible()
        expect(page.locator("g.whynot .cross").first).to_be_visible()
        shots(page, f"whynot-{size['width']}.png")
    page.keyboard.press("Escape")
    expect(told).to_have_count(0)
    expect(page.locator("g.whynot")).to_have_count(0)


def test_who_can_do_nothing_wears_a_mark_and_says_why(open_page: Opener, served: Served, shots: Shots) -> None:
    """13.1.a: a brigade in reserve."""
    page = open_page(DESKTOP, served.create(), handover=False, language="it")
    expect(page.locator(".now.mine")).to_be_visible()
    go_on_to(page, "Muovi le tue unità")
    mark = page.locator("[data-idle=it-napoli]")
    expect(mark).to_have_count(1)
    expect(mark.locator("title")).to_contain_text("riserva")
    click_hex(page, "2415")
    open_tab(page, "hex")
    expect(part(page, "idle")).to_contain_text("riserva")
    card = part(page, "piece-card")
    expect(card).to_contain_text("rifornimento")
    assert card.inner_text().count("riserva e non muove") == 1  # said once, and its rule is a button
    assert "[" not in card.inner_text()
    shots(page, "idle.png")


def test_a_move_that_leaves_an_objective_empty_is_told_before(open_page: Opener, served: Served, shots: Shots) -> None:
    page = open_page(DESKTOP, served.create(more=objective_left()), handover=False)
    wait_asked(page, MOVE)
    click_hex(page, "2412")
    click_hex(page, "2413")
    word = part(page, "caution")
    expect(word).to_contain_text("2412")
    shots(page, "caution.png")
    part(page, "caution-stay").click()
    expect(word).to_have_count(0)
    click_hex(page, "2413")
    part(page, "caution-never").click()
    expect(word).to_have_count(0)
    expect(page.locator("[data-unit=it-spezia]")).to_be_visible()
    wait_asked(page, "SPEZIA")
    open_tab(page, "settings")
    expect(part(page, "caution-pref")).not_to_be_checked()


@pytest.mark.costly
@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("isonzo", {}),
        ("altipiani", {}),
        ("volturno", {"garibaldini": "human", "napoletani": "human"}),
        ("caporetto", {"left": "human", "right": "human"}),
    ],
)
def test_what_is_foreseen_is_laid_over_the_map(
    open_page: Opener, served: Served, shots: Shots, game: str, seats: dict[str, str]
) -> None:
    wanted = seats or {"italian": "human", "ah": "human"}
    scenario = "short" if game == "volturno" else "historical"
    heading = {"game": game, "scenario": scenario, "seats": wanted, "seed": 2}
    page = open_page(DESKTOP, served.post("/api/matches", heading), handover=False, ahead=True)
    expect(page.locator(".now.mine")).to_be_visible()
    told = part(page, "outlook")
    expect(told).to_be_visible()
    shots(page, f"outlook-{game}.png")
    part(page, "layers").click()
    part(page, "layer-ahead").uncheck()
    expect(told).to_have_count(0)


def test_the_layer_is_not_there_before_it_is_asked_for(open_page: Opener, served: Served) -> None:
    page: Page = open_page(DESKTOP, served.create(), handover=False)
    expect(page.locator(".now.mine")).to_be_visible()
    expect(part(page, "outlook")).to_have_count(0)
