"""`fronte game check`: nothing is wrong with the games there are, and each kind of fault is found and named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from every import PROBE, every_game
from test_architecture import BLOCK, PAGE

from fronte.cli.gamecheck import check_game


@every_game
def test_nothing_is_wrong_with_the_games_there_are(game: str) -> None:
    assert check_game(game, 4 if game == PROBE else 0) == []


def checked(folder: Path, change: dict[str, tuple[str, str]]) -> tuple[int, str]:
    """The game of the architecture page with something changed in a file, checked."""
    for name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        old, new = change.get(name.removeprefix("mill/"), ("", ""))
        assert old in text, name
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace(old, new, 1) if old else text, encoding="utf-8")
    if not (folder / "mill" / "data" / "rules.it.toml").exists():
        (folder / "mill" / "data" / "rules.it.toml").write_text("", encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, "-m", "fronte", "game", "check", "mill"],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"FRONTE_GAMES": "mill.rules", "PYTHONPATH": path},
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


HIDES = "def shuffle_hidden(self, state: State, seat: int, rng: Random) -> State:\n        "
WRONG = {
    "nothing": ("", "", "", "nothing wrong"),
    "an event without words": (
        "data/text.en.toml",
        "stepped = ",
        "stept = ",
        "text.en.toml has no text for the event 'stepped'",
    ),
    "a verb without words": ("data/text.it.toml", 'rest = "riposo"', "", "text.it.toml: [verb] has no rest"),
    "a frame on nothing": ("rules.py", 'on="next_seat", seats', 'on="nowhere", seats', "nowhere, which is no frame"),
    "a rule that the book has not": ("rules.py", '1, "3", on', '1, "9", on', "the book has no rule 9"),
    "a brace that is open": ("data/text.en.toml", "{unit:unit} goes to {hex:hex}", "{unit:unit goes", "not closed"),
    "a view that tells what it may not": (
        "rules.py",
        f"{HIDES}return state.copy()",
        f"{HIDES}twin = state.copy()\n        twin.turn += 1\n        return twin",
        "changes with what the seat may not know",
    ),
    "odds that do not add up": ("rules.py", "7 - self.needed)", "8 - self.needed)", "does not add up to 6"),
    "a listed action that is refused": (
        "rules.py",
        "if isinstance(action, Rest) or action in",
        "if not isinstance(action, Rest) and action in",
        "and refused",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_found_and_named(name: str, tmp_path: Path) -> None:
    file, old, new, says = WRONG[name]
    code, told = checked(tmp_path, {file: (old, new)})
    assert says in told, told
    assert code == (0 if name == "nothing" else 1)
