"""A server in this process, and players who sit at it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from starlette.testclient import TestClient

from fronte.engine.match import Match
from fronte.server import Settings, create_app

SEATS = ("italian", "ah")


class Host:
    """A server in this process, as a browser sees it."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    @property
    def server(self) -> Any:
        return self.client.app.state.server  # type: ignore[attr-defined]

    def begin(self, **wanted: Any) -> dict[str, Guest]:
        """A new match of Isonzo, and whoever sits at it."""
        answer = self.client.post("/api/matches", json={"game": "isonzo", "seed": 7} | wanted)
        assert answer.status_code == 201, answer.text
        opened = answer.json()
        places = opened["tokens"] | {f"watch {seat}": token for seat, token in opened["watch"].items()}
        return {seat: Guest(self, opened["id"], token) for seat, token in places.items()}

    def match(self, name: str) -> Match:
        """The match itself, which no browser sees."""
        found: Match = self.server.matches.live[name].match
        return found


class Socket:
    """A websocket that keeps apart what it is told of who has come or gone."""

    def __init__(self, opening: Any) -> None:
        self.opening = opening
        self.people: list[Any] = []

    def __enter__(self) -> Socket:
        self.session = self.opening.__enter__()
        return self

    def __exit__(self, *wrong: Any) -> None:
        self.opening.__exit__(*wrong)

    def receive_text(self) -> str:
        while True:
            text = str(self.session.receive_text())
            told = json.loads(text)
            if "people" not in told:
                return text
            self.people.append(told["people"])

    def receive_json(self) -> Any:
        return json.loads(self.receive_text())

    def receive_people(self) -> Any:
        """Who is told to be here next; nothing else may come before it."""
        told = self.people.pop(0) if self.people else json.loads(self.session.receive_text())["people"]
        return told

    def send_json(self, data: Any) -> None:
        self.session.send_json(data)

    def send_text(self, text: str) -> None:
        self.session.send_text(text)


class Guest:
    """One seat of a match, over HTTP."""

    def __init__(self, host: Host, match: str, token: str) -> None:
        self.host, self.match, self.token = host, match, token
        self.headers = {"authorization": f"Bearer {token}"}
        self.path = f"/api/matches/{match}"

    def get(self, what: str = "", status: int = 200) -> Any:
        answer = self.host.client.get(self.path + what, headers=self.headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    def post(self, what: str, body: Any, status: int = 200) -> Any:
        answer = self.host.client.post(self.path + what, json=body, headers=self.headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    def play(self, action: Any, line: int | None = None, status: int = 200) -> Any:
        line = self.get("/state")["line"] if line is None else line
        return self.post("/actions", {"action": action, "line": line}, status)

    def live(self, **query: Any) -> Socket:
        """The websocket of the seat."""
        asked = "".join(f"&{name}={value}" for name, value in query.items())
        address = f"ws://localhost{self.path}/live?token={self.token}{asked}"
        return Socket(self.host.client.websocket_connect(address))


def play_randomly(host: Host, seats: dict[str, Guest], rng: Random, lines: int) -> None:
    """Play through the interface for all seats; what is played is drawn from the match itself."""
    name = next(iter(seats.values())).match
    next(iter(seats.values())).get("/state")
    for _ in range(lines):
        match = host.match(name)
        if match.decision is None:
            return
        action = match.sample(rng)
        seats[match.decision.seat].play(msgspec.to_builtins(action), len(match.entries))


def play_inside(host: Host, name: str, rng: Random, lines: int = 100) -> bool:
    """The same in the server, all in one change: where only the record matters. Is the match over?"""
    matches = host.server.matches

    def some(match: Match) -> None:
        for _ in range(lines):
            if match.decision is not None:
                match.play(match.sample(rng))

    async def go_on() -> bool:
        await matches.change(name, None, None, some)
        async with matches.at(name) as live:
            return bool(live.over)

    return bool(host.client.portal.call(go_on))  # type: ignore[union-attr]


def play_to_the_end(host: Host, name: str, rng: Random) -> None:
    """The same until the match is over."""
    while not play_inside(host, name, rng):
        pass


def play_with_machines(host: Host, guests: dict[str, Guest], watch: Guest, rng: Random) -> None:
    """Play these seats through the interface, in a hurry, until the match is over; machines play the others."""
    with watch.live() as socket:
        while True:
            told = socket.receive_json()
            if told.get("result"):
                return
            decision = told.get("decision")
            if decision is not None and decision["seat"] in guests:
                match, end = host.match(watch.match), {"do": "end"}
                hurries = rng.random() < 0.7 and match.why_not(end) is None
                action = end if hurries else msgspec.to_builtins(match.sample(rng))
                guests[decision["seat"]].play(action, told["line"])


def hosted(settings: Settings) -> Iterator[Host]:
    """A server with these settings, as long as it is used."""
    with TestClient(create_app(settings), base_url="http://localhost") as client:
        yield Host(client)
