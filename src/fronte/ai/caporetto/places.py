"""How likely it is that a place of the short scenarios belongs to the AHG in the end, by who can be there and when.

The terms are worth what self-play has shown them to be worth (`data/value.toml`, made by `fronte tune value`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from math import exp, log1p
from pathlib import Path

import msgspec

from fronte.ai.caporetto.chart import TURN, Chart
from fronte.games.caporetto import losses, trenches, victory
from fronte.games.caporetto.seating import foe
from fronte.games.caporetto.state import State
from fronte.hexes import bits

FILE = Path(__file__).parent / "data" / "value.toml"
TERMS = ("one", "left", "late", "spare", "spare_left", "fresh", "spent", "foes", "foes_spent", "inside", "own")
"""By place: whether there is another turn, and whether the actions of this one are over; by how much the AHG comes in
time, with all that bars the way, and the same if there is another turn; the strength of the AHG around, of those who
have acted apart from the others; that of the Italians, likewise; who stands in it, with what shelters him; and who of
the AHG does. Of strengths the logarithm counts."""
HALF = TURN / 2
"""So many quarters away a unit counts for half."""
LEAST = 0.02
"""What counts for less than that is not near."""
MOST_SPARE = 1.5
"""Turns beyond which it does not matter any more how much too early or too late one comes."""
SHELTER = 0.3
"""What a column of ground or trench adds to who stands there."""
HELD = 0.2
"""A place that is held counts for a little more at least than one that is to be taken where all else is the same."""
BEFORE = ("setup", "reinforcement", "command", "engineering", "artillery", "action")
"""The phases in which this turn's actions are still to come."""


class Worth(msgspec.Struct, frozen=True):
    """What the terms are worth for a place that is to be taken, and for one that is to be kept; and what is known of
    each place besides."""

    scenario: str
    taken: dict[str, float]
    kept: dict[str, float]
    places: dict[str, float]


@cache
def worth_of(scenario: str) -> Worth | None:
    """The worth of the terms in a scenario; None if it has not been found out."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return msgspec.convert(tables[scenario], Worth) if scenario in tables else None


def shares(chart: Chart, goal: int) -> dict[int, float]:
    """By hex how much a unit counts that is there, for a place."""
    found = chart.shares.get(goal)
    if found is None:
        ways = chart.ways_to(goal)
        found = {h: 0.5 ** (far / HALF) for h, far in enumerate(ways) if 0.5 ** (far / HALF) >= LEAST}
        chart.shares[goal] = found
    return found


Strengths = tuple[dict[int, int], dict[int, int], dict[int, int], dict[int, int]]


def strengths(chart: Chart, state: State, force: int) -> Strengths:
    """By hex the factors of the AHG who have not acted and of those who have; and of the Italians, likewise."""
    rules, found = chart.rules, (dict[int, int](), dict[int, int](), dict[int, int](), dict[int, int]())
    for number, one in enumerate((force, foe(rules, force))):
        for unit in bits(rules.of_force[one] & rules.combat):
            h = state.at[unit]
            if h >= 0:
                formation = rules.formation_of[unit]
                acted = state.activated >> unit & 1 or (formation >= 0 and state.done >> formation & 1)
                where = found[2 * number + bool(acted)]
                where[h] = where.get(h, 0) + losses.strength(rules, state, unit)
    return found


def terms(chart: Chart, state: State, force: int, due: Sequence[float], around: Strengths, goal: int) -> list[float]:
    """The terms of a place, in the order of `TERMS`."""
    left = max(0, chart.rules.scene.last_turn - state.turn)
    late = state.phase not in BEFORE
    spare = max(-MOST_SPARE, min(MOST_SPARE, (left + 1) - due[goal] / TURN))
    near = shares(chart, goal)
    fresh, spent, foes, foes_spent = (
        log1p(sum([near[h] * strong for h, strong in where.items() if h in near])) for where in around
    )
    inside = float(around[2].get(goal, 0) + around[3].get(goal, 0))
    if inside:
        side = 1 - chart.sides[force]
        inside *= 1.0 + SHELTER * (chart.cover[goal] + trenches.level(chart.rules, state, goal, side))
    own = around[0].get(goal, 0) + around[1].get(goal, 0)
    soon = 1.0 if left else 0.0
    return [1.0, soon, float(late), spare, spare * soon, fresh, spent, foes, foes_spent, log1p(inside), log1p(own)]


def chance(lean: float) -> float:
    """The chance that goes with a sum of terms."""
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, lean))))


def expected(chart: Chart, state: State, force: int, due: Sequence[float], worth: Worth) -> float:
    """The points that a force of the AHG may expect."""
    rules, total = chart.rules, 0.0
    around = strengths(chart, state, force)
    for goal, points in rules.scene.objectives.items():
        found = terms(chart, state, force, due, around, goal)
        total += points * promise(chart, state, force, worth, goal, found)
    return total


def promise(chart: Chart, state: State, force: int, worth: Worth, goal: int, found: Sequence[float]) -> float:
    """The chance that a place with these terms belongs to a force of the AHG in the end."""
    lean = _sum(worth.taken, found)
    if state.control[force] >> goal & 1:
        lean = max(_sum(worth.kept, found), lean + HELD)
    return chance(lean + worth.places.get(chart.rules.grid.ids[goal], 0.0))


def _sum(table: dict[str, float], found: Sequence[float]) -> float:
    return sum([table[name] * x for name, x in zip(TERMS, found, strict=True)])


def attacker(chart: Chart) -> int:
    """The force that the objectives are for."""
    return victory.attackers(chart.rules)[0]
