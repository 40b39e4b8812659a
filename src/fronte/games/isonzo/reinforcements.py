"""Chapter 13, reinforcements: entry, Italian reserves and their points, A-H emergency; and set-up by areas (1.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter, anybody, open_to_all
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.frames import phasing, phasing_side
from fronte.games.inferno.movement import End
from fronte.games.inferno.reinforcements import Enter, come_in, due, why_not_end
from fronte.games.inferno.sequence import say_phase
from fronte.games.inferno.stacking import is_legal_stack
from fronte.games.inferno.state import ELIMINATED, MOV, RESERVE, WAITING, place
from fronte.games.isonzo.state import IsonzoState
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.isonzo.game import Isonzo

CHAPTER = Chapter()

# 1.1, set-up areas


class Place(Action, frozen=True):
    """1.1: put a unit into a hex of its set-up area."""

    form = "place {unit} at {hex}"
    unit: str
    hex: str


def unplaced(rules: Isonzo, state: IsonzoState, side: int) -> list[int]:
    """1.1: units of a side that still wait for a hex of their set-up area."""
    waiting = [unit for unit in rules.of_side[side] if state.at[unit] == WAITING and unit not in rules.absent]
    return [unit for unit in waiting if rules.counters[unit].setup]


def has_room(rules: Isonzo, state: IsonzoState, unit: int, h: int) -> bool:
    """1.1, 5.1: could the unit be set up in this hex, with what stands there now?"""
    enemies = state.occ[1 - rules.side[unit]] >> h & 1
    return not enemies and is_legal_stack(rules, state, h, (*state.stacks[h], unit))


def all_fit(rules: Isonzo, state: IsonzoState, units: Sequence[int]) -> bool:
    """1.1: is there a way to set up all these units in their areas? Those with the fewest hexes come first."""
    if not units:
        return True
    unit, *rest = sorted(units, key=lambda unit: len(rules.counters[unit].setup))
    for name in rules.counters[unit].setup:
        h = rules.grid_index[name]
        if has_room(rules, state, unit, h) and _leaves_room(rules, state, unit, h, rest):
            return True
    return False


def _leaves_room(rules: Isonzo, state: IsonzoState, unit: int, h: int, others: Sequence[int]) -> bool:
    """1.1: with this unit in this hex, do all the others still fit?"""
    place(rules, state, unit, h)
    fine = all_fit(rules, state, others)
    place(rules, state, unit, WAITING)
    return fine


def _no_set_up(rules: Isonzo, state: IsonzoState, frame: Frame) -> str:
    """1.1: units that wait, and room for all of them."""
    waiting = unplaced(rules, state, frame.seat)
    if not waiting:
        return "nobody waits to be set up"
    return "" if all_fit(rules, state, waiting) else "the units that wait do not all fit into their areas (1.1, 5.1)"


@CHAPTER.choice(on="player_turn setup", seats=anybody, fault=_no_set_up, phases="setup", once=False)
class SetUp(Choice["Isonzo", IsonzoState]):
    """1.1: the owner places units that have a set-up area, within stacking limits."""

    name = "setup"
    panel = panel.PLACE
    rules = ("1.1", "5.1")
    verbs = (Place,)

    def legal(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> Iterator[Action]:
        for unit in unplaced(rules, state, frame.seat):
            for name in rules.counters[unit].setup:
                action = Place(rules.ids[unit], name)
                if self.why_not(rules, state, frame, action) is None:
                    yield action

    def why_not(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Place)
        unit = rules.number.get(action.unit, -1)
        if unit not in unplaced(rules, state, frame.seat):
            return Refusal("1.1", "not_to_place", {"unit": action.unit})
        if action.hex not in rules.counters[unit].setup:
            return Refusal("1.1", "outside_area", {"hex": action.hex, "unit": action.unit})
        h = rules.grid_index[action.hex]
        if state.occ[1 - frame.seat] >> h & 1:
            return Refusal("5", "enemy_there", {"hex": action.hex})
        if not has_room(rules, state, unit, h):
            return Refusal("5.1", "overstacked_there", {"hex": action.hex})
        others = [other for other in unplaced(rules, state, frame.seat) if other != unit]
        if not _leaves_room(rules, state, unit, h, others):
            return Refusal("1.1", "no_room_for_others", {"unit": action.unit, "hex": action.hex})
        return None

    def apply(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Place)
        unit = rules.number[action.unit]
        place(rules, state, unit, rules.grid_index[action.hex])
        out.append(Event("placed", ("1.1",), {"unit": action.unit, "hex": action.hex}, 1 << frame.seat))
        if not unplaced(rules, state, frame.seat):
            state.frames.pop()

    def about(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> dict[str, Any]:
        return {"units": list(rules.unit_ids(unplaced(rules, state, frame.seat)))}


# 13, units that come in


class Release(Action, frozen=True):
    """13.1.d: release a brigade from reserve; one from the box comes in at a flag hex (13.1.e)."""

    form = "release {unit}[ at {hex}]"
    unit: str
    hex: str = ""


class Return(Action, frozen=True):
    """13.2: an eliminated A-H unit comes back at a flag hex."""

    form = "return {unit} at {hex}"
    unit: str
    hex: str


def entry_hexes(rules: Isonzo, state: IsonzoState, side: int) -> list[int]:
    """13: friendly flags on the map edge that no enemy occupies."""
    return list(bits(rules.board.flags[side] & ~state.occ[1 - side]))


def placeable(rules: Isonzo, state: IsonzoState) -> list[int]:
    """13: due units to whom a hex is open; with an enemy on every flag they wait."""
    return due(rules, state) if entry_hexes(rules, state, state.active) else []


def releasable(rules: Isonzo, state: IsonzoState) -> list[int]:
    """13.1: Italian units in reserve, on the map or in the box, while points last."""
    if state.active != ITALIAN or state.points < 1:
        return []
    return [unit for unit in rules.of_side[ITALIAN] if state.flags[unit] & RESERVE and state.at[unit] != ELIMINATED]


def returnable(rules: Isonzo, state: IsonzoState) -> list[int]:
    """13.2: eliminated A-H units, from the turn the scenario says, one a turn (or by option more)."""
    if state.active != AH or state.turn < int(rules.scenario["emergency_from"]):
        return []
    if state.returns and rules.option["emergency_per_gt"] == "1":
        return []
    return [unit for unit in rules.of_side[AH] if state.at[unit] == ELIMINATED]


@CHAPTER.step("3.1.A-2", on="works_phase", secrets=phasing_side)
def reinforcement_phase(rules: Isonzo, state: IsonzoState, frame: Frame, out: list[Event]) -> None:
    """3.1.A-2: ask the phasing player if there is anything to bring in."""
    say_phase(rules, state, "reinforcement", "3.1.A-2", out)
    if any(True for _ in possible(rules, state)):
        state.frames.append(Frame("reinforcement", state.active))


def possible(rules: Isonzo, state: IsonzoState) -> Iterator[Action]:
    """13, 13.1, 13.2: everything that can come in or be released now."""
    hexes = rules.hex_ids(entry_hexes(rules, state, state.active))
    for unit in due(rules, state):
        for h in hexes:
            yield Enter(rules.ids[unit], h)
    for unit in releasable(rules, state):
        if state.at[unit] >= 0:
            yield Release(rules.ids[unit])
        else:
            for h in hexes:
                yield Release(rules.ids[unit], h)
    for unit in returnable(rules, state):
        for h in hexes:
            yield Return(rules.ids[unit], h)


@CHAPTER.choice(on="works_phase", seats=phasing, phases="reinforcement")
class Reinforcement(Choice["Isonzo", IsonzoState]):
    """3.1.A-2, 13: place due units; release reserves, bring back a unit, if their owner likes."""

    name = "reinforcement"
    panel = panel.PLACE
    rules = ("13", "13.1", "13.2", "3.1.A-2")
    verbs = (Enter, Release, Return, End)

    def legal(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> Iterator[Action]:
        if self.why_not(rules, state, frame, End()) is None:
            yield End()
        yield from possible(rules, state)

    def why_not(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, End):
            return why_not_end(rules, placeable(rules, state), action.keep)
        assert isinstance(action, (Enter, Release, Return))
        unit = rules.number.get(action.unit, -1)
        if unit < 0:
            return rules.unknown_unit(action.unit)
        if rules.side[unit] != state.active:
            return Refusal("13", "not_yours", {"unit": action.unit})
        refusal = _why_not_unit(rules, state, unit, action)
        if refusal is not None:
            return refusal
        if isinstance(action, Release) and state.at[unit] >= 0:
            return Refusal("13.1.e", "stays_on_map", {"unit": action.unit}) if action.hex else None
        if rules.grid_index.get(action.hex, -1) not in entry_hexes(rules, state, state.active):
            return Refusal("13", "no_flag_hex", {"hex": action.hex})
        return None

    def apply(self, rules: Isonzo, state: IsonzoState, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, End):
            state.frames.pop()
            return
        assert isinstance(action, (Enter, Release, Return))
        unit = rules.number[action.unit]
        if isinstance(action, Release):
            _release(rules, state, unit, action.hex, out)
        elif isinstance(action, Return):
            _return(rules, state, unit, out)
        if action.hex:
            come_in(rules, state, unit, action.hex, out)
        if not state.outcome and not any(True for _ in possible(rules, state)):
            state.frames.remove(frame)

    def about(self, rules: Isonzo, state: IsonzoState, frame: Frame) -> dict[str, Any]:
        return {
            "due": list(rules.unit_ids(due(rules, state))),
            "reserves": list(rules.unit_ids(releasable(rules, state))),
            "returnable": list(rules.unit_ids(returnable(rules, state))),
            "points": state.points,
        }


def _why_not_unit(rules: Isonzo, state: IsonzoState, unit: int, action: Action) -> Refusal | None:
    name = rules.ids[unit]
    if isinstance(action, Enter):
        return None if unit in due(rules, state) else Refusal("13", "not_due", {"unit": name})
    if isinstance(action, Release):
        if not state.flags[unit] & RESERVE:
            return Refusal("13.1", "not_in_reserve", {"unit": name})
        if state.points < 1:
            return Refusal("13.1.d", "no_point_to_release")
        return None
    if state.turn < int(rules.scenario["emergency_from"]) or state.active != AH:
        return Refusal("13.2", "emergency", {"turn": rules.scenario["emergency_from"]})
    if state.at[unit] != ELIMINATED:
        return Refusal("13.2", "not_eliminated", {"unit": name})
    if unit not in returnable(rules, state):
        return Refusal("13.2", "one_returns")
    return None


def _release(rules: Isonzo, state: IsonzoState, unit: int, at: str, out: list[Event]) -> None:
    """13.1.d: one point and one victory point."""
    state.points -= 1
    state.released += 1
    state.flags[unit] &= ~RESERVE
    data = {"unit": rules.ids[unit], "points": state.points}
    out.append(Event("released", ("13.1.d", "15.d"), data, 1 << ITALIAN, {"unit": "", "points": state.points}))


def _return(rules: Isonzo, state: IsonzoState, unit: int, out: list[Event]) -> None:
    """13.2: back with one step; artillery on its Mov side; one victory point for the Italians."""
    state.returns += 1
    state.returned += 1
    state.steps[unit] = 1
    if rules.gun[unit]:
        state.flags[unit] |= MOV
    out.append(Event("returned", ("13.2", "15.d"), {"unit": rules.ids[unit]}))


@CHAPTER.throw(1, "3.1.C.a", "13.1.b", on="demolitions", secrets=open_to_all, phases="end")
def points_die(rules: Isonzo, state: IsonzoState, frame: Frame, dice: tuple[int, ...], out: list[Event]) -> None:
    """3.1.C.a, 13.1.b, 13.1.c: the die adds points, nine at most."""
    state.points = min(rules.most_points, state.points + dice[0])
    out.append(Event("points", ("13.1.b", "13.1.c"), {"die": dice[0], "points": state.points}))
