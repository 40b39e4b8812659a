"""Fronte plays Andrea Brusati's battle games with every rule kept. The public face of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fronte.engine import save as _save
from fronte.engine.decision import Action, Decision, IllegalAction, Refusal
from fronte.engine.dice import seed_bytes
from fronte.engine.event import Event
from fronte.engine.given import PositionError
from fronte.engine.match import Match
from fronte.engine.pack import PackError
from fronte.engine.record import SaveError, Snapshot
from fronte.engine.rules import Result
from fronte.engine.seat import Seat
from fronte.games.registry import GAMES, for_header, ruleset

__version__ = "0.1.0"


def new(
    game: str,
    scenario: str = "",
    seed: int | str | bytes = 0,
    options: Mapping[str, Any] | None = None,
    packs: Sequence[Path | str] = (),
) -> Match:
    """A new match. `packs` are folders of an owner's own data that come before the game's."""
    return Match.begin(ruleset(game, scenario, options, packs), seed_bytes(seed))


def load(
    text: str,
    at: int | None = None,
    snapshots: Sequence[Snapshot] = (),
    packs: Sequence[Path | str] = (),
    remember: bool = False,
) -> Match:
    """The match of a save, at its end or after `at` lines of its record. `packs` are those it was begun with; with
    `remember` the odds count what a seat was shown (`Match.remember`)."""
    try:
        return _save.load(text, lambda header: for_header(header, packs), at, snapshots, remember)
    except SaveError:
        raise
    except ValueError as wrong:
        raise SaveError(f"line 1: {wrong}") from None


def position(
    game: str,
    data: Mapping[str, Any],
    scenario: str = "",
    seed: int | str | bytes = 0,
    options: Mapping[str, Any] | None = None,
    packs: Sequence[Path | str] = (),
) -> Match:
    """A match that begins with a position."""
    rules = ruleset(game, scenario, options, packs)
    state = rules.from_position(data)
    state.seed = seed_bytes(seed)
    return Match.resume(rules, state, origin=rules.to_position(state))


def _picture(match: Match, seat: str | None) -> str:
    from fronte.draw.match import match_svg  # only whoever looks at a match needs what draws it

    return match_svg(match, seat)


Match.painter = _picture


__all__ = [
    "GAMES",
    "Action",
    "Decision",
    "Event",
    "IllegalAction",
    "Match",
    "PackError",
    "PositionError",
    "Refusal",
    "Result",
    "SaveError",
    "Seat",
    "Snapshot",
    "__version__",
    "load",
    "new",
    "position",
    "ruleset",
]
