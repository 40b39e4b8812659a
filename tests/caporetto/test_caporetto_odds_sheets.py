"""Odds before one commits (12.1, 12.2, 12.3, 10.1.2, 14): sheets agree with what every fall of the dice brings."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

import fronte
from fronte.ai import Seat, player
from fronte.casebook import Case, CaseFile, begin
from fronte.engine import flow
from fronte.engine.decision import IllegalAction
from fronte.engine.dice import outcomes
from fronte.engine.sheet import Fact, Sheet
from fronte.engine.text import LANGUAGES


def decisions(scenario: str, seeds: range, options: dict[str, str] | None = None) -> Any:
    """Random games, at each decision with the action that is drawn."""
    for seed in seeds:
        match, rng = fronte.new("caporetto", scenario, seed, options), Random(seed)
        while match.seat >= 0:
            action = match.sample(rng)
            yield match, action
            match.play(action)


def test_what_throws_dice_has_a_sheet_in_words_and_what_does_not_is_refused() -> None:
    told: Counter[str] = Counter()
    for match, action in decisions("maggiore", range(20)):
        if set(told) >= {"assault", "bombard", "defend", "react", "wave", "stand"}:
            break
        tag = str(action.__struct_config__.tag)
        assert match.decision is not None
        if tag not in match.decision.odds:
            if told[f"not {tag}"] < 3:
                with pytest.raises(IllegalAction):
                    match.odds(action)
            told[f"not {tag}"] += 1
            continue
        sheet = match.odds(action)
        assert sheet.facts
        for row in sheet.rows:
            assert sum(row.counts) == sheet.of and row.who in match.rules.setting.forces
        for language in LANGUAGES:
            texts = match.rules.texts(language)
            for key, data in [(sheet.heading, {}), *((f.key, f.data) for f in sheet.facts)]:
                assert key in texts.tables["odds"] and texts.odds(key, data)
            assert all(texts.odds(row.what, {}) for row in sheet.rows)
        told[tag] += 1
    else:
        raise AssertionError(told)


def tiny(
    units: dict[str, Any],
    start: dict[str, Any],
    board: dict[str, Any] | None = None,
    options: dict[str, str] | None = None,
) -> fronte.Match:
    """A match on a tiny board."""
    case = Case("", units, {"span": "2001-2808", **(board or {})}, start=start, options=options or {})
    return begin(CaseFile("", "caporetto", (case,)), case)


def facts(sheet: Sheet) -> dict[str, Fact]:
    return {fact.key: fact for fact in sheet.facts}


def test_the_sheet_of_an_assault_tells_strengths_as_they_are_and_their_ratio() -> None:
    """12.3.3.A, 12.3.3.B: eight against three is eight to three, and counts as 2.5 to 1."""
    units = {
        "ah-a": {"at": "2404", "cf": 8, "ma": 6},
        "it-x": {"at": "2403", "cf": 3},
        "it-y": {"at": "2401", "cf": 3},
    }
    match = tiny(units, {"step": "move", "formations": ["ah-alfa"]})
    fact = facts(match.odds("assault ah-a 2403"))["strength"]
    assert (fact.data, fact.effect) == ({"attack": 8, "defence": 3}, "2.5:1")


def losses_by_die(match: fronte.Match) -> Counter[int]:
    """The steps and points that the events of every way of the throw on top tell."""
    found: Counter[int] = Counter()
    dice = match.rules.chances[match.state.frames[-1].name].dice
    for fall in outcomes(dice if isinstance(dice, int) else 1):
        state, out = match.state.copy(), []
        flow.fall(match.rules, state, fall, out)
        found[next((event.data["steps"] for event in out if event.kind == "fired"), 0)] += 1
    return found


def test_the_forecast_of_a_fire_is_what_its_die_brings() -> None:
    """12.1.5, 12.2.10: the steps; a star, which is thrown again, brings none."""
    compared = 0
    for match, action in decisions("cividale", range(6)):
        state = match.state.copy()
        flow.act(match.rules, state, action, [])
        if not flow.waits_for_dice(state) or state.frames[-1].name != "volley_die":
            continue
        sheet = match.rules.forecast(state)
        weighed = match.rules.weigh(state)
        assert sheet is not None and weighed is not None
        row = sheet.row("steps")
        assert row is not None and sheet.of == 6
        found = losses_by_die(fronte.Match(match.rules, state, []))
        assert {n: ways for n, ways in enumerate(row.counts) if ways} == dict(found)
        assert len(weighed.losses) == 6
        compared += 1
    assert compared > 10


def test_several_targets_are_counted_together() -> None:
    """12.1.3: the steps of all targets of one answer, over all dice."""
    seen = 0
    for match, action in decisions("what_if", range(2)):
        if str(action.__struct_config__.tag) != "bombard":
            continue
        targets = sorted({told.partition(":")[0] for _, told in action.aims})
        if len(targets) != 2 or len({name for name, _ in action.aims}) < len(action.aims):
            continue  # 18.9: a group that fires at one target alone gives it all
        both, each = match.odds(action), []
        for target in targets:
            pairs = tuple(pair for pair in action.aims if pair[1].partition(":")[0] == target)
            if match.why_not(type(action)(pairs)) is None:
                each.append(match.odds(type(action)(pairs)))
        if len(each) == 2:
            means = [sheet.row("steps").mean for sheet in (both, *each)]
            assert both.of == 36 * 36 and means[0] == pytest.approx(sum(means[1:]))
            seen += 1
    assert seen


@pytest.mark.parametrize("fog", ["off", "on"])
def test_a_sheet_depends_on_nothing_covered(fog: str) -> None:
    """22: states that a seat cannot tell apart have the same sheets."""
    rng, compared = Random(4), 0
    for match, action in decisions("cividale", range(2), {"fog_of_war": fog}):
        if str(action.__struct_config__.tag) in (match.decision.odds if match.decision else ()):
            twin = match.rules.shuffle_hidden(match.state, match.seat, rng)
            assert match.rules.sheet(twin, action, match.seat) == match.odds(action), action
            compared += 1
    assert compared > 20


# Single dice, and what is laid before anybody comes


def commanded(match: fronte.Match, state: Any) -> Counter[int]:
    """7.1, 7.7: by number of units in command, in how many of so many ways of all dice that fall."""
    found: Counter[int] = Counter()
    waiting = [(state, 6**7)]
    while waiting:
        now, ways = waiting.pop()
        if not flow.waits_for_dice(now):
            found[now.commanded.bit_count()] += ways
            continue
        for fall in outcomes(1):
            twin = now.copy()
            flow.fall(match.rules, twin, fall, [])
            waiting.append((twin, ways // 6))
    return found


@pytest.mark.parametrize("option", ["per-hex", "per-unit"])
def test_before_a_headquarters_is_placed_one_knows_whom_dice_may_bring_into_command(option: str) -> None:
    """7.1: over all dice that would be thrown, the next by how the last fell."""
    road = {"2411/2412": {"road": True}, "2410/2411": {"road": True}}
    board = {"span": "2401-2512", "hex": {"2412": {"flag": "italian"}}, "side": road}
    units = {
        "it-a": {"at": "2410"},
        "it-b": {"at": "2404"},
        "it-c": {"at": "2403"},
        "ah-x": {"at": "2506"},
        "it-alfa-hq": {"class": "hq", "formation": "it-alfa", "command": 6},
    }
    start = {"step": "activate", "active": "italian", "plan": {"it-alfa": 0}}
    match = tiny(units, start, board, {"command_zoc_roll": option})
    match.play("activate it-alfa")
    several = 0
    for action in match.legal():
        sheet, state = match.odds(action), match.state.copy()
        flow.act(match.rules, state, action, [])
        found = commanded(match, state)
        row = sheet.row("commanded")
        if row is None:
            assert len(found) == 1 and sheet.of == 0
            assert facts(sheet)["in_range"].data["n"] in found
            continue
        shares = {n: ways * 6**7 // sheet.of for n, ways in enumerate(row.counts) if ways}
        assert shares == dict(found)
        several += len(shares) > 1
    assert several


def test_a_charge_and_a_reaction_have_the_odds_of_their_die() -> None:
    """19.2: four ways of six; 14: as many as the Initiative Value."""
    bridge = {"side": {"2404/2405": {"road": True, "water": "river", "bridge": "bridge"}}}
    units = {"it-p": {"at": "2404", "class": "iP"}, "ah-x": {"at": "2001"}}
    match = tiny(units, {"phase": "engineering"}, bridge)
    row = match.odds("blow 2404/2405 by it-p").row("blown", "italian")
    assert row is not None and row.counts == (2, 4)
    state = match.state.copy()
    flow.act(match.rules, state, match.read("blow 2404/2405 by it-p"), [])
    sheet = match.rules.forecast(state)
    assert sheet is not None and sheet.rows[0].counts == (2, 4)


def test_a_barrage_is_weighed_for_who_is_there_or_may_come() -> None:
    """12.1.6: at half its strength, for each unit by dice of its own."""
    units = {
        "ah-g": {"at": "2404", "class": "light", "factor": 16},
        "ah-a": {"at": "2404"},
        "it-x": {"at": "2402"},
        "it-y": {"at": "2402"},
    }
    match = tiny(units, {"phase": "artillery"})
    while match.decision is not None and match.decision.kind != "interdict":
        match.play("keep")
    there, alone = match.odds("interdict ah-g=2402"), match.odds("interdict ah-g=2403")
    assert {fact.effect for fact in there.facts} == {facts(alone)["target"].effect} == {"6-8"}
    both, one = there.row("steps", "italian"), alone.row("steps", "italian")
    assert both is not None and one is not None
    assert (there.of, alone.of) == (36 * 36, 36) and both.mean == pytest.approx(2 * one.mean)


def test_which_hex_is_assaulted_next_is_told_with_the_odds_of_its_wave() -> None:
    """12.3.2: as strong a wave as may be, which is the one that is offered then."""
    match, same = fronte.new("caporetto", "maggiore", 5, {"open_counters": "true"}), 0
    hands = [player("steady", name, game="caporetto") for name in match.rules.seats]
    seats = [Seat(match, name) for name in match.rules.seats]
    while match.decision is not None and same < 6:
        for answer in match.legal() if match.decision.kind == "next_assault" else ():
            after = match.copy()
            after.play(answer)
            here = after.state.frames[-1].args[:1] == (match.rules.grid.index[answer.hex],)
            if here and after.decision is not None and after.decision.kind == "wave":
                told, then = match.odds(answer), after.odds(after.offer["best"])
                assert told.facts == then.facts and told.rows == then.rows
                same += 1
        match.play(hands[match.seat](seats[match.seat]))
    assert same == 6
