"""21.6: the Rommel detachment. Companies of the Württemberg Mountain Battalion that are a formation for a turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fronte.engine.decision import Refusal
from fronte.engine.event import Event
from fronte.games.caporetto.printed import DISPLAY
from fronte.games.caporetto.roster import NO_ONE
from fronte.games.caporetto.state import NOT_PLANNED, State
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.printed import CaporettoPrinted


def why_never(rules: CaporettoPrinted, state: State) -> Refusal | None:
    """21.6, 24.9: why no detachment can be formed this turn: there is no Rommel here, he was wounded in a turn before,
    or there is no Command Phase in which it could be declared."""
    if rules.rommel == NO_ONE:
        return Refusal("21.6", "no_rommel", {})
    if state.wounded:
        return Refusal("21.6.2", "rommel_is_wounded", {})
    skipped = state.turn == rules.scene.first_turn and rules.scene.opening.begins != "reinforcement"
    if skipped and not rules.option["rommel_gt1"]:
        return Refusal("24.9", "no_command_phase", {})
    return None


def why_not_formed(rules: CaporettoPrinted, state: State, companies: Sequence[int]) -> Refusal | None:
    """21.6: why these are not the detachment: up to four rifle companies of the battalion, together in a hex."""
    why = why_never(rules, state)
    if why is not None:
        return why
    if state.rommel:
        return Refusal("21.6", "formed_already", {})
    most = rules.tables.number("companies", "rommel")
    if not 0 < len(companies) <= most or len(set(companies)) < len(companies):
        return Refusal("21.6", "too_many_for_rommel", {"most": most})
    for unit in companies:
        if not rules.rommel_companies >> unit & 1 or state.at[unit] < 0:
            return Refusal("21.6", "not_for_rommel", {"unit": rules.ids[unit]})
        if state.at[unit] != state.at[companies[0]]:
            return Refusal("21.6", "not_together", {"unit": rules.ids[unit]})
    return None


def able(rules: CaporettoPrinted, state: State) -> dict[int, tuple[int, ...]]:
    """21.6: by hex the companies of which he could take some; none where no detachment can be formed."""
    found: dict[int, tuple[int, ...]] = {}
    if why_never(rules, state) is None and not state.rommel:
        for unit in bits(rules.rommel_companies):
            if state.at[unit] >= 0:
                found[state.at[unit]] = (*found.get(state.at[unit], ()), unit)
    return found


def form(rules: CaporettoPrinted, state: State, companies: Sequence[int], out: list[Event]) -> None:
    """21.6, 7.4: these are a formation of their own, which is planned with that."""
    state.rommel = mask_of(companies)
    state.plan[rules.rommel] = rules.most_assigned
    data = {"units": rules.unit_ids(companies), "hex": rules.hex_id(state.at[companies[0]])}
    out.append(Event("rommel_formed", ("21.6",), data))


def dissolve(rules: CaporettoPrinted, state: State, out: list[Event]) -> None:
    """21.6 (ours): at the end of the turn the companies are again those of their battalion."""
    if rules.rommel == NO_ONE:
        return
    if state.rommel:
        out.append(Event("rommel_dissolved", ("21.6",), {"units": rules.unit_ids(bits(state.rommel))}))
    state.rommel = 0
    state.plan[rules.rommel] = NOT_PLANNED
    state.at[rules.formations[rules.rommel].hq] = DISPLAY
