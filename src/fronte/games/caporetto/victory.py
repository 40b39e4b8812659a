"""23: victory. Hexes that change hands, points, breakthrough, the halt of the offensive, and how the game ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from fronte.engine.event import Event
from fronte.engine.rules import Result
from fronte.games.caporetto.losses import surrendered_steps
from fronte.games.caporetto.printed import DUE, EXITED
from fronte.games.caporetto.scenarios import MAJORITY, WINGS
from fronte.games.caporetto.seating import foe
from fronte.games.caporetto.state import NOBODY, State
from fronte.games.caporetto.terrain import AHG, ITALIAN

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto
    from fronte.games.caporetto.printed import CaporettoPrinted

BREAKTHROUGH, HALT, LAST_TURN = ENDS = ("breakthrough", "halt", "last_turn")
"""23.0: how a game ends. `State.outcome` holds one of them, once it is over."""


# 23.1: hexes


def enter(rules: CaporettoPrinted, state: State, force: int, h: int, out: list[Event]) -> None:
    """23.1, 24.14, 24.15: a combat unit of a force has entered a hex, or passes through it."""
    bit = 1 << h
    if state.control[force] & bit:
        return
    before = next((f for f, held in enumerate(state.control) if held & bit), NOBODY)
    for other in range(len(state.control)):
        state.control[other] &= ~bit
    state.control[force] |= bit
    scene = rules.scene
    if h in scene.objectives:
        data = {"hex": rules.grid.ids[h], "force": scene.forces[force], "vp": scene.objectives[h]}
        out.append(Event("objective", ("23.1.geo",), data))
        _note_capture(rules, state, force, before, h)
    if scene.force_side[force] == AHG:
        _take_centre(rules, state, h, out)
        if h == scene.matajur and state.matajur == NOBODY:
            state.matajur = force
            out.append(Event("matajur", ("24.15",), {"force": scene.forces[force]}))


def _note_capture(rules: CaporettoPrinted, state: State, force: int, before: int, h: int) -> None:
    """23.1.counter, 23.3: what the AHG takes is noted for the turn; what Italians take back in it costs it twice. From
    one of their wings to the other nothing is taken back."""
    sides = rules.scene.force_side
    if sides[force] == AHG:
        if before == NOBODY or sides[before] == ITALIAN:
            state.captured = (*state.captured, (h, force))
        return
    if before != NOBODY and sides[before] == ITALIAN:
        return
    taker = next((taker for taken, taker in reversed(state.captured) if taken == h), NOBODY)
    if taker != NOBODY:
        state.retaken[taker] += rules.scene.objectives[h] * rules.tables.number("victory", "retaken")


def _take_centre(rules: CaporettoPrinted, state: State, h: int, out: list[Event]) -> None:
    """24.14, 25.14: a supply centre taken for the first time costs its Italian force five points, if it has them."""
    if h not in rules.scene.depots or state.centres >> h & 1:
        return
    state.centres |= 1 << h
    loser = rules.scene.depots[h]
    lost = min(state.points[loser], rules.tables.number("logistics", "centre"))
    state.points[loser] -= lost
    out.append(Event("centre_lost", ("24.14.loss",), {"hex": rules.grid.ids[h], "force": rules.scene.forces[loser]}))


# 23.1: points


class Account(NamedTuple):
    """23.1: of what the points of a force of the AHG are made."""

    hexes: int
    exits: int
    prisoners: int
    """Steps that have surrendered to it, less those of its own that have."""
    captures: int
    """Points for them."""
    retaken: int

    @property
    def total(self) -> int:
        """All together."""
        return self.hexes + self.exits + self.captures - self.retaken


def account(rules: CaporettoPrinted, state: State, force: int) -> Account:
    """23.1: the points of a force of the AHG."""
    number = rules.tables.number
    held = 0
    for h, vp in rules.scene.objectives.items():
        if h == rules.scene.matajur:
            held += vp if state.matajur == force else 0  # 24.15: for good, instead of by control
        elif state.control[force] >> h & 1:
            held += vp
    gone = 0
    if EXITED in state.at:
        gone = sum(has_left(rules, state, formation) for formation in rules.formations_of_force[force])
    prisoners = surrendered_steps(rules, state, foe(rules, force)) - surrendered_steps(rules, state, force)
    captures = max(prisoners, 0) // number("victory", "steps")
    return Account(held, gone * number("victory", "exit"), prisoners, captures, state.retaken[force])


def has_left(rules: CaporettoPrinted, state: State, formation: int) -> bool:
    """23.1.exit: have all units of a formation that are left gone over the edge, and at least one?"""
    places = [state.at[unit] for unit in rules.formations[formation].members]
    return EXITED in places and not any(place >= 0 or place == DUE for place in places)


def attackers(rules: CaporettoPrinted) -> list[int]:
    """The forces of the AHG, which alone have points."""
    return [force for force, side in enumerate(rules.scene.force_side) if side == AHG]


# The end


def breaks_through(rules: CaporettoPrinted, state: State, force: int) -> bool:
    """24.16, 25.15: does a force hold enough of the hexes of its breakthrough?"""
    listed = rules.scene.breakthrough.get(force, 0)
    if not listed:
        return False
    held = listed & state.control[force]
    count = held.bit_count()
    twice = rules.scene.counted_twice
    if twice >= 0 and rules.option["cividale_counts"] == "twice" and held >> twice & 1:
        count += 1
    return count >= rules.scene.breakthrough_needed[force]


def check(rules: CaporettoPrinted, state: State, out: list[Event]) -> bool:
    """4.0-13, 23: is the game over? The turn's captures are forgotten."""
    state.quiet = 0 if state.captured else state.quiet + 1
    state.captured = ()
    campaign = rules.scene.victory != MAJORITY
    if campaign and any(breaks_through(rules, state, force) for force in attackers(rules)):
        state.outcome = BREAKTHROUGH
    elif campaign and state.quiet >= rules.tables.number("victory", "halt"):
        state.outcome = HALT
    elif state.turn >= rules.scene.last_turn:
        state.outcome = LAST_TURN
    if state.outcome:
        out.append(Event("over", ("23.0",), {"how": state.outcome}))
    return bool(state.outcome)


def majority(rules: Caporetto, state: State) -> int:
    """26.3, 27.3: the points of the objectives that the AHG holds; and a handicap."""
    held = 0
    for force in attackers(rules):
        held |= state.control[force]
    return sum(vp for h, vp in rules.scene.objectives.items() if held >> h & 1) + rules.head_start


def lead(rules: Caporetto, totals: Sequence[int]) -> int:
    """24.7, 25.7: the points of the first force of the AHG, and by how much it leads where each wing has its own; with
    a handicap."""
    return totals[0] - sum(totals[1:]) + rules.head_start


def result(rules: Caporetto, state: State) -> Result | None:
    """24.7, 24.16, 25.7, 25.15, 26.3, 27.3: how the game ended; None while it goes on."""
    if not state.outcome:
        return None
    scene = rules.scene
    if scene.victory == MAJORITY:
        points = majority(rules, state)
        winner = AHG if points >= scene.needed else ITALIAN
        return Result(_level(rules, winner), points, _seat_of_side(rules, winner), (scene.rule + ".3",))
    totals = {force: account(rules, state, force).total for force in attackers(rules)}
    through = [force for force in totals if state.outcome == BREAKTHROUGH and breaks_through(rules, state, force)]
    if scene.victory == WINGS:
        return _of_wings(rules, totals, through)
    total = sum(totals.values()) + rules.head_start
    if through:
        return Result("breakthrough", total, _seat_of_side(rules, AHG), ("25.15",))
    if state.outcome == HALT and rules.option["halt_result_s2"] == "it-wins":
        return Result("halt", total, _seat_of_side(rules, ITALIAN), ("23.3",))
    bands = scene.bands(str(rules.option["vp_90"]))
    level = next(name for name, most in bands if most is None or total <= most)
    seats = {"italian_wins": _seat_of_side(rules, ITALIAN), "draw": None, "ahg_wins": _seat_of_side(rules, AHG)}
    return Result(level, total, seats[level], ("25.7",))


def _of_wings(rules: Caporetto, totals: dict[int, int], through: list[int]) -> Result:
    """24.7, 24.16: who has broken through alone, else who has more points, with a handicap; the score is the first
    force's lead."""
    one, other = totals
    ahead = lead(rules, (totals[one], totals[other]))
    if len(through) == 1:
        return Result("breakthrough", ahead, rules.seats[rules.scene.seat_of[through[0]]], ("24.16",))
    if not ahead:
        return Result("draw", 0, None, ("24.7",))
    winner = one if ahead > 0 else other
    return Result("more_points", ahead, rules.seats[rules.scene.seat_of[winner]], ("24.7",))


def _level(rules: CaporettoPrinted, side: int) -> str:
    return "ahg_wins" if side == AHG else "italian_wins"


def _seat_of_side(rules: CaporettoPrinted, side: int) -> str:
    force = rules.scene.force_side.index(side)
    return rules.seats[rules.scene.seat_of[force]]
