"""A player without wit who looks for fights, so that games come to what the booklet has most to say about."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
from ref_board import distance

from fronte.engine.decision import Action
from fronte.engine.match import Match

EAGER = {
    "declare": 30.0, "assault": 40.0, "charge": 300.0, "countercharge": 20.0, "calloff": 0.3, "call": 0.2,
    "fire": 20.0, "shoot": 6.0, "counter": 6.0, "historical": 5.0,
    "done": 0.3, "pass": 0.05, "hold": 3.0, "turn": 0.1, "form": 0.3,
}  # fmt: skip


def pick(match: Match, rng: Random, actions: list[Action], position: dict[str, Any]) -> Action:
    """One of the actions: fights first, then steps towards the enemy."""
    decision = match.decision
    assert decision is not None
    foes = [u["at"] for k, u in position["units"].items() if k[0] != decision.seat[0] and u["at"][:1].isdigit()]
    kinds: dict[str, int] = {}
    told = [msgspec.to_builtins(action) for action in actions]
    for data in told:
        kinds[data["do"]] = kinds.get(data["do"], 0) + 1
    marked = {(at, unit) for _, at, _, unit in position["markers"]}
    weights = []
    near: dict[str, int] = {}
    for data in told:
        weight = EAGER.get(data["do"], 1.0) / kinds[data["do"]]
        if data.get("by") == "charge":
            weight *= 20
        if data["do"] == "move" and foes:
            end = data["path"][-1]
            if end not in near:
                near[end] = min(distance(end, foe) for foe in foes)
            weight *= 200 * 2.0 ** -min(near[end], 12)
            if (end, data["unit"]) in marked:
                weight *= 60
        weights.append(weight)
    return rng.choices(actions, weights)[0]
