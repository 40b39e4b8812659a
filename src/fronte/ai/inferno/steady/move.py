"""The plan of a Movement Phase: attacks are prepared first, then every other unit takes the best post it can reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from fronte.ai.inferno.steady.attack import MOST_UNITS, NEVER, NOT_JUDGED, Assault, Effort, Plan, Share, main_corps
from fronte.ai.inferno.steady.charges import charges
from fronte.ai.inferno.steady.ground import Picture
from fronte.ai.inferno.steady.marches import Marches, Reach
from fronte.ai.inferno.steady.posts import Posts
from fronte.ai.inferno.steady.weights import Weights
from fronte.ai.reasons import Answer, Reason
from fronte.games.inferno.effectiveness import why_no_recovery
from fronte.games.inferno.fog import visible
from fronte.games.inferno.movement import SIXTHS, Move, Recover
from fronte.games.inferno.stacking import is_legal_stack
from fronte.games.inferno.state import DONE, MOV, MOVED, RECOVERED
from fronte.hexes import bits

FRONT = 8
"""Units further from the enemy than this take no part in attacks this turn."""
RECOVERY = 4 * SIXTHS
"""10.3.1.b: what a recovery costs."""
GUN_STAYS = 1.0
"""A gun with so much in range stays where it is."""


class Campaign:
    """Plans one Movement Phase in an imagined state, which it changes as units move."""

    judging: ClassVar[type[Assault]] = Assault
    """By what attacks are judged, here and in the Combat Phase."""

    def __init__(self, picture: Picture, weights: Weights, tied: int = 0) -> None:
        weights = picture.timely(weights)
        self.picture, self.weights, self.tied = picture, weights, tied
        self.rules, self.state, self.side = picture.rules, picture.state, picture.side
        self.terms = picture.terms
        self.marches = Marches(picture.chart, self.state, self.side)
        self.assault = self.judging(picture, weights)
        self.posts = Posts(picture, weights)
        self.actions: list[Answer] = []
        self.ready: dict[int, Reach] = {}
        self.guns = [g for g in self.rules.supporters_of[self.side] if self._will_fire(g)]
        self.settled: set[int] = set()
        """Units whose part in this phase is decided."""
        self.pinned: set[int] = set()
        """Units that must not leave their hex, though they may attack from it."""
        self._charges = charges(picture, self.posts) if weights.charge else {}
        """What somebody has to stand by, and what it is worth."""
        self._spots: dict[int, int] = {}
        """Units that could attack, and where from: where they stand, or wherever they can go if nothing pins them."""
        self._leaving: dict[int, float] = {}
        self._strains: dict[tuple[int, int], float] = {}
        self._short = (0.0, weights.low_supply, weights.no_supply)
        """11.4: what it costs to go where supply is whole, low or out."""

    def _will_fire(self, gun: int) -> bool:
        """12.3.h: a gun that stands still will be in battery when combat comes."""
        state = self.state
        return state.at[gun] >= 0 and not (state.flags[gun] & MOV and state.flags[gun] & MOVED)

    def plan(self) -> list[Answer]:
        """All actions of the phase, without its end."""
        rules, state = self.rules, self.state
        for gun in self.guns:
            state.flags[gun] &= ~MOV
        fighters = [u for u in rules.of_side[self.side] if rules.zoccer[u] and self.marches.can_move(u)]
        distance = self.picture.distance
        if not self.ready:
            self.ready = self.at_the_front()
        self.terms.secure(self)
        self.forestall()
        self._prepare_attacks()
        self.posts.stakes = self.stakes()
        self.posts.watch()
        fighters.sort(key=lambda u: (distance[state.at[u]], u))
        for unit in fighters:
            if unit not in self.settled and unit not in self.pinned:
                self._take_post(unit)
        self.look_again(fighters)
        self._rest_held()
        for gun in rules.guns_of[self.side]:
            if gun not in self.settled and self.marches.can_move(gun):
                self._move_gun(gun)
        self.terms.finish(self)
        return self.actions

    def forestall(self) -> None:
        """What is done before attacks are prepared: nothing, but players of another kind may have something."""

    def stakes(self) -> Mapping[int, float]:
        """What the enemy must not walk into beside objectives, once attacks are prepared: nothing, but others may."""
        return {}

    def look_again(self, fighters: Sequence[int]) -> None:
        """What is done when everybody has a post: nothing, but others may see what the posts leave open."""

    def at_the_front(self) -> dict[int, Reach]:
        """Where the units that could take part in attacks can go."""
        rules, at = self.rules, self.state.at
        units = [u for u in rules.of_side[self.side] if rules.zoccer[u] and self.marches.can_move(u)]
        return {u: self.marches.reach(u) for u in units if self.picture.distance[at[u]] <= FRONT}

    def reach(self, unit: int) -> Reach:
        """Where the unit can go: as found at the start of the phase, if it was. Some ways may be closed since."""
        found = self.ready.get(unit)
        return self.marches.reach(unit) if found is None else found

    def go(self, unit: int, found: Reach, end: int, why: Reason) -> bool:
        """Send a unit to a hex in its reach; False if the way there has been closed since."""
        if end == self.state.at[unit]:
            return True
        if not self.marches.still_open(unit, found, end):
            return False
        path = found.path(end)
        if not self.rules.zoccer[unit] and self._hidden(unit, end):
            why = Reason(why.key, why.data, secret=True)  # that guns or engineers move there is not seen
        self.actions.append(Answer(Move(self.rules.ids[unit], self.rules.hex_ids(path)), why))
        if self.rules.zoccer[unit]:
            self.posts.shift(unit, end)
            if self.weights.reckons:
                self.posts.take(path)
        self.marches.go(unit, path)
        self._leaving.clear()
        self.state.flags[unit] |= MOVED | DONE
        return True

    def _hidden(self, unit: int, end: int) -> bool:
        """5.4: does the enemy not see which unit moves, neither where it leaves nor where it stops?"""
        return not visible(self.rules, self.state, unit) and bool(self.state.stacks[end])

    def holds_front(self, unit: int) -> bool:
        """Is it the only fighting unit of a hex near the enemy?"""
        here = self.state.at[unit]
        others = any(self.rules.zoccer[u] and u != unit for u in self.state.stacks[here])
        return self.picture.distance[here] <= 2 and not others

    # Attacks

    def _prepare_attacks(self) -> None:
        """Choose the most promising attack, send its units, and go on until no attack promises enough.

        An attack that loses units or guns to another is worked out again only when it would be the best as it was.
        """
        for unit in self.rules.of_side[self.side]:
            if self.state.at[unit] >= 0 and unit not in self.settled and self.assault.can_strike(unit):
                free = self.ready.get(unit) if unit not in self.pinned else None
                self._spots[unit] = 1 << self.state.at[unit] | (0 if free is None else free.hexes)
        plans = {target: plan for target in self._targets() if (plan := self._best_on(target)) is not None}
        stale: set[int] = set()
        while plans:
            best = max(plans.values(), key=lambda p: (p.gain, p.target))
            if best.gain < self.weights.least_gain:
                return
            del plans[best.target]
            if best.target in stale:
                stale.remove(best.target)
                anew = self._best_on(best.target)
                if anew is not None:
                    plans[best.target] = anew
                continue
            self._commit(best)
            stale.update(plan.target for plan in plans.values() if self._is_touched(plan, best))

    def _is_touched(self, plan: Plan, other: Plan) -> bool:
        """Does another attack take units, guns or ground of this one?"""
        if any(unit in other.units for unit in plan.units) or any(gun in other.guns for gun in plan.guns):
            return True
        ring = self.rules.board.grid.ring[plan.target]
        return any(ring >> h & 1 for h in other.origins)

    def _targets(self) -> list[int]:
        """Enemy hexes that somebody could stand next to at the end of his move."""
        reached = self.state.zocs[self.side]
        for found in self.ready.values():
            reached |= found.hexes
        return list(bits(self.rules.board.around(reached) & self.state.fight[1 - self.side]))

    def _best_on(self, target: int) -> Plan | None:
        """The best attack on a hex with units that are there or can come."""
        share_of, at, grid = self.assault.share, self.state.at, self.rules.board.grid
        bit, shortage, short = self.picture.chart.bit, self.picture.shortage, self._short
        ring, around = grid.ring[target], [(h, bit[h], short[shortage(h)]) for h in grid.adjacent[target]]
        able: list[tuple[int, int, float, Share]] = []
        most = 0
        for unit, spots in self._spots.items():
            if not spots & ring:
                continue
            brings, here = 0, at[unit]
            for h, place, hunger in around:
                if not spots & place:
                    continue
                share = share_of(unit, h, target)
                if share is not None and share.least > 0:
                    least = share.least
                    if least > brings:
                        brings = least
                    able.append((unit, h, least - (0.0 if here == h else self._leave(unit) + hunger), share))
            most += brings
        if not able or self._is_hopeless(target, most):
            return None
        return self._build(target, able)

    def _is_hopeless(self, target: int, most: int) -> bool:
        """8.2.b: could not even all of them together reach the lowest column, flanking?"""
        held = self.assault.garrison(target)
        if not held.units:
            return False
        column = self.rules.tables.column(most, held.defence) + self.rules.flank_shift
        return column + (self.rules.trench_shift if held.trench else 0) < 0

    def price(self, unit: int, h: int) -> float:
        """What it costs to send a unit there: the post it leaves, and supply."""
        return self._leave(unit) + self._short[self.picture.shortage(h)]

    def _leave(self, unit: int) -> float:
        """What it costs that a unit alone leaves its post, as things stand."""
        leaving = self._leaving.get(unit)
        if leaving is None:
            leaving = self._leaving[unit] = self._price_of_leaving(unit, ())
        return leaving

    def _price_of_leaving(self, unit: int, others: Sequence[int]) -> float:
        """What leaving its post costs; more if nobody stays there, as those others leave too."""
        state, w, p = self.state, self.weights, self.picture
        here = state.at[unit]
        price = 0.2 + 0.5 * state.ce[unit]
        if self.posts.keeps:
            left = [u for u in state.stacks[here] if u != unit and u not in others]
            price += self.posts.keeping(here, left, (unit,))
        if any(u != unit and u not in others and self.rules.zoccer[u] for u in state.stacks[here]):
            return price + w.leave_post * 0.3
        price += w.charge * self._charges.get(here, 0.0)
        return price + w.leave_post * (self.posts.hold(here) + 0.3 * p.guard[here] * self.posts.alarm(here))

    def _build(self, target: int, able: list[tuple[int, int, float, Share]]) -> Plan | None:
        """Those first who are there already or of the corps that leads, then the strongest, as long as it pays."""
        rules, state = self.rules, self.state
        corps = main_corps(self.assault, sorted({a[0] for a in able}))
        able.sort(
            key=lambda a: (
                not rules.infiltrates[a[0]],
                state.at[a[0]] != a[1],
                rules.corps[a[0]] != corps,
                -a[2],
                a[0],
                a[1],
            )
        )
        guns = self.assault.guns(target, [a[1] for a in able], self.guns)[:2]
        gun_av = sum(gun.av for gun in guns)
        effort = Effort(self.assault, target)
        units, origins = effort.units, effort.origins
        paid = [0.0]
        best, count, judged = NEVER, 0, NOT_JUDGED
        for unit, h, _, share in able:
            if len(units) >= MOST_UNITS:
                break
            if unit in units or not effort.may_join(unit, h) or not self._room(unit, h, units, origins):
                continue
            paid.append(paid[-1] + self._cost(unit, h, units))
            effort.add(unit, h, share)
            found = effort.judge(gun_av, bool(guns))
            if found.gain - paid[-1] > best:
                best, count, judged = found.gain - paid[-1], len(units), found
        if not count:
            return None
        plan = effort.cut(count).with_guns(self.guns) if guns else effort.without_guns(count, judged)
        return plan._replace(gain=plan.gain - paid[count])

    def _cost(self, unit: int, h: int, leaving: Sequence[int]) -> float:
        """What it costs to send a unit there when these others are sent too."""
        here = self.state.at[unit]
        if here == h:
            return self._strain(unit, h)
        if len(self.state.stacks[here]) == 1 or not leaving:
            return self.price(unit, h) + self._strain(unit, h)
        return self._short[self.picture.shortage(h)] + self._price_of_leaving(unit, leaving) + self._strain(unit, h)

    def _strain(self, unit: int, h: int) -> float:
        """What it costs to fight on from there rather than rest: what the unit has suffered, and the enemy's answer."""
        w = self.weights
        if not w.reckons:
            return 0.0
        found = self._strains.get((unit, h))
        if found is None:
            tired = w.tired * self.state.ce[unit]
            found = self._strains[unit, h] = tired + w.answer * self.posts.danger.cost(h, (unit,))
        return found

    def _room(self, unit: int, h: int, units: list[int], origins: list[int]) -> bool:
        """5.1: is there room in the hex, with those who are already sent there?"""
        state = self.state
        if state.at[unit] == h or not (state.stacks[h] or h in origins):
            return True
        stays = [u for u in state.stacks[h] if self.rules.side[u] == self.side]
        coming = [u for u, o in zip(units, origins, strict=True) if o == h and state.at[u] != h]
        return not (stays or coming) or is_legal_stack(self.rules, state, h, (*stays, *coming, unit))

    def _commit(self, plan: Plan) -> None:
        why = Reason("concentrate", {"hex": self.rules.hex_id(plan.target)})
        for unit, origin in zip(plan.units, plan.origins, strict=True):
            if self.state.at[unit] != origin and not self.go(unit, self.reach(unit), origin, why):
                anew = self.marches.reach(unit)
                if anew.left[origin] >= 0:
                    self.go(unit, anew, origin, why)
            self.settled.add(unit)
            self._spots.pop(unit, None)
        self.settled.update(plan.guns)
        if self.rules.fires_once or not self.weights.reckons:
            self.guns = [g for g in self.guns if g not in plan.guns]

    # Posts

    def _recovers(self, unit: int) -> bool:
        """10.3: let it recover where it stands, if it has anything to recover and may."""
        rules, state = self.rules, self.state
        if not state.ce[unit] or why_no_recovery(rules, state, unit, self.marches.points(unit)) is not None:
            return False
        why = Reason("recover", {"hex": rules.hex_id(state.at[unit])}, secret=True)
        self.actions.append(Answer(Recover(rules.ids[unit]), why))
        rules.pay_recovery(state, unit)
        return True

    def _take_post(self, unit: int) -> None:
        """Recover if possible, then go to the best post in reach."""
        state = self.state
        rests = self._recovers(unit)
        self.settled.add(unit)
        if rests and not self.rules.recovery_then_move:
            return
        if rests:
            state.ce[unit] -= 1
            state.flags[unit] |= RECOVERED
        spent = RECOVERY if rests else 0
        if not self._go_to_best(unit, self.marches.reach(unit, spent) if rests else self.reach(unit)):
            self._go_to_best(unit, self.marches.reach(unit, spent))

    def _go_to_best(self, unit: int, found: Reach) -> bool:
        """Go to the best post in reach; False if the way to it has been closed."""
        here = self.state.at[unit]
        self.posts.lift(unit)
        best, _ = self.posts.best(unit, found.order, here, self._extra)
        self.posts.put(unit, here)
        return best == here or self.go(unit, found, best, self._why_there(here, best))

    def _extra(self, unit: int, h: int) -> float:
        return self.terms.post(self, unit, h)

    def _rest_held(self) -> None:
        """Units that may take no step this turn recover all the same."""
        rules, state = self.rules, self.state
        for unit in rules.of_side[self.side]:
            if state.at[unit] >= 0 and rules.only_recovers(state, unit) and rules.frozen(state, unit) is None:
                self._recovers(unit)

    def _why_there(self, here: int, there: int) -> Reason:
        """The main reason for taking a post, in terms that give nothing hidden away."""
        p, rules = self.picture, self.rules
        data = {"hex": rules.hex_id(there)}
        if p.is_prize(there):
            return Reason("occupy", data)
        if p.shortage(there) < p.shortage(here):
            return Reason("supply", data)
        if self.posts.walk_in >> there & 1:
            return Reason("cover", data)
        if (rules.board.trench[self.side] | p.works) >> there & 1 and p.distance[there] <= 3:
            return Reason("dig_in", data)
        goal = self._drawn_to(here, there)
        if goal >= 0:
            return Reason("approach", {"hex": rules.hex_id(goal)})
        if p.distance[there] > p.distance[here]:
            return Reason("pull_back", data)
        if p.distance[there] <= 3:
            return Reason("line", data)
        return Reason("reserve", data)

    def _drawn_to(self, here: int, there: int) -> int:
        """The objective still to be won that the unit comes nearer to most; -1 if it comes nearer to none."""
        p = self.picture
        felt = p.chart.felt
        wanted = bits(self.terms.wanted(p))
        gains = [(p.chart.worth(goal) * (felt[goal][there] - felt[goal][here]), -goal) for goal in wanted]
        best = max(gains, default=(0, 0))
        return -best[1] if best[0] > 0 else -1

    # Guns

    def _move_gun(self, gun: int) -> None:
        """Stay while there is something in range; else go where the front is in range, behind or with friends."""
        here, p = self.state.at[gun], self.picture
        marks = self.terms.gun_marks(p)
        if self._gun_value(gun, here, marks) >= GUN_STAYS:
            return
        found = self.marches.reach(gun)
        values = {h: self._gun_value(gun, h, marks) for h in found.order if h == here or self.gun_fits(gun, h)}
        if here not in values:
            return
        best = max(values, key=lambda h: (values[h] + 0.05 * (p.pull[h] + p.guard[h]), h == here, -h))
        if best != here:
            safer = values[best] < GUN_STAYS
            key = "guns_back" if safer and p.distance[best] > p.distance[here] else "guns"
            self.go(gun, found, best, Reason(key, {"hex": self.rules.hex_id(best)}))

    def gun_fits(self, unit: int, h: int) -> bool:
        """5.1: may this gun or engineer stand there?"""
        stack = self.state.stacks[h]
        return not stack or is_legal_stack(self.rules, self.state, h, (*stack, unit))

    def _gun_value(self, gun: int, h: int, marks: int) -> float:
        """Hexes in range where guns are wanted, which are these; nothing in front of the line."""
        rules, state, p = self.rules, self.state, self.picture
        distance = p.distance[h]
        if (self.posts.threat >> h & 1 or distance <= 1) and not state.zocs[self.side] >> h & 1:
            return -3.0 if distance > 1 else -5.0
        heavy = rules.counters[gun].type == "heavy_artillery"
        reach = rules.board.grid.within(h, rules.heavy_reach if heavy else rules.gun_reach)
        value = float((reach & marks).bit_count())
        if self.side != self.terms.attacker:
            value = 0.5 * value + 0.7 * (reach & state.zocs[self.side] & p.near).bit_count()
        if self.weights.limber and self._could_be_stormed(h):
            value -= self.weights.limber
        return value - (1.5 if p.shortage(h) == 2 else 0.0) - (0.5 if distance <= 1 else 0.0)

    def _could_be_stormed(self, h: int) -> bool:
        """12.3: could the enemy attack who stands here? Guns alone are not attacked, and lost only if he walks in."""
        state = self.state
        near = self.posts.threat | state.zocs[self.picture.foe]
        return bool(state.zocs[self.side] >> h & 1 and self.rules.board.grid.ring[h] & near)


def plan_moves(picture: Picture, weights: Weights, kind: type[Campaign] = Campaign) -> list[Answer]:
    """The moves of a phase. A plan that lays open what must not fall is made again with more and more units tied down.

    The picture's state is left as it is.
    """
    planned: list[Answer] = []
    ready: dict[int, Reach] | None = None
    for tied in picture.terms.tied:
        campaign = kind(picture.for_planning(), weights, tied)
        ready = campaign.ready = campaign.at_the_front() if ready is None else ready
        planned = campaign.plan()
        if not campaign.terms.laid_open(campaign):
            break
    return planned
