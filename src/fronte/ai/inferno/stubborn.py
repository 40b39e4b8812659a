"""The stubborn defender: plays as steady does, but lets go of nothing, and does not run against trenches.

Somebody stays in every objective with an enemy near; guns that the enemy could come to and that have nowhere to go get
an escort; trenches are attacked only where the odds are good.
"""

from __future__ import annotations

from random import Random

from fronte.ai.inferno.guards import Keeper
from fronte.ai.inferno.intents import reweighed
from fronte.ai.inferno.steady import Steady
from fronte.ai.inferno.steady.attack import NEVER, Assault
from fronte.ai.inferno.steady.dice import Outlook
from fronte.ai.inferno.steady.weights import FIRST, Weights, weights_of
from fronte.ai.seat import Player
from fronte.games.inferno.rules import Inferno
from fronte.hexes import bits, mask_of

FIRMER = {"least_gain": 1.5}
"""Factors on steady's weights."""
FAIR = 0.45
"""A trench is attacked where it is taken at least so often."""
NEAR = 2
"""Hexes from which an enemy makes an objective one to be held."""


class Wary(Assault):
    """A trench that is not likely to fall is not attacked."""

    def gain(self, target: int, found: Outlook) -> float:
        if self.rules.board.trench[1 - self.side] >> target & 1 and found.win < FAIR:
            return NEVER
        return super().gain(target, found)


class Bulwark(Keeper):
    """A Movement Phase that begins with what must be held."""

    judging = Wary

    def forestall(self) -> None:
        """Garrisons of objectives stay, and guns that stand alone get an escort."""
        p, state = self.picture, self.state
        self.posts.watch()
        mine = state.zocs[self.side]
        near = mask_of(h for h in bits(mine) if p.distance[h] <= NEAR)
        stuck = [state.at[gun] for gun in self.rules.guns_of[self.side] if state.at[gun] >= 0 and self._is_stuck(gun)]
        for h in bits(near & p.chart.goals & p.ours):
            self.pin(h)
        for h in bits(mask_of(stuck) & self.posts.threat & ~mine):
            self.escort(h)

    def _is_stuck(self, gun: int) -> bool:
        """May the gun not move, or is the enemy before it wherever it can go and no friend there?"""
        if not self.marches.can_move(gun):
            return True
        safe = ~self.posts.threat | self.state.zocs[self.side]
        return not self.marches.reach(gun).hexes & safe


class Stubborn(Steady):
    """The player: a callable that answers the decision of its seat."""

    kind = Bulwark

    def _weights(self, rules: Inferno, side: int) -> Weights:
        return reweighed(weights_of(rules.header.game, file=FIRST)[side], FIRMER)


def stubborn_player(rng: Random) -> Player:
    """A stubborn defender that leaves to chance what this generator says."""
    return Stubborn(rng)
