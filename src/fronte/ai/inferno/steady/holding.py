"""How likely a place survives the enemy's next turn: what he can bring against it, and the exact table.

Who of the enemy can come next to the hex is worked out from where everybody stands; as many as may attack together
(7.2) and find room around it (7.8) do so, with the guns that reach. It is an estimate in that he is taken to attack
there with the best he has, and that zones of those who have still to move are not reckoned with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fronte.ai.inferno.steady.danger import FLANKED_FROM, MOST_LIFE, Danger
from fronte.ai.inferno.steady.dice import outlook
from fronte.ai.inferno.steady.ground import Picture
from fronte.ai.inferno.steady.marches import Marches
from fronte.games.inferno.combat import (
    attack_command,
    defence_command,
    defence_strength,
    defending_sets,
    unit_av,
)
from fronte.games.inferno.effectiveness import endurance
from fronte.hexes import bits

COMES_FROM = 7
"""Enemies farther away than this are not asked whether they could come."""


class Foe(NamedTuple):
    """An enemy who could attack: his strength, where he can be when he does, and how many steps he has."""

    strength: int
    unit: int
    spots: int
    steps: int


class Holding:
    """Judges what one side holds; enemies have not moved yet."""

    def __init__(self, picture: Picture, danger: Danger) -> None:
        self.picture, self.danger = picture, danger
        self.rules, self.state, self.side = picture.rules, picture.state, picture.side
        self._marches = Marches(picture.chart, self.state, picture.foe)
        self._spots: dict[int, int] = {}
        self._foes: dict[int, list[Foe]] = {}
        self._known: dict[tuple[int, ...], float] = {}

    def chance(self, h: int, units: Iterable[int], around: int) -> float:
        """How likely these units still have a hex after the enemy's next turn, with friends in those around.

        Without units it is 1 where he cannot come, and else 0.
        """
        rules, state = self.rules, self.state
        able = [u for u in units if rules.combat[u] and defence_strength(rules, state, u, 0) > 0]
        free = rules.board.grid.ring[h] & ~around
        if not able:
            return 0.0 if any(foe.spots & (free | 1 << h) for foe in self._near(h)) else 1.0
        key = (h, free, *sorted(able), *sorted(state.ce[u] for u in able))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = 1.0 - self._falls(h, self._defenders(able), free)
        return found

    def could_come(self, h: int) -> bool:
        """Is there an enemy who could come next to a hex or into it?"""
        return bool(self._near(h))

    def _defenders(self, able: Sequence[int]) -> Sequence[int]:
        """7.4: the strongest who may defend together."""
        rules, state = self.rules, self.state
        if len(able) <= 2 or defence_command(rules, able):
            return able
        return max(
            defending_sets(rules, sorted(able)),
            key=lambda group: sum(defence_strength(rules, state, u, 0) for u in group),
        )

    def _falls(self, h: int, units: Sequence[int], free: int) -> float:
        """The chance that the best attack on these units wins the hex."""
        rules, state, tables = self.rules, self.state, self.rules.tables
        foes, stand = self._attackers(h, free)
        if not foes:
            return 0.0
        mountain = rules.board.terrain[h] in rules.mountains
        attack = sum(foe.strength for foe in foes)
        defence = sum(defence_strength(rules, state, u, 0) for u in units)
        if mountain:
            attackers = [foe.unit for foe in foes]
            if rules.yields_to_mountain_troops(units):
                attack += sum(rules.mountain[u] for u in attackers)
            if rules.yields_to_mountain_troops(attackers):
                defence += sum(rules.mountain[u] for u in units)
        works = any(rules.immobile[u] for u in units)
        flanked = not (works and len(units) > 1) and self._surrounded(h, stand, free)
        column = tables.column(attack, defence) + (rules.flank_shift if flanked else 0) if attack > 0 else -1
        if column < 0:
            return 0.0
        drm = self.picture.chart.drm
        inflicted = tables.av[self.danger.fire_on(h) + sum(unit_av(rules, state, foe.unit) for foe in foes)]
        inflicted += drm["flanked_defender"] if flanked else 0
        inflicted += drm.get("high_odds_defender", 0) * tables.over(column)
        suffered = tables.av[self.danger.support_of(h) + sum(unit_av(rules, state, u) for u in units)]
        large = sum(foe.steps for foe in foes) + sum(state.steps[u] for u in units) > tables.small_max_steps
        life = min(MOST_LIFE, sum(endurance(rules, state, u) for u in units))
        return outlook(tables, column, suffered, inflicted, large, 0, works, life, 0).win

    def _attackers(self, h: int, free: int) -> tuple[list[Foe], int]:
        """7.2, 7.8.c: the strongest who may attack together, and the hexes that they stand in."""
        rules, board = self.rules, self.rules.board
        corps = {rules.corps[foe.unit] for foe in self._near(h)}
        best: tuple[int, list[Foe], int] = (0, [], 0)
        for lead in sorted(corps):
            room = {n: min(board.stacking[n], board.stacking[h]) for n in bits(free) if n in board.edge_to[h]}
            chosen: list[Foe] = []
            stand = 0
            for foe in sorted(self._near(h), key=lambda foe: (rules.corps[foe.unit] != lead, -foe.strength, foe.unit)):
                places = [n for n in room if foe.spots >> n & 1 and room[n] >= foe.steps]
                if not places or not attack_command(rules, [*(one.unit for one in chosen), foe.unit]):
                    continue
                there = max(places, key=lambda n: (-self._toll(h, n), not stand >> n & 1, -n))
                strength = foe.strength - self._toll(h, there)
                if strength <= 0:
                    continue
                room[there] -= foe.steps
                stand |= 1 << there
                chosen.append(foe._replace(strength=strength))
            total = sum(foe.strength for foe in chosen)
            if total > best[0]:
                best = total, chosen, stand
        return best[1], best[2]

    def _toll(self, h: int, origin: int) -> int:
        """7.8: what terrain takes from who attacks the hex from there."""
        way = self.picture.chart.approach(h, origin)
        return 1 if way.hex_effect or way.side_effect else 0

    def _surrounded(self, h: int, stand: int, free: int) -> bool:
        """7.9: do attackers in these hexes flank it, with those who stand around now?"""
        rules, state, foe = self.rules, self.state, self.picture.foe
        grid = rules.board.grid
        if grid.edge >> h & 1:
            return False
        covered = stand | self.picture.enemy_zoc | state.occ[foe]
        for n in bits(stand):
            covered |= rules.board.zoc_from[foe][n]
        return (covered & free).bit_count() >= FLANKED_FROM

    def _near(self, h: int) -> list[Foe]:
        """Enemies who can come next to a hex or into it."""
        found = self._foes.get(h)
        if found is None:
            rules, state, grid = self.rules, self.state, self.rules.board.grid
            found = []
            around = grid.ring[h] | 1 << h
            for there in bits(state.zocs[self.picture.foe] & grid.within(h, COMES_FROM)):
                for unit in state.stacks[there]:
                    if rules.zoccer[unit] and (spots := self._spots_of(unit) & around):
                        strength = rules.face(state, unit).attack - state.ce[unit] - state.supply[unit]
                        found.append(Foe(strength, unit, spots, state.steps[unit]))
            self._foes[h] = found
        return found

    def _spots_of(self, unit: int) -> int:
        """Where an enemy can be at the end of his next move."""
        found = self._spots.get(unit)
        if found is None:
            rules, state = self.rules, self.state
            here = 1 << state.at[unit]
            found = self._spots[unit] = here if rules.only_recovers(state, unit) else self._marches.sweep([unit]) | here
        return found
