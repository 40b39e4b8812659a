"""Following a record: from the lines that were written to the state they led to, by the dice in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

import fronte
from fronte.engine.match import Match
from fronte.engine.record import Entry, Heading, write

STOP_EVERY = 32


def load(
    heading: Heading,
    seed: bytes | None,
    entries: Sequence[Entry],
    packs: Sequence[Path | str] = (),
    remember: bool = False,
) -> Match:
    """The match of a record; without a seed its dice to come are unknown, and it can only follow."""
    return fronte.load(write(with_seed(heading, seed), entries), packs=packs, remember=remember)


def with_seed(heading: Heading, seed: bytes | None) -> Heading:
    """The heading of a save with its seed, if there is one."""
    return msgspec.structs.replace(heading, seed="" if seed is None else seed.hex())


def follow(match: Match, entries: Iterable[Entry]) -> None:
    """Let a match that only follows do what these lines say."""
    match.obeying = False
    for entry in entries:
        if "order" in entry.action:
            match.order(entry.seat, entry.action["order"], entry.action.get("policy"))
        else:
            match.state.forced = tuple(die for throw in entry.rolls for die in throw)
            match.play(entry.action, entry.seat, entry.standing)


class Past:
    """Any earlier point of a match: copies of the state now and then, and the record between them."""

    def __init__(self, heading: Heading, packs: Sequence[Path] = ()) -> None:
        self.heading = heading
        self.packs = packs
        self.stops: dict[int, Any] = {}

    def passed(self, line: int, state: Any) -> None:
        """The match has come to this line."""
        if line % STOP_EVERY == 0:
            self.stops[line] = state.copy()

    def cut(self, line: int) -> None:
        """What lay after this line has been taken back."""
        self.stops = {stop: state for stop, state in self.stops.items() if stop <= line}

    def at(self, match: Match, line: int) -> Match:
        """The match as it was after so many lines; `match` is the present one."""
        if 0 not in self.stops:
            self.stops[0] = load(self.heading, None, [], self.packs).state
        stop = max(known for known in self.stops if known <= line)
        then = Match(match.rules, self.stops[stop].copy(), [])
        for number in range(stop, line):
            follow(then, match.entries[number : number + 1])
            self.passed(number + 1, then.state)
        return then
