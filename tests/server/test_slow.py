"""Whoever sends or takes drop by drop is sent away in the end, and nobody else notices. Real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import pytest
from processes import PATIENCE, Served

from fronte.server import Settings
from fronte.server.store.database import Store


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with little patience."""
    tmp_path = tmp_path_factory.mktemp("slow")
    little = {"head_seconds": "1.5", "body_seconds": "1", "stall_seconds": "2"}
    served = Served(str(tmp_path / "m.sqlite"), tmp_path / "log", None, "--no-local", **little)
    try:
        yield served
    finally:
        served.kill()


def opened(server: Served, text: bytes = b"") -> socket.socket:
    found = socket.create_connection(("127.0.0.1", server.port), 10)
    found.sendall(text)
    return found


def closed_after(connection: socket.socket, drop: bytes = b"") -> float:
    """Seconds until the other side closes, while it is sent drops."""
    start = time.monotonic()
    connection.settimeout(0.2)
    while time.monotonic() - start < PATIENCE:
        try:
            if drop:
                connection.sendall(drop)
            if not connection.recv(65536):
                break
        except TimeoutError:
            continue
        except OSError:
            break
    connection.close()
    return time.monotonic() - start


def test_half_sent_heads_and_silence_end(server: Served) -> None:
    half = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nX-A: "
    upgrade = b"GET /api/matches/x/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    once = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    many = [opened(server, text) for text in (b"", half, upgrade, once + half) for _ in range(10)]
    assert httpx.get(f"{server.address}/api/health").json() == {"ok": True}
    for connection, drop in zip(many[::10], (b"", b"x", b"X-B: c\r\n", b"x"), strict=True):
        assert closed_after(connection, drop) < 8
    for connection in many:
        connection.close()


def test_half_sent_bodies_end_with_a_reason(server: Served) -> None:
    head = b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += b"Content-Length: 500\r\n\r\n{"
    with opened(server, head) as connection:
        connection.settimeout(10)
        answer = connection.recv(65536)
        answer += connection.recv(65536)
        assert b" 408 " in answer.splitlines()[0] and b"has not come within" in answer
    upload = head.replace(b"/api/matches ", b"/api/matches/upload ").replace(b"500", b"500000")
    assert 2 < closed_after(opened(server, upload), b"x") < 12
    broken = opened(server, head)
    broken.close()
    assert httpx.get(f"{server.address}/api/health").json() == {"ok": True}


def test_whoever_takes_nothing_is_let_go(server: Served) -> None:
    get = b"GET /api/games/isonzo/board HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert httpx.get(f"{server.address}/api/games/isonzo/board").status_code == 200
    whole = 40 * len(httpx.get(f"{server.address}/api/games/isonzo/board").content)
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        slow.sendall(get * 40)
        time.sleep(5)
        assert httpx.get(f"{server.address}/api/health").json() == {"ok": True}
        slow.settimeout(10)
        taken = 0
        with contextlib.suppress(ConnectionResetError):
            while part := slow.recv(1 << 20):
                taken += len(part)
        assert taken < whole / 2


async def made(store: Store) -> None:
    """A database as a server leaves it."""
    await store.open()
    await store.close()


def test_a_full_disk_at_the_start_is_said_in_a_sentence(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2);"
        "sys.argv[1:2] = []; sys.argv[0] = 'fronte'; from fronte.cli import app; app()"
    )
    kept = tmp_path / "kept.sqlite"
    asyncio.run(made(Store(Settings(database=str(kept)).url)))
    for database, room in ((tmp_path / "a" / "m.sqlite", 0), (tmp_path / "b" / "m.sqlite", 20_000), (kept, 0)):
        command = [sys.executable, "-c", program, str(room), "serve", "--port", "0", "--database", str(database)]
        told = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ | {"COLUMNS": "300"})
        assert told.returncode == 1, told.stdout + told.stderr
        assert "Traceback" not in told.stderr and "Fronte is at" not in told.stdout
        said = " ".join(told.stderr.split())
        assert str(tmp_path) in said and ("disk" in said or "too large" in said or "space" in said), said
