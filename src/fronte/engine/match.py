"""A match: a ruleset, a state and what led to it. The small public face of the program."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Any, ClassVar, NamedTuple

import msgspec

from fronte.engine import flow, notation
from fronte.engine import standing as orders
from fronte.engine.card import Line
from fronte.engine.decision import Action, Decision, Frame, IllegalAction, Refusal
from fronte.engine.dice import commitment
from fronte.engine.event import Event
from fronte.engine.frames import NOBODY
from fronte.engine.given import said
from fronte.engine.outlook import Outlook
from fronte.engine.recollection import NOTHING, Recollection, after, begin
from fronte.engine.record import FORMAT, Entry, Heading, Pledge, write
from fronte.engine.rules import Result, Rules
from fronte.engine.seat import Seat
from fronte.engine.sheet import Sheet
from fronte.engine.trust import closed
from fronte.engine.undo import Undo
from fronte.engine.view import View
from fronte.engine.whynot import Idle, WhyNot


class Recalling(NamedTuple):
    """What each seat remembers after so many lines of the record, and which turn that was."""

    line: int
    turn: int
    seats: tuple[Recollection, ...]


class Match:
    """A game being played. All it does is checked: `play` either does what is asked or raises and changes nothing."""

    painter: ClassVar[Callable[[Match, str | None], str] | None] = None
    """How a match is drawn as SVG for a seat, or for all; set by the floor that can draw."""

    def __init__(self, rules: Rules[Any], state: Any, events: list[Event]) -> None:
        self.rules = rules
        self.state = state
        self.events = events
        self.entries: list[Entry] = []
        self.orders: dict[tuple[int, str], str] = {}
        self.opening: list[tuple[int, ...]] = []
        self.origin: dict[str, Any] | None = None
        self.pledge: Pledge | None = None
        """How the seed came about, where the house and both sides had a hand in it."""
        self.players: dict[str, str] = {}
        """Who plays each seat, where that is known, for the record (see `record.Heading`)."""
        self.sealed = ""
        """The commitment of a seed that is not known here: the match can be looked at, and does not go on by itself."""
        self.let_pass: dict[int, tuple[str, Hashable]] = {}
        """The move to which a seat has said that it does not react: the kind of window, and what is moving."""
        self.obeying = True
        """Standing orders are obeyed; a replay switches them off, as their answers are in the record."""
        self.marks = [len(events)]
        """How many events there were after each line of the record, the opening being line 0."""
        self._undo = Undo()
        self._recalled: list[Recalling] = []
        """What each seat remembers, if it is kept: now, and as far as one can go back."""
        self._allowed: Action | None = None
        """The action that was asked about last and may be played now, so that it is not judged twice."""

    @classmethod
    def begin(cls, rules: Rules[Any], seed: bytes, forced: tuple[int, ...] = ()) -> Match:
        """A new match."""
        events: list[Event] = []
        state = rules.start(seed, events)
        state.forced = forced
        return cls.resume(rules, state, events)

    @classmethod
    def resume(
        cls, rules: Rules[Any], state: Any, events: list[Event] | None = None, origin: dict[str, Any] | None = None
    ) -> Match:
        """A match that goes on from a state; `origin` is the position it comes from, for the record."""
        events = [] if events is None else events
        match = cls(rules, state, events)
        match.origin = origin
        flow.settle(rules, state, events)
        match.opening = flow.roll_on(rules, state, events)
        events[:] = rules.all_cited(events)
        match.marks = [len(events)]
        return match

    # What is owed

    @property
    def seat(self) -> int:
        """The number of the seat that owes a decision; -1 when the match is over."""
        return self.state.frames[-1].seat if self.state.frames else -1

    @property
    def decision(self) -> Decision | None:
        """What is owed now, as the seat that owes it may know it, or None when the match is over."""
        if not self.state.frames:
            return None
        frame = self.state.frames[-1]
        choice = self.rules.choices[frame.name]
        about = choice.about(self.rules, self.state, frame)
        cited = self.rules.cite_all(choice.rules)
        odds = tuple(str(verb.__struct_config__.tag) for verb in choice.verbs if verb.odds)
        window = self.rules.windows.get(frame.name)
        whole = None if window is None else msgspec.to_builtins(window(self.rules, self.state, frame)[1])
        return Decision(self.rules.seats[frame.seat], frame.name, cited, about, choice.panel, odds, whole)

    @property
    def offer(self) -> dict[str, Any]:
        """What is on offer to the seat that decides, in names."""
        if not self.state.frames:
            return {}
        frame = self.state.frames[-1]
        return self.rules.choices[frame.name].offer(self.rules, self.state, frame)

    def offer_json(self) -> bytes:
        """The same as JSON, with ways as trees (`engine.ways`): quicker, since a ruleset remembers ways."""
        if not self.state.frames:
            return b"{}"
        frame = self.state.frames[-1]
        return self.rules.choices[frame.name].offer_json(self.rules, self.state, frame)

    @property
    def result(self) -> Result | None:
        """The result once the match is over."""
        return self.rules.result(self.state)

    def legal(self) -> Iterator[Action]:
        """Every legal action of the seat that decides."""
        if not self.state.frames:
            return iter(())
        frame = self.state.frames[-1]
        return self.rules.choices[frame.name].legal(self.rules, self.state, frame)

    def formality(self) -> Action | None:
        """The one answer to a decision that is asked lest the other side learn something by its not being asked."""
        if self.seat < 0 or self.state.frames[-1].name not in self.rules.discreet:
            return None
        found = list(islice(self.legal(), 2))
        return found[0] if len(found) == 1 else None

    def sample(self, rng: Random) -> Action:
        """One legal action at random."""
        frame = self.state.frames[-1]
        return self.rules.choices[frame.name].sample(self.rules, self.state, frame, rng)

    def why_not(self, action: Action | Mapping[str, Any] | str, seat: str | None = None) -> Refusal | None:
        """None if the action may be played now, else the rule that forbids it and the reason."""
        try:
            self._checked(action, seat)
        except IllegalAction as refused:
            return refused.refusal
        return None

    def odds(self, action: Action | Mapping[str, Any] | str, seat: str | None = None) -> Sheet:
        """The exact odds of an action, as far as the seat that decides (or the one named) can know them; what it has
        seen is remembered, if it was asked to be (`remember`)."""
        parsed = self._checked(action, None)
        viewer = self.seat if seat is None else self.rules.seat_index(seat)
        try:
            return self.rules.remembered_sheet(self.state, parsed, viewer, self.recalled(viewer))
        except IllegalAction as none:
            raise IllegalAction(self.rules.told(none.refusal)) from None

    # What the seats remember

    @property
    def remembers(self) -> bool:
        """Is it kept what the seats may remember?"""
        return bool(self._recalled)

    def remember(self, like: Match | None = None) -> None:
        """From now on keep for each seat what it may remember of others' counters that it cannot see any more: from
        here, or all that a match of the same record remembers."""
        if like is not None:
            self._recalled = list(like._recalled)
            return
        seen = [self.rules.others(self.state, seat) for seat in range(len(self.rules.seats))]
        self._recalled = [Recalling(len(self.entries), seen[0].turn, tuple([begin(others) for others in seen]))]

    def recalled(self, seat: int) -> Recollection:
        """What a seat remembers (see `recollection`); nothing where that is not kept."""
        return self._recalled[-1].seats[seat] if self._recalled else NOTHING

    def _note(self, events: Sequence[Event]) -> None:
        """The seats remember what they were told, and what they see now."""
        _, turn, known = self._recalled[-1]
        found = []
        for seat, before in enumerate(known):
            told = [event for event in (event.to(seat) for event in events) if event is not None]
            others = self.rules.others(self.state, seat)
            now = after(self.rules, before, turn, told, others)
            found.append(before if now == before else now)
        self._recalled.append(Recalling(len(self.entries), others.turn, tuple(found)))
        del self._recalled[: -1 - self._undo.number]

    # What is asked before: of what a seat knows, so that no answer can tell it more

    def known_to(self, seat: str) -> Any:
        """A state that the seat cannot tell from the real one, always the same for all such states."""
        return self.rules.imagine(self.state, self.rules.seat_index(seat), None)

    def why_not_there(self, seat: str, piece: str, goal: str, along: Sequence[str] = ()) -> WhyNot | Refusal:
        """What stands between a piece of a seat and a hex, and what would help."""
        found = self.rules.why_not_there(self.known_to(seat), self.rules.seat_index(seat), piece, goal, along)
        return self.rules.told(found) if isinstance(found, Refusal) else found

    def idle(self, seat: str) -> Mapping[str, Idle]:
        """The pieces of a seat that can do nothing in the decision that it owes, and why."""
        return self.rules.idle(self.known_to(seat), self.rules.seat_index(seat))

    def outlook(self, seat: str) -> Outlook:
        """What a seat can foresee of the next turn."""
        return self.rules.outlook(self.known_to(seat), self.rules.seat_index(seat))

    def cautions(self, seat: str, action: Action | Mapping[str, Any] | str) -> tuple[Line, ...]:
        """What a seat should think of before an action; IllegalAction if it may not be played."""
        parsed = self._checked(action, seat)
        return self.rules.cautions(self.known_to(seat), self.rules.seat_index(seat), parsed)

    # What is done

    def play(
        self,
        action: Action | Mapping[str, Any] | str,
        seat: str | None = None,
        standing: bool = False,
        whole: bool = False,
    ) -> list[Event]:
        """Play an action and everything that follows by itself; the events it led to.

        Raises `IllegalAction` with the rule if it is not legal, or if `seat` is given and does not owe the decision.
        `standing` marks an answer that a standing order gave, as a replay finds it in the record. `whole` lets a
        whole move pass: the following windows of the same move are answered alike, each as an action of its own.
        """
        parsed = self._checked(action, seat, playing=True)
        self._must_have_seed()
        if whole:
            self._let_pass(parsed)
        events = self._play(parsed, standing)
        events += self._obey()
        return events

    def order(self, seat: str, kind: str, policy: str | None) -> list[Event]:
        """Give a standing order: from now on it answers this kind of decision for the seat. None ends it.

        It is the name of a policy, with its parameters where it takes some (see `standing`); or the order to be
        defended for the rest of the turn.
        """
        index = self.rules.seat_index(seat)
        if kind != orders.DEFENCE:
            orders.must_be_answered(self.rules, kind)
            policy = None if policy is None else orders.written(orders.read(self.rules, kind, policy))
        elif policy is not None:
            if policy not in (orders.NOW, self._this_turn()):
                raise ValueError(f"the policy of {kind} is {orders.NOW}, not {policy!r}")
            policy = self._this_turn()
        self._must_have_seed()
        if policy is None:
            self.orders.pop((index, kind), None)
        else:
            self.orders[index, kind] = policy
        self.entries.append(Entry(seat, {"order": kind, "policy": policy}))
        self.marks.append(len(self.events))
        return self._obey()

    def defends(self, seat: int) -> bool:
        """Has this seat left what it is asked in the others' turns to whoever runs the match, for this turn?"""
        given = self.orders.get((seat, orders.DEFENCE))
        return given is not None and given == self._this_turn()

    @property
    def defended(self) -> bool:
        """Is what is owed now to be answered for the seat (`standing.DEFENCE`)? Not what it does when it is active."""
        if self.seat < 0 or not self.defends(self.seat):
            return False
        return self.rules.public_view(self.state).stage.active not in ("", self.rules.seats[self.seat])

    def _this_turn(self) -> str:
        return f"turn={self.rules.public_view(self.state).stage.turn}"

    def can_undo(self, seat: str | None = None) -> bool:
        """Can the last action be taken back, and by this seat if one is named?"""
        return bool(self._undo.number) and (seat is None or self.rules.seat_index(seat) == self._undo.seat)

    @property
    def undo_points(self) -> int:
        """How many copies of the state are kept to go back to."""
        return self._undo.kept

    def undo(self) -> bool:
        """Take back the last action, unless since then dice fell, another's secrets were read or the other decided.

        Standing orders that were given meanwhile stay in the record.
        """
        if not self._undo.number:
            return False
        self._allowed = None
        self.state, place = self._undo.back(self.rules, self.entries)
        orders = [entry for entry in self.entries[place:] if "order" in entry.action]
        self.entries[place:] = orders
        events = self.marks[place]
        del self.events[events:]
        self.marks[place + 1 :] = [events] * len(orders)
        while len(self._recalled) > 1 and self._recalled[-1].line > place:
            self._recalled.pop()
        return True

    def seated(self, seat: str) -> Seat:
        """The match as one seat may know it: what is asked there gives nothing away that the seat may not know."""
        return Seat(self, self.rules.seats[self.rules.seat_index(seat)])

    def view(self, seat: str) -> View:
        """All that a seat may know now."""
        return self.rules.view(self.state, self.rules.seat_index(seat))

    def picture(self, seat: str | None = None) -> str:
        """The board with its counters as SVG: what every seat may see, or all that one seat sees."""
        painter = type(self).painter
        if painter is None:
            raise RuntimeError("nothing is there that could draw a match")
        return painter(self, seat)

    def _repr_svg_(self) -> str:
        """A notebook shows a match as a picture of what every seat may see."""
        return self.picture()

    def events_for(self, seat: str, since: int = 0) -> list[Event]:
        """The events as a seat may see them."""
        index = self.rules.seat_index(seat)
        seen = (event.to(index) for event in self.events[since:])
        return [event for event in seen if event is not None]

    def save(self, *, with_seed: bool = True) -> str:
        """The match as text (see `record`). Without the seed nobody can foresee the dice to come."""
        seed, pledge = self.state.seed, self.pledge
        with_seed = with_seed and not self.sealed
        if pledge is not None and not with_seed:
            pledge = msgspec.structs.replace(pledge, secret="")
        heading = Heading(
            FORMAT,
            self.rules.header,
            self.sealed or commitment(seed),
            seed.hex() if with_seed else "",
            tuple(self.opening),
            self.origin,
            pledge,
            players=self.players,
        )
        if with_seed and self.result is not None:
            heading = closed(heading, self.entries, seed, self.result)
        return write(heading, self.entries)

    def copy(self) -> Match:
        """A match that goes its own way from here, without the past."""
        twin = Match(self.rules, self.state.copy(), [])
        twin.orders = dict(self.orders)
        return twin

    # Inside

    def read(self, action: Mapping[str, Any] | str) -> Action:
        """The action that JSON data or a line of text describe; IllegalAction if they describe none owed now."""
        if not self.state.frames:
            raise self._illegal(Refusal("", "over"))
        owed = self.rules.choices[self.state.frames[-1].name].verbs
        try:
            return _read(action, owed)
        except (ValueError, TypeError) as wrong:
            refusal = _unread(action, owed, wrong)
        others = [verb for choice in self.rules.choices.values() for verb in choice.verbs if verb not in owed]
        try:
            return _read(action, tuple(dict.fromkeys(others)))  # an action of another decision: refused with its rule
        except (ValueError, TypeError):
            raise self._illegal(refusal) from None

    def _checked(self, action: Action | Mapping[str, Any] | str, seat: str | None, playing: bool = False) -> Action:
        if not self.state.frames:
            raise self._illegal(Refusal("", "over"))
        frame = self.state.frames[-1]
        if seat is not None and self.rules.seat_index(seat) != frame.seat:
            raise self._illegal(Refusal("", "not_your_decision", {"owes": self.rules.seats[frame.seat], "asks": seat}))
        choice = self.rules.choices[frame.name]
        parsed = action if isinstance(action, Action) else self.read(action)
        if not isinstance(parsed, choice.verbs):
            data = {"do": parsed.__struct_config__.tag, "allowed": _verbs(choice.verbs)}
            raise self._illegal(Refusal(choice.rules[0] if choice.rules else "", "not_now", data))
        if parsed is self._allowed and playing:
            return parsed
        refusal = choice.why_not(self.rules, self.state, frame, parsed)
        if refusal is not None:
            raise self._illegal(refusal)
        self._allowed = parsed
        return parsed

    def _must_have_seed(self) -> None:
        """Without the seed nobody knows the dice to come; only what is recorded can be followed, with its dice."""
        if self.sealed and self.obeying:
            raise self._illegal(Refusal("", "no_seed"))

    def _illegal(self, refusal: Refusal) -> IllegalAction:
        return IllegalAction(self.rules.told(refusal))

    def _play(self, action: Action, standing: bool) -> list[Event]:
        rules, state, undo = self.rules, self.state, self._undo
        seat, self._allowed = state.frames[-1].seat, None
        undo.before(seat, state)
        events: list[Event] = []
        read: set[int] = set()
        flow.act(rules, state, action, events, read)
        rolls = flow.roll_on(rules, state, events)
        events = rules.all_cited(events)
        entry = Entry(rules.seats[seat], msgspec.to_builtins(action), tuple(rolls), standing)
        self.entries.append(entry)
        self.events += events
        self.marks.append(len(self.events))
        if rolls or standing or not read <= {seat, NOBODY}:
            undo.close()
        else:
            undo.done()
        if self._recalled:
            self._note(events)
        return events

    def _obey(self) -> list[Event]:
        """Answer decisions by standing orders, and windows of a move that is let pass, as long as there are any."""
        events: list[Event] = []
        while self.obeying and (self.orders or self.let_pass) and self.state.frames:
            frame = self.state.frames[-1]
            action, by_order = self._passing(frame), False
            if action is None:
                policy, by_order = self.orders.get((frame.seat, frame.name)), True
                action = None if policy is None else orders.answered(self.rules, self.state, frame, policy)
            if action is None:
                break
            events += self._play(action, by_order)
        return events

    def _let_pass(self, action: Action) -> None:
        """Nobody of this seat reacts to the move under way."""
        frame = self.state.frames[-1]
        window = self.rules.windows.get(frame.name)
        moving, answer = (None, None) if window is None else window(self.rules, self.state, frame)
        if answer is None or action != answer:
            raise self._illegal(Refusal("", "no_window", {"do": action.__struct_config__.tag}))
        self.let_pass[frame.seat] = frame.name, moving

    def _passing(self, frame: Frame) -> Action | None:
        """The answer to a window of a move that its seat has let pass; what it let pass is forgotten at another."""
        if frame.name not in self.rules.windows:
            self.let_pass.clear()
            return None
        said = self.let_pass.get(frame.seat)
        if said is None:
            return None
        moving, answer = self.rules.windows[frame.name](self.rules, self.state, frame)
        if said == (frame.name, moving):
            return answer
        del self.let_pass[frame.seat]
        return None


def _read(action: Mapping[str, Any] | str, verbs: tuple[type[Action], ...]) -> Action:
    if isinstance(action, str):
        return notation.from_text(action, verbs)
    if not isinstance(action, Mapping):
        raise TypeError("neither a table nor a line of text")
    data = dict(action)
    for verb in verbs:
        if verb.__struct_config__.tag == data.get("do"):
            return msgspec.convert(data, verb)
    raise ValueError("an action of another kind")


def _verbs(verbs: tuple[type[Action], ...]) -> list[str]:
    return [str(verb.__struct_config__.tag) for verb in verbs]


MOST_REPEATED = 200
"""How much of what cannot be read is repeated to whoever wrote it."""


def _unread(action: Mapping[str, Any] | str, owed: tuple[type[Action], ...], wrong: Exception) -> Refusal:
    """What is wrong with a line or with data that describe no action."""
    if isinstance(action, str):
        forms = "; ".join(verb.form for verb in owed)
        return Refusal("", "unreadable", {"line": action.strip()[:MOST_REPEATED], "forms": forms})
    given = action.get("do") if isinstance(action, Mapping) else action
    do = given[:MOST_REPEATED] if isinstance(given, str) else said(given)
    verb = next((verb for verb in owed if verb.__struct_config__.tag == do), None)
    if verb is not None:
        more = [name for name in action if name not in ("do", *verb.__struct_fields__)]
        if more:
            field = more[0][:MOST_REPEATED] if isinstance(more[0], str) else said(more[0])
            return Refusal("", "unknown_field", {"do": do, "field": field, "fields": list(verb.__struct_fields__)})
        return Refusal("", "malformed", {"do": do, "detail": str(wrong)})
    return Refusal("", "no_action", {"do": do, "allowed": _verbs(owed)})
