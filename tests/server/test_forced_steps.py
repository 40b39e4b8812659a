"""Forced steps are merged for the seats that want it: fewer exchanges, the same match."""

from __future__ import annotations

from itertools import islice
from random import Random

import msgspec
from hosts import Guest, Host

import fronte


def forced_in(host: Host, name: str, seats: list[str]) -> bool:
    match = host.match(name)
    if match.decision is None or match.decision.seat not in seats:
        return False
    return len(list(islice(match.legal(), 2))) == 1


def begin(host: Host, merged: bool) -> dict[str, Guest]:
    """A match in which, played by this seed, a decision with one answer is met after a while."""
    seats = host.begin(game="altipiani", seed=3)
    for guest in seats.values():
        assert guest.post("/seat", {"forced": merged})["forced"] is merged
    return seats


def test_no_seat_that_wants_it_is_asked_what_has_one_answer(host: Host) -> None:
    exchanges = {}
    for merged in (False, True):
        seats = begin(host, merged)
        name = seats["ah"].match
        seats["ah"].get("/state")
        rng, asked, forced = Random(3), 0, 0
        while len(host.match(name).entries) < 40:
            match = host.match(name)
            assert match.decision is not None
            if forced_in(host, name, ["italian", "ah"]):
                forced += 1
                action = next(match.legal())
            else:
                action = match.sample(rng)
            asked += 1
            seats[match.decision.seat].play(msgspec.to_builtins(action), len(match.entries))
        exchanges[merged] = asked
        assert (forced == 0) is merged
        save = host.client.get(f"{seats['ah'].path}/save?token={seats['ah'].token}").text
        assert fronte.load(save).save() == host.match(name).save()
        host.server.matches.live.clear()
        assert seats["ah"].get("/state")["line"] == 40
    assert exchanges[True] < exchanges[False] == 40


def until_forced(host: Host, seats: dict[str, Guest]) -> tuple[str, int]:
    """Play until one action has led to a forced step of the same seat, merged or not: the seat, and the line before it.

    Nothing was shown by that action, so that both can be taken back.
    """
    seats["ah"].get("/state")
    name, rng = seats["ah"].match, Random(3)
    for _ in range(300):
        match = host.match(name)
        assert match.decision is not None
        seat, before = match.decision.seat, len(match.entries)
        table = seats[seat].play(msgspec.to_builtins(match.sample(rng)), before)
        if (table["line"] == before + 2 or forced_in(host, name, [seat])) and host.match(name).can_undo(seat):
            return seat, before
    raise AssertionError("no forced step was met")


def test_undo_takes_forced_steps_back_too(host: Host) -> None:
    seats = begin(host, True)
    seat, before = until_forced(host, seats)
    table = seats[seat].get("/state")
    assert table["line"] == before + 2 and table["undo"]
    then = seats[seat].get(f"/state?at={before}")["view"]
    back = seats[seat].post("/undo", {"line": table["line"]})
    assert back["line"] == before and back["view"] == then


def test_asking_for_it_answers_what_waits(host: Host) -> None:
    seats = begin(host, False)
    seat, before = until_forced(host, seats)
    assert seats[seat].get("/state")["line"] == before + 1
    seats[seat].post("/seat", {"forced": True})
    assert seats[seat].get("/state")["line"] == before + 2
