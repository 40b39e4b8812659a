"""A server on the open internet stays up: long work ends, what strangers hand in is tried apart, memory is bounded."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import msgspec
import psutil
import pytest
from hosts import Guest, Host, hosted
from processes import Served

import fronte
from fronte.engine.match import Match
from fronte.games import registry
from fronte.server import Settings
from fronte.server.matches import matches
from fronte.server.matches.live import Live
from fronte.server.processes import sandbox
from fronte.server.processes.sandbox import Rejected, Sandbox
from fronte.server.processes.sandbox_main import Handed
from fronte.server.processes.threads import Threads, TooLong

pytestmark = pytest.mark.filterwarnings("ignore:(?s).*TooLong:pytest.PytestUnraisableExceptionWarning")
"""An interrupt that comes while an object is disposed of is told as a warning; the next one is heard."""

FREE = ",".join(f"{kind}=99999/1" for kind in ("request", "create", "upload", "show", "ask"))


def spin(*_: Any) -> None:
    """What never ends."""
    number = 0
    while True:
        number += 1


# Threads


def test_work_without_an_end_is_interrupted_and_the_loop_goes_on() -> None:
    async def run() -> None:
        threads = Threads()
        late = 0.0

        async def watch() -> None:
            nonlocal late
            while True:
                start = time.monotonic()
                await asyncio.sleep(0.01)
                late = max(late, time.monotonic() - start)

        watching = asyncio.create_task(watch())
        results = await asyncio.gather(*(threads.do(0.5, spin) for _ in range(4)), return_exceptions=True)
        assert all(isinstance(found, TooLong) for found in results) and threads.late == 4
        assert await threads.do(5, sum, [1, 2]) == 3
        with pytest.raises(KeyError):
            await threads.do(5, {}.__getitem__, "x")
        watching.cancel()
        assert late < 0.4, late
        threads.close()
        until = time.monotonic() + 5
        while any(thread.name == "work" for thread in threading.enumerate()):
            assert time.monotonic() < until, "a thread goes on"
            await asyncio.sleep(0.01)

    asyncio.run(run())


def test_a_thread_goes_on_to_the_next_work_unless_it_was_interrupted() -> None:
    """To begin one halts the loop while others compute; in one that was interrupted the exception may still come."""

    async def run() -> None:
        threads = Threads()
        first = await threads.do(5, threading.get_ident)
        assert await threads.do(5, threading.get_ident) == first
        with pytest.raises(KeyError):
            await threads.do(5, {}.__getitem__, "x")
        assert await threads.do(5, threading.get_ident) == first
        with pytest.raises(TooLong):
            await threads.do(0.05, lambda: all(True for _ in itertools.count()))
        assert threads.idle == []
        assert await threads.do(5, sum, [1, 2]) == 3
        threads.close()

    asyncio.run(run())


def test_who_only_waits_is_given_more_time_but_not_without_end() -> None:
    """On a busy machine work waits for the processor, and is no longer for that."""

    def waits(seconds: float) -> str:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(0.01)
        return "done"

    async def run() -> None:
        threads = Threads()
        assert await threads.do(0.3, waits, 0.5) == "done"
        with pytest.raises(TooLong):
            await threads.do(0.1, waits, 20)
        threads.close()

    asyncio.run(run())


def test_what_is_interrupted_unheard_is_interrupted_again() -> None:
    """An exception that comes while an object is disposed of is told to nobody."""

    class Deaf:
        def __del__(self) -> None:
            with contextlib.suppress(TooLong):
                while True:
                    time.sleep(0.01)

    def work() -> None:
        Deaf()
        spin()

    async def run() -> None:
        threads = Threads()
        with pytest.raises(TooLong):
            await threads.do(0.05, work)
        until = time.monotonic() + 5
        while any(thread.name == "work" for thread in threading.enumerate()):
            assert time.monotonic() < until, "a thread goes on"
            await asyncio.sleep(0.01)

    asyncio.run(run())


def test_work_that_just_ends_in_time_is_never_lost() -> None:
    """The interrupt may come at any moment of the end of the work: an answer or TooLong, never silence."""

    def busy(seconds: float) -> int:
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            pass
        return 1

    async def run() -> None:
        threads = Threads()
        for n in range(60):
            async with asyncio.timeout(10):
                with contextlib.suppress(TooLong):
                    assert await threads.do(0.01, busy, 0.0095 + n % 10 * 0.0001) == 1
            assert await threads.do(5, busy, 0) == 1

    asyncio.run(run())


def test_whoever_goes_does_not_leave_work_behind_that_others_would_meet() -> None:
    async def run() -> None:
        threads, ended = Threads(), []

        def work() -> None:
            time.sleep(0.3)
            ended.append(True)

        task = asyncio.create_task(threads.do(5, work))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended

    asyncio.run(run())


# A match at which the rules never end


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A server that is open to all, with little patience."""
    yield from hosted(msgspec.structs.replace(settings, local=False, rates=FREE, work_seconds=0.5))


class Aside(threading.Thread):
    """A request beside others."""

    def __init__(self, ask: Callable[[], Any]) -> None:
        super().__init__()
        self.ask, self.found = ask, None
        self.start()

    def run(self) -> None:
        self.found = self.ask()

    def wait(self) -> Any:
        self.join(30)
        return self.found


@pytest.mark.parametrize(("where", "what"), [("offer_json", "/state"), ("why_not", "/why"), ("odds", "/odds")])
def test_a_match_that_hangs_rests_and_nobody_else_notices(
    host: Host, monkeypatch: pytest.MonkeyPatch, where: str, what: str
) -> None:
    good, bad = host.begin(), host.begin()
    bad["italian"].get("/state")
    hanging = host.match(bad["ah"].match)
    known = getattr(Match, where)
    monkeypatch.setattr(Match, where, lambda match, *args: spin() if match is hanging else known(match, *args))
    host.server.matches.live[bad["ah"].match].cached.offered = None
    headers, body = bad["italian"].headers, {"action": "end"}
    if what == "/state":
        asking = Aside(lambda: host.client.get(bad["italian"].path + what, headers=headers))
    else:
        asking = Aside(lambda: host.client.post(bad["italian"].path + what, headers=headers, json=body))
    slowest = 0.0
    for number in range(5):
        start = time.monotonic()
        assert host.client.get("/api/health").json() == {"ok": True}
        assert good["italian"].get("/state")["line"] == min(number, 1)
        if not number:
            good["italian"].play("end", 0)
        slowest = max(slowest, time.monotonic() - start)
    answer = asking.wait()
    assert answer.status_code == 503 and answer.json()["error"]["retry"] > 10
    assert "rests for" in answer.json()["error"]["why"] and answer.headers["retry-after"]
    assert "rests for" in bad["ah"].get("/state", 503)["error"]["why"], "nobody comes to it meanwhile"
    assert slowest < 3, slowest
    resting = host.server.matches.resting
    resting[bad["ah"].match] = 1, time.monotonic()
    assert bad["ah"].get("/state")["line"] == 0, "and then it is read again"


def test_an_action_that_never_ends_has_not_happened(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = host.begin()
    seats["italian"].get("/state")
    known = Match._play
    monkeypatch.setattr(Match, "_play", lambda match, *args: [known(match, *args), spin()][0])
    with seats["ah"].live() as socket:
        socket.receive_json()
        seats["italian"].play("end", 0, 503)
        assert "rests for" in socket.receive_json()["error"]["why"]
    monkeypatch.setattr(Match, "_play", known)
    host.server.matches.resting.clear()
    assert seats["italian"].get("/state")["line"] == 0
    assert seats["italian"].play("end", 0)["line"] == 1


def test_a_match_rests_longer_each_time(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = host.begin()["ah"]
    monkeypatch.setattr(Live, "__init__", spin)
    waits = []
    for _ in range(3):
        waits.append(guest.get("/state", 503)["error"]["retry"])
        number, _ = host.server.matches.resting[guest.match]
        host.server.matches.resting[guest.match] = number, 0.0
    assert waits[0] < waits[1] < waits[2], waits


# What strangers hand in


class Spinning(Sandbox):
    """A process that never answers."""

    command = (sys.executable, "-c", "import sys; sys.stdout.write('+'); sys.stdout.flush()\nwhile True: pass")


class Greedy(Sandbox):
    """A process in which whatever is tried wants more memory than there is."""

    command = (
        sys.executable,
        "-c",
        "import fronte.server.processes.sandbox_main as t\n"
        "def read(handed):\n  hoard = []\n  while True: hoard.append(bytearray(2**20))\n"
        "t.read = read\nt.main()",
    )


def attempts(kind: type[Sandbox], host: Host, number: int, seconds: float = 1.0) -> list[Any]:
    async def run() -> list[Any]:
        tried = kind(seconds, host.server.load)
        handed = Handed([], fronte.new("isonzo", seed=1).save())
        try:
            asked = (tried.attempt(handed, f"10.0.0.{n // 2}") for n in range(number))
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            await tried.close()

    return asyncio.run(run())


def test_a_trial_that_never_ends_is_ended_and_few_wait(host: Host) -> None:
    start = time.monotonic()
    found = attempts(Spinning, host, 9)
    assert [type(one).__name__ for one in found].count("Rejected") == sandbox.WAITING
    assert "takes longer" in str(found[0])
    assert all(one.status == 503 and one.retry for one in found[sandbox.WAITING :])
    assert time.monotonic() - start < 30
    assert not [p for p in psutil.Process().children(recursive=True) if "while True" in " ".join(p.cmdline())]


def test_one_address_does_not_take_all_trials(host: Host) -> None:
    async def run() -> list[Any]:
        tried = Sandbox(20, host.server.load)
        handed = Handed([], fronte.new("isonzo", seed=1).save())
        try:
            one = [tried.attempt(handed, "10.0.0.1") for _ in range(4)]
            return await asyncio.gather(*one, tried.attempt(handed, "10.0.0.2"), return_exceptions=True)
        finally:
            await tried.close()

    found = asyncio.run(run())
    assert [getattr(one, "status", 200) for one in found] == [200, 200, 503, 503, 200]


@pytest.mark.skipif(sys.platform != "linux", reason="only here the system can be told how much there is")
def test_a_trial_that_wants_all_memory_gets_none(host: Host) -> None:
    found = attempts(Greedy, host, 2, 30)
    assert all(isinstance(one, Rejected) and "more memory" in str(one) for one in found), found


def long_save(lines: int) -> str:
    """A match in which somebody shows now this and now that unit of a stack, which costs nothing."""
    match = fronte.new("isonzo", seed=3)
    match.play("end")
    text = match.save()
    shows = [action for action in match.legal() if msgspec.to_builtins(action)["do"] == "show"]
    match.play(shows[0])
    hidden = next(action for action in match.legal() if action not in shows and isinstance(action, type(shows[0])))
    written = [json.dumps({"seat": "italian", "action": msgspec.to_builtins(each)}) for each in (shows[0], hidden)]
    return text + "".join(f"{written[n % 2]}\n" for n in range(lines))


def test_a_record_has_an_end(settings: Settings) -> None:
    few = msgspec.structs.replace(settings, most_lines=40, upload_bytes=3_000_000)
    for host in hosted(few):
        sent = host.client.post("/api/matches/upload?language=it", content=long_save(60))
        assert sent.status_code == 422 and "più righe" in sent.json()["error"]["why"]
        opened = host.client.post("/api/matches/upload", content=long_save(38)).json()
        ah = Guest(host, opened["id"], opened["tokens"]["ah"])
        ah.post("/orders", {"kind": "demolition", "policy": "blow"})
        refused = ah.post("/orders", {"kind": "demolition", "policy": None}, 422)
        assert "room for 40 lines" in refused["error"]["why"] and ah.get("/state")["line"] == 40
        assert ah.get("/state")["orders"] == {"demolition": "blow"}, "and nothing of it has happened"


# Memory


def test_what_nobody_looks_at_leaves_the_memory_and_comes_back(settings: Settings) -> None:
    small = msgspec.structs.replace(settings, keep_bytes=4_000_000)
    for host in hosted(small):
        begun = [host.begin() for _ in range(12)]
        for seats in begun:
            seats["italian"].play("end", 0)
        held = host.server.matches
        assert 1 < len(held.live) < 12 and held.weight() <= 4_000_000
        with begun[0]["ah"].live() as socket:
            socket.receive_json()
            for seats in begun[1:]:
                seats["ah"].get("/state")
            assert begun[0]["ah"].match in held.live, "who looks on keeps his match as long as there is room"
            begun[0]["italian"].play("end", 1)
            assert socket.receive_json()["line"] == 2
        assert begun[5]["italian"].get("/state?since=0")["line"] == 1
        assert "fronte_matches_bytes" in host.client.get("/api/metrics").text


def test_matches_that_are_watched_leave_too_if_there_is_no_room(settings: Settings) -> None:
    for host in hosted(msgspec.structs.replace(settings, keep_bytes=1)):
        one, other = host.begin(), host.begin()
        with one["ah"].live() as socket, other["ah"].live() as second:
            socket.receive_json(), second.receive_json()
            assert not host.server.matches.live, "nothing fits"
            one["italian"].play("end", 0)
            told = socket.receive_json()
            assert told["line"] == 1 and told["events"]
            with one["italian"].live():
                while not socket.receive_people()["italian"]["here"]:
                    pass
            other["italian"].play("end", 0)
            assert second.receive_json()["line"] == 1


def test_matches_leave_after_a_while(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = host.begin()["ah"]
    guest.get("/state")
    portal = host.client.portal
    assert portal is not None
    portal.call(host.server.matches.tick)
    assert guest.match in host.server.matches.live
    monkeypatch.setattr(matches, "IDLE", 0.0)
    portal.call(host.server.matches.tick)
    assert guest.match not in host.server.matches.live and guest.match not in host.server.matches.locks
    assert guest.get("/state")["line"] == 0


def test_a_list_of_matches_makes_no_rulesets(settings: Settings) -> None:
    """Each choice of options has a ruleset of its own, which takes a while to make: a list must not need them."""
    options = [option.name for option in fronte.ruleset("isonzo").rulebook.options][:6]  # type: ignore[attr-defined]
    for host in hosted(msgspec.structs.replace(settings, local=False, rates=FREE)):
        chosen = [{name: value} for name in options if _is(name) for value in ("true", "false")]
        begun = [host.begin(options=each)["ah"] for each in chosen]
        assert len(begun) > 4
        registry._ruleset.cache_clear()
        tokens = ",".join(guest.token for guest in begun)
        listed = host.client.get("/api/matches", headers={"x-fronte-tokens": tokens}).json()["matches"]
        assert len(listed) == len(begun) and not any(match["error"] for match in listed)
        assert begun[0].get()["error"] is None
        assert registry._ruleset.cache_info().currsize <= 1


def _is(name: str) -> bool:
    book = fronte.ruleset("isonzo").rulebook  # type: ignore[attr-defined]
    return any(option.name == name and option.values == ("true", "false") for option in book.options)


def test_shows_and_questions_have_a_rate_for_an_address(settings: Settings) -> None:
    for host in hosted(msgspec.structs.replace(settings, local=False, rates="show=4/600,ask=3/600")):
        one, other = host.begin(), host.begin()
        for guest in (one["ah"], one["italian"], other["ah"], other["italian"]):
            guest.get("/state")
        assert "(show)" in one["ah"].get("/events", 429)["error"]["why"]
        for _ in range(3):
            one["italian"].post("/why", {"action": "end"})
        one["italian"].get("/overlays/zones", 429)
        one["italian"].post("/actions", {"action": "end", "line": 0})


# Two anonymous requests against a real server


def family(server: Served) -> list[psutil.Process]:
    root = psutil.Process(server.process.pid)
    return [root, *root.children(recursive=True)]


def memory(server: Served) -> float:
    """Megabytes of a server and the processes it has begun."""
    found = 0.0
    for process in family(server):
        try:
            found += process.memory_info().rss / 1e6
        except psutil.Error:
            continue
    return found


def test_large_uploads_neither_stop_a_server_nor_fill_it(tmp_path: Path) -> None:
    text = long_save(9_990)
    assert len(text) > 500_000
    server = Served(str(tmp_path / "m.sqlite"), tmp_path / "log", None, "--no-local", rates=FREE)
    try:

        def upload() -> list[int]:
            with httpx.Client(base_url=server.address, timeout=120) as client:
                found = []
                for _ in range(2):
                    sent = client.post("/api/matches/upload", content=text)
                    found.append(sent.status_code)
                    if sent.status_code == 201:
                        opened = sent.json()
                        bearer = {"authorization": f"Bearer {opened['tokens']['ah']}"}
                        shown = client.get(f"/api/matches/{opened['id']}/state?since=-1", headers=bearer)
                        found.append(shown.status_code)
                return found

        uploads = [Aside(upload) for _ in range(2)]
        slowest, most = 0.0, 0.0
        while any(one.is_alive() for one in uploads):
            start = time.monotonic()
            assert httpx.get(f"{server.address}/api/health", timeout=30).json() == {"ok": True}
            slowest = max(slowest, time.monotonic() - start)
            most = max(most, memory(server))
            time.sleep(0.05)
        answers = [status for one in uploads for status in one.wait()]
        assert set(answers) <= {201, 200, 422, 503}, answers
        assert slowest < 3, slowest
        assert most < 512, most
    finally:
        server.kill()


def test_the_process_for_trials_ends_when_nobody_needs_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(database=str(tmp_path / "m.sqlite"), static=tmp_path / "static")
    for host in hosted(settings):
        save = fronte.new("isonzo", seed=1).save()
        assert host.client.post("/api/matches/upload", content=save).status_code == 201
        process = host.server.sandbox.process
        assert process is not None and psutil.pid_exists(process.pid)
        monkeypatch.setattr(sandbox, "IDLE", 0.0)
        portal = host.client.portal
        assert portal is not None
        portal.call(host.server.sandbox.tick)
        assert host.server.sandbox.process is None and not psutil.pid_exists(process.pid)
        heading = json.loads(save)
        bad = json.dumps(heading | {"position": {"turn": 1}})
        assert host.client.post("/api/matches/upload", content=bad).status_code == 422
