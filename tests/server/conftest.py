"""What the tests of the server share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher
from hosts import Host, hosted
from processes import postgres, postgres_folder, stop_shared

from fronte.server import Settings
from fronte.server.people import accounts
from fronte.server.store import database as database_module


@pytest.fixture(scope="session", autouse=True)
def tidied() -> Iterator[None]:
    """What tests share ends with them."""
    yield
    stop_shared()


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are quickly hashed; what they cost in earnest is a test of its own."""
    cheap = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(accounts, "hasher", lambda: cheap)


@pytest.fixture(autouse=True)
def unhurried_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """No commit in this process waits for the disk; what a server does in earnest is a test of its own."""
    monkeypatch.setattr(database_module, "PRAGMAS", (*database_module.PRAGMAS, "synchronous=OFF"))


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with all its tables and nothing in them: to make them takes longer than to copy them."""
    file = tmp_path_factory.mktemp("empty") / "matches.sqlite"
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        database_module.migrate(connection)
    engine.dispose()
    return file


@pytest.fixture
def settings(tmp_path: Path, empty_database: Path) -> Settings:
    """A server of a test: its own database, no client."""
    shutil.copyfile(empty_database, tmp_path / "matches.sqlite")
    return Settings(database=str(tmp_path / "matches.sqlite"), static=tmp_path / "static", upload_bytes=300_000)


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A local server in this process."""
    yield from hosted(settings)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database of each kind."""
    if request.param == "sqlite":
        yield str(tmp_path / "matches.sqlite")
        return
    if postgres_folder() is None:
        pytest.skip("there is no PostgreSQL on this machine")
    with postgres() as url:
        yield url
