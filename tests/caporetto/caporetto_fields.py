"""Small boards of Caporetto: a few hexes and hexsides, all else clear ground at level 3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from fronte.engine.pack import Pack
from fronte.games.caporetto.supply import Lines
from fronte.games.caporetto.terrain import HEX_COLUMNS, SIDE_COLUMNS, Ground
from fronte.games.common.tiny import board_toml, hexes_csv, hexsides_csv, tiny_grid
from fronte.hexes import bits, mask_of

PLAIN = {
    "terrain": "clear", "level": 3, "control": "italian", "control27": "italian", "sector": "left",
    "scenario3": True, "scenario4": True,
}  # fmt: skip
Said = Mapping[str, Mapping[str, Any]]


def field(span: str, hexes: Said | None = None, sides: Said | None = None, scenario: int = 2) -> Ground:
    """A board of the hexes from the first to the last that `span` names."""
    board = {"span": span, "odd_columns_lower": False, "hex": hexes or {}, "side": sides or {}}
    grid = tiny_grid(board)
    files = {
        "board.toml": board_toml(grid),
        "hexes.csv": hexes_csv(board, grid, HEX_COLUMNS, lambda _, said: PLAIN | dict(said)),
        "hexsides.csv": hexsides_csv(board, SIDE_COLUMNS, SIDE_COLUMNS[2:-1], lambda _, said: said),
    }
    return Ground(Pack([], files), scenario)


def way(kind: str, *hexes: str) -> dict[str, dict[str, bool]]:
    """A road, trail or railway from hex to hex."""
    return {f"{a}/{b}": {kind: True} for a, b in pairwise(hexes)}


def column(number: int, first: int, last: int) -> list[str]:
    """The hexes of a column, which lie one below the other."""
    return [f"{number:02d}{row:02d}" for row in range(first, last + 1)]


def mask(ground: Ground, hexes: Iterable[str]) -> int:
    return mask_of(ground.grid.index[name] for name in hexes)


def names(ground: Ground, hexes: int) -> list[str]:
    return [ground.grid.ids[h] for h in bits(hexes)]


def lines(ground: Ground, source: str, **given: Any) -> Lines:
    """Supply lines to one source over the whole board, all bridges standing but those blown at the start."""
    masks = {key: mask(ground, given.pop(key, ())) for key in ("friends", "enemies", "zones", "interdicted")}
    standing = ground.all_bridges & ~ground.blown
    plain = {"inside": ground.extent, "standing": standing} | given
    return Lines(sources=mask(ground, [source]), **plain, **masks)
