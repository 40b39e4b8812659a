"""The floors above the games know no game: they ask a ruleset only what every ruleset declares."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import fronte
from fronte.engine.rules import Rules
from fronte.games.registry import FAMILIES

HOUSE = Path(fronte.__file__).parent
ABOVE = ("ai", "casebook", "cli", "draw", "mail", "rl", "server", "study")
DECLARED = set(dir(Rules)) | set(Rules.__annotations__) | {"items"}
"""What every ruleset has; and what the rules of a style sheet have."""
NAMES = ("rules", "state")


def modules() -> list[Path]:
    """All modules above the games that are no family's own."""
    files = [file for floor in ABOVE for file in sorted((HOUSE / floor).rglob("*.py"))]
    return [file for file in files if not set(file.relative_to(HOUSE).parts) & set(FAMILIES.values())]


def is_called(node: ast.expr, name: str) -> bool:
    """Is this a variable or a field of that name?"""
    return (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name)


def faults(text: str) -> list[str]:
    """What a module asks of a ruleset that not every one has; and where it asks for its class, or that of a state."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and is_called(node.value, "rules") and node.attr not in DECLARED:
            found.append(f"line {node.lineno}: rules.{node.attr}")
        if isinstance(node, ast.Call) and is_called(node.func, "isinstance"):
            found += [f"line {node.lineno}: isinstance({name})" for name in NAMES if is_called(node.args[0], name)]
    return found


@pytest.mark.parametrize("file", modules(), ids=lambda file: str(file.relative_to(HOUSE)))
def test_it_asks_what_every_ruleset_declares(file: Path) -> None:
    assert faults(file.read_text(encoding="utf-8")) == []


def test_what_only_some_rulesets_have_is_found() -> None:
    assert faults("x = match.rules.counters\nself.rules.grid\nif isinstance(rules, Isonzo): pass") == [
        "line 1: rules.counters",
        "line 3: isinstance(rules)",
    ]
    assert len(modules()) > 100
