"""21.10.e3, 21.4.e3: between two actions battalions take companies back, and flamethrowers change hands.

The end of one action phase is the beginning of the next (ours): it is asked once between two of them, and before the
first one of a turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter
from fronte.games.caporetto import flamethrowers, losses, morale
from fronte.games.caporetto.seating import FORCE, of_its_force, seat_of
from fronte.games.caporetto.state import State
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()


class Absorb(Action, frozen=True):
    """21.10.e3: a battalion takes companies back, a step for each."""

    form = "absorb {unit} {companies}"
    unit: str
    companies: tuple[str, ...]


class Hand(Action, frozen=True):
    """21.4.e3: a flamethrower is assigned to another unit."""

    form = "hand {unit} {to}"
    words = MappingProxyType({"to": "UNIT"})
    unit: str
    to: str


class Done(Action, frozen=True):
    """Nothing more."""

    form = "done"


# What can be done


def reduced(rules: Caporetto, state: State, force: int) -> list[int]:
    """21.10.e3: the battalions of a force that could absorb a company now."""
    lost = state.lost
    return [u for u in rules.detachers[force] if lost[u] and losses.absorbable(rules, state, u)]


def absorptions(rules: Caporetto, state: State, force: int) -> Iterator[Action]:
    """21.10.e3: who may absorb whom."""
    for unit in reduced(rules, state, force):
        able = losses.absorbable(rules, state, unit)
        for size in range(1, len(able) + 1):
            for some in combinations(able, size):
                if losses.can_absorb(rules, state, unit, some):
                    yield Absorb(rules.ids[unit], rules.unit_ids(some))


def why_not_absorb(rules: Caporetto, state: State, force: int, action: Absorb) -> Refusal | None:
    """21.10.e3: why a battalion does not absorb these."""
    units = rules.units((action.unit, *action.companies))
    if isinstance(units, Refusal):
        return units
    unit, *companies = units
    if rules.force[unit] != force:
        return Refusal("21.10.e3", "not_yours", {"unit": action.unit})
    if losses.can_absorb(rules, state, unit, companies):
        return None
    return Refusal("21.10.e3", "not_absorbed", {"unit": action.unit})


def handings(rules: Caporetto, state: State, force: int) -> Iterator[Action]:
    """21.4.e3: which flamethrower may go to whom."""
    for one in bits(rules.flamethrowers & rules.of_force[force] & ~state.handed):
        if state.at[one] >= 0:
            for unit in sorted(state.stacks.get(state.at[one], ())):
                if flamethrowers.can_assign(rules, state, one, unit):
                    yield Hand(rules.ids[one], rules.ids[unit])


def why_not_hand(rules: Caporetto, state: State, force: int, action: Hand) -> Refusal | None:
    """21.4.e3: why a flamethrower does not go to a unit."""
    units = rules.units((action.unit, action.to))
    if isinstance(units, Refusal):
        return units
    one, unit = units
    data = {"unit": action.unit}
    if not rules.flamethrowers >> one & 1:
        return Refusal("21.4", "no_flamethrower", data)
    if rules.force[one] != force:
        return Refusal("21.4.e3", "not_yours", data)
    if state.handed >> one & 1:
        return Refusal("21.4.e3", "handed_already", data)
    return None if flamethrowers.can_assign(rules, state, one, unit) else Refusal("21.4.e3", "not_handed", data)


def do(rules: Caporetto, state: State, action: Absorb | Hand, out: list[Event]) -> None:
    """21.10.e3, 21.4.e3: one of the two. Companies of better troops may have more points than the battalion can bear
    (15.4)."""
    if isinstance(action, Absorb):
        unit, *companies = (rules.number[name] for name in (action.unit, *action.companies))
        losses.absorb(rules, state, unit, companies, out)
        morale.test_surrenders(rules, state, (unit,), out)
    else:
        flamethrowers.assign(rules, state, rules.number[action.unit], rules.number[action.to], out)


# The decision


def ask(rules: Caporetto, state: State) -> None:
    """21.10.e3: ask each force that could absorb companies; in every action phase, the enemy's too."""
    for force in reversed(range(len(rules.scene.forces))):
        if reduced(rules, state, force):
            state.frames.append(Frame("regroup", seat_of(rules, force), (force,)))


@CHAPTER.choice(on="next_action react_step regroup", seats=of_its_force, takes=(FORCE,), once=False, phases="action")
class Regroup(Choice["Caporetto", State]):
    """21.10.e3: which battalions absorb companies; flamethrowers may be handed over too (21.4.e3)."""

    name = "regroup"
    rules = ("21.10.e3", "21.4.e3")
    verbs = (Absorb, Hand, Done)
    panel = panel.CHOOSE

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        yield from absorptions(rules, state, frame.args[0])
        yield from handings(rules, state, frame.args[0])
        yield Done()

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Absorb):
            return why_not_absorb(rules, state, frame.args[0], action)
        return why_not_hand(rules, state, frame.args[0], action) if isinstance(action, Hand) else None

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        if isinstance(action, Absorb | Hand):
            do(rules, state, action, out)
        if isinstance(action, Done) or not reduced(rules, state, frame.args[0]):
            state.frames.pop()

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"side": rules.scene.forces[frame.args[0]]}
