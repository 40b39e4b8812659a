"""Two people in different towns play a match over three weeks on a server that is restarted every night.

Each comes for an hour in the evening, on a new connection, and is told what he missed. Both note what binds the dice
and the fingerprints of the evenings; at the end each checks the match with his own notes. The days pass as fast as a
clock can be set.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest
from hosts import Guest, Host, hosted, play_to_the_end
from pledging import OTHER, RATES, WORD, accept, begin, checked, saved

from fronte.engine import trust
from fronte.engine.verify import Noted
from fronte.server import Settings

DAYS = 21
HOUR = 3600.0
SEATS = ("italian", "ah")


class Player:
    """Somebody at home: his link, what he was told last, and his notes."""

    def __init__(self, seat: str, match: str, token: str, word: str, house: str) -> None:
        self.seat, self.match, self.token, self.word, self.house = seat, match, token, word, house
        self.line, self.revision = -1, 0
        self.events: dict[int, list[Any]] = {}
        self.marks: dict[int, str] = {}

    def at(self, host: Host) -> Guest:
        return Guest(host, self.match, self.token)

    def come(self, host: Host) -> None:
        """Open the match again: the first table has everything since."""
        with self.at(host).live(since=self.line, revision=self.revision) as socket:
            self.hear(socket.receive_json())

    def hear(self, table: dict[str, Any]) -> None:
        for line in [line for line in self.events if line > table["after"]]:
            del self.events[line]  # taken back
        for event in table["events"]:
            self.events.setdefault(event["line"], []).append(event)
        self.line, self.revision = table["line"], table["revision"]

    def note(self, host: Host) -> None:
        """What he writes down before he goes to bed."""
        told = self.at(host).get("/fingerprint")
        if told["fingerprint"] is not None:
            self.marks[told["line"]] = told["fingerprint"]


def evening(host: Host, players: dict[str, Player], rng: Random, lines: int, now: list[float]) -> None:
    """They play on for an hour or so, each decision on a connection of its own; sometimes one is taken back."""
    name = players["ah"].match
    for player in players.values():
        player.come(host)
    for _ in range(lines):
        match = host.match(name)
        if match.decision is None:
            break
        now[0] += HOUR / lines
        player = players[match.decision.seat]
        action = msgspec.to_builtins(match.sample(rng))
        table = player.at(host).post("/actions", {"action": action, "line": len(match.entries)})
        if table["undo"] and rng.random() < 0.05:
            player.at(host).post("/undo", {"line": table["line"]})
    for player in players.values():
        player.come(host)
        player.note(host)


def test_three_weeks_and_both_believe_the_dice(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_800_000_000.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    chosen = msgspec.structs.replace(settings, local=False, rates=RATES + ",socket=9999/9")
    players: dict[str, Player] = {}
    rng = Random(17)
    for host in hosted(chosen):  # the first evening: one begins, the other accepts; his browser loses the word
        opened, italian, invitation = begin(host, "italian", "ah", clock={"total": 40 * 3600, "delay": 600})
        ah = accept(invitation, "ah", seal=trust.seal("in a browser whose memory was cleared"))
        ah.post("/anew", {})
        house = italian.post("/anew", {})["house"]
        assert house != opened["house"]
        mine = f"{WORD}, once more"
        italian.post("/word", {"seal": trust.seal(mine)})
        ah.post("/word", {"word": OTHER})
        italian.post("/word", {"word": mine})
        for seat, guest, word in (("italian", italian, mine), ("ah", ah, OTHER)):
            players[seat] = Player(seat, guest.match, guest.token, word, house)
    for day in range(DAYS):
        for host in hosted(chosen):
            evening(host, players, rng, 12, now)
            if day == DAYS - 1:  # a long night, of which both read in the morning
                play_to_the_end(host, players["ah"].match, rng)
                for player in players.values():
                    player.come(host)
                    player.note(host)
            left = players["ah"].at(host).get("/state")["clock"]["left"]
        now[0] += 22 * HOUR  # the server is off at night and comes back in the evening
    spent = sum(40 * 3600 - milliseconds / 1000 for milliseconds in left.values())
    assert spent <= DAYS * HOUR, "the nights cost nobody time"
    for host in hosted(chosen):
        for player in players.values():
            about = player.at(host).get()
            assert about["result"] is not None and len(player.marks) >= DAYS
            assert about["pledge"]["anew"][0]["by"] == "ah"
            whole = player.at(host).get("/events")["events"]
            known = [event for line in sorted(player.events) for event in player.events[line]]
            assert json.dumps(known) == json.dumps(whole), "evening by evening he was told the whole story"
            found = checked(saved(player.at(host)), Noted(player.house, {player.seat: player.word}, player.marks))
            assert found.verdict == "true", found
