"""A player without wit who looks for fights, so that games come to what the booklet has most to say about."""

from __future__ import annotations

from random import Random
from typing import Any

from book_board import distance
from book_world import World

EAGER = {
    "assault": 60.0, "storm": 15.0, "support": 25.0, "counter": 40.0, "assist": 20.0, "declared": 2.0,
    "bombard": 20.0, "defend": 20.0, "shoot": 6.0, "interdict": 3.0, "react": 8.0, "decline": 1.0,
    "activate": 20.0, "division": 6.0, "swap": 1.0, "pass": 0.2, "done": 1.0, "hold": 1.0, "detach": 0.5, "march": 1.0,
    "withdraw": 0.5, "farther": 0.6, "exit": 0.2, "turn": 0.5, "lower": 0.5, "move": 30.0, "hand": 0.3,
}  # fmt: skip


def pick(w: World, seat_sides: set[str], rng: Random, told: list[dict[str, Any]]) -> int:
    """The number of one of the actions: fights first, then steps towards the enemy."""
    foes = [u.at for u in w.units.values() if u.at and u.side not in seat_sides] or [
        u.at for u in w.units.values() if u.at
    ]
    kinds: dict[str, int] = {}
    for data in told:
        kinds[data["do"]] = kinds.get(data["do"], 0) + 1
    weights = []
    near: dict[str, int] = {}
    for data in told:
        weight = EAGER.get(data["do"], 1.0) / kinds[data["do"]]
        if data["do"] == "move" and foes:
            end = data["path"][-1]
            if end not in near:
                near[end] = min(distance(end, foe) for foe in foes)
            weight *= 40 * 2.0 ** -min(near[end], 12)
        if data["do"] in {"bombard", "defend", "prepare", "plan", "assign", "attach", "recover"}:
            size = len(next((v for k, v in data.items() if k != "do"), ()))
            weight *= 1 + size * size
        weights.append(weight)
    return rng.choices(range(len(told)), weights)[0]
