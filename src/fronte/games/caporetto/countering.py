"""4.0-7.E, 12.4: counter-assaults are declared against the hexes that were just lost.

One order takes a unit, or some of a stack, to a hex next to the lost one and declares its assault there: whoever does
not get so far, because he is fired at on the way, has no part in it. Support fire of the AHG is declared from where its
units stand and resolved when all has been declared (12.4.2, ours).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.caporetto import (
    assault,
    counter_assault,
    flamethrowers,
    forecasts,
    losses,
    marching,
    movement,
    on_the_move,
    panels,
    seating,
    stacking,
    volleys,
)
from fronte.games.caporetto.movement import Manner
from fronte.games.caporetto.prices import step_price
from fronte.games.caporetto.state import State, put
from fronte.games.caporetto.tables import CLOSED, WHOLE_ALLOWANCE
from fronte.games.common.positions import HEX, UNITS
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
MOST = 40


class Counter(Action, frozen=True):
    """12.4.1: units of one hex go along a path, if they are not there yet, and assault the lost hex from its end."""

    form = "counter {units} at {target}[ by {path:-}][ marching {forced}][ along {road}]"
    odds = True
    words = MappingProxyType({"forced": "hard", "road": "road"})
    units: tuple[str, ...]
    target: str
    path: tuple[str, ...] = ()
    """The hexes that they enter."""
    forced: str = ""
    """10.4: `hard` if they make a forced march."""
    road: str = ""
    """10.2.5: `road` if they assault along it."""


class Assist(Action, frozen=True):
    """12.4.2, 10.2.6: a unit of the AHG supports a counter-assault with fire."""

    form = "assist {unit} at {target}"
    odds = True
    unit: str
    target: str


class Declared(Action, frozen=True):
    """12.4: all counter-assaults have been declared."""

    form = "declared"


HARD, ROAD = "hard", "road"


# Which hexes, and who


def side_of(rules: Caporetto, state: State) -> int:
    """12.4: who counter-assaults: the side that does not act."""
    return 1 - rules.scene.force_side[state.active]


def lost_now(rules: Caporetto, state: State) -> list[int]:
    """12.4, 21.5.3: the hexes that were lost in the assaults that have just been resolved; those lost on the move had a
    counter-assault of their own."""
    side = side_of(rules, state)
    taken = {target for one, target, _ in assault.now(state) if rules.side[one] != side}
    return [h for h in counter_assault.lost_hexes(rules, state, side) if h in taken]


class Way(NamedTuple):
    """How units come to a hex from which they assault."""

    path: tuple[int, ...]
    forced: bool
    left: int


def ways(rules: Caporetto, state: State, units: Sequence[int], h: int) -> list[Way]:
    """12.4.1, 10.4: the ways to each hex next to a lost one, by the cheapest path; a forced march only where it is
    needed to come there and assault. The first is to stay, where they are next to it."""
    here, near = state.at[units[0]], rules.grid.ring[h]
    found: list[Way] = []
    for forced in (False, True):
        manner = Manner(forced=forced)
        if forced and movement.why_not_so(rules, state, units, manner) is not None:
            break
        points = movement.allowance(rules, state, units, manner)
        done = {way.path[-1] if way.path else here for way in found}
        reached = movement.Reached({}, {})
        if all(counter_assault.why_stays(rules, state, unit) is None for unit in units):
            reached = movement.spread(rules, state, units, points, manner, goals=near)
        ends = {here: points} | {end: left for end, left in reached.left.items() if near >> end & 1}
        for end, left in sorted(ends.items(), key=lambda pair: (pair[0] != here, pair[0])):
            if end in done or not near >> end & 1 or not _prices(rules, state, units, end, h, left, end == here):
                continue
            if end != here and not _has_room(rules, state, units, end):
                continue
            if assault.why_not_from(rules, state, units, end) is not None:
                continue
            path = [end] if end != here else []
            while path and reached.before[path[0]] != here:
                path.insert(0, reached.before[path[0]])
            found.append(Way(tuple(path), forced, left))
    return found


def _prices(
    rules: Caporetto, state: State, units: Sequence[int], here: int, h: int, left: int, fresh: bool
) -> list[bool]:
    """10.2.5, 10.0.9: whether by road or not these can pay for the assault from a hex."""
    found = []
    for by_road in (False, True):
        costs = [step_price(rules, state, unit, here, h, by_road) for unit in units]
        climbs = WHOLE_ALLOWANCE in costs
        if CLOSED in costs or (climbs and not fresh) or (not climbs and max(costs) > left):
            continue
        if not by_road or movement.fits_road(rules, state, units):
            found.append(by_road)
    return found


def _has_room(rules: Caporetto, state: State, units: Sequence[int], h: int) -> bool:
    """11.2: could they stay in a hex with those of the same player who are there?"""
    force = rules.force[units[0]]
    together = [unit for unit in state.stacks.get(h, ()) if rules.force[unit] == force and unit not in units]
    together += [*units, *flamethrowers.carried(state, units)]
    single = losses.singles(rules, state, together)
    return not stacking.why_not(rules, h, together, rules.guns & ~state.emplaced, single)


def able(rules: Caporetto, state: State, h: int, seat: int) -> list[int]:
    """12.4, 24.3: the units of a seat that may still declare a counter-assault of a hex, points permitting."""
    declared = mask_of(one[0] for one in (*state.assaults, *state.supports))
    may = counter_assault.who_may(rules, state, h, side_of(rules, state)) & ~declared
    return [unit for unit in bits(may) if seating.decider(rules, state, unit) == seat]


def can_counter(rules: Caporetto, state: State, seat: int) -> bool:
    """12.4: has a seat anybody who could counter-assault? Those who would not have to move are looked at first."""
    found = [(unit, h) for h in lost_now(rules, state) for unit in able(rules, state, h, seat)]
    for unit, h in found:
        points, here = movement.allowance(rules, state, (unit,), Manner()), state.at[unit]
        if rules.grid.ring[h] >> here & 1 and _prices(rules, state, (unit,), here, h, points, fresh=True):
            return True
    return any(ways(rules, state, (unit,), h) for unit, h in found)


def supporters(rules: Caporetto, state: State, h: int, seat: int) -> list[int]:
    """12.4.2: those of a seat who may support a counter-assault that was declared."""
    side = side_of(rules, state)
    if not any(target == h and rules.side[one] == side for one, target, _ in assault.now(state)):
        return []
    may = counter_assault.who_may_support(rules, state, h, side)
    mine = [unit for unit in bits(may) if seating.decider(rules, state, unit) == seat]
    return [unit for unit in mine if assault.why_not_support(rules, state, unit, h, may) is None]


# Step E


@CHAPTER.step("12.4", on="defend_step mobile_over", secrets=open_to_all)
def counter_step(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.4, 4.0-7.E: the side that does not act is asked, if anybody of it may counter-assault."""
    state.step = "mobile_counter_declare" if state.mobile else "counter_declare"
    if lost_now(rules, state):
        ask(rules, state, seating.other_seat(rules, state))
    else:
        finish(rules, state)


def ask(rules: Caporetto, state: State, seat: int) -> None:
    """12.4, 24.3: a seat is asked while it can declare something; then he who acts, if he has units of the other side
    that may, as the Vicenza. When both are done the counter-assaults are declared."""
    if can_counter(rules, state, seat) or any(supporters(rules, state, h, seat) for h in lost_now(rules, state)):
        state.frames.append(Frame("counter_moves", seat))
    else:
        ask_next(rules, state, seat)


def ask_next(rules: Caporetto, state: State, seat: int) -> None:
    """24.3: this seat has declared all it wants to."""
    if seat == seating.other_seat(rules, state):
        ask(rules, state, 1 - seat)
    else:
        finish(rules, state)


@CHAPTER.step("12.4", on="defend_step mobile_over", secrets=open_to_all, takes=(Argument("seat", NUMBER, 0, 1),))
def counter_more(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.4: one declaration has been made; he is asked for another while there can be one."""
    ask(rules, state, frame.args[0])


@CHAPTER.choice(on="defend_step mobile_over", seats=anybody)
class CounterMoves(Choice["Caporetto", State]):
    """12.4: counter-assaults and their support, until all are declared."""

    name = "counter_moves"
    rules = ("12.4", "12.4.1", "12.4.2")
    verbs = (Declared, Counter, Assist)
    panel = panels.COUNTER

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        yield Declared()
        for h in lost_now(rules, state):
            for unit in supporters(rules, state, h, frame.seat):
                yield Assist(rules.ids[unit], rules.grid.ids[h])
        for h in lost_now(rules, state):
            yield from _counters(rules, state, h, frame.seat)

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        hexes = lost_now(rules, state)
        if not hexes or rng.random() < 0.3:
            return Declared()
        h = rng.choice(hexes)
        helpers = supporters(rules, state, h, frame.seat)
        if helpers and rng.random() < 0.5:
            return Assist(rules.ids[rng.choice(helpers)], rules.grid.ids[h])
        units = able(rules, state, h, frame.seat)
        rng.shuffle(units)
        for unit in units:
            found = list(orders(rules, state, (unit,), h, ways(rules, state, (unit,), h)))
            if found:
                return rng.choice(found)
        return Declared()

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Declared):
            return None
        assert isinstance(action, Counter | Assist)
        h = rules.grid.index.get(action.target, -1)
        if h < 0:
            return rules.unknown_hex(action.target)
        if h not in lost_now(rules, state):
            return Refusal("12.4", "not_just_lost", {"hex": action.target})
        why = (
            _why_no_support(rules, state, action, h)
            if isinstance(action, Assist)
            else why_no_counter(rules, state, action, h)
        )
        return why or self._why_not_yours(rules, state, frame, action)

    def _why_not_yours(self, rules: Caporetto, state: State, frame: Frame, action: Counter | Assist) -> Refusal | None:
        """24.1, 24.3: each says what his own units do."""
        for unit in rules.known((action.unit,) if isinstance(action, Assist) else action.units):
            if seating.decider(rules, state, unit) != frame.seat:
                return Refusal("24.1", "not_yours", {"unit": rules.ids[unit]})
        return None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Declared):
            ask_next(rules, state, frame.seat)
            return
        assert isinstance(action, Counter | Assist)
        h = rules.grid.index[action.target]
        state.frames.append(Frame("counter_more", AUTO, (frame.seat,)))
        if isinstance(action, Assist):
            units = rules.known((action.unit,))
            on_the_move.support(rules, state, units, h, out, "12.4.2")
            _join(state, units)
            return
        units, path = rules.known(action.units), [rules.grid.index[name] for name in action.path]
        end = path[-1] if path else state.at[units[0]]
        state.frames.append(Frame("launch", AUTO, (tuple(units), h, end, int(action.road == ROAD))))
        if path:
            marching.set_out(rules, state, units, path, Manner(forced=action.forced == HARD), out)
        elif action.forced:
            marching.force(rules, state, units, out)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"hexes": rules.hex_ids(lost_now(rules, state))}


def _counters(rules: Caporetto, state: State, h: int, seat: int) -> Iterator[Action]:
    """12.4.1: single units first, then more and more of a stack; of like units the ways are looked for once."""
    stacks: dict[int, list[int]] = {}
    for unit in able(rules, state, h, seat):
        stacks.setdefault(state.at[unit], []).append(unit)
    known: dict[tuple[Any, ...], list[Way]] = {}
    for number in range(1, max(map(len, stacks.values()), default=0) + 1):
        for here, units in stacks.items():
            for chosen in combinations(units, number):
                like = (here, *sorted(_kind(rules, state, unit) for unit in chosen))
                if like not in known:
                    known[like] = ways(rules, state, chosen, h)
                yield from orders(rules, state, chosen, h, known[like])


def _kind(rules: Caporetto, state: State, unit: int) -> tuple[int, ...]:
    """All of a unit that its ways depend on, besides where it is."""
    masks = (rules.infiltration, rules.wheeled, rules.crossing, rules.machine_guns, rules.mountain, state.rommel)
    worn = state.dp[unit] >= rules.morale[unit] - 1
    marks = [mask >> unit & 1 for mask in masks]
    size = losses.singles(rules, state, (unit,)) >> unit & 1, rules.quarters[unit], rules.regiment[unit]
    burns = len(flamethrowers.carried(state, (unit,)))
    stays = counter_assault.why_stays(rules, state, unit) is not None
    return rules.foot[unit], rules.points[unit], rules.force[unit], *size, burns, *marks, worn, stays


def orders(rules: Caporetto, state: State, units: Sequence[int], h: int, found: Sequence[Way]) -> Iterator[Counter]:
    """12.4.1: the counter-assaults of a hex that units can declare at the end of these ways."""
    here = state.at[units[0]]
    for way in found:
        end = way.path[-1] if way.path else here
        for by_road in _prices(rules, state, units, end, h, way.left, not way.path):
            if by_road and not _road_is_open(rules, state, units, end, h):
                continue
            yield Counter(
                rules.unit_ids(units),
                rules.grid.ids[h],
                rules.hex_ids(way.path),
                HARD if way.forced else "",
                ROAD if by_road else "",
            )


def _road_is_open(rules: Caporetto, state: State, units: Sequence[int], end: int, h: int) -> bool:
    """10.2.5.e1: one battalion-equivalent of each hex assaults along a road."""
    others = [one for one, target, road in state.assaults if road and target == h and state.at[one] == end]
    return movement.fits_road(rules, state, (*others, *units))


def why_no_counter(rules: Caporetto, state: State, action: Counter, h: int) -> Refusal | None:
    """12.4, 12.4.1, 10.2.5: why these do not counter-assault a hex so."""
    units, path = rules.units(action.units), rules.hexes(action.path)
    if isinstance(units, Refusal):
        return units
    if isinstance(path, Refusal):
        return path
    if not units or len({state.at[unit] for unit in units}) > 1:
        return Refusal("10.0", "not_together", {"units": action.units})
    side = side_of(rules, state)
    for unit in units:
        data = {"unit": rules.ids[unit]}
        if rules.side[unit] != side or not rules.combat >> unit & 1:
            return Refusal("12.4", "does_not_act", data)
        if any(one == unit for one, _, _ in state.assaults):
            return Refusal("10.2.3", "assaults_already", data)
        if any(one == unit for one, _ in state.supports):
            return Refusal("10.2.6", "supports_already", data)
        refusal = counter_assault.why_not(rules, state, unit, h)
        if refusal is not None:
            return refusal
    if action.forced not in ("", HARD) or action.road not in ("", ROAD):
        return Refusal("12.4.1", "no_such_manner", {})
    return _why_no_way(rules, state, units, path, action, h)


def _why_no_way(
    rules: Caporetto, state: State, units: Sequence[int], path: Sequence[int], action: Counter, h: int
) -> Refusal | None:
    """10.0, 10.4, 10.2.5, 11.2: why they do not come so far, or cannot assault from there."""
    manner = Manner(forced=action.forced == HARD)
    refusal = movement.why_not_so(rules, state, units, manner)
    if refusal is not None:
        return refusal
    for unit in units if path else ():
        refusal = counter_assault.why_stays(rules, state, unit)
        if refusal is not None:
            return refusal
    left = movement.allowance(rules, state, units, manner)
    going, here, data = movement.going(rules, state, units, manner), state.at[units[0]], {"hex": rules.grid.ids[h]}
    for number, there in enumerate(path):
        refusal = marching.why_no_step(rules, state, units, here, there, left, going, not number)
        if refusal is not None:
            return refusal
        paid = movement.price(rules, state, units, here, there, going)
        left = 0 if paid == WHOLE_ALLOWANCE else left - paid
        left -= movement.leaving_price(rules, state, here, going) if not number and paid != WHOLE_ALLOWANCE else 0
        if number < len(path) - 1 and movement.must_stop(rules, state, units, here, there, going):
            return Refusal("10.1.1", "stops_there", {"hex": rules.grid.ids[there]})
        here = there
    if not rules.grid.ring[here] >> h & 1:
        return Refusal("12.4.1", "not_next_to_it", data)
    if path and not _has_room(rules, state, units, here):
        return Refusal("11.2", "too_full", {"hex": rules.grid.ids[here]})
    refusal = assault.why_not_from(rules, state, units, here)
    if refusal is not None:
        return refusal
    by_road = action.road == ROAD
    if by_road not in _prices(rules, state, units, here, h, left, not path):
        return Refusal("10.2.5", "cannot_enter", {"unit": rules.ids[units[0]], **data})
    if by_road and not _road_is_open(rules, state, units, here, h):
        return Refusal("10.2.5.e1", "road_is_full", {"unit": rules.ids[units[0]]})
    return None


def _why_no_support(rules: Caporetto, state: State, action: Assist, h: int) -> Refusal | None:
    unit = rules.number.get(action.unit, -1)
    if unit < 0:
        return rules.unknown_unit(action.unit)
    if rules.side[unit] != side_of(rules, state):
        return Refusal("12.4", "does_not_act", {"unit": action.unit})
    may = counter_assault.who_may_support(rules, state, h, rules.side[unit])
    refusal = None if may >> unit & 1 else counter_assault.why_no_part(rules, state, unit, h)
    return refusal or assault.why_not_support(rules, state, unit, h, may)


def _join(state: State, units: Sequence[int]) -> None:
    """21.5.3: against an assault on the move they take part in it."""
    if state.mobile:
        state.mobile |= mask_of(units)


@CHAPTER.step(
    "12.4.1",
    on="counter_more",
    secrets=open_to_all,
    takes=(
        Argument("units", UNITS, 1, MOST),
        Argument("hex", HEX),
        Argument("from", HEX),
        Argument("road", NUMBER, 0, 1),
    ),
)
def launch(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.4.1, 12.4.2, 10.4: those who have come so far, and were not stopped on the way, declare the assault, unless
    the bridge over which it would lead went up when they came (19.2.1); who has marched by force takes his point."""
    units, h, here, road = frame.args
    stopped = state.ooc | state.activated
    there = [unit for unit in units if state.at[unit] == here and not stopped >> unit & 1]
    there = [unit for unit in there if step_price(rules, state, unit, here, h, bool(road)) != CLOSED]
    for unit in there:
        assault.declare(rules, state, unit, h, bool(road), out, "12.4.2")
    _join(state, there)
    marching.close(state)
    marching.tire(rules, state, out, units)


def finish(rules: Caporetto, state: State) -> None:
    """12.4.2, 12.1.7: all is declared: what is left of moves is lost, and support fire is resolved, a bombardment
    without guns."""
    side = side_of(rules, state)
    state.leftovers = tuple([pair for pair in state.leftovers if rules.side[pair[0]] != side])
    for h in sorted({h for unit, h in assault.supports_now(state) if rules.side[unit] == side}, reverse=True):
        volleys.bombard(rules, state, h, False)


def foresee(rules: Caporetto, state: State, action: Counter) -> forecasts.Forecast:
    """12.3.3, 12.4.3: the exact odds of a counter-assault by these units, from the end of their way and with nobody
    lost on it."""
    units = rules.known(action.units)
    there = state.copy()
    for unit in units if action.path else ():
        put(rules, there, unit, rules.grid.index[action.path[-1]])
    return forecasts.odds_of(rules, there, rules.grid.index[action.target], units, counter=True)
