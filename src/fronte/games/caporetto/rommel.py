"""21.6: the Rommel detachment. Companies of the Württemberg Mountain Battalion that are a formation for a turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.engine.event import Event
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.state import NOT_PLANNED, State
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted


def companies(rules: CaporettoPrinted, state: State, force: int) -> list[int]:
    """21.6: the companies of the Württemberg battalion on the map that may follow Rommel, if he can lead."""
    if rules.rommel == NO_ONE or state.wounded or rules.formations[rules.rommel].force != force:
        return []
    return [unit for unit in bits(rules.rommel_companies) if state.at[unit] >= 0]


def most(rules: CaporettoPrinted) -> int:
    """21.6: how many companies the detachment has at most."""
    return rules.tables.number("companies", "rommel")


def detachments(rules: CaporettoPrinted, state: State, force: int) -> Iterator[tuple[int, ...]]:
    """21.6: up to four companies that are together, many before few."""
    together: dict[int, list[int]] = {}
    for unit in companies(rules, state, force):
        together.setdefault(state.at[unit], []).append(unit)
    for size in range(most(rules), 0, -1):
        for units in together.values():
            yield from combinations(units, size)


def why_not_formed(rules: CaporettoPrinted, state: State, force: int, units: Sequence[int]) -> Refusal | None:
    """21.6: why these companies cannot be Rommel's detachment: four of his battalion at most, in one hex."""
    able = companies(rules, state, force)
    if not able:
        if state.wounded:
            return Refusal("21.6.2", "rommel_wounded")
        return Refusal("21.6", "no_rommel", {"force": rules.scene.forces[force]})
    for unit in units:
        if unit not in able:
            return Refusal("21.6", "not_of_rommel", {"unit": rules.ids[unit]})
    if not 0 < len(units) <= most(rules):
        return Refusal("21.6", "too_many_companies", {"most": most(rules)})
    if len({state.at[unit] for unit in units}) > 1:
        return Refusal("21.6", "not_together", {"units": list(rules.unit_ids(units))})
    return None


def form(rules: CaporettoPrinted, state: State, units: Sequence[int], out: list[Event]) -> None:
    """21.6, 7.4: these are a formation of their own, which is planned with that; everybody sees it."""
    state.rommel = mask_of(units)
    state.plan[rules.rommel] = rules.most_assigned
    where = rules.hex_id(state.at[units[0]])
    out.append(Event("rommel_leads", ("21.6",), {"units": list(rules.unit_ids(units)), "hex": where}))


def dissolve(rules: CaporettoPrinted, state: State, out: list[Event]) -> None:
    """21.6 (ours): at the end of the turn the companies are again those of their battalion."""
    if state.rommel:
        out.append(Event("rommel_dissolved", ("21.6",), {"units": list(rules.unit_ids(bits(state.rommel)))}))
        state.plan[rules.rommel] = NOT_PLANNED
    state.rommel = 0
