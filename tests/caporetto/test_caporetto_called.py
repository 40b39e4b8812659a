"""7.7, 21.6: companies that follow Rommel wait for his detachment to be called, and not for their battalion."""

from __future__ import annotations

import fronte
from fronte.ai import player
from fronte.server.lessons import read_lesson


def test_who_follows_rommel_can_be_called_with_him() -> None:
    lesson = read_lesson("caporetto", "rommel")
    match = fronte.position("caporetto", lesson["position"], lesson["scenario"], lesson["seed"])
    companies = ["de-wgb-2", "de-wgb-3", "de-wgb-4", "de-wgb-mg-1"]
    machine = player("steady", "1", game="caporetto")
    while match.decision is not None and match.decision.kind != "activate":
        if match.decision.kind == "plan" and match.decision.seat == "ahg":
            match.play(f"plan rommel {','.join(companies)}")
        else:
            match.play(machine(match.seated(match.decision.seat)))
    assert match.decision is not None
    seat = match.decision.seat
    assert "de-rommel" in {one.get("formation") for one in match.offer["actions"]}
    assert not set(companies) & set(match.idle(seat))
