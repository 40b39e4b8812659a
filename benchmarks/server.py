"""Measure the server: from an action sent to its acknowledged table received, on the loopback, with 50 matches live.

    .venv/bin/python benchmarks/server.py [--matches 50] [--every 2.5] [--seconds 20] [--json]

A real `fronte serve` with an SQLite file on the disk; both seats of each match are connected by websocket and told
everything. Each match is played at random at the pace of people (an action every few seconds, at random moments). A
time ends when the whole table, with all that is on offer, has arrived at the browser that acted; it is sent only after
the commit.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

import fronte


class Game:
    """A match, played here and on the server."""

    def __init__(self, address: str, seed: int) -> None:
        body = json.dumps({"game": "isonzo", "seed": seed}).encode()
        request = urllib.request.Request(f"{address}/api/matches", body, {"content-type": "application/json"})
        self.opened = json.load(urllib.request.urlopen(request))
        self.twin = fronte.new("isonzo", seed=seed)
        self.rng = Random(seed)
        self.sockets: dict[str, ClientConnection] = {}

    async def connect(self, address: str) -> None:
        """Both seats sit down."""
        for seat, token in self.opened["tokens"].items():
            place = f"ws{address.removeprefix('http')}/api/matches/{self.opened['id']}/live?token={token}"
            self.sockets[seat] = await connect(place, max_size=None, compression=None)
            await self.table(seat)

    async def table(self, seat: str) -> str:
        """The next table of a seat; what else comes is passed over."""
        while True:
            message = str(await self.sockets[seat].recv())
            if message.startswith(('{"line"', '{"error"')):
                return message

    async def act(self) -> tuple[str, float]:
        """One action; the kind of decision it answers, and the seconds until its table was there."""
        decision = self.twin.decision
        assert decision is not None
        action = self.twin.sample(self.rng)
        mine = self.sockets[decision.seat]
        message = json.dumps({"action": msgspec.to_builtins(action), "line": len(self.twin.entries)})
        begun = time.perf_counter()
        await mine.send(message)
        answer = await self.table(decision.seat)
        taken = time.perf_counter() - begun
        assert not answer.startswith('{"error"'), answer
        await self.table(next(seat for seat in self.sockets if seat != decision.seat))
        self.twin.play(action)
        return decision.kind, taken


async def people(games: list[Game], every: float, seconds: float) -> list[tuple[str, float]]:
    """Play all games at the pace of people."""
    end = time.monotonic() + seconds
    found: list[tuple[str, float]] = []

    async def play(game: Game, rng: Random) -> None:
        await asyncio.sleep(rng.random() * every)
        while time.monotonic() < end and game.twin.decision is not None:
            found.append(await game.act())
            await asyncio.sleep(rng.expovariate(1 / every))

    await asyncio.gather(*(play(game, Random(f"pace {number}")) for number, game in enumerate(games)))
    return found


def figures(times: list[float]) -> dict[str, float]:
    """Median and 95th percentile in milliseconds."""
    cut = statistics.quantiles(times, n=20)
    return {"median_ms": round(statistics.median(times) * 1e3, 1), "p95_ms": round(cut[-1] * 1e3, 1), "n": len(times)}


async def measure(address: str, matches: int, every: float, seconds: float) -> dict[str, Any]:
    """Connect all, play one match quickly, then all of them like people."""
    games = [Game(address, seed) for seed in range(matches)]
    for game in games:
        await game.connect(address)
    alone = [await games[0].act() for _ in range(60)]
    many = await people(games, every, seconds)
    return {
        f"{matches} matches, an action every {every:g} s each": figures([taken for _, taken in many]),
        "of these, answers to the movement decision": figures([t for kind, t in many if kind == "movement"]),
        "one match, one action after the other": figures([taken for _, taken in alone]),
    }


def main() -> None:
    """Run it and print."""
    options = argparse.ArgumentParser()
    options.add_argument("--matches", type=int, default=50)
    options.add_argument("--every", type=float, default=2.5)
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        command = [sys.executable, "-m", "fronte", "serve", "--port", str(port)]
        server = subprocess.Popen([*command, "--database", str(Path(folder) / "m.sqlite")], stdout=subprocess.DEVNULL)
        try:
            address = f"http://127.0.0.1:{port}"
            while True:
                try:
                    urllib.request.urlopen(f"{address}/api/health")
                    break
                except OSError:
                    time.sleep(0.1)
            found = asyncio.run(measure(address, given.matches, given.every, given.seconds))
        finally:
            server.terminate()
            server.wait()
    print(json.dumps(found) if given.json else "\n".join(f"{name:50} {value}" for name, value in found.items()))


if __name__ == "__main__":
    main()
