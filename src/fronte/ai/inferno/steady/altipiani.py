"""Steady's terms for Inferno sugli Altipiani: the Austro-Hungarians attack, forts, the barrage, what comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fronte.ai.inferno.steady.ground import Picture
from fronte.ai.inferno.steady.small import legal, wanted
from fronte.ai.inferno.steady.terms import Terms
from fronte.ai.inferno.steady.weights import Weights
from fronte.ai.reasons import Answer, Reason
from fronte.engine.decision import Action
from fronte.games.altipiani.game import Altipiani
from fronte.games.inferno.counters import AH
from fronte.games.inferno.movement import End
from fronte.games.inferno.reinforcements import Enter
from fronte.games.inferno.state import State

if TYPE_CHECKING:
    from fronte.ai.inferno.steady.attack import Assault, Garrison


def reinforcement(picture: Picture, weights: Weights) -> Answer:
    """13.0: everybody comes in at once, where he is wanted most."""
    rules = picture.rules
    near: dict[str, float] = {}

    def value(action: Action) -> float:
        if isinstance(action, End):
            return -1.0
        assert isinstance(action, Enter)
        if action.hex not in near:
            h = rules.grid_index[action.hex]
            room = 0.0 if picture.state.stacks[h] else 0.5
            near[action.hex] = wanted(picture, h) + room
        return near[action.hex]

    best = max(legal(picture), key=value)
    if isinstance(best, Enter):
        return Answer(best, Reason("enter", {"hex": best.hex}))
    return Answer(best, Reason("no_more", secret=True))


class AltipianiTerms(Terms):
    """What Altipiani adds."""

    attacker = AH
    small = {"reinforcement": reinforcement}
    rules: Altipiani

    def may_end(self, state: State) -> bool:
        """14.0: the last turn."""
        return state.turn >= self.rules.last_turn

    def flank(self, assault: Assault, held: Garrison, guns: bool) -> bool | None:
        """12.2.c, 12.4.b: never beside a fortress; under the barrage of the first turn always."""
        rules = self.rules
        if len(held.units) > 1 and any(rules.immobile[unit] for unit in held.units):
            return False
        if guns and assault.side == AH and assault.state.turn in rules.barrage_turns:
            return True
        return None

    def gun_marks(self, picture: Picture) -> int:
        """12.3.b: guns support units next to the enemy, from behind them."""
        state = picture.state
        return state.zocs[picture.side] & picture.rules.board.around(state.fight[picture.foe])
