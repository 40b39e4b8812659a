"""Hands at the table: dragging, what a click clears away, and a map that stays where one has put it."""

from __future__ import annotations

from typing import Any

import positions
import pytest
from playwright.sync_api import Page, expect
from table import click_hex, end_phase, go_on_to, log_of, move_to_a_bridge, open_tab, part, place, wait_asked
from visitors import DESKTOP, Opener, Served

MOVE = "Move your units"


@pytest.fixture
def moving(open_page: Opener, served: Served) -> Page:
    """The first Movement Phase, for one who plays both sides."""
    page = open_page(DESKTOP, served.create(), handover=False)
    go_on_to(page, MOVE)
    return page


def drag(page: Page, start: tuple[float, float], *way: str) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    for name in way:
        page.mouse.move(*place(page, name), steps=4)
    page.mouse.up()


def look_away(page: Page) -> Any:
    """Zoom in on a corner of the board where nothing happens; how the map lies then."""
    page.wait_for_selector("svg.ground text.id", state="attached")  # with the board the map is laid anew
    for _ in range(4):
        page.get_by_role("button", name="Closer").click()
    page.get_by_role("button", name="Small map").click(position={"x": 160, "y": 8})
    page.wait_for_timeout(200)
    return page.locator(".world").get_attribute("style")


def test_a_counter_is_dragged_without_being_chosen_first(moving: Page) -> None:
    drag(moving, place(moving, "1308"), "1209", "1110")
    wait_asked(moving, "TARO still has")
    expect(moving.get_by_role("heading", name="Hex 1110")).to_be_visible()  # the panel tells of where it is now


def test_a_fan_closes_when_one_of_it_is_dragged_away(moving: Page) -> None:
    click_hex(moving, "1611")
    fan = moving.locator("rect.fan")
    expect(fan).to_have_count(1)
    box = moving.locator("[data-unit=it-brescia]").bounding_box()
    assert box is not None
    drag(moving, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2), "1612")
    wait_asked(moving, MOVE)
    expect(moving.locator("[data-unit=it-brescia]")).to_be_visible()
    expect(fan).to_have_count(0)


def test_an_old_refusal_goes_when_something_else_is_done(moving: Page) -> None:
    refusal = part(moving, "refusal")
    click_hex(moving, "1209")
    click_hex(moving, "1208")  # an enemy stands there
    expect(refusal).to_be_visible()
    click_hex(moving, "1308")
    expect(moving.locator(".acting .chip").first).to_contain_text("TARO")
    expect(refusal).to_have_count(0)
    click_hex(moving, "1208")
    expect(refusal).to_be_visible()
    moving.keyboard.press("Escape")
    expect(refusal).to_have_count(0)


@pytest.mark.costly
@pytest.mark.parametrize(("language", "words"), [("en", "is in reserve"), ("it", "è in riserva")])
def test_a_unit_that_cannot_move_says_why(open_page: Opener, served: Served, language: str, words: str) -> None:
    page = open_page(DESKTOP, served.create(), handover=False, language=language)
    expect(page.locator(".now.mine")).to_be_visible()
    end_phase(page)
    wait_asked(page, MOVE if language == "en" else "Muovi le tue unità")
    click_hex(page, "2415")
    expect(part(page, "stuck")).to_contain_text(words)
    expect(part(page, "stuck").get_by_role("button")).to_be_visible()  # with its rule


def test_a_question_one_may_pass_over_leaves_the_map_alone(open_page: Opener, served: Served) -> None:
    units = {"it-napoli": "1310", "it-potenza": "1512", "it-vicenza": "1613", "ah-15geb": "1208"}
    start = positions.position("isonzo", units, phase="reinforcement", points=3)
    page = open_page(DESKTOP, served.create(more=start), handover=False)
    page.locator(".acting .chip", has_text="NAPOLI").click()
    before = look_away(page)
    part(page, "do-release").click()
    expect(part(page, "state")).to_contain_text("2 Ris/Rimp points")
    page.wait_for_timeout(500)
    assert page.locator(".world").get_attribute("style") == before
    part(page, "show-place").click()
    expect(page.locator(".world")).not_to_have_attribute("style", before)


def test_a_bridge_that_may_be_blown_is_marked_and_the_answers_differ(open_page: Opener, served: Served) -> None:
    unit, goal = move_to_a_bridge()
    page = open_page(DESKTOP, served.create(), handover=False)
    go_on_to(page, MOVE)
    open_tab(page, "list")
    part(page, f"list-open-{unit}").click()
    part(page, f"list-goal-{unit}").select_option(goal)
    before = look_away(page)
    part(page, f"list-move-{unit}").click()
    wait_asked(page, "blow")
    expect(page.locator("path.side")).not_to_have_count(0)
    page.wait_for_timeout(500)
    assert page.locator(".world").get_attribute("style") == before  # one may leave the bridge alone
    look = "(one) => getComputedStyle(one).backgroundColor"
    assert part(page, "do-blow").evaluate(look) != part(page, "do-hold").evaluate(look)


def test_the_right_button_on_another_friend_opens_his_menu(moving: Page) -> None:
    """Who is chosen is sent where he can go; a friend is meant himself, and can be joined where he is in reach."""
    click_hex(moving, "1308")
    moving.mouse.click(*place(moving, "3213"), button="right")
    expect(part(moving, "hand-menu")).to_contain_text("MODENA")
    expect(part(moving, "refusal")).to_have_count(0)
    expect(part(moving, "hand-join")).to_have_count(0)
    moving.keyboard.press("Escape")
    click_hex(moving, "1308")
    moving.mouse.click(*place(moving, "1209"), button="right")
    part(moving, "hand-join").click()
    expect(part(moving, "hand-menu")).to_have_count(0)
    expect(log_of(moving)).to_contain_text("TARO")


def test_a_map_that_is_seen_whole_stays_whole_beside_a_folded_panel(moving: Page) -> None:
    part(moving, "fit").click()
    before = part(moving, "map").bounding_box()
    moving.keyboard.press("p")
    moving.wait_for_timeout(300)
    after, left, right = part(moving, "map").bounding_box(), place(moving, "0811"), place(moving, "3413")
    assert before is not None and after is not None and after["width"] > before["width"]
    middle = (left[0] + right[0]) / 2
    assert abs(middle - after["x"] - after["width"] / 2) < 0.1 * after["width"]


def test_layers_are_shut_by_the_escape_key(moving: Page) -> None:
    part(moving, "layers").click()
    part(moving, "layer-altitude").check()
    moving.keyboard.press("Escape")
    expect(part(moving, "layer-altitude")).to_have_count(0)


def test_escape_lets_go_of_a_target_from_the_panel_too(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, served.create(more=positions.hex_or_river()), handover=False)
    part(page, "target-1413").click()
    page.locator(".acting .chip").first.click()  # the focus is beside the map now
    page.keyboard.press("Escape")
    expect(part(page, "attack")).to_have_count(0)
    expect(part(page, "target-1413")).to_be_visible()
