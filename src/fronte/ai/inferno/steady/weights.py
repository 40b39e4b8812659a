"""The table of weights: what every term of the evaluation is worth, for each game and side, and for a scenario apart
where the same would not do.

The currency is one reduction of combat effectiveness of an enemy unit. Terms are named after what a player would say.
The numbers themselves are data (`ai/inferno/data/weights.toml`); what is not given there is as below.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec

from fronte.games.inferno.counters import SIDES
from fronte.games.inferno.rules import Inferno

FILE = Path(__file__).parent.parent / "data" / "weights.toml"
FIRST = FILE.with_name("weights-1.toml")
"""What they were before steady raided, for those who are kept to be played against."""
LATE, RAID = "late_", "raid_"
"""What the names of terms for the end of the game begin with, and for raids: both are logarithms of factors."""
PLANNER = "-planner"
"""What the names of tables end with that are the planner's."""


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

    recall: float = 0.0
    """When the game may be over, an emergency unit comes for so many points that it could walk back; 0: for none."""

    # What the enemy may do
    danger: float = 0.0
    """What an enemy attack on a post may cost, per reduction; nothing for who does not reckon with it."""
    tired: float = 0.0
    """Fighting on with a unit rather than resting it, per reduction that it has suffered."""
    answer: float = 0.0
    """What the enemy may do after an attack to each of those who were part of it, per reduction."""

    # What one stands by
    charge: float = 0.0
    """Leaving a gun, an end of a pontoon or an objective alone that an enemy could come to, as points; 0: no matter."""
    siege: float = 0.0
    """An attack on a trench that costs more than it inflicts must win it at least so often; 0: it need not."""

    keep: float = 0.0
    """An objective that is sure to survive the enemy's next turn, per victory point; 0: nobody asks."""

    # Guns
    limber: float = 0.0
    """A gun where an attack of the enemy could drive it or its escort out, which is its end (12.3)."""

    # Raids (`fronte.ai.inferno.raids`): the logarithm of the factor by which a term counts otherwise than it does there
    raid_spoil: float = 0.0
    """A gun or an engineer of the enemy."""
    raid_span: float = 0.0
    """A pontoon broken."""
    raid_cut: float = 0.0
    """An enemy unit that comes short of supply."""
    raid_opened: float = 0.0
    """The post that is left."""
    raid_alone: float = 0.0
    """Ending before more enemies than one can stand."""
    raid_hunger: float = 0.0
    """Ending short of supply oneself."""
    peril: float = 0.0
    """What the enemy's best attack may cost where a raid ends, per reduction; 0: nobody asks."""

    # When the game may be over after this turn: the logarithm of the factor by which a term counts otherwise then
    late_vp: float = 0.0
    late_ground: float = 0.0
    late_hurt: float = 0.0
    late_leave_post: float = 0.0
    late_take: float = 0.0
    late_pull: float = 0.0
    late_guard: float = 0.0
    late_occupy: float = 0.0
    late_keep: float = 0.0

    @property
    def reckons(self) -> bool:
        """Does it reckon with what the enemy may do?"""
        return self.danger > 0


@cache
def weights_of(game: str, scenario: str = "", file: Path = FILE) -> Mapping[int, Weights]:
    """The weights of both sides in a scenario of a game."""
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    found = tables.get(table_of(tables, game, scenario), {})
    return {side: msgspec.convert(found.get(name, {}), Weights) for side, name in enumerate(SIDES)}


def table_of(tables: Mapping[str, Any], game: str, scenario: str) -> str:
    """The name of the table that holds for a scenario: its own, or that of all scenarios of its game."""
    own = f"{game}-{scenario}"
    return own if own in tables else game


def usual(rules: Inferno) -> Mapping[int, Weights]:
    """What steady plays with."""
    return weights_of(rules.header.game, rules.header.scenario)


@cache
def unthinking_of(game: str, scenario: str, file: Path = FILE) -> Mapping[int, Weights]:
    """What the planner plays with where it does not think: weights of its own where there are any (the table of the
    scenario or its game, and `-planner`), else steady's."""
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    own = table_of(tables, game, scenario) + PLANNER
    return weights_of(own, file=file) if own in tables else weights_of(game, scenario, file)


def scaled(base: Weights, point: Sequence[float]) -> Weights:
    """Weights multiplied by the exponentials of a point: signs stay, doubling is as far as halving.

    To what is a logarithm already it is added.
    """
    found = {}
    for name, x in zip(base.__struct_fields__, point, strict=True):
        value = getattr(base, name)
        found[name] = round(value + x if name.startswith((LATE, RAID)) else value * math.exp(x), 4)
    return Weights(**found)


@lru_cache(maxsize=256)
def late(weights: Weights) -> Weights:
    """The weights as they are when the game may be over after this turn."""
    changed = {}
    for name in weights.__struct_fields__:
        if name.startswith(LATE):
            of = name.removeprefix(LATE)
            changed[of] = getattr(weights, of) * math.exp(getattr(weights, name))
            changed[name] = 0.0
    return msgspec.structs.replace(weights, **changed)
