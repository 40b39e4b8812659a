"""Running a server: metrics, a log without secrets, and databases of earlier versions."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx2 as httpx
import msgspec
import pytest
from alembic import command
from alembic.config import Config
from hosts import Host, hosted, play_randomly
from processes import Served, postgres, postgres_folder

import fronte
from fronte.server import Settings
from fronte.server.logs import Json, clean
from fronte.server.people import links
from fronte.server.store.database import Store


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A server that is open to friends."""
    yield from hosted(msgspec.structs.replace(settings, local=False, metrics="only for prometheus"))


def test_metrics_count_by_route_and_only_for_those_who_may_see(host: Host) -> None:
    assert host.client.get("/api/metrics").status_code == 401
    assert host.client.get("/api/metrics", headers={"authorization": "Bearer wrong"}).status_code == 401
    seats = host.begin()
    play_randomly(host, seats, Random(1), 5)
    host.client.get("/api/matches/abc/state")
    host.client.get("/nothing")
    with seats["ah"].live() as socket:
        socket.receive_json()
        answer = host.client.get("/api/metrics", headers={"authorization": "Bearer only for prometheus"})
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = dict(line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#"))
    assert found["fronte_lines_total"] == "5" and found["fronte_sockets"] == "1"
    route = 'fronte_requests_total{method="POST",route="/api/matches/{id}/actions",status="200"}'
    assert found[route] == "5"
    assert found['fronte_requests_total{method="GET",route="/api/matches/{id}/state",status="404"}'] == "1"
    assert found['fronte_requests_total{method="GET",route="other",status="404"}'] == "1"
    assert found['fronte_request_seconds_bucket{le="+Inf"}'] == found["fronte_request_seconds_count"]
    assert seats["ah"].match not in answer.text and seats["ah"].token not in answer.text
    names = {line.split()[2] for line in answer.text.splitlines() if line.startswith("# TYPE")}
    assert len(names) == 16 and all(name.startswith("fronte_") for name in names)


def test_lines_of_the_log_are_json_and_hold_no_tokens() -> None:
    token = links.new_token()
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(Json())
    log = logging.Logger("test")
    log.addHandler(handler)
    log.warning("GET /live?token=%s&x=1 %s", token, token, extra={"status": 200, "where": Path("/x")})
    log.error("Authorization: Bearer %s, smtp://anna:secret@host/", "short-token")
    try:
        raise ValueError(f"cookie fronte={token}; x")
    except ValueError:
        log.exception("it\nfailed")
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["level"] for line in lines] == ["warning", "error", "error"]
    assert lines[0]["status"] == 200 and lines[0]["where"] == "/x" and lines[2]["message"] == "it\nfailed"
    assert "Traceback" in lines[2]["error"]
    for secret in (token, "short-token", "secret@"):
        assert secret not in out.getvalue()
    assert clean("the match abc has 12345678 lines") == "the match abc has 12345678 lines"


def test_a_real_server_logs_no_secret(tmp_path: Path) -> None:
    log = tmp_path / "log"
    settings = {"log": "json", "log_level": "debug", "open_matches": "true"}
    server = Served(str(tmp_path / "m.sqlite"), log, None, "--no-local", **settings)
    secrets: list[str] = ["un segreto vero"]
    try:
        with httpx.Client(base_url=server.address) as client:
            made = client.post("/api/accounts", json={"name": "Anna", "password": "un segreto vero"})
            csrf = made.json()["csrf"]
            secrets += [csrf, client.cookies["fronte"]]
            ours = {"x-fronte-csrf": csrf}
            opened = client.post("/api/matches", json={"game": "isonzo", "invite": ["ah"]}, headers=ours).json()
            secrets += [
                opened["owner"],
                opened["spectators"],
                *opened["tokens"].values(),
                *opened["invitations"].values(),
            ]
            bearer = {"authorization": f"Bearer {opened['tokens']['italian']}"} | ours
            path = f"/api/matches/{opened['id']}"
            client.post(f"{path}/actions", json={"action": "end", "line": 0}, headers=bearer)
            client.post(f"{path}/chat", json={"text": "ci vediamo a Gorizia"}, headers=bearer)
            client.get(f"{path}/state?token={opened['tokens']['italian']}")
            client.get(f"/nothing?token={opened['owner']}")
            client.get(f"{path}/state?token={opened['invitations']['ah']}")
            client.get("/api/matches", headers={"x-fronte-tokens": opened["owner"]})
            client.post(f"{path}/actions", content=b"{" + opened["owner"].encode(), headers=bearer)
        secrets.append("ci vediamo")
        assert server.stop() == 0
    finally:
        server.kill()
    text = log.read_text()
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    assert any(line.get("message") == "POST /api/matches/{id}/actions" and line["status"] == 200 for line in lines)
    assert not [secret for secret in secrets if secret in text]
    assert "127.0.0.1" not in "".join(str(line) for line in lines)


def old_rows(heading: str) -> list[tuple[str, dict[str, Any]]]:
    """A match and its tokens as the first version kept them."""
    match = {
        "id": "old", "name": "", "heading": heading, "seed": "00" * 32, "seed_known": False,
        "seats": '{"italian":"human","ah":"random"}', "created": 5, "changed": 5, "line": 1, "revision": 1,
    }  # fmt: skip
    tokens = [{"hash": f"{n}" * 64, "match": "old", "seat": "ah", "watches": bool(n)} for n in range(2)]
    entry = {"match": "old", "line": 1, "revision": 1, "body": '{"seat":"italian","action":{"do":"end"}}'}
    return [("match", match), ("entry", entry), *(("token", token) for token in tokens)]


async def upgrade(url: str) -> None:
    import sqlalchemy as sa

    heading = fronte.new("isonzo", seed=1).save(with_seed=False).splitlines()[0]
    store = Store(url)

    def run(connection: sa.Connection, how: str, target: str) -> None:
        config = Config()
        config.set_main_option("script_location", str(Path(fronte.__file__).parent / "server" / "store" / "migrations"))
        config.attributes["connection"] = connection
        getattr(command, how)(config, target)

    async with store.engine.begin() as connection:
        await connection.run_sync(run, "upgrade", "0001")
        for table, row in old_rows(heading):
            names, values = ", ".join(f'"{name}"' for name in row), ", ".join(f":{name}" for name in row)
            await connection.execute(sa.text(f'INSERT INTO "{table}" ({names}) VALUES ({values})'), row)
    await store.open()
    people = await store.people("old")
    assert list(people) == ["italian"] and people["italian"].state == "held"
    found = await links.of_match(store, "old")
    assert sorted((link.place.kind, link.place.seat) for link in found) == [("seat", "ah"), ("watch", "ah")]
    assert [(line.at, line.entry.action) for line in await store.record("old")] == [(0, {"do": "end"})]
    async with store.engine.begin() as connection:
        await connection.run_sync(run, "downgrade", "0001")
        assert len((await connection.execute(sa.text("SELECT * FROM token"))).all()) == 2
        await connection.run_sync(run, "upgrade", "head")
    assert len(await links.of_match(store, "old")) == 2
    await store.close()


def test_a_database_of_the_first_version_goes_on(tmp_path: Path) -> None:
    asyncio.run(upgrade(Settings(database=str(tmp_path / "m.sqlite")).url))
    assert sqlite3.connect(tmp_path / "m.sqlite").execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.skipif(postgres_folder() is None, reason="there is no PostgreSQL on this machine")
def test_a_database_of_the_first_version_goes_on_with_postgresql() -> None:
    with postgres() as url:
        asyncio.run(upgrade(Settings(database=url).url))
