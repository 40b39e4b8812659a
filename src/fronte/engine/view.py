"""What a seat may know, in one shape for every game.

Whoever shows a match, draws it or plays it reads this and nothing else: pieces, control of hexes, signs, tracks, and
where in the turn the match stands. What only the rules of one family of games need is in `family`, which nobody above
`games` reads but that family's own room. The client's types are checked against these classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec


class Piece(msgspec.Struct, frozen=True, omit_defaults=True):
    """One counter as the seat sees it."""

    force: str
    """Whose colour it has. Which seat commands a force is the scenario's (`Setting.forces`)."""
    at: str
    """A hex, or the name of a place off the map."""
    id: str = ""
    """Empty: the seat does not know which counter of that force this is."""
    mine: bool = False
    face: int = 0
    """Which of its printed faces is up; 0 is the face of a fresh counter."""
    values: dict[str, int | str] = {}
    """What it is worth now, or for an anonymous piece all that it shows, by the words of the game's pack."""
    marks: tuple[str, ...] = ()
    facing: int | None = None
    """The hexside it looks at, clockwise from the top of the map; None in games without facing."""
    order: int = 0
    """How high it lies in its stack: 0 at the bottom. The rules say so, not the screen."""


class Sign(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that lies on a hex or a hexside and is no piece: a blown bridge, a pontoon, a marker, a trench."""

    kind: str
    at: str
    """A hex, or a hexside as `1912/1913`."""
    force: str = ""
    piece: str = ""
    """The piece it stands for or belongs to, where that is known."""
    facing: int | None = None
    value: int | str = ""


class Track(msgspec.Struct, frozen=True, omit_defaults=True):
    """A number that is kept beside the map: a score, points, morale."""

    name: str
    value: int
    force: str = ""
    """Empty: it belongs to nobody, or to all."""


class Moving(msgspec.Struct, frozen=True):
    """The piece whose move is open, and the points it has left in the game's smallest fraction."""

    piece: str
    left: int


class Stage(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the match stands, from the turn down to the single decision."""

    turn: int
    phase: str
    active: str = ""
    """The seat whose turn it is; empty where both act."""
    activation: str = ""
    """The formation that is activated."""
    step: str = ""
    decides: str = ""
    """The seat that owes a decision; empty at the end."""
    decision: str = ""
    """The kind of that decision."""
    moving: Moving | None = None


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that one seat may know, or all that every seat may know (`seat` is then empty)."""

    game: str
    scenario: str
    stage: Stage
    seat: str = ""
    pieces: tuple[Piece, ...] = ()
    control: dict[str, tuple[str, ...]] = {}
    """The hexes that each force holds, in games in which hexes are held."""
    signs: tuple[Sign, ...] = ()
    tracks: tuple[Track, ...] = ()
    family: dict[str, Any] = {}

    def piece(self, name: str) -> Piece | None:
        """The piece with this id, if the seat knows one."""
        return next((piece for piece in self.pieces if piece.id == name), None)

    def own(self) -> list[Piece]:
        """The pieces that the seat commands."""
        return [piece for piece in self.pieces if piece.mine]

    def stack(self, at: str) -> list[Piece]:
        """The pieces in a hex, from the top down."""
        return sorted((piece for piece in self.pieces if piece.at == at), key=lambda piece: -piece.order)

    def track(self, name: str, force: str = "") -> int:
        """The number on a track; 0 if the game has none of that name."""
        return next((track.value for track in self.tracks if track.name == name and track.force == force), 0)

    def on(self, kind: str) -> Iterator[Sign]:
        """The signs of a kind."""
        return (sign for sign in self.signs if sign.kind == kind)

    def facts(self) -> dict[str, Any]:
        """What the words of a screen are filled with: the stage, tracks by name (and by force below it), the rest.

        A track that belongs to one force alone is its number; one that several have is a table.
        """
        found: dict[str, Any] = {"seat": self.seat, **msgspec.structs.asdict(self.stage)}
        found |= {name: value for name, value in self.family.items() if isinstance(value, bool | int | str)}
        kept: dict[str, dict[str, int]] = {}
        for track in self.tracks:
            kept.setdefault(track.name, {})[track.force] = track.value
        return found | {name: of if len(of) > 1 else next(iter(of.values())) for name, of in kept.items()}

    def holder(self, at: str) -> str:
        """The force that holds a hex; empty if none does."""
        return next((force for force, hexes in self.control.items() if at in hexes), "")


class Setting(msgspec.Struct, frozen=True):
    """What a scenario fixes for everybody: who plays what, on which ground, and what it is about."""

    seats: tuple[str, ...]
    """The people at the table."""
    forces: dict[str, str]
    """Every force, with the seat that commands it at the start."""
    objectives: dict[str, int] = {}
    """The hexes that count for victory, and what each is worth."""
    levels: tuple[tuple[str, int | None], ...] = ()
    """The levels of victory from the lowest score on, each with the highest score that gives it; None: any."""
    extent: tuple[str, ...] = ()
    """The hexes in play; empty: the whole board."""
    control: dict[str, tuple[str, ...]] = {}
    """The hexes that each force holds at the start."""
    fraction: int = 1
    """How many of the smallest parts make one movement point."""
    last_turn: int = 0
    """The last turn there is; 0: dice say when it is over."""
