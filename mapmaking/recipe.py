"""From a recipe to the files of a board: what is the same for all of them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import board, picture, warp
from .board import Draft

Work = Callable[[Draft], None]


@dataclass(frozen=True)
class Recipe:
    """What one board is made of, and how."""

    name: str
    region: str
    """The region of the terrain data."""
    heights: str
    """The file of its heights."""
    hex_columns: Sequence[str]
    side_columns: Sequence[str]
    side_keys: Sequence[str]
    """A hexside that has one of these gets a row."""
    ground: Work
    """Terrain and level of every hex."""
    works: Sequence[Work]
    """What is done when water and routes lie, in order."""
    per_hex: int
    """Pixels of a hex in the picture."""
    about: Mapping[str, str | int | list[int]]


def build(recipe: Recipe, geodata: Path) -> Draft:
    """Make a board and write its files."""
    draft, linear, anchors = board.start(recipe.name, recipe.region, recipe.heights, geodata)
    for name, miss in warp.residuals(draft.grid, anchors, linear):
        print(f"residual before the warp: {name} {miss:.2f} hexes")
    board.settle(draft)
    recipe.ground(draft)
    board.flow(draft)
    board.lay_routes(draft)
    for work in recipe.works:
        work(draft)
    mark(draft)
    folder = board.PROJECT / "src" / "fronte" / "games" / recipe.name / "data"
    folder.mkdir(parents=True, exist_ok=True)
    board.write_rows(folder / "hexes.csv", recipe.hex_columns, [draft.hexes[h] for h in draft.grid.ids])
    board.write_rows(folder / "hexsides.csv", recipe.side_columns, board.finished_sides(draft, recipe.side_keys))
    board.write_about(draft, folder, picture.paint(draft, folder, per_hex=recipe.per_hex), recipe.about)
    return draft


def mark(draft: Draft) -> None:
    """Peaks, and what the rulebook prints."""
    printed = draft.hand["printed"]
    for hex_id, row in draft.hexes.items():
        row["peak"] = 1 if row.get("kind") == "peak" else ""
        row["source"] = "printed" if hex_id in printed["hexes"] else "reconstructed"
    for pair in printed.get("sides", []):
        draft.side(*pair)["source"] = "printed"


def main(recipe: Recipe, about: str | None) -> None:
    """The command that makes one board."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--geodata", type=Path, default=board.GEODATA)
    build(recipe, parser.parse_args().geodata)
