"""The stubborn defender: plays as steady does, but lets go of nothing, and does not run against trenches.

Somebody stays in every objective with an enemy near; guns that the enemy could come to have an escort; trenches are
attacked only where the odds are good.
"""

from __future__ import annotations

from random import Random

from fronte.ai.inferno.intents import reweighed
from fronte.ai.inferno.steady import Steady
from fronte.ai.inferno.steady.attack import NEVER, Assault
from fronte.ai.inferno.steady.dice import Outlook
from fronte.ai.inferno.steady.move import Campaign
from fronte.ai.inferno.steady.weights import Weights
from fronte.ai.reasons import Reason
from fronte.ai.seat import Player
from fronte.games.inferno.combat import defence_strength
from fronte.games.inferno.rules import Inferno
from fronte.hexes import bits, mask_of

FIRMER = {"hold": 1.6, "guard": 1.5, "occupy": 1.6, "leave_post": 1.6, "least_gain": 2.0, "bleed": 1.3, "exposed": 1.3}
"""Factors on steady's weights."""
FAIR = 0.45
"""A trench is attacked where it is taken at least so often."""
NEAR = 3
"""Hexes from which an enemy makes an objective one to be held."""


class Wary(Assault):
    """A trench that is not likely to fall is not attacked."""

    def gain(self, target: int, found: Outlook) -> float:
        if self.rules.board.trench[1 - self.side] >> target & 1 and found.win < FAIR:
            return NEVER
        return super().gain(target, found)


class Bulwark(Campaign):
    """A Movement Phase that begins with what must be held."""

    judging = Wary

    def forestall(self) -> None:
        """Garrisons of objectives and escorts of guns stay, and guns that stand alone get an escort."""
        p, state, board = self.picture, self.state, self.rules.board
        self.posts.watch()
        guns = mask_of(state.at[gun] for gun in self.rules.guns_of[self.side] if state.at[gun] >= 0)
        held = p.chart.goals & p.ours & mask_of(h for h in bits(state.zocs[self.side]) if p.distance[h] <= NEAR)
        escorted = guns & board.around(self.posts.threat)
        for h in bits((held | escorted) & state.zocs[self.side]):
            self._pin(h)
        for h in bits(guns & ~state.zocs[self.side] & self.posts.threat):
            self._escort(h)

    def _pin(self, h: int) -> None:
        """The strongest of a hex stays there, though he may attack from it."""
        rules, state = self.rules, self.state
        able = [u for u in state.stacks[h] if rules.zoccer[u]]
        if not self.pinned.intersection(able):
            self.pinned.add(max(able, key=lambda u: (defence_strength(rules, state, u, 0), -u)))

    def _escort(self, h: int) -> None:
        """Somebody who holds nothing goes to guns that stand alone, whoever has to walk least."""
        able = [
            (-found.left[h], unit)
            for unit, found in self.ready.items()
            if found.left[h] >= 0 and unit not in self.pinned | self.settled and not self.holds_front(unit)
        ]
        for _, unit in sorted(able):
            if self.posts.fits(unit, h):
                self.go(unit, self.reach(unit), h, Reason("escort", {"hex": self.rules.hex_id(h)}, secret=True))
                self.pinned.add(unit)
                return


class Stubborn(Steady):
    """The player: a callable that answers the decision of its seat."""

    kind = Bulwark

    def _weights(self, rules: Inferno, side: int) -> Weights:
        return reweighed(super()._weights(rules, side), FIRMER)


def stubborn_player(rng: Random) -> Player:
    """A stubborn defender that leaves to chance what this generator says."""
    return Stubborn(rng)
