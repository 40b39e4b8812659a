"""What an attack promises: exact odds over the dice, expected losses of both sides, and the best attack on a hex."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from fronte.ai.inferno.steady.dice import HOPELESS, Outlook, outlook
from fronte.ai.inferno.steady.ground import Approach, Picture
from fronte.ai.inferno.steady.weights import Weights
from fronte.games.inferno.combat import (
    attacking_steps,
    defence_command,
    defence_strength,
    defending_sets,
    mountain_bonus,
    unit_av,
    why_no_fire,
)
from fronte.games.inferno.effectiveness import endurance
from fronte.games.inferno.ground import ISONZO
from fronte.games.inferno.procedure import defence_candidates
from fronte.games.inferno.state import ESCORTED, HIT, MOVED, OUT_OF_SUPPLY, RESERVE, STRUCK
from fronte.games.inferno.zoc import zoc
from fronte.hexes import bits

MOST_UNITS = 7
"""An attack is built up to this many units."""
MOST_ENDURANCE = 6
"""9.4: no roll costs more reductions than five, so more endurance makes no difference."""
FLANKED_FROM = 5
"""7.9: hexes around a defender that the attacker must hold or control."""
GUN_PRICE = 0.15
"""A gun fires if it adds at least this; it may be wanted elsewhere."""
COUNTING = HIT | STRUCK | RESERVE | ESCORTED | MOVED
"""Flags of a unit that matter for an attack."""
COMMAND = 2
"""7.2, 7.4: so many units can always fight together."""
NO_FIRE = -1
"""11.1.b: instead of the artillery value of a unit that is out of supply."""
NEVER = -99.0


class Garrison(NamedTuple):
    """Who holds a hex, as far as can be known, and what that means for an attack."""

    units: tuple[int, ...]
    defence: int
    climbers: int
    """12.1: what mountain troops add, if the attackers have none."""
    av: int
    heights: int
    """7.8.d: what standing higher adds to the artillery value."""
    support: int
    life: int
    stand: int
    steps: int
    trench: bool
    works: bool
    ways_out: int
    ways_home: int


class Share(NamedTuple):
    """What one unit brings to an attack from one hex."""

    by_hex: int
    by_side: int
    least: int
    """The attack strength that it is in any case."""
    av: int
    steps: int
    higher: bool
    hex_effect: bool
    side_effect: bool


@lru_cache(maxsize=50_000)
def share_of(way: Approach, chooses: bool, strength: int, av: int, steps: int) -> Share:
    """8.1.b, 7.8.1: terrain takes one, or across the Isonzo half; `chooses` is that hex or hexside counts (7.8.b)."""
    by_hex = strength - way.hex_effect
    by_side = strength
    if way.water == ISONZO:
        by_side = (strength + 1) // 2 if strength > 0 else strength
    elif way.side_effect:
        by_side = strength - 1
    fire = 0 if av == NO_FIRE else av + way.lower
    if not chooses:
        both = by_hex if way.hex_effect else by_side
        return Share(both, both, both, fire, steps, way.higher, False, False)
    return Share(by_hex, by_side, min(by_hex, by_side), fire, steps, way.higher, way.hex_effect, way.side_effect)


class Plan(NamedTuple):
    """An attack: who from where, with which guns, and what it is worth."""

    gain: float
    target: int
    units: tuple[int, ...]
    origins: tuple[int, ...]
    guns: tuple[int, ...]
    outlook: Outlook
    column: int


class Judged(NamedTuple):
    """What an attack is worth as it stands, what the dice may bring, and the column."""

    gain: float
    outlook: Outlook
    column: int


NOT_JUDGED = Judged(NEVER, HOPELESS, -1)


class Gun(NamedTuple):
    """A gun that can fire, and the hexes in its range."""

    av: int
    unit: int
    range: int


class Effort:
    """An attack on a hex as it is put together, unit by unit."""

    def __init__(self, assault: Assault, target: int) -> None:
        self.assault, self.target = assault, target
        self.held = assault.garrison(target)
        self.units: list[int] = []
        self.origins: list[int] = []
        self.shares: list[Share] = []
        self.by_hex = self.by_side = self.av = self.steps = 0
        self.all_higher = True
        self.hex_counts = self.side_counts = self.infiltrates = False
        self.stand = self.reach = 0
        self.corps: dict[str, int] = {}

    def may_join(self, unit: int, at: int) -> bool:
        """7.2, 7.8.c, 14.2.a: may this unit attack from there together with the others?"""
        rules, state = self.assault.rules, self.assault.state
        if len(self.units) > COMMAND and not self._in_command(rules.corps[unit]):
            return False
        group = [unit]
        if self.stand >> at & 1:
            group += [u for u, o in zip(self.units, self.origins, strict=True) if o == at]
        if attacking_steps(rules, state, group) > rules.board.stacking[self.target]:
            return False
        edge = rules.board.edge_to[at][self.target]
        return edge.water != ISONZO or rules.why_not_across_together(state, group, edge) is None

    def _in_command(self, corps: str) -> bool:
        """7.2.a, 7.2.b: one corps plus two, or three independents."""
        count = self.corps.copy()
        count[corps] = count.get(corps, 0) + 1
        alone = count.pop("", 0)
        if not count:
            return alone <= 3
        return alone + sum(count.values()) - max(count.values()) <= 2

    def add(self, unit: int, at: int, share: Share) -> None:
        """One more unit."""
        assault = self.assault
        self.shares.append(share)
        self.units.append(unit)
        self.origins.append(at)
        by_hex, by_side, _, av, steps, higher, hex_effect, side_effect = share
        if by_hex > 0:
            self.by_hex += by_hex
        if by_side > 0:
            self.by_side += by_side
        self.av += av
        self.steps += steps
        self.all_higher = self.all_higher and higher
        self.hex_counts = self.hex_counts or hex_effect
        self.side_counts = self.side_counts or side_effect
        self.infiltrates = self.infiltrates or assault.rules.infiltrates[unit]
        self.stand |= 1 << at
        self.reach |= assault.rules.board.zoc_from[assault.side][at]
        corps = assault.rules.corps[unit]
        self.corps[corps] = self.corps.get(corps, 0) + 1

    def column(self, guns: bool) -> tuple[int, bool, bool]:
        """8.1, 8.2: the column, whether the hex is what counts, and whether the defender is flanked."""
        assault, held, rules = self.assault, self.held, self.assault.rules
        uses_hex = not self.side_counts or (self.hex_counts and self.by_hex <= self.by_side)
        attack = self.by_hex if uses_hex else self.by_side
        if attack <= 0:
            return -1, uses_hex, False
        flanked = self.infiltrates
        if not flanked:
            forced = assault.terms.flank(assault, held, guns)
            flanked = self._surrounds() if forced is None else forced
        defence = held.defence
        if held.climbers and rules.yields_to_mountain_troops(self.units):
            defence += held.climbers
        column = rules.tables.column(attack, defence)
        column += (rules.flank_shift if flanked else 0) + (rules.trench_shift if held.trench else 0)
        return column, uses_hex, flanked

    def _surrounds(self) -> bool:
        """7.9: with the attackers where they will stand."""
        assault = self.assault
        grid, state = assault.rules.board.grid, assault.state
        if grid.edge >> self.target & 1:
            return False
        covered = (state.occ[assault.side] | self.stand | self.reach) & ~state.occ[1 - assault.side]
        return (covered & grid.ring[self.target]).bit_count() >= FLANKED_FROM

    def judge(self, gun_av: int, guns: bool) -> Judged:
        """8: what the attack is worth with so much artillery, what the dice may bring, and the column."""
        assault, held = self.assault, self.held
        if not held.units:
            return Judged(*assault.walkover(self.target), 0)
        column, uses_hex, flanked = self.column(guns)
        if column < 0:
            return Judged(NEVER, HOPELESS, column)
        rules, drm = assault.rules, assault.drm
        tables = rules.tables
        defence_av = held.av + held.support + (held.heights if uses_hex and self.all_higher else 0)
        attack_drm, defence_drm = tables.av[defence_av], tables.av[self.av + gun_av]
        if flanked:
            defence_drm += drm["flanked_defender"]
        if held.trench:
            defence_drm += drm["trench_defender"]
            if not self.infiltrates:
                attack_drm += drm["trench_attacker"]
        if column > tables.last and rules.high_odds_lrt:
            over = tables.over(column)
            attack_drm += drm.get("high_odds_attacker", 0) * over
            defence_drm += drm.get("high_odds_defender", 0) * over
        large = self.steps + held.steps > tables.small_max_steps
        penalty, stuck = self._penalty()
        found = outlook(tables, column, attack_drm, defence_drm, large, penalty, stuck, held.life, held.stand)
        return Judged(assault.gain(self.target, found) - assault.weights.each * len(self.units), found, column)

    def _penalty(self) -> tuple[int, bool]:
        """9.2.2, 9.2.4, 12.2.d: what a retreat of one hex would cost the defenders, and whether they cannot."""
        assault, held, rules = self.assault, self.held, self.assault.rules
        out = held.ways_out & ~self.stand
        if not out or held.works:
            return rules.unable_penalty, True
        risky = (assault.zone | self.reach) & ~assault.state.occ[1 - assault.side]
        return (0 if held.ways_home & out & ~risky else rules.failed_penalty), False

    def cut(self, count: int) -> Effort:
        """The attack by the first so many units only."""
        if count == len(self.units):
            return self
        less = Effort(self.assault, self.target)
        for k in range(count):
            less.add(self.units[k], self.origins[k], self.shares[k])
        return less

    def without_guns(self, count: int, judged: Judged) -> Plan:
        """The attack by the first so many units, as it was judged without guns."""
        gain, look, column = judged
        return Plan(gain, self.target, tuple(self.units[:count]), tuple(self.origins[:count]), (), look, column)

    def with_guns(self, free: Iterable[int]) -> Plan:
        """The attack with as many guns as pay."""
        best_gain, best_look, column = self.judge(0, False)
        chosen: list[int] = []
        av = 0
        for gun in self.assault.guns(self.target, self.origins, free):
            gain, look, shifted = self.judge(av + gun.av, True)
            if gain > best_gain + GUN_PRICE:
                best_gain, best_look, column = gain, look, shifted
                chosen.append(gun.unit)
                av += gun.av
        return Plan(best_gain, self.target, tuple(self.units), tuple(self.origins), tuple(chosen), best_look, column)


class Assault:
    """Judges attacks of one side in an imagined state."""

    def __init__(self, picture: Picture, weights: Weights) -> None:
        self.picture, self.weights = picture, picture.timely(weights)
        self.rules, self.state, self.side = picture.rules, picture.state, picture.side
        self.terms = picture.terms
        self._garrisons: dict[int, Garrison] = {}
        self._shares: dict[tuple[int, int, int], Share] = {}
        self._fit: dict[int, tuple[int, int, int]] = {}
        self._prizes: dict[int, float] = {}
        self._homes: int | None = None
        self.drm = picture.chart.drm

    @property
    def zone(self) -> int:
        """6: the attacker's zone of control as things stand."""
        return zoc(self.rules, self.state, self.side)

    # The defender

    def garrison(self, target: int) -> Garrison:
        """7.3 to 7.5: the defenders of a hex and their totals."""
        found = self._garrisons.get(target)
        if found is None:
            found = self._garrisons[target] = self._look_at(target)
        return found

    def _look_at(self, target: int) -> Garrison:
        rules, state, foe = self.rules, self.state, 1 - self.side
        able, _ = defence_candidates(rules, state, target)
        strength = {u: defence for u in able if (defence := defence_strength(rules, state, u, 0)) > 0}
        units = tuple(strength)
        if len(units) > COMMAND and not defence_command(rules, units):
            units = max(defending_sets(rules, units), key=lambda group: sum(strength[u] for u in group))
        trench = bool(rules.board.trench[foe] >> target & 1)
        near = rules.in_range(target, ())
        support = next((gun.av for gun in self._enemy_guns if gun.range & near and gun.unit not in units), 0)
        defence = av = heights = life = steps = climbers = best = 0
        works = False
        for unit in units:
            defence += strength[unit]
            best = max(best, strength[unit])
            if state.supply[unit] != OUT_OF_SUPPLY:
                av += rules.face(state, unit).av
                heights += 1
            life += endurance(rules, state, unit) if life < MOST_ENDURANCE else 0
            steps += state.steps[unit]
            climbers += rules.mountain[unit]
            works = works or rules.immobile[unit]
        out, home = self._ways(target)
        return Garrison(
            units=units,
            defence=defence,
            climbers=climbers if rules.board.terrain[target] in rules.mountains else 0,
            av=av,
            heights=heights,
            support=support,
            life=min(MOST_ENDURANCE, life),
            stand=best if trench else 0,
            steps=steps,
            trench=trench,
            works=works and not rules.fortresses_fall,
            ways_out=out,
            ways_home=home,
        )

    def _ways(self, target: int) -> tuple[int, int]:
        """9.2.2: where the defenders could go, and which of that is towards their supply."""
        rules, state, foe = self.rules, self.state, 1 - self.side
        if self._homes is None:
            self._homes = rules.retreat_sources(state, foe)
        out = rules.board.dry[target]
        for edge in rules.board.wet[target]:
            if rules.may_retreat_across(state, edge, foe):
                out |= 1 << edge.to
        out &= ~rules.bars_retreat(state, foe)
        home = 0
        for bit, no_farther in self.picture.chart.ways_back(target):
            if out & bit and self._homes & no_farther:
                home |= bit
        return out, home

    # The attacker

    def share(self, unit: int, origin: int, target: int) -> Share | None:
        """7, 7.8, 8.1.b: what the unit would bring from there; None if it could not attack."""
        key = unit, origin, target
        found = self._shares.get(key)
        if found is not None:
            return found
        edge = self.rules.board.edge_to[origin].get(target)
        if edge is None or (edge.water == ISONZO and not self.terms.can_cross(self, unit, origin, edge)):
            return None  # not kept: crossings are used up meanwhile
        found = self._shares[key] = self._weigh(unit, origin, target)
        return found

    def can_strike(self, unit: int) -> bool:
        """7.a, 12.2.a, 13.1.a: could this unit attack anything?"""
        return self.rules.zoccer[unit] and not self.state.flags[unit] & (RESERVE | STRUCK)

    def _weigh(self, unit: int, origin: int, target: int) -> Share:
        """8.1.b: with its strength here, and more in the mountains where that is its due (12.1)."""
        rules = self.rules
        way = self.picture.chart.approach(target, origin)
        known = self._fit.get(unit)
        if known is None:
            known = self._fit[unit] = self._look_over(unit)
        strength, av, steps = known
        if way.mountain and rules.mountain[unit]:
            strength += mountain_bonus(rules, target, unit, self.garrison(target).units)
        return share_of(way, rules.chooses_terrain, strength, av, steps)

    def _look_over(self, unit: int) -> tuple[int, int, int]:
        """8.1.b, 7.6: what the unit brings wherever it fights: strength, artillery value (or `NO_FIRE`), steps."""
        state, face = self.state, self.rules.face(self.state, unit)
        av = NO_FIRE if state.supply[unit] == OUT_OF_SUPPLY else face.av
        return face.attack - state.ce[unit] - state.supply[unit], av, state.steps[unit]

    def prize(self, target: int) -> float:
        """What taking a hex is worth: its victory points, and the way it opens."""
        found = self._prizes.get(target)
        if found is None:
            w, p = self.weights, self.picture
            vp = p.chart.worth(target) if not p.ours >> target & 1 else 0
            found = self._prizes[target] = w.vp * vp + w.ground * (1 + p.pull[target] * 0.2)
        return found

    def gain(self, target: int, found: Outlook) -> float:
        """What such an outlook is worth."""
        w = self.weights
        win, attack_loss, defence_loss, repulse = found
        if win < w.siege and attack_loss > defence_loss and self.rules.board.trench[1 - self.side] >> target & 1:
            return NEVER
        gain = win * self.prize(target) + w.hurt * defence_loss
        return gain - w.bleed * attack_loss - w.thrown_back * repulse

    def walkover(self, target: int) -> tuple[float, Outlook]:
        """7.5.b: defenders without strength die without dice."""
        return self.prize(target) + 2 * self.weights.hurt, Outlook(1.0, 0.0, 3.0, 0.0)

    def situation(self, target: int) -> tuple[Any, ...]:
        """All that the best attack on a hex by units next to it depends on, but for the weights and kind of judgement.

        Who stands in it and next to it and in what state, the guns in range, the ground and zones around, ways out.
        """
        rules, state, side, prize = self.rules, self.state, self.side, self.prize(target)
        at, steps, ce, supply, flags, stacks = state.at, state.steps, state.ce, state.supply, state.flags, state.stacks
        ring, here = rules.board.grid.ring[target], 1 << target
        units = list(stacks[target])
        defence = [defence_strength(rules, state, unit, 0) for unit in units]
        for h in bits(ring & state.zocs[side]):
            units += stacks[h]
        return (
            (target, side, state.turn, prize),
            tuple([(u, at[u], steps[u], ce[u], supply[u], flags[u] & COUNTING) for u in units]),
            tuple(defence),
            tuple([(gun.unit, gun.av, at[gun.unit]) for gun in self._own_guns if gun.range & (ring | here)]),
            tuple([(gun.unit, gun.av) for gun in self._enemy_guns if gun.range & here]),
            (self.zone & ring, state.occ[side] & ring, state.occ[1 - side] & ring, self._ways(target)),
            rules.going_depends_on(state, side) if rules.board.across[target] else (),
        )

    # Guns

    @cached_property
    def _own_guns(self) -> list[Gun]:
        return self._guns_of(self.side, True)

    @cached_property
    def _enemy_guns(self) -> list[Gun]:
        return self._guns_of(1 - self.side, False)

    def _guns_of(self, side: int, attacking: bool) -> list[Gun]:
        """12.3: the guns of a side that can fire, the best first."""
        rules, state = self.rules, self.state
        grid = rules.board.grid
        found = []
        for gun in rules.supporters_of[side]:
            if state.at[gun] >= 0 and why_no_fire(rules, state, gun, grid.everything, attacking) is None:
                heavy = rules.counters[gun].type == "heavy_artillery"
                reach = grid.within(state.at[gun], rules.heavy_reach if heavy else rules.gun_reach)
                found.append(Gun(unit_av(rules, state, gun), gun, reach))
        return sorted(found, key=lambda gun: (-gun.av, gun.unit))

    def guns(self, target: int, origins: Iterable[int], free: Iterable[int]) -> list[Gun]:
        """12.3.b: the free guns that could support an attack from these hexes, the best first."""
        near = self.rules.in_range(target, origins)
        return [gun for gun in self._own_guns if gun.range & near and gun.unit in free]


def best_from_contact(assault: Assault, target: int, free_guns: Sequence[int]) -> Plan | None:
    """The best attack on a hex by units that already stand next to it, built up one unit at a time."""
    rules, state = assault.rules, assault.state
    able: list[tuple[int, int, Share]] = []
    for h in bits(rules.board.grid.ring[target] & state.zocs[assault.side]):
        for unit in state.stacks[h]:
            share = assault.share(unit, h, target) if assault.can_strike(unit) else None
            if share is not None and max(share.by_hex, share.by_side) > 0:
                able.append((unit, h, share))
    if not able:
        return None
    corps = main_corps(assault, (u for u, _, _ in able))
    able.sort(
        key=lambda a: (not rules.infiltrates[a[0]], rules.corps[a[0]] != corps, -a[2].least, state.ce[a[0]], a[0])
    )
    guns = assault.guns(target, [h for _, h, _ in able], free_guns)[:2]
    gun_av = sum(gun.av for gun in guns)
    effort = Effort(assault, target)
    count, judged = 0, NOT_JUDGED
    for unit, at, share in able:
        if len(effort.units) >= MOST_UNITS:
            break
        if effort.may_join(unit, at):
            effort.add(unit, at, share)
            found = effort.judge(gun_av, bool(guns))
            if found.gain > judged.gain:
                count, judged = len(effort.units), found
    if not count:
        return None
    return effort.cut(count).with_guns(free_guns) if guns else effort.without_guns(count, judged)


def main_corps(assault: Assault, units: Iterable[int]) -> str:
    """7.2: the corps that can bring most strength."""
    rules = assault.rules
    total: dict[str, int] = {}
    for unit in units:
        name = rules.corps[unit]
        if name:
            total[name] = total.get(name, 0) + rules.faces[unit][-1].attack
    return max(total, key=lambda name: (total[name], name)) if total else ""


def targets(assault: Assault) -> list[int]:
    """7.a: enemy hexes next to units of one's own that have not been attacked yet."""
    rules, state = assault.rules, assault.state
    near = rules.board.around(state.zocs[assault.side]) & state.fight[1 - assault.side]
    return [h for h in bits(near) if any(rules.combat[u] and not state.flags[u] & HIT for u in state.stacks[h])]
