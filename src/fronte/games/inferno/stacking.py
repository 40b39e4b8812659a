"""Chapter 5, stacking: limits, overstacking, and which unit lies on top."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Argument, Chapter
from fronte.games.inferno import cites
from fronte.games.inferno.frames import AT, BEATEN, MOST_UNITS, RETREATING, UNITS, owner
from fronte.games.inferno.state import ON_TOP, State
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

CHAPTER = Chapter()


def counted_steps(rules: Inferno, state: State, units: Iterable[int]) -> int:
    """5.1.a, Isonzo 5.1.c: the steps that count against a limit; artillery, engineers and forts count nothing."""
    total = 0
    free = rules.free_battalion
    spared = 0
    for unit in units:
        if rules.counts[unit]:
            steps = state.steps[unit]
            total += steps
            if free and rules.battalion[unit] and steps > spared:
                spared = steps
    return total - spared


def is_legal_stack(rules: Inferno, state: State, h: int, units: Sequence[int]) -> bool:
    """5.1: may these units stand together in this hex when limits are checked?"""
    guns = engineers = 0
    for unit in units:
        if rules.gun[unit]:
            guns += 1
        elif rules.engineer[unit]:
            engineers += 1
    return guns <= 1 and engineers <= 1 and counted_steps(rules, state, units) <= rules.board.stacking[h]


def overstacked(rules: Inferno, state: State, side: int) -> list[int]:
    """5.1.b/5.1: the hexes where a side breaks the limits. A unit alone never does."""
    stacks = state.stacks
    crowded = [h for h in bits(state.occ[side]) if len(stacks[h]) > 1]
    return [h for h in crowded if not is_legal_stack(rules, state, h, stacks[h])]


def least_removals(
    rules: Inferno, state: State, h: int, removable: Sequence[int], gone: Sequence[int] = ()
) -> Iterator[tuple[int, ...]]:
    """5.2: every set of units whose removal makes the hex legal and of which none is removed needlessly.

    Units that are gone already are counted as if they were still there.
    """
    found = _removals(rules, state, h, (*state.stacks[h], *gone), removable)
    order = {unit: number for number, unit in enumerate(removable)}
    first = [tuple(sorted(group, key=order.__getitem__)) for group in islice(found, MOST_SORTED)]
    yield from sorted(first, key=lambda group: (len(group), [order[unit] for unit in group]))
    for group in found:
        yield tuple(sorted(group, key=order.__getitem__))


MOST_SORTED = 1000
"""How many ways to make a hex legal are sorted, fewest units first. A hex with more ways was filled on purpose."""


def _removals(
    rules: Inferno, state: State, h: int, stack: Sequence[int], removable: Sequence[int]
) -> Iterator[tuple[int, ...]]:
    """5.1: artillery, engineers and those whose steps count are limited apart, so each kind makes room for itself."""
    kinds: list[tuple[list[int], list[int]]] = [([], []), ([], []), ([], [])]
    for unit in stack:
        kind = 0 if rules.gun[unit] else 1 if rules.engineer[unit] else 2
        kinds[kind][unit in removable].append(unit)
    guns, engineers = (_all_but_one(*kind) for kind in kinds[:2])
    stay, go = kinds[2]
    for counted in _crowd(rules, state, rules.board.stacking[h], stay, [unit for unit in go if rules.counts[unit]]):
        for some, others in product(guns, engineers):
            if some or others or counted:
                yield (*some, *others, *counted)


def _all_but_one(stay: list[int], go: list[int]) -> list[tuple[int, ...]]:
    """5.1.a: of a kind that may stand in a hex once, the sets that have to go."""
    if len(stay) > 1:
        return []
    if len(stay) + len(go) <= 1:
        return [()]
    return [tuple(go)] if stay else [tuple(unit for unit in go if unit != kept) for kept in go]


def _crowd(rules: Inferno, state: State, limit: int, stay: list[int], go: list[int]) -> Iterator[tuple[int, ...]]:
    """5.1, 5.2: of units whose steps count, the sets that have to go so that none of them could have stayed."""

    def fits(units: Iterable[int]) -> bool:
        return counted_steps(rules, state, units) <= limit

    if fits(stay):
        yield from _chosen(fits, stay, go)


def _chosen(
    fits: Callable[[Iterable[int]], bool], kept: list[int], later: list[int], gone: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """The same, for each of those who come later in turn: he stays, or he goes.

    A function of its own: one within another that calls itself would hold itself, and all that it sees, until Python
    looks for such cycles.
    """
    if gone and any(fits([*kept, unit, *later]) for unit in gone):
        return  # whatever else stays, one that has gone would have had room
    if not later:
        yield gone
        return
    if fits([*kept, later[0]]):
        yield from _chosen(fits, [*kept, later[0]], later[1:], gone)
    yield from _chosen(fits, kept, later[1:], (*gone, later[0]))


def top_unit(rules: Inferno, state: State, h: int) -> int:
    """5.3: the unit on top: the largest printed attack; combat units above engineers, engineers above artillery."""
    stack = state.stacks[h]
    top = stack[0]
    if len(stack) > 1:
        heights, steps, flags = rules.heights, state.steps, state.flags
        best = heights[top][steps[top]], flags[top] & ON_TOP
        for unit in stack[1:]:
            height = heights[unit][steps[unit]], flags[unit] & ON_TOP
            if height > best:
                top, best = unit, height
    return top


def top_order(rules: Inferno, state: State, unit: int) -> tuple[int, int, int, int]:
    """5.3: how high a unit lies in its stack. Ties are the owner's choice; without one the first counter is on top."""
    rank, attack = rules.heights[unit][state.steps[unit]]
    return rank, attack, state.flags[unit] & ON_TOP, -unit


def why_not_on_top(rules: Inferno, state: State, unit: int) -> Refusal | None:
    """5.3: may the owner show this unit instead of the one on top? Only among the largest printed attacks."""
    h = state.at[unit]
    top = top_unit(rules, state, h)
    if top == unit:
        return Refusal(cites.TOP_UNIT, "on_top_already", {"unit": rules.ids[unit]})
    if top_order(rules, state, unit)[:2] != top_order(rules, state, top)[:2]:
        return Refusal(cites.TOP_UNIT, "strongest_on_top", {"unit": rules.ids[top]})
    return None


def put_on_top(rules: Inferno, state: State, unit: int) -> None:
    """5.3: show this unit of its stack."""
    for other in state.stacks[state.at[unit]]:
        state.flags[other] &= ~ON_TOP
    state.flags[unit] |= ON_TOP


class Eliminate(Action, frozen=True):
    """5.2: take these units out of an overstacked hex."""

    form = "eliminate {units}"
    units: tuple[str, ...]


def _not_overstacked(rules: Inferno, state: State, frame: Frame) -> str:
    """5.2: a crowded hex, and units in it whose removal helps."""
    h, units = frame.args
    where = rules.hex_id(h)
    if any(state.at[unit] != h for unit in units) or len(set(units)) < len(units):
        return f"the units are not all in {where}, or one is named twice"
    if is_legal_stack(rules, state, h, state.stacks[h]):
        return f"{where} is not overstacked"
    return "" if any(least_removals(rules, state, h, units)) else f"{where} stays overstacked without these units"


@CHAPTER.choice(
    on=f"combat_phase player_turn_ends stack_check overstack {RETREATING}",
    seats=owner,
    takes=(AT, Argument("units", UNITS, 1, MOST_UNITS)),
    fault=_not_overstacked,
    once=False,
    marks=(BEATEN,),
)
class Overstack(Choice["Inferno", State]):
    """5.2: the owner takes out units until the hex is legal. Frame: the hex and the units that may go."""

    name = "overstack"
    panel = panel.SUBSET
    rules = (cites.OVERSTACKING, cites.STACKING_LIMIT, cites.RETREAT_ROOM)
    verbs = (Eliminate,)

    def legal(self, rules: Inferno, state: State, frame: Frame) -> Iterator[Action]:
        h, removable = frame.args
        if is_legal_stack(rules, state, h, state.stacks[h]):  # where the stack is imagined, and came out smaller
            for unit in removable:
                yield Eliminate((rules.ids[unit],))
            return
        for group in least_removals(rules, state, h, removable):
            yield Eliminate(rules.unit_ids(group))

    def why_not(self, rules: Inferno, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Eliminate)
        h, removable = frame.args
        units = rules.units(action.units)
        if isinstance(units, Refusal):
            return units
        for unit in units:
            if unit not in removable:
                return Refusal(cites.OVERSTACKING, "not_removable", {"unit": rules.ids[unit]})
        rest = [unit for unit in state.stacks[h] if unit not in units]
        if not is_legal_stack(rules, state, h, rest):
            return Refusal(cites.STACKING_LIMIT, "still_overstacked", {"hex": rules.hex_id(h)})
        for unit in units:
            if is_legal_stack(rules, state, h, sorted([*rest, unit])):
                return Refusal(cites.OVERSTACKING, "need_not_go", {"unit": rules.ids[unit]})
        return None

    def apply(self, rules: Inferno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Eliminate)
        state.frames.pop()
        for name in action.units:
            rules.eliminate(state, rules.number[name], (cites.OVERSTACKING,), out)

    def about(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        return {"hex": rules.hex_id(frame.args[0]), "units": list(rules.unit_ids(frame.args[1]))}

    def offer(self, rules: Inferno, state: State, frame: Frame) -> dict[str, Any]:
        return panel.subset(super().offer(rules, state, frame), "eliminate", "units")


def check_stacking(rules: Inferno, state: State, sides: Iterable[int]) -> None:
    """5.1.b/5.1, 5.2: ask the owner of every overstacked hex what is to go."""
    for side in sides:
        for h in reversed(overstacked(rules, state, side)):
            state.frames.append(Frame("overstack", side, (h, state.stacks[h])))
