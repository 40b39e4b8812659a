"""A person who defends sensibly is answered for in the enemy's turn; and the orders with which people begin."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import msgspec
import pytest
from hosts import Guest, Host, play_inside

import fronte
from fronte.engine.standing import DEFENCE, NOW

PATIENCE = 90.0
GAMES = ("isonzo", "altipiani", "volturno", "caporetto")
SHORT = {"caporetto": "maggiore", "volturno": "short"}
"""Smaller scenarios, where a game has them."""


def asked_in_the_others_turn(game: str) -> tuple[fronte.Match, str]:
    """A match at a point at which a seat is asked something while another is active."""
    for seed in range(60):
        match, rng = fronte.new(game, scenario=SHORT.get(game, ""), seed=seed), Random(seed)
        for _ in range(900):
            if match.decision is None:
                break
            active = match.rules.public_view(match.state).stage.active
            if active and active != match.decision.seat:
                return match, match.decision.seat
            ends = next((one for one in match.legal() if one.__struct_config__.tag in ("end", "done", "pass")), None)
            match.play(match.sample(rng) if ends is None or rng.random() < 0.8 else ends)
    raise AssertionError("nobody is asked in the other's turn")


def until(guest: Guest, ready: Any) -> dict[str, Any]:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        table: dict[str, Any] = guest.get("/state")
        if ready(table):
            return table
        time.sleep(0.05)
    raise AssertionError("nobody answers")


@pytest.mark.costly
@pytest.mark.parametrize("game", GAMES)
def test_what_is_asked_in_the_enemys_turn_is_answered_for_whoever_defends_sensibly(game: str, host: Host) -> None:
    match, seat = asked_in_the_others_turn(game)
    opened = host.client.post(
        "/api/matches/upload", content=match.save(), headers={"Content-Type": "text/plain"}
    ).json()
    guests = {one: Guest(host, opened["id"], token) for one, token in opened["tokens"].items()}
    defender, other = guests[seat], next(guest for one, guest in guests.items() if one != seat)
    line = defender.get("/state")["line"]
    assert defender.post("/orders", {"kind": DEFENCE, "policy": NOW})["orders"][DEFENCE] == NOW
    assert DEFENCE not in other.get("/state")["orders"]
    table = until(defender, lambda one: one["line"] > line + 1 or one["decision"] is None)
    played = [entry for entry in host.match(opened["id"]).entries[line:] if "do" in entry.action]
    assert played and played[0].seat == seat
    assert table["decision"] is None or table["decision"]["seat"] != seat or table["line"] > line + 1
    assert "answered for you" in str(defender.get("/reasons"))
    assert "answered for you" not in str(other.get("/reasons"))
    assert DEFENCE not in defender.post("/orders", {"kind": DEFENCE, "policy": None})["orders"]
    defender.post("/orders", {"kind": DEFENCE, "policy": "for ever"}, 422)


@pytest.mark.parametrize("game", GAMES)
def test_people_may_begin_with_the_orders_that_are_sensible_from_the_start(game: str, host: Host) -> None:
    routine = dict(fronte.ruleset(game).routine)
    assert routine
    seats = host.begin(game=game, routine=True)
    for guest in seats.values():
        table = guest.get("/state")
        assert table["orders"] == routine and table["obeyed"] == []
        assert table["line"] == len(routine) * len(seats)


def test_a_seat_learns_which_of_its_orders_were_obeyed(host: Host) -> None:
    seats = host.begin(seed=5, routine=True)
    play_inside(host, seats["ah"].match, Random(5), 250)
    match = host.match(seats["ah"].match)
    for seat, guest in seats.items():
        first = next((n for n, one in enumerate(match.entries) if one.standing and one.seat == seat), None)
        told = guest.get("/state?since=0")["obeyed"]
        assert bool(told) == (first is not None)
        assert set(told) <= set(msgspec.to_builtins(match.rules.routine))
