"""Caporetto at the table: from the start page into an action, fire and assaults with their panels, a crowded map."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from table import asked, click_hex, end_phase, findings, log_of, open_tab, part, wait_asked
from visitors import DESKTOP, PHONE, Opener, Served, Shots

import fronte
from fronte.engine.dice import seed_bytes
from fronte.engine.match import Match

UPRIGHT = {"width": 390, "height": 844}


def begin(served: Served, scenario: str = "maggiore", **more: Any) -> dict[str, Any]:
    seats = dict.fromkeys(fronte.ruleset("caporetto", scenario).seats, "human")
    opened: dict[str, Any] = served.post(
        "/api/matches", {"game": "caporetto", "scenario": scenario, "seed": 2, "seats": seats} | more
    )
    return opened


def position(wanted: Callable[[Match], bool], scenario: str = "maggiore", assaults: bool = False) -> dict[str, Any]:
    """The first position of games by chance in which this is asked; `assaults`: who can assault does."""
    for seed in range(40):
        match, rng = Match.begin(fronte.ruleset("caporetto", scenario), seed_bytes(seed)), Random(seed)
        while match.result is None:
            if wanted(match):
                return match.rules.to_position(match.state)
            acts = assaults and match.decision is not None and match.decision.kind == "act"
            listed = [one for one in match.offer["actions"] if one["do"] == "assault"] if acts else []
            match.play(rng.choice(listed) if listed else match.sample(rng))
    raise AssertionError("that is never asked")


def asks(kind: str, least: int = 1) -> Callable[[Match], bool]:
    """Is this asked, with so many answers or more?"""

    def found(match: Match) -> bool:
        return match.decision is not None and match.decision.kind == kind and len(match.offer["actions"]) >= least

    return found


ANSWERS = ("plan-send", "aim-send", "confirm")


def answer_until(page: Page, name: str) -> None:
    """Give the plainest answer to whatever is asked until this is on the page."""
    for _ in range(12):
        page.wait_for_selector(", ".join(f"[data-testid={one}]" for one in (name, *ANSWERS)))
        if part(page, name).first.is_visible():
            return
        before = asked(page)
        if part(page, "plan-send").is_visible():
            plan_all(page)
        else:
            part(page, next(one for one in ANSWERS if part(page, one).is_visible())).click()
        expect(part(page, "what-now")).not_to_have_text(before)
    raise AssertionError(asked(page))


def plan_all(page: Page) -> None:
    part(page, "plan-all").click()
    part(page, "plan-send").click()


def test_a_turn_is_begun_by_clicks_from_the_start_page(open_page: Opener, shots: Shots) -> None:
    page = open_page(DESKTOP, handover=False)
    part(page, "game-caporetto").locator("..").click(timeout=60_000)  # the first visitor waits for all games
    part(page, "scenario").select_option(label="Monte Maggiore")
    for seat in ("ahg", "italian"):
        part(page, f"seat-{seat}").select_option("human")
    part(page, "begin").click()
    wait_asked(page, "which formations are to act?")
    expect(part(page, "rail")).to_contain_text("2/13 Command")
    if "Italians" not in part(page, "what-now").inner_text():
        plan_all(page)
    wait_asked(page, "the Italians")
    sheet = part(page, "plan-sheet")
    expect(part(page, "plan-points")).to_contain_text("5 logistic points left")
    for formation in ("it-friuli", "it-potenza"):
        part(page, f"box-{formation}-15").click()
    expect(part(page, "plan-short")).to_contain_text("3 points are missing")
    expect(part(page, "plan-send")).to_be_disabled()
    shots(page, "caporetto-plan.png")
    part(page, "box-it-potenza-15").click()
    expect(part(page, "plan-points")).to_contain_text("1 logistic point left")
    expect(sheet.locator("tr.on")).to_have_count(1)
    part(page, "plan-send").click()
    answer_until(page, "do-activate")
    expect(part(page, "rail").locator(".steps .now")).to_have_text("•")
    part(page, "formation-ah-ksch1").click()
    expect(page.locator("svg.play .picked")).not_to_have_count(0)
    page.locator("li", has=part(page, "formation-ah-ksch1")).get_by_test_id("do-activate").click()
    wait_asked(page, "Where is the headquarters")
    expect(part(page, "hq-send")).to_contain_text("commanding 5")
    part(page, "hq-send").click()
    answer_until(page, "next-unit")
    expect(part(page, "rail").locator(".steps .now")).to_have_text("A")
    part(page, "next-unit").click()
    part(page, "move-to").select_option(index=1)
    part(page, "move-go").click()
    part(page, "end").click()
    sure = page.get_by_role("alertdialog", name="Nothing more?")  # the step is over, and not the phase
    expect(sure).to_contain_text("could still move")
    sure.get_by_role("button", name="Go back").click()
    expect(log_of(page).get_by_text("Kaiserschützen Regiment I acts").first).to_be_visible()


def still(page: Page, name: str) -> None:
    """Choose who is still to act, or who goes along, by the name on his card."""
    exactly = page.locator(".name", has_text=re.compile(f"^{re.escape(name)}$"))
    page.locator("button", has=exactly).first.click()


def test_the_lesson_ends_with_a_plan_after_a_whole_action(open_page: Opener, shots: Shots) -> None:
    page = open_page(DESKTOP, handover=False)
    part(page, "course").locator("summary").click(timeout=60_000)  # the first visitor waits for all games to be read
    part(page, "lesson-caporetto-first").click()
    page.get_by_role("button", name="Next", exact=True).click()
    page.locator("li", has=part(page, "formation-de-leib")).get_by_test_id("do-react").click()
    part(page, "hq-send").click()
    wait_asked(page, "who moves")
    still(page, "I/Leib")
    expect(page.locator("path.rim")).not_to_have_count(0)  # as far as the headquarters reaches
    still(page, "II/Leib")
    part(page, "move-to").select_option("2407")
    part(page, "move-go").click()
    expect(part(page, "lesson")).to_contain_text("The Germans can")
    still(page, "III/Leib")
    part(page, "move-to").select_option("2307")
    part(page, "move-go").click()
    expect(part(page, "lesson")).to_contain_text("disorganisation")
    still(page, "I/Leib")
    still(page, "II/Leib")
    assault = page.get_by_role("button", name="Assault on 2406 by I/Leib and II/Leib ·")
    assault.click()
    expect(assault).to_have_count(0)  # the next question has come
    still(page, "III/Leib")
    click_hex(page, "2406")  # an enemy that is clicked is no place to go to, but one to assault
    expect(part(page, "refusal")).to_have_count(0)
    menu = part(page, "hand-menu")
    menu.get_by_role("menuitem", name="Assault on 2406 by III/Leib", exact=True).click()
    expect(page.get_by_role("button", name="Assault on 2406 by III/Leib ·")).to_have_count(0)
    expect(page.locator("g.sign.assault")).not_to_have_count(0)
    shots(page, "caporetto-lesson.png")
    page.wait_for_selector("[data-testid=end], [data-testid=target-2406]")
    if part(page, "end").is_visible():  # else nobody could do anything more
        end_phase(page)
    part(page, "target-2406").click()
    part(page, "aim-all").click()
    part(page, "aim-send").click()
    part(page, "do-wave").click()
    wait_asked(page, "which formation acts?")
    part(page, "do-pass").click()
    answers = ("plan-send", "confirm", "end")
    while True:
        page.wait_for_selector(", ".join(f"[data-testid={one}]" for one in answers))
        if part(page, "plan-send").is_visible():
            break
        before = asked(page)
        if part(page, "end").is_visible():
            end_phase(page)
        else:
            part(page, "confirm").click()
        expect(part(page, "what-now")).not_to_have_text(before)
    plan_all(page)
    expect(part(page, "lesson-home")).to_be_visible()


def is_reached_twice(match: Match) -> bool:
    """May a unit come by one and the same way to counter-assaults of two hexes, or in two manners?"""
    if match.decision is None or match.decision.kind != "counter_moves":
        return False
    counters = [one for one in match.offer["actions"] if one["do"] == "counter" and one.get("path")]
    ways = [(tuple(one["units"]), tuple(one["path"])) for one in counters]
    return len(set(ways)) < len(ways)


def test_who_counter_assaults_is_chosen_though_two_ways_are_alike(open_page: Opener, served: Served) -> None:
    page = open_page(DESKTOP, begin(served, position=position(is_reached_twice, assaults=True)), handover=False)
    wait_asked(page, "ounter-assaults of")
    for unit in page.locator(".acting section > button:first-child").all():
        unit.click()
        expect(page.locator(".acting section.open")).to_have_count(1)
        expect(part(page, "do-counter").first).to_be_visible()


@pytest.mark.costly
@pytest.mark.parametrize("size", [DESKTOP, UPRIGHT], ids=["desktop", "phone"])
def test_who_defends_fires_sensibly_unless_told_otherwise(
    open_page: Opener, served: Served, shots: Shots, size: Any
) -> None:
    page = open_page(size, begin(served, position=position(asks("defend", 4))), handover=False)
    wait_asked(page, "Defensive fire")
    expect(part(page, "aim-send")).to_contain_text("Fire:")
    shots(page, f"caporetto-defend-{size['width']}.png")
    target = page.locator("[data-testid^=target-]").first
    target.click()
    sums = page.locator("li.open .sum")
    before = sums.inner_text()
    expect(page.locator("li.open")).to_contain_text("disorganised")
    name = page.locator("li.open .chip.pressed .text .name").first.inner_text()
    firer = page.locator("li.open .chip", has=page.locator(".text .name", has_text=re.compile(f"^{re.escape(name)}$")))
    firer.click()
    expect(sums).not_to_have_text(before)
    firer.click()
    expect(sums).to_have_text(before)
    part(page, "aim-none").click()
    expect(part(page, "aim-send")).to_have_text("Nobody fires")
    part(page, "aim-all").click()
    part(page, "aim-send").click()
    expect(part(page, "what-now")).not_to_contain_text("Defensive fire: who")


def test_the_strongest_wave_is_chosen_and_another_can_be(open_page: Opener, served: Served, shots: Shots) -> None:
    page = open_page(DESKTOP, begin(served, position=position(asks("wave", 4))), handover=False)
    wait_asked(page, "who goes together")
    expect(part(page, "rail").locator(".steps .now")).to_have_text(
        re.compile("^[DG]")
    )  # an assault or a counter-assault
    chosen = page.locator(".chips .chip.pressed")
    expect(chosen).not_to_have_count(1)
    expect(page.locator("path.blow")).not_to_have_count(0)
    shots(page, "caporetto-wave.png")
    before = part(page, "wave-sum").inner_text()
    chosen.first.click()
    expect(part(page, "wave-sum")).not_to_have_text(before)
    part(page, "do-wave").click()
    expect(part(page, "what-now")).not_to_contain_text("who goes together")


def test_a_crowded_map_has_badges_and_a_box_to_find_units(open_page: Opener, served: Served, shots: Shots) -> None:
    seen = fronte.new("caporetto", "historical", seed=2).view("left").pieces
    formation = next(str(piece.values["formation"]) for piece in seen if piece.mine and "formation" in piece.values)
    there = [piece for piece in seen if piece.id and piece.at.isdigit() and piece.values.get("formation") == formation]
    page = open_page(DESKTOP, begin(served, "historical"), handover=False, language="it")
    expect(page.locator("svg.play .many")).not_to_have_count(0, timeout=30_000)
    part(page, "find-open").click()
    part(page, "find").fill(f"formation:{formation} ")
    expect(part(page, "found")).to_contain_text(f"{len(there)} trovate")
    part(page, "find").press("Enter")
    expect(page.locator("svg.play .able").first).to_be_visible()
    shots(page, "caporetto-find.png")
    part(page, "find").press("Escape")
    expect(part(page, "find")).to_have_count(0)
    part(page, "layers").click()
    for name in ("weather", "observation", "zones"):
        part(page, f"layer-{name}").check()
    expect(part(page, "legend")).to_contain_text("nebbia")
    expect(page.locator("path.laid.observed")).to_have_count(2)


def test_the_end_says_of_what_the_points_are_made(open_page: Opener, served: Served, shots: Shots) -> None:
    def is_last(match: Match) -> bool:
        copy = fronte.position("caporetto", match.rules.to_position(match.state), scenario="maggiore", seed=1)
        if match.decision is None or match.decision.kind != "recover" or match.state.turn != 8:
            return False
        copy.play(match.offer["actions"][0])
        return copy.result is not None

    found = position(lambda match: match.state.turn == 8 and is_last(match))
    page = open_page(PHONE, begin(served, position=found), handover=False)
    wait_asked(page, "recover")
    expect(part(page, "state")).to_contain_text("Recovery")
    expect(part(page, "rail")).to_contain_text("12/13 Recovery")
    shots(page, "caporetto-recovery.png")
    part(page, "confirm").click()
    account = part(page, "account")
    expect(account).to_contain_text("What decided the game")
    expect(account.locator("tr", has_text="4207 Cernavoda")).to_contain_text("1")


def test_odds_that_come_after_the_answer_are_no_fault(open_page: Opener, served: Served) -> None:
    """They are asked for while somebody chooses; whoever has chosen is not told that what he did not is illegal."""
    page = open_page(DESKTOP, begin(served, position=position(asks("retreat_to", 2), assaults=True)), handover=False)
    expect(part(page, "chance")).not_to_have_count(0)
    held: list[Route] = []
    page.route("**/odds**", lambda route: held.append(route))
    page.reload()
    answer = part(page, "do-retreat").first
    expect(answer).to_be_visible()
    for _ in range(50):
        page.wait_for_timeout(100)
        if held:
            break
    late = list(held)
    assert late
    before = asked(page)
    answer.click()
    expect(part(page, "what-now")).not_to_have_text(before)
    for route in late:
        assert route.fetch().ok, route.request.url
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.parametrize("size", [DESKTOP, UPRIGHT], ids=["desktop", "phone"])
def test_the_tables_are_charts_in_the_words_of_the_game(open_page: Opener, served: Served, size: Any) -> None:
    page = open_page(size, begin(served), handover=False, language="it")
    open_tab(page, "tables")
    fire = part(page, "chart-fire")
    expect(fire.locator("tr", has=page.get_by_role("rowheader", name="6", exact=True))).to_contain_text("D3/2 T")
    expect(part(page, "chart-terrain")).to_contain_text("Alta Montagna")
    panel = page.locator("#panel-other").inner_text()
    assert "_" not in panel and "high mountain" not in panel and "guns each" not in panel
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "a wide table scrolls by itself"


def test_a_gun_dropped_out_of_range_says_so(open_page: Opener, served: Served) -> None:
    guns: list[str] = []

    def shows(match: Match) -> bool:
        if asks("interdict")(match):
            guns.extend(gun for aim in match.offer["targets"].values() for gun in aim.get("factors", ()))
        return bool(guns)

    page = open_page(DESKTOP, begin(served, position=position(shows)), handover=False)
    expect(part(page, "aim-pick")).to_be_visible()
    box = page.locator(f"svg.play [data-unit={guns[0]}]").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    far = part(page, "map").bounding_box()
    assert far is not None
    page.mouse.move(far["x"] + far["width"] / 2, far["y"] + 60, steps=6)
    page.mouse.up()
    expect(part(page, "refusal")).to_contain_text("range")


def test_the_drawer_is_read_in_the_dark_and_layers_lie_over_the_small_map(open_page: Opener, served: Served) -> None:
    opened = begin(served, position=position(asks("gun_modes")))
    page = open_page(DESKTOP, opened, handover=False, theme="dark")
    expect(part(page, "drawer")).to_be_visible()
    assert not findings(page, "[data-testid=drawer]")
    page.set_viewport_size(PHONE)
    part(page, "layers").click()
    box = part(page, "layer-ahead").bounding_box()
    assert box is not None
    assert page.evaluate("([x, y]) => !document.elementFromPoint(x, y).closest('.mini')", [box["x"] + 8, box["y"] + 8])
