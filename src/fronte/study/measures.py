"""What the games of each variant come to, read from the tables: everything that the figures of a report show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from fronte.hexes import bits, mask_of
from fronte.hexes.grid import Grid
from fronte.study.plan import Plan, ruleset_of
from fronte.study.statistics import Numbers
from fronte.study.tables import SCHEMAS, read_table

SHOWN = {
    "combats": ["variant", "game", "turn", "seat", "target", "outcome", "attack_loss", "defence_loss"]
    + ["attack_loss_expected", "defence_loss_expected"],
}
"""The columns that a report needs of tables of which it does not need all."""


POCKET = 6
"""An area of fewer hexes is no part of the front."""


class Objective(NamedTuple):
    """An objective: who holds it at the start, and in which games the other side held it at the end of each turn."""

    hex: str
    name: str
    worth: int
    seat: str
    fallen: NDArray[np.bool_]
    """By turn and game."""


class Sample:
    """The games of one variant, in the order of their numbers."""

    def __init__(self, plan: Plan, number: int, tables: Mapping[str, pa.Table]) -> None:
        self.plan, self.variant = plan, plan.variants[number]
        self.rules: Any = ruleset_of(plan.game, self.variant)
        self.seats: tuple[str, ...] = self.rules.seats
        self.levels = [name for name, _ in self.rules.setting.levels]
        self._tables = tables
        games = self._columns("games")
        self.games = len(games["game"])
        self.score = _numbers(games["score"])
        self.level: list[str] = games["level"]
        self.winner: list[str | None] = games["winner"]
        self.ended_by = [", ".join(rules) for rules in games["ended_by"]]
        self.combats = _numbers(games["combats"])
        self.last_turn = _numbers(games["last_turn"])
        self.turns = list(range(min(games["first_turn"]), max(games["last_turn"]) + 1))

    def _columns(self, table: str) -> dict[str, list[Any]]:
        found = self._tables[table]
        columns: dict[str, list[Any]] = found.filter(pc.equal(found["variant"], self.variant.name)).to_pydict()
        return columns

    @cached_property
    def scorer(self) -> str:
        """The seat that the score counts for: the one that wins at the higher levels."""
        middle = (len(self.levels) - 1) / 2
        for level, winner in zip(self.level, self.winner, strict=True):
            if winner is not None and level in self.levels:
                high = self.levels.index(level) > middle
                return winner if high else next(seat for seat in self.seats if seat != winner)
        return self.seats[0]

    def wins(self, seat: str | None) -> Numbers:
        """For each game 1 if this seat won it (None: a draw), else 0."""
        return np.array([float(winner == seat) for winner in self.winner])

    # Turn by turn

    @cached_property
    def _by_turn(self) -> dict[tuple[str, str], Numbers]:
        """For each column of the table of turns and each seat the numbers by turn and game."""
        rows = self._columns("turns")
        shape = (len(self.turns), self.games)
        first = self.turns[0]
        found = {}
        for column in ("score", "hexes", "attacks", "units_lost", "steps_lost"):
            for seat in self.seats:
                found[column, seat] = np.full(shape, np.nan)
            for turn, game, seat, value in zip(rows["turn"], rows["game"], rows["seat"], rows[column], strict=True):
                found[column, seat][turn - first, game] = value
        return found

    def by_turn(self, column: str, seat: str) -> Numbers:
        """A column of the table of turns by turn and game; not a number where a game had ended."""
        return self._by_turn[column, seat]

    def stayed(self, column: str, seat: str) -> Numbers:
        """The same, but a game that has ended stays as it ended."""
        values = self._by_turn[column, seat].copy()
        for row in range(1, len(values)):
            values[row] = np.where(np.isnan(values[row]), values[row - 1], values[row])
        return values

    def lost(self, column: str, seat: str) -> Numbers:
        """What a side lost in each game: `steps_lost` or `units_lost`."""
        total: Numbers = np.nansum(self._by_turn[column, seat], axis=0)
        return total

    # The board

    @cached_property
    def board(self) -> dict[str, list[Any]]:
        """The table of hexes."""
        return self._columns("hexes")

    @cached_property
    def held(self) -> NDArray[np.bool_]:
        """By turn, game and hex: does the first seat hold it at the end of the turn? Games stay as they ended."""
        board, rows = self.board, self._columns("control")
        place = {name: n for n, name in enumerate(board["hex"])}
        start = np.array([seat == self.seats[0] for seat in board["seat"]])
        found = np.empty((len(self.turns), self.games, len(start)), dtype=bool)
        now = np.tile(start, (self.games, 1))
        changes: list[list[tuple[int, int, bool]]] = [[] for _ in self.turns]
        for turn, game, name, seat in zip(rows["turn"], rows["game"], rows["hex"], rows["seat"], strict=True):
            changes[turn - self.turns[0]].append((game, place[name], seat == self.seats[0]))
        for number, some in enumerate(changes):
            for game, hex_number, mine in some:
                now[game, hex_number] = mine
            found[number] = now
        return found

    @cached_property
    def objectives(self) -> list[Objective]:
        """The objectives, by who holds them at the start and how often they fall."""
        board = self.board
        found = []
        for n, worth in enumerate(board["objective"]):
            if worth:
                mine = board["seat"][n] == self.seats[0]
                fallen = self.held[:, :, n] != mine
                found.append(Objective(board["hex"][n], board["name"][n], worth, board["seat"][n], fallen))
        other = next(seat for seat in self.seats if seat != self.scorer)
        return sorted(found, key=lambda one: (one.seat != other, -one.fallen[-1].mean(), one.hex))

    def front(self, row: int | None) -> list[tuple[str, str]]:
        """The hexsides between what either side holds in most games at the end of a turn; None: at the start.

        Pockets of a few hexes are left out: they are places where a side passed through, and no front.
        """
        names: list[str] = self.board["hex"]
        if row is None:
            mine = [seat == self.seats[0] for seat in self.board["seat"]]
        else:
            mine = [bool(share > 0.5) for share in self.held[row].mean(axis=0)]
        grid: Grid = self.rules.board.grid
        place = [grid.index[name] for name in names]
        held = mask_of(h for h, is_mine in zip(place, mine, strict=True) if is_mine)
        held = without_pockets(grid, held)
        pairs = [(a, b) for a in range(grid.size) for b in grid.adjacent[a] if a < b]
        return [(grid.ids[a], grid.ids[b]) for a, b in pairs if (held >> a ^ held >> b) & 1]

    def combat_map(self) -> dict[str, float]:
        """Combats per game by the hex attacked."""
        return _per_game(self._columns("combats")["target"], None, self.games)

    def loss_map(self, seat: str) -> dict[str, float]:
        """Steps that a side loses per game, by the hex where it loses them."""
        rows = self._columns("losses")
        mine = [k for k, owner in enumerate(rows["seat"]) if owner == seat]
        return _per_game([rows["hex"][k] for k in mine], [rows["steps"][k] for k in mine], self.games)

    def units_lost(self, seat: str) -> list[tuple[str, float]]:
        """How often each unit of a side is eliminated, most often first; one that comes back may fall again."""
        rows = self._columns("losses")
        chosen = zip(rows["unit"], rows["seat"], rows["eliminated"], strict=True)
        fallen = _per_game([unit for unit, owner, gone in chosen if owner == seat and gone], None, self.games)
        return sorted(fallen.items(), key=lambda item: (-item[1], item[0]))

    # Luck

    @cached_property
    def _dice(self) -> dict[str, list[Any]]:
        """Combats whose odds are known and whose losses were told; a game may end before they are."""
        rows = self._columns("combats")
        known = zip(
            *(rows[f"{side}_loss{of}"] for side in ("attack", "defence") for of in ("", "_expected")), strict=True
        )
        told = [k for k, four in enumerate(known) if None not in four]
        return {name: [column[k] for k in told] for name, column in rows.items()}

    @cached_property
    def luck(self) -> Numbers:
        """For each game what the dice gave the scorer beyond what could be expected, in reductions."""
        rows = self._dice
        total = np.zeros(self.games)
        columns = ("game", "seat", "attack_loss", "attack_loss_expected", "defence_loss", "defence_loss_expected")
        for game, seat, attack, attack_due, defence, defence_due in zip(*(rows[name] for name in columns), strict=True):
            gain = (defence - defence_due) - (attack - attack_due)
            total[game] += gain if seat == self.scorer else -gain
        return total

    def dice(self, seat: str, side: str) -> tuple[int, Numbers, Numbers]:
        """For attacks of a seat: their number, and by game the losses of a side as rolled and as expected."""
        rows = self._dice
        rolled, due = np.zeros(self.games), np.zeros(self.games)
        count = 0
        columns = ("game", "seat", f"{side}_loss", f"{side}_loss_expected")
        for game, attacker, loss, expected in zip(*(rows[name] for name in columns), strict=True):
            if attacker == seat:
                rolled[game] += loss
                due[game] += expected
                count += 1
        return count, rolled, due


def without_pockets(grid: Grid, held: int) -> int:
    """What one side holds, if every connected area of fewer hexes than a pocket has belonged to the other side."""
    for area in (held, grid.everything & ~held):
        left = area
        while left:
            pocket = new = left & -left
            while new:
                around = 0
                for h in bits(new):
                    around |= grid.ring[h]
                new = around & left & ~pocket
                pocket |= new
            left &= ~pocket
            if pocket.bit_count() < POCKET:
                held ^= pocket
    return held


def _numbers(values: Sequence[int]) -> Numbers:
    return np.array(values, dtype=np.float64)


def _per_game(names: Sequence[str], weights: Sequence[int] | None, games: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for k, name in enumerate(names):
        found[name] = found.get(name, 0.0) + (1 if weights is None else weights[k])
    return {name: value / games for name, value in sorted(found.items())}


def read_samples(plan: Plan, folder: Path) -> list[Sample]:
    """The variants of a finished study."""
    tables = {table: read_table(folder, table, SHOWN.get(table)) for table in SCHEMAS}
    return [Sample(plan, number, tables) for number in range(len(plan.variants))]
