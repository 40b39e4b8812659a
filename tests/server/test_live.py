"""Live play: who may act and when, undo, standing orders, and a browser that comes back."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from hosts import Guest, Host, play_inside, play_randomly
from starlette.websockets import WebSocketDisconnect


def first_move(guest: Guest) -> dict[str, Any]:
    """Some move that the seat is offered, to an empty corner of its reach."""
    units = guest.get("/state")["offer"]["units"]
    unit, data = next((unit, data) for unit, data in units.items() if data["reach"])
    return {"do": "move", "unit": unit, "path": next(iter(data["reach"].values()))["path"][:1]}


def test_both_seats_are_told_at_once(host: Host) -> None:
    seats = host.begin()
    with seats["italian"].live(language="it") as mine, seats["ah"].live() as theirs:
        table = mine.receive_json()
        assert table["decision"]["seat"] == "italian" and table["offer"] and table["events"] == []
        assert theirs.receive_json()["offer"] is None
        mine.send_json({"action": {"do": "end"}, "line": 0})
        after, other = mine.receive_json(), theirs.receive_json()
        assert after["line"] == other["line"] == 1 and after["after"] == other["after"] == 0
        assert [e["text"] for e in after["events"]] != [e["text"] for e in other["events"]]
        assert after["offer"]["units"] and other["offer"] is None


OTHER = "it is for the Italian player to decide, not for the Austro-Hungarian player"


def test_what_is_illegal_foreign_or_stale_changes_nothing(host: Host) -> None:
    seats = host.begin()
    italian, ah = seats["italian"], seats["ah"]
    italian.play("end")
    assert italian.play({"do": "move", "unit": "it-udine", "path": ["0801"]}, 1, 422)["error"]["rule"] == "4.2"
    assert "attack is not possible now" in italian.play("attack 2412 with it-udine", 1, 422)["error"]["why"]
    assert italian.play({"do": "conquer"}, 1, 422)["error"]["why"].startswith("no action 'conquer'")
    assert ah.play("end", 1, 403)["error"]["why"] == OTHER
    late = {"rule": "", "why": "the match has gone on meanwhile", "line": 1, "retry": None}
    assert italian.play("end", 0, 409)["error"] == late
    italian.post("/actions", {"action": "end", "line": 1, "revision": 0}, 409)
    with italian.live() as mine:
        assert mine.receive_json()["line"] == 1
        for message, why in (
            ({"action": {"do": "move", "unit": "it-udine", "path": ["0801"]}, "line": 1}, "not adjacent"),
            ({"action": "end", "line": 7}, "gone on"),
            ({"action": "end"}, "needs the line"),
            ({"undo": 1}, None),
            ({"orders": {"demolition": "maybe"}}, "no policy 'maybe'"),
            ({"orders": {"weather": "fine"}}, "no standing order"),
            ({"dance": 1}, "unknown field"),
            ({}, "holds no action"),
        ):
            mine.send_json(message)
            answer = mine.receive_json()
            if why is None:
                assert answer["line"] == 0  # the first end rolled no dice and can be taken back
                mine.send_json({"action": "end", "line": 0})
                assert mine.receive_json()["line"] == 1
            else:
                assert why in answer["error"]["why"], answer
        mine.send_text("{")
        assert "cannot be read" in mine.receive_json()["error"]["why"]
    assert host.match(italian.match).entries[0].action == {"do": "end"} and len(host.match(italian.match).entries) == 1


def test_two_at_once_only_one_is_heard(host: Host) -> None:
    italian = host.begin()["italian"]
    assert italian.play("end", 0)["line"] == 1
    assert italian.play("end", 0, 409)["error"]["line"] == 1


def test_undo_is_for_the_seat_that_acted_and_shows_on_both_sides(host: Host) -> None:
    seats = host.begin()
    italian, ah = seats["italian"], seats["ah"]
    italian.play("end")
    start = italian.get("/state")["view"]
    with ah.live() as theirs:
        theirs.receive_json()
        moved = italian.play(first_move(italian))
        assert moved["undo"] and theirs.receive_json()["line"] == 2
        assert ah.post("/undo", {"line": 2}, 422)["error"]["why"].startswith("nothing can be taken back")
        back = italian.post("/undo", {"line": 2})
        assert back["line"] == 1 and back["view"] == start and back["revision"] == moved["revision"] + 1
        told = theirs.receive_json()
        assert told["line"] == told["after"] == 1 and told["events"] == []
    italian.post("/undo", {"line": 2}, 409)


def test_an_order_survives_the_other_seats_undo(host: Host) -> None:
    seats = host.begin()
    italian, ah = seats["italian"], seats["ah"]
    italian.play("end")
    italian.play(first_move(italian))
    assert ah.post("/orders", {"kind": "demolition", "policy": "blow"})["orders"] == {"demolition": "blow"}
    assert italian.get("/state")["orders"] == {}
    assert italian.post("/undo", {"line": 3})["line"] == 2
    host.server.matches.live.clear()  # as after a restart: all comes from the record
    assert ah.get("/state")["orders"] == {"demolition": "blow"} and ah.get("/state")["line"] == 2
    assert ah.post("/orders", {"kind": "demolition", "policy": None})["orders"] == {}
    assert ah.post("/orders", {"kind": "weather", "policy": None}, 422)["error"]["why"].startswith("no standing order")


def test_standing_orders_answer_and_are_recorded_line_by_line(host: Host) -> None:
    seats = host.begin(seed=5)
    for kind, policies in seats["ah"].get("/state")["policies"].items():
        seats["ah"].post("/orders", {"kind": kind, "policy": next(iter(policies))})
    play_inside(host, seats["ah"].match, Random(5), 250)
    match = host.match(seats["ah"].match)
    assert any(entry.standing for entry in match.entries)
    asked = seats["ah"].get("/events")["events"]
    host.server.matches.live.clear()
    assert seats["ah"].get("/events")["events"] == asked
    assert not host.match(seats["ah"].match).can_undo("ah")


def test_who_comes_back_gets_all_that_was_missed(host: Host) -> None:
    seats = host.begin()
    play_randomly(host, seats, Random(4), 40)
    with seats["ah"].live(since=25) as socket:
        table = socket.receive_json()
    assert table["after"] == 25
    assert table["events"] == seats["ah"].get("/events?since=25")["events"] != []
    with seats["ah"].live(since=-1) as socket:
        assert socket.receive_json()["events"] == seats["ah"].get("/events")["events"]
    with seats["ah"].live(since=900) as socket:
        assert socket.receive_json()["events"] == []


def test_who_knows_lines_that_were_taken_back_is_told_from_there(host: Host) -> None:
    seats = host.begin()
    italian = seats["italian"]
    italian.play("end")
    moved = italian.play(first_move(italian))
    italian.post("/undo", {"line": 2})
    units = italian.get("/state")["offer"]["units"]
    unit = [unit for unit, data in units.items() if data["reach"]][-1]
    path = next(iter(units[unit]["reach"].values()))["path"][:1]
    table = italian.play({"do": "move", "unit": unit, "path": path})
    assert table["line"] == moved["line"] == 2
    with seats["ah"].live(since=2, revision=moved["revision"]) as socket:
        told = socket.receive_json()
    assert told["after"] == 1 and {event["line"] for event in told["events"]} == {2}
    italian.post("/actions", {"action": "end", "line": 2, "revision": moved["revision"]}, 409)


def test_language_can_change_on_the_way(host: Host) -> None:
    with host.begin()["italian"].live() as socket:
        english = socket.receive_json()["decision"]["text"]
        socket.send_json({"language": "it"})
        assert socket.receive_json()["decision"]["text"] != english
        socket.send_json({"language": "de"})
        assert "error" in socket.receive_json()


def test_watchers_see_and_cannot_act(host: Host) -> None:
    seats = host.begin(watch=["italian"])
    watcher = seats["watch italian"]
    table = watcher.get("/state")
    assert table["view"] == seats["italian"].get("/state")["view"] and table["offer"] is None
    watcher.play("end", 0, 403)
    watcher.post("/undo", {"line": 0}, 403)
    watcher.post("/why", {"action": "end"}, 403)
    watcher.post("/orders", {"kind": "demolition", "policy": "blow"}, 403)
    with watcher.live() as socket:
        socket.receive_json()
        socket.send_json({"action": "end", "line": 0})
        assert socket.receive_json()["error"]["why"] == "this token only watches"


@pytest.mark.parametrize("token", ["", "nonsense"])
def test_a_socket_needs_a_token(host: Host, token: str) -> None:
    guest = host.begin()["italian"]
    guest.token = token
    with guest.live() as socket:
        assert "token" in socket.receive_json()["error"]["why"]
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert closed.value.code == 4401


def test_a_browser_too_slow_for_every_table_gets_a_fresh_one(host: Host) -> None:
    from fronte.server.matches.matches import MOST_WAITING, QUEUE, Watcher
    from fronte.server.store.rows import Place

    seats = host.begin()
    name = seats["ah"].match
    seats["ah"].get("/state")
    slow = Watcher(Place(name, "ah"), "en")
    portal = host.client.portal
    assert portal is not None
    portal.call(host.server.matches.watch, name, slow, None, None)
    play_randomly(host, seats, Random(6), QUEUE + 20)
    line = slow.line
    assert slow.behind and 2 < line <= QUEUE - 2, "as many as there is room for, by number and by size"
    assert slow.queue.qsize() <= QUEUE and slow.waiting <= MOST_WAITING
    portal.call(host.server.matches.catch_up, name, slow)
    import json

    table = json.loads(slow.queue.get_nowait())
    assert not slow.behind and table["after"] == line and table["line"] == QUEUE + 20


def test_matches_that_are_not_used_leave_memory(host: Host) -> None:
    held = host.server.matches
    held.settings = msgspec.structs.replace(held.settings, keep_matches=3)
    guests = [host.begin()["italian"] for _ in range(6)]
    for guest in guests:
        guest.play("end")
    assert len(host.server.matches.live) <= 3
    assert [guest.get("/state")["line"] for guest in guests] == [1] * 6


def both(host: Host, match: str, *tokens: str) -> Any:
    """One socket for several seats."""
    protocols = ["fronte", *(f"bearer.{token}" for token in tokens)]
    return host.client.websocket_connect(f"ws://localhost/api/matches/{match}/live?language=en", subprotocols=protocols)


def heard(socket: Any) -> tuple[str, Any]:
    """The next thing that is said, and for which seat; who comes and goes is left out."""
    while True:
        message = socket.receive_json()
        if "people" not in message["said"]:
            return message["for"], message["said"]


def test_one_socket_carries_both_seats_of_one_table(host: Host) -> None:
    seats = host.begin()
    italian, ah = seats["italian"], seats["ah"]
    shared = both(host, ah.match, italian.token, ah.token)
    with shared as socket, italian.live() as mine, ah.live() as theirs:
        told = dict((heard(socket), heard(socket)))
        alone = {"italian": mine.receive_json(), "ah": theirs.receive_json()}
        assert told == alone and told["italian"]["view"] != told["ah"]["view"]
        socket.send_json({"seat": "ah", "action": {"do": "end"}, "line": 0})
        seat, refused = heard(socket)
        assert seat == "ah" and refused["error"]["why"] == OTHER
        socket.send_json({"seat": "italian", "action": {"do": "end"}, "line": 0})
        told = dict((heard(socket), heard(socket)))
        assert told == {"italian": mine.receive_json(), "ah": theirs.receive_json()}
        assert told["italian"]["line"] == 1 and told["ah"]["offer"] is None
        socket.send_json({"seat": "nobody", "undo": 1})
        assert "does not hold that seat" in heard(socket)[1]["error"]["why"]


def test_one_socket_takes_no_token_of_another_match_or_of_one_who_watches(host: Host) -> None:
    seats = host.begin()
    watching = seats["italian"].post("/links", {"kind": "watch", "seat": "italian"}, 201)["token"]
    for wrong in (host.begin()["ah"].token, watching, "nonsense"):
        with both(host, seats["italian"].match, seats["italian"].token, wrong) as socket:
            assert socket.receive_json()["error"]["why"]
            with pytest.raises(WebSocketDisconnect):
                socket.receive_json()
    assert not host.server.matches.watchers


def test_a_whole_move_is_let_pass_over_the_wire(host: Host, probe: str) -> None:
    begun = host.begin(game=probe, seed=3)
    seats = {seat: begun[seat] for seat in ("north", "south")}
    seats["north"].get("/state")
    match = host.match(next(iter(seats.values())).match)
    rng = Random(4)
    for _ in range(400):
        assert match.decision is not None
        if match.decision.kind == "react":
            break
        seats[match.decision.seat].play(msgspec.to_builtins(match.sample(rng)))
        match = host.match(match_id(seats))
    decision = match.decision
    assert decision is not None and decision.kind == "react"
    asked = seats[decision.seat]
    mover = seats[next(name for name in seats if name != decision.seat)]
    assert asked.get("/state")["decision"]["whole"] == {"do": "hold"}
    assert mover.get("/state")["decision"]["whole"] is None and mover.get("/state")["decision"]["odds"] == []
    line = asked.get("/state")["line"]
    shoot = next(one for one in asked.get("/state")["offer"]["actions"] if one["do"] == "shoot")
    body = {"action": shoot, "line": line, "whole": True}
    assert "no answer to a whole move" in asked.post("/actions", body, 422)["error"]["why"]
    asked.post("/actions", {"action": {"do": "hold"}, "line": line, "whole": True})
    match = host.match(match_id(seats))
    assert len(match.entries) > line and not any(entry.standing for entry in match.entries)
    asked.post("/orders", {"kind": "react", "policy": "shoot odds=40; hold"})
    assert asked.get("/state")["orders"] == {"react": "shoot odds=40; hold"}
    assert mover.get("/state")["orders"] == {}
    assert asked.get("/state")["policies"]["react"]["shoot"][0] == {"name": "unit", "kind": "piece"}
    refused = asked.post("/orders?language=it", {"kind": "react", "policy": "shoot odds=x"}, 422)
    assert refused["error"]["why"] == "odds= è un numero da 0 a 100, non 'x'"


def match_id(seats: dict[str, Guest]) -> str:
    return next(iter(seats.values())).match
