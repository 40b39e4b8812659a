"""Two people and a spectator on a real server, over HTTP and websockets, which is restarted under them."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx2 as httpx
import msgspec
import pytest
from processes import PATIENCE, Served
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

import fronte
from fronte.engine.match import Match

EVENINGS = 2 if os.environ.get("FRONTE_NIGHTLY") else 1
"""How often the server is off for a night."""


class Person:
    """Somebody with a link, at a browser of his own."""

    def __init__(self, server: Served, match: str, token: str) -> None:
        self.match, self.token = match, token
        self.headers = {"authorization": f"Bearer {token}"}
        self.sit(server)

    def sit(self, server: Served) -> None:
        """At the server, which may have been started anew."""
        self.client = httpx.Client(base_url=f"{server.address}/api/matches/{self.match}", headers=self.headers)
        address = f"ws://127.0.0.1:{server.port}/api/matches/{self.match}/live?since=-1"
        protocols, origin = [Subprotocol("fronte"), Subprotocol(f"bearer.{self.token}")], Origin(server.address)
        self.open = ExitStack()
        self.socket: ClientConnection = self.open.enter_context(
            connect(address, subprotocols=protocols, origin=origin, open_timeout=PATIENCE, max_size=None)
        )

    def table(self, line: int) -> Any:
        """The table that comes with this line; who comes and goes is passed over."""
        while True:
            told = json.loads(self.socket.recv(PATIENCE))
            assert "error" not in told, told
            if told.get("line") == line:
                return told

    def leave(self) -> None:
        self.open.close()
        self.client.close()


def play(server: Served, people: dict[str, Person], twin: Match, rng: Random, lines: int) -> None:
    """Play through the sockets; all see each decision at once."""
    for _ in range(lines):
        assert twin.decision is not None
        seat, action = twin.decision.seat, msgspec.to_builtins(twin.sample(rng))
        people[seat].socket.send(json.dumps({"action": action, "line": len(twin.entries)}))
        twin.play(action, seat)
        for who, person in people.items():
            told = person.table(len(twin.entries))
            expected = twin.rules.public_view(twin.state) if who == "spectator" else twin.view(who)
            assert told["view"] == json.loads(msgspec.json.encode(expected))


def a_match_between_two_towns(database: str, log: Path) -> None:
    settings = {"rates": "action=999/9,request=999/9,socket=99/9", "think_seconds": "5"}
    server = Served(database, log, None, "--no-local", **settings)
    try:
        made = httpx.post(
            f"{server.address}/api/matches",
            json={"game": "isonzo", "seed": 9, "invite": ["ah"], "clock": {"total": 3600, "delay": 60}},
        ).json()
        invitation = {"authorization": f"Bearer {made['invitations']['ah']}"}
        path = f"{server.address}/api/matches/{made['id']}"
        taken = [httpx.post(f"{path}/accept", json={"name": "Anna"}, headers=invitation) for _ in range(2)]
        assert [answer.status_code for answer in taken] == [201, 401]
        tokens = made["tokens"] | taken[0].json()["tokens"] | {"spectator": made["spectators"]}
        people = {who: Person(server, made["id"], token) for who, token in tokens.items()}
        twin, rng = fronte.new("isonzo", seed=9), Random(9)
        for person in people.values():
            person.table(0)
        play(server, people, twin, rng, 25)
        for _ in range(EVENINGS):
            for person in people.values():
                person.leave()
            assert server.stop() == 0
            server = Served(database, log, None, "--no-local", **settings)
            for person in people.values():
                person.sit(server)
                assert person.table(len(twin.entries))["events"]
            play(server, people, twin, rng, 15)
        refuse(server, people, made)
        kept = httpx.get(f"{server.address}/api/matches/{made['id']}", headers=people["ah"].headers).json()
        assert kept["line"] == len(twin.entries) == 25 + 15 * EVENINGS and kept["people"]["ah"]["here"]
        for person in people.values():
            person.leave()
        assert server.stop() == 0
    finally:
        server.kill()


def refuse(server: Served, people: dict[str, Person], made: dict[str, Any]) -> None:
    """Foreign seats, old links, other sites, and messages that are too large or cannot be read."""
    ah = people["ah"]
    line = ah.client.get("/state").json()["line"]
    owes = ah.client.get("/state").json()["decision"]["seat"]
    other = people["italian" if owes == "ah" else "ah"]
    assert other.client.post("/actions", json={"action": "end", "line": line}).status_code == 403
    address, foreign = (
        f"ws://127.0.0.1:{server.port}/api/matches/{made['id']}/live",
        Origin("https://elsewhere.example"),
    )
    with pytest.raises(InvalidStatus) as refused, connect(f"{address}?token={ah.token}", origin=foreign):
        pass
    assert refused.value.response.status_code == 403
    with connect(f"{address}?token={made['owner']}") as socket:
        assert "only hands out" in socket.recv(PATIENCE)  # type: ignore[operator]
    with connect(f"{address}?token={ah.token}", max_size=None) as socket:
        for wrong in ("{", "[]", '{"action": 3}', '{"line": -1}', '{"chat": {"text": ""}}'):
            socket.send(wrong)
            while "error" not in (told := json.loads(socket.recv(PATIENCE))):
                assert set(told) & {"people", "view"}
            assert "cannot be read" in told["error"]["why"]
        socket.send("x" * 70_000)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                socket.recv(PATIENCE)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
    assert ah.client.get("/state").json()["line"] == line


def test_a_match_between_two_towns(database: str, tmp_path: Path) -> None:
    a_match_between_two_towns(database, tmp_path / "log")
