"""`fronte serve`: the table in the browser. What the server needs is loaded only when it is asked for."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sqlite3
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from fronte.cli.common import console, fail, one_line_errors

if TYPE_CHECKING:
    import uvicorn

    from fronte.server import Settings
    from fronte.server.store.database import Store
    from fronte.server.store.file_lock import FileLock

LOOPBACK = "127.0.0.1"
JOINS_WITHIN = 8.0
"""Seconds after which a server that holds the file but does not answer is given up."""
PACK = "A folder of your own data for a game, as FOLDER or GAME=FOLDER; its files come before the game's."


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at.")] = LOOPBACK,
    port: Annotated[int, typer.Option(help="The port; 0 takes any that is free.", min=0, max=65535)] = 8417,
    database: Annotated[str, typer.Option(help="An SQLite file, or the URL of a database.")] = "",
    local: Annotated[
        bool | None,
        typer.Option(
            "--local/--no-local",
            help="One table, one machine: all matches can be listed and opened. By default so on the loopback only.",
        ),
    ] = None,
    processes: Annotated[
        int, typer.Option(help="Processes of the server; more than one need PostgreSQL.", min=1, max=64)
    ] = 1,
    pack: Annotated[list[str] | None, typer.Option(help=PACK)] = None,
) -> None:
    """Serve matches to browsers."""
    from fronte.cli.processes import check, run_many

    with one_line_errors():
        settings = _settings(database, is_loopback(host) if local is None else local, pack)
        if processes > 1:
            check(settings)
        try_database(settings)
        settings = msgspec.structs.replace(settings, hosts=(*settings.hosts, host))
        if processes > 1:
            run_many(settings, host, port, processes)
        else:
            with held(settings) as lock:
                run(settings, listen(host, port), lock)


def open_table(
    language: Annotated[str, typer.Option(help="en or it; without it the browser's own language.")] = "",
    port: Annotated[int, typer.Option(help="The port; 0 takes any that is free.", min=0, max=65535)] = 0,
    database: Annotated[str, typer.Option(help="An SQLite file, or the URL of a database.")] = "",
    pack: Annotated[list[str] | None, typer.Option(help=PACK)] = None,
) -> None:
    """Play in the browser: serve one table on this machine alone and open it. Ctrl-C ends it."""
    if language not in ("", "en", "it"):
        fail(f"no language {language!r}; the languages are en, it")
    page = f"/?language={language}" if language else "/"
    with one_line_errors():
        settings = _settings(database, True, pack)
        try_database(settings)
        _run_or_join(settings, port, page)


def _run_or_join(settings: Settings, port: int, page: str) -> None:
    """Serve the table, or open the one that is being served; it may just be about to begin, or to end."""
    from fronte.server.store.file_lock import AlreadyServed

    until = time.monotonic() + JOINS_WITHIN
    while True:
        try:
            with held(settings) as lock:
                return run(settings, listen(LOOPBACK, port), lock, page)
        except AlreadyServed as other:
            if answers(other.address):
                console.print(f"Fronte runs already, at {other.address}: that one is opened.", soft_wrap=True)
                return show(other.address + page)
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


@contextlib.contextmanager
def held(settings: Settings) -> Iterator[FileLock | None]:
    """Hold the file of the database while it is served; AlreadyServed if another process does. None without a file."""
    from fronte.server.store.database import Store
    from fronte.server.store.file_lock import FileLock

    file = Store(settings.url).file
    with FileLock(file) if file is not None else contextlib.nullcontext() as lock:
        if file is not None:
            _write_file(settings)
        yield lock


def answers(address: str) -> bool:
    """Is a server of ours there?"""
    if not address:
        return False
    try:
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(f"{address}/api/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _settings(database: str, local: bool, packs: Sequence[str] | None) -> Settings:
    from fronte.cli.servepacks import read_packs
    from fronte.server import Settings

    given = Settings.from_environment()
    own = read_packs(packs) if packs else given.packs
    return msgspec.structs.replace(given, database=database or given.database, local=local, packs=own)


def is_loopback(host: str) -> bool:
    """Is this an address of this machine only?"""
    return host in ("localhost", "::1") or host.startswith("127.")


def listen(host: str, port: int, shared: bool = False) -> socket.socket:
    """A socket at this address, which other processes of ours may share; OSError says why not."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as wrong:
        raise OSError(f"cannot listen at {host}:{port}: {wrong.strerror}") from None
    found = socket.socket(family, kind, protocol)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        found.bind(address)
    except OSError as wrong:
        found.close()
        raise OSError(f"cannot listen at {host}:{port}: {wrong.strerror}") from None
    return found


def address_of(listening: socket.socket) -> str:
    """The address that a browser on this machine opens."""
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": LOOPBACK, "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"


def _write_file(settings: Settings) -> None:
    """Bring the file up to date before anything is served; ValueError says in a sentence why it cannot be written."""
    from sqlalchemy.exc import DBAPIError

    from fronte.server.store.database import Store

    store = Store(settings.url)
    try:
        asyncio.run(_try_server(store))
    except DBAPIError as wrong:
        raise ValueError(f"the database {store.file} cannot be written: {wrong.orig}; is the disk full?") from None


def try_database(settings: Settings) -> None:
    """Open the database once before anything is served; ValueError says in a sentence why it cannot be."""
    from sqlalchemy.exc import ArgumentError, DBAPIError

    from fronte.server.store.database import Store

    where = "the database"
    try:
        store = Store(settings.url)
        if store.url.get_backend_name() == "sqlite":
            where += f" {store.url.database}"
            _try_file(store.url.database or ":memory:")
        else:
            where += f" {store.url}"  # without its password
            asyncio.run(_try_server(store))
    except (sqlite3.Error, ArgumentError, ModuleNotFoundError) as wrong:
        raise ValueError(f"{where} cannot be opened: {wrong}") from None
    except DBAPIError as wrong:
        raise ValueError(f"{where} cannot be opened: {wrong.orig}") from None
    except OSError as wrong:
        named = f"{wrong.filename}: " if wrong.filename else ""
        raise ValueError(f"{where} cannot be opened: {named}{wrong.strerror or wrong}") from None


def _try_file(name: str) -> None:
    """Can this file be written to as a database of SQLite? It is made, with its folder, where there is none."""
    if name != ":memory:":
        Path(name).parent.mkdir(parents=True, exist_ok=True)
    with contextlib.closing(sqlite3.connect(name)) as connection:
        connection.execute("pragma user_version").fetchone()
        connection.execute("begin immediate")
        connection.rollback()


async def _try_server(store: Store) -> None:
    try:
        await store.open()
        await store.writes()
    finally:
        await store.close()


def server_of(settings: Settings, lock: FileLock | None = None) -> uvicorn.Server:
    """The server with these settings, ready to run; whoever starts it may hold its file already."""
    import uvicorn

    from fronte.server import create_app
    from fronte.server.http.timeouts import Patient
    from fronte.server.logs import set_up
    from fronte.server.processes.collector import let_be
    from fronte.server.processes.threads import take_turns

    app = create_app(settings, lock)
    set_up(settings)
    let_be()
    take_turns()
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,  # it would show addresses with the tokens in them
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=settings.body_bytes,
        ws_per_message_deflate=True,
        timeout_graceful_shutdown=3,
    )
    return Patient(config, settings)


def run(settings: Settings, listening: socket.socket, lock: FileLock | None, page: str | None = None) -> None:
    """Serve until it is told to stop; the browser opens this page, if there is one, once the server answers."""
    server = server_of(settings, lock)
    address = address_of(listening)
    if lock is not None:
        lock.tell(address)
    console.print(f"Fronte is at {address} (Ctrl-C ends it)", soft_wrap=True)
    if page is not None:
        threading.Thread(target=_show_later, args=(server, address + page), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])


def _show_later(server: uvicorn.Server, address: str) -> None:
    """Open the web browser once the server answers."""
    while not server.started:
        time.sleep(0.05)
    show(address)


def show(address: str) -> None:
    """Open the web browser, or say what to open."""
    try:
        opened = webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        console.print(f"Open {address} in a web browser.", soft_wrap=True)
