"""A player for the probe game: all that is needed for the planner to play it is this policy."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from random import Random

from probe.board import COMMAND
from probe.chapters import Activate, Done, Fire, Hold, March, Pass, Plan, Shoot, able, reach
from probe.game import Probe
from probe.state import GONE, State

from fronte.ai.budget import read_budget
from fronte.ai.planner import planning
from fronte.ai.policy import PLAIN, PLANNED, WEIGHED, Policy
from fronte.ai.reasons import Answer, Reason
from fronte.ai.seat import Maker
from fronte.engine.decision import Action
from fronte.hexes import bits

STAND = -1
"""The intent to stay and fire; every other is a hex to go to."""
WAYS = {"act": PLANNED, "activate": WEIGHED}
NOTHING = Reason("plan_answer", {"answers": 1})


class ProbePolicy(Policy[State, int]):
    """A force goes for a place, or stands and fires."""

    rules: Probe
    named = 4

    def __init__(self, rules: Probe) -> None:
        self.rules = rules

    def way(self, state: State) -> str:
        return WAYS.get(state.frames[-1].name, PLAIN)

    def stretch(self, state: State) -> Hashable:
        """An activation, from the choice of the force on."""
        acting = sum(1 << frame.args[0] for frame in state.frames if frame.name == "act")
        return state.turn, state.phase, state.active, state.done & ~acting, state.passed

    def usual(self, seat: int) -> int:
        return self.rules.goals[0]

    def intents(self, state: State, seat: int, rng: Random) -> Iterator[int]:
        yield self.usual(seat)
        yield from self.rules.goals[1:]
        yield STAND

    def plan(self, state: State, seat: int, intent: int) -> list[Answer]:
        rules, answers = self.rules, []
        for piece in able(rules, state, state.frames[-1]):
            name, marks = rules.id_of(state, piece), list(bits(rules.targets(state, piece)))
            ways = reach(rules, state, piece) if intent != STAND else {}
            far = rules.grid.distance
            here = state.at[piece]
            best = min(ways, key=lambda h: (far(h, intent), h), default=here)
            if best != here and far(best, intent) < far(here, intent) and best not in marks:
                answers.append(Answer(March(name, rules.hex_ids(ways[best][1])), NOTHING))
            elif marks:
                answers.append(Answer(Fire(name, rules.grid.ids[marks[0]]), NOTHING))
        return answers

    def close(self, state: State, seat: int) -> Answer:
        return Answer(Done(), NOTHING)

    def answer(self, state: State, seat: int, intent: int | None, is_allowed: Callable[[Action], bool]) -> Answer:
        found = self.decide(state, seat, self.usual(seat), Random(0))
        if is_allowed(found):
            return Answer(found, NOTHING)
        return Answer(Pass() if state.frames[-1].name == "activate" else Hold(), NOTHING)

    def decide(self, state: State, seat: int, intent: int, rng: Random) -> Action:
        """The first force that can be activated; whoever can shoot does."""
        frame = state.frames[-1]
        legal = self.rules.choices[frame.name].legal(self.rules, state, frame)
        found = next(legal)
        assert isinstance(found, Plan | Activate | Pass | Shoot | Hold), found
        return found

    def value(self, state: State, seat: int) -> float:
        result = self.rules.result(state)
        if result is not None:
            return float(self.rules.merit(result, seat))
        return sum(
            self._worth(state, piece) * (1 if self._seat(state, piece) == seat else -1) for piece in _here(state)
        )

    def _seat(self, state: State, piece: int) -> int:
        return COMMAND[self.rules.force(state, piece)]

    def _worth(self, state: State, piece: int) -> float:
        """A piece by its strength, and by how near it is to a place that counts."""
        near = min(self.rules.grid.distance(state.at[piece], goal) for goal in self.rules.goals)
        return 0.3 - 0.1 * state.hits[piece] + 0.5 / (1 + near)


def _here(state: State) -> list[int]:
    return [piece for piece, at in enumerate(state.at) if at != GONE]


def policy_of(rules: object) -> ProbePolicy:
    """The policy for a scenario of the probe game."""
    return ProbePolicy(rules)  # type: ignore[arg-type]


PLAYERS: dict[str, Maker] = {"planner": planning(policy_of)}
USUAL = "planner"
BUDGETED = {"planner": read_budget}

__all__ = ["BUDGETED", "PLAYERS", "USUAL", "ProbePolicy", "policy_of"]
