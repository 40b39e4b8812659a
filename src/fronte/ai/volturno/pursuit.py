"""What is done in an activation by who is after one hex, for puzzles: guns fire at it, one unit attacks it from a
marker that points at it, and whoever can walks in when it is free. All else is left alone.

More than one combat has too many ways to be counted: after the first there is nothing more to do. Whoever attacks again
is given what that adds when it comes to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fronte.ai.volturno import decide
from fronte.ai.volturno.act import Activation
from fronte.ai.volturno.attack import Attack, attacks_of, fire_drm, judge
from fronte.ai.volturno.chart import Chart, Picture
from fronte.ai.volturno.odds import expected
from fronte.ai.volturno.weights import Weights
from fronte.engine.decision import Action
from fronte.games.volturno import acting, assault, declarations, fire
from fronte.games.volturno.acting import Move
from fronte.games.volturno.fog import MARKERS
from fronte.games.volturno.movement import CHARGE
from fronte.games.volturno.state import State, units_in

STRIKERS = 2
"""So many are tried for the assault from a marker."""
ATTACKS, LIKELY = 4, 0.25
"""So many attacks are thought of, and only those that seem so likely to win."""
AT_GUNS = 0.5
"""What a shot at guns is worth beside one at those who hold the hex."""


class Pursuit:
    """A seat that is after one hex, in a state that is left as it is."""

    def __init__(self, chart: Chart, state: State, side: int, weights: Weights, target: int) -> None:
        self.rules, self.state, self.target = chart.rules, state.copy(), target
        self.picture, self.weights = Picture(chart, self.state, side), weights

    def actions(self) -> list[Action]:
        """What is tried next for the hex; nothing if there is nothing more to do."""
        if self.state.frames[-1].name == "declare":
            return [self._declaration()]
        if not self.state.occ[1 - self.picture.side] >> self.target & 1:
            return self._entry()
        if self._has_fought():
            return []
        bound = acting.committed(self.rules, self.state)
        return (not bound and self._shot()) or self._assaults(bound)

    def ventures(self) -> Iterator[list[Action]]:
        """7.1: a marker for an attack on the hex, that first which seems likeliest to win it."""
        if self.state.frames[-1].name == "declare":
            for one in self._attacks()[:ATTACKS]:
                if one.win >= LIKELY:
                    yield [self._marker(one)]

    def _has_fought(self) -> bool:
        """Has somebody attacked the hex from a marker?"""
        done = [one for number, one in enumerate(self.state.markers) if self.state.fulfilled >> number & 1]
        return any(assault.target_of(self.rules, marker) == self.target for marker in done)

    # Markers

    def _attacks(self) -> list[Attack]:
        """All attacks on the hex for which a marker may be laid, the likeliest to win it first."""
        rules, state = self.rules, self.state
        units = [u for u in units_in(declarations.named_ones(rules, state)) if state.at[u] >= 0]
        able = [u for u in units if assault.can_assault(rules, u)]
        found = [one for u in able for one in attacks_of(self.picture, self.weights, u) if one.target == self.target]
        return sorted(found, key=lambda one: (-one.win, one.unit, one.at))

    def _marker(self, one: Attack) -> Action:
        ids = self.rules.grid.ids
        by = MARKERS[one.kind] if one.kind == CHARGE else ""
        return declarations.Declare(self.rules.ids[one.unit], ids[one.at], ids[one.target], by)

    def _declaration(self) -> Action:
        """4.B2.a: a marker for the likeliest attack of who is next to the hex, if none points there; then no more."""
        state = self.state
        if all(assault.target_of(self.rules, marker) != self.target for marker in state.markers):
            at_once = [one for one in self._attacks() if one.at == state.at[one.unit]]
            if at_once and declarations.markers_allowed(self.rules, state) > len(state.markers):
                return self._marker(at_once[0])
        return decide.close(self.picture.chart, state, self.picture.side, self.weights).action

    # Deeds

    def _movers(self) -> list[int]:
        rules, state = self.rules, self.state
        choice: Any = rules.choices["act"]
        able = choice.movers(rules, state, state.frames[-1])
        return [unit for unit in able if unit not in rules.leader_set and state.at[unit] >= 0]

    def _entry(self) -> list[Action]:
        """The hex is free: who comes there cheapest walks in, if nobody is there."""
        rules, state = self.rules, self.state
        if state.occ[self.picture.side] >> self.target & 1:
            return []
        choice: Any = rules.choices["act"]
        ways = [(unit, choice.ways(rules, state, unit).get(self.target)) for unit in self._movers()]
        found = sorted((way[0], unit, way[1]) for unit, way in ways if way is not None)
        return [Move(rules.ids[unit], rules.hex_ids(path)) for _, unit, path in found[:1]]

    def _shot(self) -> list[Action]:
        """9: the shot of the next gun that reaches the hex, at whom it hurts most."""
        rules, state = self.rules, self.state
        for unit in self._movers():
            if not rules.counters[unit].is_artillery or acting.bound_to_leave(rules, state, unit):
                continue
            shots = [one for one in fire.shots(rules, state, unit) if one.target == rules.grid.ids[self.target]]
            if shots:
                hurt = [self._hurt(unit, one.piece) for one in shots]
                return [shots[hurt.index(max(hurt))]]
        return []

    def _hurt(self, unit: int, piece: str) -> float:
        """Strength times levels that a shot takes."""
        target = fire.target_of(self.state, self.target, piece)
        counter = self.rules.counters[target]
        levels = expected(self.picture.chart.odds.fire(fire_drm(self.picture, unit, target)))
        return levels * counter.strength * (AT_GUNS if counter.is_artillery else 1.0)

    def _plan(self) -> Activation:
        """A plan to which something can be added."""
        return Activation(Picture(self.picture.chart, self.state.copy(), self.picture.side), self.weights)

    def _assaults(self, bound: bool) -> list[Action]:
        """10, 11: the first step of the likeliest attacks from the markers that point at the hex."""
        rules, state, plan = self.rules, self.state, self._plan()
        units = [u for u in self._movers() if assault.can_assault(rules, u)]
        found: list[Action] = []
        for number, marker in enumerate(state.markers):
            if assault.target_of(rules, marker) != self.target:
                continue
            if marker[0] == CHARGE:
                riding = self._plan()
                riding.charge(number, units, True)
                found += [answer.action for answer in riding.answers[:1]]
                continue
            at = marker[1]
            able = [u for u in units if (state.at[u] == at if bound else self._is_near(plan, u, at))]
            likely = [judge(self.picture, self.weights, u, at, self.target) for u in able]
            for one in sorted(likely, key=lambda one: (-one.win, one.unit))[:STRIKERS]:
                striking = self._plan()
                striking.strike(one)
                found += [answer.action for answer in striking.answers[:1]]
        return found

    def _is_near(self, plan: Activation, unit: int, at: int) -> bool:
        """Can it come to a marker?"""
        near = self.rules.grid.distance(self.state.at[unit], at) <= 2 * self.rules.counters[unit].ma
        return near and plan.comes_to(unit, at, self.target)
