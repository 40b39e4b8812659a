"""Raids: what a unit does alone behind the enemy's back, before anybody thinks of attacks.

It enters what ends the game at once, walks into objectives that nobody holds, overruns guns and engineers that stand
alone, breaks pontoons from their ends and stands where the enemy's supply runs. One unit may do several of these in
one move, as long as its points last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from math import exp
from typing import NamedTuple

from fronte.ai.inferno.steady.attack import Assault
from fronte.ai.inferno.steady.charges import span_ends
from fronte.ai.inferno.steady.ground import Picture
from fronte.ai.inferno.steady.marches import Reach
from fronte.ai.inferno.steady.move import Campaign
from fronte.ai.inferno.steady.weights import RAID, Weights
from fronte.ai.reasons import Reason
from fronte.games.inferno.combat import defence_strength
from fronte.games.inferno.state import WAITING, place
from fronte.games.inferno.supply import sources
from fronte.hexes import bits, mask_of

BOLDER = {"vp": 1.4, "take": 1.2, "leave_post": 0.6, "least_gain": 0.7, "bleed": 0.85, "guard": 0.8}
"""Factors on steady's weights for who raids."""
SUDDEN = 1000.0
"""What ends the game at once."""
SPOIL = 5.0
"""A gun or an engineer of the enemy."""
SPAN = 5.0
"""A pontoon broken, beside what it does to supply."""
CUT = 1.5
"""An enemy unit that comes into low supply, or from there out of supply."""
LEAST_CUT = 2
"""So many such units must there be: for fewer one does not stand alone."""
OPENED = 0.5
"""How much of what steady makes of leaving a post a raider minds."""
ALONE = 1.5
"""What it costs to end before more enemies than one can stand."""
STAND = 2.0
"""Enemy strength nearby that a raider of strength one can stand."""
HUNGER = 0.25
"""How much of what steady makes of supply a raider minds."""
LEAST = 1.0
"""A raid must promise at least this."""
MOST_RAIDS = 6
MOST_LEGS = 6
"""Parts of one unit's move."""


class Worths(NamedTuple):
    """The terms above as a player has them."""

    spoil: float
    span: float
    cut: float
    opened: float
    alone: float
    hunger: float


@lru_cache(maxsize=256)
def worths(weights: Weights) -> Worths:
    """What raids are worth by these weights."""
    usual = Worths(SPOIL, SPAN, CUT, OPENED, ALONE, HUNGER)
    return Worths(*(value * exp(getattr(weights, RAID + name)) for name, value in usual._asdict().items()))


class Lure(NamedTuple):
    """What a hex is worth to a raider, and why."""

    value: float
    key: str


def spoils(assault: Assault, h: int) -> int:
    """Guns and engineers of the enemy in a hex."""
    rules = assault.rules
    units = [u for u in assault.state.stacks[h] if rules.side[u] != assault.side]
    return sum(1 for u in units if rules.gun[u] or rules.engineer[u])


class Plunder(Assault):
    """Attacks are worth more where guns, engineers or pontoons fall with the hex."""

    def prize(self, target: int) -> float:
        found = self._prizes.get(target)
        if found is None:
            worth = worths(self.weights)
            more = worth.spoil * spoils(self, target) + worth.span * self._ends.count(target)
            found = self._prizes[target] = super().prize(target) + more
        return found

    @cached_property
    def _ends(self) -> list[int]:
        return span_ends(self.picture, self.picture.foe)


class Raid(Campaign):
    """A Movement Phase that begins with raids."""

    judging = Plunder

    def __init__(self, picture: Picture, weights: Weights, tied: int = 0) -> None:
        super().__init__(picture, weights, tied)
        self.worths = worths(weights)
        self.trodden = 0
        """Hexes that raiders have entered."""
        self.cuts: dict[int, Lure] | None = None
        """Where supply can be cut, as long as nobody has cut any."""

    @property
    def most_raids(self) -> int:
        """How many units may raid in one phase."""
        return MOST_RAIDS

    def forestall(self) -> None:
        """The best raid first, until none promises enough; who has just broken in goes on with that."""
        mover = self.state.mover
        if mover in self.ready and mover not in self.pinned:
            more = self._best([(mover, self.reach(mover))])
            if more is not None:
                self._ride(*more)
            elif self._starves(mover):
                self.pinned.add(mover)
        for _ in range(self.most_raids):
            able = [u for u in self.ready if u not in self.settled and u not in self.pinned]
            best = self._best([(u, self.reach(u)) for u in able])
            if best is None or not self._ride(*best):
                return

    def _best(self, able: Sequence[tuple[int, Reach]]) -> tuple[int, Reach, int, Lure] | None:
        """Who goes where from where he is, and why; None if nothing promises enough."""
        while True:
            best = self._most_lured(able, self._lures())
            if best is None or best[3].key != "raid_supply" or self._cut_by(best[0], best[2]) >= LEAST_CUT:
                return best
            assert self.cuts is not None
            del self.cuts[best[2]]  # others have moved meanwhile, or it is he whose leaving feeds the enemy

    def _most_lured(
        self, able: Sequence[tuple[int, Reach]], lures: Mapping[int, Lure]
    ) -> tuple[int, Reach, int, Lure] | None:
        best, most = None, LEAST
        mask = mask_of(lures)
        for unit, found in able:
            for h in bits(found.hexes & mask):
                if h != self.state.at[unit] and self.posts.fits(unit, h):
                    value = lures[h].value - self._price_of_raid(unit, h)
                    if value > most:
                        best, most = (unit, found, h, lures[h]), value
        return best

    def _price_of_raid(self, unit: int, h: int) -> float:
        """The post that is left, the enemies around, and supply."""
        p = self.picture
        price = self.worths.hunger * self._short[p.shortage(h)]
        if unit not in self.settled and unit != self.state.mover:
            price += self.worths.opened * self.price(unit, self.state.at[unit])
        if p.pressure[h] > STAND * defence_strength(self.rules, self.state, unit, 0):
            price += self.worths.alone
        if self.weights.peril:
            price += self.weights.peril * self.posts.danger.cost(h, (*self.state.stacks[h], unit))
        return price

    def _ride(self, unit: int, found: Reach, h: int, lure: Lure) -> bool:
        """Send the unit there, and on to whatever else it can do with its points; False if the way there is closed."""
        whole = self.marches.points(unit)
        for leg in range(MOST_LEGS):
            way = mask_of(found.path(h))
            if not self.go(unit, found, h, Reason(lure.key, {"hex": self.rules.hex_id(h)})):
                return leg > 0
            self.settled.add(unit)
            self.trodden |= way
            self.picture.ours |= way
            if lure.key in ("raid_supply", "raid_span"):
                self.cuts = None
            left = found.left[h]
            found = self.marches.reach(unit, whole - left)
            more = self._best([(unit, found)]) if left > 0 else None
            if more is None:
                break
            _, _, h, lure = more
        return True

    # What lures

    def _lures(self) -> dict[int, Lure]:
        """By hex what a raid there is worth."""
        p, state = self.picture, self.state
        if self.cuts is None:
            self.cuts = self._cuts()
        found = {h: lure for h, lure in self.cuts.items() if not state.zocs[self.side] >> h & 1}

        def add(h: int, value: float, key: str) -> None:
            found[h] = Lure(value + (found[h].value if h in found else 0.0), key)

        for h in span_ends(p, p.foe, self.trodden):
            add(h, self.worths.span, "raid_span")
        for h in bits(state.occ[p.foe] & ~state.fight[p.foe]):
            add(h, self.worths.spoil * len(state.stacks[h]), "raid_guns")
        for h in bits(self.terms.wanted(p)):
            add(h, self.weights.take * p.chart.worth(h), "raid_goal")
        for h in bits(self.terms.sudden(self.side)):
            add(h, SUDDEN, "raid_end")
        return found

    def _cuts(self) -> dict[int, Lure]:
        """Hexes on the enemy's lines of supply, where enough of his units would come short of it."""
        rules, state, board = self.rules, self.state, self.rules.board
        lines = sources(rules, state, self.picture.foe) | mask_of(span_ends(self.picture, self.picture.foe))
        lines = (lines | board.around(lines)) & ~state.zocs[self.side]
        by: dict[int, int] = {}
        for unit, found in self.ready.items():
            if unit not in self.settled and unit not in self.pinned:
                by |= {h: unit for h in bits(found.hexes & lines) if h not in by}
        if not by:
            return {}
        hexes, before = sorted(by), self._hungry()
        after = self.picture.chart.hungry_if(state, self.picture.foe, [self._stand(by[h], h) for h in hexes])
        cuts = {h: hungry - before for h, hungry in zip(hexes, after, strict=True)}
        return {h: Lure(self.worths.cut * more, "raid_supply") for h, more in cuts.items() if more >= LEAST_CUT}

    def _stand(self, unit: int, h: int) -> tuple[int, int]:
        """The hexes with units of one's own, and with such that exert a zone of control, if this one stood there."""
        state, side = self.state, self.side
        here, others = 1 << state.at[unit], [u for u in state.stacks[state.at[unit]] if u != unit]
        occupied = state.occ[side] & ~(0 if others else here) | 1 << h
        exerts = any(self.rules.zoccer[other] for other in others)
        return occupied, state.zocs[side] & ~(0 if exerts else here) | 1 << h

    def _cut_by(self, unit: int, h: int, before: int | None = None) -> int:
        """By how much hungrier than before the enemy is with the unit there; less than nothing off the map."""
        here = self.state.at[unit]
        if before is None:
            before = self._hungry()
        place(self.rules, self.state, unit, h)
        more = self._hungry() - before
        place(self.rules, self.state, unit, here)
        return more

    def _starves(self, unit: int) -> bool:
        """Would enough of the enemy be in supply again if the unit left?"""
        return self._cut_by(unit, WAITING) <= -LEAST_CUT

    def _hungry(self) -> int:
        """11.4: enemy units by how short of supply they are."""
        return self.picture.chart.hungry(self.state, self.picture.foe)
