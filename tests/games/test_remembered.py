"""The Inferno games: what is remembered, or found by masks, is what a plain look at the position finds."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import fronte
from fronte.ai.inferno.steady import policy
from fronte.ai.inferno.steady.games import chart
from fronte.ai.inferno.steady.marches import Marches
from fronte.ai.inferno.steady.weights import weights_of
from fronte.games.inferno.effectiveness import endurance, is_dead
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.stacking import top_order, top_unit
from fronte.games.inferno.state import State
from fronte.games.inferno.supply import sources, supply_layers, supply_path
from fronte.games.inferno.zoc import supply_barrier
from fronte.hexes import bits, mask_of

GAMES = ("isonzo", "altipiani")


def positions(game: str, seed: int, every: int = 60) -> Iterator[tuple[Inferno, State]]:
    """Positions of a game played at random."""
    match, rng = fronte.new(game, seed=seed), Random(seed)
    assert isinstance(match.rules, Inferno)
    while match.state.frames:
        if len(match.entries) % every == 0:
            yield match.rules, match.state.copy()
        match.play(match.sample(rng))


def joined(rules: Inferno, state: State, side: int) -> int:
    """11.2: the flags and all that routes join to them, walked hex by hex."""
    barred = supply_barrier(rules, state, side)
    found = [h for h in bits(rules.board.flags[side]) if not barred >> h & 1]
    for here in found:
        for edge in rules.board.edges[here]:
            free = not barred >> edge.to & 1 and edge.to not in found
            if edge.route and free and rules.route_open(state, edge):
                found.append(edge.to)
    return mask_of(found)


@pytest.mark.parametrize("game", GAMES)
def test_sources_and_layers_of_supply(game: str) -> None:
    compared = 0
    for rules, state in positions(game, 3):
        for side in (0, 1):
            assert sources(rules, state, side) == joined(rules, state, side)
            layers = supply_layers(rules, state, side)
            for unit in rules.of_side[side][::5]:
                if state.at[unit] >= 0:
                    reached = any(layer >> state.at[unit] & 1 for layer in layers)
                    assert reached == (supply_path(rules, state, unit) is not None)
                    compared += 1
    assert compared > 50


@pytest.mark.parametrize("game", GAMES)
def test_who_is_on_top_and_how_much_he_endures(game: str) -> None:
    for rules, state in positions(game, 4):
        for h, stack in enumerate(state.stacks):
            if stack:
                assert top_unit(rules, state, h) == max(stack, key=lambda unit: top_order(rules, state, unit))
            for unit in stack:
                if rules.combat[unit] and not is_dead(rules, state, unit):
                    first = endurance(rules, state, unit)
                    rules.endures.clear()
                    assert endurance(rules, state, unit) == first


@pytest.mark.parametrize("game", GAMES)
def test_what_is_nearer_is_told_by_distances(game: str) -> None:
    rules, _ = next(positions(game, 1))
    board = rules.board
    for here in range(0, board.grid.size, 37):
        for there in board.grid.adjacent[here]:
            far, before = board.distances(there), board.distances(here)
            everywhere = range(board.grid.size)
            assert board.no_farther_from(there, here) == mask_of(h for h in everywhere if far[h] <= before[h])
            assert board.nearer_from(there, here) == mask_of(h for h in everywhere if far[h] < before[h])


@pytest.mark.parametrize("game", GAMES)
def test_attacks_and_ways_are_the_same_when_they_are_recalled(game: str) -> None:
    recalled = 0
    for rules, state in positions(game, 5, 40):
        side, found = state.active, chart(rules)
        if state.phase not in ("movement", "combat") or state.battle is not None:
            continue
        weights = weights_of(game)[side]
        picture = policy.prepare(rules, state.copy(), side)
        for _ in range(2):
            assert policy.attacks_in(picture, weights, recalling=True) == policy.attacks_in(picture, weights)
        able = [unit for unit in rules.of_side[side] if rules.zoccer[unit] and state.at[unit] >= 0]
        before = [Marches(found, state, side).reach(unit) for unit in able]
        found._recalled.clear()
        assert [Marches(found, state, side).reach(unit) for unit in able] == before
        recalled += len(able)
    assert recalled > 50
