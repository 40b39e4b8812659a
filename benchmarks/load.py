"""Play many matches at once on real server processes with PostgreSQL, and let things go wrong meanwhile.

    .venv/bin/python benchmarks/load.py [--matches 500] [--processes 2] [--every 30] [--seconds 60] [--json]

All on this machine, over the loopback. Both seats of each match are connected by websocket and told everything; each
match is played at random at the pace of people, some messages are sent twice or too early, and some players come back
in the middle of a combat. First everything is well; then, in a second part of the same length, a process of the server
is killed (-9), PostgreSQL is restarted, and its disk is full for a while (a small tmpfs, where one may be mounted).
At the end every seat must see what is, and the records in the database must be what was acknowledged, line by line:
if anything was lost or done twice this fails (`tests/server/many.py` has the players).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import asyncpg
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "server"))

from many import Game, begin, play, settle
from processes import Postgres, Served, postgres_server

FULL_SECONDS = 4.0
SMALL_DISK = "256m"


class Disk:
    """A small disk of its own for the tables of a database; PostgreSQL's log of changes lies elsewhere."""

    def __init__(self, database: Postgres) -> None:
        self.place = database.folder / "small"
        self.place.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK}", "none", str(self.place)]
        self.mounted = subprocess.run(command, capture_output=True).returncode == 0
        self.tables = self.place / "tables"
        self.tables.mkdir()
        if database.user is not None:
            shutil.chown(self.tables, database.user)

    def fill(self) -> None:
        """Leave no room at all."""
        with (self.place / "ballast").open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))

    def empty(self) -> None:
        (self.place / "ballast").unlink()

    def close(self) -> None:
        if self.mounted:
            subprocess.run(["umount", str(self.place)], check=False)


@contextlib.contextmanager
def disk_of(database: Postgres) -> Iterator[tuple[Disk, str]]:
    """A database on a small disk, and its URL."""

    async def make() -> None:
        connection = await asyncpg.connect(database.url)
        await connection.execute(f"create tablespace small location '{disk.tables}'")
        await connection.execute("create database fronte tablespace small")
        await connection.close()

    disk = Disk(database)
    try:
        asyncio.run(make())
        yield disk, database.url.removesuffix("/postgres") + "/fronte"
    finally:
        database.stop()
        disk.close()


def faults(server: Served, database: Postgres, disk: Disk, seconds: float) -> list[Any]:
    """What goes wrong, and when."""

    async def kill() -> None:
        serving = psutil.Process(server.process.pid).children()
        next(child for child in serving if "spawn_main" in " ".join(child.cmdline())).kill()

    async def restart() -> None:
        await asyncio.to_thread(database.stop)
        await asyncio.to_thread(database.start)

    async def full() -> None:
        await asyncio.to_thread(disk.fill)
        await asyncio.sleep(FULL_SECONDS)
        disk.empty()

    found: list[tuple[float, Callable[[], Awaitable[None]]]] = [(seconds * 0.1, kill), (seconds * 0.4, restart)]
    return [*found, (seconds * 0.7, full)] if disk.mounted else found


def figures(times: list[float]) -> dict[str, float]:
    """Percentiles in milliseconds."""
    ordered = sorted(times)
    shares = {"median": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "worst": 1.0}
    found = {
        name: round(ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1e3) for name, share in shares.items()
    }
    return found | {"n": len(ordered)}


def cpu(server: Served, database: Postgres) -> dict[str, float]:
    """Seconds of processor that each part has used so far."""
    assert database.process is not None
    used = {"players": sum(os.times()[:2])}
    for name, pid in (("server", server.process.pid), ("database", database.process.pid)):
        top = psutil.Process(pid)
        used[name] = 0.0
        for process in (top, *top.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                used[name] += sum(process.cpu_times()[:2])
    return used


async def measure(
    given: argparse.Namespace, server: Served, database: Postgres, disk: Disk, url: str
) -> dict[str, Any]:
    """Begin, play well, play badly, and look at what is there."""
    start = time.monotonic()
    games = await begin([server.address], given.matches)
    begun = time.monotonic()
    gc.freeze()  # 500 games of the players' own: a look through them stops all clocks here for a fifth of a second
    gc.disable()
    before = cpu(server, database)
    await play(games, given.every, given.seconds)
    middle = time.monotonic()
    after = cpu(server, database)
    await play(games, given.every, given.seconds, faults(server, database, disk, given.seconds))
    counted = await settle(games, url)
    return {
        "matches": len(games),
        "sockets": sum(len(game.seats) for game in games),
        "seconds to begin and connect all": round(begun - start, 1),
        "while all is well, ms": figures(_times(games, begun, middle)),
        "actions a second": round(len(_times(games, begun, middle)) / (middle - begun), 1),
        "processor seconds a second": {k: round((after[k] - before[k]) / (middle - begun), 2) for k in after},
        "while things go wrong, ms (answers that came)": figures(_times(games, middle, time.monotonic())),
        "a full disk too": disk.mounted,
        "counted": dict(counted),
        "lost or doubled": 0,
    }


def _times(games: list[Game], first: float, last: float) -> list[float]:
    return [taken for game in games for at, taken in game.times if first <= at < last]


def main() -> None:
    """Run it and print."""
    options = argparse.ArgumentParser()
    options.add_argument("--matches", type=int, default=500)
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--every", type=float, default=30)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder, postgres_server() as database, disk_of(database) as (disk, url):
        log = Path(folder) / "log"
        keep = str(given.matches)
        server = Served(url, log, None, "--processes", str(given.processes), keep_matches=keep)
        try:
            found = asyncio.run(measure(given, server, database, disk, url))
        except BaseException:
            print(log.read_text()[-5000:], file=sys.stderr)
            raise
        finally:
            server.stop()
    print(json.dumps(found) if given.json else "\n".join(f"{name:50} {value}" for name, value in found.items()))


if __name__ == "__main__":
    main()
