"""16, 21.10: steps. What a unit is worth now, how losses are spread, who leaves the map, companies of battalions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

from fronte.engine.event import Event
from fronte.games.caporetto import flamethrowers
from fronte.games.caporetto.counters import QUARTERS
from fronte.games.caporetto.printed import ELIMINATED, EXITED, ROUTED, SURRENDERED, UNMADE
from fronte.games.caporetto.state import MASKS, NOBODY, in_box, put
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State

KEPT = ("activated", "ooc", "marched", "weary", "moved", "attached", "commanded", "retreated", "joined")
"""21.10: the marks of a battalion that a company has too which it detaches."""


# What a unit is worth


def strength(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """16.1, 18.3, 21.10: combat factor now; guns and flamethrowers have none."""
    return _face(rules.cf[unit], state.lost[unit])


def total(rules: CaporettoPrinted, state: State, units: Iterable[int]) -> int:
    """12.3.3.A: the combat factors of some units."""
    return sum([strength(rules, state, unit) for unit in units])


def machine_guns(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """16.1, 21.10: machine gun factor now."""
    return _face(rules.mg[unit], state.lost[unit])


def _face(faces: Sequence[int], lost: int) -> int:
    return faces[lost] if lost < len(faces) else 0


def steps_left(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """16.1: steps it can still lose; a gun has one (18.5), a flamethrower none (21.4)."""
    return rules.full_steps[unit] - state.lost[unit]


def singles(rules: CaporettoPrinted, state: State, units: Iterable[int]) -> int:
    """21.10: those of these units that are German battalions with one step left, as a set."""
    return mask_of([u for u in units if rules.can_detach >> u & 1 and steps_left(rules, state, u) == 1])


def is_generic(rules: CaporettoPrinted, state: State, unit: int) -> bool:
    """21.10: a generic company, or a battalion that was exchanged for one."""
    return bool((rules.generic | singles(rules, state, (unit,))) >> unit & 1)


# Losing steps


def lose_step(rules: CaporettoPrinted, state: State, unit: int, out: list[Event], rule: str = "16.1") -> None:
    """16.1, 21.10: a unit is turned or gets a marker, becomes a company, or is eliminated with its last step."""
    if steps_left(rules, state, unit) <= 1:
        remove(rules, state, unit, ELIMINATED, rule, out)
        return
    state.lost[unit] += 1
    rule = "21.10" if rules.can_detach >> unit & 1 else rule
    data = {"unit": rules.ids[unit], "left": steps_left(rules, state, unit)}
    out.append(Event("step_lost", (rule,), data))


def even_splits(rules: CaporettoPrinted, state: State, units: Iterable[int], steps: int) -> list[tuple[int, ...]]:
    """12.1.5.D, 12.2.10: the ways to spread steps as evenly as possible, each as the units that lose one, a unit as
    often as it loses; who has no more to lose is left out."""
    room = {unit: steps_left(rules, state, unit) for unit in units if steps_left(rules, state, unit) > 0}
    certain: list[int] = []
    while room and steps >= len(room):
        certain += room
        steps -= len(room)
        room = {unit: left - 1 for unit, left in room.items() if left > 1}
    return [tuple(sorted([*certain, *chosen])) for chosen in combinations(room, min(steps, len(room)))]


def assault_splits(
    rules: CaporettoPrinted, state: State, units: Iterable[int], lead: int, steps: int
) -> list[tuple[int, ...]]:
    """12.3.4.e1, 16.3: the ways to take the steps of an assault: the first by the unit whose morale was used, if it is
    still there (15.4.1), the others as their owner likes; guns lose none."""
    room = {unit: steps_left(rules, state, unit) for unit in units if not rules.guns >> unit & 1}
    room = {unit: left for unit, left in room.items() if left > 0}
    steps = min(steps, sum(room.values()))
    first = (lead,) if steps and lead in room else ()
    found = []
    for others in combinations_with_replacement(room, steps - len(first)):
        split = (*first, *others)
        if all(split.count(unit) <= room[unit] for unit in room):
            found.append((*first, *sorted(others)))
    return found


def best_split(rules: CaporettoPrinted, state: State, splits: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """A good way to lose steps: as few units and as little strength gone as possible; of equals the first."""

    def price(split: tuple[int, ...]) -> tuple[int, int]:
        gone = weaker = 0
        for unit in dict.fromkeys(split):
            times, lost = split.count(unit), state.lost[unit]
            gone += times >= steps_left(rules, state, unit)
            weaker += strength(rules, state, unit) - _face(rules.cf[unit], lost + times)
        return gone, weaker

    return min(splits, key=price)


def take(rules: CaporettoPrinted, state: State, split: Iterable[int], out: list[Event], rule: str = "16.1") -> None:
    """12.1.5.D, 12.3.4: these units lose a step each, one named twice two."""
    for unit in split:
        if state.at[unit] >= 0:
            lose_step(rules, state, unit, out, rule)


def burn(rules: CaporettoPrinted, state: State, targets: Iterable[int], out: list[Event]) -> None:
    """21.4.e2: a defensive fire has cost these targets a step; the flamethrower that one of them bears is gone."""
    for one in flamethrowers.carried(state, targets):
        remove(rules, state, one, ELIMINATED, "21.4.e2", out)


# Leaving the map


def remove(rules: CaporettoPrinted, state: State, unit: int, box: int, rule: str, out: list[Event]) -> None:
    """16.1, 16.2, 12.3.5.7: a unit goes to a box with all that was marked on it; its flamethrower is lost with it
    (21.4)."""
    here, bit = state.at[unit], 1 << unit
    if any(one == unit for one, _, _ in state.assaults):
        state.launched[rules.side[unit]] |= 1 << here  # 12.3.1.e1: the marker stays
    if box != SURRENDERED:  # 23.1 asks what it was
        state.lost[unit] = rules.full_steps[unit]
    put(rules, state, unit, box)
    state.dp[unit] = 0
    for name in MASKS:
        if name != "mobile":  # 21.5.3: the assault goes on to its end though who makes it is gone
            setattr(state, name, getattr(state, name) & ~bit)
    state.assaults = tuple([one for one in state.assaults if one[0] != unit])
    state.supports = tuple([one for one in state.supports if one[0] != unit])
    state.works = tuple([one for one in state.works if one[0] != unit])
    state.advanced = tuple([one for one in state.advanced if one[0] != unit])
    state.pool = tuple([(formation, guns & ~bit) for formation, guns in state.pool])
    state.attachments = tuple([(formation, units & ~bit) for formation, units in state.attachments])
    stop_moving(state, unit)
    data = {"unit": rules.ids[unit], "hex": rules.hex_id(here)}
    out.append(
        Event("routed" if box == ROUTED else "surrendered" if box == SURRENDERED else "eliminated", (rule,), data)
    )
    for one in flamethrowers.carried(state, (unit,)):
        flamethrowers.drop(state, one)
        remove(rules, state, one, ELIMINATED, "21.4", out)
    flamethrowers.drop(state, unit)


def stop_moving(state: State, unit: int) -> None:
    """10.0.6: a unit is gone; whoever was on his way with it still is."""
    state.leftovers = tuple([one for one in state.leftovers if one[0] != unit])
    if state.mover == unit:
        state.mover = next(bits(state.moving & ~(1 << unit)), NOBODY)
        if state.mover == NOBODY:
            state.left = state.steps = 0


def leave_map(rules: CaporettoPrinted, state: State, unit: int, out: list[Event]) -> None:
    """21.9: a unit goes over the edge, with its flamethrower; it never returns."""
    here = state.at[unit]
    for one in (unit, *flamethrowers.carried(state, (unit,))):
        put(rules, state, one, EXITED)
        state.dp[one] = 0
        for name in MASKS:
            setattr(state, name, getattr(state, name) & ~(1 << one))
        state.works = tuple([work for work in state.works if work[0] != one])
        state.attachments = tuple([(formation, units & ~(1 << one)) for formation, units in state.attachments])
        flamethrowers.drop(state, one)
        stop_moving(state, one)
    out.append(Event("left_map", ("21.9",), {"unit": rules.ids[unit], "hex": rules.hex_id(here)}))


def capture(rules: CaporettoPrinted, state: State, h: int, side: int, out: list[Event], all_guns: bool = False) -> None:
    """18.3, 12.3.5.3: the guns of a side that are alone in a hex after an assault: those in movement mode at once, at
    the end of the action (`all_guns`) also those in fire mode, if there are enemies in it."""
    if state.occ[side] >> h & 1 or (all_guns and not state.occ[1 - side] >> h & 1):
        return
    lost = rules.of_side[side] & rules.guns & ~(0 if all_guns else state.emplaced)
    for unit in tuple(state.stacks.get(h, ())):
        if lost >> unit & 1:
            remove(rules, state, unit, SURRENDERED, "12.3.5.3" if all_guns else "18.3", out)


def surrendered_steps(rules: CaporettoPrinted, state: State, force: int) -> int:
    """23.1.losses: the steps that units of a force count which have surrendered: a battalion two even if reduced, but
    one that had become a company (21.10) counts as such."""
    own = rules.of_force[force]
    return sum([surrender_steps(rules, state, unit) for unit in in_box(state, SURRENDERED) if own >> unit & 1])


def surrender_steps(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """23.1.losses: the steps that a unit counts which has surrendered."""
    small = rules.can_detach >> unit & 1 and steps_left(rules, state, unit) == 1
    return rules.tables.number("victory", "company") if small else rules.surrender_value[unit]


# Companies of German battalions


def most_detached(rules: CaporettoPrinted, state: State, unit: int) -> int:
    """21.10.e2: how many companies a battalion can detach now, before it has moved; it is the last one itself."""
    if not rules.can_detach >> unit & 1 or state.at[unit] < 0 or state.moved >> unit & 1:
        return 0
    return min(steps_left(rules, state, unit) - 1, len(_free_companies(rules, state, unit)))


def _free_companies(rules: CaporettoPrinted, state: State, unit: int) -> list[int]:
    """21.10: its companies that are not in play; those eliminated are so many counters again."""
    gone = (SURRENDERED, EXITED)
    return [one for one in rules.companies_of.get(unit, ()) if state.at[one] < 0 and state.at[one] not in gone]


def detach(rules: CaporettoPrinted, state: State, unit: int, number: int, out: list[Event]) -> tuple[int, ...]:
    """21.10.e2: companies appear in the hex, each with the disorganisation and the marks of the battalion."""
    made = tuple(_free_companies(rules, state, unit)[:number])
    for one in made:
        put(rules, state, one, state.at[unit])
        state.dp[one], state.lost[one] = state.dp[unit], 0
        for name in KEPT:
            mask = getattr(state, name)
            setattr(state, name, mask | (mask >> unit & 1) << one)
    state.lost[unit] += len(made)
    state.attachments = tuple(
        [(formation, mask | mask_of(made) * (mask >> unit & 1)) for formation, mask in state.attachments]
    )
    data = {"unit": rules.ids[unit], "companies": list(rules.unit_ids(made)), "left": steps_left(rules, state, unit)}
    out.append(Event("detached", ("21.10.e2",), data))
    return made


def can_absorb(rules: CaporettoPrinted, state: State, unit: int, companies: Sequence[int]) -> bool:
    """21.10.e3: a reduced battalion, which is no company itself, and generic German companies in its hex, no more than
    it has lost; by option of its own kind and morale."""
    if not rules.can_detach >> unit & 1 or state.at[unit] < 0 or steps_left(rules, state, unit) < 2:
        return False
    if not 0 < len(companies) <= state.lost[unit] or len(set(companies)) < len(companies):
        return False
    return all(_fits(rules, state, unit, one) for one in companies)


def absorbable(rules: CaporettoPrinted, state: State, unit: int) -> tuple[int, ...]:
    """21.10.e3: the companies that a battalion could absorb, each by itself."""
    return tuple([one for one in state.stacks.get(state.at[unit], ()) if can_absorb(rules, state, unit, (one,))])


def _fits(rules: CaporettoPrinted, state: State, unit: int, company: int) -> bool:
    if company == unit or state.at[company] != state.at[unit] or rules.side[company] != rules.side[unit]:
        return False
    if not is_generic(rules, state, company) or rules.nation[company] != rules.nation[unit]:
        return False
    if rules.option["absorb_match"] == "any":
        return True
    kinds = rules.counters
    return kinds[company].kind == kinds[unit].kind and rules.morale[company] == rules.morale[unit]


def absorb(rules: CaporettoPrinted, state: State, unit: int, companies: Sequence[int], out: list[Event]) -> None:
    """21.10.e3: a step for each; the battalion takes the lowest disorganisation of the companies, or by option the
    worst of all."""
    points = [state.dp[one] for one in companies]
    state.dp[unit] = min(points) if rules.option["absorb_dl"] == "text" else max(*points, state.dp[unit])
    state.lost[unit] -= len(companies)
    for one in companies:
        flamethrowers.follow(state, one, unit)
        if rules.generic >> one & 1:
            put(rules, state, one, UNMADE)
        else:  # a battalion that had become a company is gone for good
            put(rules, state, one, ELIMINATED)
            state.lost[one] = rules.full_steps[one]
        state.dp[one] = 0
        for name in MASKS:
            setattr(state, name, getattr(state, name) & ~(1 << one))
    data = {"unit": rules.ids[unit], "companies": list(rules.unit_ids(companies)), "dp": state.dp[unit]}
    out.append(Event("absorbed", ("21.10.e3",), data))


def one_unit(rules: CaporettoPrinted, state: State, units: Sequence[int]) -> bool:
    """11.1.2, 21.6: a single unit, or up to four generic companies that are stacked together, or companies of the
    Rommel detachment, which are its container; flamethrowers do not count."""
    fighting = [unit for unit in units if not rules.flamethrowers >> unit & 1]
    if len(fighting) == 1:
        return True
    if not 1 < len(fighting) <= QUARTERS or len({state.at[unit] for unit in fighting}) > 1:
        return False
    if all(state.rommel >> unit & 1 for unit in fighting):
        return True
    return all(is_generic(rules, state, unit) for unit in fighting)
