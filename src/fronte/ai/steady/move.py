"""The plan of a Movement Phase: attacks are prepared first, then every other unit takes the best post it can reach."""

from __future__ import annotations

from collections.abc import Sequence

from fronte.ai.steady.attack import MOST_UNITS, Assault, Plan, main_corps, may_join
from fronte.ai.steady.ground import Picture
from fronte.ai.steady.marches import Marches, Reach
from fronte.ai.steady.posts import Posts
from fronte.ai.steady.weights import Weights
from fronte.engine.decision import Action
from fronte.games.inferno.combat import defence_strength, unit_av
from fronte.games.inferno.counters import ITALIAN
from fronte.games.inferno.effectiveness import why_no_recovery
from fronte.games.inferno.ground import ISONZO
from fronte.games.inferno.movement import SIXTHS, Move, Recover
from fronte.games.inferno.stacking import is_legal_stack
from fronte.games.inferno.state import DONE, MOV, MOVED
from fronte.games.isonzo.game import Isonzo
from fronte.games.isonzo.state import IsonzoState
from fronte.hexes import bits, mask_of

FRONT = 8
"""Units further from the enemy than this take no part in attacks this turn."""
NEAR_GORIZIA = 12
"""Hexes from Gorizia within which a garrison is looked for."""
TIED = (0, 3, 5)
"""Hexes from Gorizia within which units stay where they are, if it would otherwise be laid open."""


class Campaign:
    """Plans one Movement Phase in an imagined state, which it changes as units move."""

    def __init__(self, picture: Picture, weights: Weights, tied: int = 0) -> None:
        self.picture, self.weights, self.tied = picture, weights, tied
        self.rules: Isonzo = picture.rules
        self.state: IsonzoState = picture.state
        self.side = picture.side
        self.marches = Marches(self.rules, self.state, self.side)
        self.assault = Assault(picture, weights)
        self.posts = Posts(picture, weights)
        self.actions: list[Action] = []
        self.ready: dict[int, Reach] = {}
        self.guns = [g for g in self.rules.guns_of[self.side] if self._will_fire(g)]
        self.settled: set[int] = set()
        """Units whose part in this phase is decided."""
        self.pinned: set[int] = set()
        """Units that must not leave their hex, though they may attack from it."""

    def _will_fire(self, gun: int) -> bool:
        """12.3.h: a gun that stands still will be in battery when combat comes."""
        state = self.state
        return state.at[gun] >= 0 and not (state.flags[gun] & MOV and state.flags[gun] & MOVED)

    def plan(self) -> list[Action]:
        """All actions of the phase, without its end."""
        rules, state = self.rules, self.state
        for gun in self.guns:
            state.flags[gun] &= ~MOV
        fighters = [u for u in rules.of_side[self.side] if rules.zoccer[u] and self.marches.can_move(u)]
        self.ready = {u: self.marches.reach(u) for u in fighters if self._is_near(u)}
        self._guard_gorizia()
        self._prepare_attacks()
        self.posts.watch()
        order = sorted(fighters, key=lambda u: (self.picture.distance[state.at[u]], u))
        for unit in order:
            if unit not in self.settled and unit not in self.pinned:
                self._take_post(unit)
        for gun in rules.guns_of[self.side]:
            if gun not in self.settled and self.marches.can_move(gun):
                self._move_gun(gun)
        for engineer in rules.engineers_of[self.side]:
            if self.marches.can_move(engineer):
                self._move_engineer(engineer)
        return self.actions

    def _is_near(self, unit: int) -> bool:
        return self.picture.distance[self.state.at[unit]] <= FRONT

    def _reach(self, unit: int) -> Reach:
        """Where the unit can go: as found at the start, unless it needs crossings and some have been used since."""
        found = self.ready.get(unit)
        if found is None or (self.marches.crossings and self.marches.needs_crossing(found)):
            return self.marches.reach(unit)
        return found

    def _go(self, unit: int, found: Reach, end: int) -> None:
        path = found.path(end)
        if path:
            self.actions.append(Move(self.rules.ids[unit], self.rules.hex_ids(path)))
            fights = self.rules.zoccer[unit]
            if fights:
                self.posts.shift(unit, end)
            self.marches.go(unit, path)
            self.state.flags[unit] |= MOVED | DONE

    def _guard_gorizia(self) -> None:
        """15.e: if the enemy enters Gorizia all is lost: a garrison stays there, and one in every trench near it."""
        gorizia, state, rules = self.picture.chart.gorizia, self.state, self.rules
        if self.side != ITALIAN or gorizia < 0:
            return
        wanted = 2 if self.picture.distance[gorizia] <= 3 else 1
        for unit in self._near_gorizia(gorizia):
            if wanted <= 0 or (self.pinned and state.at[unit] != gorizia and self._holds_front(unit)):
                break
            found = self.marches.reach(unit)
            if gorizia in found.left and self.posts.fits(unit, gorizia):
                self._go(unit, found, gorizia)
                self.pinned.add(unit)
                wanted -= 1
        if self.tied:
            tied = rules.board.grid.within(gorizia, self.tied) & state.zocs[ITALIAN]
            self.pinned.update(u for h in bits(tied) for u in state.stacks[h] if rules.zoccer[u])
        trenches = rules.board.grid.within(gorizia, 2) & rules.board.trench[ITALIAN] & state.zocs[ITALIAN]
        for h in bits(trenches):
            if self.picture.distance[h] <= 4:
                able = [u for u in state.stacks[h] if rules.zoccer[u] and u not in self.pinned]
                if able:
                    self.pinned.add(max(able, key=lambda u: (defence_strength(rules, state, u, 0), -u)))

    def _near_gorizia(self, gorizia: int) -> list[int]:
        """Units that could be its garrison, the best first: there already, not wanted at the front, whole, near."""
        state, grid = self.state, self.rules.board.grid
        able = []
        for unit in self.rules.of_side[self.side]:
            if self.rules.zoccer[unit] and self.marches.can_move(unit):
                far = grid.distance(state.at[unit], gorizia)
                if far <= NEAR_GORIZIA:
                    able.append((far > 0, self._holds_front(unit), state.steps[unit] < 2, far, state.ce[unit], unit))
        return [key[-1] for key in sorted(able)]

    def opens_gorizia(self) -> bool:
        """Could an enemy stand next to Gorizia, or in it, after his next move?"""
        gorizia = self.picture.chart.gorizia
        if self.side != ITALIAN or gorizia < 0:
            return False
        self.posts.watch()
        return bool(self.posts.threat & self.rules.board.grid.within(gorizia, 1))

    def _holds_front(self, unit: int) -> bool:
        """Is it the only fighting unit of a hex near the enemy?"""
        here = self.state.at[unit]
        others = [u for u in self.state.stacks[here] if self.rules.zoccer[u] and u != unit]
        return self.picture.distance[here] <= 2 and not others

    # Attacks

    def _prepare_attacks(self) -> None:
        """Choose the most promising attack, send its units, and go on until no attack promises enough."""
        plans: dict[int, Plan | None] = {}
        open_targets = self._targets()
        while open_targets:
            for target in open_targets:
                if target not in plans:
                    plans[target] = self._best_on(target)
            best = max(
                (p for t, p in plans.items() if p is not None and t in open_targets),
                key=lambda p: (p.gain, p.target),
                default=None,
            )
            if best is None or best.gain < self.weights.least_gain:
                return
            self._commit(best)
            open_targets.remove(best.target)
            touched = set(best.units) | set(best.guns)
            for target in open_targets:
                plan = plans.get(target)
                if plan is None or touched & {*plan.units, *plan.guns} or self._shares(best, target):
                    plans.pop(target, None)

    def _shares(self, best: Plan, target: int) -> bool:
        """Did the attack just prepared change the ground around another target?"""
        ring = self.rules.board.grid.within(target, 1)
        return any(ring >> h & 1 for h in best.origins)

    def _targets(self) -> list[int]:
        """Enemy hexes that somebody could stand next to at the end of his move."""
        reached = 0
        for found in self.ready.values():
            reached |= mask_of(found.left)
        for h in bits(self.state.zocs[self.side]):
            reached |= 1 << h
        near = 0
        for h in bits(reached):
            near |= self.rules.board.grid.ring[h]
        return list(bits(near & self.state.fight[1 - self.side]))

    def _best_on(self, target: int) -> Plan | None:
        """The best attack on a hex with units that are there or can come."""
        rules, state = self.rules, self.state
        able: list[tuple[int, int, float]] = []
        around = rules.board.grid.adjacent[target]
        for unit in rules.of_side[self.side]:
            if unit in self.settled or not rules.zoccer[unit] or state.at[unit] < 0:
                continue
            ready = self.ready.get(unit) if unit not in self.pinned else None
            near = ready.left if ready is not None else ()
            for h in around:
                if (state.at[unit] == h or h in near) and self.assault.can_strike(unit, h, target):
                    strength = min(self.assault.strength(unit, h, target, 0))
                    if strength > 0:
                        able.append((unit, h, strength - self._price(unit, h, ())))
        return self._build(target, able) if able else None

    def _price(self, unit: int, h: int, leaving: Sequence[int]) -> float:
        """What it costs to send a unit there: the post it leaves (others may be leaving it too), and supply."""
        state, w, p = self.state, self.weights, self.picture
        here = state.at[unit]
        if here == h:
            return 0.0
        price = 0.2 + (0.0, w.low_supply, w.no_supply)[p.supply_at(h)] + 0.5 * state.ce[unit]
        alone = all(u == unit or u in leaving or not self.rules.zoccer[u] for u in state.stacks[here])
        price += w.leave_post * (self.posts.hold(here) + 0.3 * p.guard[here] * self.posts.alarm(here) if alone else 0.3)
        return price

    def _build(self, target: int, able: list[tuple[int, int, float]]) -> Plan | None:
        rules, state = self.rules, self.state
        corps = main_corps(rules, sorted({u for u, _, _ in able}))
        able.sort(
            key=lambda a: (not rules.infiltrates[a[0]], state.at[a[0]] != a[1], rules.corps[a[0]] != corps, -a[2], a)
        )
        gun_av = sum(unit_av(rules, state, g) for g in self.assault.guns(target, self.guns)[:2])
        units: list[int] = []
        origins: list[int] = []
        paid = 0.0
        best = (-99.0, 0)
        for unit, h, _ in able:
            if unit in units or len(units) >= MOST_UNITS:
                continue
            if not may_join(self.assault, target, units, origins, unit, h) or not self._room(unit, h, units, origins):
                continue
            paid += self._price(unit, h, units)
            units.append(unit)
            origins.append(h)
            gain, _ = self.assault.judge(target, units, origins, gun_av)
            if gain - paid > best[0]:
                best = (gain - paid, len(units))
        if not best[1]:
            return None
        count = best[1]
        plan = self.assault.with_guns(target, units[:count], origins[:count], self.guns)
        pairs = zip(plan.units, plan.origins, strict=True)
        return plan._replace(gain=plan.gain - sum(self._price(u, h, plan.units[:k]) for k, (u, h) in enumerate(pairs)))

    def _room(self, unit: int, h: int, units: list[int], origins: list[int]) -> bool:
        """5.1: is there room in the hex, with those who are already sent there?"""
        state = self.state
        if state.at[unit] == h:
            return True
        coming = [u for u, o in zip(units, origins, strict=True) if o == h and state.at[u] != h]
        stays = [u for u in state.stacks[h] if self.rules.side[u] == self.side]
        return is_legal_stack(self.rules, state, h, (*stays, *coming, unit))

    def _commit(self, plan: Plan) -> None:
        for unit, origin in zip(plan.units, plan.origins, strict=True):
            if self.state.at[unit] != origin:
                found = self._reach(unit)
                if origin in found.left:
                    self._go(unit, found, origin)
            self.settled.add(unit)
            self.ready.pop(unit, None)
        self.settled.update(plan.guns)
        self.guns = [g for g in self.guns if g not in plan.guns]

    # Posts

    def _take_post(self, unit: int) -> None:
        """Recover if possible, then go to the best post in reach."""
        rules, state = self.rules, self.state
        spent = 0
        if state.ce[unit] and why_no_recovery(rules, state, unit, self.marches.points(unit)) is None:
            self.actions.append(Recover(rules.ids[unit]))
            spent = 4 * SIXTHS
            rules.pay_recovery(state, unit)
        found = self.marches.reach(unit, spent) if spent else self._reach(unit)
        here = state.at[unit]
        self.posts.lift(unit)
        state.ce[unit] -= 1 if spent else 0
        best, best_value = here, -1e9
        for h in found.left:
            if not self.posts.fits(unit, h):
                continue
            value = self.posts.value(unit, h) + (self.posts.hold(h) if h == here else 0.0) + self._ferry(unit, h)
            if value > best_value:
                best, best_value = h, value
        self.posts.put(unit, here)
        if best != here:
            self._go(unit, found, best)
        self.settled.add(unit)

    def _ferry(self, unit: int, h: int) -> float:
        """14.2.b: a place with a bridge engineer before a free bank is the way across next turn."""
        if self.side != ITALIAN or not any(self.rules.engineer[u] for u in self.state.stacks[h]):
            return 0.0
        free = [e for e in self.rules.board.edges[h] if e.water == ISONZO and not self.state.fight[1] >> e.to & 1]
        return 1.5 if free else 0.0

    # Guns and engineers

    def _move_gun(self, gun: int) -> None:
        """Stay while there is something in range; else go where the front is in range, behind or with friends."""
        here = self.state.at[gun]
        if self._gun_value(gun, here) >= 1.0:
            return
        found = self.marches.reach(gun)
        options = [h for h in found.left if h == here or self._gun_fits(gun, h)]
        best = max(options, key=lambda h: (self._gun_value(gun, h) + 0.05 * self._lean(h), h == here, -h), default=here)
        if best != here:
            self._go(gun, found, best)

    def _lean(self, h: int) -> float:
        p = self.picture
        return p.pull[h] + p.guard[h]

    def _gun_fits(self, gun: int, h: int) -> bool:
        return is_legal_stack(self.rules, self.state, h, (*self.state.stacks[h], gun))

    def _gun_value(self, gun: int, h: int) -> float:
        """Hexes in range where guns are wanted; nothing in front of the line."""
        rules, state, p = self.rules, self.state, self.picture
        heavy = rules.counters[gun].type == "heavy_artillery"
        if (self.posts.threat >> h & 1 or p.distance[h] <= 1) and not state.zocs[self.side] >> h & 1:
            return -3.0 if p.distance[h] > 1 else -5.0
        reach = rules.board.grid.within(h, 3 if heavy else 2)
        value = float((reach & state.fight[1 - self.side]).bit_count())
        if self.side != ITALIAN:
            value = 0.5 * value + sum(0.7 for q in bits(reach & state.zocs[self.side]) if p.distance[q] <= 2)
        return value - (1.5 if p.supply_at(h) == 2 else 0.0) - (0.5 if p.distance[h] <= 1 else 0.0)

    def _move_engineer(self, engineer: int) -> None:
        """12.2.b: an Italian engineer goes to the bank where a bridge would help most; others stay with friends."""
        if self.side != ITALIAN:
            return
        found = self.marches.reach(engineer)
        here = self.state.at[engineer]
        options = [h for h in found.left if h == here or self._gun_fits(engineer, h)]
        best = max(options, key=lambda h: (self._bank(h) + (0.5 if h == here else 0.0), -h))
        if best != here:
            self._go(engineer, found, best)

    def _bank(self, h: int) -> float:
        """What a bridge from here would be worth: the pull on the other bank, if that is ours or free."""
        rules, state, p = self.rules, self.state, self.picture
        if p.distance[h] <= 1 and not state.zocs[self.side] >> h & 1:
            return -5.0
        best = 0.0
        for edge in rules.board.edges[h]:
            if edge.water != ISONZO or rules.is_bridged(state, edge) or not rules.board.beyond >> edge.to & 1:
                continue
            if state.fight[p.foe] >> edge.to & 1:
                continue
            free = 2.0 if p.ours >> edge.to & 1 else 1.0
            best = max(best, free * p.pull[edge.to] * 0.2 + (3.0 if edge.bridge >= 0 else 0.0))
        return best


def plan_moves(rules: Isonzo, state: IsonzoState, side: int, weights: Weights) -> list[Action]:
    """The moves of a phase. A plan that lays Gorizia open is made again with more and more units tied down near it."""
    for tied in TIED:
        campaign = Campaign(Picture(rules, state.copy(), side), weights, tied)
        actions = campaign.plan()
        if not campaign.opens_gorizia():
            break
    return actions
