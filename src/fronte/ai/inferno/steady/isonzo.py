"""Steady's terms for Inferno sull'Isonzo: Gorizia, the river and its crossings, engineers, reserves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from fronte.ai.inferno.steady.ground import Picture
from fronte.ai.inferno.steady.isonzo_small import ISONZO_SMALL
from fronte.ai.inferno.steady.terms import Terms
from fronte.ai.reasons import Reason
from fronte.games.inferno.combat import defence_strength
from fronte.games.inferno.counters import AH, ITALIAN
from fronte.games.inferno.ground import ISONZO, Edge
from fronte.games.inferno.state import MOVED, State
from fronte.games.isonzo.battleground import is_bridged, why_no_crossing
from fronte.games.isonzo.game import Isonzo
from fronte.games.isonzo.state import IsonzoState
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.ai.inferno.steady.attack import Assault
    from fronte.ai.inferno.steady.move import Campaign

GORIZIA_VALUE = 10
"""15.e: what Gorizia is worth to both sides, in victory points."""
NEAR_GORIZIA = 12
"""Hexes from Gorizia within which a garrison is looked for."""
REACH_OF_GORIZIA = 9
"""Hexes from Gorizia within which an enemy could come to it in one move."""
MOST_PICKETS = 3
"""Units sent to close the ring around Gorizia in one turn."""
SOMEBODY = -1
"""Who used a crossing is not seen; it is closed to all (14.2.a)."""
FERRY = 1.5
"""14.2.b: what a place is worth from where an engineer takes a unit across next turn."""


class IsonzoTerms(Terms):
    """What Isonzo adds."""

    attacker = ITALIAN
    tied = (0, 3, 5)
    small = ISONZO_SMALL
    rules: Isonzo

    def __init__(self, rules: Isonzo) -> None:
        super().__init__(rules)
        self.gorizia = next(bits(rules.board.gorizia), -1)

    def goals(self) -> dict[int, int]:
        """15.b, 15.e: the objectives, and Gorizia with a value of its own."""
        found = dict(self.rules.objectives)
        if self.gorizia >= 0:
            found[self.gorizia] = GORIZIA_VALUE
        return found

    def wanted(self, picture: Picture) -> int:
        """15.e: nobody walks to Gorizia while Italians stand in it."""
        found = super().wanted(picture)
        if picture.side == AH and self.gorizia >= 0 and picture.state.fight[ITALIAN] >> self.gorizia & 1:
            found &= ~(1 << self.gorizia)
        return found

    def sudden(self, side: int) -> int:
        """15.e: Gorizia, for the Austro-Hungarians."""
        return self.rules.board.gorizia if side == AH else 0

    def spans(self, state: State, side: int) -> Sequence[int]:
        """12.2.c: the pontoons of a side."""
        pontoons = cast(IsonzoState, state).pontoons
        return [number for unit, number in sorted(pontoons.items()) if self.rules.side[unit] == side]

    def may_end(self, state: State) -> bool:
        """1.4: from turn 8 on."""
        last = self.rules.last_turn or int(self.rules.scenario["end_roll_from"])
        return state.turn >= last

    def settle(self, state: State) -> None:
        mine = cast(IsonzoState, state)
        if mine.crossed:
            mine.crossed = dict.fromkeys(mine.crossed, SOMEBODY)

    def can_cross(self, assault: Assault, unit: int, origin: int, edge: Edge) -> bool:
        """14.2: over a bridge or a pontoon with a free slot, or having begun with an engineer, one hex away at most."""
        rules, state = self.rules, cast(IsonzoState, assault.state)
        if edge.water != ISONZO:
            return True
        if why_no_crossing(rules, state, unit, edge) is not None:
            return False
        if is_bridged(rules, state, edge):
            return True
        here = state.at[unit]
        return here == origin or (not state.flags[unit] & MOVED and bool(rules.board.grid.ring[here] >> origin & 1))

    # Gorizia

    def secure(self, campaign: Campaign) -> None:
        """15.e: if the enemy enters Gorizia all is lost: a garrison stays there, and one in every trench near it."""
        gorizia, state, rules = self.gorizia, campaign.state, self.rules
        if campaign.side != ITALIAN or gorizia < 0:
            return
        distance = campaign.picture.distance
        wanted = 2 if distance[gorizia] <= 3 else 1
        why = Reason("garrison", {"hex": rules.hex_id(gorizia)})
        for unit in self._garrison(campaign):
            if wanted <= 0 or (campaign.pinned and state.at[unit] != gorizia and campaign.holds_front(unit)):
                break
            found = campaign.reach(unit)
            if found.left[gorizia] >= 0 and campaign.posts.fits(unit, gorizia):
                campaign.go(unit, found, gorizia, why)
                campaign.pinned.add(unit)
                wanted -= 1
        self._close_ring(campaign)
        grid = rules.board.grid
        if campaign.tied:
            tied = grid.within(gorizia, campaign.tied) & state.zocs[ITALIAN]
            campaign.pinned.update(u for h in bits(tied) for u in state.stacks[h] if rules.zoccer[u])
        for h in bits(grid.within(gorizia, 2) & rules.board.trench[ITALIAN] & state.zocs[ITALIAN]):
            if distance[h] <= 4:
                able = [u for u in state.stacks[h] if rules.zoccer[u] and u not in campaign.pinned]
                if able:
                    campaign.pinned.add(max(able, key=lambda u: (defence_strength(rules, state, u, 0), -u)))

    def _close_ring(self, campaign: Campaign) -> None:
        """15.e: where the enemy could come next to Gorizia, somebody who holds nothing else stands in his way."""
        state, why = campaign.state, Reason("garrison", {"hex": self.rules.hex_id(self.gorizia)})
        free = [u for u in self._garrison(campaign) if u not in campaign.pinned and not campaign.holds_front(u)]
        for _ in range(MOST_PICKETS):
            gaps = self.rules.board.grid.ring[self.gorizia] & ~state.zocs[ITALIAN]
            places = [(u, h) for h in bits(gaps) for u in free if self._can_go(campaign, u, h)]
            if not places:
                return  # whether the enemy could come or not
            self._watch(campaign)
            unit, h = next((place for place in places if campaign.posts.threat >> place[1] & 1), (-1, -1))
            if unit < 0:
                return
            free.remove(unit)
            if campaign.go(unit, campaign.reach(unit), h, why):
                campaign.pinned.add(unit)

    @staticmethod
    def _can_go(campaign: Campaign, unit: int, h: int) -> bool:
        return campaign.reach(unit).left[h] >= 0 and campaign.posts.fits(unit, h)

    def _watch(self, campaign: Campaign) -> None:
        """Where enemies near Gorizia could stand after their next move."""
        campaign.posts.watch(self.rules.board.grid.within(self.gorizia, REACH_OF_GORIZIA))

    def _garrison(self, campaign: Campaign) -> list[int]:
        """Units that could be its garrison, the best first: there already, not wanted at the front, whole, near."""
        state, grid = campaign.state, self.rules.board.grid
        able = []
        for unit in self.rules.of_side[ITALIAN]:
            if self.rules.zoccer[unit] and campaign.marches.can_move(unit):
                far = grid.distance(state.at[unit], self.gorizia)
                if far <= NEAR_GORIZIA:
                    busy = campaign.holds_front(unit)
                    able.append((far > 0, busy, state.steps[unit] < 2, far, state.ce[unit], unit))
        return [key[-1] for key in sorted(able)]

    def laid_open(self, campaign: Campaign) -> bool:
        """15.e: could an enemy stand next to Gorizia, or in it, after his next move?"""
        if campaign.side != ITALIAN or self.gorizia < 0:
            return False
        self._watch(campaign)
        return bool(campaign.posts.threat & self.rules.board.grid.within(self.gorizia, 1))

    # Engineers

    def post(self, campaign: Campaign, unit: int, h: int) -> float:
        """14.2.b: a place with a bridge engineer before a free bank is the way across next turn."""
        board, state = self.rules.board, campaign.state
        if campaign.side != ITALIAN or not board.across[h]:
            return 0.0
        if not any(self.rules.engineer[u] for u in state.stacks[h]):
            return 0.0
        return FERRY if any(not state.fight[AH] >> edge.to & 1 for edge in board.across[h]) else 0.0

    def finish(self, campaign: Campaign) -> None:
        """12.2.b: an Italian engineer goes to the bank where a bridge would help most; others stay with friends."""
        if campaign.side != ITALIAN:
            return
        state = campaign.state
        for engineer in self.rules.engineers_of[ITALIAN]:
            if not campaign.marches.can_move(engineer):
                continue
            found = campaign.marches.reach(engineer)
            here = state.at[engineer]
            options = [h for h in found.order if h == here or campaign.gun_fits(engineer, h)]
            best = max(options, key=lambda h: (self._bank(campaign, h) + (0.5 if h == here else 0.0), -h))
            if best != here:
                campaign.go(engineer, found, best, Reason("bank", {"hex": self.rules.hex_id(best)}))

    def _bank(self, campaign: Campaign, h: int) -> float:
        """What a bridge from here would be worth: the pull on the other bank, if that is ours or free."""
        rules, state, p = self.rules, cast(IsonzoState, campaign.state), campaign.picture
        if p.distance[h] <= 1 and not state.zocs[ITALIAN] >> h & 1:
            return -5.0
        best = 0.0
        for edge in rules.board.across[h]:
            if rules.is_bridged(state, edge) or not rules.board.beyond >> edge.to & 1:
                continue
            if state.fight[AH] >> edge.to & 1:
                continue
            free = 2.0 if p.ours >> edge.to & 1 else 1.0
            best = max(best, free * p.pull[edge.to] * 0.2 + (3.0 if edge.bridge >= 0 else 0.0))
        return best
