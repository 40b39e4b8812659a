"""13.1.3: a unit that loses a level in its action may break it off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Argument, Chapter, anybody
from fronte.games.common.positions import UNIT
from fronte.games.volturno import assault, charge, charging, retreats
from fronte.games.volturno.state import State, end_action

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()


class BreakOff(Action, frozen=True):
    """13.1.3: a unit that has lost a level breaks off and retires a hex; without one it surrenders, or stays where a
    marker alone is in its way (11.3.3)."""

    form = "breakoff[ to {to}]"
    odds = True
    to: str = ""


class GoOn(Action, frozen=True):
    """13.1.3: it goes on all the same."""

    form = "goon"
    odds = True


def havens(rules: Volturno, state: State, unit: int) -> list[int]:
    """13.1.3, 11.3: the hexes into which a unit retires; to its rear if it was stopped in an assault (11.3.p0)."""
    return retreats.retreat_hexes(rules, state, unit, (), _rear(rules, state, unit))[0]


def _rear(rules: Volturno, state: State, unit: int) -> int:
    """11.3.p0: the rear hexes of who has come to attack; where all is front they lie away from his target."""
    here, goals = state.at[unit], assault.targets(rules, state, unit)
    overruns = any(f.name in ("storm", "overrun") and f.args[0] == unit for f in state.frames)
    if charge.is_charging(state, unit):
        return state.facing[unit]
    if not goals or not (state.steps or overruns):
        return retreats.ALL_ROUND
    facings = rules.ground.facings
    return facings.toward(here, goals[0]) if facings.all_round >> here & 1 else state.facing[unit]


def _mover(rules: Volturno, state: State, frame: Frame) -> str:
    return "" if frame.args[0] == state.mover else "it is not the unit that acts"


@CHAPTER.choice(
    on="act march watch storm overrun displaced onset ride_off ridden counter_ridden",
    seats=anybody,
    takes=(Argument("unit", UNIT),),
    fault=_mover,
)
class BreakOffChoice(Choice["Volturno", State]):
    """13.1.3: a unit that loses a level in its action may break it off; it then retires a hex (11.3)."""

    name = "break_off"
    rules = ("13.1.3",)
    verbs = (GoOn, BreakOff)

    def legal(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        yield GoOn()
        for name in rules.hex_ids(havens(rules, state, frame.args[0])) or ("",):
            yield BreakOff(name)

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, GoOn):
            return None
        assert isinstance(action, BreakOff)
        hexes = rules.hex_ids(havens(rules, state, frame.args[0])) or ("",)
        return None if action.to in hexes else Refusal("11.3", "no_haven", {"name": action.to})

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, GoOn):
            return
        assert isinstance(action, BreakOff)
        (unit,) = frame.args
        break_off(rules, state, unit, rules.grid.index.get(action.to, -1), out)
        state.frames.append(Frame("look_about", AUTO, (unit,)))

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]], "level": state.level[frame.args[0]]}


def break_off(rules: Volturno, state: State, unit: int, to: int, out: list[Event]) -> None:
    """13.1.3, 11.3.5, 11.3.6: it retires with its commanders and is reacted to; its action is over."""
    side, rear = rules.side[unit], _rear(rules, state, unit)
    if charge.is_charging(state, unit):
        charging.exhaust(rules, state, unit, out)
    retreats.forget(state, unit, ("march", "watch", "storm", "overrun", "onset", "ridden", "ride_off"))
    end_action(state)
    if rear != retreats.ALL_ROUND:  # 13.3: who only moved recovers by what it has spent
        state.far |= 1 << unit
    state.threatened &= ~(1 << unit)
    leaders = tuple(retreats.leaders_in(rules, state, state.at[unit], side))
    frame = Frame("fall_away", AUTO, (unit, 1, (), rear, leaders, ()))
    if to < 0:
        retreats.fall_away(rules, state, frame, out)
    else:
        retreats.go_back(rules, state, frame, to, out, ("broke_off", "13.1.3"))
