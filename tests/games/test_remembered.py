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
from fronte.games.inferno.movement import open_ground, step_cost
from fronte.games.inferno.rules import Inferno
from fronte.games.inferno.stacking import top_order, top_unit
from fronte.games.inferno.state import WAITING, State, place
from fronte.games.inferno.supply import sources, supply_layers, supply_path
from fronte.games.inferno.zoc import road_barrier, supply_barrier, zoc
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
        swept = Marches(found, state, side).sweep(able)
        for known in (found._recalled, found._latest, found.priced, found.swept):
            known.clear()
        assert [Marches(found, state, side).reach(unit) for unit in able] == before
        assert Marches(found, state, side).sweep(able) == swept
        recalled += len(able)
    assert recalled > 50


@pytest.mark.parametrize("game", GAMES)
def test_on_open_ground_a_step_costs_what_the_board_says(game: str) -> None:
    plain = 0
    for rules, state in positions(game, 6):
        for unit in (unit for mine in rules.of_side for unit in mine[::4] if state.at[unit] >= 0):
            side = rules.side[unit]
            ezoc, roadblock = zoc(rules, state, 1 - side), road_barrier(rules, state, side)
            ground = open_ground(rules, state, unit)
            for here in range(rules.board.grid.size):
                for edge in rules.board.edges[here] if ground >> here & 1 else ():
                    if ground >> edge.to & 1 and edge.plain:
                        assert rules.why_no_step(state, unit, here, edge, roadblock) is None
                        assert not rules.takes_whole_move(state, unit, here, edge, roadblock)
                        assert step_cost(rules, state, unit, here, edge, ezoc, roadblock) == edge.plain
                        plain += 1
    assert plain > 5000


@pytest.mark.parametrize("game", GAMES)
def test_hunger_is_the_same_on_many_maps_side_by_side(game: str) -> None:
    compared, rng = 0, Random(7)
    for rules, state in positions(game, 7):
        found = chart(rules)
        for side in (0, 1):
            able = [unit for unit in rules.of_side[1 - side] if rules.zoccer[unit] and state.at[unit] >= 0]
            free = list(bits(rules.board.grid.everything & ~state.occ[0] & ~state.occ[1]))
            stands, hungry = [], []
            for _ in range(40 if able else 0):
                twin = state.copy()
                place(rules, twin, rng.choice(able), rng.choice(free))
                stands.append((twin.occ[1 - side], twin.zocs[1 - side]))
                hungry.append(found.hungry(twin, side))
            assert found.hungry_if(state, side, stands) == hungry
            compared += len(set(hungry))
    assert compared > 30


@pytest.mark.parametrize("game", GAMES)
def test_masks_stay_true_while_units_are_put_anywhere(game: str) -> None:
    rng = Random(8)
    rules, state = next(positions(game, 8))
    for _ in range(400):
        unit = rng.randrange(len(rules.ids))
        side = rules.side[unit]
        place(rules, state, unit, rng.choice([WAITING, *bits(rules.board.grid.everything & ~state.occ[1 - side])]))
        there = [[u for u in mine if state.at[u] >= 0] for mine in rules.of_side]
        for mine, occupied, fights, exerts in zip(there, state.occ, state.fight, state.zocs, strict=True):
            assert occupied == mask_of(state.at[u] for u in mine)
            assert fights == mask_of(state.at[u] for u in mine if rules.combat[u])
            assert exerts == mask_of(state.at[u] for u in mine if rules.zoccer[u])
    for h, stack in enumerate(state.stacks):
        assert stack == tuple(u for u in range(len(rules.ids)) if state.at[u] == h)
