"""An action of Caporetto at the steps in which assaults are resolved, played decision by decision with given dice."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from caporetto_packs import game
from caporetto_places import around, deploy

from fronte.engine.decision import AUTO, CHANCE, Action, Choice, Frame
from fronte.engine.event import Event
from fronte.engine.flow import act, draw, fall, settle
from fronte.engine.frames import NUMBER
from fronte.games.caporetto import assault
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.state import State, begin, put
from fronte.games.caporetto.terrain import AHG

ITALIANS = ("it-87-1", "it-87-2", "it-88-1", "it-88-2")


class Table:
    """A map with nobody on it in clear weather, AHG acting, and what has been told so far."""

    def __init__(self, scenario: str = "what_if", side: int = AHG, **options: str | bool) -> None:
        self.rules: Caporetto = game(scenario, **options)
        self.state: State = begin(self.rules, b"s")
        self.out: list[Event] = []
        state = self.state
        for unit, h in enumerate(state.at):
            if h >= 0:
                put(self.rules, state, unit, -1)
        state.turn, state.bearers, state.phase, state.kind = 5, (), "action", "action"
        state.active = self.rules.scene.force_side.index(side)
        self.hexes = around(self.rules)

    def put(self, place: int, *names: str) -> list[int]:
        """Units into the hex of a direction; 0 is the middle."""
        return deploy(self.rules, self.state, self.hexes[place], *names)

    def assaults(self, *units: int, on: int = 0) -> None:
        """Declared: these assault the hex of a direction."""
        for unit in units:
            assault.declare(self.rules, self.state, unit, self.hexes[on], False, [])
        formations = {self.rules.formation_of[unit] for unit, _, _ in self.state.assaults}
        self.state.formations = tuple(sorted(formations - {-1}))

    def step(self, name: str, *args: int, dice: Iterable[int] = ()) -> None:
        """A step of the action begins; it runs to the next decision, or to its end."""
        self.state.frames = [Frame(name, AUTO, args)]
        self.go(dice)

    def go(self, dice: Iterable[int] = ()) -> None:
        """What lies on the stack is done, to the next decision."""
        self.dice(dice)
        settle(self.rules, self.state, self.out)
        self._roll()

    def dice(self, dice: Iterable[int]) -> None:
        self.state.forced = tuple(dice)

    def play(self, action: Action, dice: Iterable[int] = ()) -> None:
        """The seat that is asked answers."""
        assert self.why(action) == "", self.why(action)
        assert action in list(self.choice.legal(self.rules, self.state, self.top)), "it is not offered"
        if dice:
            self.dice(dice)
        act(self.rules, self.state, action, self.out)
        self._roll()

    def _roll(self) -> None:
        while self.state.frames and self.state.frames[-1].seat == CHANCE:
            self._check()
            fall(self.rules, self.state, draw(self.state, self.rules.chances[self.asked].dice), self.out)
        self._check()
        assert not self.state.forced, "dice are left"

    def _check(self) -> None:
        """What lies on the step may lie there, and is what it can be."""
        for below, frame in pairwise(self.state.frames):
            told = self.rules.frames[frame.name]
            assert below.name in told.on, f"{frame.name} cannot lie on {below.name}"
            assert told.fault(self.rules, self.state, frame) == ""
            assert frame.seat in told.seats(self.rules, self.state, frame)
            for argument, value in zip(told.takes, frame.args, strict=True):
                size = len(value) if isinstance(value, tuple) else value if argument.kind == NUMBER else argument.low
                assert argument.low <= size <= argument.high, f"{frame.name}: {argument.name}"

    @property
    def top(self) -> Frame:
        return self.state.frames[-1]

    @property
    def asked(self) -> str:
        """The decision that is owed; empty if none is."""
        return self.state.frames[-1].name if self.state.frames else ""

    @property
    def choice(self) -> Choice[Any, State]:
        return self.rules.choices[self.asked]

    def why(self, action: Action) -> str:
        """The rule that forbids an answer; empty if it may be given."""
        refusal = self.choice.why_not(self.rules, self.state, self.top, action)
        return refusal.rule if refusal else ""

    def legal(self) -> list[Action]:
        return list(self.choice.legal(self.rules, self.state, self.top))

    def names(self, units: Iterable[int]) -> tuple[str, ...]:
        return self.rules.unit_ids(units)

    def at(self, unit: int) -> int:
        """The direction in which a unit is, 0 for the middle; its place if it is elsewhere."""
        h = self.state.at[unit]
        return self.hexes.index(h) if h in self.hexes else h

    def told(self, kind: str) -> list[dict[str, object]]:
        return [event.data for event in self.out if event.kind == kind]
