"""Load shedding: what comes when there is too much to do is sent away with a time to come back, and nothing is lost."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import msgspec
import pytest
from hosts import Guest, Host, hosted
from many import Game, begin, play, settle
from processes import Served
from starlette.websockets import WebSocketDisconnect

from fronte.server import Settings
from fronte.server.load_shedding import AT_ONE_MATCH, LATEST, SOONEST

LITTLE = {"most_actions": "3", "most_openings": "3", "most_requests": "4"}
GAMES = 24


@contextlib.contextmanager
def served(folder: Path) -> Iterator[Served]:
    server = Served(str(folder / "m.sqlite"), folder / "log", None, **LITTLE)
    try:
        yield server
    finally:
        server.kill()


def metrics(server: Served) -> dict[str, float]:
    lines = httpx.get(f"{server.address}/api/metrics", timeout=60).text.splitlines()
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")}


async def _flood(server: Served, seconds: float) -> list[Game]:
    """Everybody acts as fast as he can; meanwhile everybody comes back at once; and somebody looks at the health."""
    games = await begin([server.address], GAMES, at_once=GAMES, hurry=0.1)

    async def all_come_back() -> None:
        await asyncio.gather(*(seat.open() for game in games for seat in game.seats.values()))

    async def healthy() -> None:
        for _ in range(10):
            async with httpx.AsyncClient(timeout=60) as client:
                assert (await client.get(f"{server.address}/api/health")).status_code == 200
            await asyncio.sleep(seconds / 10)

    await asyncio.gather(play(games, 0.02, seconds), healthy())
    await all_come_back()
    return games


def test_a_flood_is_held_off_and_nothing_of_it_is_lost_or_done_twice(tmp_path: Path) -> None:
    async def run(server: Served) -> dict[str, int]:
        games = await _flood(server, 6.0)
        return dict(await settle(games, str(tmp_path / "m.sqlite")))

    with served(tmp_path) as server:
        counted = asyncio.run(run(server))
        told = metrics(server)
    assert counted["acknowledged"] > 10 and counted["sent away"] > GAMES, counted
    for kind in ("action", "opening", "request"):
        assert told[f'fronte_sent_away_total{{kind="{kind}"}}'] > 0, (kind, told)
    assert told["fronte_actions_under_way"] == 0
    assert not counted.get("answers lost"), "who was sent away is told so at once"


# One by one


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    few = msgspec.structs.replace(settings, most_requests=2, most_actions=2, most_openings=1, most_sockets=2)
    yield from hosted(few)


def full(host: Host, kind: str, number: int) -> contextlib.ExitStack:
    """So many are under way."""
    busy = contextlib.ExitStack()
    for _ in range(number):
        busy.enter_context(host.server.load.enter(kind))
    return busy


def test_a_request_too_many_is_answered_at_once(host: Host) -> None:
    ah = host.begin()["ah"]
    with full(host, "request", 2):
        answer = host.client.get(ah.path + "?language=it", headers=ah.headers)
        fault: dict[str, Any] = answer.json()["error"]
        assert answer.status_code == 503 and SOONEST <= int(answer.headers["retry-after"]) <= LATEST
        assert fault["retry"] == int(answer.headers["retry-after"]) and "troppo da fare" in fault["why"]
        assert host.client.get("/api/health").json() == {"ok": True}, "whoever watches over it is answered"
        assert 'fronte_sent_away_total{kind="request"} 1' in host.client.get("/api/metrics").text
    assert ah.get()["line"] == 0


def test_an_action_too_many_has_not_happened(host: Host) -> None:
    italian = host.begin()["italian"]
    with italian.live() as socket:
        socket.receive_text()
        with full(host, "action", 2):
            assert italian.post("/actions", {"action": "end", "line": 0}, 503)["error"]["retry"]
            socket.send_json({"action": "end", "line": 0})
            assert socket.receive_json()["error"]["retry"], "and the socket stays open"
        assert italian.get("/state")["line"] == 0
        socket.send_json({"action": "end", "line": 0})
        assert socket.receive_json()["line"] == 1


def test_one_match_cannot_take_all_the_room(settings: Settings) -> None:
    for host in hosted(settings):
        one, other = host.begin()["italian"], host.begin()["italian"]
        with contextlib.ExitStack() as busy:
            for _ in range(AT_ONE_MATCH):
                busy.enter_context(host.server.load.act(one.match))
            one.post("/actions", {"action": "end", "line": 0}, 503)
            assert other.play("end", 0)["line"] == 1
        assert one.play("end", 0)["line"] == 1 and not host.server.load.acting


@pytest.mark.parametrize(("kind", "number"), [("opening", 1), ("socket", 2)])
def test_a_socket_too_many_is_told_when_to_come_back(host: Host, kind: str, number: int) -> None:
    guest: Guest = host.begin()["ah"]
    with full(host, kind, number), guest.live() as socket:
        assert SOONEST <= socket.receive_json()["error"]["retry"] <= LATEST
        with pytest.raises(WebSocketDisconnect) as gone:
            socket.receive_json()
        assert gone.value.code == 4503
    with guest.live() as socket:
        assert socket.receive_json()["line"] == 0


def test_times_to_come_back_differ(host: Host) -> None:
    assert len({host.server.load.full("action").retry for _ in range(100)}) == LATEST - SOONEST + 1


def test_whoever_sends_a_request_slowly_takes_nobodys_room(tmp_path: Path) -> None:
    """More half-sent requests than there is room for; others are served meanwhile."""

    async def run(server: Served) -> None:
        lines = (
            "POST /api/matches HTTP/1.1",
            "host: 127.0.0.1",
            "content-type: application/json",
            "content-length: 90",
        )
        head = "\r\n".join((*lines, "", "{"))
        slow = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(12)]
        for _, writer in slow:
            writer.write(head.encode())
            await writer.drain()
        await asyncio.sleep(0.5)
        async with httpx.AsyncClient(timeout=30) as client:
            assert "requests_under_way 0" in (await client.get(f"{server.address}/api/metrics")).text
            assert (await client.get(f"{server.address}/api/games")).status_code == 200
        for _, writer in slow:
            writer.close()

    with served(tmp_path) as server:
        asyncio.run(run(server))
