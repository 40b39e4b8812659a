"""What runs in the process that tries what strangers hand in: saves and positions, before anything of them is kept.

Whatever such a thing makes the rules do, it does it here, where memory is short and whoever asked ends the process when
time is up. What comes through can be opened in the server: it replays, it can be shown to every seat, and that took
neither long nor much room.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any

import msgspec

import fronte
from fronte.engine.match import Match
from fronte.engine.overlay import Asked
from fronte.engine.pack import PackError
from fronte.engine.record import SaveError
from fronte.engine.rules import Header
from fronte.server.cards import card
from fronte.server.processes.child import answering, as_helper

MOST_MEMORY = 512 * 2**20
"""What the process may have in all."""
MOST_GROWN = 40 * 2**20
"""What one match may take."""
MOST_SECONDS = 6.0
"""What reading a match may cost, and half of it to show it once."""
USED_UP = 40
"""Questions after which another process takes over."""


class Handed(msgspec.Struct):
    """What somebody has handed in: the text of a save, or a position of a game to begin with."""

    packs: list[str]
    text: str | None = None
    game: str = ""
    scenario: str = ""
    options: dict[str, bool | str] = {}
    position: dict[str, Any] | None = None
    seed: bytes = b""


class Begun(msgspec.Struct):
    """What the house must know of a match that it is about to keep."""

    header: Header
    opening: tuple[tuple[int, ...], ...]
    origin: dict[str, Any] | None
    lines: int
    result: dict[str, Any] | None
    owes: str | None
    card: dict[str, Any] | None = None


class Tried(msgspec.Struct):
    """What came of it: the match, or what is wrong; `spoilt`: the process is of no use any more."""

    begun: Begun | None = None
    wrong: str = ""
    too_large: bool = False
    too_slow: bool = False
    spoilt: bool = False


def begun_of(match: Match) -> Begun:
    """What the house must know of a match."""
    result = match.result
    return Begun(
        match.rules.header,
        tuple(match.opening),
        match.origin,
        len(match.entries),
        None if result is None else msgspec.to_builtins(result),
        match.rules.seats[match.seat] if match.seat >= 0 else None,
        card(match),
    )


def read(handed: Handed) -> Match:
    """The match; ValueError says what is wrong."""
    if handed.text is not None:
        return fronte.load(handed.text, packs=handed.packs)
    assert handed.position is not None
    return fronte.position(handed.game, handed.position, handed.scenario, handed.seed, handed.options, handed.packs)


def show(match: Match) -> None:
    """All that is worked out to show a match to everybody, once."""
    for seat in range(len(match.rules.seats)):
        msgspec.json.encode(match.rules.view(match.state, seat))
    msgspec.json.encode(match.rules.public_view(match.state))
    for name in match.rules.capabilities.overlays:
        match.rules.overlay(match.state, -1, name, Asked())
    _ = match.decision, match.offer_json(), next(match.legal(), None)


def attempt(handed: Handed) -> Tried:
    """Try what was handed in."""
    before, start = _memory(), time.process_time()
    try:
        match = read(handed)
        loaded = time.process_time()
        begun = begun_of(match)
        show(match)
        msgspec.json.encode(begun)
    except PackError:
        return Tried(wrong="the data of this game cannot be read; the log of the server says why")
    except SaveError as wrong:
        return Tried(wrong=str(wrong))
    except ValueError as wrong:
        return Tried(wrong=f"line 1: {wrong}" if handed.text is not None else str(wrong))
    except MemoryError:
        return Tried(too_large=True, spoilt=True)
    except Exception as wrong:  # whatever the rules stumble over
        what = "position" if handed.text is None else "save"
        return Tried(wrong=f"no match can go on from this {what}: {type(wrong).__name__} {wrong}"[:500])
    if _memory() - before > MOST_GROWN:
        return Tried(too_large=True, spoilt=True)
    if loaded - start > MOST_SECONDS or time.process_time() - loaded > MOST_SECONDS / 2:
        return Tried(too_slow=True)
    return Tried(begun)


def _memory() -> int:
    """What this process has, where that can be told."""
    with contextlib.suppress(OSError, ValueError, IndexError), open("/proc/self/statm", encoding="ascii") as told:
        return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def limit_memory(most: int) -> None:
    """Let the system refuse more memory than this, where it can."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def main() -> None:
    """Try what is handed in, one after the other."""
    limit_memory(MOST_MEMORY)
    asked = 0

    def answer(question: bytes) -> bytes:
        nonlocal asked
        asked += 1
        try:
            tried = attempt(msgspec.json.decode(question, type=Handed))
        except (msgspec.DecodeError, RecursionError, MemoryError) as wrong:
            tried = Tried(wrong=f"it cannot be read: {wrong}")
        tried.spoilt = tried.spoilt or asked >= USED_UP
        return msgspec.json.encode(tried)

    as_helper(lambda questions, answers: answering(questions, answers, answer))


if __name__ == "__main__":
    main()
