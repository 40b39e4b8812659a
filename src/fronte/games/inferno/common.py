"""Chapter 5.4 for those who look on: what both sides know, which is what a seat without units of its own would see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from fronte.games.inferno.fog import attacked_hexes, enemy_unit, seen_frame, seen_units
from fronte.games.inferno.position import write_battle, write_frame
from fronte.games.inferno.state import ELIMINATED, State, fighting
from fronte.hexes import bits

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

NOBODY = -1


def common_view(rules: Inferno, state: State) -> dict[str, Any]:
    """5.4: all that both sides know. Shaped like a view: nothing is `own`, and all that is seen is `enemy`."""
    revealed = fighting(state)
    seen = seen_units(rules, state, 0) | seen_units(rules, state, 1)
    known = seen | {unit for unit in range(len(rules.ids)) if state.at[unit] == ELIMINATED}
    attacked = attacked_hexes(rules, state, 0) | attacked_hexes(rules, state, 1)
    found: dict[str, Any] = {
        "game": rules.header.game,
        "scenario": rules.header.scenario,
        "seat": None,
        "turn": state.turn,
        "phase": state.phase,
        "active": rules.seats[state.active],
        "decides": rules.seats[state.frames[-1].seat] if state.frames else None,
        "decision": state.frames[-1].name if state.frames else None,
        "own": [],
        "enemy": [enemy_unit(rules, state, unit, unit in revealed) for unit in sorted(seen)],
        "eliminated": [rules.ids[unit] for unit in sorted(known - seen)],
        "held": [rules.hex_id(h) for h in bits(state.held)],
    }
    if rules.option["fog_stack_size"]:
        found["sizes"] = {rules.hex_id(h): len(state.stacks[h]) for h in bits(state.occ[0] | state.occ[1])}
    if attacked:
        found["attacked"] = [rules.hex_id(h) for h in bits(attacked)]
    if state.mover in seen:
        found["moving"] = {"unit": rules.ids[state.mover], "left": state.left}

    def name(unit: int) -> str:
        return rules.ids[unit] if unit in known else f"?{rules.where(state, unit)}"

    if state.battle is not None:
        withheld = tuple(unit for unit in state.battle.withheld if unit in seen)
        found["battle"] = write_battle(rules, msgspec.structs.replace(state.battle, withheld=withheld), name)
    found["frames"] = [write_frame(rules, seen_frame(rules, frame, NOBODY, seen), name) for frame in state.frames]
    return found | rules.view_more(state, NOBODY)
