"""What a game gives to the engine: an immutable ruleset that every match of that game shares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from random import Random
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import msgspec

from fronte.engine.capabilities import Capabilities, NotOffered
from fronte.engine.card import Card, Line
from fronte.engine.decision import Action, Choice, Frame, IllegalAction, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import ByName, Chance, Chapter, Declared, Step, gathered
from fronte.engine.glance import Glance, glance_of
from fronte.engine.handicap import OPTION, Handicap, read_handicap
from fronte.engine.look import face_text
from fronte.engine.outlook import Outlook
from fronte.engine.overlay import Asked, Overlay
from fronte.engine.pack import Pack
from fronte.engine.panel import PANELS, Choose
from fronte.engine.recollection import Others, Recollection, Shown, look, strangers_way
from fronte.engine.rulebook import Rulebook
from fronte.engine.sheet import Sheet
from fronte.engine.sketch import Sketch
from fronte.engine.standing import Policies
from fronte.engine.text import Texts, texts_of
from fronte.engine.view import Piece, Setting, View
from fronte.engine.whynot import Idle, WhyNot
from fronte.hexes import Grid


class State(Protocol):
    """What the engine needs to know of a state: the stack of frames and the place in the stream of dice."""

    frames: list[Frame]
    seed: bytes
    rolled: int
    forced: tuple[int, ...]

    def copy(self) -> Self:
        """A state of its own, cheap to make."""
        ...


S = TypeVar("S", bound=State)


class Result(msgspec.Struct, frozen=True):
    """How a match ended: the level of victory, the score, and the winning seat (None for a draw)."""

    level: str
    score: int
    winner: str | None
    rules: tuple[str, ...]


class Header(msgspec.Struct, frozen=True):
    """What fixes a ruleset: game, scenario, options, data and version of the rules."""

    game: str
    scenario: str
    options: dict[str, str]
    pack: str
    rules: str


class Way(msgspec.Struct, frozen=True):
    """A way that a unit can go: the hexes it enters, and the points left at its end in the game's smallest fraction."""

    path: tuple[str, ...]
    left: int


class Weighing(msgspec.Struct, frozen=True):
    """What a throw can cost each seat: for every way the dice can fall, in the order of `dice.outcomes`."""

    turn: int
    where: str
    attacker: int
    losses: tuple[tuple[int, ...], ...]
    """What each seat loses, in what the game counts losses in."""


class Rules(ABC, Generic[S]):
    """The rules of one game in one scenario with one set of options. Immutable once made."""

    header: Header
    pack: Pack
    grid: Grid
    rulebook: Rulebook
    capabilities: Capabilities
    setting: Setting
    """What the scenario fixes for everybody."""
    seats: tuple[str, ...]
    chapters: ClassVar[tuple[Chapter, ...]] = ()
    """The chapters of its rules, which declare every decision, throw and step. The next four are made from them."""
    frames: Mapping[str, Declared]
    """What is declared of every decision, throw and step."""
    choices: Mapping[str, Choice[Any, S]]
    chances: Mapping[str, Chance]
    steps: Mapping[str, Step]
    panels: Mapping[str, type[Choose]] = PANELS
    """How decisions are answered: the panels that all screens have, and those that the family brings."""
    standing: Mapping[str, Policies]
    """Standing orders: for a kind of decision, named policies that answer it; some take parameters (see `standing`)."""
    routine: Mapping[str, str] = {}
    """The standing orders that are sensible from the start, as they are written: what hardly anybody would answer
    otherwise. Whoever begins a match may give them to the seats of people."""
    windows: Mapping[str, Callable[[Any, S, Frame], tuple[Hashable, Action]]] = {}
    """Reaction windows: for such a kind of decision what is moving, and the answer with which nobody reacts."""
    discreet: tuple[str, ...] = ()
    """Kinds of decision that are asked even where they have one answer, as the other side would learn something if they
    were not. Where there is nobody to learn it, such an answer may be given at once (`Match.formality`)."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._cited = {}
        cls.frames = gathered(cls.chapters)
        runs = {name: told.run for name, told in cls.frames.items()}
        cls.choices = ByName("decision", {name: run for name, run in runs.items() if isinstance(run, Choice)})
        cls.chances = ByName("throw", {name: run for name, run in runs.items() if isinstance(run, Chance)})
        steps = {name: run for name, run in runs.items() if not isinstance(run, Choice | Chance)}
        cls.steps = ByName("step", steps)

    def __init__(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> None:
        """The rules of a scenario with these options; what is not given has its default."""
        super().__init__(pack, scenario, options)  # type: ignore[call-arg]

    @abstractmethod
    def start(self, seed: bytes, out: list[Event]) -> S:
        """The state at the beginning of a match."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """The result once the match is over, else None."""

    @abstractmethod
    def view(self, state: S, seat: int) -> View:
        """All that this seat may know, in names."""

    @abstractmethod
    def public_view(self, state: S) -> View:
        """All that every seat may know, in names: what can be shown to anybody at any time."""

    def glance(self, state: S) -> Glance:
        """What a list shows of a match: a part of the public view, which a game with many pieces gives without it."""
        return glance_of(self.public_view(state), self.grid.index)

    @abstractmethod
    def resample(self, view: View, rng: Random) -> S:
        """A whole state that gives this view: hidden things are drawn at random."""

    @abstractmethod
    def imagine(self, state: S, seat: int, rng: Random | None) -> S:
        """`resample` of what the seat sees of this state, but quicker; without a generator nothing hidden is drawn."""

    @abstractmethod
    def shuffle_hidden(self, state: S, seat: int, rng: Random) -> S:
        """A state that differs only in what this seat may not know; views, offers and events must not."""

    def sheet(self, state: S, action: Action, seat: int) -> Sheet:
        """The exact odds of an action as far as the seat can know them; IllegalAction where no dice are thrown."""
        raise IllegalAction(Refusal("", "no_odds", {"do": action.__struct_config__.tag}))

    def remembered_sheet(self, state: S, action: Action, seat: int, recalled: Recollection) -> Sheet:
        """The same with what the seat remembers of counters that it cannot see; whether it is so is not looked up."""
        return self.sheet(state, action, seat)

    def others(self, state: S, seat: int) -> Others:
        """What a seat sees of the others' counters: a part of its view."""
        return look(self.view(state, seat), self.grid.index)

    def shown_in(self, event: Event) -> Iterable[Shown]:
        """The counters that an event shows to whoever is told of it, with the places where they lie."""
        return ()

    def left_by_strangers(self, event: Event) -> Iterable[str]:
        """The hexes that somebody leaves in an event whom whoever is told of it does not know."""
        return strangers_way(event)

    @abstractmethod
    def to_position(self, state: S) -> dict[str, Any]:
        """The state as readable data."""

    @abstractmethod
    def from_position(self, data: Mapping[str, Any]) -> S:
        """The state that such data describe; `PositionError` if they describe none."""

    @abstractmethod
    def broken(self, state: S) -> list[str]:
        """Invariants that this state breaks, in words; empty for every state that play can reach."""

    def path_through(self, state: S, unit: str, via: Sequence[str]) -> Way | Refusal:
        """The cheapest way of a unit of the deciding seat through these hexes, in this order."""
        return Refusal("", "no_paths")

    def why_not_there(self, state: S, seat: int, piece: str, goal: str, along: Sequence[str] = ()) -> WhyNot | Refusal:
        """What stands between a piece of this seat, and those that go along, and a hex, and what would help.

        `Match.why_not_there` asks this of a state that the seat cannot tell from the real one.
        """
        return Refusal("", "no_reasons")

    def idle(self, state: S, seat: int) -> Mapping[str, Idle]:
        """Of the pieces of this seat on the map those that can do nothing in the decision that it owes, and why."""
        return {}

    def outlook(self, state: S, seat: int) -> Outlook:
        """What this seat can foresee of the next turn; asked, as `cautions` is, of what it knows (`Match.outlook`)."""
        raise NotOffered(self.header.game, "outlook")

    def cautions(self, state: S, seat: int, action: Action) -> tuple[Line, ...]:
        """What one should think of before this action, which may be played: words of `[caution]`."""
        return ()

    def bare_sheet(self, numbers: Mapping[str, int], shifts: Collection[str]) -> Sheet:
        """Odds from bare numbers, without a position; NotOffered by a game that has none."""
        raise NotOffered(self.header.game, "odds of bare numbers")

    def forecast(self, state: S) -> Sheet | None:
        """What the throw on top of the stack can bring, exactly and all being known; None where that is not told."""
        return None

    def weigh(self, state: S) -> Weighing | None:
        """What the throw on top of the stack can cost each seat; None where it costs nothing that can be counted.

        It must depend on nothing that either seat may not know when the dice fall.
        """
        return None

    def overlay(self, state: S, seat: int, name: str, about: Asked) -> Overlay | Refusal:
        """One of the overlays that `capabilities` names, as this seat may see it (-1: as everybody may)."""
        return Refusal("", "no_overlay", {"name": name})

    def piece_card(self, state: S, seat: int, piece: str) -> Card:
        """What a seat is told of a piece that it can name."""
        return Card(())

    def hex_card(self, state: S, seat: int, name: str) -> Card:
        """What a seat is told of a hex."""
        return Card(())

    def face_text(self, piece: Piece, brief: bool = False) -> str:
        """What stands on the face of a piece that is up, in one word; empty where a seat does not know it.

        `brief` is for a map in characters: four or five of them. The pack says how (`look.toml`).
        """
        return face_text(self.pack, piece, brief)

    def condition(self, piece: Piece) -> list[Line]:
        """What weighs on a piece as far as it is known, and the marks on it; words as on cards."""
        return [Line("mark", {"mark": mark}) for mark in piece.marks]

    def is_hurt(self, piece: Piece) -> bool:
        """Is a piece of one's own less than it was when it was fresh?"""
        return False

    def lost_steps(self, piece: Piece) -> int:
        """The steps that a piece of one's own has lost for good, in games in which pieces have steps."""
        return 0

    def is_lost(self, piece: Piece) -> bool:
        """Is a piece of one's own out of play? In games where some wait off the map for their turn, say which are."""
        return piece.at not in self.grid.index

    def hexside_name(self, a: str, b: str) -> str:
        """The hexside between two hexes as this game writes it, in whichever order they are given."""
        return "/".join(sorted((a, b)))

    def formation(self, piece: str) -> str:
        """The formation that a piece belongs to, as printed; empty for none."""
        return ""

    def sketch(self, view: View) -> Sketch:
        """The board in characters."""
        return Sketch({}, {})

    @classmethod
    def case_files(cls, board: Mapping[str, Any], units: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
        """The files of a tiny board with these units, for a case of the casebook."""
        raise NotOffered(cls.__name__, "tiny boards for cases")

    def case_state(self, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> S:
        """The state at the beginning of a case on a tiny board."""
        raise NotOffered(self.header.game, "tiny boards for cases")

    def case_change(self, state: S, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> None:
        """Change a state of the printed scenario as a case says."""
        raise NotOffered(self.header.game, "cases on its printed board")

    def printed(self, path: str) -> Any:
        """Something printed, by its place, for a case of the casebook; ValueError if nothing is printed there."""
        raise ValueError(f"nothing is printed at {path!r}")

    def case_odds(self, sheet: Sheet) -> dict[str, Any]:
        """What a case of the casebook may ask of a sheet of odds, field by field."""
        return {"of": sheet.of, **sheet.data} | {row.what: list(row.counts) for row in sheet.rows}

    def case_facts(self, view: View) -> dict[str, Any]:
        """What a case of the casebook may ask of a view, field by field."""
        return view.facts() | view.family

    def level(self, score: int) -> str:
        """The level of victory that a score would give; empty if the scenario has no levels."""
        return next((name for name, most in self.setting.levels if most is None or score <= most), "")

    def merit(self, result: Result, seat: int) -> int:
        """How good a result is for a seat, in points of the game: the more the better, a draw in the middle."""
        winner = -1 if result.winner is None else self.seats.index(result.winner)
        return 0 if winner < 0 else 1 if winner == seat else -1

    @cached_property
    def handicap(self) -> Handicap | None:
        """The points that a side was given before the match, if any; ValueError if they cannot be given here."""
        given = self.header.options.get(OPTION)
        return None if given is None else read_handicap(given, self.seats)

    @cached_property
    def head_start(self) -> int:
        """The score with which a match begins for that reason; a game adds it wherever it tells the score."""
        if self.handicap is None:
            return 0
        counted = self.merit(Result("", 1, None, ()), self.seat_index(self.handicap.seat))
        if not counted:
            raise ValueError(f"{self.header.game} counts no points that a side could be given")
        return counted * self.handicap.points

    def span(self, turn: int) -> tuple[date, date] | None:
        """The first and the last day of a turn; None where a turn is no matter of days."""
        return None

    case_starts: frozenset[str] = frozenset()
    """The words under `start` with which a case of the casebook says where it begins."""
    citations: Mapping[str, str] = {}
    """Chapters that several books share cite a rule by a key: the number that this game's book has for each key."""
    _cited: ClassVar[dict[tuple[str, ...], tuple[str, ...]]]

    def cite(self, rule: str) -> str:
        """A rule by the number it has in this game's book; a number stays as it is."""
        return self.citations.get(rule, rule)

    def cite_all(self, rules: tuple[str, ...]) -> tuple[str, ...]:
        """The same of several rules, each number once."""
        found = self._cited.get(rules)
        if found is None:
            found = self._cited[rules] = tuple(dict.fromkeys(self.cite(rule) for rule in rules))
        return found

    def cited(self, event: Event) -> Event:
        """An event whose rules have the numbers of this game's book."""
        return self.all_cited((event,))[0]

    def all_cited(self, events: Iterable[Event]) -> list[Event]:
        """The same of several events."""
        known, cite_all, replace = self._cited, self.cite_all, msgspec.structs.replace
        found = []
        for event in events:
            rules = known.get(event.rules) or cite_all(event.rules)
            found.append(event if rules == event.rules else replace(event, rules=rules))
        return found

    def texts(self, language: str) -> Texts:
        """What this game says in a language."""
        return texts_of(self.pack, language)

    def told(self, refusal: Refusal) -> Refusal:
        """A refusal for people: with the rule's number in this game's book, and the reason in English."""
        why = self.texts("en").refusal(refusal)
        return msgspec.structs.replace(refusal, rule=self.cite(refusal.rule), why=why)

    def seat_index(self, seat: str) -> int:
        """The number of a seat; ValueError with the names of the seats if there is none such."""
        try:
            return self.seats.index(seat)
        except ValueError:
            raise ValueError(f"no seat {seat!r}; the seats are {', '.join(self.seats)}") from None
