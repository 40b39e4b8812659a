"""The map in characters: hexes drawn as such, with heights, places, works, water, crags and the stacks a seat sees.

A hex is eight characters wide and four lines high; its sides carry water, crags and crossings.

     ______
    /2312t5\\
   / Kobilek\\
   \\I 6-5+2 /
    \\______/
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from fronte.engine.rules import Rules
from fronte.engine.sketch import CLIFF, DRY, RIVER, STREAM, HexSketch, SideSketch, Sketch
from fronte.engine.view import Piece, View
from fronte.hexes import Grid

WIDE, HIGH = 8, 4
STYLES = {"water": "blue", "cliff": "bold yellow", "place": "yellow", "reach": "bold cyan"}
FORCE_STYLES = ("bold green", "bold red", "bold magenta", "bold cyan")
"""By the order in which a scenario names its forces."""
LINES = {DRY: ("_", "/", "\\"), STREAM: ("~", "(", ")"), RIVER: ("≈", "{", "}"), CLIFF: ("^", "^", "^")}
"""How a hexside is drawn: level, rising, falling."""
# Where the two lines of each side of a hex stand, counted from the left end of its upper edge: (line, column).
# Up, upper right, lower right, down, lower left, upper left, as in hexes.grid.
SLANTS = {1: ((1, 7), (2, 8)), 2: ((3, 8), (4, 7)), 4: ((3, -1), (4, 0)), 5: ((1, 0), (2, -1))}


class Sheet:
    """A sheet of characters, each with a style."""

    def __init__(self, lines: int, columns: int) -> None:
        self.columns = columns
        self.cells = [[(" ", "")] * columns for _ in range(lines)]

    def put(self, line: int, column: int, text: str, style: str = "") -> None:
        """Write from here to the right; what falls off the sheet is lost."""
        if 0 <= line < len(self.cells):
            for k, char in enumerate(text):
                if 0 <= column + k < self.columns:
                    self.cells[line][column + k] = (char, style)

    def text(self) -> Text:
        """The sheet to print, without blank ends."""
        out = Text()
        for line in self.cells:
            width = max((k + 1 for k, (char, _) in enumerate(line) if char != " "), default=0)
            for char, style in line[:width]:
                out.append(char, style or None)
            out.append("\n")
        out.rstrip()
        return out


def section(grid: Grid, centre: str, columns: int, rows: int) -> list[str]:
    """The hexes of a part of the board of this size, as near the middle as the edge allows."""
    first = _window(int(centre[:2]), columns, min(grid.column), max(grid.column))
    top = _window(int(centre[2:]), rows, min(grid.row), max(grid.row))
    return [
        name
        for name, c, r in zip(grid.ids, grid.column, grid.row, strict=True)
        if first <= c < first + columns and top <= r < top + rows
    ]


def _window(middle: int, size: int, low: int, high: int) -> int:
    return max(low, min(middle - size // 2, high - size + 1))


def fitting(width: int, height: int) -> tuple[int, int]:
    """How many columns and rows of hexes fit into a terminal, with some lines left for the words."""
    return max(3, (width - 2) // WIDE), max(3, (height - 8) // HIGH)


def strips(hexes: list[str], columns: int) -> list[list[str]]:
    """A part of the board cut into strips of at most so many columns, to be printed one below the other."""
    there = sorted({name[:2] for name in hexes})
    cuts = [there[first : first + columns] for first in range(0, len(there), columns)]
    return [[name for name in hexes if name[:2] in cut] for cut in cuts]


def draw(
    rules: Rules[Any], view: View, letters: Mapping[str, str], hexes: list[str], reach: Mapping[str, str] | None = None
) -> Text:
    """Draw these hexes as a seat sees them. `letters` stand for the forces, `reach` is written into hexes.

    Where the scenario has an extent, what lies outside stays blank.
    """
    grid = rules.grid
    first, top = min(int(h[:2]) for h in hexes), min(int(h[2:]) for h in hexes)
    across, down = max(int(h[:2]) for h in hexes) - first + 1, max(int(h[2:]) for h in hexes) - top + 1
    sheet = Sheet(down * HIGH + HIGH // 2 + 1, across * WIDE + 2)
    sketch = rules.sketch(view)
    stacks = seen_stacks(view)
    extent = rules.setting.extent
    for name in [name for name in hexes if not extent or name in extent or name in stacks]:
        column, row = int(name[:2]), int(name[2:])
        line = (row - top) * HIGH + (HIGH // 2 if grid.is_low(column) else 0)
        left = (column - first) * WIDE + 1
        _frame(grid, sketch, sheet, name, line, left)
        there = sketch.hexes.get(name, HexSketch())
        sheet.put(line + 1, left + 1, f"{name}{there.ground}", "dim")
        found = (reach or {}).get(name, "")
        if name in stacks:
            _stack(rules, sheet, letters, stacks[name], there, line, left, found)
        else:
            sheet.put(line + 2, left, f"{there.mark}{there.name}"[:WIDE].center(WIDE), STYLES["place"])
            sheet.put(line + 3, left, f"{found:^{WIDE}}", STYLES["reach"])
    return sheet.text()


def _frame(grid: Grid, sketch: Sketch, sheet: Sheet, name: str, line: int, left: int) -> None:
    for direction, other in enumerate(grid.neighbours[grid.index[name]]):
        side = sketch.side(name, grid.ids[other]) if other >= 0 else SideSketch()
        level, rising, falling = LINES[side.line]
        style = STYLES["cliff"] if side.line == CLIFF else STYLES["water"] if side.line else "dim"
        if direction in (0, 3):
            at = line if direction == 0 else line + HIGH
            sheet.put(at, left + 1, level * 6, style)
            if side.crossing:
                sheet.put(at, left + 3, side.crossing * 2)
            continue
        for down, right in SLANTS[direction]:
            sheet.put(line + down, left + right, falling if direction in (1, 4) else rising, style)
        if side.crossing:
            down, right = SLANTS[direction][0]
            sheet.put(line + down, left + right, side.crossing)


def _stack(
    rules: Rules[Any],
    sheet: Sheet,
    letters: Mapping[str, str],
    stack: list[Piece],
    there: HexSketch,
    line: int,
    left: int,
    reach: str,
) -> None:
    """The piece on top, what stands on its face, and how many are known to lie under it."""
    top = stack[0]
    style = FORCE_STYLES[list(rules.setting.forces).index(top.force) % len(FORCE_STYLES)]
    name = short_name(rules.texts("en").names.unit.get(top.id, top.id) or "?")
    sheet.put(line + 2, left, f"{name[:WIDE]:^{WIDE}}", style)
    under = f"+{len(stack) - 1}" if len(stack) > 1 else ""
    below = f"{letters.get(top.force, top.force[:1])} {rules.face_text(top, brief=True)}{under}{there.mark}"
    if len(below) > WIDE:
        below = below.replace(" ", "")
    sheet.put(line + 3, left, f"{reach or below:^{WIDE}}"[:WIDE], STYLES["reach"] if reach else style)


def short_name(name: str) -> str:
    """A printed name in eight characters: what makes it different stands at its end (ART. XXIV/1)."""
    first, _, rest = name.partition(" ")
    return name if len(name) <= WIDE or not rest else f"{first[0]}{rest.replace(' ', '')}"


def seen_stacks(view: View) -> dict[str, list[Piece]]:
    """For each occupied hex the pieces that a seat sees or knows to be there, the top one first."""
    found: dict[str, list[Piece]] = {}
    for piece in view.pieces:
        found.setdefault(piece.at, []).append(piece)
    for stack in found.values():
        stack.sort(key=lambda piece: -piece.order)
    return found
