"""The database: tables as the code knows them, writers that do not overtake each other, and PostgreSQL for real."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from processes import postgres, postgres_folder

import fronte
from fronte.engine.dice import seed_bytes
from fronte.engine.record import Entry, read
from fronte.server import Settings
from fronte.server.people import links
from fronte.server.store import database
from fronte.server.store.database import Stale, Store, hashed
from fronte.server.store.rows import Change, Kept, Person, Place
from fronte.server.store.schema import metadata

PRAGMAS = database.PRAGMAS
"""As servers use SQLite; other tests do not wait for the disk."""


def kept(name: str) -> Kept:
    heading, _ = read(fronte.new("isonzo", seed=1).save(with_seed=False))
    return Kept(name, "", heading, seed_bytes(1), True, {"italian": "human", "ah": "random"}, 5, 5, 0, 0, None)


def change(lines: int, keep: int, revision: int, *actions: str) -> Change:
    return Change(lines, keep, [Entry("italian", {"do": action}) for action in actions], revision, None, 6)


async def use(store: Store) -> None:
    """All that a store promises."""
    await store.open()
    await store.open()  # again: nothing to do
    assert await store.answers()
    match = kept("abc")
    people = {"italian": Person("invited"), "ah": Person(name="Anna", forced=True)}
    await store.add(match, [], people, [("secret", Place("abc", "ah")), ("looks on", Place("abc", "ah", "watch"))])
    assert await store.match("abc") == match and await store.match("nothing") is None
    assert await store.people("abc") == people and await store.people("nothing") == {}
    found = await links.find(store, ["secret", "nonsense"])
    assert [link.place for link in found] == [Place("abc", "ah", "seat", hashed("secret")[:24])]
    await store.commit("abc", change(0, 0, 1, "end"))
    await store.commit("abc", change(1, 1, 2, "move", "recover"))
    await store.commit("abc", change(3, 2, 3, "end"))
    written = [(line.revision, line.at, line.entry.action["do"]) for line in await store.record("abc")]
    assert written == [(1, 6, "end"), (2, 6, "move"), (3, 6, "end")]
    for behind in (change(3, 3, 3, "end"), change(3, 2, 2, "end"), change(3, 3, 7, "end")):
        with pytest.raises(Stale):
            await store.commit("abc", behind)
    both = await asyncio.gather(
        store.commit("abc", change(3, 3, 4, "left")),
        store.commit("abc", change(3, 3, 4, "right")),
        return_exceptions=True,
    )
    assert sorted(map(type, both), key=str) == sorted([type(None), Stale], key=str)
    assert len(await store.record("abc")) == 4
    end = msgspec.structs.replace(change(4, 4, 5), result={"level": "draw"})
    await store.commit("abc", end)
    again = await store.match("abc")
    assert again is not None and (again.line, again.revision, again.result) == (4, 5, {"level": "draw"})
    await store.add(kept("def"), [], {}, [])
    assert [found.id for found in await store.matches(None)] == ["abc", "def"]
    assert [found.id for found in await store.matches(["def"])] == ["def"]
    async with store.engine.connect() as connection:
        assert await connection.run_sync(differences) == []
    await store.close()


def differences(connection: sa.Connection) -> list[object]:
    """Where the tables that the migrations make differ from those the code knows."""
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


def test_sqlite(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "matches.sqlite"
    asyncio.run(use(Store(Settings(database=str(file)).url)))
    assert file.read_bytes()[18:20] == b"\x02\x02"  # a write-ahead log, and not the old journal


async def pragmas(store: Store, *names: str) -> list[object]:
    await store.open()
    async with store.engine.connect() as connection:
        found = [(await connection.execute(sa.text(f"PRAGMA {name}"))).scalar() for name in names]
    await store.close()
    return found


def test_what_sqlite_has_committed_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PRAGMAS", PRAGMAS)
    store = Store(Settings(database=str(tmp_path / "m.sqlite")).url)
    assert asyncio.run(pragmas(store, "synchronous", "foreign_keys", "journal_mode")) == [2, 1, "wal"]


@pytest.mark.skipif(postgres_folder() is None, reason="there is no PostgreSQL on this machine")
def test_postgresql() -> None:
    with postgres() as url:
        asyncio.run(use(Store(Settings(database=url).url)))


def test_settings_come_from_the_environment(tmp_path: Path) -> None:
    found = Settings.from_environment(
        {
            "FRONTE_DATABASE_URL": "postgres://u@h/d",
            "FRONTE_LOCAL": "false",
            "FRONTE_WORKERS": "5",
            "FRONTE_HOSTS": "a,b",
        }
    )
    assert found.url == "postgresql+asyncpg://u@h/d"
    assert (found.local, found.workers, found.hosts) == (False, 5, ("a", "b"))
    assert Settings(database="sqlite:////x/y").url == "sqlite+aiosqlite:////x/y"
    assert Settings.from_environment({}).url.endswith("fronte/matches.sqlite")
    with pytest.raises(ValueError, match=r"in the environment: .*workers"):
        Settings.from_environment({"FRONTE_WORKERS": "many"})


def test_tables_that_are_up_to_date_need_no_alembic(
    tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = shutil.copyfile(empty_database, tmp_path / "matches.sqlite")
    monkeypatch.setitem(sys.modules, "alembic", None)  # whoever imports it now fails
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        database.migrate(connection)
        connection.execute(sa.text("update alembic_version set version_num = '0008'"))
        with pytest.raises(ImportError):
            database.migrate(connection)
    engine.dispose()
