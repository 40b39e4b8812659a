"""The course of a game: lessons on small positions on its board, and what a learner is told step by step.

A lesson is a file in the folder of its game, named by its place in the course and its name. `units` and `start` are
written as in a case of the casebook; each step has its text in both languages, the hexes it shows, the rules it is
about, and `until`: the things one of which brings the next step. Those are `picked` (a unit is chosen), `event` (with
any of its data), `decision` (asked of the learner) and `turn`. What `over` names ends every step that waits for
something, so nobody is left behind whose match has gone past the lesson. A step without `until` waits for the learner
to press a button, and one with `ahead` lets him. Where a lesson begins in the middle of things, `before` are the
actions that lead there.

`do` are the actions that a step asks for, and `free` says that the learner then answers as he likes until the step is
over. Tests take every lesson by them; a browser is not told, but can ask whether they can still be done
(`can_be_done`): whoever has gone another way would wait for ever.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

import fronte
from fronte.engine.match import Match
from fronte.engine.record import Entry
from fronte.games.registry import ruleset

FOLDER = files("fronte.server.lessons")


@cache
def course(game: str) -> dict[str, str]:
    """The lessons of a game in their order, by name: their files."""
    folder = FOLDER / game
    found = sorted(one.name for one in folder.iterdir() if one.name.endswith(".toml")) if folder.is_dir() else []
    return {file.removesuffix(".toml").partition("-")[2]: file for file in found}


def read_lesson(game: str, name: str = "first", packs: Sequence[Path] = ()) -> dict[str, Any]:
    """A lesson with its position, ready to begin a match from."""
    data = tomllib.loads((FOLDER / game / course(game)[name]).read_text(encoding="utf-8"))
    rules = ruleset(game, data["scenario"], folders=packs)
    position = rules.to_position(rules.case_state(data.pop("units"), data.pop("start")))
    if before := data.pop("before", ()):
        match = fronte.position(game, position, data["scenario"], data["seed"], packs=packs)
        for action in before:
            match.play(action)
        position = rules.to_position(match.state)
    over = data.pop("over", [])
    for step in data["steps"]:
        if "until" in step:
            step["until"] += over
    return {"game": game, "lesson": name, "position": position, **data}


def can_be_done(match: Match, seat: str, step: Mapping[str, Any]) -> bool:
    """May the learner still do what a step asks for?

    False only where he is asked now for decisions of that kind and may take none of them; in between other things may
    be asked, and what he has done already he need not do again.
    """
    decision = match.decision
    if decision is None or decision.seat != seat:
        return True
    verbs = {str(verb.__struct_config__.tag) for verb in match.rules.choices[decision.kind].verbs}
    asked = [match.read(action) for action in step.get("do", ()) if action.partition(" ")[0] in verbs]
    done = [entry.action for entry in match.entries if isinstance(entry, Entry) and entry.seat == seat]
    left = [action for action in asked if msgspec.to_builtins(action) not in done]
    return not left or any(match.why_not(action, seat) is None for action in left)


def told(lesson: dict[str, Any]) -> dict[str, Any]:
    """A lesson as a browser gets it: without what the learner is to find for himself."""
    kept = [{key: value for key, value in step.items() if key not in ("do", "free")} for step in lesson["steps"]]
    return lesson | {"steps": kept}
