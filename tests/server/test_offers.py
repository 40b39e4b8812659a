"""Offers that are made from parts of earlier ones are the same as those made anew, in every game."""

from __future__ import annotations

import json
from random import Random

import msgspec

import fronte


def test_an_offer_from_memory_is_the_same_as_a_fresh_one(game: str, scenario: str) -> None:
    match = fronte.new(game, scenario, 6)
    rng = Random(6)
    memory: dict[object, bytes] = {}
    reused = 0
    for _ in range(150):
        if match.decision is None:
            break
        before = set(memory)
        told = match.offer_json(memory)
        if len(match.entries) % 3:
            match.play(match.sample(rng))
            continue
        assert json.loads(told) == json.loads(msgspec.json.encode(match.offer)), match.decision
        reused += len(before & set(memory))
        if rng.random() < 0.1 and match.undo():
            continue
        match.play(match.sample(rng))
    assert reused > 100 or game == "altipiani"
