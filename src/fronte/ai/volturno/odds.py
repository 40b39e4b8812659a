"""Exact odds: levels that fire and checks take, and how a combat ends.

A number of levels is spread over its chances: `spread[n]` is the chance to lose n levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fronte.engine.dice import outcomes
from fronte.games.volturno.assault import BLUE, RED
from fronte.games.volturno.cohesion import ROUT, levels_for
from fronte.games.volturno.fire import levels_of
from fronte.games.volturno.game import Volturno

Spread = tuple[float, ...]
TWO_DICE = [sum(1 for dice in outcomes(2) if sum(dice) == total) / 36 for total in range(13)]
"""The chance of each sum of two dice."""
NOTHING: Spread = (1.0, 0.0, 0.0, 0.0, 0.0)
FARTHEST = 14
"""Modifiers beyond this change nothing more."""


class Fighter(NamedTuple):
    """Who fights: cohesion less all that is added to its checks, the levels lost so far, and strength."""

    steadiness: int
    level: int
    strength: int


class Outcome(NamedTuple):
    """How a combat ends for who attacks: the chances, levels lost, and strength put to rout, on average."""

    win: float
    draw: float
    loss: float
    own_levels: float
    """Levels times strength, those of the routed apart."""
    own_routed: float
    enemy_levels: float
    enemy_routed: float


class Odds:
    """The odds of one ruleset, each worked out once."""

    def __init__(self, rules: Volturno) -> None:
        self.rules = rules
        self._fire: dict[int, Spread] = {}
        self._checks: dict[int, Spread] = {}
        self._combats: dict[object, Outcome] = {}

    def fire(self, drm: int) -> Spread:
        """9.3: levels that a shot with this modifier takes."""
        found = self._fire.get(drm)
        if found is None:
            found = self._fire[drm] = self._spread([levels_of(self.rules, total + drm) for total in range(13)])
        return found

    def check(self, steadiness: int) -> Spread:
        """13.1: levels that a check takes from who has this cohesion less all that is added to the dice."""
        found = self._checks.get(steadiness)
        if found is None:
            levels = [levels_for(self.rules, total - steadiness) for total in range(13)]
            found = self._checks[steadiness] = self._spread(levels)
        return found

    def _spread(self, levels: Sequence[int]) -> Spread:
        found = [0.0] * (ROUT + 1)
        for total in range(2, 13):
            found[min(ROUT, levels[total])] += TWO_DICE[total]
        return tuple(found)

    def combat(self, table: str, drm: int, attacker: Fighter, defenders: tuple[Fighter, ...]) -> Outcome:
        """11.2: an assault or a charge with this modifier; of the defenders only those that are no guns."""
        drm = max(-FARTHEST, min(FARTHEST, drm))
        key = table, drm, attacker, defenders
        found = self._combats.get(key)
        if found is None:
            found = self._combats[key] = self._fought(table, drm, attacker, defenders)
        return found

    def _fought(self, table: str, drm: int, attacker: Fighter, defenders: tuple[Fighter, ...]) -> Outcome:
        told = self.rules.tables["assault"]
        rows, lowest = told[table], int(told["lowest"])
        by_row: dict[int, float] = {}
        for total in range(2, 13):
            row = max(0, min(len(rows) - 1, total + drm - lowest))
            by_row[row] = by_row.get(row, 0.0) + TWO_DICE[total]
        sums = [0.0] * 7
        for row, chance in by_row.items():
            mine, theirs, colour = rows[row]
            own = self._suffered(mine, attacker)
            other = [self._suffered(theirs, one) for one in defenders]
            ends = _ends(colour, attacker, own, defenders, other)
            parts = (*ends, *_cost([attacker], [own]), *_cost(defenders, other))
            sums = [x + chance * part for x, part in zip(sums, parts, strict=True)]
        return Outcome(*sums)

    def _suffered(self, result: str, who: Fighter) -> Spread:
        if result == "-":
            return NOTHING
        if result.startswith("cc"):
            return self.check(who.steadiness - int(result[2:]))
        return tuple(float(n == min(ROUT, int(result))) for n in range(ROUT + 1))


def _cost(fighters: Sequence[Fighter], spreads: Sequence[Spread]) -> tuple[float, float]:
    """Levels times strength that are lost on average by who stays, and strength that routs."""
    levels = routed = 0.0
    for who, spread in zip(fighters, spreads, strict=True):
        for n, chance in enumerate(spread):
            if n + who.level >= ROUT:
                routed += chance * who.strength
            else:
                levels += chance * n * who.strength * (1 + 0.5 * who.level)
    return levels, routed


def _ends(
    colour: str, attacker: Fighter, own: Spread, defenders: Sequence[Fighter], other: Sequence[Spread]
) -> tuple[float, float, float]:
    """11.2.p2 to p5: the chances that the attacker wins, that nobody does, and that the defender does."""
    if colour == BLUE:
        return 1.0, 0.0, 0.0
    if colour == RED:
        return 0.0, 0.0, 1.0
    lost = _lost([attacker], [own])
    taken = _lost(defenders, other)
    win = draw = 0.0
    for (mine, alive), chance in lost.items():
        for (theirs, resists), again in taken.items():
            both = chance * again
            if not alive or not resists:
                win += both * (alive and not resists)
                draw += both * (not alive and not resists)
            elif mine < theirs:
                win += both
            elif mine == theirs:
                draw += both
    return win, draw, 1.0 - win - draw


def _lost(fighters: Sequence[Fighter], spreads: Sequence[Spread]) -> dict[tuple[int, bool], float]:
    """How many levels a side loses in all, and whether anybody is left, with the chances."""
    found: dict[tuple[int, bool], float] = {(0, False): 1.0}
    for who, spread in zip(fighters, spreads, strict=True):
        after: dict[tuple[int, bool], float] = {}
        for (levels, left), chance in found.items():
            for n, again in enumerate(spread):
                if again:
                    key = levels + min(n, ROUT - who.level), left or n + who.level < ROUT
                    after[key] = after.get(key, 0.0) + chance * again
        found = after
    return found


def expected(spread: Spread) -> float:
    """Levels on average."""
    return spread[1] + 2 * spread[2] + 3 * spread[3] + 4 * spread[4]
