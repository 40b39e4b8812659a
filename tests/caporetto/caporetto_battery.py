"""A board of Caporetto on which fire is played: frames laid by hand, dice as they are wanted, decisions answered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from caporetto_packs import game
from caporetto_shots import CLEAR, Field

from fronte.engine import flow
from fronte.engine.decision import AUTO, Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.games.caporetto.game import Caporetto


class Battery(Field):
    """A scenario with nobody on the map, in the middle of an action of the first force."""

    rules: Caporetto

    def __init__(self, turn: int = CLEAR, scenario: str = "what_if", **options: str) -> None:
        self.scenario, self.options = scenario, options
        super().__init__(turn)
        self.events: list[Event] = []
        self.state.phase = "action"
        self.state.active = self.rules.scene.forces.index("ahg") if scenario != "historical" else 0

    def ruleset(self) -> Caporetto:
        return game(self.scenario, **self.options)

    @property
    def top(self) -> Frame:
        return self.state.frames[-1]

    @property
    def waits(self) -> str:
        """The name of the frame on top; empty when there is none."""
        return self.top.name if self.state.frames else ""

    def step(self, name: str, *args: int) -> None:
        """Let the rules run a step and what comes of it, up to a decision or a throw."""
        self.state.frames.append(Frame(name, AUTO, args))
        self.settle()

    def settle(self) -> None:
        flow.settle(self.rules, self.state, self.events)

    def throw(self, *dice: int) -> None:
        """Let dice fall, one for each throw; there must be so many throws."""
        for die in dice:
            assert flow.waits_for_dice(self.state), self.state.frames
            flow.fall(self.rules, self.state, (die,), self.events)

    def legal(self, most: int = 3000) -> list[Action]:
        return list(islice(self._legal(), most))

    def _legal(self) -> Iterator[Action]:
        return self.rules.choices[self.top.name].legal(self.rules, self.state, self.top)

    def why_not(self, action: Action) -> Refusal | None:
        return self.rules.choices[self.top.name].why_not(self.rules, self.state, self.top, action)

    def refused(self, action: Action) -> tuple[str, str]:
        """The rule and the reason by which an answer is refused, which has its words in both languages."""
        why = self.why_not(action)
        assert why is not None, action
        for language in ("en", "it"):
            assert self.rules.texts(language).refusal(why)
        return why.rule, why.key

    def answer(self, action: Action) -> None:
        assert self.why_not(action) is None, (action, self.why_not(action))
        flow.act(self.rules, self.state, action, self.events)

    def samples(self, number: int = 50) -> list[Action]:
        """Answers drawn at random, which are all legal."""
        choice, rng = self.rules.choices[self.top.name], Random(1)
        found = [choice.sample(self.rules, self.state, self.top, rng) for _ in range(number)]
        for action in found:
            assert self.why_not(action) is None, (action, self.why_not(action))
        return found

    def told(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.kind == kind]

    def name(self, unit: int) -> str:
        return self.rules.ids[unit]

    def names(self, *units: int) -> tuple[str, ...]:
        return self.rules.unit_ids(units)
