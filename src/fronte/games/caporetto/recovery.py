"""20.1: recovery. Whose disorganisation becomes less at the end of a turn; their owner says, for it is a "may"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress, count
from types import MappingProxyType
from typing import TYPE_CHECKING

from fronte.engine.decision import Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter
from fronte.engine.standing import Policies
from fronte.games.caporetto import morale, sectors, sightings, supply
from fronte.games.caporetto.seating import FORCE, of_its_force
from fronte.games.caporetto.state import State, zone_of
from fronte.games.caporetto.subsets import Some, SomeUnits
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto
    from fronte.games.caporetto.printed import CaporettoPrinted

CHAPTER = Chapter()


class Recover(Some, frozen=True):
    """20.1: these units lose a point of disorganisation."""

    form = "recover[ {units}]"


def supplied(rules: CaporettoPrinted, state: State) -> int:
    """9.1, 9.2, 24.3: the combat units and guns on the map that have a supply line."""
    found, at = 0, state.at
    for force, units in enumerate(rules.of_force):
        there = units & state.present
        strange = there & rules.crossing
        fed = _fed(rules, state, force, rules.homes[force]) if there & ~strange else 0
        for unit in bits(there & ~strange):
            if fed >> at[unit] & 1:
                found |= 1 << unit
        for unit in bits(strange):
            if _fed(rules, state, force, supply.where_lines_run(rules, state, unit)) >> at[unit] & 1:
                found |= 1 << unit
    return found


def _fed(rules: CaporettoPrinted, state: State, force: int, inside: int) -> int:
    """9.2: where a unit of a force would be supplied by lines that run in these hexes."""
    return supply.supplied(rules.ground, supply.lines_of(rules, state, force, inside))


def able(rules: CaporettoPrinted, state: State, units: int) -> list[int]:
    """20.1: those of these units that may recover now."""
    asked = units & state.fed
    worn = compress(count(), state.dp)
    return [unit for unit in worn if asked >> unit & 1 and morale.can_recover(rules, state, unit, state.fed)]


def _bound(rules: CaporettoPrinted, state: State) -> int:
    """24.3.start: who stands in the common hex in which it began."""
    return sectors.bound(rules, state) & state.fed


def of_the_bound(rules: CaporettoPrinted, state: State, out: list[Event]) -> None:
    """24.3.start: of those in common hexes the attacker's opponent decides, who lets all of them recover (ours)."""
    morale.recover(rules, state, able(rules, state, _bound(rules, state)), out)


def _free(rules: CaporettoPrinted, state: State, force: int) -> list[int]:
    return able(rules, state, rules.of_force[force] & ~_bound(rules, state))


def asks(rules: Caporetto, state: State, force: int) -> bool:
    """4.0-12: has a force anybody who may recover, or must the other seat think so (22)?"""
    return bool(_free(rules, state, force)) or _might(rules, state, force)


def _might(rules: Caporetto, state: State, force: int) -> bool:
    """22.0, 22.2: does anybody stand out of enemy zones, without a marker of a march, of whom the other seat cannot say
    whether he is disorganised? With fog of war on it sees nobody's points, only who is Out of Command."""
    if sightings.is_open(rules):
        return False
    other, foggy = 1 - rules.scene.seat_of[force], sightings.is_foggy(rules)
    zone = zone_of(rules, state, 1 - rules.scene.force_side[force])
    units = rules.of_force[force] & (rules.combat | rules.guns) & ~rules.flamethrowers & state.present & ~state.marched
    for unit in bits(units):
        if not zone >> state.at[unit] & 1:
            if not sightings.knows(rules, state, other, unit) or (foggy and not state.ooc >> unit & 1):
                return True
    return False


@CHAPTER.choice(on="turn_over ask", seats=of_its_force, takes=(FORCE,), phases="supply")
class RecoverChoice(SomeUnits):
    """4.0-12, 20.1: which units reduce their disorganisation; they may."""

    name = "recover"
    rules = ("20.1",)
    verbs = (Recover,)
    verb = Recover

    def able(self, rules: Caporetto, state: State, force: int) -> list[int]:
        return _free(rules, state, force)

    def why_not_able(self, rules: Caporetto, state: State, force: int, unit: int) -> Refusal:
        return why_no_recovery(rules, state, unit)

    def carry_out(self, rules: Caporetto, state: State, force: int, units: Sequence[int], out: list[Event]) -> None:
        morale.recover(rules, state, units, out)


def why_no_recovery(rules: CaporettoPrinted, state: State, unit: int) -> Refusal:
    """20.1, 7.8: why a unit does not recover."""
    data = {"unit": rules.ids[unit]}
    if state.at[unit] < 0 or not state.dp[unit]:
        return Refusal("20.1", "nothing_to_recover", data)
    if not state.fed >> unit & 1:
        return Refusal("20.1", "unsupplied", data)
    if state.ooc >> unit & 1:
        return Refusal("7.8", "out_of_command", data)
    if state.marched >> unit & 1:
        return Refusal("20.1", "has_marched", data)
    if sectors.is_bound(rules, state, unit):
        return Refusal("24.3.start", "in_common_hex", data)
    return Refusal("20.1", "in_enemy_zone", data)


def _all(rules: Caporetto, state: State, frame: Frame) -> Action:
    return Recover(rules.unit_ids(_free(rules, state, frame.args[0])))


STANDING: Mapping[str, Policies] = MappingProxyType({"recover": {"all": _all}})
"""20.1: nobody is better off with a point more, so an order may answer it once and for all."""
