"""`fronte serve --processes N`: several processes of the server behind one port, each begun again if it dies.

They share nothing but the database. The kernel hands each new connection to one of them (SO_REUSEPORT).
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import socket
import threading
import time
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import TYPE_CHECKING

from fronte.cli.common import console
from fronte.cli.serve import address_of, listen, server_of

if TYPE_CHECKING:
    import uvicorn

    from fronte.server import Settings

AGAIN = 1.0
"""Seconds before a process that died is begun again."""
STOPS_WITHIN = 15.0


def check(settings: Settings) -> None:
    """Can several processes serve matches with these settings? ValueError says why not."""
    from fronte.server.store.database import Store

    if not Store(settings.url).shared:
        raise ValueError(
            "several processes need PostgreSQL (--database postgresql://...); an SQLite file serves one process"
        )
    if not hasattr(socket, "SO_REUSEPORT"):
        raise ValueError("this system cannot share a port between processes; run them behind a proxy (docs/hosting.md)")


def run_many(settings: Settings, host: str, port: int, number: int) -> None:
    """Serve with so many processes until told to stop."""
    place = listen(host, port, shared=True)  # not listened at: it only keeps the port
    port = place.getsockname()[1]
    console.print(f"Fronte is at {address_of(place)}, with {number} processes (Ctrl-C ends it)", soft_wrap=True)
    told, tell = multiprocessing.get_context("spawn").Pipe(duplex=False)

    def stop(number: int, frame: FrameType | None) -> None:
        """Only leaves word: an exception might come while a process is being begun, which then nobody would end."""
        tell.send_bytes(b"stop")

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    running: list[SpawnProcess] = []
    while not told.poll():
        running = [process for process in running if process.is_alive()]
        while len(running) < number:
            running.append(_begun(settings, host, port))
        if told not in wait([told, *(process.sentinel for process in running)]):
            console.print("A process of the server has ended; another is begun.", soft_wrap=True)
            told.poll(AGAIN)
    _end(running)
    place.close()


def _begun(settings: Settings, host: str, port: int) -> SpawnProcess:
    process = multiprocessing.get_context("spawn").Process(target=_one, args=(settings, host, port))
    process.start()
    return process


def _end(running: list[SpawnProcess]) -> None:
    """Let all processes end what they are at, and wait for them."""
    for process in running:
        process.terminate()
    until = time.monotonic() + STOPS_WITHIN
    for process in running:
        process.join(max(0.0, until - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join()


def _one(settings: Settings, host: str, port: int) -> None:
    """One process: serves until it is told to stop, or the one that began it is gone."""
    server = server_of(settings)
    threading.Thread(target=_outlive, args=(server,), daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listen(host, port, shared=True)])


def _outlive(server: uvicorn.Server) -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    server.should_exit = True
