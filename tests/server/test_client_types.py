"""The client's types (web/src/lib/types.ts) name the fields of what the server sends, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

import fronte
from fronte.engine import panel
from fronte.engine.capabilities import Capabilities
from fronte.engine.overlay import Layer, Overlay
from fronte.engine.standing import Parameter
from fronte.engine.view import Moving, Piece, Setting, Sign, Stage, Track, View
from fronte.games.caporetto import aims, panels
from fronte.games.inferno import panel as inferno
from fronte.server.api_types import (
    Asked,
    CardLine,
    CardShown,
    FactShown,
    IdleShown,
    ObstacleShown,
    OutlookShown,
    PartShown,
    RowShown,
    SheetShown,
    Table,
    WhyNotShown,
)

CLIENT = Path(__file__).parents[2] / "web" / "src"
TYPES = CLIENT / "lib" / "types.ts"
SAME = {
    "View": View,
    "Piece": Piece,
    "Sign": Sign,
    "Track": Track,
    "Stage": Stage,
    "Moving": Moving,
    "Setting": Setting,
    "Capabilities": Capabilities,
    "Overlay": Overlay,
    "Layer": Layer,
    "Decision": Asked,
    "Table": Table,
    "OddsSheet": SheetShown,
    "Fact": FactShown,
    "Row": RowShown,
    "Card": CardShown,
    "CardLine": CardLine,
    "Obstacle": ObstacleShown,
    "WhyPart": PartShown,
    "WhyNot": WhyNotShown,
    "Idle": IdleShown,
    "Outlook": OutlookShown,
    "Parameter": Parameter,
    "Choose": panel.Choose,
    "Subset": panel.Subset,
    "Allocate": panel.Allocate,
    "Path": panel.Path,
    "Move": panel.Move,
    "Mover": panel.Mover,
    "Reached": panel.Reached,
    "Attack": inferno.Attack,
    "Target": inferno.Target,
    "SetUp": panels.SetUp,
    "Plan": panels.Plan,
    "Headquarters": panels.Headquarters,
    "Wave": panels.Wave,
    "Losses": panels.Losses,
    "Aims": aims.Aims,
    "Aimed": aims.Aimed,
}
OWN = {"Attack": "inferno", "Target": "inferno"} | dict.fromkeys(
    ("SetUp", "Plan", "Headquarters", "Wave", "Losses", "Aims", "Aimed"), "caporetto"
)
"""What only a family of games has stands with what the client has for that family."""
"""The interfaces of the client, each with the class that it stands for."""


def interface(name: str) -> dict[str, bool]:
    """The fields of an interface and of those it extends, each with whether it may be left out."""
    text = (CLIENT / "games" / OWN[name] / "types.ts" if name in OWN else TYPES).read_text("utf-8")
    found = re.search(rf"^export interface {name}(?: extends (\w+))? \{{\n(.*?)^\}}", text, re.DOTALL | re.MULTILINE)
    assert found is not None, f"there is no interface {name}"
    fields = re.findall(r"^  (\w+)(\?)?:", found[2], re.MULTILINE)
    more = interface(found[1]) if found[1] else {}
    return more | {field: bool(optional) for field, optional in fields}


def test_every_panel_has_an_interface() -> None:
    alike = {panel.Place}  # as `choose`
    for game in ("isonzo", "altipiani", "caporetto"):
        assert set(fronte.ruleset(game).panels.values()) - alike <= set(SAME.values())


@pytest.mark.parametrize("name", SAME)
def test_an_interface_has_the_fields_of_its_class(name: str) -> None:
    assert sorted(interface(name)) == sorted(field.encode_name for field in msgspec.structs.fields(SAME[name]))


@pytest.mark.parametrize("name", SAME)
def test_what_is_left_out_may_be_left_out(name: str) -> None:
    kind = SAME[name]
    config = kind.__struct_config__
    omitted = {field.encode_name: config.omit_defaults and not field.required for field in msgspec.structs.fields(kind)}
    assert interface(name) == omitted
