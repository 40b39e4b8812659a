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
from fronte.study.plan import Plan, Variant, jobs, ruleset_of
from fronte.study.record import Played, first_holders, recorder_of, unpack

GAMES_AT_ONCE = 500
"""How many games make a row group of a file, and are held in memory at a time."""


TYPES = {
    int: pa.int32(),
    str: pa.string(),
    bool: pa.bool_(),
    float: pa.float64(),
    list[str]: pa.list_(pa.string()),
    list[int]: pa.list_(pa.int32()),
}
WIDE = {"seed": pa.int64()}
KEYS = {"hexes": ("variant",)}
"""What comes before the columns of a row, where it is not the variant and the game."""


def _schema(row: type[msgspec.Struct], *keys: str) -> pa.Schema:
    """The columns of a table: its keys and the fields of its rows."""
    fields = [pa.field(key, pa.int32() if key == "game" else pa.string(), nullable=False) for key in keys]
    for name, hint in get_type_hints(row).items():
        may_miss = typing.get_origin(hint) in (types.UnionType, typing.Union)
        plain = next(part for part in get_args(hint) if part is not type(None)) if may_miss else hint
        fields.append(pa.field(name, WIDE.get(name, TYPES[plain]), nullable=may_miss))
    return pa.schema(fields)


def schemas_of(game: str) -> dict[str, pa.Schema]:
    """The tables of a game and their columns."""
    rows = recorder_of(game).rows
    return {name: _schema(row, *KEYS.get(name, ("variant", "game"))) for name, row in rows.items()}


def tables_of(plan: Plan) -> dict[str, pa.Schema]:
    """The tables of a study: all of its game's, but none of who holds what where nobody holds anything."""
    found = schemas_of(plan.game)
    if not any(ruleset_of(plan.game, variant).setting.control for variant in plan.variants):
        found.pop("control", None)
    return found


def _first(plan: Plan, variant: Variant) -> Match:
    """A match of a variant before its first decision."""
    return Match.begin(ruleset_of(plan.game, variant), seed_bytes(0))


def path_of(folder: Path, table: str) -> Path:
    """Where a table lies."""
    return folder / f"{table}.parquet"


def write_tables(folder: Path, plan: Plan, journal: Journal) -> None:
    """Write every table of a finished study, each file whole or not at all."""
    schemas = tables_of(plan)
    writers = {table: pq.ParquetWriter(_part(folder, table), schema) for table, schema in schemas.items()}
    try:
        _write(writers["hexes"], schemas["hexes"], _hexes(plan))
        for some in _in_groups(jobs(plan)):
            played = [unpack(journal.record(job)) for job in some]
            for table in schemas.keys() - {"hexes"}:
                _write(writers[table], schemas[table], _rows(table, plan, played))
    finally:
        for writer in writers.values():
            writer.close()
    for table in schemas:
        _part(folder, table).replace(path_of(folder, table))


def _part(folder: Path, table: str) -> Path:
    return folder / f"{table}.parquet.part"


def _in_groups(all_jobs: list[Any]) -> Iterator[list[Any]]:
    for begin in range(0, len(all_jobs), GAMES_AT_ONCE):
        yield all_jobs[begin : begin + GAMES_AT_ONCE]


def _write(writer: Any, schema: pa.Schema, rows: Iterable[tuple[Any, ...]]) -> None:
    columns: list[Any] = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    writer.write_table(pa.Table.from_arrays(arrays, schema=schema))


def _rows(table: str, plan: Plan, played: list[Played]) -> Iterator[tuple[Any, ...]]:
    for one in played:
        name = plan.variants[one.variant].name
        for row in one.tables[table]:
            yield name, one.game, *row


def _hexes(plan: Plan) -> Iterator[tuple[Any, ...]]:
    """The board of each variant, as a match begins with it."""
    for variant in plan.variants:
        match = _first(plan, variant)
        held, setting = first_holders(match), match.rules.setting
        names = match.rules.texts("en").names.hex
        for name in setting.extent or match.rules.grid.ids:
            yield variant.name, name, names[name], setting.objectives.get(name, 0), held.get(name)


def read_table(folder: Path, table: str, columns: list[str] | None = None) -> pa.Table:
    """A table of a finished study, or some of its columns."""
    return pq.read_table(path_of(folder, table), columns=columns)
