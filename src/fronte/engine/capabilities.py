"""What a game can, as its ruleset declares it.

Screens, commands and generic tests read this and never the class of a ruleset. What a game has not is refused with a
sentence (`refused`), not with a crash.
"""

from __future__ import annotations

import msgspec


class Capabilities(msgspec.Struct, frozen=True):
    """What can be asked of a game."""

    hidden: bool = True
    """Something is hidden from some seat: a hand-over screen is needed at one table, fog is tested."""
    odds: bool = False
    """Exact odds can be had before an action that throws dice."""
    luck: bool = False
    """Throws can be weighed, so that luck can be told from skill."""
    by_file: bool = False
    """It can be played by file, each side holding its own half."""
    overlays: tuple[str, ...] = ()
    """What can be laid over the map, by name."""
    piece_overlays: tuple[str, ...] = ()
    """Those of the overlays that are about the chosen piece of one's own."""
    usual_overlays: tuple[str, ...] = ()
    """Those that are laid over the map unless somebody takes them off."""
    paths: bool = False
    """The cheapest way of a piece through given hexes can be asked for."""
    reasons: bool = False
    """Why a piece cannot go to a hex, attack it or do anything now can be asked for, and what would help."""
    outlook: bool = False
    """What can be foreseen of the next turn can be asked for, and what a move would leave behind."""
    learners: bool = False
    """There is an environment for learners."""
    undo: bool = True


class NotOffered(ValueError):
    """Something was asked of a game that does not have it. The sentence names both."""

    def __init__(self, game: str, what: str) -> None:
        super().__init__(f"{game} has no {what}")
        self.game, self.what = game, what
