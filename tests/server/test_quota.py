"""What strangers hand in takes only so much of the disk: the oldest that nobody has played on gives way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hosts import Guest, Host, hosted
from test_store import kept

import fronte
from fronte.server import Settings
from fronte.server.http import new_match
from fronte.server.store.database import Store, encoded
from fronte.server.store.quota import Quota
from fronte.server.store.schema import metadata, upload_table

RATES = "upload=999/9,create=999/9,request=9999/9,link=999/9"
Send = Callable[..., Guest]


def a_save() -> str:
    """A match that has gone on for a while; the Italian player may end his Movement Phase."""
    match, rng = fronte.new("isonzo", seed=1), Random(1)
    while len(match.entries) < 30 or match.decision is None or match.decision.kind != "movement":
        match.play(match.sample(rng))
    assert match.decision.seat == "italian"
    return match.save()


SAVE = a_save()


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A server for strangers that keeps three of these from one address, and five in all."""
    small = {"uploads_bytes": int(3.5 * len(SAVE)), "all_uploads_bytes": int(5.5 * len(SAVE))}
    yield from hosted(msgspec.structs.replace(settings, local=False, rates=RATES, **small))


@pytest.fixture
def send(host: Host, monkeypatch: pytest.MonkeyPatch) -> Send:
    """Hands in the save from an address."""

    def handed(address: str = "a", status: int = 201, **more: Any) -> Guest:
        monkeypatch.setattr(new_match, "address", lambda request: address)
        answer = host.client.post("/api/matches/upload", content=SAVE, **more)
        assert answer.status_code == status, answer.text
        opened = answer.json()
        return Guest(host, opened["id"], opened["tokens"]["italian"]) if status == 201 else opened

    return handed


def there(*guests: Guest) -> list[bool]:
    return [guest.host.client.get(guest.path + "/state", headers=guest.headers).status_code == 200 for guest in guests]


def rows(host: Host, match: str) -> int:
    """All that the database has of a match."""

    async def count() -> int:
        found = 0
        async with host.server.store.engine.connect() as connection:
            for table in metadata.tables.values():
                column = table.c.id if table.name == "match" else table.c.get("match")
                if column is not None:
                    found += len(list(await connection.execute(table.select().where(column == match))))
        return found

    return int(host.client.portal.call(count))  # type: ignore[union-attr]


def test_the_oldest_that_nobody_has_played_gives_way(host: Host, send: Send) -> None:
    first, second, third = send(), send(), send()
    assert there(first, second, third) == [True] * 3 and rows(host, second.match) > 3
    first.play("end")
    fourth = send()
    assert there(first, second, third, fourth) == [True, False, True, True]
    assert rows(host, second.match) == 0
    assert second.get("", 404)["error"]["why"] == f"there is no match {second.match!r}"
    with third.live() as socket:
        socket.receive_text()
        fifth = send()
    assert there(third, fourth, fifth) == [True, False, True], "somebody has the third open"


def test_where_all_is_played_there_is_a_clear_refusal(host: Host, send: Send) -> None:
    played = [send(), send(), send()]
    for guest in played:
        guest.play("end")
    told = send(status=507)
    assert told["error"]["why"] == "this server keeps 0 MB of what one visitor uploads, and no more"  # type: ignore[index]
    italian = host.client.post("/api/matches/upload?language=it", content=SAVE).json()["error"]["why"]
    assert italian == "questo server conserva 0 MB di ciò che carica un visitatore, e non di più"
    assert all(there(*played))
    others = [send("b"), send("b")]
    newest = send("b")  # all together: five
    assert there(*played, *others, newest) == [True] * 3 + [False, True, True]
    for guest in (others[1], newest):
        guest.play("end")
    assert "and all of it is in use" in send("c", 507)["error"]["why"]  # type: ignore[index]


def test_an_account_counts_for_itself(host: Host, send: Send) -> None:
    for address in "aaabb":
        send(address).play("end")
    made = host.client.post("/api/accounts", json={"name": "Anna", "password": "correct horse"}).json()
    proof = {"x-fronte-csrf": made["csrf"]}
    mine = [send("c", headers=proof) for _ in range(3)]
    send("c", 507, headers=proof)
    assert there(*mine) == [True] * 3, "a seat of an account is nobody's to take away"


def test_positions_count_and_scenarios_do_not_and_no_address_is_kept(host: Host, send: Send) -> None:
    match = fronte.new("isonzo", seed=1)

    async def sources() -> list[str]:
        async with host.server.store.engine.connect() as connection:
            return [row.source for row in await connection.execute(upload_table.select())]

    host.begin()
    assert host.client.portal.call(sources) == []  # type: ignore[union-attr]
    send("192.0.2.7")
    host.begin(position=match.rules.to_position(match.state))
    found = host.client.portal.call(sources)  # type: ignore[union-attr]
    assert len(found) == 2 and len(set(found)) == 1 and "192.0.2.7" not in found[0]


def test_what_is_too_long_for_all_there_is_lets_nothing_give_way(settings: Settings) -> None:
    little = msgspec.structs.replace(settings, local=False, rates=RATES, uploads_bytes=len(SAVE) + 500)
    for host in hosted(little):
        opened = host.client.post("/api/matches/upload", content=SAVE).json()
        first = Guest(host, opened["id"], opened["tokens"]["italian"])
        match, rng = fronte.load(SAVE), Random(1)
        while len(match.save()) < 2 * len(SAVE):
            match.play(match.sample(rng))
        assert host.client.post("/api/matches/upload", content=match.save()).status_code == 507
        assert there(first) == [True]


def test_a_local_table_keeps_everything(settings: Settings) -> None:
    for host in hosted(msgspec.structs.replace(settings, uploads_bytes=1, all_uploads_bytes=1)):
        assert host.client.post("/api/matches/upload", content=SAVE).status_code == 201


async def all_at_once(url: str) -> None:
    store = Store(url)
    await store.open()
    size = len(encoded(kept("x").heading))
    quota = Quota("somebody", True, int(3.5 * size), 100 * size)
    gone = await asyncio.gather(*(store.add(kept(f"m{n}"), [], {}, [], quota) for n in range(8)))
    assert len([name for names in gone for name in names]) == 5
    assert len(await store.matches(None)) == 3
    await store.close()


def test_of_many_at_once_no_more_stay_than_there_is_room_for(database: str) -> None:
    asyncio.run(all_at_once(Settings(database=database).url))
