"""Puzzles on the server: what is told of one, that the answer is not, and how a match of it is judged."""

from __future__ import annotations

import time
from typing import Any

from hosts import Guest, Host

from fronte.ai.puzzles import collection

NAME = next(iter(collection.names("isonzo")))
PUZZLE = collection.read("isonzo", NAME)


def page(host: Host) -> Any:
    return host.client.get(f"/api/games/isonzo/puzzles/{NAME}").json()


def begin(host: Host) -> Guest:
    shown = page(host)
    return host.begin(**{key: shown[key] for key in ("game", "scenario", "seed", "seats", "position")})[PUZZLE.seat]


def test_what_is_told_of_a_puzzle_is_not_how_it_is_done(host: Host) -> None:
    shown = page(host)
    assert shown["seat"] == PUZZLE.seat and shown["hex"] == PUZZLE.goal.hex
    assert [seat for seat, player in shown["seats"].items() if player == "human"] == [PUZZLE.seat]
    assert not {"best", "chance", "naive", "made"} & set(shown)
    assert host.client.get("/api/games/isonzo/puzzles/none").status_code == 404
    offered = {game["id"]: game["puzzles"] for game in host.client.get("/api/games").json()["games"]}
    assert offered["isonzo"][0] == {"id": NAME, "title": shown["title"]}
    assert shown["next"] == offered["isonzo"][1]


def test_a_plan_is_judged_when_dice_have_fallen_and_not_before(host: Host) -> None:
    guest = begin(host)

    def asked(more: str = "") -> Any:
        return guest.get(f"/puzzle?name={NAME}{more}")

    before = asked()
    assert (before["chance"], before["stars"], before["line"]) == (None, 0, [])
    assert before["best"] == float(PUZZLE.best_chance)
    told = asked("&show=1&language=it")
    assert len(told["line"]) == len(PUZZLE.best) and PUZZLE.goal.hex in told["hexes"]
    for action in PUZZLE.best:
        guest.play(action)
    after = asked()
    for _ in range(200):  # the machine may have to answer before dice fall
        if after["chance"] is not None:
            break
        time.sleep(0.1)
        after = asked()
    assert after["chance"] == float(PUZZLE.best_chance) and after["stars"] == 3 and after["whole"]


def test_between_people_nobody_is_told_odds_in_which_hidden_things_count(host: Host) -> None:
    """What the other keeps secret counts in the exact chance, and the best line would be a hint."""
    shown = page(host)
    people = dict.fromkeys(shown["seats"], "human")
    wanted = {key: shown[key] for key in ("game", "scenario", "seed", "position")}
    guest = host.begin(seats=people, **wanted)[PUZZLE.seat]
    guest.get(f"/puzzle?name={NAME}&show=1", 403)


def test_only_a_match_of_the_puzzle_is_judged_by_it(host: Host) -> None:
    guest = begin(host)
    others = (name for name in collection.names("isonzo"))
    other = next(name for name in others if collection.read("isonzo", name).position != PUZZLE.position)
    guest.get(f"/puzzle?name={other}", 422)
    guest.get("/puzzle?name=none", 404)
