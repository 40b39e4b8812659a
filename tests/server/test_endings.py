"""Endings that no rule makes: resigning and agreeing on a draw; and what a match that is over tells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hosts import Guest, Host, hosted, play_randomly

from fronte.engine.verify import verify
from fronte.games.registry import for_header
from fronte.server import Settings
from fronte.server.matches import story as story_module

RECORDED = Path(__file__).parents[1] / "recorded"


def test_who_resigns_has_lost_and_the_save_says_so(host: Host) -> None:
    seats = host.begin(seed=None, words=True)
    italian, ah = seats["italian"], seats["ah"]
    for guest in (italian, ah):
        guest.post("/word", {"word": "a word"})
    play_randomly(host, seats, Random(1), 40)
    before = italian.get("/state")["line"]
    with ah.live() as socket:
        assert socket.receive_json()["result"] is None
        table = italian.post("/resign?language=it", {})
        told = socket.receive_json()
    assert table["result"]["winner"] == "ah" and table["result"]["level"] == "resigned"
    assert table["result"]["text"] == "una parte si è arresa"
    assert told["result"]["winner"] == "ah" and told["decision"] is None and told["offer"] is None
    about = italian.get()
    assert about["ended"] == "resigned" and about["winner"] == "ah" and about["line"] == before
    assert ah.post("/resign", {}, 422)["error"]["why"] == "the match is over"
    text = host.client.get(f"{ah.path}/save", headers=ah.headers).text
    found = verify(text, for_header)
    assert found.verdict == "true" and found.ended == {"by": "resigned", "winner": "ah"}, found

    # opened again it is still over, and can be seen
    answer = host.client.post("/api/matches/upload", content=text)
    assert answer.status_code == 201, answer.text
    again = Guest(host, answer.json()["id"], answer.json()["tokens"]["italian"])
    assert again.get("/state")["result"]["level"] == "resigned" and again.get()["winner"] == "ah"
    assert again.get(f"/state?at={before - 1}")["line"] == before - 1
    second = verify(host.client.get(f"{again.path}/save", headers=again.headers).text, for_header)
    assert second.verdict == "true", second


def test_a_draw_needs_both_sides(host: Host) -> None:
    seats = host.begin()
    italian, ah = seats["italian"], seats["ah"]
    with ah.live() as socket:
        socket.receive_json()
        assert italian.post("/draw", {})["result"] is None
        socket.receive_json()  # a table comes before it
        socket.people.clear()
        assert socket.receive_people()["italian"]["draw"]
    assert italian.get()["people"]["italian"]["draw"] is True
    assert ah.post("/draw", {"agree": False})["result"] is None  # declined: it stands no longer
    assert italian.get()["people"]["italian"]["draw"] is False
    ah.post("/draw", {})
    assert ah.post("/draw", {})["result"] is None  # nobody agrees with himself
    table = italian.post("/draw", {"agree": True})
    assert table["result"] == {
        "level": "agreed",
        "score": 0,
        "winner": None,
        "rules": [],
        "text": table["result"]["text"],
    }
    host.server.matches.live.clear()
    assert italian.get()["ended"] == "agreed" and italian.get()["winner"] is None
    found = verify(host.client.get(f"{ah.path}/save", headers=ah.headers).text, for_header)
    assert found.ended == {"by": "agreed", "winner": None}
    assert {check.name: check.status for check in found.checks}["score"] == "true"


def test_a_machine_takes_no_draw_but_a_victory(host: Host) -> None:
    italian = host.begin(seats={"ah": "random"})["italian"]
    assert "machine takes no offer" in italian.post("/draw", {}, 422)["error"]["why"]
    assert italian.post("/resign", {})["result"]["winner"] == "ah"


def test_only_seats_end_a_match(host: Host) -> None:
    opened = host.client.post("/api/matches", json={"game": "isonzo", "seed": 7, "watch": ["italian"]}).json()
    for token in (opened["watch"]["italian"], opened["spectators"], opened["owner"]):
        other = Guest(host, opened["id"], token)
        other.post("/resign", {}, 403)
        other.post("/draw", {}, 403)


def test_what_a_file_says_of_an_end_must_be_possible(host: Host) -> None:
    italian = host.begin()["italian"]
    italian.post("/resign", {})
    text = host.client.get(f"{italian.path}/save", headers=italian.headers).text
    for told in ('"by":"wizardry"', '"by":"resigned"'):
        forged = text.replace('"by":"resigned"', told).replace('"winner":"ah"', '"winner":"nobody-at-all"')
        assert host.client.post("/api/matches/upload", content=forged).status_code == 422
        assert verify(forged, for_header).verdict != "true"


def test_the_fog_lifts_when_the_match_is_over(host: Host) -> None:
    seats = host.begin()
    italian = seats["italian"]
    play_randomly(host, seats, Random(3), 30)
    assert "fog lifts" in italian.get("/state?open=1", 403)["error"]["why"]
    italian.get("/story", 403)
    italian.post("/resign", {})
    fogged = italian.get("/state")["view"]
    bare = italian.get("/state?open=1")
    known = {piece.get("id") for piece in fogged["pieces"]}
    shown = {piece.get("id") for piece in bare["view"]["pieces"]}
    assert len(shown - known) > 5 and known - {None} <= shown  # stacks are seen to the bottom
    assert all(piece.get("id") for piece in bare["view"]["pieces"])
    assert bare["result"]["level"] == "resigned" and bare["line"] == italian.get("/state")["line"]
    earlier = italian.get("/state?open=1&at=10&since=9")
    assert earlier["line"] == 10 and all(event["line"] == 10 for event in earlier["events"])
    hidden = next(piece["id"] for piece in bare["view"]["pieces"] if piece["force"] == "ah" and piece["at"].isdigit())
    assert seats["ah"].get(f"/cards?piece={hidden}")["groups"]


def test_where_machines_play_alone_one_looks_at_everything(host: Host) -> None:
    opened = host.client.post(
        "/api/matches", json={"game": "isonzo", "seed": 7, "seats": {"italian": "random", "ah": "random"}}
    ).json()
    assert set(opened["watch"]) == {"*", "italian", "ah"}
    everything = Guest(host, opened["id"], opened["watch"]["*"])
    view = everything.get("/state")["view"]
    assert view.get("seat", "") == "" and all(piece.get("id") for piece in view["pieces"])
    assert everything.get()["role"] == "watch"
    piece = next(one["id"] for one in view["pieces"] if one["force"] == "ah" and one["at"].isdigit())
    assert everything.get(f"/cards?piece={piece}")["groups"]
    everything.get("/overlays/zones")
    assert isinstance(everything.get("/reasons")["reasons"], dict)
    with everything.live() as socket:
        assert all(piece.get("id") for piece in socket.receive_json()["view"]["pieces"])


def test_nobody_at_a_match_with_people_is_given_a_place_that_sees_all(host: Host) -> None:
    wanted = {"game": "isonzo", "seed": 7, "seats": {"ah": "random"}, "watch": ["*"]}
    assert host.client.post("/api/matches", json=wanted).status_code == 422


@pytest.fixture
def away(tmp_path: Path) -> Iterator[Host]:
    settings = Settings(database=str(tmp_path / "away.sqlite"), static=tmp_path / "static", local=False)
    yield from hosted(settings)


@pytest.mark.costly
@pytest.mark.parametrize("file", ["isonzo-historical-steady", "altipiani-historical-random", "volturno-short-steady"])
def test_a_finished_match_tells_its_story(host: Host, file: str) -> None:
    text = (RECORDED / f"{file}.jsonl").read_text()
    answer = host.client.post("/api/matches/upload", content=text)
    assert answer.status_code == 201, answer.text
    opened = answer.json()
    guest = Guest(host, opened["id"], next(iter({**opened["tokens"], **opened["watch"]}.values())))
    story = guest.get("/story")
    turns = [one["turn"] for one in story["turns"]]
    assert turns == sorted(set(turns)) and len(turns) > 3
    assert story["turns"][-1]["score"] == guest.get()["result"]["score"]
    assert story["turns"][-1]["line"] == story["line"]
    lost = [group for groups in story["losses"].values() for group in groups]
    assert lost and all(group["lost"] or group["steps"] for group in lost)
    assert all(group["lost"] <= group["pieces"] for group in lost)
    assert story["points"] and story["judged"]
    for point in story["points"]:
        assert 1 <= point["line"] <= point["last"] <= story["line"] and point["head"] and point["texts"]
        assert not point["where"] or point["where"] in point["head"]
        weighed = "decision" if point["dice"] is None or point["dice"] <= point["swing"] / 2 else "dice"
        assert point["by"] in ("", weighed) or point["swing"] < 0.4  # rounded
        assert (point["by"] == "") == (point["dice"] is None)
    assert any(point["where"] for point in story["points"])
    assert story["then"]["cells"] != story["now"]["cells"] and len(story["then"]["inks"]) == 2
    assert any(letter.isupper() for letter in story["then"]["cells"])  # everybody is set up
    italian = guest.get("/story?language=it")
    assert italian["points"][0]["texts"] != story["points"][0]["texts"]
    assert [point["line"] for point in italian["points"]] == [point["line"] for point in story["points"]]


def test_where_nobody_can_judge_the_game_the_dice_alone_are_told(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story_module, "policy_for", lambda rules: None)
    opened = host.client.post(
        "/api/matches/upload", content=(RECORDED / "isonzo-historical-steady.jsonl").read_text()
    ).json()
    guest = Guest(host, opened["id"], next(iter({**opened["tokens"], **opened["watch"]}.values())))
    story = guest.get("/story")
    assert not story["judged"] and story["points"] and {point["by"] for point in story["points"]} == {"dice"}
    assert all(point["swing"] > 0 for point in story["points"])


def test_spectators_are_told_unless_the_players_let_nobody_look_on(away: Host) -> None:
    opened = away.client.post("/api/matches", json={"game": "isonzo", "seed": 7}).json()
    italian = Guest(away, opened["id"], opened["tokens"]["italian"])
    spectator = Guest(away, opened["id"], opened["spectators"])
    spectator.get("/story", 403)
    spectator.get("/state?open=1", 403)
    italian.post("/resign", {})
    assert spectator.get("/story")["line"] == 0 and spectator.get("/state?open=1")["view"]["pieces"]
    italian.post("/seat", {"spectators": {"see": "nothing"}})
    spectator.get("/story", 403)
    spectator.get("/state?open=1", 403)
