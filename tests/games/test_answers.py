"""Odds of the answers in a combat: what the defender is told before he answers is what the engine then makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import fronte
from fronte.engine import flow
from fronte.engine.decision import CHANCE, Action
from fronte.engine.event import Event
from fronte.engine.sheet import Sheet
from fronte.games.inferno.procedure import Support, Terrain, Withhold
from fronte.games.inferno.retreats import Retreat
from fronte.games.isonzo.special import Accept, Refuse, stand_strength

GAMES = ("isonzo", "altipiani")


def asked(game: str, kinds: tuple[str, ...], most: int, seeds: range = range(4)) -> Iterator[fronte.Match]:
    """Random games at each question of these kinds, the first of them."""
    found = 0
    for seed in seeds:
        match, rng = fronte.new(game, scenario="historical", seed=seed), Random(seed)
        for _ in range(900):
            decision = match.decision
            if decision is None or found >= most:
                break
            if decision.kind in kinds:
                found += 1
                yield match
            match.play(attack_of(match, rng) or match.sample(rng))


def attack_of(match: fronte.Match, rng: Random) -> Any:
    """Something to attack with all who can, so that there are combats to speak of."""
    decision = match.decision
    if decision is None or decision.kind != "combat" or rng.random() < 0.1:
        return None
    for target, offer in match.offer["targets"].items():
        action = {"do": "attack", "target": target, "units": offer["first"], "guns": offer["guns"]}
        if offer["first"] and match.why_not(action) is None:
            return action
    return None


def after(match: fronte.Match, action: Action) -> tuple[Any, list[Event]]:
    """The state after an answer, with what the rules do by themselves; no dice are thrown."""
    rules, state, out = match.rules, match.state.copy(), []
    frame = state.frames[-1]
    rules.choices[frame.name].apply(rules, state, frame, action, out)
    flow.settle(rules, state, out)
    return state, out


def rows(sheet: Sheet | None) -> list[tuple[str, str, tuple[int, ...]]]:
    assert sheet is not None
    return [(row.who, row.what, row.counts) for row in sheet.rows]


@pytest.mark.parametrize("game", GAMES)
def test_guns_and_terrain_are_weighed_as_they_will_be(game: str) -> None:
    compared = 0
    for match in asked(game, ("support", "terrain"), 40):
        rules: Any = match.rules
        for action in list(match.legal())[:4]:
            assert isinstance(action, Support | Terrain)
            told = match.odds(action)
            state, _ = after(match, action)
            top = state.frames[-1]
            if top.name == "terrain":  # hex or hexside comes next: the one that leaves the attacker weaker is assumed
                both = [rules.sheet(state, Terrain(use), top.seat) for use in ("hex", "hexside")]
                assert rows(told) == rows(min(both, key=lambda one: one.data.get("attack", 0)))
                continue
            if top.seat != CHANCE:
                assert not told.of
                continue
            assert rows(told) == rows(rules.forecast(state))
            assert told.of == 216
            compared += 1
    assert compared > 10


def test_whom_one_leaves_out_is_weighed_as_it_will_be() -> None:
    start = {name: {"at": "eliminated"} for name in fronte.ruleset("isonzo", "historical").ids}  # type: ignore[attr-defined]
    placed = dict.fromkeys(("ah-lst-a", "ah-lst-b", "ah-lst-c"), "0910")
    placed |= {"it-caltanissetta": "0811", "it-alessandria": "0911"}
    rules: Any = fronte.ruleset("isonzo", "historical")
    state = rules.case_state(
        start | {name: {"at": at} for name, at in placed.items()},
        {"turn": 3, "active": "italian", "phase": "combat"},
    )
    match = fronte.position("isonzo", rules.to_position(state))
    match.play({"do": "attack", "target": "0910", "units": ["it-caltanissetta", "it-alessandria"]})
    assert match.decision is not None and match.decision.kind == "withhold"
    answers = [one for one in match.legal() if isinstance(one, Withhold)]
    assert len(answers) == 3
    for action in answers:
        told = match.odds(action)
        state, _ = after(match, action)
        while state.frames[-1].name == "terrain":
            rules.choices["terrain"].apply(rules, state, state.frames[-1], Terrain(told.data["terrain"]), [])
            flow.settle(rules, state, [])
        assert state.frames[-1].name == "combat_dice"
        assert rows(told) == rows(rules.forecast(state))
        assert told.unknown[0] == "own guns"


@pytest.mark.parametrize("game", GAMES)
def test_a_way_back_costs_what_it_says(game: str) -> None:
    compared = 0
    for match in asked(game, ("retreat",), 30):
        for action in list(match.legal())[:5]:
            assert isinstance(action, Retreat)
            told = match.odds(action)
            if not told.of:
                assert told.facts[0].key == "paid"
                continue
            who = told.rows[0].who
            _, out = after(match, action)
            lost = [event.data["reductions"] for event in out if event.kind == "losses" and event.data["side"] == who]
            if lost and not any(event.kind == "cannot_retreat" for event in out):
                assert told.rows[0].counts == (*(0,) * lost[0], 1, 0)
                compared += 1
    assert compared > 3


def test_holding_a_trench_is_told_exactly() -> None:
    compared = 0
    for match in asked("isonzo", ("refusal",), 12, range(12)):
        rules: Any = match.rules
        refuse, accept = match.odds(Refuse()), match.odds(Accept())
        battle = match.state.battle
        assert accept.rows[0].counts == (*(0,) * battle.defence_retreat, 1, 0)
        strengths = set()
        states = [after(match, Refuse())[0]]
        while states:
            state = states.pop()
            top = state.frames[-1]
            if top.name == "losses":
                for action in rules.choices["losses"].legal(rules, state, top):
                    twin = state.copy()
                    rules.choices["losses"].apply(rules, twin, top, action, [])
                    flow.settle(rules, twin, [])
                    states.append(twin)
                    if top.seat == state.active:
                        break  # how the attacker spreads his does not matter
            elif top.name == "refusal_die":
                strengths.add(stand_strength(rules, state))
        if not strengths:
            assert not refuse.of
            continue
        best = min(6, max(strengths))
        assert refuse.of == 6
        assert refuse.row("stands").counts == (6 - best, best)  # type: ignore[union-attr]
        assert ("how losses are spread" in refuse.unknown) == (len(strengths) > 1)
        compared += 1
    assert compared > 2


@pytest.mark.parametrize("game", GAMES)
def test_the_odds_of_an_answer_tell_nothing_hidden(game: str) -> None:
    for match in asked(game, ("support", "terrain", "withhold", "refusal", "retreat"), 30):
        rules: Any = match.rules
        decision = match.decision
        assert decision is not None
        seat = rules.seat_index(decision.seat)
        action = next(iter(match.legal()))
        twin = rules.shuffle_hidden(match.state, seat, Random(5))
        assert rules.sheet(twin, action, seat) == rules.sheet(match.state, action, seat)


@pytest.mark.parametrize("game", GAMES)
def test_whatever_counts_has_words(game: str) -> None:
    """7.8.b: only Isonzo asks whether hex or hexside counts; elsewhere nothing is said of it."""
    for match in asked(game, ("support", "terrain", "withhold", "refusal", "retreat"), 20):
        for told in map(match.odds, list(match.legal())[:2]):
            for language in ("en", "it"):
                texts: Any = match.rules.texts(language)
                assert all(texts.odds(fact.key, fact.data).strip() for fact in told.facts), told.facts


def test_the_arithmetic_adds_up() -> None:
    """8.1.b: what stands on each unit and what it comes to; the sums are those of the ratio."""
    seen = set()
    for match in asked("isonzo", ("support", "terrain"), 30):
        told = match.odds(next(iter(match.legal())))
        if not told.of:
            continue
        for key, total in (("attack_of", "attack"), ("defence_of", "defence")):
            facts = [fact.data for fact in told.facts if fact.key == key]
            assert sum(fact["n"] for fact in facts) == told.data[total]
            seen |= {fact.get("by", "") for fact in facts}
        texts: Any = match.rules.texts("en")
        words = [texts.odds(fact.key, fact.data) for fact in told.facts if fact.key == "attack_of"]
        assert all("=" in line and "{" not in line for line in words)
    assert {"", "great_river"} <= seen or {"", "uphill"} <= seen
