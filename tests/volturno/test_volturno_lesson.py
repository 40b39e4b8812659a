"""The first lesson of Volturno: it goes as its text says, and ends with a won assault."""

from __future__ import annotations

from typing import Any

import pytest

import fronte
from fronte.server.lessons import read_lesson


@pytest.fixture
def lesson() -> dict[str, Any]:
    return read_lesson("volturno")


def test_it_ends_with_a_won_assault(lesson: dict[str, Any]) -> None:
    match = fronte.position("volturno", lesson["position"], lesson["scenario"], lesson["seed"])
    card = next(one for one in match.decision.about["cards"] if one["formation"] == "G17")
    assert card["need"] == 4 and card["state"] == "able"
    match.play({"do": "attempt", "formation": "G17"})
    assert match.decision.kind == "declare" and not match.state.row
    declared = {"do": "declare", "unit": "g-spangaro", "at": "2415", "target": "2315"}
    sheet = match.odds(declared)
    victory = sheet.row("victory", "garibaldini").counts
    assert victory[2] / sheet.of > 0.8, "from behind they are good"
    assert sheet.row("arrival", "garibaldini").counts[0] == 0, "who is in column cannot react"
    match.play(declared)
    match.play("declared")
    match.play({"do": "move", "unit": "g-spangaro", "path": ["2515", "2415"]})
    assert match.decision.kind == "act" and match.decision.seat == "garibaldini", "nobody is asked on the way"
    match.play({"do": "assault", "unit": "g-spangaro", "target": "2315"})
    asked = []
    while match.decision.kind != "act":
        asked.append((match.decision.seat, match.decision.kind))
        match.play(next(iter(match.legal())))
    assert asked == [("napoletani", "dress"), ("garibaldini", "redirect"), ("garibaldini", "dress")]
    told = {event.kind: event.data for event in match.events}
    assert told["combat_won"] == {"side": "garibaldini"}
    assert told["advanced"]["path"] == ["2415", "2315"]
    match.play("done")
    assert "activation_done" in {event.kind for event in match.events}
