"""7.10: a whole division has more ways than one offer tells; whose ways are not told can go them all the same."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import msgspec

import fronte
from fronte.engine.match import Match
from fronte.engine.overlay import Asked
from fronte.engine.rules import Way
from fronte.engine.ways import packed, unpacked


@cache
def division() -> Match:
    """The first step of the action of a division with so many ways that some are left out."""
    for seed in range(3, 9):
        match, rng = fronte.new("caporetto", scenario="maggiore", seed=seed), Random(1)
        while match.decision is not None and len(match.entries) < 60:
            if match.decision.panel == "move" and match.offer.get("more"):
                return match
            whole = [one for one in match.legal() if type(one).__name__ == "Division"]
            match.play(whole[0] if match.decision.kind == "activate" and whole else match.sample(rng))
    raise AssertionError("no division has so many ways")


def test_units_say_that_not_all_of_their_ways_are_told() -> None:
    units = division().offer["units"]
    told = {name: one for name, one in units.items() if not one.get("part")}
    assert told and len(told) < len(units)
    assert max(len(one["reach"]) for one in told.values()) > 20
    assert unpacked(packed(division().offer)) == division().offer  # over the wire too


def test_they_go_wherever_the_map_shows_that_they_can() -> None:
    match = division()
    assert match.decision is not None
    seat, gone = match.decision.seat, 0
    for unit, one in match.offer["units"].items():
        if not one.get("part"):
            continue
        shown: Any = match.rules.overlay(match.state, match.rules.seat_index(seat), "reach", Asked(piece=unit))
        far = [there for there in shown.layers[0].values if there not in one["reach"]]
        assert len(far) > 20
        for there in far[::7]:
            way = match.rules.path_through(match.state, unit, (there,))
            if isinstance(way, Way):
                gone += match.why_not({"do": "move", "unit": unit, "path": list(way.path)}) is None
    assert gone > 10


def test_what_they_can_do_besides_is_offered() -> None:
    match = division()
    offered = {str(action) for action in match.offer["actions"]}
    for action in match.legal():
        if type(action).__name__ in ("Assault", "Cover"):
            assert str(msgspec.to_builtins(action)) in offered
