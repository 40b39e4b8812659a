"""Attacks by the hundred: spoilt saves and positions, many slow clients, two hundred matches. Longer every night."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx2 as httpx
import msgspec
import pytest
from every import every_game
from hosts import Guest, Host, hosted
from processes import Served
from spoiling import spoilt, spoilt_save
from test_resources import FREE, memory
from websockets.asyncio.client import connect

import fronte
from fronte.games.registry import GAMES
from fronte.server import Settings

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
SECONDS = 600.0 if NIGHTLY else 8.0
"""How long one kind of attack lasts at most."""
MOST = 3000 if NIGHTLY else 60
"""And how many of it there are."""
GIVEN = (200, 201, 400, 413, 422)
"""What may be answered to something that is wrong. A fault of the server is raised in the test."""


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A server that is open to all, in this process."""
    yield from hosted(
        msgspec.structs.replace(
            settings, local=False, rates=FREE + ",look=9999/1,action=9999/1", upload_bytes=2_000_000
        )
    )


def looked_at(host: Host, opened: dict[str, Any], rng: Random) -> None:
    """A match that was taken in can be shown to everybody, and goes on."""
    seats = {seat: Guest(host, opened["id"], token) for seat, token in opened["tokens"].items()}
    onlooker = Guest(host, opened["id"], opened["spectators"])
    overlay = GAMES[onlooker.get()["game"]].capabilities.overlays[0]
    for guest in (*seats.values(), onlooker):
        for path in ("", "/state?since=-1", "/state?at=0", "/events?language=it", f"/overlays/{overlay}", "/luck"):
            answer = host.client.get(guest.path + path, headers=guest.headers)
            assert answer.status_code in (200, 403), (path, answer.text[:300])
    for _ in range(4):
        match = host.match(opened["id"])
        if match.decision is None or match.decision.seat not in seats:
            return
        action = msgspec.to_builtins(match.sample(rng))
        seats[match.decision.seat].play(action, len(match.entries))


def attack(host: Host, seed: int, send: Any) -> Counter[int]:
    """Send spoilt things as long as there is time; what was answered how often."""
    rng, until = Random(seed), time.monotonic() + SECONDS
    found: Counter[int] = Counter()
    for number in range(MOST):
        answer = send(rng)
        found[answer.status_code] += 1
        assert answer.status_code in GIVEN, (seed, number, answer.text[:500])
        if answer.status_code == 201:
            looked_at(host, answer.json(), rng)
        if time.monotonic() > until:
            break
    assert host.client.get("/api/health").json() == {"ok": True}
    return found


@pytest.mark.costly
@every_game
def test_spoilt_saves(host: Host, game: str) -> None:
    match, rng = fronte.new(game, seed=11), Random(4)
    while len(match.entries) < 60 and match.decision is not None:
        match.play(match.sample(rng))
    text = match.save()
    assert host.client.post("/api/matches/upload", content=text).status_code == 201

    def send(rng: Random) -> Any:
        body = spoilt_save(text, rng)
        looked = host.client.post("/api/matches/look", content=body)
        assert looked.status_code in GIVEN, looked.text
        return host.client.post("/api/matches/upload", content=body)

    found = attack(host, 1, send)
    assert found[422] > found.total() / 3, found


@pytest.mark.costly
@every_game
def test_spoilt_positions(host: Host, game: str) -> None:
    rng, positions = Random(9), []
    for seed in range(3):
        match = fronte.new(game, seed=seed)
        for _ in range(rng.randint(5, 150)):
            if match.decision is not None:
                match.play(match.sample(rng))
        positions.append(json.loads(msgspec.json.encode(match.rules.to_position(match.state))))
    scenario = fronte.new(game, seed=0).rules.header.scenario

    def send(rng: Random) -> Any:
        position = spoilt(rng.choice(positions), rng, rng.randint(1, 3))
        body = {"game": game, "scenario": scenario, "seed": 5, "position": position}
        with contextlib.suppress(ValueError):  # what no JSON can say
            return host.client.post("/api/matches", json=body)
        return host.client.post("/api/matches", content=json.dumps(body), headers={"content-type": "application/json"})

    found = attack(host, 2, send)
    assert found[422] + found[400] > found.total() / 4, found


def test_many_slow_clients_at_once(tmp_path: Path) -> None:
    """They hold all the connections they can; whoever comes in earnest is answered."""
    number = 800 if NIGHTLY else 120
    little = {"head_seconds": "2", "body_seconds": "2", "stall_seconds": "3", "rates": FREE}
    server = Served(str(tmp_path / "m.sqlite"), tmp_path / "log", None, "--no-local", **little)
    heads = (
        b"GET /api/games HTTP/1.1\r\nHost: localhost\r\nX-A: ",
        b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 900\r\n\r\n{",
        b"GET /api/matches/x/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
        b"",
    )
    try:
        with contextlib.ExitStack() as open_ones:
            for n in range(number):
                connection = open_ones.enter_context(socket.create_connection(("127.0.0.1", server.port), 20))
                connection.sendall(heads[n % len(heads)])
            slowest = 0.0
            for _ in range(10):
                start = time.monotonic()
                assert httpx.get(f"{server.address}/api/health", timeout=30).json() == {"ok": True}
                sent = httpx.post(f"{server.address}/api/matches", json={"game": "isonzo"}, timeout=30)
                assert sent.status_code == 201
                slowest = max(slowest, time.monotonic() - start)
                time.sleep(0.5)
            assert slowest < 10, slowest
        assert memory(server) < 512
    finally:
        server.kill()


# Two hundred matches


MATCHES = 200 if NIGHTLY else 16


async def fill(server: Served, number: int) -> list[tuple[str, dict[str, str]]]:
    """So many matches in the middle of their game, some of them against a machine."""
    saves = []
    for seed in range(4):
        match, rng = fronte.new("isonzo", seed=seed), Random(seed)
        while len(match.entries) < 300 and match.decision is not None:
            match.play(match.sample(rng))
        saves.append(match.save())
    found = []
    async with httpx.AsyncClient(base_url=server.address, timeout=120) as client:
        for n in range(number):
            seats = "?seats=ah:steady" if n % 5 == 0 else ""
            sent = await client.post(f"/api/matches/upload{seats}", content=saves[n % len(saves)])
            assert sent.status_code == 201, sent.text
            found.append((sent.json()["id"], sent.json()["tokens"]))
    return found


async def watched(server: Served, filled: list[tuple[str, dict[str, str]]], seconds: float) -> float:
    """Everybody has his match open, and looks at all that happened; the most memory meanwhile, in megabytes."""
    most = 0.0
    async with contextlib.AsyncExitStack() as sockets:
        for name, tokens in filled:
            for token in tokens.values():
                place = f"ws://127.0.0.1:{server.port}/api/matches/{name}/live?token={token}&since=-1"
                opened = await sockets.enter_async_context(connect(place, max_size=None, open_timeout=60))
                assert '"line"' in str(await opened.recv())[:20]
            most = max(most, memory(server))
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            most = max(most, memory(server))
            await asyncio.sleep(0.5)
        async with httpx.AsyncClient(base_url=server.address, timeout=120) as client:
            for name, tokens in filled[:: max(1, len(filled) // 20)]:
                bearer = {"authorization": f"Bearer {next(iter(tokens.values()))}"}
                shown = await client.get(f"/api/matches/{name}/state?at=150", headers=bearer)
                assert shown.status_code == 200
                most = max(most, memory(server))
    return most


def test_many_matches_stay_within_their_memory(tmp_path: Path) -> None:
    """Two hundred matches of 300 lines, all of them open on both sides, take less than 512 MB, processes included."""
    more = {"rates": FREE + ",socket=99999/1"}
    server = Served(str(tmp_path / "m.sqlite"), tmp_path / "log", None, "--no-local", **more)
    try:
        filled = asyncio.run(fill(server, MATCHES))
        most = asyncio.run(watched(server, filled, 20 if NIGHTLY else 2))
        print(f"{MATCHES} matches: {most:.0f} MB at most")
        assert most < 512, most
        assert httpx.get(f"{server.address}/api/health").json() == {"ok": True}
    finally:
        server.kill()
