"""Every request of the contract, and what is refused."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from random import Random

import msgspec
import pytest
from every import every_game
from hosts import Guest, Host, hosted, play_randomly

import fronte
from fronte.engine.record import read, write
from fronte.server import Settings


def test_games_can_be_chosen(host: Host) -> None:
    games = host.client.get("/api/games").json()["games"]
    isonzo = games[0]
    assert [game["id"] for game in games] == list(fronte.GAMES)
    assert isonzo["title"]["it"] == "Inferno sull’Isonzo"
    evenings = {game["id"]: (game["evening"], game["evening_seat"]) for game in games}
    assert evenings["altipiani"] == ("vallarsa", "ah") and evenings["isonzo"] == ("canale", "")
    assert [scenario["id"] for scenario in isonzo["scenarios"]] == ["historical", "surprise", "canale"]
    assert [seat["id"] for seat in isonzo["seats"]] == ["italian", "ah"]
    assert "random" in [player["id"] for player in isonzo["players"]]
    option = next(option for option in isonzo["options"] if option["id"] == "free_battalion")
    assert option["default"] in option["values"]


def test_the_board_says_everything_printed_and_is_sent_once(host: Host) -> None:
    answer = host.client.get("/api/games/isonzo/board")
    board = answer.json()
    rules = fronte.ruleset("isonzo")
    assert len(board["hexes"]) == rules.board.grid.size  # type: ignore[attr-defined]
    assert len(board["counters"]) == len(rules.counters)  # type: ignore[attr-defined]
    caltanissetta = next(unit for unit in board["counters"] if unit["id"] == "it-caltanissetta")
    assert [caltanissetta[column] for column in ("attack", "defence", "ma", "av", "attack2")] == [
        "6",
        "5",
        "6",
        "1",
        "3",
    ]
    worth = board["setting"]["objectives"]
    assert worth and all(vp > 0 for vp in worth.values())
    assert board["words"]["it"]["terrain"]["hill"] != board["words"]["en"]["terrain"]["hill"]
    again = host.client.get("/api/games/isonzo/board", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@every_game
def test_every_game_has_its_pages(host: Host, game: str) -> None:
    for page in ("board", "rules", "rules?language=it", "picture", "picture/small", "map/any"):
        assert host.client.get(f"/api/games/{game}/{page}").status_code == 200
    board = host.client.get(f"/api/games/{game}/board").json()
    assert board["game"] == game and board["hexes"] and board["counters"] and board["board"]["picture"]


def test_the_drawn_board_is_kept_under_its_fingerprint(host: Host) -> None:
    board = host.client.get("/api/games/isonzo/board").json()
    drawn = host.client.get(board["map"])
    assert drawn.headers["content-type"] == "image/svg+xml" and "immutable" in drawn.headers["cache-control"]
    root = ElementTree.fromstring(drawn.text)
    layers = [node.attrib["class"] for node in root if node.tag.endswith("}g")]
    assert {"terrain", "water", "numbers", "levels", "names", "trenches"} <= set(layers)
    symbols = {node.attrib["id"] for node in root.iter() if node.tag.endswith("}symbol")}
    assert {f"sign-{one['symbol']}" for one in board["look"]["signs"].values() if "symbol" in one} <= symbols
    assert not [node for node in root.iter() if "style" in node.attrib or node.tag.endswith("}style")]
    assert "/api/games/isonzo/picture" in drawn.text  # the relief is not sent twice
    old = host.client.get("/api/games/isonzo/map/0")
    assert old.text == drawn.text and old.headers["cache-control"] == "no-cache"
    assert host.client.get("/api/games/isonzo/map/0", headers={"if-none-match": old.headers["etag"]}).status_code == 304


def test_rules_reference_and_picture(host: Host) -> None:
    english = host.client.get("/api/games/isonzo/rules").json()["rules"]
    italian = host.client.get("/api/games/isonzo/rules?language=it").json()["rules"]
    assert [rule["id"] for rule in english] == [rule["id"] for rule in italian]
    assert sum(a["title"] != b["title"] for a, b in zip(english, italian, strict=True)) > 100
    picture = host.client.get("/api/games/isonzo/picture")
    assert picture.headers["content-type"] == "image/webp" and picture.content[:4] == b"RIFF"
    assert host.client.get("/api/games/chess/board").status_code == 404
    assert host.client.get("/api/games/isonzo/rules?language=de").status_code == 400


def test_health_and_the_page(host: Host, tmp_path: Path) -> None:
    assert host.client.get("/api/health").json() == {"ok": True}
    assert "scripts/client.py" in host.client.get("/").text
    assert host.client.get("/nothing").json()["error"]["why"] == "nothing is at /nothing"
    assert host.client.put("/api/matches").status_code == 405


def test_a_built_client_is_served(tmp_path: Path) -> None:
    (tmp_path / "static" / "assets").mkdir(parents=True)
    (tmp_path / "static" / "index.html").write_text("<title>client</title>")
    (tmp_path / "static" / "assets" / "a.js").write_text("1")
    for host in hosted(Settings(database=str(tmp_path / "m.sqlite"), static=tmp_path / "static")):
        assert host.client.get("/").text == "<title>client</title>"
        assert host.client.get("/assets/a.js").text == "1"
        assert host.client.get("/../m.sqlite").status_code == 404


def test_a_match_says_what_it_is(host: Host) -> None:
    seats = host.begin(scenario="surprise", options={"free_battalion": True}, name="Sunday\u0000 game", watch=["ah"])
    assert set(seats) == {"italian", "ah", "watch ah"}
    about = seats["ah"].get()
    assert (about["game"], about["scenario"], about["you"], about["line"]) == ("isonzo", "surprise", "ah", 0)
    assert about["name"] == "Sunday game"
    assert about["options"]["free_battalion"] == "true"
    assert about["seed_known"] and len(about["commitment"]) == 64
    assert seats["watch ah"].get()["watches"]
    listed = host.client.get("/api/matches").json()["matches"]
    assert [match["id"] for match in listed] == [about["id"]]


@pytest.mark.parametrize(
    ("wanted", "status", "why"),
    [
        ({"game": "chess"}, 422, "no game 'chess'"),
        ({"scenario": "winter"}, 422, "no scenario 'winter'"),
        ({"options": {"magic": True}}, 422, "no option 'magic'"),
        ({"seats": {"french": "human"}}, 422, "no seat 'french'"),
        ({"seats": {"ah": "genius"}}, 422, "no player 'genius'"),
        ({"seats": {"ah": "planner:60s"}}, 422, "no player 'planner:60s'"),
        ({"seats": {"ah": "planner:200p"}}, 422, "no player 'planner:200p'"),
        ({"seats": {"ah": "steady:2s"}}, 422, "no player 'steady:2s'"),
        ({"watch": ["french"]}, 422, "no seat 'french'"),
        ({"game": 3}, 400, "Expected `str`, got `int` - at `$.game`"),
        ({"colour": "red"}, 400, "unknown field `colour`"),
        ({"name": "x" * 201}, 400, "length <= 200"),
    ],
)
def test_a_match_that_cannot_be(host: Host, wanted: dict[str, object], status: int, why: str) -> None:
    answer = host.client.post("/api/matches", json={"game": "isonzo"} | wanted)
    assert answer.status_code == status
    assert why in answer.json()["error"]["why"]


def test_a_level_may_be_asked_for_by_its_name(host: Host) -> None:
    seats = host.begin(seats={"ah": "officer"})
    assert seats["italian"].get()["seats"]["ah"] == "steady"


def test_a_table_holds_all_that_a_seat_has_before_it(host: Host) -> None:
    seats = host.begin()
    mine, theirs = seats["italian"].get("/state?since=-1&language=it"), seats["ah"].get("/state")
    assert mine["line"] == 0 and mine["after"] == -1
    assert mine["view"]["seat"] == "italian" and theirs["view"]["seat"] == "ah"
    assert mine["decision"]["kind"] == "works" and mine["decision"]["text"] and mine["offer"] is not None
    assert theirs["decision"] == {
        "seat": "italian", "kind": "works", "panel": "place", "rules": ["12.2.b", "3.1.A-2"],
        "about": None, "text": None, "hint": None, "odds": [], "whole": None,
    }  # fmt: skip
    assert theirs["offer"] is None and theirs["undo"] is False
    assert mine["events"][0]["text"].startswith("La partita") or "turno 2" in mine["events"][0]["text"]
    assert "blow" in mine["policies"]["demolition"] and mine["orders"] == {}
    assert mine["result"] is None


def test_playing_and_looking_back(host: Host) -> None:
    seats = host.begin()
    play_randomly(host, seats, Random(1), 90)
    match = host.match(seats["ah"].match)
    lines = len(match.entries)
    views = fronte.load(match.save(), at=40).view("ah")
    then = seats["ah"].get("/state?at=40&since=30")
    assert then["view"] == msgspec.json.decode(msgspec.json.encode(views)) and then["offer"] is None
    assert {event["line"] for event in then["events"]} <= set(range(31, 41))
    assert seats["ah"].get("/state?at=33")["line"] == 33
    everything = seats["ah"].get("/events")["events"]
    assert len(everything) == len(match.events_for("ah"))
    assert seats["ah"].get("/events?since=10&until=20")["events"] == [e for e in everything if 10 < e["line"] <= 20]
    assert seats["ah"].get(f"/state?at={lines + 1}", 404)["error"]["line"] == lines
    assert seats["ah"].get("/state?at=x", 400)["error"]["why"] == "at is 'x', not a number"


def movement(host: Host, **wanted: object) -> dict[str, Guest]:
    """A match in which the Italians are about to move."""
    seats = host.begin(**wanted)
    assert seats["italian"].play("end")["decision"]["kind"] == "movement"
    return seats


def test_why_odds_path_and_supply(host: Host) -> None:
    seats = movement(host)
    italian = seats["italian"]
    offer = italian.get("/state")["offer"]["units"]
    unit, data = next((unit, data) for unit, data in offer.items() if len(data["reach"]) > 20)
    far, way = max(data["reach"].items(), key=lambda item: len(item[1]["path"]))
    assert italian.post("/why", {"action": {"do": "move", "unit": unit, "path": way["path"]}}) == {"refusal": None}
    refusal = italian.post("/why", {"action": f"move {unit} 0801"})["refusal"]
    assert refusal["rule"] == "4.2" and "not adjacent" in refusal["why"]
    assert "is for the Italian player to decide" in seats["ah"].post("/why", {"action": "end"})["refusal"]["why"]

    found = italian.post("/path", {"unit": unit, "via": [far]})
    assert (found["path"], found["left"], found["refusal"]) == (way["path"], way["left"], None)
    middle = next(h for h in data["reach"] if h not in way["path"] and data["reach"][h]["left"] >= 12)
    found = italian.post("/path", {"unit": unit, "via": [middle]})
    assert found["path"][-1] == middle and found["left"] == data["reach"][middle]["left"]
    twice = italian.post("/path", {"unit": unit, "via": [middle, found["path"][0]]})
    assert twice["refusal"] or (middle in twice["path"] and twice["path"][-1] == found["path"][0])
    assert italian.post("/path", {"unit": unit, "via": ["0801", far]})["refusal"]["rule"] == "4.1"
    assert italian.post("/path", {"unit": "it-nobody", "via": [far]})["refusal"]["rule"] == "2.1"
    foreign = seats["ah"].post("/path", {"unit": unit, "via": [far]}, 403)["error"]
    assert foreign["why"].startswith("it is for the Italian player")

    line = italian.get(f"/overlays/supply?piece={unit}")
    pieces = italian.get("/state")["view"]["pieces"]
    assert line["layers"][0]["path"][0] == next(piece["at"] for piece in pieces if piece["id"] == unit)
    assert line["data"]["state"] in ("in", "low") and 0 <= line["data"]["length"] <= 8
    assert seats["ah"].get(f"/overlays/supply?piece={unit}", 422)["error"]["rule"] == "11.3"
    assert "no overlay 'weather'" in italian.get("/overlays/weather", 404)["error"]["why"]

    assert "no dice" in italian.post("/odds", {"action": "end"}, 422)["error"]["why"]
    italian.play("end")
    targets = italian.get("/state")["offer"]["targets"]
    target, chosen = next((target, data) for target, data in targets.items() if data["units"])
    odds = italian.post("/odds", {"action": {"do": "attack", "target": target, "units": chosen["units"][:1]}})
    assert odds["unknown"] and (odds["of"] == 216 or odds["facts"][0]["key"] in ("void", "collapse"))
    attack = {"do": "attack", "target": target, "units": chosen["units"][:1]}
    assert italian.post("/odds/many", {"actions": [attack, "end", attack]})["sheets"] == [odds, None, odds]
    italian.post("/odds/many", {"actions": [attack] * 9}, 400)
    italian.post("/odds/many", {"actions": []}, 400)
    seats["ah"].post("/odds/many", {"actions": [attack]}, 403)
    seats["ah"].post("/odds", {"action": "end"}, 403)


def test_saves_go_out_and_come_in(host: Host, settings: Settings) -> None:
    seats = host.begin()
    play_randomly(host, seats, Random(2), 60)
    answer = host.client.get(f"{seats['ah'].path}/save?token={seats['ah'].token}")
    assert "attachment" in answer.headers["content-disposition"]
    assert fronte.load(answer.text).save() == host.match(seats["ah"].match).save()
    sent = host.client.post("/api/matches/upload?seats=ah:random&name=again", content=answer.text)
    assert sent.status_code == 201 and set(sent.json()["tokens"]) == {"italian"}
    again = Guest(host, sent.json()["id"], sent.json()["tokens"]["italian"])
    assert again.get()["seats"] == {"italian": "human", "ah": "random"} and again.get()["name"] == "again"
    assert again.get("/state?at=60")["view"] == seats["italian"].get("/state?at=60")["view"]

    def refused(text: str, status: int) -> str:
        answer = host.client.post("/api/matches/upload", content=text)
        assert answer.status_code == status
        return str(answer.json()["error"]["why"])

    damaged = answer.text.splitlines()
    damaged[5] = damaged[5].replace("seat", "seet")
    assert "line 6" in refused("\n".join(damaged), 422)
    assert "line 1" in refused("", 422)
    assert "has no seed" in refused(host.match(seats["ah"].match).save(with_seed=False), 422)
    assert "longer than 300000 bytes" in refused("x" * 300_001, 413)
    assert host.client.post("/api/matches/upload", content=b"\xff\xfe").status_code == 400


def test_a_save_that_was_tampered_with_is_refused_with_its_line(host: Host) -> None:
    match, rng = fronte.new("isonzo", seed=7), Random(5)
    while not any(entry.rolls for entry in match.entries) or len(match.entries) < 40:
        match.play(match.sample(rng))
    lines = match.save().splitlines()
    thrown = next(k for k, line in enumerate(lines) if '"rolls":[[' in line)
    first = json.loads(lines[thrown])["rolls"][0][0]
    seed, seat = json.loads(lines[0])["seed"], json.loads(lines[20])["seat"]
    other = next(name for name in match.rules.seats if name != seat)
    forged = {
        thrown: lines[thrown].replace(f'"rolls":[[{first}', f'"rolls":[[{first % 6 + 1}', 1),
        20: lines[20].replace(f'"seat":"{seat}"', f'"seat":"{other}"'),
        0: lines[0].replace(seed, "00" * 32),
        30: lines[29],
    }
    for number, line in forged.items():
        assert line != lines[number], number
        text = "\n".join([*lines[:number], line, *lines[number + 1 :]])
        answer = host.client.post("/api/matches/upload", content=text)
        assert answer.status_code == 422, (number, answer.text)
        assert "the save cannot be read: line " in answer.json()["error"]["why"]
    assert host.client.get("/api/matches").json() == {"matches": []}, "and nothing of it is kept"


def test_a_finished_match_tells_its_result_and_its_save(settings: Settings) -> None:
    match = fronte.new("isonzo", "historical", 3)
    rng = Random(3)
    for _ in range(20_000):
        if match.result is not None:
            break
        match.play(match.sample(rng))
    assert match.result is not None
    for host in hosted(msgspec.structs.replace(settings, local=False, hosts=("localhost",))):
        for text in (match.save(), match.save(with_seed=False)):
            opened = host.client.post("/api/matches/upload", content=text).json()
            guest = Guest(host, opened["id"], opened["tokens"]["ah"])
            table = guest.get("/state")
            assert table["decision"] is None and table["offer"] is None
            assert table["result"]["level"] == match.result.level and table["result"]["text"]
            assert guest.get()["result"]["score"] == match.result.score
            told, entries = read(host.client.get(f"{guest.path}/save", headers=guest.headers).text)
            assert told.players == {"italian": "human", "ah": "human"}, "and who played"
            assert write(msgspec.structs.replace(told, players={}), entries) == text
            assert guest.play("end", status=422)["error"]["why"] == "the match is over"


def test_outside_local_mode_nobody_sees_what_is_not_theirs(settings: Settings) -> None:
    for host in hosted(msgspec.structs.replace(settings, local=False)):
        seats = host.begin()
        other = host.begin()
        assert host.client.get("/api/matches").json() == {"matches": []}
        tokens = {"x-fronte-tokens": f"{seats['ah'].token},nonsense"}
        assert [m["you"] for m in host.client.get("/api/matches", headers=tokens).json()["matches"]] == ["ah"]
        assert host.client.post(f"{seats['ah'].path}/join").status_code == 403
        assert "when the match is over" in seats["ah"].get("/save", 403)["error"]["why"]
        assert host.client.get(seats["ah"].path).status_code == 401
        assert host.client.get(seats["ah"].path, headers={"authorization": "Bearer x"}).status_code == 401
        assert host.client.get(seats["ah"].path, headers=other["ah"].headers).status_code == 403
        assert host.client.get("/api/matches/abc/state", headers=other["ah"].headers).status_code == 404
        assert host.client.get("/api/matches/%00/state", headers=other["ah"].headers).status_code == 404


def test_a_local_match_opens_again_from_the_list(host: Host) -> None:
    seats = host.begin(seats={"ah": "random"})
    opened = host.client.post(f"{seats['italian'].path}/join").json()
    assert set(opened["tokens"]) == {"italian"} and opened["tokens"]["italian"] != seats["italian"].token
    assert Guest(host, opened["id"], opened["tokens"]["italian"]).get()["you"] == "italian"
    assert seats["italian"].get()["you"] == "italian"
    assert host.client.post("/api/matches/nothing/join").status_code == 404


def test_pages_of_other_sites_are_not_answered(host: Host) -> None:
    elsewhere = {"origin": "https://elsewhere.example"}
    assert host.client.get("/api/matches", headers=elsewhere).status_code == 403
    assert host.client.get("/api/matches", headers={"host": "rebound.example"}).status_code == 403
    assert host.client.get("/api/matches", headers={"origin": "http://localhost"}).status_code == 200
    plain = host.client.post("/api/matches", content='{"game": "isonzo"}', headers={"content-type": "text/plain"})
    assert plain.status_code == 400


def test_bodies_that_cannot_be_read(host: Host) -> None:
    guest = host.begin()["italian"]
    json = {"content-type": "application/json"} | guest.headers
    for body in (b"", b"{", b"\xff", b"[]", b'{"line": 0}', b'{"action": "end", "line": -1}', b"[" * 50_000):
        assert host.client.post(f"{guest.path}/actions", content=body, headers=json).status_code == 400, body[:20]
    large = b'{"action": "' + b"x" * 70_000 + b'", "line": 0}'
    assert host.client.post(f"{guest.path}/actions", content=large, headers=json).status_code == 413
    assert guest.get("/state")["line"] == 0


def test_zones_of_control_are_open_to_both_seats_and_the_same(host: Host) -> None:
    seats = movement(host)
    shown = seats["italian"].get("/overlays/zones")
    assert shown == seats["ah"].get("/overlays/zones")
    zones = {layer["force"]: layer["hexes"] for layer in shown["layers"]}
    assert set(zones) == {"italian", "ah"} and len(zones["italian"]) > 20


@pytest.mark.parametrize(
    ("game", "scorer"), [("isonzo", "italian"), ("altipiani", "ah"), ("volturno", "napoletani"), ("caporetto", "ahg")]
)
def test_a_board_says_for_whom_a_high_score_is_good(host: Host, game: str, scorer: str) -> None:
    scenario = {"caporetto": "maggiore"}.get(game, "")
    assert host.client.get(f"/api/games/{game}/board?scenario={scenario}").json()["scorer"] == scorer


@pytest.mark.parametrize("game", list(fronte.GAMES))
def test_texts_of_a_game_have_no_apostrophe_of_a_keyboard(host: Host, game: str) -> None:
    pages = [f"/api/games/{game}/board", f"/api/games/{game}/rules?language=it", "/api/games"]
    for page in pages:
        found = re.search(r"\w'\w", host.client.get(page).text)
        assert found is None, (page, found)
