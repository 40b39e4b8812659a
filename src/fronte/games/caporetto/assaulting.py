"""4.0-7.D, 4.0-7.G, 12.3: assaults and counter-assaults are resolved, hex by hex and wave by wave.

For each hex the attacker names a wave and who leads it, the defender who stands against it; the dice fall, points,
surrenders and steps are taken (15.4.1), the beaten retreat (`falling_back`), and the hex that is left is entered. In
frames the unit that leads is the first of its wave, or of those who stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody, open_to_all
from fronte.games.caporetto import (
    assault,
    counter_assault,
    losses,
    odds,
    panels,
    seating,
    sightings,
    trenches,
)
from fronte.games.caporetto.aftermath import line_of, resolve
from fronte.games.caporetto.assailants import (
    CLASH,
    HEX_AND_SIDE,
    WAVE,
    about,
    attacker,
    clash_fault,
    clash_of,
    covered,
    is_held,
    target_fault,
    targets,
    waiting,
)
from fronte.games.caporetto.entering import enter_empty
from fronte.games.caporetto.odds import Fight
from fronte.games.caporetto.state import NOBODY, State
from fronte.games.caporetto.tables import DIE
from fronte.hexes import mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
MOST_LISTED = 60
"""So many waves are listed; the panel has what any other is made of."""
STEP = ("assault", "counter")
ON_THE_MOVE = 2
"""Added to the argument of the step of an assault on the move (21.5.3), which lies above the step of the action."""


class Next(Action, frozen=True):
    """12.3.2: the hex whose assault is resolved next."""

    form = "next {hex}"
    odds = True
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
    odds = True
    die: int


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
        units = [unit for h in found for unit in waiting(rules, state, h, counter)]
        state.frames.append(Frame("next_assault", seating.decides(rules, state, units), (counter,)))


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


@CHAPTER.step("12.3.1", "12.3.2", on="assault_step", secrets=open_to_all, takes=HEX_AND_SIDE, fault=target_fault)
def storm(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """10.2.3, 10.2.4, 21.5.2: the next wave against a hex, until nobody is left to assault it; what is empty is
    entered."""
    h, counter = frame.args
    side = attacker(rules, state, counter)
    if is_held(rules, state, h, counter) and waiting(rules, state, h, counter):
        assault.begin(rules, state, h, 1 - side, (), out)  # also of those who surrender before the first die
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
        state.frames.append(Frame("wave", seating.decides(rules, state, units), (h, counter)))


# 10.2.4: the wave


@CHAPTER.choice(on="storm", seats=anybody, takes=HEX_AND_SIDE, fault=target_fault)
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
        seat = seating.decides(rules, state, assault.defenders(rules, state, h, 1 - side))
        state.frames.append(Frame("stand", seat, (h, counter, wave)))


@CHAPTER.choice(on="storm", seats=anybody, takes=WAVE, fault=clash_fault)
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
        return about(rules, state, frame) | {"wave": rules.unit_ids(wave)} | covered(rules, frame.args[2], seen)


def _groups(rules: Caporetto, state: State, frame: Frame) -> list[tuple[int, ...]]:
    return assault.groups(rules, state, frame.args[0], 1 - attacker(rules, state, frame.args[1]))


# 12.3.3: the dice


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


@CHAPTER.throw(1, "12.3.3.D", on="storm", secrets=open_to_all, takes=CLASH, fault=clash_fault)
def assault_die(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """12.3.3.D: the die of an assault."""
    resolve(rules, state, frame.args, dice[0], out)


@CHAPTER.throw(2, "21.6.2", on="storm", secrets=open_to_all, takes=CLASH, fault=clash_fault)
def assault_dice(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """21.6.2: Rommel's two dice, of which he may choose; a double wounds him."""
    odds.wound(rules, state, dice, out)
    if dice[0] == dice[1]:
        resolve(rules, state, frame.args, dice[0], out)
        return
    seat = seating.decides(rules, state, frame.args[2])
    state.frames.append(Frame("rommel_die", seat, (*frame.args, *dice)))


@CHAPTER.choice(
    on="storm",
    seats=anybody,
    takes=(*CLASH, Argument("first", NUMBER, 1, DIE), Argument("second", NUMBER, 1, DIE)),
    fault=clash_fault,
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
