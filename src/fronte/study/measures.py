"""What the games of each variant come to, read from the tables: what the figures of a report show of any game."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from fronte.engine.rules import Rules
from fronte.study.family import part
from fronte.study.plan import Plan, ruleset_of
from fronte.study.statistics import Numbers
from fronte.study.tables import read_table, tables_of
from fronte.study.words import Words


class Measure(NamedTuple):
    """Something counted in every game; `is_share` where it is 0 or 1."""

    name: str
    values: Numbers
    is_share: bool = False


class Dice(NamedTuple):
    """Throws of one kind: who threw them, what they could bring to whom, how many; what fell and was due by game."""

    kind: str
    seat: str | None
    what: str
    force: str | None
    throws: int
    fell: Numbers
    expected: Numbers


class Sample:
    """The games of one variant, in the order of their numbers."""

    shown: ClassVar[dict[str, list[str]]] = {}
    """The columns that a report needs of tables of which it does not need all."""
    side: ClassVar[str] = "force"
    """The column of the table of turns that says whose row it is."""
    turn_columns: ClassVar[tuple[str, ...]] = ("pieces", "lost", "hexes", "objectives")

    def __init__(self, plan: Plan, number: int, tables: Mapping[str, pa.Table]) -> None:
        self.plan, self.variant = plan, plan.variants[number]
        self.rules: Rules[Any] = ruleset_of(plan.game, self.variant)
        self.seats: tuple[str, ...] = self.rules.seats
        self.sides = tuple(self.rules.setting.forces)
        """Whose rows the tables tell apart: the forces."""
        self._tables = tables
        games = self._columns("games")
        self.games = len(games["game"])
        self.level: list[str] = games["level"]
        self.winner: list[str | None] = games["winner"]
        self.ended_by = [", ".join(rules) for rules in games["ended_by"]]
        self.last_turn = _numbers(games["last_turn"])
        self.turns = list(range(min(games["first_turn"]), max(games["last_turn"]) + 1))
        self.scorer = self.seats[0]
        """The seat that the score of the report counts for."""
        self.score: Numbers = np.array([])
        """What every game was worth to that seat."""
        self.read_games(games)

    def read_games(self, games: Mapping[str, list[Any]]) -> None:
        """Read what only some families tell of a whole game."""
        self.merits = {seat: _numbers([row[k] for row in games["merits"]]) for k, seat in enumerate(self.seats)}
        self.score = self.merits[self.scorer]

    @cached_property
    def levels(self) -> list[str]:
        """The levels of victory from the lowest on; those that no score gives by what they are worth to the scorer."""
        known = [name for name, _ in self.rules.setting.levels]
        others = sorted(set(self.level) - set(known))
        worth = {
            one: fmean(s for s, level in zip(self.score, self.level, strict=True) if level == one) for one in others
        }
        return known + sorted(others, key=lambda one: (worth[one], one))

    def _columns(self, table: str) -> dict[str, list[Any]]:
        found = self._tables[table]
        columns: dict[str, list[Any]] = found.filter(pc.equal(found["variant"], self.variant.name)).to_pydict()
        return columns

    def wins(self, seat: str | None) -> Numbers:
        """For each game 1 if this seat won it (None: a draw), else 0."""
        return np.array([float(winner == seat) for winner in self.winner])

    def counted(self, words: Words) -> list[Measure]:
        """What variants are compared by, the score first: it is the question of a study."""
        return [
            *self.results(words),
            *(Measure(words("m_lost", side=words.seat(one)), self.lost("lost", one)) for one in self.sides),
            Measure(words("m_turns"), self.last_turn),
        ]

    def results(self, words: Words) -> list[Measure]:
        """The score, and who wins."""
        found = [Measure(words("m_score", seat=words.seat(self.scorer)), self.score)]
        for seat in self.seats:
            found.append(Measure(words("m_wins", seat=words.seat(seat)), self.wins(seat), is_share=True))
        return [*found, Measure(words("m_draw"), self.wins(None), is_share=True)]

    # Turn by turn

    @cached_property
    def _by_turn(self) -> dict[tuple[str, str], Numbers]:
        """For each column of the table of turns and each side the numbers by turn and game."""
        rows = self._columns("turns")
        found: dict[tuple[str, str], Numbers] = {}
        for column in self.turn_columns:
            keys = zip(rows[self.side], rows["turn"], rows["game"], rows[column], strict=True)
            some = self._spread((one, turn, game, value) for one, turn, game, value in keys)
            found |= {(column, one): some.get(one, self._nothing()) for one in self.sides}
        return found

    def _nothing(self) -> Numbers:
        return np.full((len(self.turns), self.games), np.nan)

    def _spread(self, rows: Iterable[tuple[str, int, int, int | None]]) -> dict[str, Numbers]:
        """Numbers by turn and game, apart by what they are called; not a number where there is none."""
        found: dict[str, Numbers] = {}
        for name, turn, game, value in rows:
            values = found.setdefault(name, self._nothing())
            values[turn - self.turns[0], game] = np.nan if value is None else value
        return found

    def by_turn(self, column: str, side: str) -> Numbers:
        """A column of the table of turns by turn and game; not a number where a game had ended."""
        return self._by_turn[column, side]

    def stayed(self, column: str, side: str) -> Numbers:
        """The same, but a game that has ended stays as it ended."""
        values = self._by_turn[column, side].copy()
        for row in range(1, len(values)):
            values[row] = np.where(np.isnan(values[row]), values[row - 1], values[row])
        return values

    def lost(self, column: str, side: str) -> Numbers:
        """What a side lost in each game, by a column of the table of turns."""
        total: Numbers = np.nansum(self._by_turn[column, side], axis=0)
        return total

    @cached_property
    def tracks(self) -> dict[str, dict[str, Numbers]]:
        """For each track and force (empty: nobody's) what stood on it, by turn and game."""
        rows = self._columns("tracks")
        found: dict[str, dict[str, Numbers]] = {}
        for track in dict.fromkeys(rows["track"]):
            keys = zip(rows["track"], rows["force"], rows["turn"], rows["game"], rows["value"], strict=True)
            found[track] = self._spread((force or "", *rest) for name, force, *rest in keys if name == track)
        return found

    # The board

    @cached_property
    def board(self) -> dict[str, list[Any]]:
        """The table of hexes."""
        return self._columns("hexes")

    def ground(self, column: str, mine: Container[str | None]) -> NDArray[np.bool_]:
        """By turn, game and hex of the board: is it held by one of these at the end of the turn? The column says who
        holds a hex; games stay as they ended."""
        board, rows = self.board, self._columns("control")
        place = {name: n for n, name in enumerate(board["hex"])}
        found = np.empty((len(self.turns), self.games, len(place)), dtype=bool)
        now = np.tile(np.array([one in mine for one in board[column]]), (self.games, 1))
        changes: list[list[tuple[int, int, bool]]] = [[] for _ in self.turns]
        for turn, game, name, who in zip(rows["turn"], rows["game"], rows["hex"], rows[column], strict=True):
            changes[turn - self.turns[0]].append((game, place[name], who in mine))
        for number, some in enumerate(changes):
            for game, hex_number, is_mine in some:
                now[game, hex_number] = is_mine
            found[number] = now
        return found

    def loss_map(self, side: str) -> dict[str, float]:
        """Pieces that a side loses per game, by the hex where it loses them."""
        rows = self._columns("losses")
        mine = [where for where, owner in zip(rows["hex"], rows[self.side], strict=True) if owner == side]
        return per_game(mine, None, self.games)

    def throw_map(self) -> dict[str, float]:
        """Throws per game by the hex they are about."""
        rows = self._columns("throws")
        once = dict.fromkeys(zip(rows["game"], rows["throw"], rows["hex"], strict=True))
        return per_game([where for _, _, where in once if where is not None], None, self.games)

    def pieces_lost(self, side: str) -> list[tuple[str, float]]:
        """How often each piece of a side is lost, most often first; one that comes back may fall again."""
        rows = self._columns("losses")
        mine = [piece for piece, owner in zip(rows["piece"], rows[self.side], strict=True) if owner == side]
        return sorted(per_game(mine, None, self.games).items(), key=lambda item: (-item[1], item[0]))

    def piece_name(self, piece: str) -> str:
        """A piece by its printed name and its own; one that was made in play has only the latter."""
        printed = self.rules.texts("en").names.unit.get(piece)
        return f"{printed} ({piece})" if printed else piece

    # Luck

    @cached_property
    def _told(self) -> list[dict[str, Any]]:
        """What throws could bring, as far as it is told what fell."""
        rows = self._columns("throws")
        every = (dict(zip(rows, row, strict=True)) for row in zip(*rows.values(), strict=True))
        return [row for row in every if row["fell"] is not None and row["loser"] is not None]

    @cached_property
    def luck(self) -> Numbers:
        """For each game what the dice gave the scorer beyond what could be expected: spared it, or took from others."""
        total = np.zeros(self.games)
        for row in self._told:
            gain = row["fell"] - row["expected"]
            total[row["game"]] += -gain if row["loser"] == self.scorer else gain
        return total

    @cached_property
    def dice(self) -> list[Dice]:
        """What fell and what was due, by kind of throw, by whom and to whom."""
        found: dict[tuple[Any, ...], Dice] = {}
        for row in self._told:
            key = (row["kind"], row["seat"], row["what"], row["force"] or row["loser"])
            one = found.get(key) or Dice(*key, 0, np.zeros(self.games), np.zeros(self.games))
            one.fell[row["game"]] += row["fell"]
            one.expected[row["game"]] += row["expected"]
            found[key] = one._replace(throws=one.throws + 1)
        return [found[key] for key in sorted(found, key=str)]


SAMPLE = Sample


def _numbers(values: Sequence[int]) -> Numbers:
    return np.array(values, dtype=np.float64)


def per_game(names: Sequence[str], weights: Sequence[int] | None, games: int) -> dict[str, float]:
    """How much of each comes in a game, by name."""
    found: dict[str, float] = {}
    for k, name in enumerate(names):
        found[name] = found.get(name, 0.0) + (1 if weights is None else weights[k])
    return {name: value / games for name, value in sorted(found.items())}


def read_samples(plan: Plan, folder: Path) -> list[Any]:
    """The variants of a finished study, each as the family of its game reads it."""
    kind: type[Sample] = part(plan.game, "measures").SAMPLE
    tables = {table: read_table(folder, table, kind.shown.get(table)) for table in tables_of(plan)}
    return [kind(plan, number, tables) for number in range(len(plan.variants))]
