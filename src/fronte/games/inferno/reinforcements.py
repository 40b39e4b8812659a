"""Chapter 13, reinforcements: what both games share of units that come in on their turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fronte.engine.decision import Action, Refusal
from fronte.engine.event import Event
from fronte.games.inferno import cites
from fronte.games.inferno.state import IN_SUPPLY, WAITING, State, place

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno


class Enter(Action, frozen=True):
    """13: a due unit comes in at a hex of the map edge."""

    form = "enter {unit} at {hex}"
    unit: str
    hex: str


def due(rules: Inferno, state: State) -> list[int]:
    """13, 1.3.1: units whose turn has come and that have not come in yet."""
    return [
        unit
        for unit in rules.of_side[state.active]
        if state.at[unit] == WAITING and 0 < rules.counters[unit].entry <= state.turn and unit not in rules.absent
    ]


def why_not_end(rules: Inferno, open_to: Sequence[int], keep: Sequence[str]) -> Refusal | None:
    """13: the phase does not end while due units can be placed, except by option; guns turn in another phase."""
    if keep:
        return Refusal(cites.TO_BATTERY, "guns_turn_in_movement")
    if open_to and not rules.may_hold_back:
        return Refusal(cites.REINFORCEMENTS, "place_due", {"units": list(rules.unit_ids(open_to))})
    return None


def come_in(rules: Inferno, state: State, unit: int, at: str, out: list[Event]) -> None:
    """13, 11.b/11.0: in at the map edge, in supply until the next Supply Phase."""
    h = rules.grid_index[at]
    state.supply[unit] = IN_SUPPLY
    data = {"unit": rules.ids[unit], "hex": at}
    place(rules, state, unit, h)
    seen = data if rules.shows(state, unit) else {"unit": "", "hex": at}
    out.append(Event("entered", (cites.REINFORCEMENTS,), data, 1 << rules.side[unit], seen))
    rules.take(state, rules.side[unit], h, out)
    rules.entered(state, (unit,), h, out)
