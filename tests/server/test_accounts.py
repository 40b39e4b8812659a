"""Accounts: a name and a password, cookies that no script and no other site can use, and matches kept together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from argon2 import Type
from hosts import Guest, Host, hosted
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from fronte.server import Settings
from fronte.server.people import accounts

PASSWORD = "vetta d'Italia"
HASHER = accounts.hasher
"""The one that servers use; other tests have a cheaper one."""


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A server that is open to friends."""
    yield from hosted(msgspec.structs.replace(settings, local=False, rates="account=100/60,login=100/60"))


class Device:
    """A browser of somebody: cookies of its own, at the same server."""

    def __init__(self, host: Host, base: str = "http://localhost") -> None:
        self.client = TestClient(host.client.app, base_url=base)
        self.client.portal = host.client.portal
        self.csrf = ""

    def ask(self, method: str, path: str, body: Any = None, status: int = 200, **headers: str) -> Any:
        sent = {"x-fronte-csrf": self.csrf} if self.csrf else {}
        answer = self.client.request(method, path, json=body, headers=sent | headers)
        assert answer.status_code == status, answer.text
        self.answer = answer
        return answer.json()

    def log_in(self, name: str = "Anna", password: str = PASSWORD, status: int = 200) -> None:
        self.csrf = self.ask("POST", "/api/session", {"name": name, "password": password}, status).get("csrf", "")

    def register(self, name: str = "Anna") -> None:
        self.csrf = self.ask("POST", "/api/accounts", {"name": name, "password": PASSWORD}, 201)["csrf"]


def rows(host: Host, query: str) -> str:
    """Some of the database, as text."""
    portal = host.client.portal
    assert portal is not None

    async def read() -> str:
        async with host.server.store.engine.connect() as connection:
            return str((await connection.execute(sa.text(query))).all())

    return portal.call(read)


def test_a_password_is_costly_to_guess() -> None:
    """What RFC 9106 asks of argon2id where memory is short, at the least."""
    strong = HASHER()
    assert strong.type is Type.ID and strong.time_cost >= 3 and strong.memory_cost >= 64 * 1024
    assert strong.hash(PASSWORD).startswith("$argon2id$") and strong.verify(strong.hash(PASSWORD), PASSWORD)


def test_a_name_and_a_password_are_all_there_is(host: Host) -> None:
    phone = Device(host)
    assert phone.ask("GET", "/api/account") == {"name": None, "csrf": None}
    phone.register(" Anna \u200b")
    assert phone.ask("GET", "/api/account") == {"name": "Anna", "csrf": phone.csrf}
    kept = rows(host, "SELECT * FROM account")
    assert "$argon2id$" in kept and PASSWORD not in kept
    token = phone.client.cookies["fronte"]
    assert token not in rows(host, "SELECT * FROM session") and phone.csrf not in rows(host, "SELECT * FROM session")
    other = Device(host)
    for name, password, status in (
        ("anna", PASSWORD, 409), ("ANNA", PASSWORD, 409), ("Carlo", "short", 400), (" \u200b ", PASSWORD, 422),
        ("x" * 41, PASSWORD, 400),
    ):  # fmt: skip
        assert "why" in other.ask("POST", "/api/accounts", {"name": name, "password": password}, status)["error"]
    other.log_in(password="wrong password", status=401)
    wrong = other.answer.json()
    other.log_in("Nobody", status=401)
    assert other.answer.json() == wrong  # whether the name or the password was wrong is not told
    other.log_in("aNNa")
    assert other.ask("GET", "/api/account")["name"] == "Anna"


def test_cookies_are_for_this_server_alone(host: Host, settings: Settings) -> None:
    phone = Device(host)
    phone.register()
    told = phone.answer.headers["set-cookie"].lower()
    assert "httponly" in told and "samesite=strict" in told and "path=/" in told and "secure" not in told
    other = settings.database + ".other"
    public = msgspec.structs.replace(settings, database=other, local=False, public_url="https://localhost")
    for secured in hosted(public):
        phone = Device(secured, "https://localhost")
        phone.register("Berta")
        told = phone.answer.headers["set-cookie"].lower()
        assert told.startswith("__host-fronte=") and "secure" in told and "httponly" in told
        assert phone.answer.headers["strict-transport-security"]


def test_what_changes_things_must_come_from_our_own_pages(host: Host) -> None:
    phone = Device(host)
    phone.register()
    csrf, phone.csrf = phone.csrf, ""
    for method, path, body in (
        ("POST", "/api/matches", {"game": "isonzo"}),
        ("DELETE", "/api/session", None),
        ("POST", "/api/account/password", {"old": PASSWORD, "new": "another one"}),
        ("POST", "/api/account/delete", {"password": PASSWORD}),
    ):
        assert "X-Fronte-CSRF" in phone.ask(method, path, body, 403)["error"]["why"]
        assert "X-Fronte-CSRF" in phone.ask(method, path, body, 403, **{"x-fronte-csrf": "0" * 40})["error"]["why"]
        foreign = {"x-fronte-csrf": csrf, "origin": "https://elsewhere.example"}
        assert "other sites" in phone.ask(method, path, body, 403, **foreign)["error"]["why"]
        foreign = {"x-fronte-csrf": csrf, "sec-fetch-site": "cross-site"}
        assert "other sites" in phone.ask(method, path, body, 403, **foreign)["error"]["why"]
    assert phone.ask("GET", "/api/account")["name"] == "Anna"
    phone.csrf = csrf
    assert phone.ask("POST", "/api/matches", {"game": "isonzo"}, 201, origin="http://localhost")["id"]


def test_matches_are_found_again_on_another_device(host: Host) -> None:
    desk, phone, stranger = Device(host), Device(host), Device(host)
    desk.register()
    stranger.register("Berta")
    opened = desk.ask("POST", "/api/matches", {"game": "isonzo", "invite": ["ah"]}, 201)
    assert [match["you"] for match in desk.ask("GET", "/api/matches")["matches"]] == ["italian"]
    invitation = {"authorization": f"Bearer {opened['invitations']['ah']}"}
    token = stranger.ask("POST", f"/api/matches/{opened['id']}/accept", {}, 201, **invitation)["tokens"]["ah"]
    assert [match["you"] for match in stranger.ask("GET", "/api/matches")["matches"]] == ["ah"]
    phone.log_in()
    (listed,) = phone.ask("GET", "/api/matches")["matches"]
    assert listed["people"]["italian"]["name"] == "Anna" and listed["people"]["ah"]["name"] == "Berta"
    joined = phone.ask("POST", f"/api/matches/{opened['id']}/join", None, 201)
    assert set(joined["tokens"]) == {"italian"} and joined["owner"] is None
    assert Guest(host, opened["id"], joined["tokens"]["italian"]).get()["you"] == "italian"
    assert Guest(host, opened["id"], token).get()["you"] == "ah"
    Device(host).ask("POST", f"/api/matches/{opened['id']}/join", None, 403)
    other = Device(host)
    other.register("Carlo")
    other.ask("POST", f"/api/matches/{opened['id']}/join", None, 403)


def test_a_seat_is_kept_with_an_account_later(host: Host) -> None:
    opened = host.client.post("/api/matches", json={"game": "isonzo"}).json()
    phone = Device(host)
    bearer = {"authorization": f"Bearer {opened['tokens']['ah']}"}
    phone.ask("POST", f"/api/matches/{opened['id']}/claim", None, 401, **bearer)
    phone.register()
    phone.ask("POST", f"/api/matches/{opened['id']}/claim", None, 200, **bearer)
    assert [match["you"] for match in phone.ask("GET", "/api/matches")["matches"]] == ["ah"]


class Seat:
    """A seat and somebody else who was given a link to it, logged in, and has claimed it."""

    def __init__(self, host: Host) -> None:
        opened = host.client.post("/api/matches", json={"game": "isonzo", "invite": ["ah"]}).json()
        self.path = f"/api/matches/{opened['id']}"
        self.mine = Guest(host, opened["id"], opened["tokens"]["italian"])
        self.lent = self.mine.post("/links", {"kind": "seat"}, 201)
        self.other = Device(host)
        self.other.register("Malvolio")
        bearer = {"authorization": f"Bearer {self.lent['token']}"}
        self.other.ask("POST", f"{self.path}/claim", None, 200, **bearer)
        joined = self.other.ask("POST", f"{self.path}/join", None, 201)["tokens"]["italian"]
        self.joined = Guest(host, opened["id"], joined)
        self.shoulder = Guest(host, opened["id"], self.joined.post("/links", {"kind": "watch"}, 201)["token"])
        self.handing = Guest(host, opened["id"], self.joined.post("/links", {"kind": "invite"}, 201)["token"])

    def is_out(self) -> None:
        """Nothing that the other has opens the seat any more."""
        self.other.ask("POST", f"{self.path}/join", None, 403)
        assert self.other.ask("GET", "/api/matches")["matches"] == []
        for guest in (self.joined, self.shoulder, Guest(self.mine.host, self.mine.match, self.lent["token"])):
            guest.get("/state", 401)
        self.handing.post("/accept", {}, 401)


def test_whoever_claimed_a_seat_goes_when_its_link_is_renewed(host: Host) -> None:
    seat = Seat(host)
    with seat.joined.live() as socket, seat.shoulder.live() as shoulder:
        socket.receive_json(), shoulder.receive_json()
        fresh = Guest(host, seat.mine.match, seat.mine.post("/renew", {}, 201)["token"])
        for ended in (socket, shoulder):
            assert "replaced by a newer one" in ended.receive_json()["error"]["why"]
            with pytest.raises(WebSocketDisconnect) as closed:
                ended.receive_json()
            assert closed.value.code == 4401
    seat.is_out()
    assert fresh.play("end")["line"] == 1


def test_whoever_claimed_a_seat_goes_when_his_link_is_revoked(host: Host) -> None:
    seat = Seat(host)
    host.server.matches.live.clear()
    with seat.joined.live() as socket:
        socket.receive_json()
        link = f"{seat.path}/links/{seat.lent['id']}"
        left = host.client.delete(link, headers=seat.mine.headers).json()["links"]
        assert "has been revoked" in socket.receive_json()["error"]["why"]
    seat.is_out()
    assert [found["yours"] for found in left if found["kind"] == "seat"] == [True], "only one's own is left"
    assert seat.mine.play("end")["line"] == 1


def test_ones_own_account_keeps_the_seat_when_links_are_renewed(host: Host) -> None:
    desk = Device(host)
    desk.register()
    opened = desk.ask("POST", "/api/matches", {"game": "isonzo", "invite": ["ah"]}, 201)
    path, bearer = f"/api/matches/{opened['id']}", {"authorization": f"Bearer {opened['tokens']['italian']}"}
    lent = desk.ask("POST", f"{path}/links", {"kind": "seat"}, 201, **bearer)
    desk.ask("DELETE", f"{path}/links/{lent['id']}", None, 200, **bearer)
    token = desk.ask("POST", f"{path}/renew", {}, 201, **bearer)["token"]
    assert [match["you"] for match in desk.ask("GET", "/api/matches")["matches"]] == ["italian"]
    again = desk.ask("POST", f"{path}/join", None, 201)["tokens"]["italian"]
    for kept in (token, again):
        assert Guest(host, opened["id"], kept).get()["you"] == "italian"


def test_passwords_change_and_accounts_go(host: Host) -> None:
    desk, phone = Device(host), Device(host)
    desk.register()
    phone.log_in()
    opened = desk.ask("POST", "/api/matches", {"game": "isonzo"}, 201)
    desk.ask("POST", "/api/account/password", {"old": "not this one", "new": "sempre avanti"}, 403)
    desk.ask("POST", "/api/account/password", {"old": PASSWORD, "new": "sempre avanti"})
    assert desk.ask("GET", "/api/account")["name"] == "Anna"
    assert phone.ask("GET", "/api/account")["name"] is None  # the session ended with the old password
    phone.csrf = ""
    phone.log_in(status=401)
    phone.log_in(password="sempre avanti")
    phone.ask("DELETE", "/api/session")
    assert phone.ask("GET", "/api/account")["name"] is None
    desk.ask("POST", "/api/account/delete", {"password": PASSWORD}, 403)
    desk.ask("POST", "/api/account/delete", {"password": "sempre avanti"})
    assert desk.ask("GET", "/api/account")["name"] is None
    for table in ("account", "session", "seat", "notice"):
        assert "Anna" not in rows(host, f"SELECT * FROM {table}")
    assert Guest(host, opened["id"], opened["tokens"]["italian"]).get()["people"]["italian"]["name"] == ""


def test_guessing_is_slow(settings: Settings) -> None:
    limited = msgspec.structs.replace(settings, local=False, rates="login=3/600,account=2/600")
    for host in hosted(limited):
        phone = Device(host)
        phone.register()
        for _ in range(3):
            Device(host).log_in(password="wrong password", status=401)
        phone.log_in(status=429)
        assert int(phone.answer.headers["retry-after"]) > 100
        phone.register("Berta")
        assert "account" in phone.ask("POST", "/api/accounts", {"name": "C", "password": PASSWORD}, 429)["error"]["why"]


def test_a_host_may_want_no_accounts(settings: Settings) -> None:
    for host in hosted(msgspec.structs.replace(settings, local=False, accounts=False)):
        assert (
            "no accounts"
            in Device(host).ask("POST", "/api/accounts", {"name": "Anna", "password": PASSWORD}, 403)["error"]["why"]
        )
