"""Where units had better stand: what a hex is worth to who attacks and to who defends."""

from __future__ import annotations

from fronte.ai.caporetto.chart import TURN
from fronte.ai.caporetto.costs import points_cost, surrender_cost
from fronte.ai.caporetto.distances import FAR
from fronte.ai.caporetto.picture import Picture
from fronte.ai.caporetto.weights import Weights
from fronte.games.caporetto import losses
from fronte.games.caporetto.terrain import AHG

SOON = 2 * TURN
"""Quarters of a point within which the enemy may be somewhere soon."""
CROWD = (1.0, 0.45, 0.12)
"""What is left of the worth of a hex by the battalions that are there already;"""
GARRISON = (1.0, 0.6, 0.1)
"""and of that of an objective which is to be held."""
SECOND = 0.15
"""The same for the second of those who attack,"""
FIRM, COMPANY = 2, 0.5
"""and for a company alone; whoever has so many factors is more than one."""
MOST_BARRED = 4.0
FIRST_DAY = 2
"""So many turns are the 24th of October."""
MOST_WAITING = 4
"""So many hexes of others behind a bridge count."""
SHAKEN = 2
"""Who has no more morale than this left keeps away from enemies."""
HIDDEN = 1.6
"""How much more a march is worth in the fog (8.1): who is past the enemy then is not fired at."""
LOST = 9.0
"""Turns that a hex without a way is thought to be away."""


class Posts:
    """The worth of hexes for one force, as its units are placed one after another."""

    def __init__(self, picture: Picture, weights: Weights) -> None:
        self.picture, self.weights = picture, weights
        self.attacks = picture.side == AHG
        self.taken: set[int] = set()
        """Objectives to which somebody is on the way."""

    def __call__(self, unit: int, h: int) -> float:
        """What it is worth that a unit is in a hex, whether it is there already or not."""
        picture, weights = self.picture, self.weights
        rules, state, side = picture.rules, picture.state, picture.side
        there = [
            u for u in state.stacks.get(h, ()) if u != unit and rules.zoc_makers >> u & 1 and rules.side[u] == side
        ]
        found = self._front(unit, h, len(there)) if self.attacks else self._line(unit, h, len(there))
        if h in picture.wanted and h not in self.taken:
            found += weights.take * picture.prize(h, picture.vigour([unit, *there]))
        if h in picture.kept and self._may_be_lost(h):
            found += weights.hold * picture.kept[h] * self._guard(h, unit, there)
        if self._is_told_to_hold(unit, h):
            found += weights.front
        if not picture.fed >> h & 1:
            found -= self._hunger(unit, h)
        pressure = picture.pressure.get(h, 0)
        if pressure:
            own = losses.strength(rules, state, unit) + sum([losses.strength(rules, state, u) for u in there])
            cover = picture.chart.cover[h] + picture.trench_at(h, side)
            over = pressure - own * (1.4 + 0.3 * cover)
            worn = 1.0 + 0.5 * state.dp[unit]
            if over > 0:
                found -= weights.exposed * over * worn
            if picture.spirit(unit) <= SHAKEN and rules.morale[unit]:
                found -= weights.shaken * (1 + SHAKEN - picture.spirit(unit))
            if there and self.attacks:
                found += weights.mass
            if not rules.assaulting >> unit & 1 and not there:
                found -= 0.3
        if state.dp[unit] and not picture.foe_zone >> h & 1:
            found += weights.fresh * state.dp[unit]
        return found

    def _is_told_to_hold(self, unit: int, h: int) -> bool:
        """On the first day of the historical campaign nobody gives up the trench in which he stands, whoever has come
        past it: on the Mrzli and the Rombon nothing was known of the valley before the next morning."""
        picture, scene = self.picture, self.picture.rules.scene
        if self.attacks or not scene.sectors or picture.state.turn >= scene.first_turn + FIRST_DAY:
            return False
        return h == picture.state.at[unit] and picture.trench_at(h, picture.side) > 0

    def _may_be_lost(self, h: int) -> bool:
        """Could the enemy soon be in an objective? In the campaigns an Italian who was passed by rides far along empty
        roads (10.3.2) into what the 14th Army has left behind it."""
        picture = self.picture
        return picture.arrival[h] < SOON or (self.attacks and not picture.short and picture.comes_back(h))

    def _guard(self, h: int, unit: int, there: list[int]) -> float:
        """What one more in an objective counts: who attacks leaves one behind, two where the enemy is next to it;
        in the campaigns not a mere company, which anybody throws out."""
        if self.attacks and not self.picture.short:
            if any(self._is_firm(one) for one in there):
                return SECOND if self.picture.near_foes >> h & 1 else 0.0
            return 1.0 if self._is_firm(unit) else 0.0 if there else COMPANY
        return SECOND if there and self.attacks else GARRISON[min(len(there), 2)]

    def _is_firm(self, unit: int) -> bool:
        """Is it more than a company, and not about to surrender?"""
        picture = self.picture
        return losses.strength(picture.rules, picture.state, unit) >= FIRM and picture.spirit(unit) > SHAKEN

    def _hunger(self, unit: int, h: int) -> float:
        """9.3: what it costs to end a turn without supply: a point, and more where headquarters do not reach either;
        who is worn out surrenders beside an enemy."""
        picture, weights = self.picture, self.weights
        if not self.attacks:
            return weights.supply
        cost = weights.hungry * points_cost(picture, weights, unit, 1)
        if not picture.is_close(unit, h):
            cost += weights.supply
        left = picture.spirit(unit)
        if picture.rules.morale[unit] and left <= SHAKEN and picture.near_foes >> h & 1:
            cost += surrender_cost(picture, weights, unit) / left if left > 0 else 1.0
        return cost

    def _front(self, unit: int, h: int, others: int) -> float:
        """Who attacks goes on towards what is to be taken."""
        way = self.picture.way_of(unit)[h]
        jam = self.weights.jam * min(MOST_WAITING, self.picture.landings.get(h, 0))
        pull = self.weights.pull * (HIDDEN if self.picture.hidden else 1.0)
        return -pull * (way / TURN if way < FAR else LOST) - jam

    def _line(self, unit: int, h: int, others: int) -> float:
        """Who defends stands on the enemy's way, on good ground, not all in one place."""
        picture, weights = self.picture, self.weights
        barred = min(MOST_BARRED, picture.relevance.get(h, 0.0))
        cover = picture.chart.cover[h] + picture.trench_at(h, picture.side)
        found = weights.block * barred * (1.0 + 0.25 * cover) * CROWD[min(others, 2)]
        arrival = picture.arrival[h]
        if not picture.near_foes >> h & 1:
            found += weights.reserve * picture.backed(h) * CROWD[min(others, 2)]
        if arrival >= FAR:
            return found
        # far from the enemy one is of no use, wherever one is
        return found - 0.05 * min(8.0, arrival / TURN)
