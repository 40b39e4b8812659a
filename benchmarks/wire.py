"""Measure what goes over the wire: bytes and milliseconds for each kind of action, in every game.

    .venv/bin/python benchmarks/wire.py [isonzo ...] [--actions 400] [--player steady] [--json]

A real `fronte serve` with an SQLite file; both seats of a match are connected by websockets of the second form, packed
as a browser has them. A machine player of this process decides for both, on a match that is played along.

    whole   kB of the table as the first form tells it, with every way whole, unpacked
    told    kB of the message that brings it: what has changed, with ways as trees
    wire    kB that come over the socket to the seat that acted, packed
    offer   ms of the processor to make what is on offer to whoever has to give such an answer
    server  ms of the processor that the server spends on the action with all it leads to, for both seats
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import statistics
import time
import urllib.request
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec
from browser import serving
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

import fronte
from fronte.ai import player
from fronte.engine.match import Match
from fronte.engine.ways import unpacked
from fronte.server.matches.changes import applied

SCENARIOS = {
    "isonzo": "historical",
    "altipiani": "historical",
    "volturno": "full",
    "caporetto": "historical",
}


class Counting(ClientConnection):
    """A connection that counts what comes in."""

    came = 0

    def data_received(self, data: bytes) -> None:
        """Bytes as they come."""
        self.came += len(data)
        super().data_received(data)


class Reader:
    """A seat that is told by changes."""

    def __init__(self, socket: Counting) -> None:
        self.socket = socket
        self.table: Any = None

    async def read(self) -> tuple[int, int]:
        """The next table: bytes of its message, and bytes that came meanwhile."""
        before = self.socket.came
        while True:
            text = str(await self.socket.recv())
            message = json.loads(text)
            assert "error" not in message, message
            if "change" in message:
                self.table = applied(self.table, message["change"])
                break
            if "view" in message:
                self.table = message
                break
        return len(text), self.socket.came - before

    def whole(self) -> int:
        """Bytes of the table told whole."""
        offer = self.table["offer"]
        return len(msgspec.json.encode(self.table | {"offer": offer and unpacked(offer)}))


def server_of(port: str) -> int:
    """The process that listens there: the youngest child of this one that serves it."""
    for place in Path("/proc").iterdir():
        if place.name.isdigit():
            try:
                words = (place / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"serve" in words and port.encode() in words:
                return int(place.name)
    raise RuntimeError("no server found")


def spent(process: int) -> float:
    """Seconds of the processor that all threads of a process have used."""
    total = 0
    for task in Path(f"/proc/{process}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except OSError:
            continue
    return total / 1e9


async def play(address: str, game: str, scenario: str, actions: int, spec: str) -> dict[str, list[dict[str, float]]]:
    """One match through the server; for each kind of decision what its answers cost."""
    body = json.dumps({"game": game, "scenario": scenario, "seed": 3}).encode()
    request = urllib.request.Request(f"{address}/api/matches", body, {"content-type": "application/json"})
    opened = json.load(urllib.request.urlopen(request))
    twin: Match = fronte.new(game, scenario=scenario, seed=3)
    players = {seat: player(spec, seat, game=game) for seat in twin.rules.seats}
    process = server_of(address.rpartition(":")[2])
    found: dict[str, list[dict[str, float]]] = defaultdict(list)
    readers = {}
    for seat, token in opened["tokens"].items():
        place = f"ws{address.removeprefix('http')}/api/matches/{opened['id']}/live"
        protocols = [Subprotocol("fronte.2"), Subprotocol(f"bearer.{token}")]
        socket = await connect(place, max_size=None, subprotocols=protocols, create_connection=Counting)
        assert isinstance(socket, Counting)
        readers[seat] = Reader(socket)
        told, came = await readers[seat].read()
        found["(first table)"].append({"whole": readers[seat].whole(), "told": told, "wire": came})
    for _ in range(actions):
        decision = twin.decision
        if decision is None:
            break
        action = players[decision.seat](twin.seated(decision.seat))
        begun = spent(process)
        message = {"action": msgspec.to_builtins(action), "line": len(twin.entries)}
        await readers[decision.seat].socket.send(json.dumps(message))
        told, came = await readers[decision.seat].read()
        for seat, reader in readers.items():
            if seat != decision.seat:
                await reader.read()
        server = spent(process) - begun
        twin.play(action)
        gc.disable()  # the player of this process leaves much behind
        begun = time.process_time()
        twin.offer_json()
        offer = time.process_time() - begun
        gc.enable()
        row = {"whole": readers[decision.seat].whole(), "told": told, "wire": came}
        found[decision.kind].append({**row, "server": server * 1e3})
        if twin.decision is not None:
            found[twin.decision.kind].append({"offer": offer * 1e3})
    for reader in readers.values():
        await reader.socket.close()
    return found


def figures(rows: list[dict[str, float]]) -> dict[str, float]:
    """Median and most of each."""
    told: dict[str, float] = {"n": sum("told" in row for row in rows)}
    for key, unit in (("whole", 1000), ("told", 1000), ("wire", 1000), ("offer", 1), ("server", 1)):
        values = [row[key] / unit for row in rows if key in row]
        if values:
            told[key] = round(statistics.median(values), 1)
            told[f"{key} most"] = round(max(values), 1)
    return told


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("games", nargs="*", default=list(SCENARIOS))
    options.add_argument("--actions", type=int, default=400)
    options.add_argument("--player", default="steady")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    os.environ.setdefault("FRONTE_WORKERS", "1")
    table: dict[str, dict[str, dict[str, float]]] = {}
    with serving() as address:
        for name in given.games:
            game, _, scenario = name.partition("/")
            found = asyncio.run(play(address, game, scenario or SCENARIOS[game], given.actions, given.player))
            every = [row for kind, rows in found.items() if kind != "(first table)" for row in rows]
            rows = sorted(found.items(), key=lambda item: -sum("told" in row for row in item[1]))
            table[name] = {"(all actions)": figures(every)} | {kind: figures(rows) for kind, rows in rows}
    if given.json:
        print(json.dumps(table))
        return
    for name, kinds in table.items():
        print(f"\n{name:26} {'n':>5}" + "".join(f"{key:>16}" for key in ("whole", "told", "wire", "offer", "server")))
        for kind, found in kinds.items():
            cells = (f"{found.get(key, 0):8.1f}{found.get(f'{key} most', 0):8.1f}" for key in COLUMNS)
            print(f"    {kind:22} {found['n']:5.0f}" + "".join(cells))


COLUMNS = ("whole", "told", "wire", "offer", "server")

if __name__ == "__main__":
    main()
