"""What the tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hosts import Host, hosted

from fronte.server import Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A server of a test: its own database, no client."""
    return Settings(database=str(tmp_path / "matches.sqlite"), static=tmp_path / "static", upload_bytes=300_000)


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A local server in this process."""
    yield from hosted(settings)
