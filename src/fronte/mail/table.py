"""One side's table in a match by file: its own half in full, the other's as far as it shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from random import Random
from typing import Any

import msgspec

from fronte.engine.decision import CHANCE, Action, Decision, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NOBODY, secrets_of
from fronte.engine.match import Match
from fronte.engine.record import Entry
from fronte.engine.rules import Rules
from fronte.engine.view import View
from fronte.mail.halves import halves_of, other_side
from fronte.mail.letter import MailError

Dice = Callable[[int], tuple[int, ...] | None]
"""The next throw of so many dice; None while a share in it is missing."""


MOST_STEPS = 1000
"""Steps that may follow by themselves in one turn."""


def go_on(rules: Rules[Any], state: Any, seat: int, dice: Dice, out: list[Event], ran: list[str]) -> None:
    """Carry out what is to be done at this seat's table, until somebody decides or it is for the other table."""
    frames = state.frames
    most = len(ran) + MOST_STEPS
    while frames and frames[-1].seat < 0:
        frame = frames[-1]
        if len(ran) > most:
            raise MailError("what is to be done by itself has no end")
        if secrets_of(rules, state, frame) not in (seat, NOBODY):
            return
        if frame.seat == CHANCE:
            chance = rules.chances[frame.name]
            fallen = dice(chance.dice)
            if fallen is None:
                return
            frames.pop()
            out.append(Event("rolled", chance.rules, {"what": frame.name, "dice": list(fallen)}))
            chance.fall(rules, state, frame, fallen, out)
        else:
            frames.pop()
            ran.append(frame.name)
            rules.steps[frame.name](rules, state, frame, out)


class _Stay(msgspec.Struct, frozen=True):
    """Where undo can go back to within a turn."""

    state: Any
    ran: int
    events: int
    entries: int


class Table(Match):
    """A match of which one side holds its half. It can be played like any other while this side owes a decision."""

    def __init__(self, rules: Rules[Any], mine: int) -> None:
        self.halves = halves_of(rules)
        events: list[Event] = []
        super().__init__(rules, rules.start(bytes(32), events), events)
        events[:] = rules.all_cited(events)
        self.mine = mine
        self.begun = self.state.copy()
        """The half at the start of this turn."""
        self.first = 0
        """How many actions had been played before this turn."""
        self.ran: list[str] = []
        self.out: list[Event] = []
        """What happened this turn, unveiled."""
        self.dice: Dice = lambda dice: None
        self.last: Mapping[str, Any] = {}
        """What the other side told last."""
        self.writer: Callable[[], str] = lambda: ""
        self._stays: list[_Stay] = []

    def twin(self) -> Table:
        """The table as it is now, to go back to if a letter is refused."""
        other = copy(self)
        other.state = self.state.copy()
        for name in ("events", "entries", "marks", "ran", "out", "_stays"):
            setattr(other, name, list(getattr(self, name)))
        return other

    # What is owed

    @property
    def seat(self) -> int:
        """This side, while it owes a decision; else -1."""
        frames = self.state.frames
        return self.mine if frames and frames[-1].seat == self.mine else -1

    @property
    def decision(self) -> Decision | None:
        """What this side owes now; None while the other has to act, or all is over."""
        return None if self.seat < 0 else super().decision

    def view(self, seat: str) -> View:
        """All that this side may know now; nothing can be asked about the other."""
        if self.rules.seat_index(seat) != self.mine:
            raise ValueError(f"this is the table of {self.rules.seats[self.mine]}")
        return self.halves.view(self.rules, self.state, self.mine, self.last)

    @property
    def done(self) -> bool:
        """Is there nothing more to do at this table before the other side has its say?"""
        return self.seat < 0

    @property
    def actions(self) -> list[dict[str, Any]]:
        """The actions of this turn."""
        return [entry.action for entry in self.entries[self.first :]]

    # What is done

    def begin_turn(self) -> None:
        """Carry out what is to be done here before this side decides anything."""
        self.begun = self.state.copy()
        self.first = len(self.entries)
        self.ran, self.out, self._stays = [], [], []
        go_on(self.rules, self.state, self.mine, self.dice, self.out, self.ran)
        self._tell(0)
        self.marks[-1] = len(self.events)

    def end_turn(self) -> None:
        """The turn has been sent: from now on nothing of it can be taken back."""
        self._stays = []

    def _tell(self, before: int) -> None:
        seen = (self.rules.cited(event).to(self.mine) for event in self.out[before:])
        self.events += [event for event in seen if event is not None]

    def _checked(self, action: Action | Mapping[str, Any] | str, seat: str | None, playing: bool = False) -> Action:
        """Every action is judged when it is played, as the state of a table changes in ways of its own."""
        if self.done and self.state.frames:
            other = self.rules.seats[other_side(self.mine)]
            raise self._illegal(Refusal("", "not_your_decision", {"owes": other, "asks": self.rules.seats[self.mine]}))
        return super()._checked(action, seat)

    def _play(self, action: Action, standing: bool) -> list[Event]:
        stay = _Stay(self.state.copy(), len(self.ran), len(self.out), len(self.entries))
        told = len(self.events)
        before = len(self.out)
        frame = self.state.frames[-1]
        self.rules.choices[frame.name].apply(self.rules, self.state, frame, action, self.out)
        go_on(self.rules, self.state, self.mine, self.dice, self.out, self.ran)
        self._tell(before)
        self.entries.append(Entry(self.rules.seats[self.mine], msgspec.to_builtins(action)))
        self.marks.append(len(self.events))
        if any(event.kind == "rolled" for event in self.out[before:]):
            self._stays.clear()
        else:
            self._stays.append(stay)
        return self.events[told:]

    def can_undo(self, seat: str | None = None) -> bool:
        """Can the last action be taken back? As long as it has not been sent and no dice have fallen."""
        return bool(self._stays) and (seat is None or self.rules.seat_index(seat) == self.mine)

    def undo(self) -> bool:
        """Take back the last action of this turn."""
        if not self._stays:
            return False
        stay = self._stays.pop()
        self.state = stay.state
        del self.ran[stay.ran :], self.out[stay.events :], self.entries[stay.entries :]
        del self.marks[stay.entries + 1 :]
        del self.events[self.marks[-1] :]
        return True

    def order(self, seat: str, kind: str, policy: str | None) -> list[Event]:
        """By file there are no standing orders: nobody could hold them against a side."""
        raise ValueError("a match by file has no standing orders")

    def save(self, with_seed: bool = True) -> str:
        """The desk of this side as text: secret, and to be kept so."""
        return self.writer()

    # To and from the other table

    def told(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """What the other side may know of this turn: the state as it sees it, and the events."""
        seen = (self.rules.cited(event).to(other_side(self.mine)) for event in self.out)
        events = [msgspec.to_builtins(event) for event in seen if event is not None]
        return self.halves.tell(self.rules, self.begun, self.state, self.mine, self.ran), events

    def hear(self, told: Mapping[str, Any], events: list[Event], rng: Random) -> None:
        """Fit what the other side told into this half; MailError if it cannot be true."""
        try:
            state = self.halves.hear(self.rules, self.state, told, events, self.mine, rng)
        except ValueError as wrong:
            raise MailError(f"what the letter tells cannot be true: {wrong}") from None
        self.state = state
        self.last = told
        self.events += events
        self.marks[-1] = len(self.events)
