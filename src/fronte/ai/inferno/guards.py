"""Guards: who stays where he is, and who goes to what must not be left alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from fronte.ai.inferno.garrisons import Garrisons
from fronte.ai.inferno.raids import Raid
from fronte.ai.inferno.steady.attack import Plan
from fronte.ai.inferno.steady.charges import STAKE, span_ends
from fronte.ai.inferno.steady.ground import Picture
from fronte.ai.inferno.steady.move import Campaign
from fronte.ai.inferno.steady.weights import Weights
from fronte.ai.reasons import Reason
from fronte.games.inferno.combat import defence_strength

NEAR = 5
"""Hexes from which an enemy could come to the end of a pontoon."""


class Keeper(Campaign):
    """A Movement Phase in which units can be told to keep something."""

    def pin(self, h: int) -> None:
        """Somebody stays in a hex, the weakest, though he may attack from it: the others are free for the line."""
        rules, state = self.rules, self.state
        able = [u for u in state.stacks[h] if rules.zoccer[u]]
        if not self.pinned.intersection(able):
            self.pinned.add(min(able, key=lambda u: (defence_strength(rules, state, u, 0), u)))

    def keep(self, h: int) -> None:
        """Somebody stays in a hex or goes there."""
        if self.state.zocs[self.side] >> h & 1:
            self.pin(h)
        else:
            self.escort(h, "cover")

    def escort(self, h: int, why: str = "escort") -> None:
        """Somebody who holds nothing goes to guns that stand alone, whoever has to walk least."""
        able = [
            (-found.left[h], unit)
            for unit, found in self.ready.items()
            if found.left[h] >= 0 and unit not in self.pinned | self.settled and not self.holds_front(unit)
        ]
        for _, unit in sorted(able):
            if self.posts.fits(unit, h):
                self.go(unit, self.reach(unit), h, Reason(why, {"hex": self.rules.hex_id(h)}, secret=True))
                self.pinned.add(unit)
                return


class Guarded(Raid):
    """A Movement Phase that raids, and in which ends of pontoons and guns that stay count as objectives do, where the
    enemy could walk in."""

    def stakes(self) -> Mapping[int, float]:
        found = Counter(span_ends(self.picture, self.side))
        for gun in self.rules.guns_of[self.side]:
            h = self.state.at[gun]
            if h >= 0 and (gun in self.settled or not self.marches.can_move(gun)):
                found[h] += 1
        return {h: STAKE * times for h, times in found.items()}


class Watchful(Keeper, Guarded):
    """The same, and somebody is at the nearer end of each pontoon with an enemy near, whatever else he could do."""

    def forestall(self) -> None:
        distance, sides = self.picture.distance, self.rules.board.sides
        for number in self.terms.spans(self.state, self.side):
            end = min((sides[number].a, sides[number].b), key=lambda h: (distance[h], h))
            if distance[end] <= NEAR:
                self.keep(end)
        super().forestall()


class Sentry(Guarded):
    """The same; and when everybody has a post, who has not moved yet looks again at what the posts leave open."""

    def __init__(self, picture: Picture, weights: Weights, tied: int = 0) -> None:
        super().__init__(picture, weights, tied)
        self._busy: set[int] = set()
        """Who attacks or recovers."""
        self._told: set[int] = set()
        """Who has been told to keep an objective."""

    @property
    def most_raids(self) -> int:
        """1.4: who has the last word sends whoever can walk back."""
        return len(self.ready) if self.picture.last_word else super().most_raids

    def _commit(self, plan: Plan) -> None:
        super()._commit(plan)
        self._busy.update(plan.units)

    def _recovers(self, unit: int) -> bool:
        rests = super()._recovers(unit)
        if rests:
            self._busy.add(unit)
        return rests

    def forestall(self) -> None:
        super().forestall()
        if self.posts.keeps:
            self._told |= Garrisons(self).post_all()

    def look_again(self, fighters: Sequence[int]) -> None:
        for unit in sorted(self._told - self._busy):
            self._recovers(unit)
        self.posts.watch()
        if not self.posts.walk_in & ~self.state.zocs[self.side]:
            return
        for unit in fighters:
            if unit not in self._busy and unit not in self.pinned and self.marches.can_move(unit):
                self._go_to_best(unit, self.marches.reach(unit))
