"""Volturno 1860 is entered for the tests of this folder; it is not yet among the games of the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from fronte.games import registry
from fronte.games.volturno.game import Volturno


@pytest.fixture(scope="module", autouse=True)
def volturno() -> Iterator[str]:
    """The game, entered while this folder is tested."""
    tables: list[dict[str, Any]] = [registry.GAMES, registry.FAMILIES, registry._DATA]
    before = [dict(table) for table in tables]
    registry.register("volturno", Volturno, registry.HERE / "volturno" / "data")
    yield "volturno"
    for table, old in zip(tables, before, strict=True):
        table.clear()
        table.update(old)
