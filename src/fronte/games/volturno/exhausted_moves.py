"""10.3: cavalry that has charged is exhausted, and moves once more."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, anybody
from fronte.games.common.positions import UNIT
from fronte.games.volturno import counter_charges, movement, retreats
from fronte.games.volturno.acting import Acting, Done, Move, Turn, why_no_turn
from fronte.games.volturno.counters import COMPASS
from fronte.games.volturno.fog import tell
from fronte.games.volturno.reaction_zones import in_enemy_zone, look
from fronte.games.volturno.state import State, end_action

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

CHAPTER = Chapter()


def _is_spent(rules: Volturno, state: State, frame: Frame) -> str:
    return "" if state.exhausted >> frame.args[0] & 1 else "it is not exhausted (10.3)"


@CHAPTER.choice(
    on=retreats.AMID,
    seats=anybody,
    takes=(Argument("unit", UNIT), Argument("must", NUMBER, 0, 1)),
    fault=_is_spent,
    phases="activation",
)
class RideOff(Acting):
    """10.3, 10.3.p1, 10.4.1: cavalry that has charged moves once more, out of enemy zones; a turn in place ends it. Who
    has counter-charged in the action of another unit goes in one order, for nobody reacts to it (12.2.4)."""

    name = "ride_off"
    rules = ("10.3", "10.4.1")
    verbs = (Move, Turn, Done)
    panel = panel.MOVE

    def able(self, rules: Volturno, state: State, frame: Frame) -> list[int]:
        return [frame.args[0]]

    def movers(self, rules: Volturno, state: State, frame: Frame) -> list[int]:
        return self.able(rules, state, frame)

    def ways(self, rules: Volturno, state: State, unit: int) -> dict[int, tuple[int, list[int]]]:
        side = rules.side[unit]
        found = movement.reach(rules, state, unit)
        return {h: found[h] for h in sorted(found) if not in_enemy_zone(rules, state, side, h)}

    def _some_way(self, rules: Volturno, state: State, unit: int, rng: Random) -> list[int]:
        ways = list(self.ways(rules, state, unit).values())
        return rng.choice(ways)[1] if ways else []

    def _but_moves(self, rules: Volturno, state: State, unit: int) -> Iterator[Action]:
        if self._why_not_done(rules, state, state.frames[-1]) is None:
            for facing, word in enumerate(COMPASS):
                if facing != state.facing[unit] and self._why_no_turn(rules, state, unit) is None:
                    yield Turn(rules.ids[unit], word)

    def _why_no_turn(self, rules: Volturno, state: State, unit: int) -> Refusal | None:
        """8.2.p3, 8.3.3.p1: as after any move."""
        return why_no_turn(rules, state, unit) if state.mover == unit and state.steps else None

    def more(self, rules: Volturno, state: State, frame: Frame) -> Iterator[Action]:
        if self._why_not_done(rules, state, frame) is None:
            yield Done()

    def _why_not_done(self, rules: Volturno, state: State, frame: Frame) -> Refusal | None:
        """10.4.1, 10.3.p1: who must move does if it can; who has moved does not end in an enemy zone."""
        unit, must = frame.args
        went = state.mover == unit and state.steps
        owes = in_enemy_zone(rules, state, rules.side[unit], state.at[unit]) if went else must
        if owes and self.ways(rules, state, unit):
            return Refusal("10.3.p1" if went else "10.4.1", "must_ride_off", {"unit": rules.ids[unit]})
        return None

    def why_not(self, rules: Volturno, state: State, frame: Frame, action: Action) -> Refusal | None:
        unit = frame.args[0]
        why = None if isinstance(action, Move) else self._why_not_done(rules, state, frame)
        if why is not None or isinstance(action, Done):
            return why
        if isinstance(action, Turn) and action.unit == rules.ids[unit]:
            why = movement.why_not_facing(rules, state, unit, action.facing, "3.1")
            return why or self._why_no_turn(rules, state, unit)
        return super().why_not(rules, state, frame, action)

    def why_idle(self, rules: Volturno, state: State, frame: Frame, unit: int) -> Refusal | None:
        return None if unit == frame.args[0] else Refusal("10.3", "not_charging", {"unit": rules.ids[unit]})

    def why_no_move(self, rules: Volturno, state: State, unit: int, path: list[int], facing: str) -> Refusal | None:
        """10.3.p1: whatever its commander wants, but not into an enemy zone, nor to an end in one."""
        if not path or movement.read_facing(facing) is None:
            return Refusal("8", "no_path", {}) if not path else Refusal("3.1", "no_facing", {"facing": facing})
        here, left = state.at[unit], movement.left_of(rules, state, unit)
        first = state.mover != unit or not state.steps
        for there in path:
            why = movement.why_no_step(rules, state, unit, here, there, left, first, movement.NO_MARKER)
            if why is not None:
                return why
            left, here, first = max(0, left - movement.step_cost(rules, state, unit, here, there)), there, False
        ends = in_enemy_zone(rules, state, rules.side[unit], here)
        return Refusal("10.3.p1", "in_zone", {"hex": rules.grid.ids[here]}) if ends else None

    def apply(self, rules: Volturno, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        unit = frame.args[0]
        ours = state.mover == unit
        if isinstance(action, Move) and ours:
            super().apply(rules, state, frame, action, out)
            return
        state.frames.pop()
        if isinstance(action, Move):
            path = tuple(rules.grid.index[name] for name in action.path)
            counter_charges.go(rules, state, unit, path, movement.read_facing(action.facing) or 0, out)
        elif isinstance(action, Turn):
            look(rules, state, unit, COMPASS.index(action.facing))
            tell(rules, state, unit, "turned", ("8.2.p2",), {"facing": action.facing}, out)
        if ours:
            end_action(state)

    def about(self, rules: Volturno, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]]}
