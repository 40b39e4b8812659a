"""Clocks: whose time runs when, what may be claimed, and that a server that sleeps costs nobody time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hosts import Guest, Host, hosted
from hypothesis import given
from hypothesis import strategies as st
from processes import postgres, postgres_folder

import fronte
from fronte.server import Settings, app, clocks
from fronte.server.clocks import ClockRule
from fronte.server.store import heartbeat
from fronte.server.store.database import Store
from fronte.server.store.rows import Person

SEATS = ("italian", "ah")


@pytest.fixture
def host(settings: Settings) -> Iterator[Host]:
    """A server that is open to friends."""
    yield from hosted(msgspec.structs.replace(settings, local=False))


@given(
    st.integers(0, 100),
    st.integers(0, 30),
    st.lists(st.tuples(st.sampled_from([*SEATS, None]), st.integers(0, 60_000)), max_size=30),
)
def test_no_clock_ever_gains_and_none_falls_without_spending(
    total: int, delay: int, passes: list[tuple[str | None, int]]
) -> None:
    clock, now = clocks.begin(ClockRule(total, delay), SEATS), 1_000_000
    spent = dict.fromkeys(SEATS, 0)
    for seat, wait in passes:
        before, running, since = clock.left, clock.running, clock.since
        now += wait
        if running is not None and clocks.fallen(clock, now) == running:
            assert clocks.shown(clock, now).left[running] == 0
        clock = clocks.pass_to(clock, seat, now)
        assert all(0 <= clock.left[s] <= before[s] for s in SEATS)
        if running is not None and seat != running:
            spent[running] += max(0, now - since - delay * 1000)
    for seat in SEATS:
        if clock.running != seat:
            assert clock.left[seat] == max(0, total * 1000 - spent[seat]) or clock.left[seat] == 0


@given(st.integers(0, 60), st.integers(0, 30), st.lists(st.tuples(st.booleans(), st.integers(0, 40_000)), max_size=12))
def test_taking_back_goes_on_with_the_stretch_it_had_ended(
    total: int, delay: int, steps: list[tuple[bool, int]]
) -> None:
    """However often one ends and takes back: one stretch, one delay, and the other side loses nothing."""
    clock = began = clocks.pass_to(clocks.begin(ClockRule(total, delay), SEATS), "italian", 1_000_000)
    now = 1_000_000
    for wait_before, wait in steps:
        now += wait if wait_before else 0
        clock = clocks.pass_to(clock, "ah", now)
        now += 0 if wait_before else wait
        clock = clocks.take_back(clock, "italian", now)
        assert clock == began
    assert clocks.take_back(began, "italian", now) == began, "taken back within the stretch"
    other = clocks.pass_to(began, None, now)
    assert clocks.take_back(other, "italian", now + 5000) == began, "nobody else's clock ran meanwhile"
    assert clocks.take_back(clocks.pass_to(began, "ah", now), "ah", now).running == "ah"


def invited(host: Host, **clock: int) -> tuple[Guest, Guest]:
    wanted = {"game": "isonzo", "seed": 7, "invite": ["ah"], "clock": clock}
    opened = host.client.post("/api/matches", json=wanted).json()
    italian = Guest(host, opened["id"], opened["tokens"]["italian"])
    return italian, Guest(host, opened["id"], opened["invitations"]["ah"])


class Time:
    """Time that passes when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = float(int(time.time()))
        monkeypatch.setattr("time.time", lambda: self.now)


def test_a_match_is_played_and_claimed_on_time(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    passing = Time(monkeypatch)
    italian, invitation = invited(host, total=600, delay=60)
    passing.now += 86_400
    waiting = italian.get("/state")["clock"]
    assert waiting["running"] is None and waiting["left"] == {"italian": 600_000, "ah": 600_000}
    ah = Guest(host, italian.match, invitation.post("/accept", {}, 201)["tokens"]["ah"])
    assert ah.get("/state")["clock"]["running"] == "italian"  # everybody is there
    passing.now += 100
    shown = italian.get("/state")["clock"]
    assert (shown["left"]["italian"], shown["free"], shown["fallen"]) == (560_000, 0, None)
    italian.play("end")  # decides again: the same stretch
    passing.now += 559
    assert italian.get("/state")["clock"]["left"]["italian"] == 1000
    assert "nobody's time" in ah.post("/win", {}, 422)["error"]["why"]
    passing.now += 2
    assert ah.get("/state")["clock"]["fallen"] == "italian"
    assert "your own time" in italian.post("/win", {}, 422)["error"]["why"]
    italian.play("end")  # late, but nobody has claimed anything
    with italian.live() as socket:
        assert socket.receive_json()["result"] is None
        table = ah.post("/win?language=it", {})
        told = socket.receive_json()
    assert table["result"]["winner"] == "ah" and table["result"]["level"] == "time" and table["decision"] is None
    assert table["result"]["text"] == "vinta per il tempo" and told["result"]["winner"] == "ah"
    assert told["clock"]["running"] is None and told["offer"] is None
    assert italian.play("end", status=422)["error"]["why"] == "the match is over"
    host.server.matches.live.clear()
    assert italian.get("/state")["result"]["level"] == "time" and italian.get()["ended"] == "time"
    assert host.client.get(f"{ah.path}/save", headers=ah.headers).status_code == 200  # nothing is secret any more
    assert ah.post("/win", {}, 422)


def test_time_is_written_with_the_decision(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    passing = Time(monkeypatch)
    italian, invitation = invited(host, total=900)
    ah = Guest(host, italian.match, invitation.post("/accept", {}, 201)["tokens"]["ah"])
    used = 0
    while italian.get("/state")["decision"]["seat"] == "italian":
        passing.now += 7
        used += 7
        italian.play("end")
    host.server.matches.live.clear()
    shown = ah.get("/state")["clock"]
    assert shown["running"] == "ah" and shown["left"] == {"italian": (900 - used) * 1000, "ah": 900_000}


def asked_at_once(match: fronte.Match) -> dict[str, Any]:
    """A move that the other side may answer at once, as it comes to a bridge."""
    for action in match.legal():
        trial = match.copy()
        trial.play(action)
        if trial.decision is not None and trial.decision.seat == "ah" and trial.can_undo("italian"):
            found: dict[str, Any] = msgspec.to_builtins(action)
            return found
    raise AssertionError("nobody is asked")


def test_ending_and_taking_back_gives_no_fresh_delay(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    passing = Time(monkeypatch)
    italian, invitation = invited(host, total=600, delay=60)
    ah = Guest(host, italian.match, invitation.post("/accept", {}, 201)["tokens"]["ah"])
    table = italian.get("/state")
    while table["decision"]["kind"] != "movement":
        table = italian.play("end", table["line"])
    declared = asked_at_once(host.match(italian.match))
    before, table = table, italian.play(declared, table["line"])
    assert table["undo"], "the decision has passed to the other and can be taken back"
    for _ in range(5):
        passing.now += 30
        table = italian.post("/undo", {"line": table["line"]})
        assert table["decision"]["seat"] == "italian" and table["line"] == before["line"]
        host.server.matches.live.clear()
        passing.now += 29
        table = italian.play(declared, table["line"])
    spent = 5 * 59 - 60
    shown = ah.get("/state")["clock"]
    assert shown["running"] == "ah" and shown["left"] == {"italian": (600 - spent) * 1000, "ah": 600_000}
    assert shown["free"] == 60_000, "the other's time begins when he can decide"


def test_machines_have_no_clock(host: Host) -> None:
    wanted: dict[str, Any] = {"game": "isonzo", "seats": {"ah": "random"}, "clock": {"total": 5}}
    opened = host.client.post("/api/matches", json=wanted).json()
    shown = Guest(host, opened["id"], opened["tokens"]["italian"]).get("/state")["clock"]
    assert set(shown["left"]) == {"italian"} and shown["running"] == "italian"
    assert host.client.post("/api/matches", json=wanted | {"clock": {"total": -1}}).status_code == 400


def test_a_short_restart_costs_nobody_time(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """However short: the time in which no server ran is not counted."""
    passing = Time(monkeypatch)
    settings = msgspec.structs.replace(settings, local=False)
    for host in hosted(settings):
        italian, invitation = invited(host, total=600)
        token = invitation.post("/accept", {}, 201)["tokens"]["ah"]
        passing.now += 10
        assert italian.get("/state")["clock"]["left"]["italian"] == 590_000
    passing.now += 45
    for host in hosted(settings):
        ah = Guest(host, italian.match, token)
        assert ah.get("/state")["clock"]["left"]["italian"] == 590_000, "it was told to stop, and said when"
        passing.now += 3
        portal = host.client.portal
        assert portal is not None
        portal.call(heartbeat.pulse, host.server.store, int(passing.now))
        sudden = passing.now
        monkeypatch.setattr(heartbeat, "farewell", _nothing)
    passing.now += 30
    for host in hosted(settings):
        left = Guest(host, italian.match, token).get("/state")["clock"]["left"]["italian"]
        assert left == 587_000, (left, sudden)


async def _nothing(*_: Any) -> None:
    """Killed: no time to say anything."""


def test_a_machine_that_slept_while_the_server_ran(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lid that was closed: the matches in memory are put off as those in the database."""
    passing = Time(monkeypatch)
    italian, invitation = invited(host, total=600)
    invitation.post("/accept", {}, 201)
    portal = host.client.portal
    assert portal is not None
    portal.call(app.beat, host.server)
    passing.now += 3600
    portal.call(app.beat, host.server)
    assert italian.get("/state")["clock"]["left"]["italian"] == 600_000
    passing.now += 7
    italian.play("end")
    host.server.matches.live.clear()
    assert italian.get("/state")["clock"]["left"]["italian"] == 593_000


async def sleep_and_wake(store: Store) -> None:
    from test_store import kept

    await store.open()
    clock = clocks.pass_to(clocks.begin(ClockRule(600), SEATS), "ah", 1_000_000_000)
    await store.add(msgspec.structs.replace(kept("abc"), clock=clock), [], {"ah": Person()}, [])
    assert await heartbeat.pulse(store, 1_000_000) == 0
    assert await heartbeat.pulse(store, 1_000_020) == 0
    slept = await asyncio.gather(*(heartbeat.pulse(store, 1_036_020) for _ in range(3)))  # three processes wake at once
    assert sorted(slept) == [0, 0, 36_000]
    found = await store.match("abc")
    assert found is not None and found.clock is not None
    assert clocks.time_left(found.clock, 1_036_020_000) == 580_000
    await store.close()


def test_the_hours_in_which_the_server_slept_cost_nobody_time(tmp_path: Path) -> None:
    asyncio.run(sleep_and_wake(Store(Settings(database=str(tmp_path / "m.sqlite")).url)))


@pytest.mark.skipif(postgres_folder() is None, reason="there is no PostgreSQL on this machine")
def test_the_hours_in_which_the_server_slept_with_postgresql() -> None:
    with postgres() as url:
        asyncio.run(sleep_and_wake(Store(Settings(database=url).url)))
