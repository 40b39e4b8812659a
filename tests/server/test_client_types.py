"""The client's types (web/src/lib/types.ts) name the fields of what the server sends, and no others."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from fronte.engine.capabilities import Capabilities
from fronte.engine.overlay import Layer, Overlay
from fronte.engine.view import Moving, Piece, Setting, Sign, Stage, Track, View
from fronte.server.api_types import Asked, CardShown, FactShown, RowShown, SheetShown, Table

TYPES = Path(__file__).parents[2] / "web" / "src" / "lib" / "types.ts"
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
}
"""The interfaces of the client, each with the class that it stands for."""


def interface(name: str) -> dict[str, bool]:
    """The fields of an interface, each with whether it may be left out."""
    found = re.search(rf"^export interface {name} \{{\n(.*?)^\}}", TYPES.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert found is not None, f"types.ts has no interface {name}"
    fields = re.findall(r"^  (\w+)(\?)?:", found[1], re.MULTILINE)
    return {field: bool(optional) for field, optional in fields}


@pytest.mark.parametrize("name", SAME)
def test_an_interface_has_the_fields_of_its_class(name: str) -> None:
    assert sorted(interface(name)) == sorted(field.encode_name for field in msgspec.structs.fields(SAME[name]))


@pytest.mark.parametrize("name", SAME)
def test_what_is_left_out_may_be_left_out(name: str) -> None:
    kind = SAME[name]
    config = kind.__struct_config__
    omitted = {field.encode_name: config.omit_defaults and not field.required for field in msgspec.structs.fields(kind)}
    assert interface(name) == omitted
