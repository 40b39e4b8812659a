"""Orders on the map and a quiet routine: stacks, the small menu, plans, the pen, the drawer, a defence for a turn."""

from __future__ import annotations

from random import Random
from typing import Any

import positions
import pytest
from playwright.sync_api import Page, ViewportSize, expect
from table import click_hex, go_on_to, log_of, move_to_a_bridge, part, place, wait_asked
from visitors import DESKTOP, Opener, Served, Shots

import fronte

MOVE = "Move your units"
UPRIGHT: ViewportSize = {"width": 390, "height": 844}
TABLET: ViewportSize = {"width": 820, "height": 1180}
SHORT = {"caporetto": "maggiore", "volturno": "short"}


@pytest.fixture
def moving(open_page: Opener, served: Served) -> Page:
    """The first Movement Phase, for one who plays both sides."""
    page = open_page(DESKTOP, served.create(), handover=False)
    go_on_to(page, MOVE)
    return page


def drag(page: Page, start: str, end: str) -> None:
    page.mouse.move(*place(page, start))
    page.mouse.down()
    page.mouse.move(*place(page, end), steps=5)
    page.mouse.up()


def where(page: Page) -> Any:
    return page.locator(".world").get_attribute("style")


def test_a_stack_is_dragged_and_asked_who_goes(moving: Page) -> None:
    drag(moving, "1611", "1612")
    menu = part(moving, "hand-menu")
    expect(menu).to_contain_text("All 3 go there")
    expect(menu.get_by_role("menuitem")).to_have_count(4)
    part(moving, "hand-go-it-belluno").click()
    wait_asked(moving, "BELLUNO still has")
    expect(menu).to_have_count(0)


def test_what_is_dropped_where_it_cannot_go_says_why(moving: Page) -> None:
    drag(moving, "1308", "1208")  # an enemy stands there
    expect(part(moving, "refusal")).to_be_visible()
    wait_asked(moving, MOVE)


def test_the_small_menu_says_what_a_counter_can_do_or_why_it_cannot(moving: Page) -> None:
    moving.mouse.click(*place(moving, "1308"), button="right")
    expect(part(moving, "hand-menu")).to_contain_text("hexes in reach")
    part(moving, "hand-move").click()
    expect(moving.locator(".acting .chip").first).to_contain_text("TARO")
    moving.keyboard.press("Escape")
    part(moving, "map").focus()
    moving.keyboard.press("Escape")
    moving.mouse.click(*place(moving, "2415"), button="right")
    part(moving, "hand-why").click()
    expect(part(moving, "hand-told")).to_contain_text("is in reserve")
    expect(part(moving, "hand-told").get_by_role("button")).to_be_visible()  # its rule


def test_moves_are_planned_and_given_all_at_once(moving: Page) -> None:
    moving.mouse.click(*place(moving, "1308"), button="right")
    part(moving, "hand-plan").click()
    expect(part(moving, "plan-on")).to_be_checked()  # the drawer opens for it
    click_hex(moving, "1110")
    expect(part(moving, "planned-way")).to_have_count(1)
    drag(moving, "1611", "1612")
    part(moving, "hand-all").click()
    expect(part(moving, "planned-way")).to_have_count(4)
    wait_asked(moving, "one at a time.")  # nothing has moved
    part(moving, "plan-give").click()
    expect(part(moving, "plan")).to_have_count(0)
    expect(part(moving, "planned-way")).to_have_count(0)
    for name in ("TARO", "BRESCIA", "BELLUNO", "7 PONT."):
        expect(log_of(moving)).to_contain_text(name)


def test_an_interruption_leaves_the_rest_planned(open_page: Opener, served: Served) -> None:
    unit, goal = move_to_a_bridge()
    page = open_page(DESKTOP, served.create(), handover=False)
    go_on_to(page, MOVE)
    start = str(fronte.new("isonzo", scenario="historical", seed=2).view("italian").piece(unit).at)  # type: ignore[union-attr]
    page.mouse.click(*place(page, start), button="right")
    part(page, "hand-plan").click()
    part(page, "move-to").select_option(goal)
    part(page, "move-go").click()
    expect(part(page, "planned-way")).to_have_count(1)
    drag(page, "1308", "1110")
    expect(part(page, "planned-way")).to_have_count(2)
    part(page, "plan-give").click()
    wait_asked(page, "blow")
    part(page, "drawer-do-hold").click()
    wait_asked(page, MOVE)
    expect(part(page, "planned-way")).to_have_count(1)
    expect(part(page, "plan-halted")).to_contain_text("still planned")
    part(page, "plan-give").click()
    expect(part(page, "planned-way")).to_have_count(0)


def test_a_bridge_is_asked_about_in_the_drawer_and_once_for_all(open_page: Opener, served: Served) -> None:
    unit, goal = move_to_a_bridge()
    match = served.create()
    page = open_page(DESKTOP, match, handover=False)
    go_on_to(page, MOVE)
    start = str(fronte.new("isonzo", scenario="historical", seed=2).view("italian").piece(unit).at)  # type: ignore[union-attr]
    page.mouse.click(*place(page, start), button="right")
    part(page, "hand-move").click()
    part(page, "move-to").select_option(goal)
    before = where(page)
    part(page, "move-go").click()
    card = part(page, "drawer-card")
    expect(card).to_be_visible()
    expect(part(page, "drawer-do-blow")).to_be_visible()
    assert where(page) == before
    part(page, "drawer-show").click()
    expect(page.locator(".world")).not_to_have_attribute("style", before)
    part(page, "drawer-always").click()
    part(page, "drawer-always-hold").click()
    wait_asked(page, MOVE)
    expect(card).to_have_count(0)
    assert served.table(match, "ah")["orders"] == {"demolition": "hold"}


def test_a_defence_is_left_to_the_machine_for_a_turn_and_taken_back(open_page: Opener, served: Served) -> None:
    match = served.create(more=positions.too_many_defenders())
    page = open_page(DESKTOP, match | {"tokens": {"ah": match["tokens"]["ah"]}})
    attack = {"do": "attack", "target": "0910", "units": ["it-alessandria", "it-caltanissetta"]}
    served.post(f"/api/matches/{match['id']}/actions", {"action": attack, "line": 0}, match["tokens"]["italian"])
    wait_asked(page, "who takes no part")
    expect(part(page, "drawer-card")).to_have_count(0)  # an attack that comes at one is no routine
    expect(page.locator("path.blow")).to_have_count(2)  # the map shows where from, and goes there
    x, y = place(page, "0910")
    box = part(page, "map").bounding_box()
    assert box and box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"]
    part(page, "defend").click()
    expect(part(page, "what-now")).not_to_contain_text("who takes no part", timeout=60_000)
    expect(part(page, "defending")).to_be_visible()
    expect(log_of(page)).to_contain_text("answered for you")
    assert served.table(match, "ah")["orders"]["defence"] == "now"
    part(page, "defend-back").click()
    expect(part(page, "defending")).to_have_count(0)
    assert "defence" not in served.table(match, "ah")["orders"]


def test_targets_show_their_best_odds(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(more=positions.too_many_defenders()), handover=False)
    expect(part(page, "chance-0910")).to_contain_text(":")
    badge, (x, y) = part(page, "chance-0910").bounding_box(), place(page, "0910")
    assert badge and badge["x"] + badge["width"] / 2 > x  # at the upper right, off the names of places
    assert badge["y"] + badge["height"] < y
    page.mouse.move(*place(page, "0811"))
    page.mouse.down()
    page.mouse.move(*place(page, "0910"), steps=5)
    page.mouse.up()
    expect(part(page, "attack")).to_be_visible()


def test_the_pen_draws_for_oneself_and_the_browser_keeps_it(open_page: Opener, served: Served) -> None:
    match = served.create(more={"watch": ["italian"]})
    page = open_page(DESKTOP, match, handover=False)
    expect(page.locator(".now.mine")).to_be_visible()
    part(page, "pen").click()
    part(page, "pen-arrow").click()
    before = where(page)
    drag(page, "0913", "1211")
    expect(part(page, "drawn-arrow")).to_have_count(1)
    assert where(page) == before
    part(page, "pen-note").click()
    page.mouse.click(*place(page, "1014"))
    part(page, "pen-text").fill("Hold here")
    part(page, "pen-keep").click()
    expect(part(page, "drawn-note")).to_contain_text("Hold here")
    page.reload()
    expect(part(page, "drawn-arrow")).to_have_count(1)
    expect(part(page, "drawn-note")).to_have_count(1)
    part(page, "pen").click()
    part(page, "pen-rub").click()
    page.mouse.click(*place(page, "1014"))
    expect(part(page, "drawn-note")).to_have_count(0)
    watcher = open_page(DESKTOP, at=served.link(match, match["watch"]["italian"]))
    part(watcher, "pen").click()
    part(watcher, "pen-arrow").click()
    drag(watcher, "0913", "1211")
    expect(part(watcher, "drawn-arrow")).to_have_count(1)


def test_the_ground_is_seen_through_the_counters(moving: Page) -> None:
    opacity = "one => Number(getComputedStyle(one).opacity)"
    unit = moving.locator("[data-unit=it-taro]")
    part(moving, "map").focus()
    moving.keyboard.down("t")
    assert unit.evaluate(opacity) < 0.5
    moving.keyboard.up("t")
    assert unit.evaluate(opacity) == 1
    part(moving, "through").click()
    assert unit.evaluate(opacity) < 0.5


def at(game: str, defending: bool) -> dict[str, Any]:
    """A position in which units move, or in which a small question is asked in the other's turn."""
    scenario = SHORT.get(game, "")
    for seed in range(60):
        match, rng = fronte.new(game, scenario=scenario, seed=seed), Random(seed)
        for _ in range(1500):
            decision = match.decision
            if decision is None:
                break
            active = match.rules.public_view(match.state).stage.active
            asked = active not in ("", decision.seat) and decision.panel in ("choose", "subset", "volturno.react")
            moves = decision.panel == "move" and any(len(one["reach"]) > 3 for one in match.offer["units"].values())
            if asked if defending else moves:
                header = match.rules.header
                seats = dict.fromkeys(match.rules.seats, "human")
                return {"scenario": header.scenario, "seats": seats, "position": match.rules.to_position(match.state)}
            match.play(match.sample(rng))
    raise AssertionError("that is never asked")


@pytest.mark.costly
@pytest.mark.parametrize(
    ("game", "size"),
    [("altipiani", DESKTOP), ("volturno", TABLET), ("caporetto", UPRIGHT), ("caporetto", DESKTOP)],
    ids=["altipiani-desktop", "volturno-tablet", "caporetto-phone", "caporetto-desktop"],
)
def test_every_game_has_the_menu_and_the_drawer(
    open_page: Opener, served: Served, shots: Shots, game: str, size: ViewportSize
) -> None:
    """Each game, and each size, which are laid out by the same rules for all of them."""
    language = "it" if size is TABLET else "en"
    page = open_page(size, served.create(game=game, more=at(game, defending=False)), handover=False, language=language)
    expect(page.locator(".now.mine")).to_be_visible()
    part(page, "map").focus()
    page.keyboard.press("n")
    expect(page.locator(".acting .chip").first).to_be_visible()
    part(page, "map").focus()
    page.keyboard.press("m")
    expect(part(page, "hand-menu").get_by_role("menuitem")).not_to_have_count(0)
    shots(page, f"hand-{game}-{size['width']}.png")
    page = open_page(size, served.create(game=game, more=at(game, defending=True)), handover=False, language=language)
    expect(page.locator(".now.mine")).to_be_visible()
    expect(part(page, "drawer")).to_be_visible()
    shots(page, f"drawer-{game}-{size['width']}.png")
    before = part(page, "what-now").inner_text()
    part(page, "defend").click()
    expect(part(page, "what-now")).not_to_have_text(before, timeout=60_000)
