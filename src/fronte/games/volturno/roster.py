"""6.1, 7: how a formation stands in its activation, for the card that its owner sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fronte.games.volturno import formations
from fronte.games.volturno.counters import FORMATIONS
from fronte.games.volturno.declarations import markers_allowed
from fronte.games.volturno.state import State

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno


def roster(rules: Volturno, state: State, formation: int) -> dict[str, Any]:
    """6.1, 7.1.1: the die that a formation needs, its Orders and morale, its markers, and who of it has acted.

    For its owner alone: where his commander in chief is concerns nobody else.
    """
    leader = rules.leader_of[formation]
    why = formations.why_no_attempt(rules, state, formation)
    there = [unit for unit in rules.members[formation] if state.at[unit] >= 0]
    ids, gone = rules.ids, state.acted | state.called & ~state.along  # 15.5.p1: taken along, used or not
    active, orders = state.formation == formation, state.orders[formation]
    added = formations.drm(rules, state, formation)
    return {
        "formation": FORMATIONS[formation],
        "need": rules.counters[leader].command - added,
        "stays": formations.stays_on_six(rules, state.turn),  # 15.2.p5: a six does not help
        "orders": orders,
        "chief": added != -orders,  # 6.1.4: he alone adds to what the Orders marker does
        "morale": state.morale[formation],
        "units": len(there),
        "state": "active" if active else why.key if why else "able",
        "row": state.row if active else "",
        "markers": len(state.markers) if active else 0,
        "allowed": markers_allowed(rules, state) if active else 0,
        "left": [ids[u] for u in there if not (gone | state.ooc) >> u & 1],
        "acted": [ids[u] for u in there if gone >> u & 1],
        "out": [ids[u] for u in there if state.ooc >> u & 1],
    }
