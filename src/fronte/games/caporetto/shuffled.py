"""States that differ only in what a seat may not know."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.games.caporetto.imagined import Secrets
from fronte.games.caporetto.sightings import OTHERS, UNIT, covered_as, is_foggy, is_open, known, level_of, lying
from fronte.games.caporetto.state import MASKS, State, forget_zones
from fronte.games.common import positions
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

MOST_SHUFFLED = 60
"""Points of somebody else that one may think of at most."""


def shuffle_hidden(rules: Caporetto, state: State, seat: int, rng: Random) -> State:
    """A state that differs only in what the seat may not know: plans that others have made change hands, their points
    change, and covered counters that look alike change places."""
    twin = state.copy()
    secrets = Secrets(rules, state, seat)
    by_force: dict[int, list[int]] = {}
    for formation in secrets.plans():
        if secrets.may_plan(formation):
            by_force.setdefault(rules.formations[formation].force, []).append(formation)
    for alike in by_force.values():
        guns = [state.plan[formation] for formation in alike]
        rng.shuffle(guns)
        for formation, planned in zip(alike, guns, strict=True):
            twin.plan[formation] = planned
    for force in secrets.points():
        twin.points[force] = rng.randint(0, MOST_SHUFFLED)
    if not is_open(rules):
        _change_places(rules, twin, seat, rng)
    return twin


def _change_places(rules: Caporetto, state: State, seat: int, rng: Random) -> None:
    """22: covered counters that nothing tells apart change places with all that is true of the place.

    Each keeps its own losses; those of which more is said than marks stay where they are.
    """
    strange = ~known(rules, state, seat) & rules.sighted.everybody
    pinned = _spoken_of(rules, state)
    alike: dict[Any, list[int]] = {}
    for stack in state.stacks.values():
        covered = [unit for unit in stack if strange >> unit & 1]
        looks = {unit: _looks(rules, state, unit) for unit in covered}
        level = _level_shown(rules, state, seat, stack, covered)
        is_plain = level < OTHERS and len(set(looks.values())) == 1 and not mask_of(covered) & pinned
        for unit in covered:
            if not pinned >> unit & 1:
                key = (*looks[unit], 0 if is_plain else level_of(rules, state, unit))
                alike.setdefault(key, []).append(unit)
    for units in alike.values():
        units.sort()
        mixed = units.copy()
        rng.shuffle(mixed)
        places = [state.at[unit] for unit in units]
        swap = dict(zip(units, mixed, strict=True))
        for h in dict.fromkeys(places):  # as they lie, so that of equals the same stays on top
            state.stacks[h] = tuple([swap.get(unit, unit) for unit in lying(rules, state, h)])
        for unit, place in zip(units, places, strict=True):
            state.at[swap[unit]] = place
    forget_zones(state)


def _looks(rules: Caporetto, state: State, unit: int) -> tuple[Any, ...]:
    """What is seen of a covered counter, and what is not but goes with its place."""
    signature = tuple(getattr(state, name) >> unit & 1 for name in MASKS)
    acts = rules.formation_of[unit] in state.formations
    return rules.force[unit], covered_as(rules, state, unit), acts, signature


def _level_shown(rules: Caporetto, state: State, seat: int, stack: Sequence[int], covered: Sequence[int]) -> int:
    """22.1: what follows from who lies on top: below him nobody is of a higher level. Levels are looked into one by one
    with fog of war, so that there each stays in its own."""
    if not covered or is_foggy(rules) or any(covered_as(rules, state, unit) != UNIT for unit in covered):
        return OTHERS
    owner = rules.sighted.seat
    pile = [unit for unit in stack if unit not in covered and owner[unit] == owner[covered[0]]]
    return max([level_of(rules, state, unit) for unit in pile], default=OTHERS)


def _spoken_of(rules: Caporetto, state: State) -> int:
    """The units that are named anywhere but in marks."""
    found = mask_of(unit for frame in state.frames for unit in _in_frame(rules, frame.name, frame.args))
    found |= mask_of(unit for pair in state.bearers for unit in pair) | (1 << state.mover if state.mover >= 0 else 0)
    for name in ("works", "spent", "aims", "leftovers", "assaults", "supports", "advanced"):
        found |= mask_of(row[0] for row in getattr(state, name))
    for _, units in (*state.struck, *state.pool, *state.attachments):
        found |= units
    return found


def _in_frame(rules: Caporetto, name: str, args: tuple[Any, ...]) -> list[int]:
    units: list[int] = []
    for told, value in zip(rules.frames[name].takes, args, strict=True):
        if told.kind == positions.UNIT:
            units.append(value)
        elif told.kind == positions.UNITS:
            units += value
    return units
