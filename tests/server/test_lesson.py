"""A match may begin with a position; the first lesson is one such."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hosts import Host

import fronte
from fronte.engine.overlay import Asked, Overlay


def lesson_of(host: Host) -> Any:
    return host.client.get("/api/games/isonzo/lessons/first").json()


def begin(host: Host, **more: Any) -> Any:
    return host.client.post("/api/matches", json={"game": "isonzo", **more})


def supply_length(match: fronte.Match, unit: str) -> int:
    found = match.rules.overlay(match.state, 0, "supply", Asked(unit))
    assert isinstance(found, Overlay)
    return int(found.data["length"])


def test_the_lesson_goes_as_its_text_says(host: Host) -> None:
    lesson = lesson_of(host)
    match = fronte.position("isonzo", lesson["position"], lesson["scenario"], lesson["seed"])
    assert supply_length(match, "it-alessandria") == 5
    match.play({"do": "move", "unit": "it-alessandria", "path": ["0911"]})
    assert supply_length(match, "it-alessandria") == 4
    match.play("end")
    attack = {"do": "attack", "target": "0910", "units": ["it-alessandria", "it-caltanissetta"]}
    odds = match.rules.case_odds(match.odds(attack))
    assert (odds["attack"], odds["defence"], odds["column"]) == (10, 4, "2.5:1")
    match.play(attack | {"guns": ["it-art-4-1"]})
    kinds = []
    while match.decision is not None and match.decision.kind != "combat":
        kinds.append((match.decision.seat, match.decision.kind))
        match.play(match.offer["actions"][-1])
    assert kinds == [("ah", "retreat"), ("italian", "advance"), ("italian", "losses")]


def test_the_list_of_games_names_the_lessons(host: Host) -> None:
    lesson = lesson_of(host)
    assert host.client.get("/api/games/isonzo/lessons/last").status_code == 404
    offered = {game["id"]: game["lessons"] for game in host.client.get("/api/games").json()["games"]}
    assert offered["isonzo"][0] == {"id": "first", "title": lesson["title"]}
    assert lesson["next"] == offered["isonzo"][1]
    final = offered["isonzo"][-1]["id"]
    assert "next" not in host.client.get(f"/api/games/isonzo/lessons/{final}").json()


def test_a_match_from_a_position_is_kept_and_saved(host: Host) -> None:
    lesson = lesson_of(host)
    opened = begin(host, seed=lesson["seed"], position=lesson["position"]).json()
    token = {"Authorization": f"Bearer {opened['tokens']['italian']}"}
    table = host.client.get(f"/api/matches/{opened['id']}/state", headers=token).json()
    on_map = {piece["id"] for piece in table["view"]["pieces"] if piece["at"].isdigit() and piece.get("mine")}
    assert on_map == {"it-caltanissetta", "it-alessandria", "it-art-4-1"}
    save = host.client.get(f"/api/matches/{opened['id']}/save", headers=token).text
    assert msgspec.json.decode(msgspec.json.encode(fronte.load(save).view("italian"))) == table["view"]


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ({}, "turn: it is missing"),
        ({"forced": [1]}, "nobody says how the dice fall"),
        (
            {"turn": 2, "phase": "movement", "active": "italian", "units": {"it-x": {}}, "held": [], "frames": []},
            "no unit 'it-x'",
        ),
        (
            {
                "turn": 2,
                "phase": "combat",
                "active": "italian",
                "units": {},
                "held": [],
                "frames": [["support", 1, []]],
            },
            "battle: it is missing",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused(host: Host, position: dict[str, Any], why: str) -> None:
    answer = begin(host, position=position)
    assert answer.status_code == 422
    assert why in answer.json()["error"]["why"]
