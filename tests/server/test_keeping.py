"""The list of matches: cards for everybody's eyes, names, putting away, deleting."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hosts import Guest, Host, hosted, play_randomly

from fronte import new
from fronte.games.registry import GAMES
from fronte.server import Settings
from fronte.server.cards import card


@pytest.fixture
def away(tmp_path: Path) -> Iterator[Host]:
    """A server for people elsewhere."""
    yield from hosted(Settings(database=str(tmp_path / "away.sqlite"), static=tmp_path / "static", local=False))


def listed(host: Host, *guests: Guest) -> dict[str, Any]:
    tokens = {"x-fronte-tokens": ",".join(guest.token for guest in guests)}
    return {one["id"]: one for one in host.client.get("/api/matches", headers=tokens).json()["matches"]}


def remove(host: Host, guest: Guest, status: int = 200, *others: Guest) -> Any:
    headers = guest.headers | {"x-fronte-tokens": ",".join(other.token for other in others)}
    answer = host.client.delete(guest.path, headers=headers)
    assert answer.status_code == status, answer.text
    return answer.json()


def opened_by(host: Host, **wanted: Any) -> dict[str, Guest]:
    """A match, with the links of whoever began it."""
    opened = host.client.post("/api/matches", json={"game": "isonzo", "seed": 7} | wanted).json()
    links = {"owner": opened["owner"], "spectators": opened["spectators"], **opened["tokens"]}
    links |= {f"invite {seat}": token for seat, token in opened["invitations"].items()}
    return {name: Guest(host, opened["id"], token) for name, token in links.items()}


def cells(sketch: dict[str, Any]) -> str:
    found, count = "", ""
    for letter in sketch["cells"]:
        if letter.isdigit():
            count += letter
        else:
            found, count = found + letter * int(count or 1), ""
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_card_says_where_a_match_stands(game: str) -> None:
    match = new(game, seed=3)
    told = card(match)
    assert told["owes"] == match.decision.seat if match.decision else told["owes"] is None
    assert told["turn"] >= 1 and set(told["phase"]) == set(told["score"]) == {"en", "it"}
    sketch = told["sketch"]
    drawn = cells(sketch)
    assert len(drawn) % sketch["rows"] == 0 and len(sketch["inks"]) == len(match.rules.setting.forces)
    view = match.rules.public_view(match.state)
    first = [int(sketch["first"][:2]), int(sketch["first"][2:])]
    for force, hexes in view.control.items():
        letter = "abcd"[list(match.rules.setting.forces).index(force)]
        for at in hexes[:40]:
            cell = drawn[(int(at[:2]) - first[0]) * sketch["rows"] + int(at[2:]) - first[1]]
            assert cell.lower() == letter or any(piece.at == at for piece in view.pieces)
    assert len(json.dumps(told)) < 2500


@pytest.mark.parametrize("game", GAMES)
def test_a_card_tells_nothing_that_is_hidden(game: str) -> None:
    match = new(game, seed=5)
    rng = Random(5)
    for _ in range(60):
        if match.decision is None:
            break
        match.play(match.sample(rng))
    if match.decision is None:
        return
    before = card(match)
    for seat in range(len(match.rules.seats)):
        match.state = match.rules.shuffle_hidden(match.state, seat, Random(seat))
        assert card(match) == before


def test_the_list_shows_cards_that_follow_the_match(host: Host) -> None:
    seats = host.begin()
    name = seats["italian"].match
    first = listed(host)[name]["card"]
    assert first["owes"] == "italian" and first["score"]["it"] == "0 punti vittoria"
    play_randomly(host, seats, Random(2), 60)
    later = listed(host)[name]["card"]
    assert later["sketch"]["cells"] != first["sketch"]["cells"]
    assert later == json.loads(json.dumps(card(host.match(name))))


def test_cards_are_for_those_who_may_look(away: Host) -> None:
    places = opened_by(away)
    name = places["italian"].match
    assert listed(away, places["italian"])[name]["card"] and listed(away, places["spectators"])[name]["card"]
    places["ah"].post("/seat", {"spectators": {"see": "nothing"}})
    assert listed(away, places["spectators"])[name]["card"] is None
    assert listed(away, places["italian"])[name]["card"]


def test_a_match_is_renamed_by_whoever_began_it(host: Host, away: Host) -> None:
    local = host.begin()["ah"]
    assert local.post("/name", {"name": " An evening\nat Plava "})["name"] == "An eveningat Plava"
    assert listed(host)[local.match]["name"] == "An eveningat Plava"
    local.post("/name", {"name": "x" * 201}, 400)
    places = opened_by(away, name="before")
    for place in ("italian", "spectators"):
        places[place].post("/name", {"name": "mine"}, 403)
    assert places["owner"].post("/name", {"name": "after"})["name"] == "after"
    assert places["italian"].get()["name"] == "after"


def test_a_match_is_put_away_by_each_for_himself(host: Host, away: Host) -> None:
    local = host.begin()["italian"]
    assert local.post("/archive", {})["archived"] and listed(host)[local.match]["archived"]
    assert not local.post("/archive", {"archived": False})["archived"]
    places = opened_by(away)
    italian, ah = places["italian"], places["ah"]
    assert italian.post("/archive", {})["archived"]
    assert listed(away, italian)[italian.match]["archived"] and not listed(away, ah)[ah.match]["archived"]
    places["spectators"].post("/archive", {}, 403)
    places["owner"].post("/archive", {}, 403)
    away.server.matches.live.clear()
    assert italian.get()["archived"]
    italian.play("end")  # what is put away can be played on
    assert italian.get()["archived"]


def test_a_match_of_this_machine_is_deleted_for_good(host: Host) -> None:
    seats = host.begin()
    italian, ah = seats["italian"], seats["ah"]
    play_randomly(host, seats, Random(2), 12)
    italian.post("/notes", {"hex": "1912", "text": "the bridge"})
    with ah.live() as socket:
        socket.receive_json()
        assert remove(host, italian) == {"id": italian.match}
        assert "deleted" in socket.receive_json()["error"]["why"]
    assert italian.match not in listed(host)
    italian.get("/state", 404)
    remove(host, italian, 404)


def test_what_others_play_is_not_deleted(away: Host) -> None:
    alone = opened_by(away, seats={"ah": "random"})
    remove(away, alone["spectators"], 403)
    remove(away, alone["owner"], 403)  # it does not hold the seat
    remove(away, alone["italian"])

    both = opened_by(away)  # whoever began it has both seats, and must show both
    remove(away, both["italian"], 403)
    remove(away, both["italian"], 200, both["ah"])

    friends = opened_by(away, invite=["ah"])
    token = friends["invite ah"].post("/accept", {}, 201)["tokens"]["ah"]
    for place in ("italian", "owner"):
        assert "put away, not deleted" in remove(away, friends[place], 403)["error"]["why"]
    friend = Guest(away, friends["italian"].match, token)
    remove(away, friend, 403)
    assert friend.get("/state")["line"] == 0

    waiting = opened_by(away, invite=["ah"])  # nobody has come yet
    remove(away, waiting["italian"])

    machines = opened_by(away, seats={"italian": "random", "ah": "random"})
    remove(away, machines["spectators"], 403)
    remove(away, machines["owner"])
