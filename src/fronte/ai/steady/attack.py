"""What an attack promises: exact odds over the dice, expected losses of both sides, and the best attack on a hex."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fronte.ai.steady.dice import Outlook, outlook
from fronte.ai.steady.ground import Picture, worth
from fronte.ai.steady.weights import Weights
from fronte.games.inferno.combat import (
    attack_command,
    attack_strength,
    defence_command,
    defence_strength,
    defending_sets,
    guns_on,
    hex_effects,
    is_higher,
    is_lower,
    mountain_bonus,
    unit_av,
)
from fronte.games.inferno.effectiveness import endurance
from fronte.games.inferno.ground import DRY, ISONZO
from fronte.games.inferno.procedure import defence_candidates
from fronte.games.inferno.stacking import counted_steps
from fronte.games.inferno.state import ESCORTED, MOVED, OUT_OF_SUPPLY, RESERVE, STRUCK
from fronte.games.inferno.zoc import zoc_of
from fronte.games.isonzo.battleground import is_bridged, why_no_crossing
from fronte.games.isonzo.game import Isonzo
from fronte.games.isonzo.state import IsonzoState
from fronte.hexes import bits

MOST_UNITS = 7
"""An attack is built up to this many units."""
MOST_ENDURANCE = 6
"""9.4: no roll costs more reductions than five, so more endurance makes no difference."""


class Garrison(NamedTuple):
    """Who holds a hex, as far as can be known, and what that means for an attack."""

    units: tuple[int, ...]
    defence: int
    av: int
    support: int
    life: int
    stand: int
    steps: int
    trench: bool
    ways_out: int
    ways_home: int


class Approach(NamedTuple):
    """What attacking a hex from a neighbour means, whoever does it."""

    higher: bool
    lower: bool
    hex_effect: bool
    hexside_effect: bool


class Plan(NamedTuple):
    """An attack: who from where, with which guns, and what it is worth."""

    gain: float
    target: int
    units: tuple[int, ...]
    origins: tuple[int, ...]
    guns: tuple[int, ...]
    outlook: Outlook


class Assault:
    """Judges attacks of one side in an imagined state."""

    def __init__(self, picture: Picture, weights: Weights) -> None:
        self.picture, self.weights = picture, weights
        self.rules: Isonzo = picture.rules
        self.state: IsonzoState = picture.state
        self.side = picture.side
        self.garrisons: dict[int, Garrison] = {}
        self.approaches: dict[tuple[int, int], Approach] = {}
        self.drm = self.rules.tables.lrt_drm

    # The defender

    def garrison(self, target: int) -> Garrison:
        """7.3 to 7.5: the defenders of a hex and their totals."""
        found = self.garrisons.get(target)
        if found is None:
            found = self._look_at(target)
            self.garrisons[target] = found
        return found

    def _look_at(self, target: int) -> Garrison:
        rules, state, foe = self.rules, self.state, 1 - self.side
        able, _ = defence_candidates(rules, state, target)
        units = tuple(u for u in able if defence_strength(rules, state, u, 0) > 0)
        if units and not defence_command(rules, units):
            units = max(
                defending_sets(rules, units), key=lambda g: sum(defence_strength(rules, state, u, 0) for u in g)
            )
        guns = guns_on(rules, state, foe, target, False)
        strengths = [defence_strength(rules, state, u, 0) for u in units]
        trench = bool(rules.board.trench[foe] >> target & 1)
        out = home = 0
        here = [distance[target] for distance in rules.retreat_sources(state, foe)]
        for edge in rules.board.edges[target]:
            if state.occ[self.side] >> edge.to & 1 or not rules.may_retreat_across(state, edge):
                continue
            out |= 1 << edge.to
            there = [distance[edge.to] for distance in rules.retreat_sources(state, foe)]
            if any(b <= a for a, b in zip(here, there, strict=True)):
                home |= 1 << edge.to
        return Garrison(
            units=units,
            defence=sum(strengths),
            av=sum(unit_av(rules, state, u) for u in units),
            support=max((unit_av(rules, state, gun) for gun in guns), default=0),
            life=min(MOST_ENDURANCE, sum(endurance(rules, state, u) for u in units)),
            stand=max(strengths, default=0) if trench else 0,
            steps=sum(state.steps[u] for u in units),
            trench=trench,
            ways_out=out,
            ways_home=home,
        )

    # The attacker

    def approach(self, target: int, origin: int) -> Approach:
        """7.8: how the ground between two hexes counts."""
        found = self.approaches.get((target, origin))
        if found is None:
            rules = self.rules
            found = Approach(
                is_higher(rules, target, origin),
                is_lower(rules, target, origin),
                hex_effects(rules, target, (origin,)),
                rules.board.edge_to[origin][target].water != DRY,
            )
            self.approaches[target, origin] = found
        return found

    def can_strike(self, unit: int, origin: int, target: int) -> bool:
        """7, 12.2.a, 13.1.a, 14.2: could this unit attack the hex from there, if it stood there?"""
        rules, state = self.rules, self.state
        if not rules.zoccer[unit] or state.flags[unit] & (RESERVE | STRUCK):
            return False
        edge = rules.board.edge_to[origin][target]
        if edge.water != ISONZO:
            return True
        if why_no_crossing(rules, state, unit, edge) is not None:
            return False
        if is_bridged(rules, state, edge):
            return True
        stays = state.at[unit] == origin and not state.flags[unit] & MOVED and bool(state.flags[unit] & ESCORTED)
        return stays and any(rules.engineer[u] for u in state.stacks[origin])

    def strength(self, unit: int, origin: int, target: int, bonus: int) -> tuple[int, int]:
        """8.1.b: attack strength by the effects of the hex, and by those of the hexside."""
        rules, state = self.rules, self.state
        return (
            attack_strength(rules, state, unit, origin, target, "hex", bonus),
            attack_strength(rules, state, unit, origin, target, "hexside", bonus),
        )

    def judge(self, target: int, units: Sequence[int], origins: Sequence[int], gun_av: int) -> tuple[float, Outlook]:
        """8: what an attack by these units from these hexes is worth."""
        rules, state, tables = self.rules, self.state, self.rules.tables
        held = self.garrison(target)
        if not held.units:
            return self._walkover(target)
        foes_climb = any(rules.mountain[u] for u in held.units)
        by_hex = by_side = av = steps = 0
        ways: list[Approach] = []
        for unit, origin in zip(units, origins, strict=True):
            bonus = 0 if foes_climb else mountain_bonus(rules, target, unit, ())
            a, b = self.strength(unit, origin, target, bonus)
            by_hex += max(0, a)
            by_side += max(0, b)
            way = self.approach(target, origin)
            ways.append(way)
            av += unit_av(rules, state, unit, way.lower)
            steps += state.steps[unit]
        hex_counts = any(w.hex_effect for w in ways)
        side_counts = any(w.hexside_effect for w in ways)
        uses_hex = not side_counts or (hex_counts and by_hex <= by_side)
        attack = by_hex if uses_hex else by_side
        if attack <= 0:
            return -99.0, Outlook(0, 0, 0, 0)
        defence_av = held.av + held.support
        if uses_hex and all(w.higher for w in ways):
            defence_av += sum(1 for u in held.units if state.supply[u] != OUT_OF_SUPPLY)
        flanked = self._flanked(target, origins, units)
        column = tables.column(attack, held.defence)
        column += (rules.flank_shift if flanked else 0) + (rules.trench_shift if held.trench else 0)
        if column < 0:
            return -99.0, Outlook(0, 0, 0, 0)
        found = self._roll(held, column, av + gun_av, defence_av, steps, flanked, target, origins, units)
        return self._gain(target, found) - self.weights.each * len(units), found

    def _roll(
        self,
        held: Garrison,
        column: int,
        av: int,
        defence_av: int,
        steps: int,
        flanked: bool,
        target: int,
        origins: Sequence[int],
        units: Sequence[int],
    ) -> Outlook:
        """9.4.1: the loss modifiers of both sides, then all dice."""
        rules, tables = self.rules, self.rules.tables
        attack_drm = tables.av_drm(defence_av)
        defence_drm = tables.av_drm(av)
        if flanked:
            defence_drm += int(self.drm["flanked_defender"])
        if held.trench:
            defence_drm += int(self.drm["trench_defender"])
            if not any(rules.infiltrates[u] for u in units):
                attack_drm += int(self.drm["trench_attacker"])
        if rules.high_odds_lrt:
            attack_drm += int(self.drm["high_odds_attacker"]) * tables.over(column)
        large = steps + held.steps > tables.small_max_steps
        penalty = self._penalty(held, origins)
        return outlook(tables, column, attack_drm, defence_drm, large, penalty, held.life, held.stand)

    def _flanked(self, target: int, origins: Sequence[int], units: Sequence[int]) -> bool:
        """7.9, 12.4.c: with the attackers where they will stand."""
        rules, state = self.rules, self.state
        if any(rules.infiltrates[u] for u in units):
            return True
        grid = rules.board.grid
        if grid.edge >> target & 1:
            return False
        stand = self._mask(origins)
        covered = (state.occ[self.side] | stand | zoc_of(rules, self.side, stand)) & ~state.occ[1 - self.side]
        return (covered & grid.ring[target]).bit_count() >= 5

    def _penalty(self, held: Garrison, origins: Sequence[int]) -> int:
        """9.2.2, 9.2.4: what a retreat of one hex would cost the defenders."""
        stand = self._mask(origins)
        out = held.ways_out & ~stand
        if not out:
            return 4
        risky = zoc_of(self.rules, self.side, stand | self.state.zocs[self.side]) & ~self.state.occ[1 - self.side]
        return 0 if held.ways_home & out & ~risky else 2

    @staticmethod
    def _mask(origins: Iterable[int]) -> int:
        mask = 0
        for origin in origins:
            mask |= 1 << origin
        return mask

    def prize(self, target: int) -> float:
        """What taking a hex is worth: its victory points, and the way it opens."""
        w, p = self.weights, self.picture
        vp = worth(self.rules, target) if not p.ours >> target & 1 else 0
        return w.vp * vp + w.ground * (1 + p.pull[target] * 0.2)

    def _gain(self, target: int, found: Outlook) -> float:
        w = self.weights
        gain = found.win * self.prize(target) + w.hurt * found.defence_loss
        return gain - w.bleed * found.attack_loss - w.thrown_back * found.repulse

    def _walkover(self, target: int) -> tuple[float, Outlook]:
        """7.5.b: defenders without strength die without dice."""
        return self.prize(target) + 2 * self.weights.hurt, Outlook(1.0, 0.0, 3.0, 0.0)

    # Guns

    def guns(self, target: int, free: Sequence[int]) -> list[int]:
        """12.3: the guns that could support, those first that are of least use elsewhere: short range, low value."""
        rules, state = self.rules, self.state
        able = [g for g in guns_on(rules, state, self.side, target, True) if g in free]
        return sorted(able, key=lambda g: (-unit_av(rules, state, g), g))

    def with_guns(self, target: int, units: Sequence[int], origins: Sequence[int], free: Sequence[int]) -> Plan:
        """The attack with as many guns as pay."""
        rules, state = self.rules, self.state
        best_gain, best_look = self.judge(target, units, origins, 0)
        chosen: list[int] = []
        av = 0
        for gun in self.guns(target, free):
            value = unit_av(rules, state, gun)
            gain, look = self.judge(target, units, origins, av + value)
            if gain > best_gain + GUN_PRICE:
                best_gain, best_look = gain, look
                chosen.append(gun)
                av += value
        return Plan(best_gain, target, tuple(units), tuple(origins), tuple(chosen), best_look)


GUN_PRICE = 0.15
"""A gun fires if it adds at least this; it may be wanted elsewhere."""


def may_join(assault: Assault, target: int, units: Sequence[int], origins: Sequence[int], unit: int, at: int) -> bool:
    """7.2, 7.8.c, 14.2.a: may this unit attack from there together with these?"""
    rules, state = assault.rules, assault.state
    if not attack_command(rules, (*units, unit)):
        return False
    group = [u for u, o in zip(units, origins, strict=True) if o == at] + [unit]
    if counted_steps(rules, state, group) > rules.board.stacking[target]:
        return False
    return rules.why_not_across_together(state, group, rules.board.edge_to[at][target]) is None


def best_from_contact(assault: Assault, target: int, free_guns: Sequence[int], spared: set[int]) -> Plan | None:
    """The best attack on a hex by units that already stand next to it, built up one unit at a time."""
    rules, state = assault.rules, assault.state
    able = [
        (unit, h)
        for h in rules.board.grid.adjacent[target]
        if state.fight[assault.side] >> h & 1
        for unit in state.stacks[h]
        if unit not in spared and assault.can_strike(unit, h, target)
    ]
    return build_up(assault, target, able, free_guns)


def build_up(assault: Assault, target: int, able: list[tuple[int, int]], free_guns: Sequence[int]) -> Plan | None:
    """Add the strongest units first and keep the best attack on the way."""
    rules, state = assault.rules, assault.state
    able = [(u, h) for u, h in able if max(assault.strength(u, h, target, 0)) > 0]
    if not able:
        return None
    corps = main_corps(rules, [u for u, _ in able])
    able.sort(
        key=lambda pair: (
            not rules.infiltrates[pair[0]],
            rules.corps[pair[0]] != corps,
            -min(assault.strength(pair[0], pair[1], target, 0)),
            state.ce[pair[0]],
            pair,
        )
    )
    gun_av = sum(unit_av(rules, state, g) for g in assault.guns(target, free_guns)[:2])
    units: list[int] = []
    origins: list[int] = []
    best: tuple[float, int] = (-99.0, 0)
    for unit, at in able:
        if len(units) >= MOST_UNITS or unit in units:
            continue
        if not may_join(assault, target, units, origins, unit, at):
            continue
        units.append(unit)
        origins.append(at)
        gain, _ = assault.judge(target, units, origins, gun_av)
        if gain > best[0]:
            best = (gain, len(units))
    if not best[1]:
        return None
    return assault.with_guns(target, units[: best[1]], origins[: best[1]], free_guns)


def main_corps(rules: Isonzo, units: Sequence[int]) -> str:
    """7.2: the corps that can bring most strength."""
    total: dict[str, int] = {}
    for unit in units:
        name = rules.corps[unit]
        if name:
            total[name] = total.get(name, 0) + rules.faces[unit][-1].attack
    return max(total, key=lambda name: (total[name], name)) if total else ""


def targets(assault: Assault) -> list[int]:
    """7.a: enemy hexes next to units of one's own that have not been attacked yet."""
    rules, state = assault.rules, assault.state
    near = 0
    for h in bits(state.fight[assault.side]):
        near |= rules.board.grid.ring[h]
    return [h for h in bits(near & state.fight[1 - assault.side]) if _open(assault, h)]


def _open(assault: Assault, h: int) -> bool:
    able, _ = defence_candidates(assault.rules, assault.state, h)
    return bool(able)
