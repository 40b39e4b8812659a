"""Links: who gets which, what they open, and that they open nothing any more once they are ended."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hosts import Guest, Host, hosted
from processes import postgres, postgres_folder
from starlette.websockets import WebSocketDisconnect
from test_store import kept

from fronte.server import Settings
from fronte.server.people import links, seating
from fronte.server.store.database import Store
from fronte.server.store.rows import HELD, INVITED, OPEN, Person, Place


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A server that is open to friends."""
    yield from hosted(msgspec.structs.replace(settings, local=False, open_matches=True))


def begin(host: Host, **wanted: Any) -> dict[str, Any]:
    answer = host.client.post("/api/matches", json={"game": "isonzo"} | wanted)
    assert answer.status_code == 201, answer.text
    opened: dict[str, Any] = answer.json()
    return opened


def invited(host: Host, **wanted: Any) -> tuple[dict[str, Any], Guest, Guest]:
    """A match for two: the tokens, whoever began it, and the invitation."""
    opened = begin(host, invite=["ah"], holder="Berta", **wanted)
    match = opened["id"]
    return opened, Guest(host, match, opened["tokens"]["italian"]), Guest(host, match, opened["invitations"]["ah"])


def refused(guest: Guest, status: int = 401) -> str:
    """Why a link opens nothing: the same over HTTP and over the websocket."""
    why = str(guest.get("/state", status)["error"]["why"])
    with guest.live() as socket:
        assert socket.receive_json()["error"]["why"] == why
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert closed.value.code == 4000 + status
    return why


def test_a_new_match_has_a_link_for_everybody(host: Host) -> None:
    opened, italian, invitation = invited(host)
    assert set(opened["tokens"]) == {"italian"} and set(opened["invitations"]) == {"ah"}
    assert opened["spectators"] and opened["owner"] and opened["watch"] == {}
    every = [*opened["tokens"].values(), *opened["invitations"].values(), opened["spectators"], opened["owner"]]
    assert len(set(every)) == 4 and all(len(token) == 32 for token in every)  # 192 bits
    about = italian.get()
    assert about["role"] == "seat" and about["people"]["italian"] == {
        "state": "held", "name": "Berta", "here": False, "forced": False, "draw": False, "hints": [],
    }  # fmt: skip
    assert invitation.get()["role"] == "invite" and invitation.get()["people"]["ah"]["state"] == "invited"
    with host.client.portal.wrap_async_context_manager(host.server.store.engine.connect()) as connection:  # type: ignore[union-attr]
        import sqlalchemy as sa

        portal = host.client.portal
        assert portal is not None
        rows = portal.call(connection.execute, sa.text("SELECT * FROM link")).all()
    assert not any(token in str(rows) for token in every)


def test_an_invitation_opens_nothing_and_is_exchanged_once(host: Host) -> None:
    opened, italian, invitation = invited(host)
    assert refused(invitation, 403) == "an invitation must be accepted first"
    taken = invitation.post("/accept", {"name": " Anna\u202e  K. "}, 201)
    ah = Guest(host, opened["id"], taken["tokens"]["ah"])
    assert ah.get()["you"] == "ah" and ah.get("/state")["view"]["seat"] == "ah"
    assert italian.get()["people"]["ah"]["name"] == "Anna K."
    assert invitation.post("/accept", {}, 401)["error"]["why"] == "this invitation has been used already"
    assert refused(invitation) == "this invitation has been used already"
    owner = Guest(host, opened["id"], opened["owner"])
    assert "only its holder" in owner.post("/links", {"kind": "invite", "seat": "ah"}, 403)["error"]["why"]
    assert owner.get("/state", 403)["error"]["why"] == "this link only hands out other links"


def test_the_owner_replaces_an_invitation_that_went_astray(host: Host) -> None:
    opened, italian, invitation = invited(host)
    owner = Guest(host, opened["id"], opened["owner"])
    fresh = owner.post("/links", {"kind": "invite", "seat": "ah"}, 201)
    assert invitation.post("/accept", {}, 401)["error"]["why"] == "this link has been replaced by a newer one"
    assert owner.post("/links", {"kind": "seat", "seat": "ah"}, 422)
    assert owner.post("/links", {"kind": "watch", "seat": "italian"}, 422)
    assert italian.post("/links", {"kind": "invite", "seat": "ah"}, 403)
    assert [link["kind"] for link in owner.get("/links")["links"]].count("invite") == 1
    owner.host.client.delete(f"{owner.path}/links/{fresh['id']}", headers=owner.headers)
    assert Guest(host, opened["id"], fresh["token"]).post("/accept", {}, 401)["error"]["why"].endswith("revoked")


def test_a_seat_is_handed_over_and_its_old_links_end_at_once(host: Host) -> None:
    opened, italian, _ = invited(host)
    device = Guest(host, opened["id"], italian.post("/links", {"kind": "seat"}, 201)["token"])
    coach = Guest(host, opened["id"], italian.post("/links", {"kind": "watch"}, 201)["token"])
    assert coach.get("/state")["view"]["seat"] == "italian"
    handing = italian.post("/links", {"kind": "invite"}, 201)
    passed = Guest(host, opened["id"], handing["token"])
    owner = Guest(host, opened["id"], opened["owner"])  # has no say in a seat that is held
    assert handing["id"] not in [link["id"] for link in owner.get("/links")["links"]]
    assert host.client.delete(f"{owner.path}/links/{handing['id']}", headers=owner.headers).status_code == 404
    with device.live() as socket, coach.live() as shoulder:
        socket.receive_json(), shoulder.receive_json()
        italian.play("end")
        socket.receive_json(), shoulder.receive_json()
        token = passed.post("/accept", {"name": "Carlo"}, 201)["tokens"]["italian"]
        for ended in (socket, shoulder):
            assert "handed to somebody else" in ended.receive_json()["error"]["why"]
            with pytest.raises(WebSocketDisconnect) as closed:
                ended.receive_json()
            assert closed.value.code == 4401
    for old in (italian, device, coach):
        assert "handed to somebody else" in refused(old)
    assert Guest(host, opened["id"], token).get("/state")["line"] == 1


def test_links_are_listed_without_tokens_and_ended_one_by_one(host: Host) -> None:
    opened, italian, invitation = invited(host)
    ah = Guest(host, opened["id"], invitation.post("/accept", {}, 201)["tokens"]["ah"])
    phone = italian.post("/links", {"kind": "seat"}, 201)
    shown = italian.get("/links")["links"]
    assert sorted((link["kind"], link["seat"], link["yours"]) for link in shown) == [
        ("seat", "italian", False), ("seat", "italian", True), ("spectator", "", False),
    ]  # fmt: skip
    assert phone["token"] not in str(shown)
    path = f"{ah.path}/links/{phone['id']}"
    assert host.client.delete(path, headers=ah.headers).status_code == 404  # another seat's
    left = host.client.delete(path, headers=italian.headers).json()["links"]
    assert phone["id"] not in [link["id"] for link in left]
    assert refused(Guest(host, opened["id"], phone["token"])) == "this link has been revoked"
    spectator = Guest(host, opened["id"], opened["spectators"])
    gone = next(link["id"] for link in left if link["kind"] == "spectator")
    with spectator.live() as socket:
        socket.receive_json()
        assert host.client.delete(f"{ah.path}/links/{gone}", headers=ah.headers).status_code == 200
        assert socket.receive_json()["error"]["why"] == "this link has been revoked"
    assert refused(spectator) == "this link has been revoked"
    again = ah.post("/links", {"kind": "spectator"}, 201)["token"]
    assert "seat" not in Guest(host, opened["id"], again).get("/state")["view"]


def test_a_link_that_got_about_is_renewed(host: Host) -> None:
    opened, italian, _ = invited(host)
    fresh = Guest(host, opened["id"], italian.post("/renew", {}, 201)["token"])
    assert refused(italian) == "this link has been replaced by a newer one"
    assert fresh.get()["you"] == "italian"
    host.server.matches.live.clear()
    assert fresh.play("end")["line"] == 1


def test_open_seats_are_listed_and_taken_once(host: Host) -> None:
    opened = begin(host, open=["ah"], holder="Berta", name="come and play")
    assert opened["invitations"] == {} and set(opened["tokens"]) == {"italian"}
    (listed,) = host.client.get("/api/matches/open").json()["matches"]
    assert (listed["name"], listed["you"], listed["people"]["ah"]["state"]) == ("come and play", None, "open")
    path = f"/api/matches/{opened['id']}/sit"
    assert host.client.post(path, json={"seat": "italian"}).status_code == 403
    assert host.client.post(path, json={"seat": "french"}).status_code == 422
    taken = host.client.post(path, json={"seat": "ah", "name": "Dora"})
    assert taken.status_code == 201
    assert Guest(host, opened["id"], taken.json()["tokens"]["ah"]).get()["people"]["ah"]["name"] == "Dora"
    assert host.client.post(path, json={"seat": "ah"}).json()["error"]["why"] == "ah is not open"
    assert host.client.get("/api/matches/open").json() == {"matches": []}


def test_what_a_host_does_not_allow(host: Host, settings: Settings) -> None:
    def why(status: int, **wanted: Any) -> str:
        answer = host.client.post("/api/matches", json={"game": "isonzo"} | wanted)
        assert answer.status_code == status, answer.text
        return str(answer.json()["error"]["why"])

    assert "look over its shoulder" in why(403, watch=["ah"])
    assert "played by the machine" in why(422, invite=["ah"], seats={"ah": "random"})
    assert "either open or for somebody" in why(422, invite=["ah"], open=["ah"])
    assert "of a machine that plays against people" in why(403, watch=["ah"], seats={"ah": "random"})
    assert set(begin(host, watch=["ah"], seats={"ah": "random", "italian": "random"})["watch"]) == {
        "italian", "ah", "*",
    }  # fmt: skip
    for closed in hosted(msgspec.structs.replace(settings, database=settings.database + ".other", local=False)):
        answer = closed.client.post("/api/matches", json={"game": "isonzo", "open": ["ah"]})
        assert answer.status_code == 403
        assert closed.client.get("/api/matches/open").json() == {"matches": []}


def test_a_save_can_be_played_on_with_somebody_else(host: Host, settings: Settings) -> None:
    import fronte

    match = fronte.new("isonzo", seed=1)
    match.play("end")
    opened = host.client.post("/api/matches/upload?invite=ah", content=match.save()).json()
    assert set(opened["tokens"]) == {"italian"} and set(opened["invitations"]) == {"ah"}


async def take_at_once(store: Store) -> None:
    """Two with one invitation, one open seat, and an owner who invites anew: there is one holder in the end."""
    await store.open()
    people = {"italian": Person(INVITED), "ah": Person(OPEN)}
    invitation = ("secret", Place("abc", "italian", "invite"))
    await store.add(kept("abc"), [], people, [invitation])
    place = (await links.find(store, ["secret"]))[0].place
    accepted = await asyncio.gather(
        *(seating.accept(store, place, seating.Coming(f"guest {n}", None, 5)) for n in range(4)),
        *(seating.invite(store, "abc", "italian", 5) for _ in range(4)),
    )
    taken = [one for one in accepted[:4] if one is not None]
    assert len(taken) <= 1
    good = [link.place for link in await links.of_match(store, "abc") if link.place.seat == "italian"]
    held = (await store.people("abc"))["italian"].state == HELD
    assert [one.kind for one in good] == (["seat"] if held else ["invite"]) and held == bool(taken)
    sat = await asyncio.gather(*(seating.sit(store, Place("abc", "ah"), seating.Coming("", None, 5)) for _ in range(4)))
    assert sum(token is not None for token in sat) == 1
    await store.close()


def test_of_many_who_want_a_seat_one_gets_it(tmp_path: Path) -> None:
    asyncio.run(take_at_once(Store(Settings(database=str(tmp_path / "m.sqlite")).url)))


@pytest.mark.skipif(postgres_folder() is None, reason="there is no PostgreSQL on this machine")
def test_of_many_who_want_a_seat_one_gets_it_with_postgresql() -> None:
    with postgres() as url:
        asyncio.run(take_at_once(Store(Settings(database=url).url)))
