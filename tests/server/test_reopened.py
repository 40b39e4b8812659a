"""A match opened again from a file keeps its players, or says whom it does not know; machines alone play too."""

from __future__ import annotations

import time
from random import Random

import msgspec
import pytest
from hosts import Guest, Host, hosted, play_randomly

import fronte
from fronte.engine.record import read, write
from fronte.engine.trust import fingerprint
from fronte.server import Settings
from fronte.server.matches import matches


def look(host: Host, text: str, status: int = 200, query: str = "") -> dict[str, object]:
    answer = host.client.post(f"/api/matches/look{query}", content=text)
    assert answer.status_code == status, answer.text
    found: dict[str, object] = answer.json()
    return found


def upload(host: Host, text: str, query: str = "") -> dict[str, object]:
    answer = host.client.post(f"/api/matches/upload{query}", content=text)
    assert answer.status_code == 201, answer.text
    found: dict[str, object] = answer.json()
    return found


def saved(host: Host, guest: Guest) -> str:
    return str(host.client.get(f"{guest.path}/save", headers=guest.headers).text)


def test_a_save_says_who_played_and_the_match_goes_on_with_them(host: Host) -> None:
    seats = host.begin(seats={"ah": "steady"})
    text = saved(host, seats["italian"])
    found = look(host, text)
    assert found["game"] == "isonzo" and found["scenario"] and found["over"] is False and found["error"] is None
    assert found["seats"] == {"italian": "human", "ah": "steady"}
    again = upload(host, text)
    assert set(again["tokens"]) == {"italian"}  # type: ignore[call-overload]
    told = Guest(host, str(again["id"]), again["tokens"]["italian"]).get()  # type: ignore[index]
    assert told["seats"] == {"italian": "human", "ah": "steady"}
    other = upload(host, text, "?seats=italian:random,ah:human")
    assert set(other["tokens"]) == {"ah"}, "and whoever goes on may say who plays"  # type: ignore[call-overload]


def test_a_save_that_does_not_say_who_played_is_asked_about(host: Host) -> None:
    match, rng = fronte.new("isonzo", seed=3), Random(1)
    for _ in range(12):
        match.play(match.sample(rng))
    found = look(host, match.save())
    assert found["seats"] == {"italian": None, "ah": None} and found["lines"] == 12
    heading, entries = read(match.save())
    strange = msgspec.structs.replace(heading, players={"italian": "human", "ah": "martian", "x": "human"})
    assert look(host, write(strange, entries))["seats"] == {"italian": "human", "ah": None}
    assert set(upload(host, write(strange, entries))["tokens"]) == {"italian", "ah"}  # type: ignore[call-overload]
    slow = msgspec.structs.replace(heading, players={"ah": "planner:900s"})
    assert look(host, write(slow, entries))["seats"] == {"italian": None, "ah": None}, "nobody may think so long here"


def test_what_cannot_go_on_is_said_before_anybody_is_asked(host: Host) -> None:
    heading, entries = read(fronte.new("isonzo", seed=3).save())
    other = msgspec.structs.replace(heading, header=msgspec.structs.replace(heading.header, rules="0"))
    assert "rules version 0" in str(look(host, write(other, entries))["error"])
    assert "con la versione 0" in str(look(host, write(other, entries), query="?language=it")["error"])
    assert "line 1" in str(look(host, "{}", 422)["error"])
    none = msgspec.structs.replace(heading, header=msgspec.structs.replace(heading.header, game="chess"))
    assert "no game 'chess'" in str(look(host, write(none, entries), 422)["error"])


def test_who_played_changes_no_fingerprint(settings: Settings) -> None:
    """What was noted during play still fits the save at the end, whoever it says has played."""
    for host in hosted(settings):
        seats = host.begin(seed=None)
        play_randomly(host, seats, Random(4), 20)
        noted = seats["ah"].get("/fingerprint")
        assert noted["fingerprint"]
        heading, entries = read(saved(host, seats["ah"]))
        assert heading.players == {"italian": "human", "ah": "human"}
        assert fingerprint(bytes.fromhex(heading.seed), heading, entries) == noted["fingerprint"]


def test_machines_alone_can_be_watched_from_either_side(host: Host) -> None:
    opened = host.client.post("/api/matches", json={"game": "isonzo", "seats": {"italian": "random", "ah": "random"}})
    told = opened.json()
    assert not told["tokens"] and set(told["watch"]) == {"*", "italian", "ah"} and told["spectators"]
    about = Guest(host, told["id"], told["watch"]["ah"]).get()
    assert about["people"] == {} and about["seats"] == {"italian": "random", "ah": "random"}
    assert about["watches"] and about["you"] == "ah" and about["role"] == "watch"
    with Guest(host, told["id"], told["watch"]["ah"]).live() as window:
        line = window.receive_json()["line"]
        while line < 5:
            line = window.receive_json().get("line", line)
    text = saved(host, Guest(host, told["id"], told["watch"]["ah"]))
    again = upload(host, text)
    assert not again["tokens"] and set(again["watch"]) == {"*", "italian", "ah"}  # type: ignore[call-overload]


def test_machines_alone_wait_while_nobody_looks(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "LOOKS", 0.3)
    wanted = {"game": "isonzo", "seats": {"italian": "random", "ah": "random"}}
    told = host.client.post("/api/matches", json=wanted).json()
    guest = Guest(host, told["id"], told["watch"]["ah"])
    until = time.monotonic() + 60
    while not guest.get("/state")["line"]:
        assert time.monotonic() < until
        time.sleep(0.05)
    time.sleep(2)
    line = len(host.match(told["id"]).entries)
    time.sleep(1)
    assert len(host.match(told["id"]).entries) == line, "nobody has looked for a while"
    while guest.get("/state")["line"] == line:
        assert time.monotonic() < until, "somebody looks again"
        time.sleep(0.05)
