"""Chat and notes: who hears what, and that nobody else does."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hosts import Guest, Host
from processes import postgres, postgres_folder

from fronte.server import Settings
from fronte.server.matches import chat, notes
from fronte.server.store.database import Store
from fronte.server.store.rows import Person, Place


def people(host: Host) -> dict[str, Guest]:
    opened = host.client.post(
        "/api/matches", json={"game": "isonzo", "seed": 7, "watch": ["ah"], "holder": "Anna"}
    ).json()
    tokens = opened["tokens"] | {"spectator": opened["spectators"], "shoulder": opened["watch"]["ah"]}
    return {who: Guest(host, opened["id"], token) for who, token in tokens.items()}


def test_players_and_spectators_talk_apart_until_the_match_is_over(host: Host) -> None:
    here = people(host)
    with here["ah"].live() as player, here["spectator"].live() as gallery, here["shoulder"].live() as shoulder:
        for socket in (player, gallery, shoulder):
            socket.receive_json()
        said = here["italian"].post("/chat", {"text": " buongiorno\u0000 \n"}, 201)
        assert said == {"number": 1, "channel": "players", "seat": "italian", "name": "Anna", "text": "buongiorno",
                        "at": said["at"]}  # fmt: skip
        assert player.receive_json() == {"chat": said}
        gallery.send_json({"chat": {"text": "the left flank is empty", "name": "Zoe"}})
        heard = gallery.receive_json()["chat"]
        assert (heard["channel"], heard["seat"], heard["name"]) == ("spectators", "", "Zoe")
        shoulder.send_json({"chat": {"text": "psst"}})
        assert "no voice" in shoulder.receive_json()["error"]["why"]
        here["italian"].play("end")
        for socket in (player, gallery, shoulder):
            assert socket.receive_json()["line"] == 1  # and nothing of what was said before it
        player.send_json({"chat": {"text": "salve"}})
        assert player.receive_json()["chat"]["seat"] == "ah"
    assert [m["text"] for m in here["ah"].get("/chat")["messages"]] == ["buongiorno", "salve"]
    assert [m["text"] for m in here["ah"].get("/chat?since=1")["messages"]] == ["salve"]
    assert [m["text"] for m in here["spectator"].get("/chat")["messages"]] == ["the left flank is empty"]
    here["shoulder"].get("/chat", 403)
    assert "says nothing" in here["ah"].post("/chat", {"text": " \u0000"}, 422)["error"]["why"]
    live = host.server.matches.live[here["ah"].match]
    live.match.state.frames.clear()  # as when the match is over
    assert [m["number"] for m in here["ah"].get("/chat")["messages"]] == [1, 2, 3]
    assert len(here["spectator"].get("/chat")["messages"]) == 3


def test_notes_are_for_the_seat_that_makes_them(host: Host) -> None:
    here = people(host)
    ah, italian = here["ah"], here["italian"]
    phone = Guest(host, ah.match, ah.post("/links", {"kind": "seat"}, 201)["token"])
    with italian.live() as theirs, phone.live() as mine, here["shoulder"].live() as shoulder:
        for socket in (theirs, mine, shoulder):
            socket.receive_json()
        assert ah.post("/notes", {"hex": "2412", "text": " reserves here "}) == {"notes": {"2412": "reserves here"}}
        assert mine.receive_json() == {"notes": {"2412": "reserves here"}}
        italian.play("end")
        for socket in (theirs, mine, shoulder):
            assert socket.receive_json()["line"] == 1
    ah.post("/notes", {"hex": "2413", "text": "guns"})
    assert ah.post("/notes", {"hex": "2412", "text": ""}) == {"notes": {"2413": "guns"}}
    assert italian.get("/notes") == {"notes": {}}
    assert "no hex" in ah.post("/notes", {"hex": "9999", "text": "x"}, 422)["error"]["why"]
    here["shoulder"].get("/notes", 403)
    assert "guns" not in str([italian.get(path) for path in ("", "/state?since=-1", "/events", "/chat")])


async def talk_at_once(store: Store) -> None:
    from test_store import kept

    await store.open()
    await store.add(kept("abc"), [], {"ah": Person()}, [])
    place = Place("abc", "ah")
    said = [chat.Said(0, "players", "ah", "", str(n), 1) for n in range(12)]
    done = await asyncio.gather(*(chat._keep(store, "abc", one) for one in said))
    assert sorted(one.number for one in done) == list(range(1, 13))
    written: list[Any] = await asyncio.gather(*(notes.write(store, place, "1010", str(n)) for n in range(6)))
    assert all(len(found) == 1 for found in written)
    await store.close()


def test_who_speaks_at_once_is_heard_in_turn(tmp_path: Path) -> None:
    asyncio.run(talk_at_once(Store(Settings(database=str(tmp_path / "m.sqlite")).url)))


@pytest.mark.skipif(postgres_folder() is None, reason="there is no PostgreSQL on this machine")
def test_who_speaks_at_once_is_heard_in_turn_with_postgresql() -> None:
    with postgres() as url:
        asyncio.run(talk_at_once(Store(Settings(database=url).url)))


def test_notes_are_made_on_the_board_of_any_game(probe: str, host: Host) -> None:
    opened = host.client.post("/api/matches", json={"game": probe, "seed": 7}).json()
    north = Guest(host, opened["id"], opened["tokens"]["north"])
    assert north.post("/notes", {"hex": "0302", "text": "ford"}) == {"notes": {"0302": "ford"}}
    assert "no hex" in north.post("/notes", {"hex": "9999", "text": "x"}, 422)["error"]["why"]
