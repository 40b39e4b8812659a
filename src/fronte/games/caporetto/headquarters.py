"""7.1, 7.3 to 7.7: an action is prepared. Headquarters are placed, their range is traced, and it is said who and what
acts along: independents and guns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine import panel
from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter
from fronte.games.caporetto import acting, artillery, command, panels
from fronte.games.caporetto.printed import DISPLAY
from fronte.games.caporetto.seating import active_seat
from fronte.games.caporetto.state import NOBODY, State
from fronte.games.common.positions import HEX, HEXES, UNIT, UNITS, WORD
from fronte.hexes import bits, mask_of, nth

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
ACTION, DIVISION, SWAP, REACTION = KINDS = ("action", "division", "swap", "reaction")
"""7.10, 7.11, 14: what `State.kind` can be."""
PLACE, TRACE, GUNS = STAGES = ("place", "trace", "guns")
"""What is to be done for each formation, in this order; each for all of them before the next."""
FORMATION = Argument("formation", NUMBER, 0, 999)
MOST = 400
"""More hexes and units than any frame here names."""
PASSED = Argument("passed", HEXES, 0, MOST)
"""7.1: enemy zones through which a die has let the range pass."""


class Hq(Action, frozen=True):
    """7.6: the headquarters is placed here."""

    form = "hq {hex}"
    odds = True
    hex: str


class Attach(Action, frozen=True):
    """7.5: these independents act along; nobody is named for none."""

    form = "attach[ {units}]"
    units: tuple[str, ...] = ()


class Assign(Action, frozen=True):
    """7.3, 7.4: these guns are assigned to the formation."""

    form = "assign[ {guns}]"
    guns: tuple[str, ...] = ()


def mover(rules: Caporetto, state: State, frame: Frame) -> int:
    """Who acts reads his own plan."""
    return active_seat(rules, state)


def by_mover(rules: Caporetto, state: State, frame: Frame) -> tuple[int, ...]:
    """Who acts decides."""
    return (active_seat(rules, state),)


def fault(rules: Caporetto, state: State, frame: Frame) -> str:
    """The formation is one of the force that acts."""
    formation = next(value for value in frame.args if not isinstance(value, str))
    if formation >= len(rules.formations):
        return "there is no such formation"
    return "" if rules.formations[formation].force == state.active else "it is a formation of another force"


def lay(rules: Caporetto, state: State) -> None:
    """7.5 to 7.7: lay on the action what has to be done before it; a headquarters that is placed stays (14)."""
    for stage in reversed(STAGES):
        for formation in reversed(state.formations):
            if stage == PLACE and state.at[rules.formations[formation].hq] != DISPLAY:
                continue
            state.frames.append(Frame("call_up", AUTO, (stage, formation)))


def _stage_fault(rules: Caporetto, state: State, frame: Frame) -> str:
    return fault(rules, state, frame) if frame.args[0] in STAGES else "nothing of the kind is to be prepared"


@CHAPTER.step(
    "7.5",
    "7.6",
    "7.7",
    on="act call_up",
    secrets=mover,
    takes=(Argument("stage", WORD), FORMATION),
    fault=_stage_fault,
    once=False,
    phases="action",
)
def call_up(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """7.5 to 7.7: one of the things that come before an action; what leaves no choice is done."""
    stage, formation = frame.args
    state.step = "activate"
    if stage == PLACE:
        ask_place(rules, state, formation, out)
    elif stage == TRACE:
        trace(rules, state, formation, 0, 0, out)
    else:
        found = serving(rules, state, formation)
        if found.bit_count() > command.most_guns(rules, state, formation):
            state.frames.append(Frame("assign_guns", active_seat(rules, state), (formation,)))
        else:
            assign(rules, state, formation, found, out)


# 7.6: the headquarters


def ask_place(rules: Caporetto, state: State, formation: int, out: list[Event]) -> None:
    """7.6: where the headquarters is placed; where there is one hex it is there."""
    found = command.hq_hexes(rules, state, formation)
    if found.bit_count() == 1:
        place(rules, state, formation, next(bits(found)), out)
    else:
        state.frames.append(Frame("place_hq", active_seat(rules, state), (formation,)))


def place(rules: Caporetto, state: State, formation: int, h: int, out: list[Event]) -> None:
    """7.6: it is no unit that could be fired at or bar a hex, and lies in no stack."""
    one = rules.formations[formation]
    state.at[one.hq] = h
    out.append(Event("hq_placed", ("7.6",), {"formation": one.id, "hex": rules.grid.ids[h]}))


def withdraw(rules: Caporetto, state: State, formation: int) -> None:
    """13, 14: back to the display."""
    state.at[rules.formations[formation].hq] = DISPLAY


@CHAPTER.choice(on="act call_up reaction_die", seats=by_mover, takes=(FORMATION,), fault=fault, phases="action")
class PlaceHq(Choice["Caporetto", State]):
    """7.6: where the headquarters of a formation is placed."""

    name = "place_hq"
    rules = ("7.6", "9.4")
    verbs = (Hq,)
    panel = panels.HEADQUARTERS

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        for h in bits(command.hq_hexes(rules, state, frame.args[0])):
            yield Hq(rules.grid.ids[h])

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        found = command.hq_hexes(rules, state, frame.args[0])
        return Hq(rules.grid.ids[nth(found, rng.randrange(found.bit_count()))])

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Hq)
        h = rules.grid.index.get(action.hex, -1)
        if h < 0:
            return rules.unknown_hex(action.hex)
        if command.hq_hexes(rules, state, frame.args[0]) >> h & 1:
            return None
        return _why_not_there(rules, state, frame.args[0], h)

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Hq)
        state.frames.pop()
        place(rules, state, frame.args[0], rules.grid.index[action.hex], out)

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        (formation,) = frame.args
        ids, fields = rules.grid.ids, command.fields(rules, state, formation)
        places = list(bits(command.hq_hexes(rules, state, formation)))
        return {
            "actions": [msgspec.to_builtins(Hq(ids[h])) for h in places],
            "commands": {ids[h]: sum([field >> h & 1 for field in fields]) for h in places},
        }

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"formation": rules.formations[frame.args[0]].id, "unit": rules.ids[rules.formations[frame.args[0]].hq]}


def _why_not_there(rules: Caporetto, state: State, formation: int, h: int) -> Refusal:
    """7.6: which of its conditions a hex does not meet."""
    one, data = rules.formations[formation], {"hex": rules.grid.ids[h]}
    foes = state.occ[1 - one.side] | state.guns[1 - one.side]
    if not rules.ground.extent >> h & 1:
        return Refusal("2.1", "out_of_play", data)
    if foes >> h & 1:
        return Refusal("7.6", "enemy_there", data)
    if not command.in_command(rules, state, formation, h) & ~state.ooc:
        return Refusal("7.6", "commands_nobody", data)
    return Refusal("9.4", "hq_without_supply", data)


# 7.1, 7.7: who is in command


def trace(rules: Caporetto, state: State, formation: int, passed: int, stopped: int, out: list[Event]) -> None:
    """7.1: the next die for an enemy zone that could bring somebody into command, or the end of it."""
    here = state.at[rules.formations[formation].hq]
    if rules.option["command_zoc_roll"] == "per-unit":
        _next_unit(rules, state, formation, (), (), out)
        return
    h = command.next_die(rules, state, formation, here, passed, stopped)
    if h == NOBODY:
        take_command(rules, state, formation, passed, 0, out)
        return
    args = (formation, h, tuple(bits(passed)), tuple(bits(stopped)))
    state.frames.append(Frame("command_die", CHANCE, args))


@CHAPTER.throw(
    1,
    "7.1",
    on="act call_up",
    secrets=mover,
    takes=(FORMATION, Argument("hex", HEX), PASSED, Argument("stopped", HEXES, 0, MOST)),
    fault=fault,
    phases="action",
)
def command_die(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """7.1: a low die stops the range at an enemy zone, for all units of this activation."""
    formation, h, passed, stopped = frame.args
    through = dice[0] > rules.command_blocked
    data = {"formation": rules.formations[formation].id, "hex": rules.grid.ids[h], "die": dice[0], "through": through}
    out.append(Event("command_traced", ("7.1",), data))
    bit = 1 << h
    trace(
        rules,
        state,
        formation,
        mask_of(passed) | (bit if through else 0),
        mask_of(stopped) | (0 if through else bit),
        out,
    )


def _next_unit(
    rules: Caporetto, state: State, formation: int, lucky: Sequence[int], tried: Sequence[int], out: list[Event]
) -> None:
    """7.1, `command_zoc_roll` = per-unit: a die for each unit that is in range but for enemy zones."""
    for unit in command.diced(rules, state, formation, state.at[rules.formations[formation].hq]):
        if unit not in tried:
            state.frames.append(Frame("command_unit_die", CHANCE, (formation, unit, tuple(lucky), tuple(tried))))
            return
    take_command(rules, state, formation, 0, mask_of(lucky), out)


@CHAPTER.throw(
    1,
    "7.1",
    on="act call_up",
    secrets=mover,
    takes=(FORMATION, Argument("unit", UNIT), Argument("lucky", UNITS, 0, MOST), Argument("tried", UNITS, 0, MOST)),
    fault=fault,
    phases="action",
)
def command_unit_die(rules: Caporetto, state: State, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """7.1, `command_zoc_roll` = per-unit: a low die leaves a unit beyond an enemy zone out of command."""
    formation, unit, lucky, tried = frame.args
    through = dice[0] > rules.command_blocked
    name, h = rules.formations[formation].id, rules.hex_id(state.at[unit])
    out.append(Event("command_traced", ("7.1",), {"formation": name, "hex": h, "die": dice[0], "through": through}))
    _next_unit(rules, state, formation, (*lucky, unit) if through else lucky, (*tried, unit), out)


def take_command(rules: Caporetto, state: State, formation: int, passed: int, besides: int, out: list[Event]) -> None:
    """7.7, 7.8: who is in range acts, if he is not Out of Command or Activated already; the others are Out of Command.
    Then independents in range may be attached (7.5).

    `passed` are the zones that dice have opened, `besides` units that a die brought into command wherever they are; of
    independents all in the hex.
    """
    there = command.members(rules, state, formation)
    passed |= mask_of(state.at[unit] for unit in bits(besides & ~mask_of(there)))
    reached = command.reach(rules, state, formation, state.at[rules.formations[formation].hq], passed)
    inside = mask_of(unit for unit in there if (reached >> state.at[unit] | besides >> unit) & 1)
    outside = mask_of(there) & ~inside & ~rules.flamethrowers
    state.reach |= reached
    state.commanded |= inside & ~(state.ooc | state.activated)
    if outside:
        names = rules.unit_ids(bits(outside))
        out.append(Event("out_of_command", ("7.7",), {"formation": rules.formations[formation].id, "units": names}))
    state.ooc |= outside
    frame = Frame("attach", active_seat(rules, state), (formation, tuple(bits(passed))))
    if independents(rules, state, formation, _range(rules, state, frame)):
        state.frames.append(frame)


# 7.5: independents


def independents(rules: Caporetto, state: State, formation: int, reached: int) -> list[int]:
    """7.5, 21.4: who could be attached to a formation whose range covers these hexes; a flamethrower goes with its
    bearer."""
    return list(bits(command.candidates(rules, state, formation, reached) & ~rules.flamethrowers))


def _range(rules: Caporetto, state: State, frame: Frame) -> int:
    """7.6: where independents can be attached: in range, or where by option a die has fallen for them."""
    formation, passed = frame.args
    reached = command.reach(rules, state, formation, state.at[rules.formations[formation].hq], mask_of(passed))
    return reached | mask_of(passed)


def attach(rules: Caporetto, state: State, formation: int, units: Sequence[int], out: list[Event]) -> None:
    """7.5: these act with the formation."""
    found = mask_of(units)
    state.attached |= found
    state.commanded |= found
    state.attachments = (*state.attachments, (formation, found))
    data = {"formation": rules.formations[formation].id, "units": rules.unit_ids(units)}
    out.append(Event("attached", ("7.5",), data))


def _attach_fault(rules: Caporetto, state: State, frame: Frame) -> str:
    why = fault(rules, state, frame)
    return why or ("" if state.at[rules.formations[frame.args[0]].hq] >= 0 else "its headquarters is not on the map")


@CHAPTER.choice(on="act call_up", seats=by_mover, takes=(FORMATION, PASSED), fault=_attach_fault, phases="action")
class AttachChoice(Choice["Caporetto", State]):
    """7.5: which independents act with a formation, all in one answer."""

    name = "attach"
    rules = ("7.5", "7.6")
    verbs = (Attach,)
    panel = panel.SUBSET

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        reached = _range(rules, state, frame)
        able = independents(rules, state, frame.args[0], reached)
        for size in range(len(able) + 1):
            for units in combinations(able, size):
                if command.why_not_attached(rules, state, frame.args[0], units, reached) is None:
                    yield Attach(rules.unit_ids(units))

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        """As many as fit, in some order, or fewer."""
        reached = _range(rules, state, frame)
        able = independents(rules, state, frame.args[0], reached)
        rng.shuffle(able)
        chosen: list[int] = []
        for unit in able[: rng.randint(0, len(able))]:
            if command.why_not_attached(rules, state, frame.args[0], [*chosen, unit], reached) is None:
                chosen.append(unit)
        return Attach(rules.unit_ids(sorted(chosen)))

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Attach)
        units = rules.units(action.units)
        if isinstance(units, Refusal):
            return units
        for unit in units:
            if rules.flamethrowers >> unit & 1:
                return Refusal("21.4", "goes_with_bearer", {"unit": rules.ids[unit]})
        return command.why_not_attached(rules, state, frame.args[0], units, _range(rules, state, frame))

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Attach)
        state.frames.pop()
        if action.units:
            attach(rules, state, frame.args[0], [rules.number[name] for name in action.units], out)

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return panel.subset(super().offer(rules, state, frame), "attach", "units")

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"formation": rules.formations[frame.args[0]].id, "most": rules.most_independents // 4}


# 7.3, 7.4: guns


def serving(rules: Caporetto, state: State, formation: int) -> int:
    """7.3, 7.4, 7.11, 18.8, 24.12: the guns that could be assigned to a formation now: none to those that change
    places, nor in turn 1 to the AHG, and none that another formation of the division has."""
    one = rules.formations[formation]
    if state.kind == SWAP or not artillery.bombards_in_actions(rules, state, one.side):
        return 0
    if not command.most_guns(rules, state, formation):
        return 0
    taken = 0
    for _, guns in state.pool:
        taken |= guns
    return artillery.serving(rules, state, formation) & ~taken


def assign(rules: Caporetto, state: State, formation: int, guns: int, out: list[Event]) -> None:
    """7.3, 7.4: these guns may bombard in step B."""
    if guns:
        state.pool = (*state.pool, (formation, guns))
        one = rules.formations[formation].id
        data = {"formation": one, "units": rules.unit_ids(bits(guns)), "guns": guns.bit_count()}
        out.append(Event("guns_assigned", (command.plan_rule(rules, formation),), data))
    if state.frames[-1].name == "act":
        acting.begin(rules, state, out)


@CHAPTER.choice(on="act call_up", seats=by_mover, takes=(FORMATION,), fault=fault, phases="action")
class AssignGuns(Choice["Caporetto", State]):
    """7.3, 7.4: which guns are assigned to a formation, all in one answer. It is asked where there are too many."""

    name = "assign_guns"
    rules = ("7.3", "7.4", "18.8")
    verbs = (Assign,)
    panel = panel.SUBSET

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        able = list(bits(serving(rules, state, frame.args[0])))
        for size in range(self._most(rules, state, frame) + 1):
            for guns in combinations(able, size):
                yield Assign(rules.unit_ids(guns))

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        able = list(bits(serving(rules, state, frame.args[0])))
        most = min(self._most(rules, state, frame), len(able))
        return Assign(rules.unit_ids(sorted(rng.sample(able, rng.randint(0, most)))))

    def _most(self, rules: Caporetto, state: State, frame: Frame) -> int:
        return command.most_guns(rules, state, frame.args[0])

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Assign)
        guns = rules.units(action.guns)
        if isinstance(guns, Refusal):
            return guns
        able, most = serving(rules, state, frame.args[0]), self._most(rules, state, frame)
        for gun in guns:
            if not able >> gun & 1:
                return Refusal("18.8", "gun_not_free", {"unit": rules.ids[gun]})
        rule = command.plan_rule(rules, frame.args[0])
        return Refusal(rule, "too_many_assigned", {"most": most}) if len(guns) > most else None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Assign)
        state.frames.pop()
        assign(rules, state, frame.args[0], mask_of(rules.number[name] for name in action.guns), out)

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        """So many sets cannot be listed: all guns are named, and single ones as answers."""
        able = rules.unit_ids(bits(serving(rules, state, frame.args[0])))
        listed = [{"do": "assign"}, *({"do": "assign", "guns": [name]} for name in able)]
        return {"actions": listed, "more": True, "verb": "assign", "field": "guns", "pieces": list(able), "free": True}

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"formation": rules.formations[frame.args[0]].id, "most": self._most(rules, state, frame)}
