"""Analysis at the table: free alone and afterwards, told to all between people, and never more than a seat may know."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from hosts import Guest, Host

from fronte.server.matches import analysis
from fronte.server.matches.replay import STOP_EVERY

RECORDED = Path(__file__).parents[1] / "recorded"
SHORT = RECORDED / "volturno-short-steady.jsonl"
FIRST = 7
"""A line of that game after which the Neapolitans have something to decide."""


def reopened(host: Host) -> tuple[Guest, Guest]:
    """A recorded game of Volturno that is over, and who sat at it: Garibaldini, then Neapolitans."""
    answer = host.client.post("/api/matches/upload?seats=garibaldini:human,napoletani:human", content=SHORT.read_text())
    assert answer.status_code == 201, answer.text
    opened = answer.json()
    return Guest(host, opened["id"], opened["tokens"]["garibaldini"]), Guest(
        host, opened["id"], opened["tokens"]["napoletani"]
    )


def begun(host: Host, **wanted: Any) -> dict[str, Guest]:
    """A match of Volturno under way."""
    return host.begin(game="volturno", scenario="short", **wanted)


def deciding(seats: dict[str, Guest]) -> tuple[Guest, Guest]:
    """Whoever owes the decision, and another."""
    owes = next(iter(seats.values())).get("/state")["decision"]["seat"]
    return seats[owes], next(guest for seat, guest in seats.items() if seat != owes)


def test_a_match_that_is_over_can_be_analysed_from_any_side(host: Host) -> None:
    garibaldini, _ = reopened(host)
    decides = garibaldini.get(f"/state?at={FIRST}")["decision"]["seat"]
    found = garibaldini.post(f"/advice?at={FIRST}&seat={decides}&language=it", {})
    assert found["line"] == FIRST and found["text"] and found["why"] and found["action"]["do"]
    again = garibaldini.post(f"/advice?at={FIRST}&seat={decides}&language=en", {})
    assert again["text"] != found["text"] and again["action"] == found["action"]
    other = next(seat for seat in ("garibaldini", "napoletani") if seat != decides)
    why = garibaldini.post(f"/advice?at={FIRST}&seat={other}", {}, 422)["error"]["why"]
    assert why == "there is nothing for this seat to decide there"
    late = STOP_EVERY + 1
    decides_late = garibaldini.get(f"/state?at={late}")["decision"]["seat"]
    for _ in range(2):  # the second time from the copy that was kept on the way
        found = garibaldini.post(f"/advice?at={late}&seat={decides_late}", {})
        assert found["line"] == late, "a page shows no advice about another line than its own"
    cost = garibaldini.get(f"/cost?at={FIRST}&seat={decides}")
    assert cost["done"] and cost["count"] >= 1 and len(cost["cost"]) == 3
    line = garibaldini.get()["line"]
    stands = garibaldini.get(f"/judgement?at={line - 20}&seat={other}")
    assert stands["ended"] >= 1 and sum(end["share"] for end in stands["endings"]) == pytest.approx(1)
    garibaldini.get(f"/judgement?at={line + 1}", 404)
    garibaldini.get("/judgement?seat=nobody", 422)
    assert garibaldini.get()["people"]["garibaldini"]["hints"] == []


def test_the_curve_is_drawn_in_the_background_and_kept(host: Host) -> None:
    over, _ = reopened(host)
    seats = {"garibaldini": "human", "napoletani": "steady"}
    opened = over.post("/branch", {"at": over.get()["line"] - 12, "seats": seats}, 201)
    guest = Guest(host, opened["id"], opened["tokens"]["garibaldini"])
    table = guest.get("/state")
    for _ in range(300):
        if table["result"] or (table["line"] and table["decision"]["seat"] == "garibaldini"):
            break
        if table["decision"]["seat"] == "garibaldini":
            table = guest.play(guest.post("/advice", {})["action"])
        else:
            time.sleep(0.1)
            table = guest.get("/state")
    first = guest.get("/curve")
    assert not first["whole"]
    seen = len(first["points"])
    for _ in range(600):
        curve = guest.get("/curve")
        assert len(curve["points"]) >= seen
        seen = len(curve["points"])
        if curve["whole"]:
            break
        time.sleep(0.1)
    lines = [point["line"] for point in curve["points"]]
    assert lines[0] == 0 and lines[-1] == curve["line"] == guest.get()["line"] > 0
    assert lines == sorted(set(lines)) and curve["of"] == len(lines) >= 2
    assert all(len(point["score"]) == 3 for point in curve["points"])
    assert guest.get("/curve") == curve


def test_a_curve_that_nobody_looks_at_rests(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, _ = reopened(host)
    monkeypatch.setattr(analysis, "WATCHED", 0.0)
    assert not guest.get("/curve")["whole"]
    drawn = host.server.matches.analysts.curves[guest.match, "garibaldini"]
    for _ in range(100):
        if drawn.task.done():
            break
        time.sleep(0.02)
    assert drawn.task.done() and not drawn.lines and not drawn.found
    monkeypatch.undo()
    guest.get("/curve")
    assert not drawn.task.done(), "who asks again finds it going on"


def test_alone_against_the_machine_hints_are_free(host: Host) -> None:
    seats = begun(host, seats={"napoletani": "human", "garibaldini": "random"})
    guest = seats["napoletani"]
    for _ in range(100):
        if guest.get("/state")["decision"]["seat"] == "napoletani":
            break
        time.sleep(0.1)
    about = guest.get()
    assert about["practice"]
    line = guest.get("/state")["line"]
    found = guest.post("/advice", {})
    assert found["line"] == line
    guest.play(found["action"])
    assert guest.get()["people"]["napoletani"]["hints"] == []
    guest.post(f"/advice?at={line}&seat=garibaldini", {}, 403)


def test_between_people_a_hint_is_told_to_all_and_stays_in_the_record(host: Host) -> None:
    seats = begun(host)
    asks, other = deciding(seats)
    name = asks.get()["you"]
    assert not asks.get()["practice"]
    line = asks.get("/state")["line"]
    for what in ("/judgement", "/curve", "/cost?at=0"):
        assert asks.get(what, 403)["error"]["why"] == "between people a match is analysed when it is over"
    other.post("/advice", {}, 403)
    with other.live() as socket:
        socket.receive_json()
        asks.post("/advice", {})
        socket.receive_json()  # a table comes before it
        socket.people.clear()
        told = socket.receive_people()
    assert told[name]["hints"] == [line]
    asks.post("/advice", {})  # the same hint once more
    host.server.matches.live.clear()
    assert other.get()["people"][name]["hints"] == [line]
    save = host.client.get(f"{asks.path}/save", headers=asks.headers).text
    assert f'"hints":{{"{name}":[{line}]}}' in save.splitlines()[0]


def test_where_both_began_it_for_practice_nobody_is_told(host: Host) -> None:
    seats = begun(host, practice=True)
    asks, _ = deciding(seats)
    assert asks.get()["practice"]
    asks.post("/advice", {})
    assert all(not holder["hints"] for holder in asks.get()["people"].values())


def test_one_plays_on_from_any_point_of_a_match_that_is_over(host: Host) -> None:
    garibaldini, napoletani = reopened(host)
    then = garibaldini.get(f"/state?at={FIRST}")
    opened = garibaldini.post(
        "/branch", {"at": FIRST, "seats": {"garibaldini": "human", "napoletani": "human"}, "name": "again"}, 201
    )
    new = Guest(host, opened["id"], opened["tokens"]["garibaldini"])
    table = new.get("/state")
    assert table["line"] == 0 and new.get()["practice"] and new.get()["name"] == "again"
    assert table["view"]["stage"] == then["view"]["stage"] and table["view"]["pieces"] == then["view"]["pieces"]
    line = napoletani.get()["line"]
    napoletani.post("/branch", {"at": line}, 422)
    napoletani.post("/branch", {"at": line + 1}, 404)


def test_while_people_play_nobody_plays_on_beside_them(host: Host) -> None:
    asks, _ = deciding(begun(host))
    asks.post("/branch", {"at": 0}, 403)
    alone = begun(host, seats={"napoletani": "human", "garibaldini": "random"})["napoletani"]
    alone.post("/branch", {"at": 0, "seats": {"napoletani": "random", "garibaldini": "human"}}, 403)
    opened = alone.post("/branch", {"at": 0}, 201)
    assert set(opened["tokens"]) == {"napoletani"}


def test_one_question_about_a_match_at_a_time(host: Host) -> None:
    garibaldini, _ = reopened(host)
    host.server.matches.analysts.asked.add(garibaldini.match)
    answer = host.client.get(f"{garibaldini.path}/judgement?at=0", headers=garibaldini.headers)
    assert answer.status_code == 503 and answer.headers["retry-after"]
    host.server.matches.analysts.asked.clear()
    host.server.matches.analysts.asked.update(map(str, range(6)))
    assert host.client.get(f"{garibaldini.path}/judgement?at=0", headers=garibaldini.headers).status_code == 503
