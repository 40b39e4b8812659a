"""Garrisons: who goes to an objective together with others, and next to it, so that it survives the enemy's next turn.

One unit alone hardly ever keeps a town, and no unit taken by itself would go there for that: so a garrison is put
together as an attack is, by what all of them make of it less what each of them costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from fronte.ai.inferno.steady.move import Campaign
from fronte.ai.reasons import Reason
from fronte.games.inferno.combat import defence_strength
from fronte.games.inferno.stacking import is_legal_stack
from fronte.hexes import bits, mask_of

MOST_INSIDE = 3
"""An objective is kept by so many at most."""
MOST_BESIDE = 2
"""7.9: with friends in two hexes next to it an objective cannot be flanked."""


class Posting(NamedTuple):
    """A unit that could go to a hex or stay there, and what that costs."""

    price: float
    unit: int
    hex: int


class Garrisons:
    """Finds garrisons for one phase."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign, self.posts = campaign, campaign.posts
        self.rules, self.state, self.side = campaign.rules, campaign.state, campaign.side
        self._told: set[int] = set()

    def post_all(self) -> set[int]:
        """Every objective of one's own that the enemy could come to, the most valuable first; tells who is to."""
        picture = self.campaign.picture
        for goal in sorted(bits(picture.chart.goals & picture.ours), key=lambda h: (-picture.chart.worth(h), h)):
            if self.posts.holding.could_come(goal):
                for posting in self._best(goal):
                    self._send(posting, goal)
        return self._told

    def _send(self, posting: Posting, goal: int) -> None:
        """Whoever is told to keep an objective may attack from where he stands, and does not leave."""
        campaign, unit = self.campaign, posting.unit
        why = Reason("cover", {"hex": self.rules.hex_id(goal)})
        if self.state.at[unit] == posting.hex or campaign.go(unit, campaign.reach(unit), posting.hex, why):
            campaign.pinned.add(unit)
            self._told.add(unit)

    def _best(self, goal: int) -> Sequence[Posting]:
        """The garrison that pays best; nobody if none does. Whoever is free to leave is taken to leave."""
        campaign, state = self.campaign, self.state
        chance, worth = self.posts.holding.chance, campaign.weights.keep * campaign.picture.chart.worth(goal)
        stay = [u for u in state.stacks[goal] if self._stays(u)]
        fixed = mask_of(h for h in bits(state.occ[self.side]) if any(self._stays(u) for u in state.stacks[h]))
        before = chance(goal, stay, fixed)
        inside = self._inside(goal)
        best: Sequence[Posting] = ()
        most = campaign.weights.least_gain
        for ring in self._rings(self._beside(goal)):
            around = fixed | mask_of(one.hex for one in ring)
            for group in self._growing(goal, stay, ring, inside):
                units = [*stay, *(one.unit for one in group if one.hex == goal)]
                gain = worth * (chance(goal, units, around) - before) - sum(one.price for one in group)
                if gain > most:
                    most, best = gain, group
        return best

    def _rings(self, beside: Sequence[Posting]) -> Iterator[tuple[Posting, ...]]:
        """Nobody, one or two of those who could stand next to the objective, in hexes of their own."""
        for count in range(MOST_BESIDE + 1):
            for ring in combinations(beside, count):
                if len({one.unit for one in ring}) == count:
                    yield ring

    def _growing(
        self, goal: int, stay: Sequence[int], ring: tuple[Posting, ...], inside: Sequence[Posting]
    ) -> Iterator[tuple[Posting, ...]]:
        """5.1: those next to the objective, then with one more and one more in it, as long as there is room."""
        others = [u for u in self.state.stacks[goal] if not self.rules.zoccer[u] and u not in stay]
        group = ring
        yield group
        for one in inside:
            there = [one.unit for one in group if one.hex == goal]
            if len(there) == MOST_INSIDE:
                return
            free = all(one.unit != other.unit for other in ring)
            if free and is_legal_stack(self.rules, self.state, goal, [*others, *stay, *there, one.unit]):
                group = (*group, one)
                yield group

    def _stays(self, unit: int) -> bool:
        """Is it settled that the unit stays where it is?"""
        campaign = self.campaign
        return unit in campaign.settled or unit in campaign.pinned or not campaign.marches.can_move(unit)

    def _inside(self, goal: int) -> list[Posting]:
        """Those who could stand in the hex: first who does, then who does most for what he costs."""
        rules, state = self.rules, self.state

        def order(one: Posting) -> tuple[bool, float, int]:
            return state.at[one.unit] != goal, one.price - defence_strength(rules, state, one.unit, 0), one.unit

        return sorted(self._postings(goal), key=order)

    def _beside(self, goal: int) -> list[Posting]:
        """For each hex next to it who would cost least to stand there."""
        rules, state = self.rules, self.state
        found = []
        for h in bits(rules.board.grid.ring[goal] & ~state.occ[1 - self.side]):
            if any(self._stays(u) and rules.zoccer[u] for u in state.stacks[h]):
                continue
            able = [one for one in self._postings(h) if self.posts.fits(one.unit, h)]
            if able:
                found.append(min(able))
        return found

    def _postings(self, h: int) -> list[Posting]:
        """Who could stand in a hex, and what that costs: the post left, the rest not taken."""
        campaign, state = self.campaign, self.state
        tired = campaign.weights.tired
        found = []
        for unit, reach in campaign.ready.items():
            if reach.left[h] >= 0 and not self._stays(unit):
                price = 0.0 if state.at[unit] == h else campaign.price(unit, h)
                found.append(Posting(price + tired * state.ce[unit], unit, h))
        return found
