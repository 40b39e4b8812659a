"""12.3, 10.2, 21.5: assault. Who may, who fights, what it does; at what odds is in `odds`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.engine.event import Event
from fronte.games.caporetto import command, engineers, flamethrowers, losses, morale, sectors, stacking
from fronte.games.caporetto.counters import ITALIANS, QUARTERS
from fronte.games.caporetto.prices import step_price
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.state import put, units_of
from fronte.games.caporetto.tables import CLOSED, WHOLE_ALLOWANCE, Outcome
from fronte.hexes import bits, mask_of, opposite

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import Assault, State, Support

HIGHEST = "highest-current"
"""12.3.4.e1: the option by which nobody chooses."""
GROUPS_FOR_FLANK = 2
"""21.5.2: so many other groups that are not next to the capable one make a flank assault."""


# What a step is about


def now(state: State) -> tuple[Assault, ...]:
    """12.3, 21.5.3: the declared assaults that the current step resolves: while one on the move is going on those of
    who takes part in it, counter-assaults against it among them; else all. Its markers come off when it is over
    (`lift`), so that no later step finds them."""
    if not state.mobile:
        return state.assaults
    return tuple([one for one in state.assaults if state.mobile >> one[0] & 1])


def supports_now(state: State) -> tuple[Support, ...]:
    """10.2.6, 21.5.3: the support fire that the current step is about, likewise."""
    if not state.mobile:
        return state.supports
    return tuple([one for one in state.supports if state.mobile >> one[0] & 1])


# 10.2: who may


def acting(rules: CaporettoPrinted, state: State) -> int:
    """7.7, 12.2.10.S, 21.5.3.e1: the units that act now: in command when the action began, or attached, and not done
    yet. Who has become Out of Command since by a bombardment or a barrage goes on; other fire makes him Activated."""
    return state.commanded & rules.combat & ~state.activated


def is_target(rules: CaporettoPrinted, state: State, h: int, side: int) -> bool:
    """10.2.1: are there combat units of the enemy? A hex with guns alone is entered by moving (18.3)."""
    return bool(state.occ[1 - side] >> h & 1)


def price(rules: CaporettoPrinted, state: State, unit: int, h: int, by_road: bool) -> int:
    """10.2.5: what a marker costs: as if the unit entered the hex, whatever zones and enemies are there; CLOSED where
    it could not, WHOLE_ALLOWANCE across a cliff (10.0.9)."""
    return step_price(rules, state, unit, state.at[unit], h, by_road)


def why_not_assault(
    rules: CaporettoPrinted, state: State, unit: int, h: int, left: int, by_road: bool, able: int | None = None
) -> Refusal | None:
    """10.2.1, 10.2.5: why a unit may not declare an assault with so many quarters of a point left. `able` are the units
    that may act, if not those of the action (12.4)."""
    here, data = state.at[unit], {"unit": rules.ids[unit]}
    if not (acting(rules, state) if able is None else able) >> unit & 1:
        return Refusal("10.2.1", "does_not_act", data)
    refusal = why_never(rules, unit)
    if refusal is not None:
        return refusal
    if here < 0 or not rules.grid.ring[here] >> h & 1:
        return Refusal("10.2.1", "not_adjacent", data | {"hex": rules.grid.ids[h]})
    if not is_target(rules, state, h, rules.side[unit]):
        return Refusal("10.2.1", "no_enemy_there", data | {"hex": rules.grid.ids[h]})
    if any(one == unit for one, _, _ in state.assaults):
        return Refusal("10.2.3", "assaults_already", data)
    if sectors.is_bound(rules, state, unit):
        return Refusal("24.3.start", "bound_to_hex", data)
    if not sectors.open_to(rules, state, unit) >> h & 1:
        return Refusal("24.3", "other_sector", data | {"hex": rules.grid.ids[h]})
    cost = price(rules, state, unit, h, by_road)
    if cost == WHOLE_ALLOWANCE:
        if state.moved >> unit & 1:
            return Refusal("10.0.9", "climbs_only_at_first", data)
        cost = rules.points[unit]
    if cost == CLOSED or cost > left:
        return Refusal("10.2.5", "cannot_enter", data | {"hex": rules.grid.ids[h]})
    if by_road and not _road_has_room(rules, state, unit, h):
        return Refusal("10.2.5.e1", "road_is_full", data)
    return None


def why_never(rules: CaporettoPrinted, unit: int) -> Refusal | None:
    """21.1.e1, 21.3: why a unit never assaults: a machine gun, or an engineer with a white factor."""
    if rules.assaulting >> unit & 1:
        return None
    rule = "21.1.e1" if rules.engineers >> unit & 1 else "21.3"
    return Refusal(rule, "never_assaults", {"unit": rules.ids[unit]})


def _road_has_room(rules: CaporettoPrinted, state: State, unit: int, h: int) -> bool:
    """10.2.5.e1: one battalion-equivalent of each hex assaults along a road, with a company that is free."""
    here = state.at[unit]
    units = [one for one, target, road in state.assaults if road and target == h and state.at[one] == here]
    return _quarters(rules, state, [*units, unit]) <= QUARTERS


def why_not_from(rules: CaporettoPrinted, state: State, units: Sequence[int], here: int) -> Refusal | None:
    """10.2.6.e1, 11.1.e1: why these do not assault out of a hex: one supports from there, or two battalions with a free
    company do already."""
    if any(state.at[one] == here for one, _ in state.supports):
        return Refusal("10.2.6.e1", "support_from_here", {"hex": rules.hex_id(here)})
    ready = [one for one, _, _ in state.assaults if state.at[one] == here]
    if _quarters(rules, state, [*ready, *units]) > rules.most_stacked:
        return Refusal("11.1.e1", "too_many_assault", {"hex": rules.hex_id(here)})
    return None


def declare(
    rules: CaporettoPrinted, state: State, unit: int, h: int, by_road: bool, out: list[Event], rule: str = "10.2.1"
) -> None:
    """10.2.1, 10.2.5: an Assault marker, or one of Road Assault, points at the hex."""
    state.assaults = (*state.assaults, (unit, h, int(by_road)))
    data = {"unit": rules.ids[unit], "hex": rules.hex_id(state.at[unit]), "target": rules.hex_id(h), "road": by_road}
    out.append(Event("assault_declared", (rule,), data))


def why_not_support(
    rules: CaporettoPrinted, state: State, unit: int, h: int, able: int | None = None
) -> Refusal | None:
    """10.2.6, 10.2.6.e1: why a unit may not give support fire at a hex; `able` as in `why_not_assault`."""
    here, data = state.at[unit], {"unit": rules.ids[unit], "hex": rules.grid.ids[h]}
    if rules.nation[unit] == ITALIANS:
        return Refusal("10.2.6", "italians_do_not_support", data)
    if not (acting(rules, state) if able is None else able) >> unit & 1:
        return Refusal("10.2.6", "does_not_act", data)
    if not losses.machine_guns(rules, state, unit):
        return Refusal("10.2.6", "no_machine_guns", data)
    if here < 0 or not rules.grid.ring[here] >> h & 1:
        return Refusal("10.2.6", "not_adjacent", data)
    if any(one == unit for one, _ in state.supports):
        return Refusal("10.2.6", "supports_already", data)
    assaulters = [one for one, target, _ in state.assaults if target == h and rules.side[one] == rules.side[unit]]
    if not any(are_one_formation(rules, state, (unit, one)) for one in assaulters):
        return Refusal("10.2.6", "nobody_to_support", data)
    if any(state.at[one] == here for one, _, _ in state.assaults):
        return Refusal("10.2.6.e1", "assault_begins_here", data)
    beside = [one for one, target in state.supports if target == h and state.at[one] == here]
    if not losses.one_unit(rules, state, (*beside, unit)):  # 11.1.2: four companies are one
        return Refusal("10.2.6.e1", "one_supports_from_here", data)
    return None


def are_one_formation(rules: CaporettoPrinted, state: State, units: Iterable[int]) -> bool:
    """7.5, 7.10, 10.2.6.e1: do these act together? Who is attached counts to the formation to which he is attached;
    others without a formation are none."""
    found = {command.acts_with(rules, state, unit) for unit in units}
    return len(found) <= 1 and NO_ONE not in found


def why_not_on_the_move(
    rules: CaporettoPrinted, state: State, units: Sequence[int], h: int, left: int, by_road: bool
) -> Refusal | None:
    """21.5.3: why these may not assault on the move: a single infiltration-capable unit may, with its flamethrower."""
    units = [unit for unit in units if not rules.flamethrowers >> unit & 1]
    if not losses.one_unit(rules, state, units):
        return Refusal("21.5.3", "one_unit_on_the_move", {})
    for unit in units:
        if not rules.infiltration >> unit & 1:
            return Refusal("21.5.3", "cannot_infiltrate", {"unit": rules.ids[unit]})
        refusal = why_not_assault(rules, state, unit, h, left, by_road)
        if refusal is not None:
            return refusal
    return None


# Who fights


def _quarters(rules: CaporettoPrinted, state: State, units: Iterable[int]) -> int:
    units = tuple(units)
    return stacking.quarters(rules, units, single=losses.singles(rules, state, units))


def fit_together(rules: CaporettoPrinted, state: State, h: int, units: Iterable[int]) -> bool:
    """11.4, 11.5: may so many of one side fight in a hex? Two battalion-equivalents, in High Mountain one."""
    return _quarters(rules, state, units) <= stacking.limit(rules, h)


def why_not_wave(
    rules: CaporettoPrinted, state: State, h: int, wave: Sequence[int], counter: bool = False
) -> Refusal | None:
    """10.2.4, 11.4, 7.10: why these do not assault a hex together. Only in counter-assaults they may be of several
    formations (12.4.1)."""
    declared = {unit for unit, target, _ in now(state) if target == h}
    if not wave or not set(wave) <= declared:
        return Refusal("10.2.3", "not_declared", {"hex": rules.grid.ids[h]})
    if not fit_together(rules, state, h, wave):
        return Refusal("11.4", "too_many_fight", {"hex": rules.grid.ids[h]})
    if not counter and not are_one_formation(rules, state, wave):
        return Refusal("7.10", "several_formations", {"hex": rules.grid.ids[h]})
    return None


def defenders(rules: CaporettoPrinted, state: State, h: int, side: int) -> tuple[int, ...]:
    """12.3.4, 11.1.e1: all units of a side in a hex whom its results concern: guns too, but no flamethrowers."""
    return tuple([unit for unit in units_of(rules, state, h, side) if not rules.flamethrowers >> unit & 1])


def groups(rules: CaporettoPrinted, state: State, h: int, side: int) -> list[tuple[int, ...]]:
    """11.1.e1, 11.4, 12.3.7: who may defend a hex: all combat units, or where they are too many each set to which none
    can be added. Who has retreated into it does not fight. The strongest comes first."""
    able = [unit for unit in defenders(rules, state, h, side) if not (rules.guns | state.joined) >> unit & 1]
    if not able or fit_together(rules, state, h, able):
        return [tuple(able)]
    found = stacking.largest(sorted(able), lambda group: fit_together(rules, state, h, group))
    return sorted(found, key=lambda group: -losses.total(rules, state, group))


def leads(rules: CaporettoPrinted, state: State, group: Sequence[int]) -> tuple[int, ...]:
    """12.3.4.e1: whose morale may be used: of any who fight, by option only the highest. The first is the usual one: of
    the highest morale, and of these who has most steps to lose."""

    def rank(unit: int) -> tuple[int, int, int]:
        return -morale.current(rules, state, unit), -losses.steps_left(rules, state, unit), unit

    found = sorted(group, key=rank)
    if rules.option["assault_lead"] == HIGHEST:
        found = [unit for unit in found if rank(unit)[0] == rank(found[0])[0]]
    return tuple(found)


# What it does


def begin(rules: CaporettoPrinted, state: State, h: int, side: int, wave: Iterable[int], out: list[Event]) -> None:
    """24.9, 24.9.2, 17.3: a hex of this side is assaulted: its formations have been, and engineers there, or among
    those who assault, lay down their work."""
    for unit in (*defenders(rules, state, h, side), *wave):
        engineers.stop_work(rules, state, unit, out)
        if rules.side[unit] == side and rules.formation_of[unit] != NO_ONE:
            state.assaulted |= 1 << rules.formation_of[unit]
            state.attacked |= 1 << rules.formation_of[unit]


def strike(
    rules: CaporettoPrinted, state: State, units: Iterable[int], line: Outcome, won: bool, out: list[Event]
) -> tuple[int, ...]:
    """12.3.4, 15.4.1, 15.4.2: points for each of one side's units, then surrenders, the winner's excepted. The steps
    come after that (`losses.assault_splits`). Tells who has surrendered."""
    units = tuple(units)
    morale.disorganise(rules, state, units, line.dp, out, "12.3.4")
    return morale.test_surrenders(rules, state, units, out, spared="15.4.2" if won else "")


def why_not_enter(rules: CaporettoPrinted, state: State, h: int, units: Iterable[int]) -> str:
    """10.2.3, 12.3.1.e1: the rule by which these cannot all enter a hex that is left empty; empty if they can. The
    limit is that of stacking, not of fighting (11.1), and of flamethrowers, which go with their units (21.4)."""
    units = tuple(units)
    there = [one for one in state.stacks.get(h, ()) if units and rules.force[one] == rules.force[units[0]]]
    together = (*there, *units, *flamethrowers.carried(state, units))
    limbered, single = rules.guns & ~state.emplaced, losses.singles(rules, state, together)
    return stacking.why_not(rules, h, together, limbered, single)


def advance(rules: CaporettoPrinted, state: State, wave: Iterable[int], h: int, out: list[Event]) -> None:
    """12.3.8, 12.3.1.e1: a wave enters the hex that is left to it, with its flamethrower; where each came from is kept
    (12.3.5.6), and that the hex has fallen (12.4). Whoever calls sees to what entering does (23.1, 12.1.6)."""
    for unit in [one for one in wave if state.at[one] >= 0]:
        here = state.at[unit]
        state.launched[rules.side[unit]] |= 1 << here
        state.advanced = (*[pair for pair in state.advanced if pair[0] != unit], (unit, here))
        for one in (unit, *flamethrowers.carried(state, (unit,))):
            put(rules, state, one, h)
        data = {"unit": rules.ids[unit], "hex": rules.hex_id(here), "to": rules.hex_id(h)}
        out.append(Event("advanced", ("12.3.8",), data))
    if h not in state.fallen:
        state.fallen = (*state.fallen, h)


def launched_from(rules: CaporettoPrinted, state: State, side: int) -> int:
    """12.3.5, 12.3.1.e1: the hexes from which units of a side have assaulted in this action, or have yet to: the
    markers stay to its end."""
    gone = {unit for unit, _ in state.advanced}
    waiting = [unit for unit, _, _ in state.assaults if unit not in gone and rules.side[unit] == side]
    return state.launched[side] | mask_of([state.at[unit] for unit in waiting])


def lift(rules: CaporettoPrinted, state: State, units: Iterable[int]) -> None:
    """21.5.3: the markers of an assault that is over come off, those of support fire too; that it came from there is
    kept to the end of the action (12.3.5)."""
    units, gone = tuple(units), {unit for unit, _ in state.advanced}
    for unit, _, _ in state.assaults:
        if unit in units and unit not in gone:
            state.launched[rules.side[unit]] |= 1 << state.at[unit]
    state.assaults = tuple([one for one in state.assaults if one[0] not in units])
    state.supports = tuple([one for one in state.supports if one[0] not in units])


def end_action(state: State) -> None:
    """13: what is remembered of assaults for the length of an action is forgotten."""
    state.assaults, state.supports, state.advanced, state.fallen = (), (), (), ()
    state.launched, state.flanked = [0, 0], 0
    state.retreated = state.joined = state.answered = state.fought = 0


# 21.5.2: the flank


def is_flank_assault(rules: CaporettoPrinted, state: State, h: int) -> bool:
    """21.5.2: does an infiltration-capable unit assault while others assault or support from the opposite side, or two
    groups do from hexes that are not next to its own? Supporters count though their markers are gone (12.1.7), and who
    holds the hex since his own assault does not."""
    held = [bool(state.occ[side] >> h & 1) for side in (0, 1)]
    units = [unit for unit, target, _ in now(state) if target == h and not held[rules.side[unit]]]
    helpers = [unit for unit, target in supports_now(state) if target == h and not held[rules.side[unit]]]
    capable = mask_of(state.at[unit] for unit in units if rules.infiltration >> unit & 1)
    others = mask_of(state.at[unit] for unit in (*units, *helpers))
    six = rules.grid.neighbours[h]
    for here in bits(capable):
        behind = six[opposite(six.index(here))]
        apart = others & ~rules.grid.ring[here] & ~(1 << here)
        if (behind >= 0 and others >> behind & 1) or apart.bit_count() >= GROUPS_FOR_FLANK:
            return True
    return False


def take_in_flank(rules: CaporettoPrinted, state: State, h: int, side: int, out: list[Event]) -> None:
    """21.5.2: a point for each unit of this side in the hex before the first assault, once in an action (ours)."""
    if state.flanked >> h & 1 or not is_flank_assault(rules, state, h):
        return
    state.flanked |= 1 << h
    units = defenders(rules, state, h, side)
    morale.disorganise(rules, state, units, rules.tables.number("companies", "flank_dp"), out, "21.5.2")
    morale.test_surrenders(rules, state, units, out)
