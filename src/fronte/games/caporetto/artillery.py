"""18, 12.1, 12.2.4: guns. What each is worth now, who may still fire at what, batteries in place and on the move.

Factors are counted in parts of one, so that every half of the book stays exact: of points, of indirect fire, of a
blizzard, of a barrage, of what goes astray.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from fronte.engine.decision import Refusal
from fronte.engine.event import Event
from fronte.games.caporetto import command, losses, morale, observation, stacking
from fronte.games.caporetto.printed import SURRENDERED
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.state import units_of
from fronte.games.caporetto.tables import Fraction
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted
    from fronte.games.caporetto.state import State

PARTS = 32
"""18.6: five halves of halves."""
SNOWED = Fraction(1, 2)
"""8.1: what a blizzard leaves of a bombardment."""
OBSERVED, SEEN = "A", "B"
"""12.2.4: the two cases of defensive fire."""
FIRST = 1
"""24.9 to 24.13: the turn with rules of its own."""


class Shot(NamedTuple):
    """A gun that fires, and with how much of its factor: with all of it, or a group's share (18.9)."""

    gun: int
    points: int


def times(amount: int, part: Fraction) -> int:
    """A part of an amount that is counted in parts."""
    return amount * part.part // part.of


# What guns are worth


def factor(rules: CaporettoPrinted, state: State, gun: int) -> int:
    """18.1, 18.6: each point takes half of what is printed; on the move it is nothing."""
    if not state.emplaced >> gun & 1:
        return 0
    printed, points = rules.factor[gun] * PARTS, state.dp[gun]
    return max(0, printed - points * times(printed, rules.gun_loss)) if points else printed


def left(rules: CaporettoPrinted, state: State, gun: int) -> int:
    """12.1.2, 18.9: what it can still fire offensively this turn; of groups what they have not yet spent."""
    if state.act >> gun & 1:
        return 0
    found = factor(rules, state, gun)
    return max(0, found - dict(state.spent).get(gun, 0)) if state.spent else found


def all_of(rules: CaporettoPrinted, state: State, gun: int) -> Shot:
    """Everything that it has left."""
    return Shot(gun, left(rules, state, gun))


def strength(rules: CaporettoPrinted, state: State, shot: Shot, h: int) -> int:
    """12.1.type, 8.1.blizzard.bomb: what a shot is worth in a hex: direct or not, into a blizzard or not."""
    return worth(rules, state, shot, h, observation.is_direct(rules, state.at[shot.gun], h))


def worth(rules: CaporettoPrinted, state: State, shot: Shot, h: int, is_direct: bool) -> int:
    """12.1.type, 8.1.blizzard.bomb: the same of who knows whether the line is direct."""
    amount = shot.points
    if not is_direct:
        amount = times(amount, rules.tables.guns[rules.gun_class[shot.gun]].indirect)
    return times(amount, SNOWED) if rules.snow[state.turn] >> h & 1 else amount


def strengths(rules: CaporettoPrinted, state: State, shot: Shot, hexes: int) -> list[tuple[int, int]]:
    """The same in each of these hexes, which are in its range: sets of hexes in which it is worth as much."""
    direct = observation.directly(rules, state.at[shot.gun], hexes, rules.range[shot.gun])
    indirect = times(shot.points, rules.tables.guns[rules.gun_class[shot.gun]].indirect)
    snow = rules.snow[state.turn]
    kinds = ((shot.points, hexes & direct), (indirect, hexes & ~direct))
    found = [(amount, there & ~snow) for amount, there in kinds]
    return found + [(times(amount, SNOWED), there & snow) for amount, there in kinds]


# Offensive fire


def ready(rules: CaporettoPrinted, state: State, side: int, among: int = -1) -> int:
    """12.1.2, 12.1.3.e1: the guns of a side, or those of them that are asked for, that may still fire offensively this
    turn."""
    able = rules.guns & rules.of_side[side] & state.emplaced & ~state.act & ~state.ooc & among
    return _loaded(rules, state, able & state.present)


def _loaded(rules: CaporettoPrinted, state: State, guns: int) -> int:
    """12.1.2, 18.6: those of these guns, which are in place and have not fired, that have something left: all but some
    of those with points, and some of the groups."""
    spent = mask_of([gun for gun, _ in state.spent])
    doubtful = [gun for gun in bits(guns) if state.dp[gun] or spent >> gun & 1]
    return guns & ~mask_of([gun for gun in doubtful if not left(rules, state, gun)])


def serving(rules: CaporettoPrinted, state: State, formation: int) -> int:
    """12.1.3.e1, 18.6: those that may be assigned to a formation (`command.free_guns`) and have something to fire."""
    return _loaded(rules, state, command.free_guns(rules, state, formation))


def bombards_in_actions(rules: CaporettoPrinted, state: State, side: int) -> bool:
    """24.12: in turn 1 the guns of AHG bombard in the Artillery Phase only."""
    return not (rules.scene.opening.preparation and state.turn == FIRST and side == AHG)


def why_not_ready(rules: CaporettoPrinted, state: State, gun: int) -> Refusal | None:
    """12.1.2, 12.1.3.e1, 18.1, 18.6: why a gun cannot fire offensively at all now."""
    data = {"unit": rules.ids[gun]}
    if not state.emplaced >> gun & 1:
        return Refusal("18.1", "not_emplaced", data)
    if state.ooc >> gun & 1:
        return Refusal("12.1.3.e1", "out_of_command", data)
    if not factor(rules, state, gun):
        return Refusal("18.6", "no_factor", data)
    return None if left(rules, state, gun) else Refusal("12.1.2", "has_fired", data)


def why_no_shot(rules: CaporettoPrinted, state: State, shot: Shot, h: int, observed: int) -> Refusal | None:
    """12.1, 12.1.type, 18.9, 21.7: why a gun cannot fire so at a hex, if these hexes are observed."""
    gun = shot.gun
    why = why_not_ready(rules, state, gun)
    if why is not None:
        return why
    data, most = {"unit": rules.ids[gun], "hex": rules.grid.ids[h]}, left(rules, state, gun)
    if not 0 < shot.points <= most:
        return Refusal("18.9", "too_many_points", data)
    if not rules.groups >> gun & 1 and shot.points != most:
        return Refusal("12.1.3", "not_divided", data)
    if not 0 < rules.grid.distance(state.at[gun], h) <= rules.range[gun]:
        return Refusal("12.1", "out_of_range", data)
    if not rules.ground.extent >> h & 1:
        return Refusal("21.7", "out_of_play", data)
    if not strength(rules, state, shot, h):
        return Refusal("12.1.type", "no_direct_line", data)
    if rules.option["cross_sector_fire"] == "common-only" and not rules.home(gun) >> h & 1:
        return Refusal("24.3", "other_sector", data)
    return None if observed >> h & 1 else Refusal("12.1.1", "not_observed", data)


def covers(rules: CaporettoPrinted, state: State, gun: int) -> int:
    """12.1, 12.1.type: the hexes that a gun in place can fire at from where it is, whoever observes them."""
    here, far = state.at[gun], rules.range[gun]
    near = rules.grid.within(here, far)
    if not rules.tables.guns[rules.gun_class[gun]].indirect.part:
        near = observation.directly(rules, here, near, far)
    return near & ~(1 << here) & rules.ground.extent


def spend(rules: CaporettoPrinted, state: State, shots: Iterable[Shot]) -> None:
    """12.1.2, 18.9: these have fired offensively; a group is done when nothing is left of it."""
    for gun, points in shots:
        if rules.groups >> gun & 1:
            used = dict(state.spent)
            used[gun] = used.get(gun, 0) + points
            state.spent = tuple(sorted(used.items()))
            if left(rules, state, gun):
                continue
        state.act |= 1 << gun


def close(rules: CaporettoPrinted, state: State) -> None:
    """18.9, `group_split`: a step of fire is over; by the option a group that has fired in it is done for the turn."""
    if rules.option["group_split"] == "one-activation":
        _finish(state)


def close_preparation(state: State) -> None:
    """24.12.e2: the preparatory bombardment is over: a group that has fired in it is used no more."""
    _finish(state)


def _finish(state: State) -> None:
    for gun, _ in state.spent:
        state.act |= 1 << gun


def spend_in_preparation(rules: CaporettoPrinted, state: State, shots: Iterable[Shot]) -> None:
    """24.12.e2: whoever fires in the preparatory bombardment has fired offensively and defensively."""
    shots = tuple(shots)
    spend(rules, state, shots)
    state.def_fired |= mask_of(shot.gun for shot in shots)


def rest(state: State) -> None:
    """12.1.6.e4, 12.1.2, 12.2.7: at the end of a turn guns may fire again."""
    state.act = state.def_fired = 0
    state.spent = ()


# Defensive fire


def ready_to_defend(rules: CaporettoPrinted, state: State, side: int, among: int = -1) -> int:
    """12.2.4, 12.2.7, 18.6, 18.9.3: the guns of a side that may fire defensively: no heavy ones, no groups, none with
    two points. Who is Out of Command may (7.8). `among` as in `ready`."""
    able = rules.guns & rules.of_side[side] & state.emplaced & ~rules.groups & ~state.def_fired & among
    return mask_of(
        [
            gun
            for gun in bits(able & state.present)
            if rules.tables.guns[rules.gun_class[gun]].defends and factor(rules, state, gun)
        ]
    )


def defence_case(rules: CaporettoPrinted, state: State, gun: int, h: int, is_assault: bool, observed: int) -> str:
    """12.2.4: by which of the two cases a gun may fire at a hex, the better one; empty if by none.

    `is_assault`: there is an Assault marker in the hex, and not only Support Fire.
    """
    if rules.grid.distance(state.at[gun], h) > min(rules.defensive_range, rules.range[gun]):
        return ""
    if observation.sees(rules, state, gun, h):
        return SEEN
    indirect = rules.tables.guns[rules.gun_class[gun]].indirect.part
    fits = indirect or observation.is_direct(rules, state.at[gun], h)
    return OBSERVED if is_assault and fits and observed >> h & 1 else ""


def why_no_help(rules: CaporettoPrinted, gun: int, firers: Iterable[int]) -> Refusal | None:
    """18.8, 24.9.2.e1: why a gun cannot fire defensively together with these units.

    Guns of a division need a unit of it among them, guns of a corps nobody; with the brigades that have no guns none
    fires.
    """
    firers, data = tuple(firers), {"unit": rules.ids[gun]}
    without = rules.scene.without_guns
    if any(rules.counters[unit].formation in without for unit in firers):
        return Refusal("24.9.2.e1", "without_guns", data)
    if rules.division[gun] >= 0:
        served = any(_division(rules, unit) == rules.division[gun] for unit in firers)
    else:
        served = not firers or any(rules.force[unit] == rules.force[gun] for unit in firers)
    return None if served else Refusal("18.8", "serves_others", data)


def _division(rules: CaporettoPrinted, unit: int) -> int:
    """18.8: that of its formation; of an independent its own (2.2.3)."""
    formation = rules.formation_of[unit]
    return rules.division[unit] if formation == NO_ONE else rules.formations[formation].division


# Modes and capture


def why_stays(rules: CaporettoPrinted, state: State, gun: int) -> Refusal | None:
    """18.9.1, 24.9, 25.9: why a gun keeps its side, whatever the others do."""
    data = {"unit": rules.ids[gun]}
    if rules.groups >> gun & 1:
        return Refusal("18.9.1", "group_stays", data)
    held = state.turn == FIRST and not rules.scene.opening.limber and rules.side[gun] == ITALIAN
    return Refusal(f"{rules.scene.rule}.9.e1", "stays_emplaced", data) if held and state.emplaced >> gun & 1 else None


def why_no_turn(rules: CaporettoPrinted, state: State, gun: int) -> Refusal | None:
    """18.1, 18.9.1, 24.9, 11.1.e3: why a gun cannot be turned to its other side."""
    return why_no_turns(rules, state, (gun,))


def why_no_turns(rules: CaporettoPrinted, state: State, guns: Iterable[int]) -> Refusal | None:
    """18.1, 11.1.e3: the same of several at once: where some are put in place, all who are in place then must fit."""
    guns = tuple(guns)
    for gun in guns:
        why = why_stays(rules, state, gun)
        if why is not None:
            return why
    after = state.emplaced ^ mask_of(guns)
    for gun in guns:
        if after >> gun & 1:
            h = state.at[gun]
            placed = mask_of(units_of(rules, state, h, rules.side[gun])) & rules.guns & after
            rule = stacking.why_not(rules, h, bits(placed))
            if rule:
                return Refusal(rule, "too_many_guns", {"unit": rules.ids[gun]})
    return None


def turn(rules: CaporettoPrinted, state: State, gun: int, out: list[Event]) -> None:
    """18.1, 18.2: to the other side. Medium and heavy guns need turns to be in place."""
    state.emplaced ^= 1 << gun
    in_place = bool(state.emplaced >> gun & 1)
    out.append(Event("gun_turned", ("18.1",), {"unit": rules.ids[gun], "emplaced": in_place}))
    points = rules.tables.guns[rules.gun_class[gun]].emplaced_dp
    if in_place and points:
        morale.disorganise(rules, state, (gun,), points, out, "18.2")
        morale.test_surrenders(rules, state, (gun,), out)


def capture(rules: CaporettoPrinted, state: State, h: int, loser: int, out: list[Event]) -> None:
    """18.3, 18.9.4: the enemy moves into a hex, and the guns of a side in it surrender, groups too. What an assault
    leaves is `losses.capture`."""
    for gun in units_of(rules, state, h, loser):
        if rules.guns >> gun & 1:
            losses.remove(rules, state, gun, SURRENDERED, "18.3", out)
