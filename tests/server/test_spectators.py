"""Those who look on: what both know and nothing else, one side only late and only if both agree. On the wire."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from every import PROBE, every_game
from hosts import SEATS, Guest, Host, hosted, play_randomly
from starlette.websockets import WebSocketDisconnect

from fronte.server import Settings
from fronte.server.matches import tables


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A server that is open to friends."""
    yield from hosted(
        msgspec.structs.replace(settings, local=False, rates="action=9999/1,request=9999/1,show=9999/1,ask=9999/1")
    )


def with_spectator(host: Host, **wanted: Any) -> tuple[dict[str, Guest], Guest]:
    opened = host.client.post("/api/matches", json={"game": "isonzo", "seed": 7} | wanted).json()
    seats = {seat: Guest(host, opened["id"], token) for seat, token in opened["tokens"].items()}
    return seats, Guest(host, opened["id"], opened["spectators"])


def choose(seats: dict[str, Guest], **choice: Any) -> None:
    for guest in seats.values():
        guest.post("/seat", {"spectators": choice})


@pytest.mark.costly
@every_game
def test_a_spectator_is_told_nothing_that_either_side_does_not_know(host: Host, game: str) -> None:
    """Every message to a spectator is compared with what both seats are told at the same moment."""
    seats, spectator = with_spectator(host, game=game)
    rng = Random(3)
    units = 0
    with spectator.live(since=-1) as socket:
        for _ in range(120):
            told = socket.receive_json()
            known = [guest.get(f"/state?since={told['after']}") for guest in seats.values()]
            assert not any(piece.get("mine") for piece in told["view"]["pieces"]) and "seat" not in told["view"]
            assert told["offer"] is None and told["orders"] == {} and not told["undo"]
            for side in known:
                everything = {key: piece for piece in side["view"]["pieces"] for key in keys(piece)}
                for piece in told["view"]["pieces"]:
                    if "id" not in piece and not piece["at"].isdigit():
                        continue  # of strangers off the map nobody knows which is which
                    whole = everything[keys(piece)[0]]  # KeyError: a unit that this side does not see
                    assert (piece["at"], piece["force"]) == (whole["at"], whole["force"])
                    assert piece.get("values", {}).items() <= whole.get("values", {}).items()
                    assert set(piece.get("marks", ())) <= set(whole.get("marks", ()))
                    units += 1
                happened = {(event["line"], event["kind"]) for event in side["events"]}
                assert {(event["line"], event["kind"]) for event in told["events"]} <= happened
                asked = told["decision"]
                assert asked is None or (asked["about"] is None and asked["text"] is None)
            # what one side is told with a veil (a unit moves), the other knows without it, or both do
            for event in told["events"]:
                assert any(veiled(event, whole) for side in known for whole in side["events"]), event
            match = host.match(spectator.match)
            if match.decision is None:
                break
            action = msgspec.to_builtins(match.sample(rng))
            seats[match.decision.seat].play(action, len(match.entries))
    assert units > (100 if game == PROBE else 5000)


def veiled(told: dict[str, Any], whole: dict[str, Any]) -> bool:
    """Is an event told as somebody knows it, or with something left out?"""
    if (told["line"], told["kind"]) != (whole["line"], whole["kind"]):
        return False
    return all(value in ("", whole["data"].get(field)) for field, value in told["data"].items())


def keys(piece: dict[str, Any]) -> list[Any]:
    """What a piece can be known by: its name, if it has one, and where it lies."""
    return [*filter(None, [piece.get("id")]), (piece["at"], piece.get("order", 0), piece["force"])]


@pytest.mark.costly
@every_game
def test_what_either_side_hides_changes_no_byte(host: Host, game: str) -> None:
    """Permute what one side hides: whatever a spectator can ask for stays the same to the last byte."""
    compared = changed = 0
    for seed in range(7, 16):
        if compared > 20 and changed > 15:  # a game that is soon over is played more than once
            break
        for same, moved in permuted(host, game, seed):
            assert same
            compared += 1
            changed += moved
    assert compared > 20 and changed > 15


def permuted(host: Host, game: str, seed: int) -> Iterator[tuple[bool, bool]]:
    """Twins of the states of a match: is the spectator told the same, and is anything different?"""
    _, spectator = with_spectator(host, game=game, seed=seed)
    spectator.get("/state")
    name, rng = spectator.match, Random(5)
    live = host.server.matches.live[name]
    overlay = host.match(name).rules.capabilities.overlays[0]

    def asked() -> list[str]:
        paths = ("/state?since=-1", "/state?language=it", "/events", f"/overlays/{overlay}", "")
        answers = [host.client.get(spectator.path + path, headers=spectator.headers).text for path in paths]
        with spectator.live() as socket:
            return [*answers, socket.receive_text()]

    for line in range(160):
        match = host.match(name)
        if match.decision is None:
            return
        if line % 10 == 0:
            before, told = match.state, asked()
            for seat in range(len(match.rules.seats)):
                twin = match.rules.shuffle_hidden(before, seat, rng)
                if match.rules.view(twin, seat) != match.rules.view(before, seat):
                    continue  # the permutation itself shows in a decision about a hidden stack
                moved = match.rules.to_position(twin) != match.rules.to_position(before)
                match.state, live.cached = twin, tables.Cached(match)
                yield asked() == told, moved
            match.state, live.cached = before, tables.Cached(match)
        match.play(match.sample(rng))  # beside the record, which is not what is proved here
        live.cached = tables.Cached(match)


def test_spectators_only_look(host: Host) -> None:
    _, spectator = with_spectator(host)
    spectator.play("end", 0, 403)
    for path, body in (
        ("/undo", {"line": 0}), ("/why", {"action": "end"}), ("/odds", {"action": "end"}),
        ("/odds/many", {"actions": ["end"]}),
        ("/orders", {"kind": "demolition", "policy": "blow"}), ("/path", {"unit": "it-udine", "via": ["1010"]}),
        ("/seat", {"name": "x"}), ("/notes", {"hex": "1010", "text": "x"}), ("/links", {"kind": "spectator"}),
        ("/renew", {}), ("/win", {}), ("/notices", {"kind": "mail", "address": "a@b.c"}), ("/claim", {}),
    ):  # fmt: skip
        spectator.post(path, body, 403)
    spectator.get("/overlays/supply?piece=it-udine", 422)
    spectator.get("/notes", 403)
    spectator.get("/save", 403)
    assert spectator.get()["role"] == "spectator" and spectator.get()["you"] is None
    with spectator.live() as socket:
        socket.receive_json()
        for message in ({"action": "end", "line": 0}, {"undo": 0}, {"orders": {"demolition": "blow"}}):
            socket.send_json(message)
            assert "only watches" in socket.receive_json()["error"]["why"]


def test_nobody_looks_on_at_his_own_match_against_a_machine(host: Host) -> None:
    """Whoever plays a machine holds the spectators' link himself: it must not show what the machine hides."""
    seats, spectator = with_spectator(host, seats={"ah": "random"}, seed=None)
    for see in SEATS:
        refused = seats["italian"].post("/seat", {"spectators": {"see": see, "lines": 1}}, 422)
        assert "what both sides know" in refused["error"]["why"]
    for _ in range(6):
        if seats["italian"].get("/state")["decision"]["seat"] == "italian":
            seats["italian"].play("end")
    told = spectator.get("/state?since=-1")
    assert "seat" not in told["view"] and not any(piece.get("mine") for piece in told["view"]["pieces"])
    mine = seats["italian"].get("/state")["view"]
    known = {piece["id"] for piece in mine["pieces"]}
    assert {piece["id"] for piece in told["view"]["pieces"]} <= known
    # a wish that was written before this was refused opens nothing either
    people = host.server.matches.live[spectator.match].people
    old = msgspec.json.encode({"see": "ah", "lines": 1}).decode()
    people["italian"] = msgspec.structs.replace(people["italian"], spectators=old)
    assert "seat" not in spectator.get("/state?since=-1")["view"]
    assert "seat" not in spectator.get("/state?at=0")["view"]
    assert spectator.get()["spectators"] == {"see": "common", "lines": 0, "minutes": 0}
    seats["italian"].post("/seat", {"spectators": {"see": "nothing"}})
    spectator.get("/state", 403)


def test_one_side_is_shown_late_and_only_if_both_want_it(host: Host) -> None:
    seats, spectator = with_spectator(host)
    wrong = seats["ah"].post("/seat", {"spectators": {"see": "ah"}}, 422)
    assert "only with a delay" in wrong["error"]["why"]
    seats["ah"].post("/seat", {"spectators": {"see": "french", "lines": 3}}, 422)
    seats["ah"].post("/seat", {"spectators": {"see": "ah", "lines": 5}})
    assert "seat" not in spectator.get("/state")["view"]  # one alone cannot open the other's doors
    seats["italian"].post("/seat", {"spectators": {"see": "ah", "lines": 4}})
    assert "seat" not in spectator.get("/state")["view"] and spectator.get()["spectators"]["see"] == "common"
    with spectator.live(since=-1) as socket:
        assert "seat" not in socket.receive_json()["view"]
        seats["italian"].post("/seat", {"spectators": {"see": "ah", "lines": 5}})
        assert spectator.get()["spectators"] == {"see": "ah", "lines": 5, "minutes": 0}
        opened = socket.receive_json()
        assert opened["view"]["seat"] == "ah" and opened["line"] == 0
        history: list[Any] = [seats["ah"].get("/state")["view"]]
        rng = Random(2)
        for number in range(1, 40):
            play_randomly(host, seats, rng, 1)
            history.append(seats["ah"].get("/state")["view"])
            told = socket.receive_json()
            assert told["line"] == max(0, number - 5) and told["view"] == history[told["line"]]
            assert all(event["line"] <= told["line"] for event in told["events"])
            assert told["offer"] is None
    assert max(event["line"] for event in spectator.get("/events")["events"]) <= 34
    assert spectator.get("/state?at=35", 404)["error"]["line"] == 34
    assert spectator.get("/state?at=30")["view"] == history[30]
    host.server.matches.live.clear()
    assert spectator.get("/state")["view"] == history[34]
    seats["italian"].post("/seat", {"spectators": {"see": "common"}})  # and one alone can close them
    assert "seat" not in spectator.get("/state")["view"]


def test_lines_that_are_taken_back_are_forgotten_by_those_who_follow_late(host: Host) -> None:
    seats, spectator = with_spectator(host)
    choose(seats, see="italian", lines=1)
    italian = seats["italian"]
    italian.play("end")
    units = italian.get("/state")["offer"]["units"]
    movers = [(unit, data) for unit, data in units.items() if data["reach"]]

    def move(which: int) -> None:
        unit, data = movers[which]
        italian.play({"do": "move", "unit": unit, "path": next(iter(data["reach"].values()))["path"][:1]})

    with spectator.live(since=-1) as socket:
        assert socket.receive_json()["line"] == 0
        move(0)
        move(1)
        assert [socket.receive_json()["line"] for _ in range(2)] == [1, 2]
        italian.post("/undo", {"line": 3})
        italian.post("/undo", {"line": 2})
        assert [socket.receive_json()["line"] for _ in range(2)] == [1, 0]
        move(2)
        socket.receive_json()
        then = italian.get("/state")["view"]
        move(3)
        told = socket.receive_json()
        assert told["line"] == 2 and told["view"] == then


def test_minutes_pass(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    seats, spectator = with_spectator(host)
    choose(seats, see="italian", minutes=10)
    now = [time.time()]
    monkeypatch.setattr("time.time", lambda: now[0])
    play_randomly(host, seats, Random(1), 6)
    now[0] += 300
    play_randomly(host, seats, Random(2), 4)
    portal = host.client.portal
    assert portal is not None
    with spectator.live(since=-1) as socket:
        assert socket.receive_json()["line"] == 0
        now[0] += 299
        portal.call(host.server.matches.tick)
        now[0] += 2
        portal.call(host.server.matches.tick)
        assert socket.receive_json()["line"] == 6
        now[0] += 300
        portal.call(host.server.matches.tick)
        assert socket.receive_json()["line"] == 10


def test_either_player_can_close_the_doors(host: Host) -> None:
    seats, spectator = with_spectator(host)
    with spectator.live() as socket:
        socket.receive_json()
        seats["ah"].post("/seat", {"spectators": {"see": "nothing"}})
        assert "nobody look on" in socket.receive_json()["error"]["why"]
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 4403
    for path in ("/state", "/events", "/overlays/zones", "/state?at=0"):
        assert "nobody look on" in spectator.get(path, 403)["error"]["why"]
    assert json.dumps(spectator.get())  # what the match is called may still be known
