"""24.3.common: hexes of both sectors. Who is in one at the end of an action or a phase is taken out of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fronte.engine import panel
from fronte.engine.decision import Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Argument, Chapter, open_to_all
from fronte.games.caporetto import companies, flamethrowers, losses, marching, morale, sectors, stacking
from fronte.games.caporetto.seating import decider
from fronte.games.caporetto.state import State, put, units_of
from fronte.games.caporetto.terrain import COMMON
from fronte.games.common.positions import UNIT
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
ACTION, LATER = "action", "gun_movement movement"
"""The phases in which units move."""


class Go(Action, frozen=True):
    """24.3.common: to this hex."""

    form = "go {hex}"
    hex: str


@CHAPTER.step(
    "24.3.common", "21.10.e3", on="next_phase next_action react_step", secrets=open_to_all, phases=f"{ACTION} {LATER}"
)
def go_home(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """24.3.common: who is in a common hex at the end of an action, or of phase 9 or 10, is taken to the nearest of his
    sector. After an action companies may be absorbed (21.10.e3)."""
    for unit in strays(rules, state):
        found = sectors.way_home(rules, state, unit)
        state.frames.append(frame)  # the others follow when this one has arrived
        if found.bit_count() > 1:
            state.frames.append(Frame("home", decider(rules, state, unit), (unit,)))
        else:
            take_home(rules, state, unit, next(bits(found)), out)
        return
    if state.phase == ACTION:
        companies.ask(rules, state)


def strays(rules: Caporetto, state: State) -> list[int]:
    """24.3.common: units in common hexes that can be taken home; flamethrowers go with their bearers, and guns in place
    stay."""
    if not rules.scene.sectors:
        return []
    found = []
    for h in bits((state.occ[0] | state.occ[1] | state.guns[0] | state.guns[1]) & rules.ground.sector[COMMON]):
        for unit in sorted(state.stacks[h]):
            if not (rules.flamethrowers | rules.guns & state.emplaced) >> unit & 1:
                if sectors.way_home(rules, state, unit):
                    found.append(unit)
    return found


def take_home(rules: Caporetto, state: State, unit: int, h: int, out: list[Event]) -> None:
    """24.3.common, 11.6, 12.1.6.e2, 23.1: it is put there, and if that makes the hex too full all in it are
    disorganised. It has entered the hex as whoever enters one: a barrage falls on it."""
    for one in (unit, *flamethrowers.carried(state, (unit,))):
        put(rules, state, one, h)
    out.append(Event("taken_home", ("24.3.common",), {"unit": rules.ids[unit], "hex": rules.grid.ids[h]}))
    there = [u for u in units_of(rules, state, h, rules.side[unit]) if rules.force[u] == rules.force[unit]]
    single = losses.singles(rules, state, there)
    if stacking.is_crowd(stacking.why_not(rules, h, there, rules.guns & ~state.emplaced, single)):
        morale.crowd(rules, state, there, out)
    marching.arrive(rules, state, (unit,), h, out)


def _of_unit(rules: Caporetto, state: State, frame: Frame) -> tuple[int, ...]:
    return (decider(rules, state, frame.args[0]),)


def _no_stray(rules: Caporetto, state: State, frame: Frame) -> str:
    return "" if frame.args[0] in strays(rules, state) else "it is not in a common hex"


@CHAPTER.choice(
    on="go_home", seats=_of_unit, takes=(Argument("unit", UNIT),), fault=_no_stray, phases=f"{ACTION} {LATER}"
)
class Home(Choice["Caporetto", State]):
    """24.3.common: to which of the nearest hexes of its sector a unit is taken."""

    name = "home"
    rules = ("24.3.common",)
    verbs = (Go,)
    panel = panel.PLACE

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        for h in bits(sectors.way_home(rules, state, frame.args[0])):
            yield Go(rules.grid.ids[h])

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        assert isinstance(action, Go)
        h = rules.grid.index.get(action.hex, -1)
        if h < 0:
            return rules.unknown_hex(action.hex)
        near = sectors.way_home(rules, state, frame.args[0]) >> h & 1
        data = {"unit": rules.ids[frame.args[0]], "hex": action.hex}
        return None if near else Refusal("24.3.common", "not_nearest", data)

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        assert isinstance(action, Go)
        state.frames.pop()
        take_home(rules, state, frame.args[0], rules.grid.index[action.hex], out)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return {"unit": rules.ids[frame.args[0]], "hex": rules.hex_id(state.at[frame.args[0]])}
