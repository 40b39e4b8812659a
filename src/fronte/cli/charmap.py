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

from fronte.games.inferno.ground import DRY, ISONZO, RIVER, STREAM, Hexside

WIDE, HIGH = 8, 4
SIDE_LETTER = {"italian": "I", "ah": "A"}
STYLES = {
    "italian": "bold green",
    "ah": "bold red",
    "water": "blue",
    "crag": "bold yellow",
    "place": "yellow",
    "reach": "bold cyan",
}
CRAG = "^"
MOUNTAINS = {"low_mountain": "m", "high_mountain": "M"}
DIAGONALS = {DRY: "/\\", STREAM: "()", RIVER: "{}", ISONZO: "{}"}
LEVELS = {DRY: "_", STREAM: "~", RIVER: "≈", ISONZO: "≈"}
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


def section(rules: Any, centre: str, columns: int, rows: int) -> list[str]:
    """The hexes of a part of the board of this size, as near the middle as the edge allows."""
    grid = rules.board.grid
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


def draw(rules: Any, view: Mapping[str, Any], hexes: list[str], reach: Mapping[str, str] | None = None) -> Text:
    """Draw these hexes as a seat sees them. `reach`: what to write into hexes that a unit can reach."""
    grid = rules.board.grid
    first, top = min(int(h[:2]) for h in hexes), min(int(h[2:]) for h in hexes)
    across, down = max(int(h[:2]) for h in hexes) - first + 1, max(int(h[2:]) for h in hexes) - top + 1
    sheet = Sheet(down * HIGH + HIGH // 2 + 1, across * WIDE + 2)
    stacks = seen_stacks(rules, view)
    forts = standing_forts(rules, view)
    for name in hexes:
        column, row = int(name[:2]), int(name[2:])
        line = (row - top) * HIGH + (HIGH // 2 if grid.is_low(column) else 0)
        left = (column - first) * WIDE + 1
        _frame(rules, view, sheet, name, line, left)
        mark = place_mark(rules, name) + ("F" if name in forts else "")
        _inside(rules, sheet, name, line, left, mark, stacks.get(name), (reach or {}).get(name, ""))
    return sheet.text()


def _frame(rules: Any, view: Mapping[str, Any], sheet: Sheet, name: str, line: int, left: int) -> None:
    board = rules.board
    h = board.grid.index[name]
    for direction, other in enumerate(board.grid.neighbours[h]):
        number = board.side_at.get((h, other), -1)
        side = board.sides[number] if number >= 0 else None
        level, slants, style = _strokes(side)
        mark = crossing(rules, view, number) if side else ""
        if direction in (0, 3):
            at = line if direction == 0 else line + HIGH
            sheet.put(at, left + 1, level * 6, style)
            if mark:
                sheet.put(at, left + 3, mark * 2)
            continue
        slant = slants[direction in (1, 4)]
        for down, right in SLANTS[direction]:
            sheet.put(line + down, left + right, slant, style)
        if mark:
            down, right = SLANTS[direction][0]
            sheet.put(line + down, left + right, mark)


def _strokes(side: Hexside | None) -> tuple[str, str, str]:
    """How a hexside is drawn: its character when level, the two when slanting, and their style."""
    if side is not None and side.crag:
        return CRAG, CRAG * 2, STYLES["crag"]
    water = side.water if side else DRY
    return LEVELS[water], DIAGONALS[water], STYLES["water"] if water != DRY else "dim"


def crossing(rules: Any, view: Mapping[str, Any], number: int) -> str:
    """What leads across a hexside: p pontoon, x broken bridge, = bridge, + road, : trail or railway."""
    side = rules.board.sides[number]
    name = rules.board.hexside_name(number)
    if name in view.get("pontoons", {}).values():
        return "p"
    if number in rules.board.bridge_at:
        return "x" if name in view.get("destroyed", ()) else "="
    if not side.has_route or (side.water and not side.trail):
        return ""
    return "+" if side.road else ":"


def place_mark(rules: Any, name: str) -> str:
    """# for a peak, o for a settlement."""
    h = rules.grid_index[name]
    return "#" if rules.board.peaks >> h & 1 else "o" if rules.board.settlements >> h & 1 else ""


def standing_forts(rules: Any, view: Mapping[str, Any]) -> frozenset[str]:
    """12.2.d: the hexes of fortresses, which never leave them; that one has fallen is known to all."""
    fallen = {*view["eliminated"], *(unit["id"] for unit in view["own"] if unit["hex"] == "eliminated")}
    forts = [counter for counter in rules.counters if counter.type == "fortress" and counter.id not in fallen]
    return frozenset(name for counter in forts for name in counter.setup)


def _inside(rules: Any, sheet: Sheet, name: str, line: int, left: int, mark: str, stack: Any, reach: str) -> None:
    board = rules.board
    h = board.grid.index[name]
    sheet.put(line + 1, left + 1, f"{name}{ground(rules, h)}{height(rules, h)}", "dim")
    if stack is None:
        sheet.put(line + 2, left, f"{mark}{board.name[h]}"[:WIDE].center(WIDE), STYLES["place"])
        sheet.put(line + 3, left, f"{reach:^{WIDE}}", STYLES["reach"])
        return
    side, unit, values, under = stack
    style = STYLES[side]
    sheet.put(line + 2, left, f"{short_name(unit)[:WIDE]:^{WIDE}}", style)
    below = f"{SIDE_LETTER[side]} {values}{under}{mark}"
    if len(below) > WIDE:
        below = below.replace(" ", "")
    sheet.put(line + 3, left, f"{reach or below:^{WIDE}}"[:WIDE], STYLES["reach"] if reach else style)


def short_name(name: str) -> str:
    """A printed name in eight characters: what makes it different stands at its end (ART. XXIV/1)."""
    first, _, rest = name.partition(" ")
    return name if len(name) <= WIDE or not rest else f"{first[0]}{rest.replace(' ', '')}"


def height(rules: Any, h: int) -> str:
    """One character for the level: 1 to 9, X for ten; . for low ground, % for swamp."""
    level = rules.board.level[h]
    if not level:
        return "%" if rules.board.terrain[h] == "swamp" else "."
    return "X" if level == 10 else str(level)


def ground(rules: Any, h: int) -> str:
    """T for an Italian trench, t for an Austro-Hungarian one; m and M for mountains that their level does not tell."""
    board = rules.board
    if board.trench[0] >> h & 1:
        return "T"
    if board.trench[1] >> h & 1:
        return "t"
    terrain = board.terrain[h]
    told = all(board.terrains[terrain] != levels for other, levels in board.terrains.items() if other != terrain)
    return " " if told else MOUNTAINS.get(terrain, " ")


def seen_stacks(rules: Any, view: Mapping[str, Any]) -> dict[str, tuple[str, str, str, str]]:
    """For each occupied hex what a seat sees: the side, the name and values of the top unit, what lies under it."""
    found: dict[str, tuple[str, str, str, str]] = {}
    for side, units in stacks_of(rules, view).items():
        for name, stack in units.items():
            top = stack[0]
            counter = rules.counters[rules.number[top["id"]]]
            face = counter.faces[top["steps"] - 1]
            values = f"({face.av})" if counter.is_gun else f"{face.attack}-{face.defence}"
            hidden = len(stack) - 1 if side == view["seat"] else view.get("sizes", {}).get(name, 1) - 1
            found[name] = (side, counter.name, values, f"+{hidden}" if hidden else "")
    return found


def stacks_of(rules: Any, view: Mapping[str, Any]) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """The units on the map that a seat sees, by side and hex, the top unit first (5.3)."""
    seats = rules.seats
    sides = {view["seat"]: view["own"], seats[1 - seats.index(view["seat"])]: view["enemy"]}
    found: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for side, units in sides.items():
        stacks = found.setdefault(side, {})
        for unit in units:
            if unit["hex"] in rules.grid_index:
                stacks.setdefault(unit["hex"], []).append(unit)
        for stack in stacks.values():
            stack.sort(key=lambda unit: _height(rules, unit), reverse=True)
    return found


def _height(rules: Any, unit: Mapping[str, Any]) -> tuple[int, int, bool, int]:
    """5.3: how high a unit lies in its stack."""
    number = rules.number[unit["id"]]
    counter = rules.counters[number]
    rank = 0 if counter.is_gun else 1 if counter.is_engineer else 2
    return rank, counter.faces[unit["steps"] - 1].attack, "top" in unit.get("marks", ()), -number
