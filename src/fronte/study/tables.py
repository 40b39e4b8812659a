"""The tables of a study as Parquet files. Their columns are described in docs/studies/README.md and stay as they are.

Rows are in the order of games and variants, whatever the order in which workers finished them, and nothing in the files
tells when or by how many they were played: the same study gives the same bytes.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from fronte.engine.dice import seed_bytes
from fronte.engine.match import Match
from fronte.study.journal import Journal
from fronte.study.plan import Plan, jobs, ruleset_of
from fronte.study.record import Change, Combat, Game, Loss, Played, Turn, first_holders, unpack

GAMES_AT_ONCE = 500
"""How many games make a row group of a file, and are held in memory at a time."""


class Hex(msgspec.Struct, frozen=True):
    """The columns of hexes.parquet besides the variant: the board as the variant begins with it."""

    hex: str
    name: str
    objective: int
    seat: str


TYPES = {int: pa.int32(), str: pa.string(), bool: pa.bool_(), float: pa.float64(), list[str]: pa.list_(pa.string())}
WIDE = {"seed": pa.int64()}


def _schema(row: type[msgspec.Struct], *keys: str) -> pa.Schema:
    """The columns of a table: its keys and the fields of its rows."""
    fields = [pa.field(key, pa.int32() if key == "game" else pa.string(), nullable=False) for key in keys]
    for name, hint in get_type_hints(row).items():
        may_miss = typing.get_origin(hint) in (types.UnionType, typing.Union)
        plain = next(part for part in get_args(hint) if part is not type(None)) if may_miss else hint
        fields.append(pa.field(name, WIDE.get(name, TYPES[plain]), nullable=may_miss))
    return pa.schema(fields)


SCHEMAS = {
    "games": _schema(Game, "variant", "game"),
    "combats": _schema(Combat, "variant", "game"),
    "losses": _schema(Loss, "variant", "game"),
    "control": _schema(Change, "variant", "game"),
    "turns": _schema(Turn, "variant", "game"),
    "hexes": _schema(Hex, "variant"),
}
"""The tables and their columns."""


def path_of(folder: Path, table: str) -> Path:
    """Where a table lies."""
    return folder / f"{table}.parquet"


def write_tables(folder: Path, plan: Plan, journal: Journal) -> None:
    """Write every table of a finished study, each file whole or not at all."""
    writers = {table: pq.ParquetWriter(_part(folder, table), schema) for table, schema in SCHEMAS.items()}
    try:
        _write(writers["hexes"], "hexes", _hexes(plan))
        for some in _in_groups(jobs(plan)):
            played = [unpack(journal.record(job)) for job in some]
            for table in ("games", "combats", "losses", "control", "turns"):
                _write(writers[table], table, _rows(table, plan, played))
    finally:
        for writer in writers.values():
            writer.close()
    for table in SCHEMAS:
        _part(folder, table).replace(path_of(folder, table))


def _part(folder: Path, table: str) -> Path:
    return folder / f"{table}.parquet.part"


def _in_groups(all_jobs: list[Any]) -> Iterator[list[Any]]:
    for begin in range(0, len(all_jobs), GAMES_AT_ONCE):
        yield all_jobs[begin : begin + GAMES_AT_ONCE]


def _write(writer: Any, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    schema = SCHEMAS[table]
    columns: list[Any] = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _rows(table: str, plan: Plan, played: list[Played]) -> Iterator[tuple[Any, ...]]:
    for one in played:
        name = plan.variants[one.variant].name
        for row in [one.whole] if table == "games" else getattr(one, table):
            yield name, one.game, *msgspec.structs.astuple(row)


def _hexes(plan: Plan) -> Iterator[tuple[Any, ...]]:
    """The board of each variant, as a match begins with it."""
    for variant in plan.variants:
        rules: Any = ruleset_of(plan.game, variant)
        holders = first_holders(Match.begin(rules, seed_bytes(0)))
        worth = rules.setting.objectives
        for number, name in enumerate(rules.board.grid.ids):
            yield variant.name, name, rules.board.name[number], worth.get(name, 0), holders[name]


def read_table(folder: Path, table: str, columns: list[str] | None = None) -> pa.Table:
    """A table of a finished study, or some of its columns."""
    return pq.read_table(path_of(folder, table), columns=columns)
