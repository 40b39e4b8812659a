"""The signs by which a net judges a position: the terms of the line, and what those pass over.

That is, for each side, what is hungry, worn, in contact or alone, pontoons, and objectives that anybody could walk
into; every objective by itself; and all but those once more by how much of the game is left and by whose turn comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from fronte.ai.inferno.steady.games import chart
from fronte.ai.inferno.steady.ground import Chart
from fronte.ai.inferno.value import BASE, TERMS, Stake, basis, held_by, late, stakes, strengths, summed, worth_of
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.state import ELIMINATED, LOW_SUPPLY, MOV, OUT_OF_SUPPLY, State

OF_SIDE = (
    "attack",
    "units",
    "low",
    "out",
    "hungry",
    "worn",
    "contact",
    "limbered",
    "lone",
    "lone_near",
    "engineers",
    "spans",
    "spans_near",
    "lost",
    "empty",
)
"""Of each side: its strength in attack; its units; those in low supply and out of it; those that would be hungry if
supply were reckoned now, twice where it is none; combat effects; defence next to an enemy; guns on their way; guns
that nobody stands with, and those with an enemy near; engineers; pontoons, and those with an enemy near; units lost;
and what objectives are worth that it holds, nobody stands in and an enemy is near."""
OF_GOAL = ("held", "stake", "kept")
"""Of each objective: does the side that scores hold it; how threatened it is, above zero where the side that scores
threatens it; and does anybody of the side that holds it stand in it, above zero where that is the side that scores."""
NEAR = 3
"""Hexes within which an enemy could come to what stands alone."""


@lru_cache(maxsize=32)
def names(rules: Inferno) -> tuple[str, ...]:
    """The names of the signs, in their order."""
    goals = [f"{sign} {rules.hex_id(goal)}" for goal in chart(rules).values for sign in OF_GOAL]
    summed = (*TERMS, *OF_SIDE, *(f"enemy_{name}" for name in OF_SIDE))
    return (*BASE[1:], *summed, *goals, *(f"{name} {by}" for by in ("left", "second") for name in summed))


def signs(rules: Inferno, state: State) -> list[float]:
    """The signs of a position, in the order of `names`."""
    found, mine = chart(rules), rules.scorer
    attack, defence, sums = strengths(rules, state, found)
    held = held_by(rules, state, mine)
    listed = stakes(rules, found, attack, defence, held)
    span = worth_of(rules.header.game).span
    first = basis(state, span, late(rules, span))[1:]
    told = summed(rules, state, sums, listed)
    for side in (mine, 1 - mine):
        told += [float(sum(attack[side])), *_of_side(rules, state, found, side, listed)]
    goals: list[float] = []
    for goal, _, _, ours, _, share in listed:
        kept = state.zocs[mine if ours else 1 - mine] >> goal & 1
        goals += (1.0, -share, float(kept)) if ours else (0.0, share, float(-kept))
    second, left, *_ = first
    return [*first, *told, *goals, *(left * x for x in told), *(second * x for x in told)]


def _of_side(rules: Inferno, state: State, found: Chart, side: int, listed: Sequence[Stake]) -> list[float]:
    """What is told of a side, but for its attack."""
    near = found.distance_from(state, state.zocs[1 - side])
    alone = ~state.zocs[side]
    units = low = out = worn = contact = limbered = lone = lone_near = engineers = lost = 0
    for unit in rules.of_side[side]:
        h = state.at[unit]
        if h < 0:
            lost += h == ELIMINATED
        elif rules.zoccer[unit]:
            supply, ce = state.supply[unit], state.ce[unit]
            units += 1
            worn += ce
            low += supply == LOW_SUPPLY
            out += supply == OUT_OF_SUPPLY
            if near[h] <= 1:
                contact += max(0, rules.face(state, unit).defence - ce)
        elif rules.gun[unit]:
            limbered += state.flags[unit] & MOV != 0
            if alone >> h & 1:
                lone += 1
                lone_near += near[h] <= NEAR
        elif rules.engineer[unit]:
            engineers += 1
    sides = rules.board.sides
    spans = [min(near[sides[n].a], near[sides[n].b]) for n in found.terms.spans(state, side)]
    close = sum(distance <= NEAR for distance in spans)
    ours = side == rules.scorer
    empty = sum(s.worth for s in listed if s.counts and s.ours == ours and alone >> s.goal & 1 and near[s.goal] <= NEAR)
    counts = (units, low, out, found.hungry(state, side), worn, contact, limbered, lone, lone_near)
    return [float(x) for x in (*counts, engineers, len(spans), close, lost, empty)]
