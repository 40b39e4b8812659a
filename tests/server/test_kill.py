"""A server that is killed at any moment and started again goes on with nothing acknowledged lost."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import httpx2 as httpx
import msgspec
import pytest
from processes import PATIENCE, Served, postgres, postgres_folder

import fronte

ROUNDS = 25 if os.environ.get("FRONTE_NIGHTLY") else 3
"""How often the server is killed."""
LONG = 250
"""Lines after which another match is begun."""


class Player:
    """Plays both seats over HTTP as fast as it can, and keeps what was acknowledged."""

    def __init__(self, server: Served, seed: int) -> None:
        self.server = server
        self.opened = httpx.post(
            f"{server.address}/api/matches", json={"game": "isonzo", "seed": seed, "name": "kill"}
        ).json()
        self.path = f"/api/matches/{self.opened['id']}"
        self.twin = fronte.new("isonzo", seed=seed)
        self.rng = Random(seed)
        self.acknowledged = 0
        self.sent: list[Any] = []
        self.refused = ""

    def headers(self, seat: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self.opened['tokens'][seat]}"}

    def play(self, server: Served) -> None:
        """Play until the server is gone."""
        with httpx.Client(base_url=server.address) as client:
            while self.twin.decision is not None:
                seat = self.twin.decision.seat
                action = msgspec.to_builtins(self.twin.sample(self.rng))
                self.sent = [seat, action]
                try:
                    answer = client.post(
                        f"{self.path}/actions",
                        json={"action": action, "line": len(self.twin.entries)},
                        headers=self.headers(seat),
                    )
                except httpx.TransportError:
                    return
                if answer.status_code != 200:
                    self.refused = answer.text
                    return
                self.twin.play(action, seat)
                self.acknowledged = answer.json()["line"]
                assert self.acknowledged == len(self.twin.entries)

    def check(self, server: Served) -> None:
        """The record holds all that was acknowledged, and at most the one action whose answer was cut off."""
        assert not self.refused
        text = httpx.get(f"{server.address}{self.path}/save", headers=self.headers("ah")).text
        kept = fronte.load(text)
        assert len(kept.entries) in (self.acknowledged, self.acknowledged + 1)
        assert kept.entries[: self.acknowledged] == self.twin.entries
        if len(kept.entries) > self.acknowledged:
            assert [kept.entries[-1].seat, kept.entries[-1].action] == self.sent
            self.twin.play(self.sent[1], self.sent[0])
            self.acknowledged += 1


def kill_and_go_on(database: str, log: Path, times: int) -> int:
    server = Served(database, log)
    try:
        players, done = [Player(server, seed) for seed in (1, 2)], 0
        for round in range(times):
            for number, player in enumerate(players):
                if len(player.twin.entries) > LONG:  # before it is over
                    done += player.acknowledged
                    players[number] = Player(server, 10 * round + number)
            threads = [threading.Thread(target=player.play, args=(server,)) for player in players]
            for thread in threads:
                thread.start()
            wait_for_lines(players, 8)
            time.sleep(0.007 * (round % 12))  # anywhere between one answer and the next
            server.kill()
            for thread in threads:
                thread.join()
            server = Served(database, log)
            for player in players:
                player.check(server)
        assert server.stop() == 0
    finally:
        server.kill()
    return done + min(player.acknowledged for player in players)


def wait_for_lines(players: list[Player], more: int) -> None:
    wanted = [player.acknowledged + more for player in players]
    end = time.monotonic() + PATIENCE
    while any(player.acknowledged < line for player, line in zip(players, wanted, strict=True)):
        assert time.monotonic() < end and not any(player.refused for player in players), players[0].refused
        time.sleep(0.001)


def test_kill_and_go_on_with_sqlite(tmp_path: Path) -> None:
    assert kill_and_go_on(str(tmp_path / "matches.sqlite"), tmp_path / "log", ROUNDS) >= 8 * ROUNDS


@pytest.mark.skipif(postgres_folder() is None, reason="there is no PostgreSQL on this machine")
def test_kill_and_go_on_with_postgresql(tmp_path: Path) -> None:
    with postgres() as url:
        assert kill_and_go_on(url, tmp_path / "log", ROUNDS // 3) >= 8
