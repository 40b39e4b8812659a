"""What steady's terms are worth, in victory points of the campaigns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from fronte.games.caporetto.terrain import AHG


class Weights(msgspec.Struct, frozen=True):
    """The weights of a side."""

    step: float = 0.2
    """A step lost."""
    last: float = 0.1
    """What is added for the last step of a unit."""
    prisoner: float = 0.1
    """What is added for each step that counts as surrendered (23.1)."""
    point: float = 0.05
    """A point of disorganisation, for each step of the unit; more the nearer it is to surrender."""
    suppressed: float = 0.12
    """A unit that cannot act as it should."""
    caution: float = 1.0
    """What one's own losses count beside the enemy's."""
    least: float = 0.12
    """What an assault has to promise."""
    take: float = 1.0
    """An objective that is taken, for each of its points."""
    hold: float = 0.8
    """An own objective that the enemy can reach, and in which nobody else stands."""
    pull: float = 0.5
    """A turn of the way to what is to be taken."""
    ground: float = 0.0
    """An enemy hex wherever it is: the front has to break somewhere."""
    gate: float = 0.6
    """An enemy hex that bars the way, for each turn that it costs to go round."""
    block: float = 0.25
    """A hex on the way of the enemy to an objective, for each of its points."""
    front: float = 1.5
    """The trench in which one stands, on the first day of the historical campaign."""
    reserve: float = 0.2
    """A hex out of which what may be lost can be retaken at once (12.4.1), for each of its points."""
    supply: float = 0.5
    """To end a move where there is no supply."""
    hungry: float = 2.0
    """A point of disorganisation that comes of it, which cannot be recovered there."""
    exposed: float = 0.04
    """A factor of the enemy next to a hex beyond what one can stand up to."""
    shaken: float = 0.4
    """A unit that is close to surrender next to enemies."""
    mass: float = 0.05
    """A second battalion beside another before the enemy."""
    stay: float = 0.06
    """What a move has to be better by than staying."""
    tired: float = 0.08
    """What a forced march has to be worth besides what it costs."""
    woken: float = 0.6
    """24.9.e4: an enemy who may move on the first turn because of an assault, and could not otherwise."""
    stopped: float = 0.35
    """To be stopped on the way by fire."""
    cut: float = 0.3
    """An enemy hex that keeps supply from going on."""
    relief: float = 0.15
    """One's own who would be supplied again if nobody were in an enemy hex, for each of them."""
    silence: float = 0.02
    """A point of disorganisation for a gun, for each of its factors."""
    guns: float = 0.6
    """A gun that is captured."""
    jam: float = 0.25
    """To stand behind a bridge that others have to cross, for each hex of them."""
    fresh: float = 0.08
    """For each point of disorganisation, a hex out of the enemy's zones, where one recovers."""


ATTACK = Weights(caution=0.8, ground=0.05, gate=0.9, supply=1.2, hungry=1.8, cut=0.6, fresh=0.12, tired=0.15, pull=0.9)
DEFENCE = Weights(caution=1.15, least=0.2)
STEADY = (ATTACK, DEFENCE)
"""By side: who is to get on, and who is to hold."""
GARRISONED = 2.6
"""What who attacks holds counts for in a campaign: with less, one battalion after the other marched on out of places
behind the front, and Italians who had been passed by walked into them."""
LATE: Mapping[int, Mapping[str, float]] = {
    1: {
        **{"step": 0.2, "last": 0.2, "point": 0.4, "least": 0.3, "exposed": 0.3, "shaken": 0.5, "fresh": 0.0},
        **{"tired": 0.3, "supply": 0.2, "hungry": 0.2, "woken": 0.0, "cut": 0.5},
    },
    2: {"step": 0.7, "last": 0.7, "point": 0.8, "least": 0.7, "fresh": 0.5, "supply": 0.7, "hungry": 0.7},
}
"""By the turns that are left, in a campaign, factors on the weights: in the end places and prisoners count (23.1), and
nobody needs who is left."""


@cache
def steady_weights(side: int, left: int) -> Weights:
    """The weights of a side in a campaign with so many turns left, this one among them."""
    usual = msgspec.structs.replace(STEADY[side], hold=GARRISONED) if side == AHG else STEADY[side]
    return msgspec.structs.replace(usual, **{key: getattr(usual, key) * x for key, x in LATE.get(left, {}).items()})
