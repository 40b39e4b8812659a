"""What is recorded of a game is what happened in it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from small_studies import finished

import fronte
from fronte.engine import flow
from fronte.engine.dice import outcomes
from fronte.study.record import play_game

GAMES = ["isonzo", "altipiani"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_record_agrees_with_the_match(game: str, seed: int) -> None:
    match = finished(game, seed)
    rules: Any = match.rules
    tables = play_game(rules, ("random", "random"), seed).tables
    (whole,), losses = tables["games"], tables["losses"]
    result = match.result
    assert result is not None
    assert (whole.level, whole.winner, whole.score) == (result.level, result.winner, result.score)
    assert whole.actions == len(match.entries)
    assert len(tables["combats"]) == sum(event.kind == "attacked" for event in match.events)
    back = {event.data["unit"] for event in match.events if event.kind == "returned"}
    for seat in rules.seats:
        for piece in match.view(seat).own():
            if piece.id not in back:
                lost = sum(loss.steps for loss in losses if loss.unit == piece.id)
                assert lost == rules.lost_steps(piece), piece
                gone = sum(loss.eliminated for loss in losses if loss.unit == piece.id)
                assert gone == (piece.at == "eliminated"), piece
        rows = [row for row in tables["turns"] if row.seat == seat]
        assert [row.turn for row in rows] == list(range(whole.first_turn, whole.last_turn + 1))
        assert sum(row.steps_lost for row in rows) == sum(loss.steps for loss in losses if loss.seat == seat)
        assert rows[-1].score == result.score
    held = set(match.view(rules.seats[0]).control[rules.seats[0]])
    last = [row for row in tables["turns"] if row.seat == rules.seats[0]][-1]
    assert last.hexes == len(held)
    assert last.objectives == sum(worth for name, worth in rules.setting.objectives.items() if name in held)


@pytest.mark.parametrize("game", GAMES)
def test_losses_of_combats_are_losses(game: str) -> None:
    tables = play_game(fronte.ruleset(game), ("random", "random"), 5).tables
    for combat in tables["combats"]:
        mine = [loss for loss in tables["losses"] if loss.combat == combat.combat]
        attack = [loss for loss in mine if loss.seat == combat.seat]
        defence = [loss for loss in mine if loss.seat != combat.seat]
        assert sum(loss.steps for loss in attack) == combat.attack_steps_lost
        assert sum(loss.steps for loss in defence) == combat.defence_steps_lost
        assert sum(loss.eliminated for loss in defence) == combat.defence_units_lost
        assert {loss.turn for loss in mine} <= {combat.turn}
        fought = combat.outcome == "fought"
        assert fought == (combat.crt is not None) == (combat.attack_loss_expected is not None)


def losses_of(rules: Any, state: Any, dice: tuple[int, ...]) -> dict[str, int]:
    """What both sides lose when these dice fall, retreats going by the best way and bridges left standing (9.4.1.d)."""
    events: list[Any] = []
    frame = state.frames.pop()
    rules.chances[frame.name].fall(rules, state, frame, dice, events)
    while True:
        flow.settle(rules, state, events)
        told = {event.data["side"]: event.data["reductions"] for event in events if event.kind == "losses"}
        if len(told) == 2:
            return told
        owed = state.frames[-1]
        answers = list(rules.choices[owed.name].legal(rules, state, owed))
        flow.act(rules, state, answers[-1] if owed.name == "demolition" else answers[0], events)


@pytest.mark.parametrize("game", GAMES)
def test_expectations_are_exact(game: str) -> None:
    """The expectation of a combat is the mean over all 216 throws, each played out by the rules themselves."""
    rules: Any = fronte.ruleset(game)
    rng = Random(11)
    checked = 0
    match = fronte.new(game, seed=11)
    while match.seat >= 0 and checked < 5:
        action = match.sample(rng)
        before = match.state.copy()
        flow.act(rules, before, action, [])
        if flow.waits_for_dice(before) and before.frames[-1].name == "combat_dice":
            total = {"attacker": 0, "defender": 0}
            for dice in outcomes(3):
                told = losses_of(rules, before.copy(), dice)
                for side in total:
                    total[side] += told[rules.seats[before.active if side == "attacker" else 1 - before.active]]
            forecast = rules.forecast(before)
            for side, seat in (("attacker", before.active), ("defender", 1 - before.active)):
                row = forecast.row("loss", rules.seats[seat])
                assert sum(k * ways for k, ways in enumerate(row.counts)) == total[side]
            checked += 1
        else:
            assert rules.forecast(match.state) is None
        match.play(action)
    assert checked == 5


@pytest.mark.costly
@pytest.mark.parametrize("game", GAMES)
def test_luck_evens_out(game: str) -> None:
    """Over many throws what is rolled stays near what is expected: within four standard errors."""
    gaps = []
    for seed in range(12):
        for combat in play_game(fronte.ruleset(game), ("random", "random"), seed).tables["combats"]:
            if combat.attack_loss is not None and combat.attack_loss_expected is not None:
                assert combat.defence_loss is not None and combat.defence_loss_expected is not None
                gaps.append(combat.attack_loss - combat.attack_loss_expected)
                gaps.append(combat.defence_loss - combat.defence_loss_expected)
    spread = (sum(gap * gap for gap in gaps) / len(gaps)) ** 0.5
    assert len(gaps) > 300
    assert abs(sum(gaps) / len(gaps)) < 4 * spread / len(gaps) ** 0.5
