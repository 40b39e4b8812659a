"""Many matches at once, played over websockets by players who note what was acknowledged, while things go wrong.

Each match has a twin here, played with the same seed. Both seats of it are connected. Only one action of a match is
under way at a time; where its answer is lost, the next table tells whether it was written. So in the end the record in
the database must be the twin's, line by line: nothing that was acknowledged is missing, and nothing is there twice.
`tests/server/test_many_faults.py` plays some matches like that, `benchmarks/load.py` 500.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from random import Random
from typing import Any

import asyncpg
import httpx2 as httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException
from websockets.typing import Subprotocol

import fronte
from fronte.server.matches.changes import applied

QUIET = ("works", "pontoons", "movement", "demolish")
"""Decisions outside of combat."""
ANSWER = 30.0
"""Seconds after which an answer is taken to be lost."""
PATIENCE = 150.0
RECORDS = "select match, line, body from entry order by match, line"
LOST = (OSError, WebSocketException, TimeoutError)


class Busy(Exception):
    """The server has too much to do: it says when to come back."""

    def __init__(self, retry: int) -> None:
        super().__init__(retry)
        self.retry = retry


class Seat:
    """One seat of a match, connected: the last table it was told, and what comes next."""

    def __init__(self, game: Game, seat: str, token: str) -> None:
        self.game, self.seat, self.token = game, seat, token
        self.table: Any = None
        """Told by changes, as a browser is."""
        self.line = self.revision = -1
        self.socket: ClientConnection | None = None
        self.news: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self.reading: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect to some process, with all that was missed; keeps trying while the server is away."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                await self._open()
                return
            except LOST:
                assert time.monotonic() < end, "the server does not come back"
                self.game.counted["tried again"] += 1
                await asyncio.sleep(0.1 + self.game.rng.random() * 0.4)
            except Busy as busy:
                assert time.monotonic() < end, "the server stays too busy"
                await self.game.sent_away(busy.retry)

    async def _open(self) -> None:
        await self.close()
        known = f"&since={self.line}&revision={self.revision}" if self.line >= 0 else "&since=-1"
        place = f"{self.game.address()}/api/matches/{self.game.name}/live?token={self.token}{known}"
        second = [Subprotocol("fronte.2")]
        socket = await connect(
            f"ws{place.removeprefix('http')}", max_size=None, subprotocols=second, open_timeout=ANSWER
        )
        try:
            async with asyncio.timeout(ANSWER):
                first = str(await socket.recv())
            if not first.startswith('{"line"'):
                retry = json.loads(first).get("error", {}).get("retry")
                raise InvalidHandshake(first) if retry is None else Busy(retry)
        except BaseException:
            await socket.close()
            raise
        self.news = asyncio.Queue()
        self.socket = socket
        self._told(first)
        self.reading = asyncio.create_task(self._read(socket, self.news))

    async def _read(self, socket: ClientConnection, news: asyncio.Queue[tuple[str, Any]]) -> None:
        try:
            async for message in socket:
                if str(message).startswith(('{"line"', '{"change"')):
                    self._told(str(message))
                    news.put_nowait(("table", self.line))
                elif str(message).startswith('{"error"'):
                    news.put_nowait(("error", json.loads(message)["error"]))
        except LOST:
            pass
        news.put_nowait(("lost", None))

    def _told(self, message: str) -> None:
        told = json.loads(message)
        table = applied(self.table, told["change"]) if "change" in told else told
        line, revision = table["line"], table["revision"]
        if revision < self.revision:
            self.game.wrong.append(f"{self.seat} is told revision {revision} after {self.revision}")
        self.table, self.line, self.revision = table, line, revision

    async def close(self) -> None:
        """Go, if connected."""
        if self.reading is not None:
            self.reading.cancel()
            await asyncio.gather(self.reading, return_exceptions=True)
            self.reading = None
        if self.socket is not None:
            socket, self.socket = self.socket, None
            if socket.transport is not None:
                socket.transport.abort()
        self.news = asyncio.Queue()

    async def send(self, data: Any) -> None:
        assert self.socket is not None
        await self.socket.send(json.dumps(data))


class Game:
    """A match, its twin, and its two seats."""

    def __init__(self, addresses: Sequence[str], seed: int) -> None:
        self.addresses = addresses
        self.rng = Random(f"game {seed}")
        self.seed = seed
        self.twin = fronte.new("isonzo", seed=seed)
        self.name = ""
        self.seats: dict[str, Seat] = {}
        self.acknowledged = 0
        self.times: list[tuple[float, float]] = []
        """When an action was sent that was acknowledged at once, and how long that took."""
        self.hurry = 1.0
        """How much sooner than told these players come back."""
        self.counted: Counter[str] = Counter()
        self.wrong: list[str] = []

    def address(self) -> str:
        """Some process of the server."""
        return self.rng.choice(self.addresses)

    async def begin(self, client: httpx.AsyncClient) -> None:
        """Begin the match; both seats sit down."""
        wanted = {"game": "isonzo", "seed": self.seed}
        while (answer := await client.post(f"{self.address()}/api/matches", json=wanted)).status_code == 503:
            await self.sent_away(int(answer.headers["retry-after"]))
        assert answer.status_code == 201, answer.text
        self.name = answer.json()["id"]
        self.seats = {seat: Seat(self, seat, token) for seat, token in answer.json()["tokens"].items()}
        for seat in self.seats.values():
            await seat.open()

    async def sent_away(self, retry: int) -> None:
        """Come back when the server says so, and not at the same moment as everybody else."""
        self.counted["sent away"] += 1
        await asyncio.sleep(retry * (1 + self.rng.random()) * self.hurry)

    async def act(self, mischief: str = "") -> None:
        """One action, until it is known to be written."""
        decision = self.twin.decision
        assert decision is not None
        hurry = decision.kind == "movement" and self.rng.random() < 0.6
        action = {"do": "end"} if hurry else msgspec.to_builtins(self.twin.sample(self.rng))
        seat, line = self.seats[decision.seat], len(self.twin.entries)
        if mischief == "comes back" and decision.kind not in QUIET:
            await seat.open()
            self.counted["came back in combat"] += 1
            told = seat.table["decision"]
            if seat.line != line or told["kind"] != decision.kind:
                self.wrong.append(f"after coming back in combat: {seat.line} {told}, not {line} {decision.kind}")
        while not await self._sent(seat, line, action, mischief):
            mischief = ""
        self.twin.play(action, decision.seat)
        self.acknowledged += 1

    async def _sent(self, seat: Seat, line: int, action: Any, mischief: str) -> bool:
        """Send an action; is it written? Where no answer comes the seat comes back and looks."""
        message = {"action": action, "line": line}
        messages = {"twice": [message, message], "early": [{"action": "end", "line": line + 1}, message]}
        begun = time.monotonic()
        sent = messages.get(mischief, [message])
        try:
            async with asyncio.timeout(ANSWER):
                for each in sent:
                    await seat.send(each)
                await self._answered(seat, line, len(sent), mischief)
            self.times.append((begun, time.monotonic() - begun))
            if mischief:
                self.counted[mischief] += 1
        except Busy as busy:
            await self.sent_away(busy.retry)
        except LOST:
            self.counted["answers lost"] += 1
            await asyncio.sleep(self.rng.random() * 0.2)
            await seat.open()
        if seat.line > line + 1:
            self.wrong.append(f"line {seat.line} after {line}: something was done twice")
        return seat.line == line + 1

    async def _answered(self, seat: Seat, line: int, sent: int, mischief: str) -> None:
        """Wait until the match has gone on; Busy if all that was sent has been refused, and the server was too busy."""
        errors = retry = 0
        while seat.line <= line:
            kind, what = await seat.news.get()
            if kind == "lost" or (kind == "error" and not self._expected(what, mischief)):
                raise ConnectionError
            if kind == "error":
                errors, retry = errors + 1, max(retry, what["retry"] or 0)
                if retry and errors >= sent:
                    raise Busy(retry)

    def _expected(self, error: dict[str, Any], mischief: str) -> bool:
        """Is this the refusal of what was sent twice or too early? Anything but that and an outage is wrong."""
        if mischief and "gone on" in error["why"]:
            self.counted["refused"] += 1
            return True
        if "too much to do" in error["why"]:
            return True
        if "database" in error["why"]:
            self.counted["database away"] += 1
        elif "gone on" in error["why"]:
            self.counted["refused"] += 1  # of a message that was sent twice before
            return True
        else:
            self.wrong.append(str(error))
        return False

    async def converge(self) -> None:
        """Both seats learn where the match is, without anything being done; then all tables are the twin's."""
        end = time.monotonic() + PATIENCE
        for name, seat in self.seats.items():
            while seat.line != len(self.twin.entries):
                if seat.reading is None or seat.reading.done():
                    await seat.open()  # as a browser does whose socket is gone
                assert time.monotonic() < end, f"{name} stays at line {seat.line} of {len(self.twin.entries)}"
                await asyncio.sleep(0.05)
            table = seat.table
            if table["view"] != json.loads(msgspec.json.encode(self.twin.view(name))):
                self.wrong.append(f"{name} sees something else than what is")
            decision = self.twin.decision
            if (table["decision"] or {}).get("kind") != (decision and decision.kind):
                self.wrong.append(f"{name} is asked for {table['decision']}")

    async def close(self) -> None:
        for seat in self.seats.values():
            await seat.close()


async def begin(addresses: Sequence[str], number: int, at_once: int = 8, hurry: float = 1.0) -> list[Game]:
    """So many matches, begun a few at a time."""
    games = [Game(addresses, seed) for seed in range(number)]
    gate = asyncio.Semaphore(at_once)
    async with httpx.AsyncClient(timeout=PATIENCE) as client:

        async def one(game: Game) -> None:
            game.hurry = hurry
            async with gate:
                await game.begin(client)

        await asyncio.gather(*(one(game) for game in games))
    return games


MISCHIEF = ("", "", "twice", "early", "comes back")


async def play(
    games: Sequence[Game],
    every: float,
    seconds: float,
    faults: Sequence[tuple[float, Callable[[], Awaitable[None]]]] = (),
) -> None:
    """Play all games, an action of each every so often, for so long; faults come at their times."""
    start = time.monotonic()

    async def player(game: Game) -> None:
        await asyncio.sleep(game.rng.random() * every)
        while time.monotonic() - start < seconds and game.twin.decision is not None:
            await game.act(game.rng.choice(MISCHIEF))
            left = max(0.0, seconds - (time.monotonic() - start))
            await asyncio.sleep(min(left, game.rng.expovariate(1 / every)))

    async def fault(after: float, happen: Callable[[], Awaitable[None]]) -> None:
        await asyncio.sleep(after)
        await happen()

    await asyncio.gather(*map(player, games), *(fault(*each) for each in faults))


async def settle(games: Sequence[Game], url: str) -> Counter[str]:
    """All converge and go; the records in the database are the twins'. What was counted."""
    for game in games:
        await game.converge()
    for game in games:
        await game.close()
    kept = await records(url)
    counted: Counter[str] = Counter()
    for game in games:
        assert not game.wrong, game.wrong
        twins = [msgspec.json.encode(entry).decode() for entry in game.twin.entries]
        assert kept.get(game.name, []) == twins, f"match {game.name}: the record is not what was acknowledged"
        assert game.acknowledged == len(game.twin.entries)
        counted += game.counted
        counted["acknowledged"] += game.acknowledged
    return counted


async def records(url: str) -> Mapping[str, list[str]]:
    """The records of all matches, straight from PostgreSQL or an SQLite file."""
    rows: Any
    if url.startswith("postgresql"):
        connection = await asyncpg.connect(url)
        try:
            rows = await connection.fetch(RECORDS)
        finally:
            await connection.close()
    else:
        with contextlib.closing(sqlite3.connect(url)) as file:
            rows = file.execute(RECORDS).fetchall()
    found: dict[str, list[str]] = {}
    for match, line, body in rows:
        record = found.setdefault(match, [])
        assert line == len(record) + 1, f"match {match}: line {line} after {len(record)}"
        record.append(body)
    return found
