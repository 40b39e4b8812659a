"""The raider: plays as steady does, but raids first (`raids`) and attacks for points, with less care for its line.

It is there to be played against: what steady leaves alone, supply, lone guns and empty places, it goes for.
"""

from __future__ import annotations

from random import Random

from fronte.ai.inferno.intents import reweighed
from fronte.ai.inferno.raids import BOLDER, Raid
from fronte.ai.inferno.steady import Steady
from fronte.ai.inferno.steady.weights import FIRST, Weights, weights_of
from fronte.ai.seat import Player
from fronte.games.inferno.rules import Inferno


class Raider(Steady):
    """The player: a callable that answers the decision of its seat."""

    kind = Raid

    def _weights(self, rules: Inferno, side: int) -> Weights:
        return reweighed(weights_of(rules.header.game, file=FIRST)[side], BOLDER)


def raider_player(rng: Random) -> Player:
    """A raider that leaves to chance what this generator says."""
    return Raider(rng)
