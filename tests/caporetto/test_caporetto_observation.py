"""12.1.1, 8.1, 24.12: who observes, how far in which weather, what is direct, and what needs no observer."""

from __future__ import annotations

import pytest
from caporetto_shots import CLEAR, FOG, RAIN, Field

from fronte.games.caporetto import observation
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits, mask_of

EVERYWHERE = -1


def peak(field: Field) -> int:
    """A mountain top that is never in fog or blizzard and sees far."""
    rules, ground = field.rules, field.rules.ground
    dim = rules.blind[FOG]
    return max(field.hexes(lambda h: bool((ground.peaks & ~dim) >> h & 1)), key=lambda h: ground.level[h])


def test_an_observer_is_in_command_and_in_a_place_or_with_guns() -> None:
    field = Field()
    rules, state = field.rules, field.state
    top, bare = peak(field), field.plain()
    assert not observation.in_defence(rules, state, ITALIAN)
    in_the_open = field.unit(ITALIAN, bare)
    assert not observation.in_defence(rules, state, ITALIAN)
    on_top = field.unit(ITALIAN, top)
    assert observation.in_defence(rules, state, ITALIAN) == observation.seen_from(rules, state, top)
    assert not observation.in_defence(rules, state, AHG)
    state.ooc |= 1 << on_top
    assert not observation.in_defence(rules, state, ITALIAN)
    assert observation.in_barrage(rules, state, ITALIAN) == observation.seen_from(rules, state, top)
    field.gun("light", ITALIAN, bare)
    assert observation.posts(rules, state, ITALIAN, ~state.ooc) == 1 << bare
    state.ooc |= 1 << in_the_open
    assert observation.posts(rules, state, ITALIAN, ~state.ooc) == 1 << bare


@pytest.mark.parametrize("place", ["towns", "villages", "peaks"])
def test_towns_villages_and_tops_are_posts(place: str) -> None:
    field = Field()
    h = next(field.hexes(lambda h: bool(getattr(field.rules.ground, place) >> h & 1)))
    field.unit(AHG, h)
    assert observation.posts(field.rules, field.state, AHG, EVERYWHERE) == 1 << h


def test_bombardment_needs_an_observer_that_a_headquarters_reaches(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field()
    rules, state, top = field.rules, field.state, peak(field)
    field.unit(ITALIAN, top)
    seen = observation.seen_from(rules, state, top)
    assert observation.in_bombardment(rules, state, ITALIAN, 1 << top) == seen
    assert observation.in_bombardment(rules, state, ITALIAN, ~(1 << top)) == 0
    gun = field.gun("medium", ITALIAN, top)
    assert observation.in_bombardment(rules, state, ITALIAN, 0) == 0
    assert observation.for_gun(rules, state, gun, 0) == seen
    monkeypatch.setitem(rules.option, "observer_command", "not-ooc")
    assert observation.in_bombardment(rules, state, ITALIAN, 0) == seen


@pytest.mark.parametrize(("turn", "far"), [(RAIN, 2), (CLEAR, 6)])
def test_sight_ends_where_the_weather_says(turn: int, far: int) -> None:
    field = Field(turn)
    rules, level = field.rules, field.rules.ground.level
    top = peak(field)
    seen = observation.seen_from(rules, field.state, top)
    distances = {h: rules.grid.distance(top, h) for h in bits(seen)}
    lift = 1 if turn == CLEAR else 0
    for h, distance in distances.items():
        assert distance <= min(10, far + lift * max(0, level[top] - level[h]))
    assert max(distances.values()) == (far if turn == RAIN else 10)


@pytest.mark.parametrize(
    ("weather", "above", "far"),
    [("clear", 0, 6), ("clear", 3, 9), ("clear", 6, 10), ("clear", -2, 6), ("cloudy", 4, 4), ("rain", 4, 2)],
)
def test_how_far_one_sees_from_above(weather: str, above: int, far: int) -> None:
    reach = Field().rules.reach[weather]
    assert reach.allows(far, above)
    assert not reach.allows(far + 1, above)


def test_who_is_not_above_sees_six_hexes_in_clear_weather() -> None:
    field = Field()
    rules, level = field.rules, field.rules.ground.level
    low = next(field.hexes(lambda h: level[h] == 1))
    assert max(rules.grid.distance(low, h) for h in bits(observation.seen_from(rules, field.state, low))) <= 6


def test_nothing_is_seen_into_fog_and_blizzard_or_out_of_them() -> None:
    field = Field(FOG)
    rules, ground, state = field.rules, field.rules.ground, field.state
    dim = rules.blind[FOG]
    foggy = next(field.hexes(lambda h: ground.level[h] <= 2 and any(not dim >> n & 1 for n in rules.grid.adjacent[h])))
    snowy = next(field.hexes(lambda h: bool(ground.high >> h & 1)))
    assert not observation.seen_from(rules, state, foggy)
    assert not observation.seen_from(rules, state, snowy)
    near = next(n for n in rules.grid.adjacent[foggy] if not dim >> n & 1)
    seen = observation.seen_from(rules, state, near)
    assert seen
    assert not seen >> foggy & 1
    state.turn = CLEAR
    assert observation.seen_from(rules, state, near) >> foggy & 1


def test_a_line_may_pass_over_fog() -> None:
    field = Field(FOG)
    rules, grid = field.rules, field.rules.grid
    dim, sight = rules.blind[FOG], rules.ground.sight
    for here in field.hexes(lambda h: not dim >> h & 1):
        for there in grid.disc(here, 2):
            between = sight.between(here, there)
            if between & dim and not dim >> there & 1 and sight.sees(here, there):
                assert observation.seen_from(rules, field.state, here) >> there & 1
                return
    raise AssertionError("no valley between two hills")


def test_direct_fire_asks_for_levels_only() -> None:
    """12.1, 12.1.1.ex: what is higher than both ends bars the line of a gun and that of an observer; a wood or town at
    the level of one end only the observer's, also if he stands above."""
    field = Field(FOG)
    rules, ground = field.rules, field.rules.ground
    hidden = from_above = blocked = 0
    crests = mask_of(h for h in range(rules.grid.size) for way, _ in ground.ways_from(h) if ground.crest[way])
    for here in field.hexes(lambda h: True):
        for there in rules.grid.disc(here, 2):
            crossed = ground.sight.between(here, there)
            if crossed.bit_count() != 1 or crossed & crests:
                continue
            middle = next(bits(crossed))
            ends = (ground.level[here], ground.level[there])
            if ground.level[middle] > max(ends):
                assert not observation.is_direct(rules, here, there)
                assert not ground.sight.sees(here, there)
                blocked += 1
            else:
                assert observation.is_direct(rules, here, there)
                screened = (ground.woods | ground.towns) >> middle & 1 and ground.level[middle] in ends
                assert ground.sight.sees(here, there) == (not screened)
                hidden += bool(screened)
                from_above += bool(screened and ground.towns >> middle & 1 and ends[0] > ends[1])
    assert hidden > 100
    assert from_above
    assert blocked > 100


def test_a_crest_bars_a_line_like_higher_ground() -> None:
    """10.0.8: between 3628 and 3629 the ground is higher than in both."""
    field = Field()
    rules, ground = field.rules, field.rules.ground
    lines = [
        (a, b)
        for a in rules.grid.adjacent[field.hex("3628")]
        for b in rules.grid.adjacent[field.hex("3629")]
        if rules.grid.distance(a, b) == 3
        and {rules.grid.ids[h] for h in bits(ground.sight.between(a, b))} == {"3628", "3629"}
    ]
    assert lines
    for a, b in lines:
        assert observation.is_direct(rules, a, b) == (
            max(ground.level[a], ground.level[b]) > ground.level[field.hex("3628")]
        )


def test_what_counts_as_observed_in_the_preparatory_bombardment() -> None:
    field = Field(FOG)
    rules, ground, state = field.rules, field.rules.ground, field.state
    dim = rules.blind[FOG]
    found = observation.in_preparation(rules, state, AHG)
    foggy_trench = next(h for h in bits(ground.trench[ITALIAN]) if dim >> h & 1)
    assert found >> foggy_trench & 1
    for hexes in (ground.observers, ground.roads, ground.bridged, ground.trench[AHG]):
        assert not hexes & ground.extent & ~found
    assert all(found >> trench.hex & 1 for trench in ground.side_trenches)
    nothing = next(field.hexes(lambda h: bool(ground.woods >> h & 1) and not found >> h & 1))
    field.gun("light", ITALIAN, nothing)
    assert observation.in_preparation(rules, state, AHG) >> nothing & 1
    assert not observation.in_barrage(rules, state, AHG)
