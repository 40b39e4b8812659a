"""Luck: the steps that the dice of fire and of assaults can cost each seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fronte.engine.dice import outcomes
from fronte.engine.rules import Weighing
from fronte.games.caporetto import assault, fire, forecasts, losses, odds, seating, sightings, volleys
from fronte.games.caporetto.state import State

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto


def weigh(rules: Caporetto, state: State) -> Weighing | None:
    """12.1.5.D, 12.2.10, 12.3.3.D: steps lost by each way the dice can fall; None if the throw costs none, and where
    units are covered (22). A star brings points alone (12.1.5)."""
    frame = state.frames[-1] if state.frames else None
    if frame is None or sightings.is_foggy(rules):
        return None
    if frame.name == "volley_die":
        made = volleys.volley_of(rules, state, frame.args)
        room, loser = _room(rules, state, made.targets), volleys.owner(rules, state, made.targets)
        lost = [min(fire.result(rules, made, *dice).steps, room) for dice in outcomes(1)]
        return _weighing(rules, state, 1 - loser, made.hex, [(0, steps) for steps in lost])
    found = forecasts.foresee(rules, state, frame)
    if found is None or not found.fight.dice:
        return None
    clash, fight, _ = found
    side, table = rules.side[clash.wave[0]], rules.tables.assault
    defending = assault.defenders(rules, state, clash.hex, 1 - side)
    room, theirs = _room(rules, state, clash.wave), _room(rules, state, defending)
    pairs = []
    for dice in outcomes(fight.dice):
        die = odds.best_die(rules, state, fight, defending, dice) if len(dice) > 1 else dice[0]
        mine, yours = table.result(fight.column, die)
        pairs.append((min(mine.steps, room), min(yours.steps, theirs)))
    own = side == rules.scene.force_side[state.active]
    seat = seating.active_seat(rules, state) if own else seating.other_seat(rules, state)
    return _weighing(rules, state, seat, clash.hex, pairs)


def _room(rules: Caporetto, state: State, units: Iterable[int]) -> int:
    """16.1: all steps that these can lose."""
    return sum(losses.steps_left(rules, state, unit) for unit in units)


def _weighing(rules: Caporetto, state: State, seat: int, h: int, pairs: Sequence[tuple[int, int]]) -> Weighing:
    """Of pairs of what a seat and what the other loses."""
    told = tuple([pair if seat == 0 else (pair[1], pair[0]) for pair in pairs])
    return Weighing(state.turn, rules.hex_id(h), seat, told)
