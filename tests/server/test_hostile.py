"""What comes in that no browser sends, and what has gone wrong on the disk: a documented answer, never a fault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from hosts import Guest, Host, hosted
from starlette.testclient import TestClient

import fronte
from fronte.server import Settings

NUL = "a\0b"
FREE = ",".join(f"{kind}=99999/1" for kind in ("request", "create", "upload", "look", "link", "confirm", "account"))


@pytest.fixture
def host(database: str, tmp_path: Path) -> Iterator[Host]:
    """A server that is open to all, with each kind of database. A fault in it is raised in the test."""
    yield from hosted(Settings(database=database, local=False, static=tmp_path / "static", rates=FREE))


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


def refused(answer: Any, *statuses: int) -> str:
    assert answer.status_code in statuses, (answer.status_code, answer.text[:300])
    return str(answer.json()["error"]["why"])


def test_deep_json(host: Host) -> None:
    kind = {"content-type": "application/json"}
    body = '{"game": "isonzo", "position": {"units": %s}}'
    for levels in (100, 900, 20_000):
        refused(host.client.post("/api/matches", content=body % deep(levels), headers=kind), 400, 422)
    save = fronte.new("isonzo", seed=1).save()
    line = '{"seat":"italian","action":{"do":%s}}'
    for levels in (100, 900, 20_000, 60_000):
        assert "line 2" in refused(host.client.post("/api/matches/upload", content=save + line % deep(levels)), 422)
    heading = json.loads(save)
    for field in ("position", "pledge", "header", "players", "end"):
        text = json.dumps(heading | {field: 0}).replace(f'"{field}": 0', f'"{field}": {{"x": {deep(60_000)}}}')
        for path in ("/api/matches/upload", "/api/matches/look"):
            assert "line 1" in refused(host.client.post(path, content=text), 422)


def test_characters_that_no_database_keeps(host: Host) -> None:
    opened = host.client.post(
        "/api/matches", json={"game": "isonzo", "name": NUL, "holder": NUL, "invite": ["ah"], "words": True}
    ).json()
    italian = Guest(host, opened["id"], opened["tokens"]["italian"])
    invitation = Guest(host, opened["id"], opened["invitations"]["ah"])
    assert italian.get()["name"] == "ab" and italian.get()["people"]["italian"]["name"] == "ab"
    invitation.post("/accept", {"word": NUL}, 400)
    italian.post("/word", {"word": NUL}, 400)
    assert italian.post("/chat", {"text": NUL, "name": NUL}, 201)["text"] == "ab"
    assert italian.post("/notes", {"hex": "1010", "text": NUL})["notes"] == {"1010": "ab"}
    italian.post("/notes", {"hex": NUL, "text": "x"}, 422)
    italian.post("/notices/%00/confirm", {"code": NUL}, 404)
    italian.post("/links", {"kind": "seat", "seat": NUL}, 403)
    italian.post("/orders", {"kind": NUL, "policy": NUL}, 422)
    italian.post("/path", {"unit": NUL, "via": [NUL]})
    italian.post("/why", {"action": {"do": NUL}})
    for path in ("/overlays/%00", "/%00", "/notices/%00/confirm"):
        assert host.client.get(italian.path + path, headers=italian.headers).status_code in (404, 405)
    for path in ("/api/matches/%00", "/api/games/%00/board", "/%00", "/api/matches/%00/state?token=%00"):
        assert host.client.get(path).status_code == 404
    assert host.client.get(f"{italian.path}/state?token=%00").status_code == 401
    assert host.client.post("/api/accounts", json={"name": NUL, "password": f"12345678{NUL}"}).status_code == 201
    host.client.cookies.clear()
    assert host.client.post("/api/session", json={"name": "ab", "password": "12345678"}).status_code == 401
    save = fronte.new("isonzo", seed=1).save()
    query = "?seats=%00:human&invite=%00&name=%00"
    assert "no seat" in refused(host.client.post(f"/api/matches/upload{query}", content=save), 422)


def test_a_save_whose_pledge_fits_no_seats(host: Host) -> None:
    heading = json.loads(fronte.new("isonzo", seed=1).save())
    pledge = {"house": "x", "words": ["only one"]}
    sent = host.client.post("/api/matches/upload", content=json.dumps(heading | {"pledge": pledge}))
    assert "words" in refused(sent, 422)


# What is damaged in the database


def change(host: Host, query: str) -> None:
    portal = host.client.portal
    assert portal is not None

    async def run() -> None:
        async with host.server.store.engine.begin() as connection:
            assert (await connection.execute(sa.text(query))).rowcount == 1

    portal.call(run)
    host.server.matches.live.clear()


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("match", "heading", "{"), ("match", "heading", "{}"), ("match", "heading", deep(60_000)),
        ("match", "seed", "zz"), ("match", "seats", "[]"), ("match", "clock", "{}"), ("match", "ended", "7"),
        ("match", "result", "{"), ("match", "secret", "zz"), ("entry", "body", "{"), ("entry", "body", deep(60_000)),
        ("entry", "body", '{"seat":"italian","action":{"do":7}}'), ("entry", "body", '{"seat":"x","action":{}}'),
        ("seat", "spectators", "{"), ("seat", "spectators", '{"see":7}'),
    ],
)  # fmt: skip
def test_a_damaged_row_spoils_its_own_match_only(settings: Settings, table: str, column: str, value: str) -> None:
    for host in hosted(msgspec.structs.replace(settings, local=False, rates=FREE)):
        _damage(host, table, column, value)


def _damage(host: Host, table: str, column: str, value: str) -> None:
    good, bad = host.begin(), host.begin(clock={"total": 900})
    bad["italian"].play("end", 0)
    name = bad["italian"].match
    where = f"match = '{name}' AND seat = 'ah'" if table == "seat" else f"match = '{name}'"
    where = f"id = '{name}'" if table == "match" else where
    value = value.replace(":", "\\:")
    change(host, f'UPDATE "{table}" SET "{column}" = \'{value}\' WHERE {where}')
    for path in ("/state", "", "/events", "/chat", "/links", "/save", "/reasons", "/overlays/zones"):
        answer = host.client.get(bad["italian"].path + path, headers=bad["italian"].headers)
        assert answer.status_code in (200, 403, 422), (path, answer.text)
    for path, body in (("/actions", {"action": "end", "line": 1}), ("/chat", {"text": "hello"}), ("/win", {})):
        answer = host.client.post(bad["italian"].path + path, json=body, headers=bad["italian"].headers)
        assert answer.status_code in (200, 201, 422), (path, answer.text)
    with bad["italian"].live() as socket:
        told = socket.receive_json()
        assert "view" in told or "cannot be opened any more" in told["error"]["why"], told
    both = ",".join((good["ah"].token, bad["italian"].token))
    listed = host.client.get("/api/matches", headers={"x-fronte-tokens": both}).json()["matches"]
    assert good["ah"].match in [match["id"] for match in listed]
    assert good["italian"].play("end", 0)["line"] == 1
    portal = host.client.portal
    assert portal is not None
    portal.call(host.server.matches.tick)


def test_a_server_begins_with_damaged_rows(settings: Settings) -> None:
    for host in hosted(settings):
        name = host.begin(clock={"total": 900})["ah"].match
        good = host.begin(clock={"total": 900})["ah"]
        change(host, f"UPDATE \"match\" SET clock = '{{' WHERE id = '{name}'")
        change(host, f"UPDATE \"match\" SET clock = replace(clock, '900000', '800000') WHERE id = '{good.match}'")
        change(host, "UPDATE keeping SET value = '1000' WHERE name = 'pulse'")
    for host in hosted(settings):
        again = Guest(host, good.match, good.token)
        assert 700_000 < again.get("/state")["clock"]["left"]["italian"] <= 800_000
    for host in hosted(settings):
        change(host, "UPDATE keeping SET value = 'yesterday' WHERE name = 'pulse'")
    for host in hosted(settings):
        assert Guest(host, good.match, good.token).get("/state")


def test_data_of_a_game_that_were_spoilt_meanwhile(settings: Settings, tmp_path: Path) -> None:
    """The host changes the files of his own data while the server runs, and something is wrong in them."""
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "pack.toml").write_text((Path(fronte.__file__).parent / "games/isonzo/data/pack.toml").read_text())
    own = msgspec.structs.replace(settings, packs={"isonzo": (folder,)})
    for host in hosted(own):
        for bad in (b"x = [", b"\xff\xfe", b""):
            (folder / "text.it.toml").write_bytes(bad)
            (folder / "glossary.toml").write_bytes(bad)
            (folder / "scenarios.toml").write_bytes(bad)
            for path in (
                "/api/games",
                "/api/games/isonzo/board",
                "/api/games/isonzo/lessons/first",
                "/api/games/isonzo/rules",
            ):
                answer = host.client.get(path + "?language=it")
                assert answer.status_code in (200, 404, 503), (path, answer.text)
            answer = host.client.post("/api/matches", json={"game": "isonzo", "scenario": "surprise"})
            assert answer.status_code in (201, 422, 503), answer.text
        assert host.client.get("/api/health").json() == {"ok": True}


# Rates, and names that strangers know


def test_standing_orders_have_a_rate(settings: Settings) -> None:
    for host in hosted(msgspec.structs.replace(settings, local=False, rates="action=5/600")):
        ah = host.begin()["ah"]
        for number in range(5):
            ah.post("/orders", {"kind": "demolition", "policy": "blow" if number % 2 else None})
        ah.post("/orders", {"kind": "demolition", "policy": None}, 429)


PASSWORD = "a good password"


def browser(host: Host, address: str) -> TestClient:
    found = TestClient(host.client.app, base_url="http://localhost", client=(address, 5000))
    found.portal = host.client.portal
    return found


def test_strangers_cannot_lock_a_name(settings: Settings) -> None:
    def log_in(client: TestClient, password: str = PASSWORD) -> int:
        return int(client.post("/api/session", json={"name": "Anna", "password": password}).status_code)

    limited = msgspec.structs.replace(
        settings, local=False, rates="name=12/3600,stranger=4/3600,device=5/3600,login=99/60"
    )
    for host in hosted(limited):
        desk, phone = browser(host, "10.1.1.1"), browser(host, "10.1.1.2")
        assert desk.post("/api/accounts", json={"name": "Anna", "password": PASSWORD}).status_code == 201
        one = browser(host, "10.9.9.9")
        assert [log_in(one, f"guess {n}") for n in range(6)] == [401] * 4 + [429] * 2
        assert log_in(phone) == 200, "one stranger is not enough to hold up anybody else"
        for client in (desk, phone):
            session = client.get("/api/account").json()
            client.delete("/api/session", headers={"x-fronte-csrf": session["csrf"]})
        many = [browser(host, f"10.7.0.{n}") for n in range(12)]
        answers = [log_in(client, "guess") for client in many]
        assert answers.count(401) == 8 and answers[-1] == 429, "no more guesses for this name, from anywhere"
        assert log_in(desk) == 200 and log_in(phone) == 200, "but from where its owner has been before"
        forged = browser(host, "10.7.1.1")
        forged.cookies.set("fronte-device", "x" * 60)
        assert log_in(forged) == 429
        tried = browser(host, "10.1.1.3")
        tried.cookies.set("fronte-device", str(desk.cookies.get("fronte-device")))
        results = [log_in(tried, f"guess {n}") for n in range(6)]
        assert results == [401] * 5 + [429], "a browser that was taken has few guesses too"


def test_addresses_of_one_line_are_one(settings: Settings) -> None:
    for host in hosted(msgspec.structs.replace(settings, local=False, rates="create=2/3600")):
        made = [
            browser(host, f"2001:db8:1:2:{n}::1").post("/api/matches", json={"game": "isonzo"}).status_code
            for n in range(3)
        ]
        assert made == [201, 201, 429]
        other = browser(host, "2001:db8:1:3::1")
        assert other.post("/api/matches", json={"game": "isonzo"}).status_code == 201
