"""What stands before the server: origins, headers, rates and sizes."""

from __future__ import annotations

import contextlib

import msgspec
import pytest
from hosts import Host, hosted
from starlette.websockets import WebSocketDisconnect

from fronte.server import Settings
from fronte.server.http.rate_limits import Limits, Rate, rates
from fronte.server.problem import Problem


def test_every_answer_binds_the_page(host: Host) -> None:
    for path in ("/", "/api/games", "/api/nothing", "/api/matches/abc"):
        headers = host.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert headers["x-frame-options"] == "DENY" and "server" not in headers
        assert headers["cross-origin-resource-policy"] == "same-origin"
    refused = host.client.get("/api/games", headers={"origin": "https://elsewhere.example"})
    assert refused.status_code == 403 and refused.headers["content-security-policy"] == policy


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.example", "null", "http://localhost:1", "http://localhost.example"]
)
def test_sockets_of_other_sites_are_refused(host: Host, origin: str) -> None:
    guest = host.begin()["italian"]
    address = f"ws://localhost{guest.path}/live?token={guest.token}"
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        host.client.websocket_connect(address, headers={"origin": origin}),
    ):
        pass
    assert closed.value.code == 4403
    with host.client.websocket_connect(address, headers={"origin": "http://localhost"}) as socket:
        assert socket.receive_json()["line"] == 0


def test_a_public_name_is_the_only_origin(settings: Settings) -> None:
    public = msgspec.structs.replace(settings, local=False, public_url="https://fronte.example")
    for host in hosted(public):
        ask = {"host": "fronte.example"}
        good = host.client.post(
            "/api/matches", json={"game": "isonzo"}, headers=ask | {"origin": "https://fronte.example"}
        )
        assert good.status_code == 201
        for headers in (
            ask | {"origin": "http://fronte.example"},
            ask | {"origin": "https://fronte.example:444"},
            {"host": "other.example"},
            {"host": "fronte.example", "sec-fetch-site": "same-site"},
            {"host": "[::1"},
        ):
            assert host.client.post("/api/matches", json={"game": "isonzo"}, headers=headers).status_code == 403, (
                headers
            )


def test_a_token_need_not_stand_in_the_address(host: Host) -> None:
    guest = host.begin()["ah"]
    address = f"ws://localhost{guest.path}/live"
    with host.client.websocket_connect(address, subprotocols=["fronte", f"bearer.{guest.token}"]) as socket:
        assert socket.accepted_subprotocol == "fronte"
        assert socket.receive_json()["view"]["seat"] == "ah"


def test_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("fronte.server.http.rate_limits.time.monotonic", lambda: now[0])
    limits = Limits({"login": Rate(3, 60)})
    for _ in range(3):
        limits.take("login", "a")
    limits.take("other", "a")
    with pytest.raises(Problem) as refused:
        limits.take("login", "a")
    assert refused.value.status == 429 and refused.value.retry == 21
    limits.take("login", "b")
    now[0] += 20
    limits.take("login", "a")
    with pytest.raises(Problem):
        limits.take("login", "a")
    now[0] += 3600
    for _ in range(3):
        limits.take("login", "a")
    assert limits.refused["login"] == 2
    assert rates("login=20/60")["login"] == Rate(20, 60) and rates("")["login"] == Rate(10, 300)
    for wrong in ("login", "login=0/5", "luck=1/1", "login=a/b"):
        with pytest.raises(ValueError, match="rates"):
            rates(wrong)


def test_floods_are_stopped_and_nobody_else_is(settings: Settings) -> None:
    limited = msgspec.structs.replace(
        settings,
        local=False,
        rates="action=6/600,create=3/600,upload=2/600,chat=2/600,socket=9/600",
        sockets_per_link=2,
    )
    for host in hosted(limited):
        seats = host.begin()
        italian = seats["italian"]
        for _ in range(6):
            italian.play({"do": "nonsense"}, 0, 422)
        assert "too many requests (action)" in italian.play("end", 0, 429)["error"]["why"]
        assert italian.get("/state")["line"] == 0
        seats["ah"].play("end", 0, 403)  # the other seat is not held up
        with italian.live() as socket:
            socket.receive_json()
            socket.send_json({"action": "end", "line": 0})
            assert "too many requests" in socket.receive_json()["error"]["why"]
            with italian.live() as second:
                second.receive_json()
                with italian.live() as third:
                    assert "windows are open" in third.receive_json()["error"]["why"]
        host.begin(), host.begin()
        assert host.client.post("/api/matches", json={"game": "isonzo"}).status_code == 429
        for status in (422, 422, 429):
            assert host.client.post("/api/matches/upload", content="x").status_code == status
        for status in (201, 201, 429):
            seats["ah"].post("/chat", {"text": "hello"}, status)


def test_windows_that_come_at_once_are_counted(settings: Settings) -> None:
    for host in hosted(msgspec.structs.replace(settings, sockets_per_link=2)):
        italian = host.begin()["italian"]
        for _ in range(3):
            with contextlib.ExitStack() as open_windows:
                first = [open_windows.enter_context(italian.live()) for _ in range(6)]
                assert sum("error" in window.receive_json() for window in first) == 4


def test_everything_has_a_size(host: Host) -> None:
    guest = host.begin()["italian"]
    for path, body in (
        ("/chat", {"text": "x" * 1001}),
        ("/notes", {"hex": "1010", "text": "x" * 2001}),
        ("/seat", {"name": "x" * 41}),
        ("/notices", {"kind": "mail", "address": "x" * 1001}),
        ("/links", {"kind": "x" * 50}),
    ):
        assert "why" in guest.post(path, body, 400)["error"]
        large = {"text": "x" * 70_000}
        assert host.client.post(guest.path + path, json=large, headers=guest.headers).status_code == 413
    for path in ("/api/session", "/api/accounts"):
        assert host.client.post(path, json={"name": "a", "password": "x" * 201}).status_code == 400
        assert host.client.post(path, json={"name": "a", "password": "x" * 70_000}).status_code == 413
    many = ",".join(["x" * 32] * 400)
    assert host.client.get("/api/matches", headers={"x-fronte-tokens": many}).status_code == 200
