"""10: marches. Units go hex by hex, and after each hex comes what entering does, and fire at them.

A move stays open (`State.moving`) until others move: it may be given in one order or hex by hex, and of a stack some
may go on and leave the others behind. What each has left is kept (`State.leftovers`), since an assault may still be
declared with it when the move is over (10.2.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, pairwise, product
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.engine.standing import ONE_HEX, Policies, Policy, Value
from fronte.games.caporetto import (
    artillery,
    engineers,
    fire,
    flamethrowers,
    morale,
    movement,
    retreats,
    seating,
    sectors,
    sightings,
    trenches,
    victory,
    volleys,
)
from fronte.games.caporetto.movement import OTHERS, TACTICAL, Going, Manner, Toll
from fronte.games.caporetto.state import NOBODY, State, put
from fronte.games.caporetto.tables import CLOSED, WHOLE_ALLOWANCE
from fronte.games.common.positions import HEX, HEXES, UNITS
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
MOST = 40
"""More units than ever go together."""
STRATEGIC = Manner(OTHERS, strategic=True)
LONGEST = 80
"""More hexes than anybody can enter in a move."""
MOVES = "act look_round move_guns move_others launch"
"""The decisions out of which one marches."""
RETREATS = "pull_back go_back"
"""What else those may do who are fired at on their way (12.3.5.4)."""
STEP = (
    Argument("units", UNITS, 1, MOST),
    Argument("from", HEX),
    Argument("to", HEX),
    Argument("by_road", NUMBER, 0, 1),
    Argument("retreat", NUMBER, 0, 1),
)
"""A step that was made: who, from where, to where, along a road or not, in a retreat or not."""


# What units have left


def manner_of(state: State, units: Iterable[int], across: bool = False, strategic: bool = False) -> Manner:
    """10.1, 10.3, 10.4: how these units move now; forced if all of them have said so."""
    forced, marched = True, state.marched
    for unit in units:
        if not marched >> unit & 1:
            forced = False
            break
    return _MANNERS[state.phase == "action", forced, strategic, across]


_MANNERS = MappingProxyType(
    {
        (acts, forced, strategic, across): Manner(TACTICAL if acts else OTHERS, forced, strategic, not across)
        for acts, forced, strategic, across in product((False, True), repeat=4)
    }
)
"""All there are."""


class _Spare:
    """10.0.1: what is left of moves, by unit. The same is asked again and again until somebody moves on."""

    last: tuple[tuple[tuple[int, int], ...], Mapping[int, int]] = ((), MappingProxyType({}))


def spare(state: State) -> Mapping[int, int]:
    """4.0-7.A: the quarters of a point that each has left of his own who has moved in the step that is going on."""
    known, found = _Spare.last
    if known is not state.leftovers:
        found = dict(state.leftovers)
        _Spare.last = state.leftovers, found
    return found


def left_of(rules: Caporetto, state: State, units: Iterable[int], strategic: bool = False) -> int:
    """10.0, 10.4, 10.3.2: the quarters of a point that these units have together: what the one with the least has."""
    begun, found = spare(state), movement.NEVER
    marched = state.marched
    for unit in units:
        own = rules.points[unit]
        if state.rommel >> unit & 1:
            own = movement.own_points(rules, state, unit)
        left = begun.get(unit, own)
        if strategic or (marched and marched >> unit & 1):
            left += movement.allowance(rules, state, (unit,), manner_of(state, (unit,), strategic=strategic)) - own
        if left < found:
            found = left
    return found


def is_open(state: State, units: Iterable[int]) -> bool:
    """10.0.6: are these among those who are moving, so that they may go on?"""
    going = state.moving & ~state.activated
    return bool(going) and all(going >> unit & 1 for unit in units)


def has_begun(state: State, unit: int) -> bool:
    """10.0.6, 10.0.9: has it spent points in the step that is going on?"""
    return unit in spare(state)


def is_fresh(state: State, units: Iterable[int]) -> bool:
    """10.0.9: has nobody of these spent anything in the step that is going on?"""
    begun = spare(state)
    return not begun or begun.keys().isdisjoint(units)


def may_be_strategic(rules: Caporetto, state: State, units: Sequence[int]) -> bool:
    """10.3.2, 10.3.2.e2: may these still move strategically? Nobody of them has been near an enemy on the way, or has
    become Out of Command there."""
    if state.phase == "action":
        return False
    begun = spare(state)
    for unit in units:
        if state.ooc >> unit & 1:
            return False
        if unit in begun:
            if not state.rapid >> unit & 1:
                return False
        elif movement.why_not_so(rules, state, (unit,), STRATEGIC) is not None:
            return False
    return True


# Forced marches


def why_not_forced(rules: Caporetto, state: State, unit: int) -> Refusal | None:
    """10.4, 10.4.e1, 10.0.9: why a unit may not make a forced march now; once it has said so it marches."""
    if state.marched >> unit & 1:
        return Refusal("10.4", "marches_already", {"unit": rules.ids[unit]})
    if state.climbed >> unit & 1:
        return Refusal("10.0.9", "has_climbed", {"unit": rules.ids[unit]})
    return movement.why_not_so(rules, state, (unit,), Manner(forced=True))


def force(rules: Caporetto, state: State, units: Iterable[int], out: list[Event]) -> None:
    """10.4: these march by force: half as far again, and a point for each when the march is over."""
    fresh = [unit for unit in units if not state.marched >> unit & 1]
    if fresh:
        state.marched |= mask_of(fresh)
        state.weary |= mask_of(fresh)
        out.append(Event("forced_march", ("10.4",), {"units": rules.unit_ids(fresh)}))


def tire(rules: Caporetto, state: State, out: list[Event], units: Iterable[int] | None = None) -> None:
    """10.4, 15.4: the forced marches of these units, or of all, are over: a point for each, and who has reached his
    morale on the way surrenders next to an enemy.

    In an action that is at the end of step A, after all declarations and before the bombardment; of who assaults on the
    move when he has declared it.
    """
    owed = state.weary if units is None else state.weary & mask_of(units)
    state.weary &= ~owed
    tired = tuple([unit for unit in bits(owed) if state.at[unit] >= 0])
    if tired:
        morale.disorganise(rules, state, tired, 1, out, "10.4")
        morale.test_surrenders(rules, state, tired, out)


# A move begins, and is over


def set_out(
    rules: Caporetto, state: State, units: Sequence[int], path: Sequence[int], manner: Manner, out: list[Event]
) -> None:
    """10.0: units set out along a path, above the decision that sent them. Whoever else was moving has done so."""
    if not is_open(state, units):
        close(state)
    if manner.forced:
        force(rules, state, units, out)
    state.moving, state.mover = mask_of(units), units[0]
    state.frames.append(Frame("march", AUTO, (tuple(units), tuple(path), int(not manner.by_road))))


def close(state: State) -> None:
    """10.0.6: the move that was open is over; what is left is kept for declarations."""
    state.moving, state.mover, state.left, state.steps = 0, NOBODY, 0, 0


def drop_out(state: State, units: Iterable[int]) -> None:
    """10.0.6, 10.2.1: these move no more; whoever was with them may."""
    state.moving &= ~mask_of(units)
    if not state.moving:
        close(state)
    elif not state.moving >> state.mover & 1:
        state.mover = next(bits(state.moving))


def forget(state: State) -> None:
    """10.0.1: the step is over, and what was left of the moves in it is lost."""
    close(state)
    state.leftovers = ()
    state.climbed = state.rapid = 0


# A step


def why_no_step(
    rules: Caporetto, state: State, units: Sequence[int], here: int, there: int, left: int, ways: Going, fresh: bool
) -> Refusal | None:
    """10.0, 10.0.3, 10.0.5: why units cannot go from a hex to another with so much left; `fresh` if nobody has spent
    anything (10.0.9)."""
    found = step(rules, state, units, here, there, left, ways, fresh)
    return found if isinstance(found, Refusal) else None


def step(
    rules: Caporetto, state: State, units: Sequence[int], here: int, there: int, left: int, ways: Going, fresh: bool
) -> Toll | Refusal:
    """10.0, 10.0.3, 10.0.5, 10.1.1: what units pay for going from a hex to another with so much left, the point for
    leaving an enemy zone in it, or why they cannot."""
    if not rules.grid.ring[here] >> there & 1:
        return Refusal("10.0", "not_next", {"hex": rules.hex_id(there), "from": rules.hex_id(here)})
    if ways.closed >> there & 1:
        return why_closed(rules, state, units, there)
    if ways.kept and ways.closed_from(here) >> there & 1:
        return Refusal("24.3", "other_sector", {"unit": rules.ids[units[0]], "hex": rules.hex_id(there)})
    found = movement.toll(rules, state, units, here, there, ways)
    paid = found.paid
    if paid == CLOSED:
        return Refusal("10.0.2", "no_way", {"hex": rules.hex_id(there), "from": rules.hex_id(here)})
    if paid == WHOLE_ALLOWANCE:
        if fresh:
            return found
        return Refusal("10.0.9", "climbs_only_at_first", {"unit": rules.ids[units[0]]})
    if ways.zones >> here & 1:
        paid += movement.leaving_price(rules, state, here, ways)
    if paid > left:
        data = {"hex": rules.hex_id(there), "need": paid, "have": max(left, 0)}
        return Refusal("10.0.3", "step_too_dear", data)
    return found if paid == found.paid else Toll(paid, found.by_road)


def why_closed(rules: Caporetto, state: State, units: Sequence[int], h: int) -> Refusal:
    """10.0.5, 10.3.1.e1, 10.3.2, 18.4, 21.7, 24.3: why units may not enter a hex at all."""
    data, foes = {"hex": rules.hex_id(h)}, 1 - rules.side[units[0]]
    if not rules.ground.extent >> h & 1:
        return Refusal("21.7", "out_of_play", data)
    if state.occ[foes] >> h & 1:
        return Refusal("10.0.5", "enemy_there", data)
    if state.guns[foes] >> h & 1 and state.phase != "action":
        return Refusal("10.3.1.e1", "enemy_guns_there", data)
    if any(not sectors.may_go(rules, state, unit) >> h & 1 for unit in units):
        return Refusal("24.3", "other_sector", {"unit": rules.ids[units[0]], **data})
    if any(rules.guns >> unit & 1 for unit in units):
        return Refusal("18.4", "zone_without_friend", data)
    return Refusal("10.3.2", "enemy_near", {"unit": rules.ids[units[0]], **data})


def still_going(state: State, units: Iterable[int]) -> tuple[int, ...]:
    """10.0.e1: those of these who go on: on the map, and not stopped by fire."""
    going = state.moving & ~state.activated
    return tuple([unit for unit in units if going >> unit & 1 and state.at[unit] >= 0])


def _why_no_march(rules: Caporetto, state: State, frame: Frame) -> str:
    units, path, _ = frame.args
    going = still_going(state, units)
    if len({state.at[unit] for unit in going}) > 1:
        return "the units are not together"
    way = (state.at[going[0]], *path) if going else path
    gap = any(not rules.grid.ring[one] >> other & 1 for one, other in pairwise(way))
    return "the path has a gap" if gap else ""


@CHAPTER.step(
    "10.0",
    "10.0.e1",
    on=MOVES,
    secrets=open_to_all,
    takes=(
        Argument("units", UNITS, 1, MOST),
        Argument("path", HEXES, 0, LONGEST),
        Argument("across", NUMBER, 0, 1),
    ),
    fault=_why_no_march,
)
def march(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """10.0, 10.0.e1: one hex after the other, as far as they still can; who is stopped on the way stays behind."""
    units, path, across = frame.args
    units = still_going(state, units)
    if not units or not path:
        return
    here, there = state.at[units[0]], path[0]
    moved = mask_of(units)
    strategic = state.phase != "action" and is_far(rules, state, units, there) and may_be_strategic(rules, state, units)
    manner = manner_of(state, units, bool(across), strategic)
    ways = movement.going(rules, state, units, manner)
    left = left_of(rules, state, units, strategic)
    made = step(rules, state, units, here, there, left, ways, is_fresh(state, units))
    if isinstance(made, Refusal):
        return
    _spend(rules, state, units, made.paid, strategic)
    stops = movement.must_stop(rules, state, units, here, there, ways)
    for unit in (*units, *flamethrowers.carried(state, units)) if state.bearers else units:
        put(rules, state, unit, there)
    state.moved |= moved
    names = rules.grid.ids
    out.append(Event("moved", ("10.0",), {"units": rules.unit_ids(units), "path": [names[here], names[there]]}))
    if stops:
        close(state)
    else:
        state.moving, state.mover = moved, units[0]
        state.left = 0 if made.paid == WHOLE_ALLOWANCE else max(0, left - made.paid)
        state.steps += 1
        if len(path) > 1:
            state.frames.append(Frame("march", AUTO, (units, path[1:], across)))
    watch(rules, state, units, here, there, made.by_road)
    arrive(rules, state, units, there, out, moves=True)


def is_far(rules: Caporetto, state: State, units: Sequence[int], h: int) -> bool:
    """10.3.2: is a hex far enough from every enemy for strategic movement?"""
    return not movement.near_enemies(rules, state, rules.side[units[0]]) >> h & 1


def _spend(rules: Caporetto, state: State, units: Sequence[int], paid: int, strategic: bool) -> None:
    """10.0.1, 10.0.9, 10.1.1: what a step costs is taken from what each has; a cliff takes all of it."""
    begun = dict(spare(state))
    for unit in units:
        own = begun.get(unit)
        if own is None:
            own = movement.own_points(rules, state, unit)
        if paid == WHOLE_ALLOWANCE:
            own -= left_of(rules, state, (unit,), strategic)
            state.climbed |= 1 << unit
        else:
            own -= paid
        begun[unit] = own
        state.rapid = state.rapid | 1 << unit if strategic else state.rapid & ~(1 << unit)
    state.leftovers = tuple(sorted(begun.items()))
    _Spare.last = state.leftovers, begun


# What entering does


def arrive(rules: Caporetto, state: State, units: Sequence[int], h: int, out: list[Event], moves: bool = False) -> None:
    """10.0.e1: what entering a hex does, however one enters: work is laid down, the hex changes hands, a barrage falls.
    Those who move (`moves`; a retreat or an advance is none, 10.0.6) also take guns, lower an empty trench and set off
    the charges of bridges.

    Dice that are owed lie on top of the stack afterwards. What is to come after them (`watch`) is laid before.
    """
    units = [unit for unit in units if state.at[unit] >= 0]
    if not units:
        return
    force, side = rules.force[units[0]], rules.side[units[0]]
    if state.working:
        for unit in units:
            engineers.stop_work(rules, state, unit, out)
    if state.works:
        engineers.disturb(rules, state, side, h, out)
    if moves and state.guns[1 - side] >> h & 1:
        artillery.capture(rules, state, h, 1 - side, out)
    if not state.control[force] >> h & 1 and rules.combat & mask_of(units):
        victory.enter(rules, state, force, h, out)
    if moves and rules.ground.trench[1 - side] >> h & 1:
        trenches.enter(rules, state, units, h, out)
    if state.barrages:
        volleys.barrage(rules, state, h, units)
    if moves:
        for bridge in reversed(engineers.charged(rules, state, units[0], h)):
            state.frames.append(Frame("approach_die", CHANCE, (bridge,)))


def _why_not_charged(rules: Caporetto, state: State, frame: Frame) -> str:
    (bridge,) = frame.args
    if bridge >= len(rules.ground.bridges):
        return "there is no such bridge"
    standing = state.standing >> bridge & 1 and not state.tested >> bridge & 1
    return "" if standing and rules.ground.bridges[bridge].charged else "it is not charged"


@CHAPTER.throw(
    1,
    "19.2.1",
    on=f"{MOVES} march passing approach_die volley",
    secrets=open_to_all,
    takes=(Argument("bridge", NUMBER, 0, 999),),
    fault=_why_not_charged,
    once=False,
)
def approach_die(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """19.2.1: the first unit of the AHG has come to a bridge: on a low die it goes up."""
    (bridge,) = frame.args
    engineers.approach(rules, state, bridge, dice[0], out)


# 10.1.2: infiltration fire


def watch(
    rules: Caporetto,
    state: State,
    units: Sequence[int],
    here: int,
    there: int,
    by_road: bool = False,
    retreat: bool = False,
) -> None:
    """10.1.2, 12.3.5.4: units have gone from a hex to the next: if enemies may fire at them, they are asked when all is
    done that is laid on the stack after this. So it is called before `arrive`."""
    if not rules.grid.ring[here] & rules.grid.ring[there] & state.occ[1 - rules.side[units[0]]]:
        return  # who could see it is next to both
    frame = Frame("passing", AUTO, (tuple(units), here, there, int(by_road), int(retreat)))
    if firers(rules, state, frame):
        state.frames.append(frame)


def firers(rules: Caporetto, state: State, frame: Frame) -> list[int]:
    """10.1.2, 12.3.2.e1, 12.3.5.4: who may fire at those who made this step, if any of them is still there; at a
    retreat nobody who takes part in an assault."""
    _, here, there, _, retreat = frame.args
    movers = targets(state, frame)
    if not movers:
        return []
    found = movement.watchers(rules, state, movers, here, there)
    if frame.name == "infiltration":  # 24.3: of two people each says who of his own fires
        found = [unit for unit in found if seating.decider(rules, state, unit) == frame.seat]
    if not retreat:
        return found
    busy = retreats.busy(rules, state)
    return [unit for unit in found if not busy >> unit & 1]


def targets(state: State, frame: Frame) -> list[int]:
    """10.1.2: those who made the step and are still in the hex that they entered."""
    units, _, there, _, _ = frame.args
    return [unit for unit in units if state.at[unit] == there]


def _why_no_passing(rules: Caporetto, state: State, frame: Frame) -> str:
    _, here, there, _, _ = frame.args
    return "" if rules.grid.ring[here] >> there & 1 else "the two hexes are not next to each other"


@CHAPTER.step(
    "10.1.2",
    "24.3.inf",
    on=f"{MOVES} march {RETREATS}",
    secrets=open_to_all,
    takes=STEP,
    fault=_why_no_passing,
    once=False,
)
def passing(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """10.1.2, 10.1.2.e3, 24.3.inf: who may fire is asked, unless nothing could come of it; at the line between the
    sectors all fire."""
    _, here, there, by_road, _ = frame.args
    able = firers(rules, state, frame)
    if not able:
        return
    movers = targets(state, frame)
    if sectors.is_at_line(rules, there):
        volleys.infiltration(rules, state, movers, here, there, able, bool(by_road))
        return
    volley = fire.infiltration(rules, state, movers, here, there, able, bool(by_road))
    if volley.column + volley.shift >= 0:
        seats = {seating.decider(rules, state, unit) for unit in able}
        state.frames += [Frame("infiltration", seat, frame.args) for seat in last_asked(rules, state, seats)]


def last_asked(rules: Caporetto, state: State, seats: Iterable[int]) -> list[int]:
    """24.3: of seats that decide for units of one side who acts comes last; the first lies on top."""
    return sorted(seats, key=lambda seat: seat != seating.active_seat(rules, state))


class Shoot(Action, frozen=True):
    """10.1.2: these units fire at those who pass them."""

    form = "shoot {units}"
    odds = True
    units: tuple[str, ...]


class Hold(Action, frozen=True):
    """10.1.2.e3: nobody fires."""

    form = "hold"


@CHAPTER.choice(
    on=f"{MOVES} march {RETREATS} infiltration", seats=anybody, takes=STEP, fault=_why_no_passing, once=False
)
class InfiltrationChoice(Choice["Caporetto", State]):
    """10.1.2: infiltration fire: which of those who may fire do so."""

    name = "infiltration"
    rules = ("10.1.2", "10.1.2.e3")
    verbs = (Shoot, Hold)
    panel = panel.SUBSET

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        yield Hold()
        able = firers(rules, state, frame)
        sizes = (combinations(able, size) for size in range(1, len(able) + 1))
        for units in chain.from_iterable(sizes):
            yield Shoot(rules.unit_ids(units))

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Hold):
            return None
        assert isinstance(action, Shoot)
        units = rules.units(action.units)
        if isinstance(units, Refusal):
            return units
        if not units:
            return Refusal("10.1.2", "nobody_named", {})
        able = firers(rules, state, frame)
        for unit in units:
            if unit not in able:
                return Refusal("10.1.2", "does_not_see_them", {"unit": rules.ids[unit]})
        return None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Hold):
            return
        assert isinstance(action, Shoot)
        _, here, there, by_road, _ = frame.args
        firing = [rules.number[name] for name in action.units]
        volleys.infiltration(rules, state, targets(state, frame), here, there, firing, bool(by_road))

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        able = firers(rules, state, frame)
        draw = rng.random()
        if draw < 0.2 or not able:
            return Hold()
        some = [unit for unit in able if rng.random() < 0.5] if draw < 0.3 else able
        return Shoot(rules.unit_ids(some or able))

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        _, here, there, by_road, retreat = frame.args
        units = [unit for unit in targets(state, frame) if sightings.knows(rules, state, frame.seat, unit)]
        return {
            "units": rules.unit_ids(units),
            "from": rules.hex_id(here),
            "hex": rules.hex_id(there),
            "road": bool(by_road),
            "retreat": bool(retreat),
        }

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        able = list(rules.unit_ids(firers(rules, state, frame)))
        return {
            "actions": [{"do": "hold"}, {"do": "shoot", "units": able}],
            "verb": "shoot",
            "field": "units",
            "pieces": able,
            "free": True,
            "first": able,  # 10.1.2.e2: it costs nothing, and may be done as often as somebody passes
        }


def let_pass(rules: Caporetto, state: State, frame: Frame) -> tuple[tuple[int, ...], Action]:
    """10.1.2.e3: who moves, and the answer with which nobody fires at him: it may be given to the whole move."""
    return frame.args[0], Hold()


def fire_all(rules: Caporetto, state: State, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """10.1.2: the standing order by which all fire who may, or all of one hex."""
    able = [unit for unit in firers(rules, state, frame) if given["at"] in ("", rules.hex_id(state.at[unit]))]
    return Shoot(rules.unit_ids(able)) if able else None


def hold_fire(rules: Caporetto, state: State, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """10.1.2.e3: the one by which nobody does, or nobody of one hex where nobody else could."""
    here = [rules.hex_id(state.at[unit]) for unit in firers(rules, state, frame)]
    return Hold() if given["at"] == "" or all(given["at"] == h for h in here) else None


STANDING: Mapping[str, Policies] = MappingProxyType(
    {"infiltration": {"fire": Policy(fire_all, ONE_HEX), "hold": Policy(hold_fire, ONE_HEX)}}
)
