"""What is told of a hex in the Inferno games."""

from __future__ import annotations

from typing import Any

import fronte


def keys(match: fronte.Match, seat: int, name: str) -> list[str]:
    card = match.rules.hex_card(match.state, seat, name)
    return [line.key for group in card.groups for line in group]


def test_how_full_a_hex_is_is_told_where_no_enemy_stands() -> None:
    """5.1, 5.4: of an enemy stack only the top counter is known, and none of one's own can go there."""
    rules: Any = fronte.ruleset("isonzo", "historical")
    placed: dict[str, Any] = {name: {"at": "eliminated"} for name in rules.ids}
    placed |= {"it-milano": {"at": "1512"}, "ah-lst-a": {"at": "1413"}}
    state = rules.case_state(placed, {"turn": 3, "active": "italian", "phase": "movement"})
    match = fronte.position("isonzo", rules.to_position(state), "historical")
    italian, ah = match.rules.seat_index("italian"), match.rules.seat_index("ah")
    assert "stacking" in keys(match, italian, "1512")
    assert "stacking" in keys(match, italian, "1511")
    assert "stacking" not in keys(match, italian, "1413")
    assert "stacking" in keys(match, ah, "1413")
    assert "stacking" not in keys(match, ah, "1512")
