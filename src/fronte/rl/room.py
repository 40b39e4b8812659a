"""What a family brings so that learners can play its games: its small choices, and what a seat sees as numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from gymnasium import spaces
from numpy.typing import NDArray

from fronte.engine.capabilities import NotOffered
from fronte.engine.frames import NOBODY
from fronte.engine.match import Match
from fronte.engine.rules import Rules, State
from fronte.games.registry import FAMILIES, family_package
from fronte.rl.alphabet import Alphabet
from fronte.rl.dialogue import Dialogue

Observation = dict[str, NDArray[Any]]
S = TypeVar("S", bound=State)


class Sight(ABC, Generic[S]):
    """The numbers that one seat sees: nothing that is not in its view."""

    @abstractmethod
    def spaces(self) -> dict[str, spaces.Space[Any]]:
        """The arrays by name, and their bounds."""

    @abstractmethod
    def observe(self, state: S, chosen: Sequence[int]) -> Observation:
        """The arrays, which are the reader's own; with the small choices that the seat has made so far."""


class Room(ABC, Generic[S]):
    """How learners meet a ruleset."""

    rules: Rules[S]
    alphabet: Alphabet
    sights: Sequence[Sight[S]]
    """What each seat sees."""
    scorer: int = NOBODY
    """The seat that a running score counts for; NOBODY in games that keep none."""

    @abstractmethod
    def begin(self, match: Match) -> None:
        """A match begins, or goes on from where it stands."""

    @abstractmethod
    def played(self, match: Match) -> None:
        """An action was carried out."""

    @abstractmethod
    def dialogue(self, match: Match) -> Dialogue:
        """The small choices of the decision that is owed now."""

    def score(self, state: S) -> int:
        """The running score, as it counts for the scorer."""
        return 0


def room_of(rules: Rules[Any]) -> Room[Any]:
    """The room of a game's family; NotOffered if it has none."""
    game = rules.header.game
    own = family_package("fronte.rl", FAMILIES[game]) if rules.capabilities.learners and game in FAMILIES else None
    if own is None:
        raise NotOffered(game, "environment for learners; fronte.rl.plain_env has a plain one for any game")
    found: Room[Any] = own.ROOM(rules)
    return found
