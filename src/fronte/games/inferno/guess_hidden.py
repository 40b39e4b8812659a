"""Chapter 5.3: guess what lies hidden under the units that are seen: a draw at random within the limits of stacking."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from fronte.games.inferno.stacking import top_unit
from fronte.games.inferno.state import HIT, IN_BOX, IN_SUPPLY, MOV, ON_TOP, State
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

NO_LIMIT = 99
MOST_TRIES = 500
"""How many tries there are to give stacks their known sizes; after that stacking limits are ignored."""


class Cover:
    """A stack that may hide more units: how high its top lies, and what room it has left (5.1)."""

    __slots__ = ("engineers", "guns", "h", "left", "room", "spared", "top", "unit")

    def __init__(self, rules: Inferno, state: State, h: int, size: int) -> None:
        stack = state.stacks[h]
        self.h = h
        self.unit = top_unit(rules, state, h)
        self.top = _height(rules, state, self.unit)
        self.guns = self.engineers = False
        self.room = rules.board.stacking[h]
        self.spared = 0
        self.left = size
        for unit in stack:
            self.take(rules, unit, state.steps[unit])

    def take(self, rules: Inferno, unit: int, steps: int) -> None:
        """5.1.a, Isonzo 5.1.c: one more counter, in the way `counted_steps` counts."""
        self.left -= 1
        if rules.gun[unit]:
            self.guns = True
        elif rules.engineer[unit]:
            self.engineers = True
        if not rules.counts[unit]:
            return
        self.room -= steps
        if rules.free_battalion and rules.battalion[unit] and steps > self.spared:
            self.room += steps - self.spared
            self.spared = steps

    def fits(self, rules: Inferno, unit: int, steps: int) -> bool:
        """5.1: may this unit lie here too?"""
        if self.left <= 0 or (rules.gun[unit] and self.guns) or (rules.engineer[unit] and self.engineers):
            return False
        if not rules.counts[unit]:
            return self.room >= 0
        spare = max(0, steps - self.spared) if rules.free_battalion and rules.battalion[unit] else 0
        return self.room + spare >= steps

    def note(self) -> tuple[bool, bool, int, int, int]:
        """What `take` changes."""
        return self.guns, self.engineers, self.room, self.spared, self.left

    def undo(self, note: tuple[bool, bool, int, int, int]) -> None:
        """Put that back."""
        self.guns, self.engineers, self.room, self.spared, self.left = note


def draw(
    rules: Inferno,
    state: State,
    enemy: int,
    hidden: list[int],
    sizes: dict[int, int] | None,
    attacked: int,
    rng: Random | None,
) -> None:
    """5.1, 5.3: put unseen units under visible ones, within stacking limits and never above what is seen.

    `sizes` are the known sizes of stacks, `attacked` the hexes known to have been attacked (7.a/7.0). Without a
    generator nothing is drawn.
    """
    if rng is not None and hidden:
        rng.shuffle(hidden)
        covers = [Cover(rules, state, h, NO_LIMIT if sizes is None else sizes[h]) for h in bits(state.occ[enemy])]
        there = [unit for unit in hidden if not _is_elsewhere(rules, state, unit)]
        if sizes is None:
            for unit in there:
                _draw_one(rules, state, unit, covers, rng)
        else:
            boxed = [unit for unit in hidden if state.at[unit] == IN_BOX]  # some may have been released
            _fill(rules, state, there + boxed, [cover for cover in covers if cover.left > 0], rng)
    for h in bits(attacked):
        for unit in state.stacks[h]:
            state.flags[unit] |= HIT
    state.seed = b"" if rng is None else rng.randbytes(32)
    state.rolled, state.forced = 0, ()


def _is_elsewhere(rules: Inferno, state: State, unit: int) -> bool:
    """13: has the unit not come in yet? Those of the box wait there."""
    counter = rules.counters[unit]
    state.steps[unit] = counter.steps
    if counter.entry > state.turn:
        return True
    if counter.in_box:
        state.at[unit] = IN_BOX
    return counter.in_box


def _draw_one(rules: Inferno, state: State, unit: int, covers: list[Cover], rng: Random) -> None:
    """Put the unit under any stack that can hide it; without one it waits off the map."""
    steps = state.steps[unit]
    height = _height(rules, state, unit)
    spared = not rules.counts[unit] or (rules.free_battalion and rules.battalion[unit])
    room = 0 if spared else steps  # where there is less, it cannot fit
    places = [
        cover for cover in covers if cover.room >= room and height <= cover.top and cover.fits(rules, unit, steps)
    ]
    if places:
        cover = rng.choice(places)
        cover.take(rules, unit, steps)
        _hide(rules, state, unit, cover, rng)


def _height(rules: Inferno, state: State, unit: int) -> tuple[int, int]:
    """5.3: how high a unit lies but for the owner's choice among equals."""
    return rules.heights[unit][state.steps[unit]]


def _hide(rules: Inferno, state: State, unit: int, cover: Cover, rng: Random) -> None:
    if _height(rules, state, unit) == cover.top:
        state.flags[cover.unit] |= ON_TOP
    h = cover.h
    if rules.combat[unit]:
        state.ce[unit] = rng.choice((0, 0, 0, 1))
    state.supply[unit] = IN_SUPPLY
    if rules.gun[unit] and rng.random() < 0.5:
        state.flags[unit] |= MOV
    state.at[unit] = h
    # What hides a unit is no less than it, so no mask changes.
    state.stacks[h] = tuple(sorted((*state.stacks[h], unit)))


def _fill(rules: Inferno, state: State, units: list[int], covers: list[Cover], rng: Random) -> None:
    """By option the sizes of stacks are known: as many units are drawn for each as lie in it."""
    placed: list[tuple[int, int, Cover]] = []
    tries = [MOST_TRIES]
    if not _place_all(rules, state, units, covers, placed, tries):
        for cover in covers:  # overstacked as stacks may be while units move
            taken = {unit for unit, _, _ in placed}
            rest = [unit for unit in units if unit not in taken and _height(rules, state, unit) <= cover.top]
            for unit in rest[: cover.left]:
                placed.append((unit, state.steps[unit], cover))
                cover.take(rules, unit, state.steps[unit])
    for unit, steps, cover in placed:
        state.steps[unit] = steps
        _hide(rules, state, unit, cover, rng)


def _place_all(
    rules: Inferno,
    state: State,
    units: list[int],
    covers: list[Cover],
    placed: list[tuple[int, int, Cover]],
    tries: list[int],
) -> bool:
    """Fill all stacks, first those for which the fewest units fit; a unit that is too large may have lost a step."""
    taken = {unit for unit, _, _ in placed}
    wanting = []
    for cover in covers:
        if cover.left > 0:
            wanting.append((_fitting(rules, state, [unit for unit in units if unit not in taken], cover), cover))
    if not wanting:
        return True
    able, cover = min(wanting, key=lambda found: len(found[0]))
    for unit, steps in able:
        tries[0] -= 1
        if tries[0] < 0:
            return False
        before = cover.note()
        cover.take(rules, unit, steps)
        placed.append((unit, steps, cover))
        if _place_all(rules, state, units, covers, placed, tries):
            return True
        if tries[0] < 0:
            return False
        placed.pop()
        cover.undo(before)
    return False


def _fitting(rules: Inferno, state: State, units: list[int], cover: Cover) -> list[tuple[int, int]]:
    """5.1, 5.3: the units that may lie hidden there, with the steps they may have."""
    found = []
    for unit in units:
        whole = state.steps[unit]
        for steps in range(whole, 0, -1):
            state.steps[unit] = steps
            if cover.fits(rules, unit, steps) and _height(rules, state, unit) <= cover.top:
                found.append((unit, steps))
                break
        state.steps[unit] = whole
    return found
