"""The table of weights: what every term of the evaluation is worth, for each game and side.

The currency is one reduction of combat effectiveness of an enemy unit. Terms are named after what a player would say.
The numbers themselves are data (`ai/inferno/data/weights.toml`); what is not given there is as below.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from fronte.games.inferno.counters import SIDES

FILE = Path(__file__).parent.parent / "data" / "weights.toml"


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side's weights."""

    # Attacks
    vp: float = 9.0
    """A victory point won by taking a hex."""
    ground: float = 1.5
    """Taking any enemy hex, and as much again for each point of pull there."""
    hurt: float = 1.0
    """A reduction inflicted."""
    bleed: float = 0.75
    """A reduction suffered."""
    thrown_back: float = 1.0
    """The attackers have to retreat."""
    each: float = 0.1
    """Every unit that takes part: it could do something else."""
    least_gain: float = 0.4
    """An attack must promise at least this."""
    leave_post: float = 0.6
    """Leaving a post for an attack, for each point that the post is worth."""

    # Where to stand
    take: float = 14.0
    """Walking into an enemy objective, per victory point."""
    pull: float = 2.2
    """Being near objectives that are still to be won."""
    guard: float = 1.5
    """Covering one's own objectives against enemies that are near."""
    occupy: float = 2.0
    """Standing on an objective of one's own that an enemy could walk into, per victory point."""
    trench: float = 1.5
    """Standing in a trench of one's own, with enemies near."""
    works: float = 1.0
    """Standing with a fortress of one's own, with enemies near."""
    height: float = 0.6
    """Standing on a peak or above the approaches, with enemies near."""
    water: float = 0.3
    """Each water hexside towards an enemy."""
    cover: float = 0.5
    """Each hex near the enemy that comes under a zone of control nobody else exerts."""
    crowd: float = 0.5
    """Each step already in the hex."""
    open: float = 0.3
    """Each hex more than two from which the enemy could attack the post."""
    exposed: float = 0.12
    """Enemy strength nearby beyond what the hex can stand."""
    surrounded: float = 2.0
    """Hexes around that the enemy holds or controls, beyond three."""
    low_supply: float = 1.5
    no_supply: float = 8.0
    stay: float = 0.3
    """Not moving."""
    hold: float = 1.0
    """Not leaving a place near the enemy; twice as much in a trench of one's own."""
    heal: float = 2.5
    """A reduction that could be recovered there next turn."""
    weak: float = 1.2
    """Standing next to the enemy, per reduction suffered."""

    # The rear
    reserves: float = 8.0
    """Brigades worth releasing in a game, each for a victory point."""
    last_release: float = 6.0
    """After this turn a brigade no longer earns what its release costs; one from the box two turns earlier."""
    thin_line: float = 10.0
    """Emergency reinforcements come when fewer units than this are left."""


@cache
def weights_of(game: str) -> Mapping[int, Weights]:
    """The weights of both sides in a game."""
    tables = tomllib.loads(FILE.read_text(encoding="utf-8")).get(game, {})
    return {side: msgspec.convert(tables.get(name, {}), Weights) for side, name in enumerate(SIDES)}


def scaled(base: Weights, point: Sequence[float]) -> Weights:
    """Weights multiplied by the exponentials of a point: signs stay, doubling is as far as halving."""
    names = base.__struct_fields__
    return Weights(**{n: round(getattr(base, n) * math.exp(x), 4) for n, x in zip(names, point, strict=True)})
