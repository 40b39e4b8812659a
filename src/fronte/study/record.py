"""One game of a study: played to its end and recorded as its views, its events and its throws tell it.

Nothing here knows a game. What every game can be asked is recorded for all of them: who stands and who fell, by the
views; who holds what, where hexes are held; what stands on tracks; what was expected of every throw and what fell.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import msgspec

from fronte.ai import Seat, player
from fronte.engine import flow
from fronte.engine.decision import Action
from fronte.engine.dice import seed_bytes
from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.engine.rules import Result, Rules
from fronte.engine.view import Piece, View
from fronte.study.family import part
from fronte.study.plan import Plan, game_seed, ruleset_of
from fronte.study.rows import Change, Game, Hex, Loss, Standing, Throw, Turn
from fronte.study.throws import Fallen, fallen, rows_of


class Played(msgspec.Struct, array_like=True, frozen=True):
    """A finished game with everything in it: the rows of each table."""

    variant: int
    game: int
    tables: dict[str, list[Any]]


class Stands(NamedTuple):
    """Where a piece of a seat stands."""

    seat: str
    force: str
    hex: str


class Recorder:
    """Follows one match as it is played."""

    rows: ClassVar[dict[str, type[msgspec.Struct]]] = {
        "games": Game,
        "turns": Turn,
        "tracks": Standing,
        "control": Change,
        "losses": Loss,
        "throws": Throw,
        "hexes": Hex,
    }
    """The tables of a game and the rows they have."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.rules: Rules[Any] = match.rules
        self.worth = self.rules.setting.objectives
        self.holder = first_holders(match)
        self.tables: dict[str, list[Any]] = {name: [] for name in self.rows if name != "hexes"}
        self.turn = self.first_turn = self.rules.public_view(match.state).stage.turn
        self.throws = 0
        self.begin()
        if match.opening:
            state = self.rules.start(match.state.seed, [])
            flow.settle(self.rules, state, [])
            self.read_throws(fallen(self.rules, state, match.opening))

    def played(self, action: Action, before: Any, events: Sequence[Event]) -> None:
        """An action was played; `before` is a state of our own that is as the one that it was played in."""
        rolls = self.match.entries[-1].rolls
        thrown: list[Fallen] = []
        kind = before.frames[-1].name
        if rolls:
            flow.act(self.rules, before, action, [])
            thrown = fallen(self.rules, before, rolls)
            self.read_throws(thrown)
        self.follow(kind, events, thrown)

    def read_throws(self, thrown: Sequence[Fallen]) -> None:
        """Note what could be expected of each throw, and what fell."""
        for one in thrown:
            self.tables["throws"] += rows_of(self.rules, one, self.throws, self.turn)
            self.throws += 1

    def finished(self, seed: int, players: Sequence[str]) -> dict[str, list[Any]]:
        """The match is over: the rows of all tables."""
        result = self.match.result
        assert result is not None
        self.close_turn()
        self.tables["games"].append(self.whole(seed, players, result))
        return self.tables

    # What a family may do in another way

    def begin(self) -> None:
        """Look at the match before the first decision."""
        self.standing = self._standing()

    def follow(self, kind: str, events: Sequence[Event], thrown: Sequence[Fallen]) -> None:
        """An action was played in answer to a decision of this kind; these are its events and its throws."""
        public = self.rules.public_view(self.match.state)
        self._read_losses()
        self._read_control(public)
        if public.stage.turn != self.turn:
            self.close_turn()
            self.turn = public.stage.turn

    def close_turn(self) -> None:
        """Note how all stand. What follows at once by itself is told already."""
        public = self.rules.public_view(self.match.state)
        for force, seat in self.rules.setting.forces.items():
            held = public.control.get(force, ()) if public.control else None
            row = Turn(
                turn=self.turn,
                seat=seat,
                force=force,
                pieces=sum(piece.force == force for piece in self.standing.values()),
                lost=sum(loss.turn == self.turn and loss.force == force for loss in self.tables["losses"]),
                hexes=None if held is None else len(held),
                objectives=None if held is None else sum(self.worth.get(name, 0) for name in held),
            )
            self.tables["turns"].append(row)
        self.read_tracks(public)

    def read_tracks(self, public: View) -> None:
        """Note what stands on every track that all may see."""
        for track in public.tracks:
            self.tables["tracks"].append(Standing(self.turn, track.name, track.force or None, track.value))

    def whole(self, seed: int, players: Sequence[str], result: Result) -> msgspec.Struct:
        """The row of the game as a whole."""
        merits = [self.rules.merit(result, seat) for seat in range(len(self.rules.seats))]
        return Game(**self.course(seed, players, result), merits=merits)

    def course(self, seed: int, players: Sequence[str], result: Result) -> dict[str, Any]:
        """What is told of a whole game in any family."""
        return {
            "seed": seed,
            "scenario": self.rules.header.scenario,
            "players": list(players),
            "level": result.level,
            "winner": result.winner,
            "score": result.score,
            "ended_by": list(result.rules),
            "first_turn": self.first_turn,
            "last_turn": self.turn,
            "actions": len(self.match.entries),
        }

    # Pieces and control, by the views

    def _standing(self) -> dict[str, Stands]:
        """The pieces on the map."""
        found = {}
        for seat in self.rules.seats:
            for piece in self.match.view(seat).own():
                if piece.at in self.rules.grid.index:
                    found[piece.id] = Stands(seat, piece.force, piece.at)
        return found

    def _read_losses(self) -> None:
        """A piece that was on the map and is out of play has left it."""
        before, self.standing = self.standing, self._standing()
        gone = [name for name in before if name not in self.standing]
        if not gone:
            return
        off: dict[str, Piece] = {
            piece.id: piece for seat in self.rules.seats for piece in self.match.view(seat).own() if piece.id in gone
        }
        for name in gone:
            if name not in off or self.rules.is_lost(off[name]):
                seat, force, where = before[name]
                self.tables["losses"].append(Loss(self.turn, seat, force, name, where))

    def _read_control(self, public: View) -> None:
        if not public.control and not self.holder:
            return
        now = holders(public)
        for name in sorted(now.keys() | self.holder.keys()):
            if now.get(name) != self.holder.get(name):
                self.tables["control"].append(Change(self.turn, name, now.get(name)))
        self.holder = now


RECORDER = Recorder


def holders(view: View) -> dict[str, str]:
    """Who holds each hex."""
    return {name: force for force, hexes in view.control.items() for name in hexes}


def first_holders(match: Match) -> dict[str, str]:
    """Who holds each hex now."""
    return holders(match.rules.public_view(match.state))


def recorder_of(game: str) -> type[Recorder]:
    """What records a game: its family's own, or the one for any game."""
    kind: type[Recorder] = part(game, "record").RECORDER
    return kind


def play_game(rules: Rules[Any], players: Sequence[str], seed: int, variant: int = 0, game: int = 0) -> Played:
    """Play a game to its end and record it."""
    match = Match.begin(rules, seed_bytes(seed))
    name = rules.header.game
    hands = [
        (player(who, f"{seed} {seat}", game=name), Seat(match, seat))
        for who, seat in zip(players, rules.seats, strict=True)
    ]
    recorder = recorder_of(name)(match)
    while match.seat >= 0:
        decide, seat = hands[match.seat]
        action = decide(seat)
        before = match.state.copy()
        recorder.played(action, before, match.play(action))
    return Played(variant, game, recorder.finished(seed, players))


# What a worker does


@lru_cache(maxsize=4)
def _plan(raw: bytes) -> Plan:
    return msgspec.json.decode(raw, type=Plan)


def play_job(raw: bytes, variant: int, game: int) -> bytes:
    """Play one game of a plan; its record, packed. Nothing but the arguments decides what comes of it."""
    plan = _plan(raw)
    chosen = plan.variants[variant]
    rules = ruleset_of(plan.game, chosen)
    if (rules.header.pack, rules.header.rules) != (chosen.pack, chosen.rules):
        raise ValueError(f"a worker has other rules or data than the study: {rules.header.pack}, not {chosen.pack}")
    played = play_game(rules, chosen.players, game_seed(plan.seed, game), variant, game)
    return zlib.compress(msgspec.msgpack.encode(played))


def unpack(record: bytes) -> Played:
    """The game of a packed record; rows are bare lists."""
    return msgspec.msgpack.decode(zlib.decompress(record), type=Played)
