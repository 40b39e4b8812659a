"""Real processes of a server, and things that go wrong while matches are played: nothing acknowledged is ever lost.

The same at full size, with 500 matches and 1,000 sockets, is `benchmarks/load.py`.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest
from many import Game, begin, play, settle
from processes import PATIENCE, Served, postgres_folder, postgres_server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

needs_postgres = pytest.mark.skipif(postgres_folder() is None, reason="there is no PostgreSQL on this machine")


def children(server: Served) -> list[psutil.Process]:
    """The processes that serve, not those that play or look after others."""
    found = psutil.Process(server.process.pid).children()
    return [child for child in found if "spawn_main" in " ".join(child.cmdline())]


def serving(server: Served) -> Counter[int]:
    """Which processes have connections at the port."""
    found: Counter[int] = Counter()
    for child in children(server):
        for connection in child.net_connections():
            if connection.laddr.port == server.port and connection.status == psutil.CONN_ESTABLISHED:
                found[child.pid] += 1
    return found


async def refused(game: Game) -> None:
    """What is too long, cannot be read or is not for this seat is refused, and all goes on."""
    seats = list(game.seats.values())
    place = f"ws{game.address().removeprefix('http')}/api/matches/{game.name}/live?token="
    async with connect(place + seats[0].token, max_size=None) as socket:
        await socket.recv()
        for message, why in (
            ("{", "cannot be read"),
            ('{"action": {}, "line": "one"}', "cannot be read"),
            (json.dumps({"action": "end", "line": 900}), "gone on"),
            (b"\\xff\\xfe", "cannot be read"),
        ):
            await socket.send(message)
            while "error" not in (answer := json.loads(await socket.recv())):
                pass
            assert why in answer["error"]["why"]
        await socket.send(json.dumps({"chat": {"text": "x" * 100_000}}))
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                await socket.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
    async with connect(place + "of-nobody") as socket:
        assert "not known" in json.loads(await socket.recv())["error"]["why"]
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4401


@needs_postgres
def test_processes_die_and_the_database_restarts(tmp_path: Path) -> None:
    with postgres_server() as database:
        server = Served(database.url, tmp_path / "log", None, "--processes", "2")

        async def kill_one() -> None:
            pid = serving(server).most_common(1)[0][0]
            psutil.Process(pid).kill()

        async def restart() -> None:
            await asyncio.to_thread(database.stop)
            await asyncio.sleep(0.3)
            await asyncio.to_thread(database.start)

        async def run() -> Counter[str]:
            games = await begin([server.address], 12)
            await refused(games[0])
            await play(games, 0.4, 7, [(1.5, kill_one), (3.5, restart)])
            return await settle(games, database.url)

        try:
            counted = asyncio.run(run())
            assert counted["answers lost"] and counted["refused"] and counted["acknowledged"] > 24, counted
            pids = [child.pid for child in children(server)]
            assert len(pids) == 2  # the one that was killed was begun again
            assert server.stop() == 0 and not any(map(psutil.pid_exists, pids))
        finally:
            server.kill()
        no_process_outlives_the_one_that_began_it(Served(database.url, tmp_path / "log", None, "--processes", "2"))


def no_process_outlives_the_one_that_began_it(server: Served) -> None:
    running = children(server)
    server.kill()
    _, alive = psutil.wait_procs(running, PATIENCE)
    for process in alive:
        process.kill()
    assert running and not alive


def test_a_full_disk(tmp_path: Path) -> None:
    resource: Any = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("this system cannot limit what another process writes")
    database = tmp_path / "matches.sqlite"
    server = Served(str(database), tmp_path / "log")
    limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)

    async def fill() -> None:
        size = (tmp_path / "matches.sqlite-wal").stat().st_size
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, limits[1]))

    async def empty() -> None:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)

    async def run() -> Counter[str]:
        games = await begin([server.address], 6)
        await play(games, 0.3, 4, [(1.0, fill), (2.5, empty)])
        return await settle(games, str(database))

    try:
        counted = asyncio.run(run())
        assert counted["database away"] and counted["acknowledged"] > 12, counted
        assert server.stop() == 0
        assert "disk" in (tmp_path / "log").read_text()
    finally:
        server.kill()


def test_several_processes_need_postgresql(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fronte", "serve", "--port", "0", "--processes", "2"]
    done = subprocess.run([*command, "--database", str(tmp_path / "m.sqlite")], capture_output=True, text=True)
    assert done.returncode == 1 and "several processes need PostgreSQL" in done.stderr + done.stdout
    assert not (tmp_path / "m.sqlite").exists()
