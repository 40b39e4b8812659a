"""Machine players: they play their turns by themselves, and whatever they do, the table goes on."""

from __future__ import annotations

import json
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType

import msgspec
import players_for_tests
import pytest
from hosts import Guest, Host, hosted

import fronte
from fronte import ai
from fronte.ai import PLAYERS, Player, Seat
from fronte.engine.decision import Action
from fronte.engine.record import read
from fronte.games.registry import FAMILIES
from fronte.server import Settings
from fronte.server.matches import worker_main
from fronte.server.matches.worker_pool import Ask, Worker, WorkerError

PATIENCE = 90.0


@pytest.fixture
def machines(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    """A server with two workers whose players include bad ones, and which waits two seconds for an answer."""
    script = Path(players_for_tests.__file__)
    monkeypatch.setattr(Worker, "command", (sys.executable, str(script)))
    for name, player in players_for_tests.BAD.items():
        monkeypatch.setitem(PLAYERS, name, player)
    yield from hosted(msgspec.structs.replace(settings, think_seconds=2.0))


def until_italian(guest: Guest, lines: int = 0) -> dict[str, object]:
    """Wait until the person is asked again."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        table: dict[str, object] = guest.get("/state")
        decision = table["decision"]
        if table["line"] >= lines and (decision is None or decision["seat"] == "italian"):  # type: ignore[index, operator]
            return table
        time.sleep(0.05)
    raise AssertionError("the machine does not answer")


def pass_the_turn(guest: Guest) -> dict[str, object]:
    """End the phases of the Italian player turn; whatever else is asked is answered with the first thing offered."""
    table = until_italian(guest)
    for _ in range(60):
        line: int = table["line"]  # type: ignore[assignment]
        match = guest.host.match(guest.match)
        action = msgspec.to_builtins(next(iter(match.legal()))) if match.why_not("end") else "end"
        table = guest.play(action, line)
        if table["view"]["stage"]["active"] == "ah":  # type: ignore[index]
            return table
    raise AssertionError("the turn does not end")


def test_a_machine_plays_its_turn_and_a_socket_hears_of_it(machines: Host) -> None:
    guest = machines.begin(seats={"ah": "random"})["italian"]
    with guest.live() as socket:
        assert socket.receive_json()["line"] == 0
        pass_the_turn(guest)
        messages = []
        while True:
            message = json.loads(socket.receive_text())
            messages.append(message)
            stage = message.get("view", {}).get("stage", {})
            if stage.get("active") == "italian" and stage["turn"] == 3:
                break
            if message.get("decision", {}) and message["decision"]["seat"] == "italian":
                match = machines.match(guest.match)
                if match.decision is not None and match.decision.seat == "italian":
                    guest.play(msgspec.to_builtins(next(iter(match.legal()))))
    assert {"thinking": "ah"} in messages
    lines = [message["line"] for message in messages if "line" in message]
    assert lines == sorted(lines)
    entries = machines.match(guest.match).entries
    assert len({entry.seat for entry in entries}) == 2 and sum(entry.seat == "ah" for entry in entries) > 3


def test_the_machine_seat_has_no_token(machines: Host) -> None:
    opened = machines.client.post("/api/matches", json={"game": "isonzo", "seats": {"ah": "random"}}).json()
    assert set(opened["tokens"]) == {"italian"} and opened["watch"] == {}
    opened = machines.client.post(
        "/api/matches", json={"game": "isonzo", "seats": {"italian": "random", "ah": "random"}}
    ).json()
    assert opened["tokens"] == {} and set(opened["watch"]) == {"*", "italian", "ah"}


def test_two_machines_play_each_other_and_many_matches_go_on_beside_a_slow_one(machines: Host) -> None:
    pair = machines.begin(seats={"italian": "random", "ah": "random"}, seed=4)["watch ah"]
    pair.get("/state")
    thinking = machines.begin(seats={"italian": "slow"})["ah"]
    thinking.get("/state")
    other = machines.begin()["italian"]
    waits = []
    for _ in range(10):
        begun = time.monotonic()
        assert other.get("/state")["line"] == 0
        other.post("/why", {"action": "end"})
        waits.append(time.monotonic() - begun)
        time.sleep(0.05)
    assert sorted(waits)[5] < 0.25, "the table waits for the machine"
    end = time.monotonic() + PATIENCE
    while (line := pair.get("/state")["line"]) < 40:
        assert time.monotonic() < end, line
        time.sleep(0.05)
    assert thinking.get("/state")["line"] < 200


@pytest.mark.parametrize("player", ["sleeper", "cheat", "broken"])
def test_a_bad_player_does_not_stop_the_match(machines: Host, player: str) -> None:
    guest = machines.begin(seats={"italian": player})["ah"]
    guest.get("/state")
    end = time.monotonic() + PATIENCE
    while guest.get("/state")["line"] < 2:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert machines.match(guest.match).rules.broken(machines.match(guest.match).state) == []


def test_a_machine_player_waits_for_a_free_process(machines: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = machines.server.matches.pool
    asked: list[str] = []
    decide = pool.decide

    async def busy(job: object, player: str) -> object:
        asked.append(player)
        if len(asked) <= 2:  # neither the player nor the one that stands in for it gets to answer
            raise WorkerError("no answer")
        return await decide(job, player)

    monkeypatch.setattr(pool, "decide", busy)
    guest = machines.begin(seats={"italian": "random"})["ah"]
    end = time.monotonic() + PATIENCE
    while guest.get("/state")["line"] < 2:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert asked[:2] == ["random", "random"]


def test_reasons_are_told_unless_they_name_what_is_hidden(machines: Host) -> None:
    guest = machines.begin(seats={"italian": "talker"})["ah"]
    with guest.live() as socket:
        seen = ""
        reasons = []
        rules = fronte.ruleset("isonzo")
        while len(reasons) < 12:
            message = json.loads(socket.receive_text())
            if "view" in message:
                seen = json.dumps(message["view"])
                if message["decision"]["seat"] == "ah":
                    match = machines.match(guest.match)
                    action = match.sample(Random(message["line"]))  # the first on the list might be the same for ever
                    guest.play(msgspec.to_builtins(action), message["line"])
            if "why" in message:
                reasons.append(message["why"])
                named = [unit for unit in rules.ids if unit in message["why"].split()]  # type: ignore[attr-defined]
                assert all(f'"{unit}"' in seen for unit in named), (message, seen)
        assert "because of the weather" in reasons


def test_reasons_are_kept_for_those_who_may_hear_them(machines: Host) -> None:
    both = machines.begin(seats={"italian": "talker", "ah": "random"}, watch=["italian", "ah"])
    told: dict[str, str] = {}
    with both["watch ah"].live() as socket:
        while len(told) < 8:
            message = json.loads(socket.receive_text())
            if "why" in message:
                told[str(message["line"])] = message["why"]
    end = time.monotonic() + PATIENCE
    silent: list[str] = []
    while len(silent) < 3:  # what the other side was not told, though it was told of something later
        assert time.monotonic() < end, "the other side is told everything"
        ah, italian = (both[f"watch {seat}"].get("/reasons")["reasons"] for seat in ("ah", "italian"))
        silent = [why for line, why in italian.items() if line not in ah and int(line) < max(map(int, ah))]
    assert told.items() <= ah.items()  # whoever comes later finds what was told
    assert ah.items() < italian.items()  # the side itself may hear all
    assert all(why.startswith("to save") for why in silent)


def test_a_machine_goes_on_after_a_restart(settings: Settings) -> None:
    for host in hosted(settings):
        guest = host.begin(seats={"ah": "random"})["italian"]
        pass_the_turn(guest)
        line = guest.get("/state")["line"]
    for host in hosted(settings):
        guest.host = host
        table = until_italian(guest)
        assert table["line"] > line  # type: ignore[operator]


# Any game


def test_a_machine_plays_a_game_of_any_family(probe: str, host: Host) -> None:
    seats = host.begin(game=probe, seats={"north": "random", "south": "random"}, watch=["north"])
    with seats["watch north"].live() as socket:
        while socket.receive_json().get("line", 0) < 5:
            pass


def test_a_worker_asks_the_game_which_player_is_meant(probe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two families may have a player of one name."""
    asked: list[str] = []

    def theirs(rng: Random) -> Player:
        def play(seat: Seat) -> Action:
            asked.append("asked")
            return seat.sample(rng)

        return play

    declared = {"PLAYERS": {"steady": theirs}, "BUDGETED": {}, "USUAL": "steady"}
    family = ModuleType("a_family")
    vars(family).update(declared)
    monkeypatch.setitem(ai._ENTERED, FAMILIES[probe], family)
    match = fronte.new(probe, seed=3)
    assert match.decision is not None
    ask = Ask("m", match.decision.seat, "steady", 0, read(match.save())[0], [])
    answered = worker_main.answer(OrderedDict(), ask)
    assert asked == ["asked"] and match.why_not(answered.action) is None
