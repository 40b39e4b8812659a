"""17.1, 19, 21.1: engineers. Trenches that are repaired, bridges that are blown, repaired and built."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Argument, Chapter, open_to_all
from fronte.engine.standing import ONE_HEX, Policies, Policy, Value
from fronte.games.caporetto.reinforcements import pay
from fronte.games.caporetto.seating import FORCE, force_fault, of_its_force
from fronte.games.caporetto.sightings import hides_any, suspects
from fronte.games.caporetto.state import State, forget_zones, zone_of
from fronte.games.caporetto.subsets import Some, SomeUnits
from fronte.games.caporetto.terrain import AHG, ISONZO, ITALIAN
from fronte.games.common.positions import HEX, HEXES, UNIT, UNITS
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto
    from fronte.games.caporetto.printed import CaporettoPrinted

CHAPTER = Chapter()
Span = tuple[int, int]
"""The two hexes of a bridge, or twice that of a trench: what engineers work at."""


def idle(rules: CaporettoPrinted, state: State, force: int) -> list[int]:
    """17.3, 19.3: the engineers of a force on the map that do not work yet."""
    mine = rules.engineers & rules.of_force[force] & ~state.working
    return list(bits(mine & state.present))


# 17.1 to 17.3: trenches


def damaged(rules: CaporettoPrinted, state: State, side: int) -> int:
    """17.1, 17.8: the hexes in which, or along whose hexsides, a side has a trench below its printed level."""
    found = rules.ground.trench[side] & state.lowered
    if state.side_trenches == rules.ground.side_levels:
        return found
    for trench, level in zip(rules.ground.side_trenches, state.side_trenches, strict=True):
        if trench.owner == side and level < trench.level:
            found |= 1 << trench.hex
    return found


def can_repair_trench(rules: CaporettoPrinted, state: State, unit: int) -> bool:
    """17.1: an engineer in a hex with a damaged trench of its own side."""
    if not rules.engineers >> unit & 1 or state.at[unit] < 0:
        return False
    return bool(damaged(rules, state, rules.side[unit]) >> state.at[unit] & 1)


def repair_price(rules: CaporettoPrinted, side: int, hexes: int) -> int:
    """17.2, 24.9.3: logistic points for repairs in so many hexes; the AHG pays nothing."""
    return 0 if side == AHG else -(-hexes // rules.tables.number("logistics", "repair_each"))


# 19.2: bridges are blown


def standing(rules: CaporettoPrinted, state: State) -> Iterator[Span]:
    """19.2, 21.1: the bridges that can be blown: those of the map that stand, and those that were built in play."""
    for number in bits(state.standing):
        yield rules.ground.bridges[number][:2]
    yield from state.built


def stands(rules: CaporettoPrinted, state: State, span: Span) -> bool:
    """19.1.2, 21.1: is there a bridge between these two hexes?"""
    number = find_bridge(rules, span)
    return span in state.built or (number >= 0 and bool(state.standing >> number & 1))


def can_blow(rules: CaporettoPrinted, state: State, unit: int, span: Span) -> bool:
    """19.2, 25.9.1: may a pontoon engineer try to blow a bridge? It is within two hexes of it, and what lies between is
    free of enemies and their zones, or held by a friend."""
    if not rules.pontoons >> unit & 1 or not stands(rules, state, span):
        return False
    if not rules.scene.opening.demolition and state.turn == rules.scene.first_turn:
        return False
    return can_reach(rules, state, rules.side[unit], state.at[unit], span)


def can_reach(rules: CaporettoPrinted, state: State, side: int, here: int, span: Span) -> bool:
    """19.2: is a bridge near enough to a hex of a side for who stands there, with nothing of the enemy in between?"""
    far = min(rules.grid.distance(here, span[0]), rules.grid.distance(here, span[1]))
    if far <= 1:
        return True
    if far > rules.bridge_reach:
        return False
    friends = state.occ[side] | state.guns[side]
    shut = state.occ[1 - side] | state.guns[1 - side] | zone_of(rules, state, 1 - side) & ~friends
    ends = 1 << span[0] | 1 << span[1]
    between = rules.grid.ring[here] & rules.ground.around(ends) & rules.ground.extent
    return bool(between & ~shut)


def blows(rules: CaporettoPrinted, die: int) -> bool:
    """19.2: on a 1 to 4."""
    return die <= rules.bridge_blown


def blow(rules: CaporettoPrinted, state: State, span: Span, rule: str, out: list[Event]) -> None:
    """19.2, 19.2.2: it is gone, with its road and the zones over it. Of one that was built nothing is left."""
    number = find_bridge(rules, span)
    if number >= 0:
        state.standing &= ~(1 << number)
    else:
        state.built = tuple([other for other in state.built if other != span])
    forget_zones(state)
    out.append(Event("bridge_blown", (rule,), {"hexes": list(rules.hex_ids(span))}))


def charged(rules: CaporettoPrinted, state: State, unit: int, h: int) -> list[int]:
    """19.2.1: the bridges for which a die is thrown, since the first unit of the AHG has moved to one of their ends, or
    by option next to one."""
    if rules.side[unit] != AHG or not rules.ground.charged & state.standing & ~state.tested:
        return []
    near = rules.grid.ring[h] if rules.option["bridge_adjacent"] == "ring" else 0
    near |= 1 << h
    if not near & rules.ground.charged_ends:
        return []
    return [
        number
        for number, bridge in enumerate(rules.ground.bridges)
        if bridge.charged
        and not state.tested >> number & 1
        and state.standing >> number & 1
        and near & (1 << bridge.a | 1 << bridge.b)
    ]


def approach(rules: CaporettoPrinted, state: State, bridge: int, die: int, out: list[Event]) -> None:
    """19.2.1: on a 1 to 3 it goes up; one die for each bridge and game."""
    state.tested |= 1 << bridge
    if die <= rules.bridge_approach:
        blow(rules, state, rules.ground.bridges[bridge][:2], "19.2.1", out)


# 19.3: bridges are repaired and built


def spans(rules: CaporettoPrinted, state: State, unit: int) -> list[Span]:
    """19.3, 21.1: the bridges at which an engineer could begin to work."""
    return spans_at(rules, state, rules.side[unit], state.at[unit], bool(rules.pontoons >> unit & 1))


def spans_at(rules: CaporettoPrinted, state: State, side: int, here: int, pontoon: bool) -> list[Span]:
    """19.3, 21.1: those at one of whose ends a hex is, with no enemy at the other.

    All repair bridges of other rivers, pontoon engineers those of the Isonzo too; and these may build new ones there,
    unless an option forbids it.
    """
    ground = rules.ground
    enemies = state.occ[1 - side] | state.guns[1 - side]
    taken = {(min(a, b), max(a, b)) for _, a, b in state.works} if state.works else ()
    found: list[Span] = []
    if not ground.banks >> here & 1:
        return found
    for way, there in ground.ways_from(here):
        if not ground.water[way] or enemies >> there & 1 or not ground.extent >> there & 1:
            continue
        span = (min(here, there), max(here, there))
        if span in taken:
            continue
        isonzo, bridge = ground.water[way] == ISONZO, ground.bridge[way]
        if bridge >= 0:
            broken = not state.standing >> bridge & 1
            if broken and (pontoon or not isonzo):
                found.append(span)
        elif isonzo and pontoon and rules.option["new_bridges"] and span not in state.built:
            found.append(span)
    return found


def begin_work(rules: CaporettoPrinted, state: State, unit: int, span: Span, out: list[Event]) -> None:
    """17.3, 19.3: an engineer is turned to its working side."""
    state.working |= 1 << unit
    state.works = (*state.works, (unit, *span))
    rule = "17.3" if span[0] == span[1] else "19.3"
    out.append(Event("works", (rule,), {"unit": rules.ids[unit], "hexes": [rules.grid.ids[h] for h in span]}))


def stop_work(rules: CaporettoPrinted, state: State, unit: int, out: list[Event], rule: str = "17.3") -> None:
    """17.3, 19.3: it has moved away, assaulted, been assaulted or hit: what it worked at is lost."""
    if not state.working >> unit & 1:
        return
    state.working &= ~(1 << unit)
    state.works = tuple([work for work in state.works if work[0] != unit])
    out.append(Event("work_stopped", (rule,), {"unit": rules.ids[unit]}))


def disrupt(rules: CaporettoPrinted, state: State, units: Sequence[int], out: list[Event]) -> None:
    """17.3: these have been bombarded with any result: who repairs a trench lays it down. At a bridge it takes points
    (19.3, `morale.disorganise`)."""
    for unit in units:
        if state.working >> unit & 1 and not bridging(state) >> unit & 1:
            stop_work(rules, state, unit, out)


def bridging(state: State) -> int:
    """19.3: the engineers that work at a bridge, as a set: they do not move until it is done."""
    return mask_of([unit for unit, a, b in state.works if a != b]) if state.works else 0


def disturb(rules: CaporettoPrinted, state: State, side: int, h: int, out: list[Event]) -> None:
    """19.3: a side has entered a hex: nobody of the enemy builds a bridge to it any more, though it goes on at once."""
    for unit, a, b in state.works:
        if a != b and h in (a, b) and rules.side[unit] != side:
            stop_work(rules, state, unit, out, "19.3")


def finish_trenches(rules: CaporettoPrinted, state: State, force: int, out: list[Event]) -> None:
    """4.0-5.1, 17.3: trenches at which engineers have worked since the last turn gain a level, however many of them
    have been in the hex (ours)."""
    done: list[int] = []
    for unit, h, other in state.works:
        if h == other and rules.force[unit] == force:
            _rest(state, unit)
            if h not in done:
                done.append(h)
                _restore(rules, state, rules.side[unit], h)
                out.append(Event("trench_repaired", ("17.3",), {"hex": rules.grid.ids[h]}))


def _restore(rules: CaporettoPrinted, state: State, side: int, h: int) -> None:
    """17.1: one level, never above what is printed; along hexsides each of the hex's own."""
    state.lowered &= ~(rules.ground.trench[side] & 1 << h)
    state.side_trenches = tuple(
        [
            min(trench.level, level + 1) if trench.hex == h and trench.owner == side else level
            for trench, level in zip(rules.ground.side_trenches, state.side_trenches, strict=True)
        ]
    )
    forget_zones(state)


def finish_bridges(rules: CaporettoPrinted, state: State, force: int, out: list[Event]) -> None:
    """4.0-5.4, 19.3: bridges at which engineers have worked since the last turn are complete, unless an enemy is at the
    other end."""
    for unit, a, b in state.works:
        if a == b or rules.force[unit] != force:
            continue
        side = rules.side[unit]
        enemies = state.occ[1 - side] | state.guns[1 - side]
        _rest(state, unit)
        if enemies & (1 << a | 1 << b):
            out.append(Event("work_stopped", ("19.3",), {"unit": rules.ids[unit]}))
            continue
        bridge = rules.ground.bridge[rules.ground.way(a, b)]
        if bridge >= 0:
            state.standing |= 1 << bridge
        else:
            state.built = (*state.built, (a, b))
        forget_zones(state)
        out.append(Event("bridge_ready", ("19.3",), {"hexes": [rules.grid.ids[a], rules.grid.ids[b]]}))


def _rest(state: State, unit: int) -> None:
    state.working &= ~(1 << unit)
    state.works = tuple([work for work in state.works if work[0] != unit])


def may_begin_building(rules: CaporettoPrinted, state: State) -> int:
    """25.8: the engineer that may begin the game at work on its bridge, if no Italian is beyond; -1 for none."""
    scene = rules.scene
    if not scene.builder or (state.occ[ITALIAN] | state.guns[ITALIAN]) >> scene.building_empty & 1:
        return -1
    return rules.number[scene.builder]


# 4.0-5: the steps of the Engineering Phase


class Repair(Some, frozen=True):
    """17.1, 17.3: these engineers begin to repair the trenches of their hexes."""

    form = "repair[ {units}]"


class Blow(Action, frozen=True):
    """19.2: a pontoon engineer tries to blow a bridge, which is named by its two hexes."""

    form = "blow {bridge} by {unit}"
    odds = True
    unit: str
    bridge: str


class Build(Action, frozen=True):
    """19.3, 21.1: an engineer begins to repair or to build the bridge that leads from its hex to another."""

    form = "build {unit} to {hex}"
    unit: str
    hex: str


class Done(Action, frozen=True):
    """4.0-5: nothing more in this step."""

    form = "done"


@CHAPTER.step(
    "17.3",
    on="ask finish_trenches_step",
    secrets=open_to_all,
    takes=(FORCE,),
    fault=force_fault,
    phases="engineering",
    once=False,
)
def finish_trenches_step(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """4.0-5.1, 17.3: the trenches of a force that were repaired since the last turn gain a level."""
    (force,) = frame.args
    state.active, state.step = force, "repair_done"
    finish_trenches(rules, state, force, out)


@CHAPTER.step(
    "19.3", on="ask", secrets=open_to_all, takes=(FORCE,), fault=force_fault, phases="engineering", once=False
)
def finish_bridges_step(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """4.0-5.4, 19.3: the bridges of a force at which it has worked since the last turn are complete."""
    (force,) = frame.args
    state.active, state.step = force, "bridging"
    finish_bridges(rules, state, force, out)


# 4.0-5.2: repair


def repairers(rules: CaporettoPrinted, state: State, force: int) -> list[int]:
    """17.1: the engineers of a force that could begin a repair."""
    return [unit for unit in idle(rules, state, force) if can_repair_trench(rules, state, unit)]


def asks_repair(rules: Caporetto, state: State, force: int) -> bool:
    """17.1: is there anything to repair, or must the other seat think so (22)? Who has no points left is asked all the
    same, or all would know (6.0.e1)."""
    if repairers(rules, state, force):
        return True
    return suspects(rules, state, force, rules.engineers, damaged(rules, state, rules.scene.force_side[force]))


def _price(rules: CaporettoPrinted, state: State, force: int, units: Sequence[int]) -> int:
    """17.2: by hexes, however many engineers are in one."""
    return repair_price(rules, rules.scene.force_side[force], len({state.at[unit] for unit in units}))


@CHAPTER.choice(on="ask", seats=of_its_force, takes=(FORCE,), phases="engineering")
class RepairChoice(SomeUnits):
    """4.0-5.2, 17.1 to 17.3: which engineers begin to repair trenches; Italians pay for them."""

    name = "repair"
    rules = ("17.1", "17.2", "17.3")
    verbs = (Repair,)
    verb = Repair

    def able(self, rules: Caporetto, state: State, force: int) -> list[int]:
        return repairers(rules, state, force)

    def why_not_able(self, rules: Caporetto, state: State, force: int, unit: int) -> Refusal:
        data = {"unit": rules.ids[unit]}
        if not rules.engineers >> unit & 1:
            return Refusal("21.1", "no_engineer", data)
        if state.working >> unit & 1:
            return Refusal("17.3", "at_work", data)
        return Refusal("17.1", "no_damaged_trench", data)

    def why_too_many(self, rules: Caporetto, state: State, force: int, units: Sequence[int]) -> Refusal | None:
        need, have = _price(rules, state, force, units), state.points[force]
        return Refusal("17.2", "too_dear", {"need": need, "have": have}) if need > have else None

    def carry_out(self, rules: Caporetto, state: State, force: int, units: Sequence[int], out: list[Event]) -> None:
        pay(rules, state, force, _price(rules, state, force, units), "17.2", out)
        for unit in units:
            begin_work(rules, state, unit, (state.at[unit], state.at[unit]), out)


# 4.0-5.3: bridges are blown


TRIED = (Argument("tried", UNITS, 0, 99), Argument("bridges", HEXES, 0, 199))
"""19.2: one attempt for each engineer and each bridge in a phase (ours): those who have tried, and the bridges, each by
its two hexes."""


def attempts(
    rules: CaporettoPrinted, state: State, force: int, tried: Sequence[int] = (), bridges: Sequence[int] = ()
) -> Iterator[tuple[int, Span]]:
    """19.2: which engineers of a force may still try to blow which bridges."""
    for unit in bits(rules.pontoons & rules.of_force[force]):
        if state.at[unit] < 0 or unit in tried:
            continue
        for span in standing(rules, state):
            if can_blow(rules, state, unit, span) and not _was_tried(span, bridges):
                yield unit, span


def _was_tried(span: Span, bridges: Sequence[int]) -> bool:
    return bool(bridges) and span in zip(bridges[::2], bridges[1::2], strict=True)


def asks_demolition(
    rules: Caporetto, state: State, force: int, tried: Sequence[int] = (), bridges: Sequence[int] = ()
) -> bool:
    """19.2: can a force blow any bridge, or must the other seat think so (22)?"""
    if any(True for _ in attempts(rules, state, force, tried, bridges)):
        return True
    if not rules.scene.opening.demolition and state.turn == rules.scene.first_turn:
        return False
    side, near, units = rules.scene.force_side[force], 0, rules.pontoons & ~mask_of(tried)
    if not hides_any(rules, state, force, units):
        return False
    for span in standing(rules, state):
        if not _was_tried(span, bridges):
            within = rules.grid.within(span[0], rules.bridge_reach) | rules.grid.within(span[1], rules.bridge_reach)
            near |= mask_of(h for h in bits(within & state.occ[side]) if can_reach(rules, state, side, h, span))
    return suspects(rules, state, force, units, near)


def bridge_name(rules: CaporettoPrinted, span: Span) -> str:
    """A bridge by its two hexes."""
    return "/".join(sorted(rules.hex_ids(span)))


def read_bridge(rules: CaporettoPrinted, state: State, name: str) -> Span | None:
    """The bridge that has this name, though it may be down; None if there is none."""
    ends = sorted(rules.grid.index.get(end, -1) for end in name.split("/"))
    printed = (one[:2] for one in rules.ground.bridges)
    return next((span for span in (*printed, *state.built) if sorted(span) == ends), None)


def _one_hex_over(rules: CaporettoPrinted, state: State, frame: Frame) -> str:
    return "bridges have two hexes" if len(frame.args[-1]) % 2 else ""


@CHAPTER.choice(
    on="ask finish_bridges_step",
    seats=of_its_force,
    takes=(FORCE, *TRIED),
    fault=_one_hex_over,
    phases="engineering",
)
class DemolishChoice(Choice["Caporetto", State]):
    """4.0-5.3, 19.2: which bridge is to be blown next, and by whom; or no more."""

    name = "demolish"
    rules = ("19.2",)
    verbs = (Blow, Done)
    panel = panel.CHOOSE

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        for unit, span in attempts(rules, state, *frame.args):
            yield Blow(rules.ids[unit], bridge_name(rules, span))
        yield Done()

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Done):
            return None
        assert isinstance(action, Blow)
        force, tried, bridges = frame.args
        unit = rules.number.get(action.unit, -1)
        if unit < 0:
            return rules.unknown_unit(action.unit)
        data = {"unit": action.unit, "bridge": action.bridge}
        if rules.force[unit] != force:
            return Refusal("24.1", "not_yours", data)
        span = read_bridge(rules, state, action.bridge)
        if span is None:
            return Refusal("19.1.2", "no_such_bridge", data)
        if state.at[unit] < 0 or not rules.pontoons >> unit & 1:
            return Refusal("21.1.e2", "no_pontoons", data)
        if not stands(rules, state, span):
            return Refusal("19.2.2", "bridge_is_down", data)
        if unit in tried or _was_tried(span, bridges):
            return Refusal("19.2", "tried_already", data)
        if state.turn == rules.scene.first_turn and not rules.scene.opening.demolition:
            return Refusal("25.9.1", "no_demolition_yet", data)
        return None if can_blow(rules, state, unit, span) else Refusal("19.2", "bridge_out_of_reach", data)

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Done):
            return
        assert isinstance(action, Blow)
        force, tried, bridges = frame.args
        unit, span = rules.number[action.unit], read_bridge(rules, state, action.bridge)
        assert span is not None
        state.frames.append(Frame("demolish", frame.seat, (force, (*tried, unit), (*bridges, *span))))
        state.frames.append(Frame("charge_die", CHANCE, (unit, *span)))

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"force": rules.scene.forces[frame.args[0]]}


def _blow(rules: Caporetto, state: State, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """19.2: the standing order by which every bridge is blown that can be, or those of one hex; then no more."""
    for unit, span in attempts(rules, state, *frame.args):
        if given["at"] in ("", *rules.hex_ids(span)):
            return Blow(rules.ids[unit], bridge_name(rules, span))
    return Done() if given["at"] == "" else None


def _spare(rules: Caporetto, state: State, frame: Frame, given: Mapping[str, Value]) -> Action | None:
    """19.2: the one by which none is blown, or none of one hex where no other could be."""
    spans = [rules.hex_ids(span) for _, span in attempts(rules, state, *frame.args)]
    return Done() if given["at"] == "" or all(given["at"] in ends for ends in spans) else None


STANDING: Mapping[str, Policies] = MappingProxyType(
    {"demolish": {"blow": Policy(_blow, ONE_HEX), "spare": Policy(_spare, ONE_HEX)}}
)


def find_bridge(rules: CaporettoPrinted, span: Span) -> int:
    """The number of the printed bridge between two hexes next to each other; -1 if there is none."""
    return rules.ground.bridge[rules.ground.way(*span)]


def _no_bridge_there(rules: CaporettoPrinted, state: State, frame: Frame) -> str:
    unit, a, b = frame.args
    if not rules.pontoons >> unit & 1:
        return "it is no pontoon engineer"
    here = b in rules.grid.adjacent[a] and stands(rules, state, (a, b))
    return "" if here else "there is no bridge"


@CHAPTER.throw(
    1,
    "19.2",
    on="demolish",
    secrets=open_to_all,
    takes=(Argument("unit", UNIT), Argument("here", HEX), Argument("there", HEX)),
    fault=_no_bridge_there,
    phases="engineering",
)
def charge_die(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """19.2: on a 1 to 4 the bridge is gone. Who has nothing more to blow is not asked again."""
    unit, a, b = frame.args
    if blows(rules, dice[0]):
        blow(rules, state, (a, b), "19.2", out)
    else:
        out.append(Event("bridge_holds", ("19.2",), {"unit": rules.ids[unit], "bridge": bridge_name(rules, (a, b))}))
    if not asks_demolition(rules, state, *state.frames[-1].args):
        state.frames.pop()


# 4.0-5.4: bridges are repaired and built


def builders(rules: CaporettoPrinted, state: State, force: int) -> Iterator[tuple[int, int]]:
    """19.3, 21.1: the engineers of a force that could begin to work at a bridge, and the hex to which it leads."""
    for unit in idle(rules, state, force):
        for span in spans(rules, state, unit):
            yield unit, span[0] if span[1] == state.at[unit] else span[1]


def asks_bridge(rules: Caporetto, state: State, force: int) -> bool:
    """19.3: can a force begin to work at any bridge, or must the other seat think so (22)?"""
    if any(True for _ in builders(rules, state, force)):
        return True
    side = rules.scene.force_side[force]
    there = list(bits(state.occ[side] & rules.ground.banks))
    for pontoon, units in ((False, rules.engineers & ~rules.pontoons), (True, rules.pontoons)):
        if hides_any(rules, state, force, units & ~state.working):
            banks = mask_of([h for h in there if spans_at(rules, state, side, h, pontoon)])
            if suspects(rules, state, force, units & ~state.working, banks):
                return True
    return False


@CHAPTER.choice(on="next_phase finish_bridges_step", seats=of_its_force, takes=(FORCE,), phases="engineering")
class BridgeChoice(Choice["Caporetto", State]):
    """4.0-5.4, 19.3, 21.1: who begins to repair or build which bridge next; or nobody more."""

    name = "bridge"
    rules = ("19.3", "21.1")
    verbs = (Build, Done)
    panel = panel.PLACE

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        for unit, h in builders(rules, state, frame.args[0]):
            yield Build(rules.ids[unit], rules.grid.ids[h])
        yield Done()

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        """Few bridges are built where none was."""
        return Done() if rng.random() < 0.5 else super().sample(rules, state, frame, rng)

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Done):
            return None
        assert isinstance(action, Build)
        unit, h = rules.number.get(action.unit, -1), rules.grid.index.get(action.hex, -1)
        if unit < 0:
            return rules.unknown_unit(action.unit)
        if h < 0:
            return rules.unknown_hex(action.hex)
        data = {"unit": action.unit, "hex": action.hex}
        if rules.force[unit] != frame.args[0]:
            return Refusal("24.1", "not_yours", data)
        if state.at[unit] < 0 or not rules.engineers >> unit & 1:
            return Refusal("21.1", "no_engineer", data)
        if state.working >> unit & 1:
            return Refusal("19.3", "at_work", data)
        here = state.at[unit]
        if (min(here, h), max(here, h)) in spans(rules, state, unit):
            return None
        return _why_no_span(rules, state, unit, h)

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, Build):
            unit = rules.number[action.unit]
            here, there = state.at[unit], rules.grid.index[action.hex]
            begin_work(rules, state, unit, (min(here, there), max(here, there)), out)
            if asks_bridge(rules, state, frame.args[0]):
                return
        state.frames.pop()

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"force": rules.scene.forces[frame.args[0]]}


def _why_no_span(rules: CaporettoPrinted, state: State, unit: int, h: int) -> Refusal:
    """19.3, 21.1: why there is no bridge for an engineer to build from its hex to this one."""
    ground, here = rules.ground, state.at[unit]
    data = {"unit": rules.ids[unit], "hex": rules.grid.ids[h]}
    way = next((way for way, there in ground.ways_from(here) if there == h), -1)
    if way < 0 or not ground.water[way]:
        return Refusal("19.3", "no_river_there", data)
    foes = 1 - rules.side[unit]
    if (state.occ[foes] | state.guns[foes]) >> h & 1:
        return Refusal("19.3", "enemy_on_the_bank", data)
    if ground.water[way] == ISONZO and not rules.pontoons >> unit & 1:
        return Refusal("21.1.e2", "no_pontoons", data)
    return Refusal("19.3", "no_bridge_to_build", data)
