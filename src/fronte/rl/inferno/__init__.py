"""The Inferno games for learners: planes of the board, a table of units, and small choices for moves and attacks."""

from __future__ import annotations

from itertools import islice
from typing import Any, cast

from fronte.engine.decision import MOST_LISTED
from fronte.engine.match import Match
from fronte.engine.rules import Rules
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.state import State
from fronte.rl.dialogue import Dialogue, listed
from fronte.rl.inferno.alphabet import InfernoAlphabet
from fronte.rl.inferno.attacking import combat, support
from fronte.rl.inferno.moving import Movers, movement
from fronte.rl.inferno.sight import InfernoSight
from fronte.rl.inferno.watch import Watch
from fronte.rl.room import Room


class InfernoRoom(Room[State]):
    """Both Inferno games. What has changed is found once after each action, and nothing is worked out twice."""

    rules: Inferno
    alphabet: InfernoAlphabet
    sights: list[InfernoSight]

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = cast(Inferno, rules)
        self.alphabet = InfernoAlphabet(self.rules)
        self.scorer = self.rules.scorer
        state = Match.begin(rules, bytes(32)).state
        self.watch = Watch(state)
        self.sights = [InfernoSight(self.rules, seat, self.alphabet, state) for seat in range(len(rules.seats))]

    def begin(self, match: Match) -> None:
        self.watch = Watch(match.state)
        self._movers = Movers(self.rules, self.alphabet)
        for sight in self.sights:
            sight.begin(match.state)
            sight.watch = self.watch

    def played(self, match: Match) -> None:
        changes = self.watch.look(match.state)
        self._movers.note(changes)
        for sight in self.sights:
            sight.note(changes)

    def dialogue(self, match: Match) -> Dialogue:
        rules, state, alphabet = self.rules, match.state, self.alphabet
        kind = state.frames[-1].name
        if kind == "movement":
            self._movers.refresh(state, self.watch.version)
            return movement(rules, state, alphabet, self._movers)
        if kind == "combat":
            return combat(rules, state, alphabet)
        if kind == "support":
            return support(rules, state, alphabet)
        return listed(alphabet, islice(match.legal(), MOST_LISTED))

    def score(self, state: State) -> int:
        return self.rules.score(state)


ROOM = InfernoRoom
