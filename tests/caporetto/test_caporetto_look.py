"""How the counters of Caporetto look: every one of them has its branch, its values and the bar of its formation."""

from __future__ import annotations

from collections import defaultdict

from fronte.draw.branches import BRANCHES
from fronte.draw.check import wrong_looks
from fronte.draw.sheet import read_rows
from fronte.engine.look import face_of, look_of
from fronte.engine.view import Piece
from fronte.games.registry import board_pack

PACK = board_pack("caporetto")
UNITS = read_rows(PACK, "units.csv")
GUNS = ("light", "medium", "heavy", "bombarda")


def written(unit: str, face: int = 0, marks: tuple[str, ...] = ()) -> dict[str, str]:
    """What is written in each slot of a counter."""
    return {shown.part.slot: shown.text for shown in face_of(PACK, Piece("ahg", "0601", unit, face=face, marks=marks))}


def test_the_look_can_be_drawn() -> None:
    assert wrong_looks(PACK) == []


def test_every_force_of_every_scenario_has_its_works_and_flag() -> None:
    forces = {force for scenario in PACK.toml("scenarios.toml").values() for force in scenario["forces"]}
    looks = look_of(PACK).force
    assert forces == set(looks) and len(forces) == 6
    sides = PACK.toml("pack.toml")["sides"]
    for name, look in looks.items():
        assert look.ink == sides[name]["ink"] and look.flag, name
        assert look.upright == (sides[name]["shape"] == "square"), name


def test_every_counter_shows_its_branch_its_values_and_its_formation() -> None:
    """2.2.1 to 2.2.3; independent units have no bar."""
    bars = look_of(PACK).part[1].words
    for row in UNITS:
        told = written(row["id"])
        assert told["symbol"] in BRANCHES, row["id"]
        assert told.get("top") == (bars[row["formation"]] if row["formation"] else None), row["id"]
        assert told.get("left", "") == row["division"], row["id"]
        if row["class"] in GUNS:
            assert (told["bottom-left"], told["bottom"]) == (row["factor"], f"({row['range']})"), row["id"]
            assert told.get("right", "") == row["corps"], row["id"]
        elif row["class"] == "hq":
            assert told["bottom"] == f"{row['initiative']}-{row['command']}", row["id"]
        else:
            assert told.get("bottom-left", "") == row["cf"], row["id"]
            assert told["bottom-right"] == row["ma"], row["id"]


def test_formations_of_a_side_can_be_told_apart() -> None:
    """Each has a bar of its own colour and with its own word."""
    bar = look_of(PACK).part[1]
    assert isinstance(bar.colour, dict)
    formations = {row["formation"]: row["side"] for row in UNITS if row["formation"]}
    assert set(bar.words) == set(bar.colour) == set(formations)
    by_side = defaultdict(list)
    for name, side in formations.items():
        by_side[side].append((bar.words[name], bar.colour[name]))
    for told in by_side.values():
        words, colours = zip(*told, strict=True)
        assert len(set(words)) == len(words)
        assert len(set(colours)) == len(colours)


def test_a_reduced_counter_shows_its_other_face() -> None:
    row = next(row for row in UNITS if row["class"] == "gL")
    worn = written(row["id"], face=1, marks=("step_lost", "out_of_command"))
    assert (worn["bottom-left"], worn["bottom"]) == (row["cf2"], row["mg2"])
    assert "band" in worn and worn["edge-w"] == "−1" and worn["edge-ne"] == "OOC"


def test_pontoon_engineers_have_a_p() -> None:
    """21.1."""
    pontoons = [row["id"] for row in UNITS if row["class"] in ("gP", "iP")]
    assert len(pontoons) == 4
    assert {written(unit)["bottom"] for unit in pontoons} == {"P"}
