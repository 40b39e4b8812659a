"""Volturno at the table: set-up, open and hidden counters, declared attacks, reactions, the lesson."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from table import click_hex, end_phase, log_of, open_tab, part, wait_asked
from visitors import DESKTOP, PHONE, Opener, Served, Shots

import fronte
from fronte.engine.dice import seed_bytes
from fronte.engine.match import Match
from fronte.engine.view import Piece
from fronte.server.lessons import read_lesson


def begin(served: Served, **more: Any) -> dict[str, Any]:
    seats = {"garibaldini": "human", "napoletani": "human"}
    opened: dict[str, Any] = served.post(
        "/api/matches", {"game": "volturno", "scenario": "short", "seed": 3, "seats": seats} | more
    )
    return opened


def set_up(page: Page) -> None:
    """Both sides as it was on that day."""
    for side in ("Garibaldini", "Neapolitans"):
        expect(part(page, "what-now")).to_contain_text(f"The {side} set up")
        part(page, "do-historical").click()
        part(page, "do-ready").click()


def test_with_open_counters_nobody_has_to_look_away(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, begin(served, options={"open_counters": True}))
    if part(page, "handover").is_visible():
        part(page, "handover-confirm").click()
    set_up(page)
    wait_asked(page, "which formation")
    expect(part(page, "handover")).to_have_count(0)
    expect(page.locator("[data-front]")).not_to_have_count(0)
    at_first = page.locator(".world").get_attribute("style")
    formation = page.locator("[data-testid^=formation-]").last
    formation.click()  # where it stands is shown
    expect(formation).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".world")).not_to_have_attribute("style", at_first or "")


def test_an_answer_that_comes_again_is_weighed_again(open_page: Opener, served: Served) -> None:
    """6.1.2: after a failed attempt the same button is there, and the Orders marker has raised its chance."""
    page = open_page(DESKTOP, begin(served), handover=False)
    set_up(page)
    wait_asked(page, "which formation")
    guard = part(page, "do-attempt").first
    expect(guard).to_contain_text("33%")
    expect(page.locator(".six")).to_contain_text("a six leaves it where it is")  # 15.2.p5: it is dark
    expect(part(page, "track-score")).to_have_text("Garibaldian lead: 3")
    guard.click()
    expect(part(page, "formations")).to_contain_text("1 to 3; 6*")
    expect(guard).to_contain_text("50%")
    expect(part(page, "odds").first).to_contain_text("50%", timeout=5_000)  # by order


def test_why_not_gives_each_reason_once(open_page: Opener, served: Served) -> None:
    start, where = with_guns_in_place()
    page = open_page(DESKTOP, begin(served, position=start), handover=False)
    expect(page.locator(".now.mine")).to_be_visible()
    click_hex(page, where)
    expect(part(page, "stuck")).to_contain_text("unlimbered")
    page.locator("svg.play [data-unit^='?']").first.click(force=True)
    told = part(page, "refusal")
    expect(told).to_contain_text("cannot go to")
    reasons = [line for line in page.locator(".acting").inner_text().splitlines() if "unlimbered" in line]
    assert len(reasons) == 1, reasons


def test_while_sides_set_up_nobody_defends(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, begin(served), handover=False)
    wait_asked(page, "set up: 19 counters to place")
    part(page, "do-historical").click()
    wait_asked(page, "set up: every counter stands")
    part(page, "do-ready").click()
    wait_asked(page, "The Neapolitans set up")
    expect(part(page, "theirs")).to_have_count(0)
    expect(part(page, "defend")).to_have_count(0)


def test_with_hidden_ones_the_screen_is_handed_over(open_page: Opener, served: Served, shots: Shots) -> None:
    page = open_page(DESKTOP, begin(served))
    part(page, "handover-confirm").click()
    part(page, "do-historical").click()
    part(page, "do-ready").click()
    expect(part(page, "handover")).to_be_visible()
    assert page.locator("svg").count() == 0
    part(page, "handover-confirm").click()
    wait_asked(page, "The Neapolitans set up")


def in_sight(page: Page) -> tuple[float, float]:
    """The middle of a hex that can be chosen, where the map shows it."""
    shown = part(page, "map").bounding_box()
    assert shown is not None
    for hexagon in page.locator("polygon.reach").all():
        box = hexagon.bounding_box()
        if (
            box
            and shown["x"] + 60 < box["x"] < shown["width"] - 120
            and shown["y"] + 60 < box["y"] < shown["height"] - 60
        ):
            return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    raise AssertionError("no such hex is in sight")


def test_a_counter_is_dragged_into_its_zone_and_turned(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, begin(served), handover=False)
    chip = page.locator(".acting .hold", has_text="MELANCHINI")
    chip.click()
    expect(page.locator("polygon.reach")).not_to_have_count(0)
    box = chip.bounding_box()
    assert box is not None
    x, y = in_sight(page)
    page.mouse.move(box["x"] + 20, box["y"] + 15)
    page.mouse.down()
    page.mouse.move(x, y, steps=6)
    page.mouse.up()
    wait_asked(page, "18 counters to place")
    counter = page.locator("[data-unit=g-melanchini]").first
    counter.click()
    part(page, "face-s").click()
    expect(page.locator("[data-front]")).to_have_count(1)
    expect(part(page, "face-s")).to_have_attribute("aria-pressed", "true")


def test_the_lesson_ends_with_a_won_assault(open_page: Opener, served: Served, shots: Shots) -> None:
    page = open_page(DESKTOP)
    part(page, "course").locator("summary").click(timeout=60_000)  # the first visitor waits for all games to be read
    part(page, "lesson-volturno-first").click()
    page.get_by_role("button", name="Next", exact=True).click()
    expect(part(page, "formations")).to_contain_text("1 to 4; 6*")
    part(page, "do-attempt").first.click()
    expect(part(page, "target-2118")).to_contain_text("commander of a formation")  # and no word of the data
    part(page, "target-2315").click()
    page.locator("h5:has-text('From 2415') + .chips .chip", has_text="%").first.click()
    expect(part(page, "odds")).to_contain_text("arrival")
    shots(page, "volturno-declare.png")
    part(page, "declare").click()
    expect(page.locator("g.sign.assault[data-facing]")).to_have_count(1)
    part(page, "do-declared").click()
    expect(part(page, "formation-card")).to_contain_text("1 of 4 markers laid")
    part(page, "next-unit").click()
    part(page, "move-to").select_option("2415")
    part(page, "move-go").click()
    part(page, "do-assault").click()
    wait_asked(page, "what becomes of the marker")  # its target has gone: where it may point is on the map
    expect(page.locator("path.blow")).to_have_count(1)
    click_hex(page, "2216")
    wait_asked(page, "How does SPANGARO stand")
    part(page, "face-nw").click()
    wait_asked(page, "What does the 17th Division do")
    log = log_of(page)
    expect(log.get_by_text("the combat is won by the Garibaldini", exact=False).first).to_be_visible(timeout=30_000)
    open_tab(page, "now")
    end_phase(page)
    expect(part(page, "lesson-home")).to_be_visible()


def reacting(scenario: str = "short") -> dict[str, Any]:
    """A position in which somebody may react."""
    for seed in range(20):
        match, rng = Match.begin(fronte.ruleset("volturno", scenario), seed_bytes(seed)), Random(seed)
        while match.result is None:
            if match.decision is not None and match.decision.kind == "react":
                return match.rules.to_position(match.state)
            match.play(match.sample(rng))
    raise AssertionError("nobody ever reacts")


def move_that_calls_the_other() -> tuple[dict[str, Any], str, str]:
    """A position, and a unit whose move to this hex lets the other side react."""
    for seed in range(20):
        match, rng = Match.begin(fronte.ruleset("volturno", "short"), seed_bytes(seed)), Random(seed)
        while match.result is None and match.decision is not None:
            for unit, offer in match.offer["units"].items() if match.decision.kind == "act" else ():
                for goal, way in offer["reach"].items():
                    twin = match.copy()
                    twin.play({"do": "move", "unit": unit, "path": way["path"]})
                    if twin.decision is not None and twin.decision.seat != match.decision.seat:
                        return match.rules.to_position(match.state), unit, goal
            match.play(match.sample(rng))
    raise AssertionError("nobody ever reacts to a move")


def test_the_small_menu_goes_with_the_seat_that_opened_it(open_page: Opener, served: Served) -> None:
    start, unit, goal = move_that_calls_the_other()
    page = open_page(DESKTOP, begin(served, position=start), handover=False)
    expect(page.locator(".now.mine")).to_be_visible()
    counter = page.locator(f"[data-unit={unit}]").first
    counter.click()
    expect(part(page, "move-to")).to_be_visible()
    counter.click()
    expect(part(page, "hand-menu")).to_be_visible()
    part(page, "move-to").select_option(goal)
    part(page, "move-go").click()
    page.wait_for_selector("[data-testid=caution-go], [data-testid=theirs]")
    if part(page, "caution-go").is_visible():
        part(page, "caution-go").click()
    wait_asked(page, "who reacts?")
    expect(part(page, "hand-menu")).to_have_count(0)


def test_on_a_phone_the_first_look_is_at_what_is_asked(open_page: Opener, served: Served) -> None:
    """The whole map would be too small to read, and the middle of all counters may be far from it."""
    page = open_page(PHONE, begin(served, position=reacting("full"), scenario="full"), handover=False)
    wait_asked(page, "who reacts?")
    shown = part(page, "map").bounding_box()
    asked = page.locator("polygon.place").first.bounding_box()
    assert shown is not None and asked is not None
    assert asked["height"] > 40
    assert shown["x"] < asked["x"] and asked["x"] + asked["width"] < shown["x"] + shown["width"]
    assert shown["y"] < asked["y"] and asked["y"] + asked["height"] < shown["y"] + shown["height"]


def is_unlimbered(match: Match, guns: Piece) -> bool:
    """8.4: is it for that alone that these guns cannot go to any hex?"""
    rules: Any = match.rules
    near = rules.hex_ids(rules.grid.adjacent[rules.grid.index[guns.at]])
    why = [match.why_not({"do": "move", "unit": guns.id, "path": [there]}) for there in near]
    return all(one is not None and one.rule == "8.4" for one in why)


def with_guns_in_place() -> tuple[dict[str, Any], str]:
    """A position in which guns that are to act stand unlimbered, and where."""
    match, rng = Match.begin(fronte.ruleset("volturno", "short"), seed_bytes(1)), Random(1)
    while match.decision is not None:
        if match.decision.kind == "act":
            pieces = match.view(match.decision.seat).own()
            for piece in pieces:
                alone = [one.at for one in pieces].count(piece.at) == 1
                if alone and piece.id in match.offer["units"] and "batt" in piece.id and is_unlimbered(match, piece):
                    return match.rules.to_position(match.state), piece.at
        match.play(match.sample(rng))
    raise AssertionError("all guns are limbered")


def test_guns_in_place_say_why_they_cannot_move_and_ask_once(open_page: Opener, served: Served) -> None:
    start, where = with_guns_in_place()
    page = open_page(DESKTOP, begin(served, position=start), handover=False)
    expect(page.locator(".now.mine")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/why") else None)
    click_hex(page, where)
    expect(part(page, "stuck")).to_contain_text("unlimbered")
    page.wait_for_timeout(500)
    assert len(asked) <= 6  # one for each hex around


@pytest.mark.costly
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_who_may_react_is_asked_once_and_an_order_answers(
    open_page: Opener, served: Served, shots: Shots, size: Any
) -> None:
    page = open_page(size, begin(served, position=reacting()), handover=False)
    wait_asked(page, "who reacts?")
    expect(part(page, "do-hold")).to_be_visible()
    expect(page.locator("section.one")).not_to_have_count(0)
    shots(page, f"volturno-react-{size['width']}.png")
    part(page, "order-now-hold").click()
    expect(part(page, "what-now")).not_to_contain_text("who reacts?")


def test_overlays_are_laid_over_the_map(open_page: Opener, served: Served) -> None:
    lesson = read_lesson("volturno")
    page = open_page(DESKTOP, begin(served, position=lesson["position"]), handover=False, language="it")
    part(page, "layers").click()
    for name in ("zones", "sight", "reach"):
        part(page, f"layer-{name}").check()
    expect(page.locator(".zone")).not_to_have_count(0)
    page.locator("[data-unit=g-spangaro]").first.click()
    expect(page.locator("path.laid")).to_have_count(3)
    open_tab(page, "hex")
    expect(part(page, "piece-card")).to_contain_text("nel raggio di MEDICI")


def test_the_end_says_what_decided_the_day(open_page: Opener, served: Served) -> None:
    rules = fronte.ruleset("volturno", "short")
    places = {"g-medici": "3015", "g-milbitz": "2324", "n-tabacchi": "1421", "n-rivera": "1818", "n-tir": "1826"}
    units: dict[str, Any] = {"g-dunne": {"at": "2517", "marks": ["ooc"]}} | {
        name: {"at": hex} for name, hex in places.items()
    }
    start = {"turn": 8, "phase": "stragglers", "initiative": "napoletani"}
    state = rules.case_state(units, start)  # type: ignore[attr-defined]
    page = open_page(DESKTOP, begin(served, position=rules.to_position(state)), handover=False)
    wait_asked(page, "out of command")
    end_phase(page)
    day = part(page, "day")
    expect(day).to_contain_text("What decided the day")
    expect(day.locator("tr", has_text="1826 San Tammaro")).to_contain_text("Neapolitans")
    expect(day.locator("tr", has_text="2515 Sant’Angelo")).to_contain_text("nobody")
