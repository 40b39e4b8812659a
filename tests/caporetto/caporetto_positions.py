"""Positions for the tests of Caporetto's chapters: an empty map, open ground, some units."""

from __future__ import annotations

from caporetto_packs import printed

from fronte.games.caporetto.printed import CaporettoPrinted
from fronte.games.caporetto.state import State, begin, put
from fronte.hexes import bits


def field(scenario: str = "what_if", **options: str) -> tuple[CaporettoPrinted, State]:
    """A scenario with nobody on the map, in clear weather."""
    rules = printed(scenario, **options)
    state = begin(rules, b"s")
    for unit, h in enumerate(state.at):
        if h >= 0:
            put(rules, state, unit, -1)
    state.turn = 5
    state.bearers = ()
    return rules, state


def plain(rules: CaporettoPrinted) -> list[int]:
    """Six hexes in a row that all zones reach, with nothing but clear ground around them."""
    ground = rules.ground
    bad = ground.towns | ground.woods | ground.trench[0] | ground.trench[1] | ~ground.extent
    for h in bits(ground.extent):
        row = [h]
        while len(row) < 6 and rules.grid.neighbours[row[-1]][0] >= 0:
            row.append(rules.grid.neighbours[row[-1]][0])
        around = [*row, *(n for one in row for n in rules.grid.adjacent[one])]
        dry = all(not ground.water[way] and not ground.cliff[way] for one in around for way, _ in ground.ways_from(one))
        if len(row) == 6 and dry and not any(bad >> one & 1 for one in around):
            return row
    raise AssertionError("there is no such ground")


def battalion(rules: CaporettoPrinted, side: int, formation: int | None = None) -> int:
    found = rules.formations[formation].members if formation is not None else bits(rules.of_side[side])
    return next(u for u in found if rules.combat >> u & 1 and rules.quarters[u] == 4)
