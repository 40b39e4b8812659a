"""Decisions that a match seldom brings, each in a small position on the real board."""

from __future__ import annotations

import re
from typing import Any

import positions
import pytest
from playwright.sync_api import Page, expect
from table import click_hex, end_phase, log_of, part, wait_asked
from visitors import DESKTOP, Opener, Served, Shots


@pytest.fixture
def sit(open_page: Opener, served: Served) -> Any:
    """Opens a position for one person who plays both sides."""

    def sit_down(start: positions.Start) -> Page:
        return open_page(DESKTOP, served.create(more=start), handover=False)

    return sit_down


def choose(page: Page, name: str) -> None:
    """Press the button of a unit."""
    page.locator(".acting .chip", has_text=name).click()


@pytest.mark.costly
@pytest.mark.parametrize(
    ("start", "target", "name"),
    [(positions.too_many_defenders, "0910", "LST B"), (positions.too_many_on_the_plateau, "2110", "RAGG. RGF")],
    ids=["isonzo", "altipiani"],
)
def test_the_defender_says_who_takes_no_part(sit: Any, shots: Shots, start: Any, target: str, name: str) -> None:
    page = sit(start())
    part(page, f"target-{target}").click()
    part(page, "attack").click()
    wait_asked(page, "say who takes no part")
    expect(part(page, "confirm")).to_be_disabled()  # nobody left out is not legal
    choose(page, name)
    shots(page, f"withhold-{target}.png")
    part(page, "confirm").click()
    expect(part(page, "what-now")).not_to_contain_text("say who takes no part")
    expect(log_of(page).get_by_text(f"{name} takes no part").first).to_be_visible()


def test_a_broken_pontoon_lands_on_the_bank_one_clicks(sit: Any, shots: Shots) -> None:
    page = sit(positions.pontoon_under_fire())
    wait_asked(page, "Attack enemies")
    page.get_by_text("Bombard bridges").click()
    shot = page.get_by_role("button", name="1711/1811")
    expect(shot).to_contain_text(re.compile(r"it falls with (\d+|>99)%"))  # as the server reckons it
    shot.click()
    wait_asked(page, "to which bank")
    expect(page.locator("polygon.reach")).to_have_count(2)
    shots(page, "landing.png")
    click_hex(page, "1811")
    wait_asked(page, "Attack enemies")
    expect(log_of(page).get_by_text("2 PONT.").first).to_contain_text("1811")


def test_units_are_set_up_on_the_map(sit: Any, shots: Shots) -> None:
    page = sit(positions.setting_up())
    wait_asked(page, "Set up the units")
    choose(page, "SPEZIA")
    shots(page, "setup.png")
    click_hex(page, "1209")
    expect(page.locator("[data-unit=it-spezia]")).to_be_visible()
    choose(page, "TARO")
    part(page, "do-place").click()  # the last one: play begins
    expect(part(page, "what-now")).not_to_contain_text("Set up")
    expect(page.locator("[data-unit=it-taro]")).to_be_visible()


def test_an_overstacked_hex_is_warned_of_and_pays(sit: Any) -> None:
    page = sit(positions.overstacked())
    wait_asked(page, "Move your units")
    part(page, "end").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("Overstacked, so that units there will be eliminated: 1310")
    part(page, "end-sure").click()
    wait_asked(page, "say what is eliminated")
    choose(page, "TARO")
    part(page, "confirm").click()
    wait_asked(page, "Attack enemies")
    expect(page.locator("[data-unit=it-taro]")).to_have_count(0)


def test_reserves_are_released_on_the_map_and_from_the_box(sit: Any, shots: Shots) -> None:
    page = sit(positions.reserves())
    expect(part(page, "state")).to_contain_text("3 Ris/Rimp points")
    choose(page, "NAPOLI")
    part(page, "do-release").click()
    expect(part(page, "state")).to_contain_text("2 Ris/Rimp points")
    choose(page, "SASSARI")
    shots(page, "reserves.png")
    click_hex(page, "2118")
    expect(page.locator("[data-unit=it-sassari]")).to_be_visible()
    wait_asked(page, "Move your units")


def test_every_way_of_a_retreat_tells_its_cost(sit: Any, shots: Shots) -> None:
    page = sit(positions.far_retreat())
    part(page, "target-1810").click()
    part(page, "attack").click()
    wait_asked(page, "must retreat")
    ways = page.locator("input[name=way]")
    expect(ways.nth(16)).to_be_visible()
    expect(part(page, "chance")).to_have_count(ways.count())
    click_hex(page, "1908")  # several end there: the one that is chosen is drawn
    expect(page.locator("input[name=way]:checked")).to_have_count(1)
    shots(page, "retreat-chosen.png")
    expect(page.locator("path.way")).to_have_count(1)


def test_engineers_lay_a_pontoon_and_take_it_up(sit: Any) -> None:
    page = sit(positions.engineers())
    wait_asked(page, "bridge engineers")
    choose(page, "2 PONT.")
    part(page, "do-build").click()
    wait_asked(page, "become engineers again")
    expect(page.locator("g.pontoon")).to_have_count(1)
    # between two stacks it would be hidden under the counters
    assert page.evaluate(
        """() => [...document.querySelectorAll('[data-unit]')].every((unit) =>
            unit.compareDocumentPosition(document.querySelector('g.pontoon')) & Node.DOCUMENT_POSITION_FOLLOWING)"""
    )
    choose(page, "2 PONT.")
    page.locator(".acting").get_by_role("button", name="goes ashore at 1711").click()
    wait_asked(page, "Move your units")
    expect(page.locator("g.pontoon")).to_have_count(0)


def test_the_defender_relies_on_the_river_or_the_hill(sit: Any) -> None:
    page = sit(positions.hex_or_river())
    part(page, "target-1413").click()
    part(page, "attack").click()
    page.locator(".acting").get_by_role("button", name="Rely on the river").click()
    expect(part(page, "report")).to_be_visible()  # the dice have fallen
    expect(log_of(page).get_by_text("The defender relies on the river")).to_be_visible()


@pytest.mark.costly
@pytest.mark.parametrize(
    ("game", "target", "way", "going"),
    [("isonzo", "2312", "2311", ["111 LST"]), ("altipiani", "2110", "2111", ["RAGG. RGF", "IVREA"])],
)
def test_who_goes_on_retreating(sit: Any, shots: Shots, game: str, target: str, way: str, going: list[str]) -> None:
    page = sit(positions.crowded_retreat(game))
    part(page, f"target-{target}").click()
    part(page, "attack").click()
    if game == "isonzo":
        part(page, "do-accept").click()
    wait_asked(page, "must retreat 1 hex")
    click_hex(page, way)
    part(page, "confirm").click()
    wait_asked(page, "must go one hex further")
    chosen = page.locator(".acting .chip.pressed")
    expect(chosen).to_have_count(0)  # who goes on is for the player to say
    expect(part(page, "confirm")).to_be_disabled()
    for name in going:
        choose(page, name)
    expect(chosen).to_have_count(len(going))
    goals = page.get_by_role("group", name="Where to").get_by_role("button")
    expect(page.locator("polygon.reach")).to_have_count(goals.count())
    expect(part(page, "confirm")).to_be_disabled()  # until it is said where to
    shots(page, f"goon-{game}.png")
    goal = goals.nth(1).inner_text()[:4]
    click_hex(page, goal)
    part(page, "confirm").click()
    expect(part(page, "what-now")).not_to_contain_text("must go one hex further")
    expect(log_of(page).get_by_text(re.compile(rf"retreats? {way}.*{goal}")).first).to_contain_text(going[0])


def test_bridges_are_demolished_at_the_end_of_a_turn(sit: Any, shots: Shots) -> None:
    page = sit(positions.position("isonzo", {"it-spezia": "1310", "ah-15geb": "1208"}, phase="end", active="ah"))
    wait_asked(page, "demolish bridges")
    page.locator(".acting").get_by_role("button", name="Demolish the bridge 2712/2812").click()
    shots(page, "demolish.png")
    expect(page.locator("g.sign.destroyed")).not_to_have_count(0)
    end_phase(page)
    expect(log_of(page).get_by_text("2712/2812").first).to_be_visible()
