"""`fronte serve`: the table in the browser."""

from __future__ import annotations

import logging
import socket
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from fronte.cli.common import console, one_line_errors
from fronte.server import Settings, create_app


def serve(
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes any that is free.", min=0, max=65535)] = 8417,
    database: Annotated[str, typer.Option(help="An SQLite file, or the URL of a database.")] = "",
    local: Annotated[
        bool | None,
        typer.Option(
            "--local/--no-local",
            help="One table, one machine: all matches can be listed and opened. By default so on the loopback only.",
        ),
    ] = None,
) -> None:
    """Serve matches to browsers."""
    with one_line_errors():
        given = Settings.from_environment()
        settings = Settings(
            **{
                **_fields(given),
                "database": database or given.database,
                "local": is_loopback(host) if local is None else local,
                "hosts": (*given.hosts, host),
            }
        )
        run(settings, listen(host, port), open_browser=None)


def open_table(language: str = "en", database: str = "", browser: bool = True) -> None:
    """Serve one table on a free port of the loopback and show it in the web browser; ends with Ctrl-C."""
    given = Settings.from_environment()
    settings = Settings(**{**_fields(given), "database": database or given.database, "local": True})
    with one_line_errors():
        run(settings, listen("127.0.0.1", 0), open_browser=f"/?language={language}" if browser else None)


def _fields(settings: Settings) -> dict[str, object]:
    return {name: getattr(settings, name) for name in settings.__struct_fields__}


def is_loopback(host: str) -> bool:
    """Is this address of this machine only?"""
    return host in ("localhost", "::1") or host.startswith("127.")


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    found = socket.socket(family, kind, protocol)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind(address)
    except OSError as wrong:
        found.close()
        raise OSError(f"cannot listen at {host}:{port}: {wrong.strerror}") from None
    return found


def address_of(listening: socket.socket) -> str:
    """The address that a browser on this machine opens."""
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"


def run(settings: Settings, listening: socket.socket, open_browser: str | None) -> None:
    """Serve until it is told to stop; the browser opens, if it shall, once the server answers."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(settings),
            log_level="warning",
            ws="websockets-sansio",
            ws_max_size=settings.body_bytes,
            # a table of 300 kB is sent quicker than it is packed, as long as it stays on this machine
            ws_per_message_deflate=not settings.local,
            timeout_graceful_shutdown=3,
        )
    )
    address = address_of(listening)
    console.print(f"Fronte is at {address} (Ctrl-C ends it)", soft_wrap=True)
    if open_browser is not None:
        threading.Timer(0.8, show, (address + open_browser,)).start()
    server.run(sockets=[listening])


def show(address: str) -> None:
    """Open the web browser, or say what to open."""
    try:
        opened = webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        console.print(f"Open {address} in a web browser.", soft_wrap=True)


def default_database() -> Path:
    """Where matches are kept when nothing else is said."""
    return Path(Settings().url.removeprefix("sqlite+aiosqlite:///"))
