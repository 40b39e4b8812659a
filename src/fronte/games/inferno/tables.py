"""The printed tables: combat results, losses, artillery, victory (table.crt, table.lrt, table.av, table.victory)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from fronte.engine.pack import PackError, table

LONGEST_RETREAT = 6
"""9.2: more hexes than any result says; every way of that length is looked at."""


class Cell(NamedTuple):
    """9.1: one result: modifiers of the loss roll and hexes of retreat for attacker and defender."""

    attack_drm: int
    attack_retreat: int
    defence_drm: int
    defence_retreat: int


class Tables:
    """The tables of a pack, checked."""

    def __init__(self, data: Mapping[str, Any], file: str = "tables.toml") -> None:
        self.data = data
        crt = table(data, file, "crt")
        self.columns: tuple[str, ...] = tuple(crt["columns"])
        self.last = len(self.columns) - 1
        """The highest column that is printed."""
        self.thresholds: tuple[tuple[int, int], ...] = tuple((int(n), int(d)) for n, d in crt["thresholds"])
        if len(self.thresholds) != len(self.columns):
            raise PackError(file, None, "[crt] has not as many thresholds as columns")
        self._known: dict[tuple[int, int], int] = {}
        self.crt: dict[int, tuple[Cell, ...]] = {}
        for roll in range(2, 13):
            row = crt.get(f"row_{roll}")
            if not isinstance(row, list) or len(row) != len(self.columns) or any(len(cell) != 4 for cell in row):
                raise PackError(file, None, f"[crt] row_{roll} must have {len(self.columns)} cells of four numbers")
            self.crt[roll] = tuple(Cell(*cell) for cell in row)
            if any(not 0 <= cell[k] <= LONGEST_RETREAT for cell in self.crt[roll] for k in (1, 3)):
                raise PackError(file, None, f"[crt] row_{roll}: a retreat has 0 to {LONGEST_RETREAT} hexes")
        self.over_drm = int(crt["over_drm"])
        lrt = table(data, file, "lrt")
        self.small_max_steps = int(lrt["small_max_steps"])
        self.small = Bands(lrt["small"])
        self.large = Bands(lrt["large"])
        self.av = Bands(table(data, file, "av_drm")["bands"])
        self.lrt_drm = table(data, file, "lrt_drm")
        self.tec = table(data, file, "tec")
        mp = table(data, file, "mp")
        self.mp: dict[str, int] = {name: int(v) for name, v in mp.items() if name != "source"}
        track = table(data, file, "end_track") if "end_track" in data else {}
        self.end_track: dict[int, int] = {int(k[2:]): int(v) for k, v in track.items() if k.startswith("gt")}
        self.victory: dict[str, int] = {k: int(v) for k, v in table(data, file, "victory").items() if k != "source"}

    def column(self, attack: int, defence: int) -> int:
        """8.1.c/8.1: the highest column not above the ratio: 0 to 8 are printed, 9 is 5:1 and so on, -1 is 1:4."""
        found = self._known.get((attack, defence))
        if found is None:
            found = self._known[attack, defence] = self._column(attack, defence)
        return found

    def _column(self, attack: int, defence: int) -> int:
        last = len(self.thresholds) - 1
        if attack >= 5 * defence:
            return last + attack // defence - 4
        for index in range(last, -1, -1):
            times, over = self.thresholds[index]
            if times * attack >= over * defence:
                return index
        return 3 + (-defence // attack)

    def column_name(self, column: int) -> str:
        """The ratio that a column stands for, as printed: 1:3 up to 4:1, and beyond."""
        last = len(self.columns) - 1
        if column > last:
            return f"{column - last + 4}:1"
        return self.columns[column] if column >= 0 else f"1:{3 - column}"

    def over(self, column: int) -> int:
        """8.2.c/8.2: how many virtual columns a ratio lies above 4:1."""
        return column - self.last if column > self.last else 0

    def result(self, column: int, roll: int) -> Cell:
        """8.3, 8.2.c/8.2: the printed result for a final column and the sum of the two dice."""
        over = self.over(column)
        return self.crt[min(12, max(2, roll + self.over_drm * over))][column - over]

    def reductions(self, steps: int, roll: int) -> int:
        """8.4, 9.4: effectiveness reductions for a modified roll in a combat of so many steps."""
        return self.band(steps)[roll]

    def band(self, steps: int) -> Bands:
        """8.4: the column of the loss table for a combat of so many steps."""
        return self.small if steps <= self.small_max_steps else self.large

    def av_drm(self, av: int) -> int:
        """9.4.1.b: what the opponent's artillery adds to the loss roll."""
        return self.av[av]


class Bands(dict[int, int]):
    """Bands of numbers, each with its least number and its result. Results are cached by number."""

    def __init__(self, rows: list[list[int]]) -> None:
        self.rows = [(int(least), int(result)) for least, result in rows]

    def __missing__(self, number: int) -> int:
        found = 0
        for least, result in self.rows:
            if number >= least:
                found = result
        self[number] = found
        return found
