"""7.6, 9.2, 9.4: everybody on the board when a scenario begins is supplied, and every formation can be activated."""

from __future__ import annotations

import pytest
from caporetto_setups import GUNS, SCENARIOS, Start, Unit, start

from fronte.games.caporetto.supply import supplied
from fronte.games.caporetto.terrain import AHG, COMMON, ITALIAN, LEFT
from fronte.hexes import bits

WEATHERS = [("historical", ""), ("what_if", ""), *((scenario, "clear") for scenario in SCENARIOS)]
"""The weather of the first turn, and clear weather as of turn 3: guns see farther then, and all zones count."""


def sector_of(begin: Start, unit: Unit) -> str:
    """24.3: where a unit's lines run; the brigade Vicenza begins across the line."""
    if begin.ground.scenario != 1:
        return ""
    return LEFT if unit.formation == "it-vicenza" else unit.sector


def told(begin: Start, units: list[Unit]) -> list[str]:
    return [f"{unit.name} in {begin.ground.grid.ids[unit.at]}" for unit in units]


@pytest.mark.parametrize(
    ("scenario", "ahg", "italian"),
    [("historical", 183, 209), ("what_if", 183, 233), ("cividale", 51, 42), ("maggiore", 34, 29)],
)
def test_how_many_begin_on_the_board(scenario: str, ahg: int, italian: int) -> None:
    begin = start(scenario)
    assert [sum(u.side == side for u in begin.units) for side in (AHG, ITALIAN)] == [ahg, italian]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_everybody_begins_in_the_area_behind_the_own_front_and_in_the_own_sector(scenario: str) -> None:
    """24.3, 26.2, 27.2; but for the Vicenza."""
    begin = start(scenario)
    ground = begin.ground
    assert told(begin, [u for u in begin.units if not ground.extent >> u.at & 1]) == []
    assert told(begin, [u for u in begin.units if not ground.held[u.side] >> u.at & 1]) == []
    if ground.scenario == 1:
        outside = [u for u in begin.units if not ground.inside[u.sector] >> u.at & 1]
        assert {u.formation for u in outside} == {"it-vicenza"}
        common = {u.formation for u in begin.units if ground.sector[COMMON] >> u.at & 1}
        assert common == {"it-taro", "it-salerno"}


@pytest.mark.parametrize(("scenario", "weather"), WEATHERS)
def test_everybody_on_the_board_is_supplied(scenario: str, weather: str) -> None:
    begin = start(scenario, weather)
    hungry = []
    for side in (AHG, ITALIAN):
        for sector in begin.parts():
            fed = supplied(begin.ground, begin.lines(side, sector))
            mine = [u for u in begin.units if u.side == side and sector_of(begin, u) == sector]
            hungry += [u for u in mine if not fed >> u.at & 1]
    assert told(begin, hungry) == []


@pytest.mark.parametrize(("scenario", "weather"), WEATHERS)
def test_every_formation_can_be_activated(scenario: str, weather: str) -> None:
    """7.6, 9.4.1: a headquarters finds a supplied hex with each of its units in its range; guns deny no road that
    matters. To the Germans they never do."""
    begin = start(scenario, weather)
    grid = begin.ground.grid
    without = []
    formations = sorted({u.formation for u in begin.units if u.formation and u.kind not in GUNS} & set(begin.command))
    assert len(formations) >= 10
    for name in formations:
        units = [u for u in begin.units if u.formation == name]
        first = units[0]
        denied = first.nation != "german"
        fed = supplied(begin.ground, begin.lines(first.side, sector_of(begin, first), denied))
        if not all(fed & grid.within(u.at, begin.command[name]) for u in units):
            without.append(name)
    assert without == []


@pytest.mark.parametrize("scenario", SCENARIOS[:2])
def test_reinforcements_come_by_roads_of_their_side(scenario: str) -> None:
    """5.1, 21.7: where supply comes from; or over the bridge of Canale, and at Tolmino."""
    begin = start(scenario)
    ground = begin.ground
    entries = {(u.side, u.at) for u in begin.later}
    assert len(entries) >= 7
    others = {ground.grid.ids[at] for side, at in entries if not ground.sources[side] >> at & 1}
    assert others == ({"1111", "1625"} if scenario == "historical" else {"1625"})
    for _, at in entries:
        assert ground.roads >> at & 1, ground.grid.ids[at]
    canale = ground.grid.index["1111"]
    assert ground.left_bank >> canale & 1
    assert any(canale in (bridge.a, bridge.b) and bridge.isonzo for bridge in ground.bridges)


def test_objectives_of_the_27th_are_italian() -> None:
    """26.3, 27.3."""
    for scenario in ("cividale", "maggiore"):
        ground = start(scenario).ground
        worth = [h for h in ground.points if ground.extent >> h & 1]
        theirs = {ground.grid.ids[h] for h in worth if ground.held[AHG] >> h & 1}
        assert not theirs & {"3303", "3002", "2602", "2401", "2006", "2106", "2405", "2503", "3906", "4005", "4207"}
        assert all(ground.extent >> h & 1 for side in (AHG, ITALIAN) for h in bits(ground.sources[side]))
