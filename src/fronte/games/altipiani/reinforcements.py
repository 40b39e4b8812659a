"""Chapter 13, reinforcements, and the optional rules of chapter 15 that are carried out in the same phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import CHANCE, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, open_to_all
from fronte.games.altipiani.state import AltipianiState
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.frames import phasing, phasing_side
from fronte.games.inferno.movement import End
from fronte.games.inferno.reinforcements import Enter, come_in, due, why_not_end
from fronte.games.inferno.sequence import say_phase
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.altipiani.game import Altipiani

CHAPTER = Chapter()


def entry_hexes(rules: Altipiani, state: AltipianiState, unit: int) -> list[int]:
    """13.0: the scheduled hexes that no enemy holds; if all are held, the nearest free hexes of the friendly edge."""
    free = open_hexes(rules, state, unit)
    if free:
        return free
    side, scheduled = rules.side[unit], rules.scheduled[unit]
    edge = list(bits(rules.board.home[side] & ~state.occ[1 - side]))
    if not edge:
        return []
    distance = rules.board.grid.distance
    away = {h: min(distance(h, hex_) for hex_ in scheduled) for h in edge}
    nearest = min(away.values())
    return [h for h in edge if away[h] == nearest]


def open_hexes(rules: Altipiani, state: AltipianiState, unit: int) -> list[int]:
    """13.0: the scheduled hexes that no enemy holds."""
    enemies = state.occ[1 - rules.side[unit]]
    return [h for h in rules.scheduled[unit] if not enemies >> h & 1]


def placeable(rules: Altipiani, state: AltipianiState) -> list[int]:
    """13.0: due units that must be placed. A blocked one may enter elsewhere, or wait."""
    return [unit for unit in due(rules, state) if open_hexes(rules, state, unit)]


@CHAPTER.step("3.1.2", on="movement_phase", secrets=phasing_side)
def reinforcement_phase(rules: Altipiani, state: AltipianiState, frame: Frame, out: list[Event]) -> None:
    """3.1.2: the rolls of the optional rules, then the units that are due."""
    say_phase(rules, state, "reinforcement", "3.1.2", out)
    if any(True for _ in possible(rules, state)):
        state.frames.append(Frame("reinforcement", state.active))
    if rules.improved_defence and state.active == ITALIAN:
        if rules.improved_for_a_turn:
            state.improved = False
        if not state.improved:
            state.frames.append(Frame("improved_dice", CHANCE))
    if rules.replacements:
        replacements(rules, state, out)


def possible(rules: Altipiani, state: AltipianiState) -> Iterator[Action]:
    """13.0: every unit that is due, at every hex where it may come in."""
    for unit in due(rules, state):
        for h in entry_hexes(rules, state, unit):
            yield Enter(rules.ids[unit], rules.hex_id(h))


@CHAPTER.choice(on="movement_phase", seats=phasing, phases="reinforcement")
class Reinforcement(Choice["Altipiani", AltipianiState]):
    """3.1.2, 13.0: place due units; those whose hexes are blocked may wait."""

    name = "reinforcement"
    panel = panel.PLACE
    rules = ("13.0", "3.1.2")
    verbs = (Enter, End)

    def legal(self, rules: Altipiani, state: AltipianiState, frame: Frame) -> Iterator[Action]:
        if self.why_not(rules, state, frame, End()) is None:
            yield End()
        yield from possible(rules, state)

    def why_not(self, rules: Altipiani, state: AltipianiState, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, End):
            return why_not_end(rules, placeable(rules, state), action.keep)
        assert isinstance(action, Enter)
        unit = rules.number.get(action.unit, -1)
        if unit < 0:
            return rules.unknown_unit(action.unit)
        if unit not in due(rules, state):
            return Refusal("13.0", "not_due", {"unit": action.unit})
        if rules.grid_index.get(action.hex, -1) not in entry_hexes(rules, state, unit):
            return Refusal("13.0", "enters_elsewhere", {"unit": action.unit, "hex": action.hex})
        return None

    def apply(self, rules: Altipiani, state: AltipianiState, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, End):
            state.frames.pop()
            return
        assert isinstance(action, Enter)
        come_in(rules, state, rules.number[action.unit], action.hex, out)
        if not any(True for _ in possible(rules, state)):
            state.frames.pop()

    def about(self, rules: Altipiani, state: AltipianiState, frame: Frame) -> dict[str, Any]:
        return {"due": list(rules.unit_ids(due(rules, state)))}


# 15.1, replacements


def replacements(rules: Altipiani, state: AltipianiState, out: list[Event]) -> None:
    """15.1.b to d: a point for each side in its phase, or a roll for it."""
    side = state.active
    if side == AH and state.brusilov:
        gain(rules, state, side, -1 if state.replacements[side] else 0, "15.1.d", out)
    elif side == AH and state.turn >= rules.brusilov_from:
        state.frames.append(Frame("brusilov_die", CHANCE))
    elif side == ITALIAN and state.turn <= rules.unprepared_until:
        state.frames.append(Frame("unprepared_die", CHANCE))
    else:
        gain(rules, state, side, 1, "15.1.b", out)


def gain(rules: Altipiani, state: AltipianiState, side: int, points: int, rule: str, out: list[Event]) -> None:
    """15.1: replacement points come and go."""
    state.replacements[side] += points
    data = {"side": rules.seats[side], "change": points, "points": state.replacements[side]}
    out.append(Event("replacements", (rule,), data))


@CHAPTER.throw(
    1, "15.1.c", on="movement_phase reinforcement improved_dice", secrets=open_to_all, phases="reinforcement"
)
def unprepared_die(
    rules: Altipiani, state: AltipianiState, frame: Frame, dice: tuple[int, ...], out: list[Event]
) -> None:
    """15.1.c: the Italian gets his point only on a roll below the number of the turn."""
    gain(rules, state, ITALIAN, 1 if dice[0] < state.turn else 0, "15.1.c", out)


@CHAPTER.throw(
    1, "15.1.d", on="movement_phase reinforcement improved_dice", secrets=open_to_all, phases="reinforcement"
)
def brusilov_die(
    rules: Altipiani, state: AltipianiState, frame: Frame, dice: tuple[int, ...], out: list[Event]
) -> None:
    """15.1.d: on 1 or 2 A-H receives no more points, and loses one a turn from the next turn on."""
    state.brusilov = dice[0] <= rules.brusilov_max
    if state.brusilov:
        out.append(Event("brusilov", ("15.1.d",), {"die": dice[0]}))
    gain(rules, state, AH, 0 if state.brusilov else 1, "15.1.d", out)


@CHAPTER.throw(2, "15.2", on="movement_phase reinforcement", secrets=open_to_all, phases="reinforcement")
def improved_dice(
    rules: Altipiani, state: AltipianiState, frame: Frame, dice: tuple[int, ...], out: list[Event]
) -> None:
    """15.2: two dice and the number of the turn; from 15 on Italian units defend better."""
    total = sum(dice) + state.turn
    state.improved = total >= rules.improved_from
    data = {"dice": list(dice), "total": total, "improved": state.improved}
    out.append(Event("improved_defence", ("15.2",), data))
