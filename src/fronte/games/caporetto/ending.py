"""11.2: where moves may end: how full hexes may be, and who could still make room."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Self

from fronte.engine.decision import Choice, Frame, Refusal
from fronte.games.caporetto import flamethrowers, losses, sectors, stacking
from fronte.games.caporetto.state import State
from fronte.games.caporetto.ways import single_steps, ways
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto


def friends(rules: Caporetto, state: State, h: int, force: int, without: int = 0) -> tuple[int, ...]:
    """11.1: the units of one player in a hex, but for some."""
    return tuple([u for u in state.stacks.get(h, ()) if rules.force[u] == force and not without >> u & 1])


def too_full(rules: Caporetto, state: State, h: int, units: Sequence[int]) -> str:
    """11.1: the rule by which these may not be together in a hex; empty if they may."""
    if stacking.has_room(rules, h, units):
        return ""
    single = losses.singles(rules, state, units) if rules.can_detach & mask_of(units) else 0
    return stacking.why_not(rules, h, units, rules.guns & ~state.emplaced, single)


class Ending(Choice["Caporetto", State]):
    """Moves as far as they end somewhere: in which hexes, and beside whom."""

    def able(self, rules: Caporetto, state: State, frame: Frame) -> int:
        """The units that may still begin to move."""
        raise NotImplementedError

    def is_able(self, rules: Caporetto, state: State, frame: Frame, unit: int) -> bool:
        """The same of one unit."""
        return bool(self.able(rules, state, frame) >> unit & 1)

    def force(self, rules: Caporetto, state: State, frame: Frame) -> int:
        """Whose units these are."""
        raise NotImplementedError

    # Where moves may end

    def why_no_end(
        self, rules: Caporetto, state: State, frame: Frame, units: Sequence[int], h: int, left: int
    ) -> Refusal | None:
        """11.2, 24.3.common: why a move may not end in a hex."""
        if sectors.is_common(rules, h) and not self.may_stay_in_common(rules, state, units, h, left):
            return Refusal("24.3.common", "common_hex", {"hex": rules.hex_id(h)})
        if h in state.stacks:
            return self._why_full(rules, state, frame, units, h)
        return self._why_crowded(rules, state, units, h)

    def may_stay_in_common(self, rules: Caporetto, state: State, units: Sequence[int], h: int, left: int) -> bool:
        """24.3.common: nobody ends a phase there."""
        return False

    def _why_crowded(self, rules: Caporetto, state: State, units: Sequence[int], h: int) -> Refusal | None:
        """11.1: also an empty hex may be too small for a stack, in High Mountain."""
        if len(units) == 1 or (len(units) == 2 and not rules.ground.high >> h & 1):
            return None
        rule = too_full(rules, state, h, self._with_carried(state, units))
        return Refusal(rule, "too_full", {"hex": rules.hex_id(h)}) if rule else None

    def _with_carried(self, state: State, units: Sequence[int]) -> tuple[int, ...]:
        return (*units, *flamethrowers.carried(state, units))

    def _why_full(self, rules: Caporetto, state: State, frame: Frame, units: Sequence[int], h: int) -> Refusal | None:
        """11.2, 5.1: the limit must hold at the end of the step; whoever can still leave the hex does not count yet."""
        comers = self._with_carried(state, units)
        there = friends(rules, state, h, rules.force[units[0]], mask_of(comers))
        rule = too_full(rules, state, h, (*there, *comers))
        if not rule:
            return None
        able = self._able_among(rules, state, frame, there)

        def is_enough(leavers: list[int]) -> bool:
            gone = mask_of(self._with_carried(state, leavers))
            staying = [unit for unit in there if not gone >> unit & 1]
            return not too_full(rules, state, h, (*staying, *comers))

        leavers: list[int] = []
        if able and is_enough(able):  # fewer make no more room, and where each could go takes long to find
            for unit in able:
                if self._makes_room(rules, state, unit):
                    leavers.append(unit)
                    if is_enough(leavers):
                        return None
        return Refusal(rule, "too_full", {"hex": rules.hex_id(h)})

    rooms: dict[int, bool] | None = None
    """Who could make room, remembered by a copy of this decision that lives while one thing is asked of a state,"""
    ready: int | None = None
    """and who may still begin to move."""

    def remembering(self) -> Self:
        """Such a copy; this one, if it is one."""
        if self.rooms is not None:
            return self
        once = copy(self)
        once.rooms = {}
        return once

    def _able_among(self, rules: Caporetto, state: State, frame: Frame, units: Sequence[int]) -> list[int]:
        """Those of these units on the map that may still begin to move."""
        if self.rooms is None:
            return [unit for unit in units if self.is_able(rules, state, frame, unit)]
        if self.ready is None:
            self.ready = self.able(rules, state, frame)
        return [unit for unit in units if self.ready >> unit & 1]

    def _makes_room(self, rules: Caporetto, state: State, unit: int) -> bool:
        """11.2: is there a hex to which it could go and stay, as full as the hexes are now?"""
        if self.rooms is None:
            return self._finds_room(rules, state, unit)
        if unit not in self.rooms:
            self.rooms[unit] = self._finds_room(rules, state, unit)
        return self.rooms[unit]

    def _finds_room(self, rules: Caporetto, state: State, unit: int) -> bool:
        units = self._with_carried(state, (unit,))

        def has_room(h: int) -> bool:
            there = friends(rules, state, h, rules.force[unit])
            return not sectors.is_common(rules, h) and not (there and too_full(rules, state, h, (*there, *units)))

        near = filter(has_room, rules.grid.adjacent[state.at[unit]])
        if any(walked.refusal is None for _, walked in single_steps(rules, state, (unit,), near)):
            return True
        return any(has_room(h) for found in ways(rules, state, (unit,)) for h in found.left)

    # What is too full

    def crowded(self, rules: Caporetto, state: State, frame: Frame) -> list[int]:
        """11.2: the hexes that are too full and have been entered in this step, or in which companies were detached."""
        force = self.force(rules, state, frame)
        entered = {state.at[unit] for unit, _ in state.leftovers} | self._parted(rules, state, frame)
        stacks = state.stacks
        crowds = [
            h
            for h in entered
            if h in stacks and len(stacks[h]) > 1 and not stacking.has_room(rules, h, stacks[h])  # one alone has room
        ]
        return [h for h in sorted(crowds) if self.is_too_full(rules, state, h, force)]

    def _parted(self, rules: Caporetto, state: State, frame: Frame) -> set[int]:
        """21.10.e2: the hexes with companies that may still go: a battalion that has detached them counts as before."""
        generic = rules.generic & state.present & rules.of_force[self.force(rules, state, frame)]
        return {state.at[unit] for unit in bits(generic and self.able(rules, state, frame) & generic)}

    def is_too_full(self, rules: Caporetto, state: State, h: int, force: int) -> bool:
        """11.1: are there more units of a force in a hex than may be?"""
        return bool(too_full(rules, state, h, friends(rules, state, h, force)))

    def _leavers(self, rules: Caporetto, state: State, frame: Frame, h: int) -> list[int]:
        """Who may still leave a hex that is too full."""
        able = self.able(rules, state, frame) | state.moving & ~state.activated
        return [unit for unit in friends(rules, state, h, self.force(rules, state, frame)) if able >> unit & 1]
