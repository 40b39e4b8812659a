"""For every registered game: what is laid over the map for all pieces of a seat is what is laid for each of them."""

from __future__ import annotations

from random import Random

import pytest

import fronte
from fronte.engine.overlay import Asked, Overlay

ALL, EACH = "all_ranges", "range"


def hexes(found: object) -> set[str]:
    """What an overlay covers; nothing where it is refused, as for what has no range."""
    return {h for layer in found.layers for h in layer.hexes} if isinstance(found, Overlay) else set()


def test_all_ranges_are_those_of_all_guns(game: str, scenario: str) -> None:
    match, rng, covered = fronte.new(game, scenario, 41), Random(41), 0
    rules = match.rules
    if not {ALL, EACH} <= set(rules.capabilities.overlays):
        pytest.skip("nothing here has a range")
    while match.result is None and len(match.entries) < 150:
        match.play(match.sample(rng))
        if len(match.entries) % 12:
            continue
        for seat, name in enumerate(rules.seats):
            pieces = rules.view(match.state, seat).pieces
            own = [piece.id for piece in pieces if piece.mine and piece.at in rules.grid.index]
            each = [hexes(rules.overlay(match.state, seat, EACH, Asked(piece))) for piece in own]
            together = hexes(rules.overlay(match.state, seat, ALL, Asked()))
            assert together == set().union(*each), (name, len(match.entries))
            covered += len(together)
        assert not hexes(rules.overlay(match.state, -1, ALL, Asked()))  # nobody's guns for who only looks on
    assert covered
