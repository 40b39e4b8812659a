"""What a position promises: the score to be expected at the end, as a sum of readable terms.

The terms are worth what self-play has shown them to be worth (`data/value.toml`, made by `fronte tune value`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from fronte.ai.inferno.steady.games import chart
from fronte.ai.inferno.steady.ground import Chart
from fronte.games.inferno.counters import ITALIAN
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.state import State

FILE = Path(__file__).parent / "data" / "value.toml"
TERMS = (
    "score",
    "threat",
    "threatened",
    "strength",
    "enemy_strength",
    "short",
    "enemy_short",
    "guns",
    "enemy_guns",
    "reach",
    "reached",
    "peril",
    "dug_in",
    "enemy_dug_in",
    "trenches",
    "ground",
)
"""Seen from the side that scores: its score; what it threatens of objectives still to be won, and what is threatened of
those it holds, each objective by its worth and the balance of strength around it; the strength of both sides on the
map, attack and defence together; strength short of supply; guns; the worth of objectives with any strength of the other
side near; the threat to what decides the game at once and counts no points; the strength that defends trenches of its
own with an enemy near; enemy trenches that were taken; and hexes held."""
BASE = ("one", "second", "time", "second_time", "time_squared")
"""What depends on nothing but the turn and whose turn comes next."""
BALANCE = 2.0
"""Strength of the defence that weighs as much as one of the attack, and a little for the ground."""


NEAR = 2
"""Hexes within which an enemy is near."""


class Worth(msgspec.Struct, frozen=True):
    """What the terms are worth: when the game ends; how much more for each part of the game that is left; and how much
    more when the turn of the second player comes next."""

    span: float
    """The turns of a game; parts of the game are counted from there."""
    base: dict[str, float]
    end: dict[str, float]
    left: dict[str, float]
    second: dict[str, float]


@cache
def worth_of(game: str) -> Worth:
    """The worth of the terms in a game; ValueError if they have not been found out."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    if game not in tables:
        raise ValueError(f"no values for {game} in {FILE.name}")
    return msgspec.convert(tables[game], Worth)


def terms(rules: Inferno, state: State) -> list[float]:
    """The terms of a position, in the order of `TERMS`."""
    found, mine = chart(rules), rules.scorer
    attack, defence, sums = strengths(rules, state, found)
    return summed(rules, state, sums, stakes(rules, found, attack, defence, held_by(rules, state, mine)))


class Stake(NamedTuple):
    """An objective: what it is worth, whether it counts points and whether the side that scores holds it, the strength
    around it of the side that does not, and how threatened it is, from nothing to one."""

    goal: int
    worth: int
    counts: bool
    ours: bool
    strong: float
    share: float


def held_by(rules: Inferno, state: State, side: int) -> int:
    """The hexes that a side holds."""
    return state.held if side == ITALIAN else rules.board.grid.everything & ~state.held


def stakes(
    rules: Inferno, found: Chart, attack: Sequence[list[int]], defence: Sequence[list[int]], held: int
) -> list[Stake]:
    """How every objective stands; `held` is what the side that scores holds."""
    counted, mine, listed = _counted(rules), rules.scorer, []
    for goal, worth in found.values.items():
        ours = bool(held >> goal & 1)
        by, of = (1 - mine, mine) if ours else (mine, 1 - mine)
        strong, weak = _around(found, attack[by], goal), _around(found, defence[of], goal)
        listed.append(Stake(goal, worth, goal in counted, ours, strong, strong / (strong + BALANCE * weak + BALANCE)))
    return listed


def summed(rules: Inferno, state: State, sums: Sequence[dict[str, float]], listed: Sequence[Stake]) -> list[float]:
    """The terms, in the order of `TERMS`."""
    mine = rules.scorer
    held = held_by(rules, state, mine)
    threat = threatened = reach = reached = peril = 0.0
    for _, worth, counts, ours, strong, share in listed:
        if not counts:
            peril += share if ours else 0.0
        elif ours:
            threatened += worth * share
            reached += worth if strong else 0
        else:
            threat += worth * share
            reach += worth if strong else 0
    me, foe = sums[mine], sums[1 - mine]
    score = float(rules.score(state) - rules.head_start)
    return [
        *(score, threat, threatened, me["strength"], foe["strength"]),
        *(me["short"], foe["short"], me["guns"], foe["guns"], reach, reached, peril),
        *(me["dug_in"], foe["dug_in"], (rules.board.trench[1 - mine] & held).bit_count(), held.bit_count()),
    ]


@lru_cache(maxsize=32)
def _counted(rules: Inferno) -> frozenset[int]:
    """The hexes that count points."""
    return frozenset(rules.grid_index[name] for name in rules.setting.objectives)


def strengths(
    rules: Inferno, state: State, found: Chart
) -> tuple[list[list[int]], list[list[int]], list[dict[str, float]]]:
    """By side: attack and defence in each hex, and the sums."""
    size = rules.board.grid.size
    attack, defence = [[0] * size, [0] * size], [[0] * size, [0] * size]
    sums: list[dict[str, float]] = []
    for side in (0, 1):
        here_attack, here_defence = attack[side], defence[side]
        trench = rules.board.trench[side]
        near = found.distance_from(state, state.zocs[1 - side])
        strength = short = guns = dug_in = 0
        for unit in rules.of_side[side]:
            h = state.at[unit]
            if h < 0:
                continue
            if rules.zoccer[unit]:
                face, ce = rules.face(state, unit), state.ce[unit]
                strikes, stands = max(0, face.attack - ce), max(0, face.defence - ce)
                here_attack[h] += strikes
                here_defence[h] += stands
                strength += strikes + stands
                short += state.supply[unit] * stands
                if trench >> h & 1 and near[h] <= NEAR:
                    dug_in += stands
            elif rules.gun[unit]:
                guns += 1
        sums.append({"strength": strength, "short": short, "guns": guns, "dug_in": dug_in})
    return attack, defence, sums


def _around(found: Chart, strength: list[int], goal: int) -> float:
    """Strength within three hexes, less from further off."""
    return sum(strength[h] * share for h, share in found.weight_of(goal) if strength[h])


def late(rules: Inferno, span: float) -> float:
    """By how many turns a scenario of a sector ends before the battle would: its turns are the last ones."""
    return span - rules.last_turn if rules.beyond else 0.0


def basis(state: State, span: float, later: float = 0.0) -> list[float]:
    """What depends on the turn alone, in the order of `BASE`."""
    time = max(0.0, 1.0 - (state.turn + later) / span)
    second = float(state.active)
    return [1.0, second, time, second * time, time * time]


def value(rules: Inferno, state: State, side: int) -> float:
    """The score that this side may expect at the end; where the game is over, what it has."""
    result = rules.result(state)
    if result is not None:
        return float(rules.merit(result, side))
    sign = 1 if side == rules.scorer else -1
    worth = worth_of(rules.header.game)
    first = basis(state, worth.span, late(rules, worth.span))
    _, second, time, *_ = first
    total = sum(worth.base[name] * x for name, x in zip(BASE, first, strict=True))
    for name, x in zip(TERMS, terms(rules, state), strict=True):
        total += (worth.end[name] + worth.left[name] * time + worth.second[name] * second) * x
    return sign * (total + rules.head_start)
