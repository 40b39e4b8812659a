"""What a game gives to the engine: an immutable ruleset that every match of that game shares."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Generic, Protocol, Self, TypeVar

import msgspec

from fronte.engine.decision import Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Declared
from fronte.engine.pack import Pack
from fronte.engine.text import Texts, texts_of


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


class Chance(msgspec.Struct, frozen=True):
    """A throw of dice: how many, by which rules, and what the fall of the dice does."""

    dice: int
    rules: tuple[str, ...]
    fall: Callable[[Any, Any, Frame, tuple[int, ...], list[Event]], None]


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


class SupplyLine(msgspec.Struct, frozen=True):
    """The supply path of a unit, from the unit to the source, its length, and the state it would give now."""

    path: tuple[str, ...]
    length: int | None
    state: str


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
    seats: tuple[str, ...]
    choices: Mapping[str, Choice[Any, S]]
    chances: Mapping[str, Chance]
    steps: Mapping[str, Callable[[Any, S, Frame, list[Event]], None]]
    frames: Mapping[str, Declared]
    """What is declared of every decision, throw and step."""
    standing: Mapping[str, Mapping[str, Callable[[Any, S, Frame], Action]]]
    """Standing orders: for a kind of decision, named policies that answer it."""
    discreet: tuple[str, ...] = ()
    """Kinds of decision that are asked even where they have one answer, as the other side would learn something if they
    were not. Where there is nobody to learn it, such an answer may be given at once (`Match.formality`)."""

    @abstractmethod
    def start(self, seed: bytes, out: list[Event]) -> S:
        """The state at the beginning of a match."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """The result once the match is over, else None."""

    @abstractmethod
    def view(self, state: S, seat: int) -> dict[str, Any]:
        """All that this seat may know, in names."""

    @abstractmethod
    def common(self, state: S) -> dict[str, Any]:
        """All that every seat may know, in names: what can be shown to anybody at any time."""

    @abstractmethod
    def resample(self, view: dict[str, Any], rng: Random) -> S:
        """A whole state that gives this view: hidden things are drawn at random."""

    @abstractmethod
    def imagine(self, state: S, seat: int, rng: Random | None) -> S:
        """`resample` of what the seat sees of this state, but quicker; without a generator nothing hidden is drawn."""

    @abstractmethod
    def shuffle_hidden(self, state: S, seat: int, rng: Random) -> S:
        """A state that differs only in what this seat may not know; views, offers and events must not."""

    @abstractmethod
    def odds(self, state: S, action: Action, seat: int) -> dict[str, Any]:
        """The exact odds of an action as far as the seat can know them."""

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

    def supply_line(self, state: S, unit: str, seat: int) -> SupplyLine | Refusal:
        """The supply path of a unit of this seat."""
        return Refusal("", "no_supply_lines")

    def forecast(self, state: S) -> dict[str, Any]:
        """What the throw on top of the stack can bring, exactly and all being known; empty where that is not told.

        `of` is the number of ways the dice can fall; `attack_loss`, `defence_loss`, `attack_retreat` and
        `defence_retreat` say how many of them cost 0, 1, 2 ... reductions or hexes.
        """
        return {}

    def weigh(self, state: S) -> Weighing | None:
        """What the throw on top of the stack can cost each seat; None where it costs nothing that can be counted.

        It must depend on nothing that either seat may not know when the dice fall.
        """
        return None

    def zones(self, state: S) -> dict[str, list[str]]:
        """The zones of control of each seat, where all may know them."""
        return {}

    def objective_hexes(self) -> dict[str, int]:
        """The hexes that count for victory, and what each is worth."""
        return {}

    def levels(self) -> Sequence[tuple[str, int | None]]:
        """The levels of victory from the lowest score on, each with the highest score that gives it; None: any."""
        return ()

    def level(self, score: int) -> str:
        """The level of victory that a score would give; empty if the game has no levels."""
        return next((name for name, most in self.levels() if most is None or score <= most), "")

    citations: Mapping[str, str] = {}
    """Rules that shared chapters cite by another number than this game's book gives them."""

    def cite(self, rule: str) -> str:
        """A rule by the number it has in this game's book."""
        return self.citations.get(rule, rule)

    def cited(self, event: Event) -> Event:
        """An event whose rules have the numbers of this game's book."""
        if not self.citations:
            return event
        return msgspec.structs.replace(event, rules=tuple(dict.fromkeys(self.cite(rule) for rule in event.rules)))

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
