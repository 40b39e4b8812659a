"""Several processes of a server with one PostgreSQL: one order of things, and everybody told wherever he is.

Two servers here share nothing but the database; that they live in one process of the test makes no difference to them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hosts import Guest, Host, Socket, hosted
from processes import PATIENCE, postgres, postgres_folder
from starlette.websockets import WebSocketDisconnect
from test_live import first_move

from fronte.server import Settings
from fronte.server.store.fanout import Fanout
from fronte.server.store.notify import LONGEST, Why

pytestmark = pytest.mark.skipif(postgres_folder() is None, reason="there is no PostgreSQL on this machine")


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture
def servers(database: str, tmp_path: Path) -> Iterator[tuple[Host, Host]]:
    settings = Settings(database=database, static=tmp_path / "static", workers=1)
    with ExitStack() as stack:
        one, other = (stack.enter_context(contextmanager(hosted)(settings)) for _ in range(2))
        wait_for(lambda: all(len(host.server.matches.fanout.elsewhere) == 1 for host in (one, other)))
        yield one, other


def wait_for(there: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < end
        time.sleep(0.01)


def at(host: Host, guest: Guest) -> Guest:
    """The same seat at another process."""
    return Guest(host, guest.match, guest.token)


def told(socket: Socket, what: str) -> Any:
    """The next message of a kind; others are passed over."""
    while True:
        message = json.loads(socket.session.receive_text())
        if what in message:
            return message[what]
        assert "error" not in message, message


def test_a_table_reaches_sockets_at_another_process(servers: tuple[Host, Host]) -> None:
    here, there = servers
    seats = here.begin()
    with at(there, seats["ah"]).live(since=-1) as theirs, at(there, seats["italian"]).live() as mine:
        assert theirs.receive_json()["line"] == mine.receive_json()["line"] == 0
        seats["italian"].play("end", 0)
        table = mine.receive_json()
        assert table["line"] == 1 and table["after"] == 0 and table["offer"]["units"]
        assert theirs.receive_json()["line"] == 1
        seats["italian"].play(first_move(seats["italian"]), 1)
        assert mine.receive_json()["line"] == theirs.receive_json()["line"] == 2
        back = at(there, seats["italian"]).post("/undo", {"line": 2})
        assert back["line"] == 1 and mine.receive_json()["revision"] == back["revision"]
        assert seats["italian"].get("/state")["revision"] == back["revision"]
        assert theirs.receive_json()["line"] == 1


def as_sent(data: object) -> Any:
    """Data as they come over the wire."""
    return msgspec.json.decode(msgspec.json.encode(data))


def test_what_one_process_has_done_another_knows_at_once(servers: tuple[Host, Host]) -> None:
    seats = servers[0].begin(seed=3)
    rng = Random(3)
    for line in range(12):  # each action at the other process than the one before
        host = servers[line % 2]
        owes = at(host, seats["italian"]).get("/state")["decision"]["seat"]
        action = msgspec.to_builtins(host.match(seats[owes].match).sample(rng))
        assert at(host, seats[owes]).play(action, line)["line"] == line + 1
    views = [at(host, seats["ah"]).get("/state")["view"] for host in servers]
    assert views[0] == views[1] and views[0] == as_sent(servers[0].match(seats["ah"].match).view("ah"))


def test_two_who_send_at_the_same_time_get_one_order(servers: tuple[Host, Host]) -> None:
    seats = servers[0].begin()
    italian = seats["italian"]
    italian.play("end", 0)
    with ThreadPoolExecutor(4) as threads, seats["ah"].live() as one, at(servers[1], seats["ah"]).live() as other:
        assert one.receive_json()["line"] == other.receive_json()["line"] == 1
        line = 1
        for number in range(6):
            policy = ("blow", "hold")[number % 2]

            def move(host: Host, line: int = line) -> Any:
                body = {"action": first_move(italian), "line": line}
                return host.client.post(f"{italian.path}/actions", json=body, headers=italian.headers)

            def order(host: Host, policy: str = policy) -> Any:
                body = {"kind": "demolition", "policy": policy}
                return host.client.post(f"{italian.path}/orders", json=body, headers=seats["ah"].headers)

            moves = [threads.submit(move, host) for host in servers]
            orders = threads.submit(order, servers[number % 2])
            codes = sorted(sent.result().status_code for sent in moves)
            assert orders.result().status_code == 200
            late = [sent.result().json()["error"]["line"] for sent in moves if sent.result().status_code == 409]
            assert codes in ([200, 409], [409, 409]) and all(known is None or known > line for known in late)
            line = italian.get("/state")["line"]
            assert at(servers[1], italian).get("/state")["line"] == line
        tables = [read_until(socket, line) for socket in (one, other)]
        assert tables[0] == tables[1]
    texts = [at(host, seats["ah"]).get("/events")["events"] for host in servers]
    assert texts[0] == texts[1] and len({event["line"] for event in texts[0]}) > 1


def read_until(socket: Socket, line: int) -> Any:
    """The table of this line; none may come that lies before one that came already."""
    revision = -1
    while True:
        table = socket.receive_json()
        assert table["revision"] > revision
        revision = table["revision"]
        if table["line"] == line:
            return {name: table[name] for name in ("line", "revision", "view", "orders", "decision")}


def test_who_is_here_is_known_everywhere(servers: tuple[Host, Host]) -> None:
    here, there = servers
    seats = here.begin()
    with seats["italian"].live() as mine:
        assert told(mine, "people")["ah"]["here"] is False
        with at(there, seats["ah"]).live() as theirs:
            assert told(mine, "people")["ah"]["here"] is True
            wait_for(lambda: told(theirs, "people")["italian"]["here"])
            assert there.client.get(seats["ah"].path, headers=seats["ah"].headers).json()["people"]["italian"]["here"]
            assert here.server.notices.present(seats["ah"].match, "ah")  # so nobody is sent a notice
        assert told(mine, "people")["ah"]["here"] is False
        with at(there, seats["ah"]).live():
            assert told(mine, "people")["ah"]["here"] is True
            line: Fanout = here.server.matches.fanout
            portal = here.client.portal
            assert portal is not None
            portal.call(lambda: line.elsewhere.update({k: (0.0, v) for k, (_, v) in line.elsewhere.items()}))
            portal.call(line.forget_silent)  # as if the other process had died
            assert told(mine, "people")["ah"]["here"] is False


def test_chat_notes_people_and_spectators_go_everywhere(servers: tuple[Host, Host]) -> None:
    here, there = servers
    opened = here.client.post("/api/matches", json={"game": "isonzo", "invite": ["ah"]}).json()
    italian = Guest(here, opened["id"], opened["tokens"]["italian"])
    watching = Guest(there, opened["id"], opened["spectators"])
    with at(there, italian).live() as mine, watching.live() as outside:
        told(mine, "line"), told(outside, "line")
        invited = Guest(here, opened["id"], opened["invitations"]["ah"])
        ah = Guest(here, opened["id"], invited.post("/accept", {"name": "Anna"}, 201)["tokens"]["ah"])
        wait_for(lambda: told(mine, "people")["ah"]["name"] == "Anna")
        ah.post("/chat", {"text": "Buongiorno"}, 201)
        italian.post("/notes", {"hex": "1010", "text": "here"})
        assert told(mine, "chat")["text"] == "Buongiorno"
        assert told(mine, "notes") == {"1010": "here"}
        ah.post("/seat", {"spectators": {"see": "nothing"}})
        with pytest.raises(WebSocketDisconnect) as closed:
            while True:
                message = json.loads(outside.session.receive_text())
                assert "chat" not in message and "notes" not in message  # those are of the players
        assert closed.value.code == 4403
        watching.get("/state", 403)


def test_a_link_that_is_ended_is_ended_everywhere(servers: tuple[Host, Host]) -> None:
    here, there = servers
    italian = here.begin()["italian"]
    with at(there, italian).live() as mine:
        told(mine, "line")
        fresh = Guest(here, italian.match, italian.post("/renew", None, 201)["token"])
        with pytest.raises(WebSocketDisconnect) as closed:
            while True:
                mine.session.receive_text()
        assert closed.value.code == 4401
    wait_for(lambda: there.client.get(italian.path, headers=italian.headers).status_code == 401)
    why = at(there, italian).get("/state", 401)["error"]["why"]
    assert why == "this link has been replaced by a newer one"
    assert at(there, fresh).get("/state")["line"] == 0


def test_a_match_that_is_claimed_on_time_is_over_everywhere(servers: tuple[Host, Host]) -> None:
    here, there = servers
    seats = here.begin(clock={"total": 0, "delay": 0})
    with at(there, seats["italian"]).live() as mine:
        assert told(mine, "result") is None
        seats["ah"].post("/win", None)
        assert told(mine, "result")["level"] == "time"
    at(there, seats["italian"]).play("end", 0, 422)


def test_what_was_missed_while_the_line_was_broken_is_told(servers: tuple[Host, Host]) -> None:
    here, there = servers
    seats = here.begin()
    renewed = here.begin()["italian"]
    line: Fanout = there.server.matches.fanout
    portal = there.client.portal
    assert portal is not None
    with at(there, seats["italian"]).live() as mine, at(there, renewed).live() as ended:
        told(mine, "line"), told(ended, "line")
        heard, line.heard = line.heard, lambda news, own: None  # nothing is heard any more
        seats["italian"].play("end", 0)
        renewed.post("/renew", None, 201)
        time.sleep(0.2)
        line.heard = heard
        portal.call(lambda: line._outbox.put_nowait(None))  # the line breaks, and is opened again
        assert told(mine, "line") == 1
        with pytest.raises(WebSocketDisconnect):
            while True:
                ended.session.receive_text()


def test_a_machine_thinks_in_one_process(servers: tuple[Host, Host]) -> None:
    here, there = servers
    watched = here.begin(seats={"italian": "random", "ah": "random"}, watch=["ah"])["watch ah"]
    with watched.live() as one, at(there, watched).live() as other:
        assert told(one, "thinking") and told(other, "thinking")
        for _ in range(10):
            assert told(one, "line") and told(other, "line")
        thinks = [watched.match in host.server.matches.fanout.claims for host in servers]
        assert thinks in ([True, False], [False, True])
        first, second = servers if thinks[0] else servers[::-1]  # as long as somebody looks on, the same one thinks
        counted = first.server.matches.counted["lines"]
        assert counted >= 10 and second.server.matches.counted["lines"] == 0
    portal = first.client.portal
    assert portal is not None
    portal.call(first.server.matches.close)  # the process that thinks ends; the other takes over
    line = at(second, watched).get("/state")["line"]
    wait_for(lambda: second.server.matches.counted["lines"] > 3 or at(second, watched).get("/state")["result"])
    assert at(second, watched).get("/state")["line"] > line


def test_news_that_is_too_long_is_left_out(servers: tuple[Host, Host], caplog: pytest.LogCaptureFixture) -> None:
    line: Fanout = servers[0].server.matches.fanout
    portal = servers[0].client.portal
    assert portal is not None
    portal.call(line._send, Why("match", "ah", "x" * LONGEST, False))
    assert "too long" in caplog.text
    portal.call(line._send, Why("match", "ah", "x", False))
    assert line.listening.is_set()
