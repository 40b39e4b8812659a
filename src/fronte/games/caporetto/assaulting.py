"""4.0-7.D, 4.0-7.G, 12.3: assaults and counter-assaults are resolved, hex by hex and wave by wave.

For each hex the attacker names a wave and who leads it, the defender who stands against it; the dice fall, points,
surrenders and steps are taken (15.4.1), the beaten retreat (`falling_back`), and the hex that is left is entered. In
frames the unit that leads is the first of its wave, or of those who stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.caporetto import (
    assault,
    counter_assault,
    falling_back,
    losses,
    marching,
    odds,
    panels,
    retreats,
    seating,
    sightings,
    trenches,
    volleys,
)
from fronte.games.caporetto.odds import Clash, Fight, Odds
from fronte.games.caporetto.state import NOBODY, State
from fronte.games.caporetto.tables import DIE, Outcome
from fronte.games.common.positions import HEX, HEXES, UNITS
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
MOST_LISTED = 60
"""So many waves are listed; the panel has what any other is made of."""
MOST = 40
"""More units than assault a hex, or are in it."""
MOST_STEPS = 9
STEP = ("assault", "counter")
ON_THE_MOVE = 2
"""Added to the argument of the step of an assault on the move (21.5.3), which lies above the step of the action."""
HEX_AND_SIDE = (Argument("hex", HEX), Argument("counter", NUMBER, 0, 1))
WAVE = (*HEX_AND_SIDE, Argument("wave", UNITS, 1, MOST))
CLASH = (*WAVE, Argument("group", UNITS, 0, MOST))


class Next(Action, frozen=True):
    """12.3.2: the hex whose assault is resolved next."""

    form = "next {hex}"
    hex: str


class Wave(Action, frozen=True):
    """10.2.4, 12.3.4.e1: these units assault together, and the morale of one of them counts."""

    form = "wave {units} led by {lead}"
    odds = True
    units: tuple[str, ...]
    lead: str


class Stand(Action, frozen=True):
    """11.4, 12.3.4.e1: these units defend the hex, and the morale of one of them counts."""

    form = "stand {units} led by {lead}"
    odds = True
    units: tuple[str, ...]
    lead: str


class Pick(Action, frozen=True):
    """21.6.2: the die of Rommel's two that counts."""

    form = "pick {die}"
    die: int


class Suffer(Action, frozen=True):
    """12.3.4: these units lose a step each; one that is named twice, two."""

    form = "suffer {units}"
    units: tuple[str, ...]


class Withdraw(Action, frozen=True):
    """10.2.4: the defender leaves the hex of his own will."""

    form = "withdraw"


class Remain(Action, frozen=True):
    """10.2.4: he stays."""

    form = "remain"


class Occupy(Action, frozen=True):
    """10.2.3: these units enter the hex that is empty."""

    form = "occupy with {units}"
    units: tuple[str, ...]


# Who is who


def attacker(rules: Caporetto, state: State, counter: int) -> int:
    """12.4.3: the side that assaults; in a counter-assault the one that does not act."""
    return rules.scene.force_side[state.active] ^ counter


def attacking_seat(rules: Caporetto, state: State, counter: int) -> int:
    """4.0: who decides for it."""
    return seating.other_seat(rules, state) if counter else seating.active_seat(rules, state)


def declared(rules: Caporetto, state: State, h: int, counter: int) -> tuple[int, ...]:
    """10.2: the units of the attacker that have declared the assault of a hex, by their numbers."""
    side = attacker(rules, state, counter)
    return tuple(sorted([one for one, target, _ in assault.now(state) if target == h and rules.side[one] == side]))


def waiting(rules: Caporetto, state: State, h: int, counter: int) -> tuple[int, ...]:
    """10.2.4: those of them that have not assaulted yet."""
    return tuple([unit for unit in declared(rules, state, h, counter) if not state.fought >> unit & 1])


def targets(rules: Caporetto, state: State, counter: int) -> list[int]:
    """12.3.2: the hexes that are still to be assaulted."""
    side = attacker(rules, state, counter)
    found = [(one, h) for one, h, _ in assault.now(state) if rules.side[one] == side]
    return sorted({h for one, h in found if not state.fought >> one & 1})


def is_held(rules: Caporetto, state: State, h: int, counter: int) -> bool:
    """10.2.3, 18.3: is there anybody to fight? Guns alone are none."""
    return assault.is_target(rules, state, h, attacker(rules, state, counter))


def _target_fault(rules: Caporetto, state: State, frame: Frame) -> str:
    return "" if rules.ground.extent >> frame.args[0] & 1 else "the hex is out of play"


def _clash_fault(rules: Caporetto, state: State, frame: Frame) -> str:
    h, counter, wave, *group = frame.args[:4]
    side = attacker(rules, state, counter)
    near = rules.grid.ring[h]
    if any(state.at[unit] < 0 or not near >> state.at[unit] & 1 or rules.side[unit] != side for unit in wave):
        return "it names who cannot assault the hex"
    if any(state.at[unit] != h or rules.side[unit] == side for units in group for unit in units):
        return "it names who is not there to defend it"
    return ""


# 4.0-7.D and G: hex by hex


@CHAPTER.step(
    "12.3",
    "12.4.3",
    on="counter_step complete mobile_over",
    secrets=open_to_all,
    takes=(Argument("counter", NUMBER, 0, ON_THE_MOVE + 1),),
    once=False,
)
def assault_step(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.3.2, 12.4.3: all declared assaults, one at a time, in the order that the attacker likes."""
    counter = frame.args[0] % ON_THE_MOVE
    state.step = ("mobile_" if state.mobile else "") + STEP[counter]
    found = targets(rules, state, counter)
    if not found:
        if counter:
            conclude(rules, state, out)
        return
    state.frames.append(frame)
    if len(found) == 1:
        state.frames.append(Frame("storm", AUTO, (found[0], counter)))
    else:
        state.frames.append(Frame("next_assault", attacking_seat(rules, state, counter), (counter,)))


def conclude(rules: Caporetto, state: State, out: list[Event]) -> None:
    """12.4.4, 17.5: the counter-assaults are over, also where there was none (ours): trenches of the hexes that the
    active side has assaulted and holds go down, and who has counter-assaulted is Activated."""
    side = attacker(rules, state, 0)
    for h in sorted({target for one, target, _ in assault.now(state) if rules.side[one] == side}):
        trenches.after_assault(rules, state, h, side, out)
    units = [one[0] for one in (*assault.now(state), *assault.supports_now(state))]
    counter_assault.finish(rules, state, sorted({unit for unit in units if rules.side[unit] != side}), out)


@CHAPTER.choice(on="assault_step", seats=anybody, takes=(Argument("counter", NUMBER, 0, 1),))
class NextAssault(Choice["Caporetto", State]):
    """12.3.2: which hex is assaulted next."""

    name = "next_assault"
    rules = ("12.3.2",)
    verbs = (Next,)

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        for h in targets(rules, state, frame.args[0]):
            yield Next(rules.grid.ids[h])

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Next)
        h = rules.grid.index.get(action.hex, -1)
        if h < 0:
            return rules.unknown_hex(action.hex)
        if h not in targets(rules, state, frame.args[0]):
            return Refusal("12.3.2", "no_assault_there", {"hex": action.hex})
        return None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Next)
        state.frames.pop()
        state.frames.append(Frame("storm", AUTO, (rules.grid.index[action.hex], frame.args[0])))


@CHAPTER.step("12.3.1", "12.3.2", on="assault_step", secrets=open_to_all, takes=HEX_AND_SIDE, fault=_target_fault)
def storm(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """10.2.3, 10.2.4, 21.5.2: the next wave against a hex, until nobody is left to assault it; what is empty is
    entered."""
    h, counter = frame.args
    side = attacker(rules, state, counter)
    if is_held(rules, state, h, counter) and waiting(rules, state, h, counter):
        assault.take_in_flank(rules, state, h, 1 - side, out)
    if not is_held(rules, state, h, counter):
        enter_empty(rules, state, h, counter, out)
        return
    units = waiting(rules, state, h, counter)
    if not units:
        return
    state.frames.append(frame)
    if len(units) == 1:
        send(rules, state, h, counter, units, out)
    else:
        state.frames.append(Frame("wave", attacking_seat(rules, state, counter), (h, counter)))


# 10.2.3: an empty hex


def enter_empty(rules: Caporetto, state: State, h: int, counter: int, out: list[Event]) -> None:
    """10.2.3, 12.3.1.e1: nobody is there to fight; who has declared the assault enters, up to the stacking limit."""
    units = declared(rules, state, h, counter)
    state.fought |= mask_of(units)
    if state.occ[attacker(rules, state, counter)] >> h & 1 or not units:
        return
    first, *more = islice(parties(rules, state, h, units), 2)
    if more:
        state.frames.append(Frame("occupy", attacking_seat(rules, state, counter), (h, counter)))
    else:
        advance(rules, state, first, h, out)


def parties(rules: Caporetto, state: State, h: int, units: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """10.2.3: the sets of these units that can enter a hex, to which none can be added."""

    def grow(chosen: tuple[int, ...], rest: Sequence[int]) -> Iterator[tuple[int, ...]]:
        if not rest:
            if chosen and not _could_follow(rules, state, h, chosen, units):
                yield chosen
            return
        if not assault.why_not_enter(rules, state, h, (*chosen, rest[0])):
            yield from grow((*chosen, rest[0]), rest[1:])
        yield from grow(chosen, rest[1:])

    if assault.why_not_enter(rules, state, h, units):
        yield from grow((), units)
    else:
        yield tuple(units)


def _could_follow(rules: Caporetto, state: State, h: int, chosen: Sequence[int], units: Iterable[int]) -> bool:
    """10.2.3: is there room for another of these units besides those who enter?"""
    others = [unit for unit in units if unit not in chosen]
    return any(not assault.why_not_enter(rules, state, h, (*chosen, unit)) for unit in others)


def advance(rules: Caporetto, state: State, units: Iterable[int], h: int, out: list[Event]) -> None:
    """12.3.8, 18.3, 12.3.5.3: these enter the hex; guns on the move that are left alone there are captured at once,
    those in place at the end of the action."""
    units = [unit for unit in units if state.at[unit] >= 0]
    if not units:
        return
    assault.advance(rules, state, units, h, out)
    losses.capture(rules, state, h, 1 - rules.side[units[0]], out)
    marching.arrive(rules, state, units, h, out)


@CHAPTER.choice(on="assault_step", seats=anybody, takes=HEX_AND_SIDE, fault=_target_fault)
class OccupyChoice(Choice["Caporetto", State]):
    """10.2.3: who enters an empty hex that cannot hold all who have assaulted it."""

    name = "occupy"
    rules = ("10.2.3",)
    verbs = (Occupy,)

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        h, counter = frame.args
        for units in parties(rules, state, h, declared(rules, state, h, counter)):
            yield Occupy(rules.unit_ids(units))

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        h, counter = frame.args
        units = list(declared(rules, state, h, counter))
        rng.shuffle(units)
        chosen: list[int] = []
        for unit in units:
            if not assault.why_not_enter(rules, state, h, (*chosen, unit)):
                chosen.append(unit)
        return Occupy(rules.unit_ids(sorted(chosen)))

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Occupy)
        units = rules.units(action.units)
        if isinstance(units, Refusal):
            return units
        h, counter = frame.args
        able = declared(rules, state, h, counter)
        if not set(units) <= set(able):
            return Refusal("10.2.3", "not_declared", {"hex": rules.grid.ids[h]})
        rule = assault.why_not_enter(rules, state, h, units)
        if rule:
            return Refusal(rule, "too_many_enter", {"hex": rules.grid.ids[h]})
        if not units or _could_follow(rules, state, h, units, able):
            return Refusal("10.2.3", "more_must_enter", {"hex": rules.grid.ids[h]})
        return None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Occupy)
        state.frames.pop()
        advance(rules, state, rules.known(action.units), frame.args[0], out)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"hex": rules.grid.ids[frame.args[0]]}


# 10.2.4: the wave


@CHAPTER.choice(on="storm", seats=anybody, takes=HEX_AND_SIDE, fault=_target_fault)
class WaveChoice(Choice["Caporetto", State]):
    """10.2.4, 12.3.4.e1: who assaults together, and whose morale counts."""

    name = "wave"
    rules = ("10.2.4", "12.3.4.e1")
    verbs = (Wave,)
    panel = panels.WAVE

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        h, counter = frame.args
        units = waiting(rules, state, h, counter)
        for number in range(1, len(units) + 1):
            for chosen in combinations(units, number):
                if assault.why_not_wave(rules, state, h, chosen, bool(counter)) is None:
                    for lead in assault.leads(rules, state, chosen):
                        yield Wave(rules.unit_ids(chosen), rules.ids[lead])

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        h, counter = frame.args
        units = list(waiting(rules, state, h, counter))
        rng.shuffle(units)
        chosen = units[:1]
        for unit in units[1:]:
            if rng.random() < 0.75 and assault.why_not_wave(rules, state, h, [*chosen, unit], bool(counter)) is None:
                chosen.append(unit)
        chosen.sort()
        return Wave(rules.unit_ids(chosen), rules.ids[rng.choice(assault.leads(rules, state, chosen))])

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Wave)
        h, counter = frame.args
        units = rules.units(action.units)
        if isinstance(units, Refusal):
            return units
        gone = next((unit for unit in units if state.fought >> unit & 1), NOBODY)
        if gone != NOBODY:
            return Refusal("10.2.4", "has_assaulted", {"unit": rules.ids[gone]})
        return assault.why_not_wave(rules, state, h, units, bool(counter)) or why_no_lead(
            rules, state, units, action.lead
        )

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Wave)
        state.frames.pop()
        h, counter = frame.args
        send(rules, state, h, counter, led(rules.known(action.units), rules.number[action.lead]), out)

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return _offer_of(best_wave(rules, state, *frame.args), self.legal(rules, state, frame))

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return about(rules, state, frame)


def best_wave(rules: Caporetto, state: State, h: int, counter: int) -> Wave:
    """10.2.4, 12.3.4.e1: as strong as may be, led by the usual unit."""
    chosen: list[int] = []
    units = waiting(rules, state, h, counter)
    for unit in sorted(units, key=lambda unit: (-losses.strength(rules, state, unit), unit)):
        if assault.why_not_wave(rules, state, h, sorted([*chosen, unit]), bool(counter)) is None:
            chosen.append(unit)
    chosen.sort()
    return Wave(rules.unit_ids(chosen), rules.ids[assault.leads(rules, state, chosen)[0]])


def _offer_of(best: Action, legal: Iterator[Action]) -> dict[str, Any]:
    """The first answers, and the one that serves best."""
    listed = list(islice(legal, MOST_LISTED))
    more = {"more": True} if len(listed) == MOST_LISTED else {}
    return {"actions": [msgspec.to_builtins(one) for one in listed], **more, "best": msgspec.to_builtins(best)}


def about(rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
    """22.3: what a decision in an assault is about, as far as the seat that is asked may know the units of the hex."""
    h, counter = frame.args[:2]
    seen = sightings.known(rules, state, frame.seat)
    units = assault.defenders(rules, state, h, 1 - attacker(rules, state, counter))
    there = rules.unit_ids([unit for unit in units if seen >> unit & 1])
    return {"hex": rules.grid.ids[h], "counter": bool(counter), "defenders": there}


def led(units: Iterable[int], lead: int) -> tuple[int, ...]:
    """The unit that leads, then the others by their numbers."""
    return (lead, *sorted([unit for unit in units if unit != lead]))


def why_no_lead(rules: Caporetto, state: State, units: Sequence[int], name: str) -> Refusal | None:
    """12.3.4.e1: why a unit does not lead these."""
    lead = rules.number.get(name, NOBODY)
    if lead == NOBODY:
        return rules.unknown_unit(name)
    if lead not in assault.leads(rules, state, units):
        return Refusal("12.3.4.e1", "cannot_lead", {"unit": name})
    return None


def send(rules: Caporetto, state: State, h: int, counter: int, wave: tuple[int, ...], out: list[Event]) -> None:
    """24.9, 17.3, 11.4: a wave goes forward; the defender says who stands, where he has a choice."""
    side = attacker(rules, state, counter)
    state.fought |= mask_of(wave)
    assault.begin(rules, state, h, 1 - side, wave, out)
    groups = assault.groups(rules, state, h, 1 - side)
    if len(groups) == 1 and len(assault.leads(rules, state, groups[0])) <= 1:
        meet(rules, state, h, counter, wave, groups[0], out)
    else:
        seat = 1 - attacking_seat(rules, state, counter)
        state.frames.append(Frame("stand", seat, (h, counter, wave)))


@CHAPTER.choice(on="storm", seats=anybody, takes=WAVE, fault=_clash_fault)
class StandChoice(Choice["Caporetto", State]):
    """11.4, 12.3.4.e1: who defends the hex, and whose morale counts."""

    name = "stand"
    rules = ("11.4", "12.3.4.e1")
    verbs = (Stand,)
    panel = panels.WAVE

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        for group in _groups(rules, state, frame):
            for lead in assault.leads(rules, state, group):
                yield Stand(rules.unit_ids(group), rules.ids[lead])

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Stand)
        units = rules.units(action.units)
        if isinstance(units, Refusal):
            return units
        if tuple(sorted(units)) not in [tuple(sorted(group)) for group in _groups(rules, state, frame)]:
            return Refusal("11.4", "others_stand", {"hex": rules.grid.ids[frame.args[0]]})
        return why_no_lead(rules, state, units, action.lead)

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Stand)
        state.frames.pop()
        h, counter, wave = frame.args
        meet(rules, state, h, counter, wave, led(rules.known(action.units), rules.number[action.lead]), out)

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        group = _groups(rules, state, frame)[0]
        best = Stand(rules.unit_ids(group), rules.ids[assault.leads(rules, state, group)[0]])
        return _offer_of(best, self.legal(rules, state, frame))

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        seen = sightings.known(rules, state, frame.seat)
        wave = [unit for unit in frame.args[2] if seen >> unit & 1]
        return about(rules, state, frame) | {"wave": rules.unit_ids(wave)}


def _groups(rules: Caporetto, state: State, frame: Frame) -> list[tuple[int, ...]]:
    return assault.groups(rules, state, frame.args[0], 1 - attacker(rules, state, frame.args[1]))


# 12.3.3: the dice


def clash_of(args: Sequence[Any]) -> Clash:
    """12.3.3: who fights whom, as a frame has it."""
    h, counter, wave, group = args[:4]
    return Clash(h, wave, group, wave[0], group[0] if group else NOBODY, bool(counter))


def meet(
    rules: Caporetto,
    state: State,
    h: int,
    counter: int,
    wave: tuple[int, ...],
    group: tuple[int, ...],
    out: list[Event],
) -> None:
    """12.3.3: ratio, shifts and column are told, and the dice fall; below the table there are none."""
    args = (h, counter, wave, group)
    fight = odds.weigh(rules, state, clash_of(args))
    out.append(Event("assault", ("12.3.3",), _told(rules, args, fight)))
    if fight.dice:
        state.frames.append(Frame("assault_dice" if fight.dice > 1 else "assault_die", CHANCE, args))
    else:
        resolve(rules, state, args, 0, out)


def _told(rules: Caporetto, args: Sequence[Any], fight: Fight) -> dict[str, Any]:
    h, counter, wave, group = args
    columns = rules.tables.assault.columns
    return {
        "hex": rules.grid.ids[h],
        "counter": bool(counter),
        "wave": rules.unit_ids(wave),
        "group": rules.unit_ids(group),
        "attack": fight.attack,
        "defence": fight.defence,
        "ratio": ratio(columns, fight.base),
        "shifts": [[shift.key, shift.amount] for shift in fight.shifts],
        "net": fight.net,
        "column": ratio(columns, fight.column),
    }


def ratio(columns: Sequence[str], column: int) -> str:
    """12.3.3.C: the name of a column, also of those beyond the table: 6:1, 1:3."""
    if 0 <= column < len(columns):
        return columns[column]
    if column < 0:
        return f"1:{int(columns[0].partition(':')[2]) - column}"
    return f"{int(columns[-1].partition(':')[0]) + column - len(columns) + 1}:1"


@CHAPTER.throw(1, "12.3.3.D", on="storm", secrets=open_to_all, takes=CLASH, fault=_clash_fault)
def assault_die(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """12.3.3.D: the die of an assault."""
    resolve(rules, state, frame.args, dice[0], out)


@CHAPTER.throw(2, "21.6.2", on="storm", secrets=open_to_all, takes=CLASH, fault=_clash_fault)
def assault_dice(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """21.6.2: Rommel's two dice, of which he may choose; a double wounds him."""
    odds.wound(rules, state, dice, out)
    if dice[0] == dice[1]:
        resolve(rules, state, frame.args, dice[0], out)
        return
    seat = attacking_seat(rules, state, frame.args[1])
    state.frames.append(Frame("rommel_die", seat, (*frame.args, *dice)))


@CHAPTER.choice(
    on="storm",
    seats=anybody,
    takes=(*CLASH, Argument("first", NUMBER, 1, DIE), Argument("second", NUMBER, 1, DIE)),
    fault=_clash_fault,
)
class RommelDie(Choice["Caporetto", State]):
    """21.6.2: which of two dice counts."""

    name = "rommel_die"
    rules = ("21.6.2",)
    verbs = (Pick,)

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        for die in sorted(set(frame.args[4:])):
            yield Pick(die)

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Pick)
        return None if action.die in frame.args[4:] else Refusal("21.6.2", "no_such_die", {"die": action.die})

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Pick)
        state.frames.pop()
        resolve(rules, state, frame.args[:4], action.die, out)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        dice = frame.args[4:]
        fight = odds.weigh(rules, state, clash_of(frame.args))
        lines = {}
        for die in dice:
            mine, theirs = rules.tables.assault.result(fight.column, die)
            lines[str(die)] = [line_of(mine), line_of(theirs)]
        return about(rules, state, frame) | {"lines": lines}


def line_of(found: Outcome) -> str:
    """12.3.4: a line of the table as it is printed: `D2R/1`."""
    if not found.dp and not found.steps and not found.retreat:
        return "-"
    return f"D{found.dp}{'R' if found.retreat else ''}{f'/{found.steps}' if found.steps else ''}"


# 12.3.4: what it does


def resolve(rules: Caporetto, state: State, args: Sequence[Any], die: int, out: list[Event]) -> None:
    """12.3.4, 15.4.1, 15.4.2: points and surrenders of both sides, then the steps of both, then who must retreat does.

    A die of 0 is none: the column is below the table."""
    h, counter, wave, group = args
    fight = odds.weigh(rules, state, clash_of(args))
    mine, theirs = result = rules.tables.assault.result(fight.column, die)
    defending = assault.defenders(rules, state, h, 1 - attacker(rules, state, counter))
    won = odds.attacker_wins(rules, state, defending, result)
    data = {"hex": rules.grid.ids[h], "attacker": line_of(mine), "defender": line_of(theirs), "won": won}
    out.append(Event("assault_result", ("12.3.4",), data | ({"die": die} if die else {})))
    sources = tuple(sorted({state.at[unit] for unit in wave}))
    assault.strike(rules, state, wave, mine, won, out)
    assault.strike(rules, state, defending, theirs, not won, out)
    state.frames.append(Frame("after_assault", AUTO, (h, counter, _there(state, wave), sources, int(theirs.retreat))))
    seat = attacking_seat(rules, state, counter)
    _ask_losses(state, 1 - seat, defending, group[:1], theirs.steps)
    _ask_losses(state, seat, wave, wave[:1], mine.steps)


def _there(state: State, units: Iterable[int]) -> tuple[int, ...]:
    return tuple([unit for unit in units if state.at[unit] >= 0])


def _ask_losses(state: State, seat: int, units: Iterable[int], lead: Sequence[int], steps: int) -> None:
    units = _there(state, units)
    if steps and units:
        state.frames.append(Frame("take_losses", AUTO, (seat, units, _there(state, lead), steps)))


LOSSES = (
    Argument("units", UNITS, 1, MOST),
    Argument("lead", UNITS, 0, 1),
    Argument("steps", NUMBER, 1, MOST_STEPS),
)


@CHAPTER.step(
    "12.3.4",
    on="after_assault take_losses",
    secrets=open_to_all,
    takes=(Argument("seat", NUMBER, 0, 1), *LOSSES),
    once=False,
)
def take_losses(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.3.4, 12.3.4.e1: steps are taken; where there are several ways their owner chooses."""
    seat, units, lead, steps = frame.args
    splits = _splits(rules, state, units, lead, steps)
    if len(splits) == 1:
        losses.take(rules, state, splits[0], out, "12.3.4")
    else:
        state.frames.append(Frame("assault_losses", seat, (units, lead, steps)))


def _splits(
    rules: Caporetto, state: State, units: Sequence[int], lead: Sequence[int], steps: int
) -> list[tuple[int, ...]]:
    return losses.assault_splits(rules, state, units, lead[0] if lead else NOBODY, steps)


def _losses_fault(rules: Caporetto, state: State, frame: Frame) -> str:
    units, lead, _ = frame.args
    if any(state.at[unit] < 0 for unit in units) or not set(lead) <= set(units):
        return "it names who is not there"
    return ""


@CHAPTER.choice(on="after_assault take_losses", seats=anybody, takes=LOSSES, fault=_losses_fault)
class AssaultLosses(Choice["Caporetto", State]):
    """12.3.4, 12.3.4.e1: who loses the steps of an assault, the first by who led it."""

    name = "assault_losses"
    rules = ("12.3.4", "12.3.4.e1")
    verbs = (Suffer,)
    panel = panels.LOSSES

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        for split in _splits(rules, state, *frame.args):
            yield Suffer(rules.unit_ids(split))

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Suffer)
        unknown = next((name for name in action.units if name not in rules.number), None)
        if unknown is not None:
            return rules.unknown_unit(unknown)
        units, lead, steps = frame.args
        split = sorted(rules.known(action.units))
        if any(split == sorted(found) for found in _splits(rules, state, units, lead, steps)):
            return None
        if lead and lead[0] not in split:
            return Refusal("12.3.4.e1", "lead_loses_first", {"unit": rules.ids[lead[0]]})
        return Refusal("12.3.4", "not_so_many_steps", {"steps": steps})

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Suffer)
        state.frames.pop()
        losses.take(rules, state, rules.known(action.units), out, "12.3.4")

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        best = Suffer(rules.unit_ids(losses.best_split(rules, state, _splits(rules, state, *frame.args))))
        men = [unit for unit in frame.args[0] if not rules.guns >> unit & 1]
        return volleys.offer_of_losses(rules, state, men, best, self.legal(rules, state, frame))

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        units, lead, steps = frame.args
        return {"units": rules.unit_ids(units), "lead": rules.unit_ids(lead), "steps": steps}


AFTER = (
    *HEX_AND_SIDE,
    Argument("wave", UNITS, 0, MOST),
    Argument("sources", HEXES, 1, 6),
    Argument("retreat", NUMBER, 0, 1),
)


@CHAPTER.step("12.3.5", "12.3.8", on="storm", secrets=open_to_all, takes=AFTER, fault=_target_fault)
def after_assault(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.3.5, 12.3.8, 10.2.4: the beaten defender leaves; a hex that is left the wave enters; a defender who has held
    it may leave it now."""
    h, counter, wave, sources, retreat = frame.args
    side = 1 - attacker(rules, state, counter)
    if retreat:
        units = retreats.must_retreat(rules, state, assault.defenders(rules, state, h, side))
        state.frames.append(Frame(frame.name, AUTO, (h, counter, wave, sources, 0)))
        leave(rules, state, units, h, counter, mask_of(sources))
    elif not is_held(rules, state, h, counter):
        if _there(state, wave):
            state.fought |= mask_of(declared(rules, state, h, counter))
            advance(rules, state, wave, h, out)
    elif can_withdraw(rules, state, h, counter, mask_of(sources)):
        seat = 1 - attacking_seat(rules, state, counter)
        state.frames.append(Frame("withdraw", seat, (h, counter, sources)))


def leave(rules: Caporetto, state: State, units: Iterable[int], h: int, counter: int, sources: int) -> None:
    """12.3.5, 12.3.5.6: these leave a hex that was assaulted; who has just taken it goes back to where he began."""
    if counter:
        falling_back.go_home(rules, state, units, h)
    else:
        falling_back.give_way(rules, state, units, h, sources)


def can_withdraw(rules: Caporetto, state: State, h: int, counter: int, sources: int) -> bool:
    """10.2.4, 12.3.5.2: has everybody who would leave somewhere to go? Nobody surrenders of his own will."""
    side = 1 - attacker(rules, state, counter)
    units = retreats.must_retreat(rules, state, assault.defenders(rules, state, h, side))
    if counter:
        foes = state.occ[1 - side] | state.guns[1 - side]
        origins = [retreats.origin(state, unit) for unit in units]
        return all(here != NOBODY and not foes >> here & 1 for here in origins)
    where = retreats.setting(rules, state, h, side, sources)
    return all(retreats.ways(rules, state, unit, where).letter for unit in units)


@CHAPTER.choice(on="storm", seats=anybody, takes=(*HEX_AND_SIDE, Argument("sources", HEXES, 1, 6)), fault=_target_fault)
class WithdrawChoice(Choice["Caporetto", State]):
    """10.2.4, 12.3.2: after every assault that he has withstood the defender may leave."""

    name = "withdraw"
    rules = ("10.2.4", "12.3.2")
    verbs = (Remain, Withdraw)

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        yield Remain()
        yield Withdraw()

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        return None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Remain):
            return
        h, counter, sources = frame.args
        units = assault.defenders(rules, state, h, 1 - attacker(rules, state, counter))
        units = retreats.must_retreat(rules, state, units)
        out.append(Event("withdrew", ("10.2.4",), {"hex": rules.grid.ids[h], "units": rules.unit_ids(units)}))
        leave(rules, state, units, h, counter, mask_of(sources))

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        seen = sightings.known(rules, state, frame.seat)
        more = [unit for unit in waiting(rules, state, *frame.args[:2]) if seen >> unit & 1]
        return about(rules, state, frame) | {"waiting": rules.unit_ids(more)}


# Before one commits


class Forecast(NamedTuple):
    """12.3.3: an assault that could be made, and what it would bring."""

    clash: Clash
    fight: Fight
    odds: Odds


def odds_of(
    rules: Caporetto, state: State, h: int, wave: Sequence[int], counter: bool = False, lead: int = NOBODY
) -> Forecast:
    """12.3.3, 12.4.3: the exact odds of an assault of a hex by these units, declared or not, if the defender then does
    what serves him best. Who leads is the usual one if nobody is named."""
    lead = assault.leads(rules, state, wave)[0] if lead == NOBODY else lead
    side = 1 - rules.side[wave[0]]
    defending, best = assault.defenders(rules, state, h, side), None
    for group in assault.groups(rules, state, h, side):
        for against in assault.leads(rules, state, group) or (NOBODY,):
            clash = Clash(h, tuple(wave), group, lead, against, counter)
            fight = odds.weigh(rules, state, clash)
            if best is None or fight.column < best[1].column:
                best = clash, fight
    assert best is not None, "there is always a group, if an empty one"
    return Forecast(*best, odds.odds(rules, state, best[1], wave, defending))


def odds_against(
    rules: Caporetto, state: State, h: int, wave: Sequence[int], counter: bool, group: Sequence[int], lead: int
) -> Forecast:
    """12.3.3: the same for who says which units stand against a wave, and which of them leads; the first of the wave
    leads it."""
    clash = Clash(h, tuple(wave), tuple(group), wave[0], lead, counter)
    fight = odds.weigh(rules, state, clash)
    defending = assault.defenders(rules, state, h, 1 - rules.side[wave[0]])
    return Forecast(clash, fight, odds.odds(rules, state, fight, wave, defending))


def foresee(rules: Caporetto, state: State, frame: Frame, action: Action | None = None) -> Forecast | None:
    """12.3.3: the exact odds of an answer to this decision, or of the throw that waits; None if none depend on it."""
    if isinstance(action, Wave):
        h, counter = frame.args
        return odds_of(rules, state, h, rules.known(action.units), bool(counter), rules.number[action.lead])
    if isinstance(action, Stand):
        h, counter, wave = frame.args
        group, lead = rules.known(action.units), rules.number[action.lead]
        return odds_against(rules, state, h, wave, bool(counter), group, lead)
    if action is None and frame.name in ("assault_die", "assault_dice"):
        h, counter, wave, group = frame.args
        return odds_against(rules, state, h, wave, bool(counter), group, group[0] if group else NOBODY)
    return None
