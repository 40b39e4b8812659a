"""A server with one's own data: matches are begun, played, saved and opened with them, and only with them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import httpx2 as httpx
import msgspec
import pytest
from hosts import Guest, Host, hosted, play_randomly
from processes import Served
from typer.testing import CliRunner

import fronte
from fronte.cli import app
from fronte.cli.servepacks import read_packs
from fronte.games.registry import GAMES, data_folder
from fronte.server import Settings, create_app


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A pack in which the Livorno brigade is stronger than in the game's own."""
    printed = (data_folder("isonzo") / "units.csv").read_text(encoding="utf-8")
    row = next(line for line in printed.splitlines() if line.startswith("it-livorno,"))
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "units.csv").write_text(printed.replace(row, row.replace(",2,7,5,", ",2,9,5,")), encoding="utf-8")
    return folder


def attack(host: Host) -> int:
    """What stands on the counter."""
    counters = host.client.get("/api/games/isonzo/board").json()["counters"]
    livorno = next(one for one in counters if one["id"] == "it-livorno")
    return int(livorno["attack"])


def test_matches_with_ones_own_data_open_only_with_them(settings: Settings, pack: Path) -> None:
    own = msgspec.structs.replace(settings, packs={"isonzo": (pack,)})
    name, text = "", ""
    for host in hosted(own):
        games = {game["id"]: game for game in host.client.get("/api/games").json()["games"]}
        assert host.client.get("/api/house").json()["packs"] == ["isonzo"]
        seats = host.begin(seats={"ah": "random"})
        name = seats["italian"].match
        seats["italian"].get("/state")
        assert host.match(name).rules.header.pack == games["isonzo"]["pack"]
        assert games["isonzo"]["pack"] != fronte.ruleset("isonzo").header.pack
        assert games["altipiani"]["pack"] == fronte.ruleset("altipiani").header.pack
        strong = attack(host)
        play(host, seats["italian"])
        text = host.client.get(seats["italian"].path + "/save", headers=seats["italian"].headers).text
        assert seats["italian"].get()["error"] is None
        again = host.client.post("/api/matches/upload", content=text)
        assert again.status_code == 201, again.text
        past = seats["italian"].get("/state?at=1")
        assert past["line"] == 1
    assert fronte.load(text, packs=[pack]).save() == text
    for host in hosted(settings):
        assert attack(host) < strong
        assert "another data pack" in host.client.get("/api/matches").json()["matches"][0]["error"]
        lost = host.client.post(f"/api/matches/{name}/join").json()["tokens"]["italian"]
        assert "another data pack" in Guest(host, name, lost).get("/state", 422)["error"]["why"]
        refused = host.client.post("/api/matches/upload", content=text)
        assert refused.status_code == 422 and "another data pack" in refused.text
    for host in hosted(own):
        token = host.client.post(f"/api/matches/{name}/join").json()["tokens"]["italian"]
        assert Guest(host, name, token).get("/state")["line"] >= 2


def play(host: Host, italian: Guest) -> None:
    """Until the machine has played too: its process has the same data."""
    rng = Random(1)
    with italian.live(since=0) as socket:
        for _ in range(2000):
            match = host.match(italian.match)
            if any(entry.seat == "ah" for entry in match.entries):
                break
            if match.decision is not None and match.decision.seat == "italian":
                action = {"do": "end"} if match.decision.kind == "movement" else msgspec.to_builtins(match.sample(rng))
                italian.play(action, len(match.entries))
            else:
                socket.receive_text()
    assert any(entry.seat == "ah" for entry in match.entries)


def test_without_a_machine_the_whole_match_is_played_with_them(settings: Settings, pack: Path) -> None:
    for host in hosted(msgspec.structs.replace(settings, packs={"isonzo": (pack,)})):
        seats = host.begin()
        play_randomly(host, seats, Random(2), 60)
        host.server.matches.live.clear()
        table = seats["ah"].get("/state?since=-1")
        assert table["line"] == 60 and table["events"]
        assert seats["ah"].get("/luck")["line"] == 60


def test_the_command_serves_with_a_folder(tmp_path: Path, pack: Path) -> None:
    server = Served(str(tmp_path / "m.sqlite"), tmp_path / "log", None, "--pack", str(pack))
    try:
        games = httpx.get(f"{server.address}/api/games", timeout=60).json()["games"]
        assert games[0]["pack"] == fronte.ruleset("isonzo", folders=[pack]).header.pack
    finally:
        server.kill()


def test_for_which_game_a_folder_is(tmp_path: Path, pack: Path) -> None:
    assert read_packs([str(pack)]) == {"isonzo": (pack,)}
    assert read_packs([f"isonzo={pack}"]) == {"isonzo": (pack,)}
    named = tmp_path / "named"
    named.mkdir()
    (named / "pack.toml").write_bytes((data_folder("altipiani") / "pack.toml").read_bytes())
    assert read_packs([str(pack), str(named)]) == {"isonzo": (pack,), "altipiani": (named,)}
    both = tmp_path / "both"
    both.mkdir()
    (both / "glossary.toml").write_bytes((data_folder("isonzo") / "glossary.toml").read_bytes())
    with pytest.raises(ValueError, match=f"it fits {' and '.join(GAMES)}; write --pack isonzo={both}"):
        read_packs([str(both)])
    assert read_packs([f"altipiani={both}"]) == {"altipiani": (both,)}


def test_a_folder_that_is_wrong_is_named_with_file_and_line(tmp_path: Path, pack: Path) -> None:
    def says(*words: str) -> str:
        told = CliRunner().invoke(app, ["serve", "--port", "0", *words], env={"COLUMNS": "400"})
        assert told.exit_code == 1 and "Traceback" not in told.output
        return " ".join(told.output.split())

    assert "there is no folder" in says("--pack", str(tmp_path / "nowhere"))
    assert f"no game 'verdun'; the games are {', '.join(GAMES)}" in says("--pack", f"verdun={pack}")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "there is no file of a data pack" in says("--pack", str(empty))
    lines = (pack / "units.csv").read_text(encoding="utf-8").splitlines()
    number = next(k for k, line in enumerate(lines) if line.startswith("it-livorno,"))
    lines[number] = lines[number].replace(",9,", ",nine,", 1)
    lines[number + 1] = lines[number + 1].replace(",", ";")
    (pack / "units.csv").write_text("\n".join(lines), encoding="utf-8")
    told = says("--pack", f"isonzo={pack}")
    assert f"units.csv:{number + 2}: the line has not" in told and "(and 1 more)" in told
    assert f"fronte pack check isonzo {pack}" in told
    assert "it fits no game (for isonzo: units.csv:" in says("--pack", str(pack))


def test_packs_by_the_environment(pack: Path, tmp_path: Path) -> None:
    given = Settings.from_environment({"FRONTE_PACKS": f"isonzo={pack}, altipiani={tmp_path}"})
    assert given.folders("isonzo") == (pack,) and given.folders("altipiani") == (tmp_path,)
    with pytest.raises(ValueError, match="not written game=folder"):
        Settings.from_environment({"FRONTE_PACKS": str(pack)})
    (pack / "units.csv").write_text("id\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"units\.csv:1: missing columns"):
        create_app(Settings(database=str(tmp_path / "m.sqlite"), packs={"isonzo": (pack,)}))
