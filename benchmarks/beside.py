"""Random play beside catanatron, a simulator of another game in pure Python: actions a second of both, in one run.

    python -m venv FOLDER && FOLDER/bin/pip install catanatron
    .venv/bin/python benchmarks/beside.py --with=FOLDER/bin/python [game ...] [--json]

Both play on one core and in turns, so that they meet the same load, and each figure is the best of several
rounds by the processor's time. catanatron is in an environment of its own: it is no part of the program. Here every
action is checked, recorded and can be taken back, and every event is made for both sides; there, four players that
choose among the actions listed for them.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from bench import PLAYED, random_game, random_play
from timing import ROUNDS, asked_games, print_figures

OTHER = """
import sys, time
from catanatron import Color, Game, RandomPlayer

def play(seed):
    game = Game([RandomPlayer(color) for color in Color], seed=seed)
    game.play()
    return len(game.state.actions)

for line in sys.stdin:
    began = time.process_time()
    actions = sum(play(seed) for seed in range(int(line)))
    print(actions / (time.process_time() - began), flush=True)
"""


def other_python() -> str:
    """The interpreter that has catanatron."""
    given = [word.removeprefix("--with=") for word in sys.argv if word.startswith("--with=")]
    if not given:
        raise SystemExit("say which Python has catanatron: --with=FOLDER/bin/python")
    return given[0]


def beside(game: str, python: str) -> dict[str, Any]:
    """Both in turns."""
    here, there = [], []
    with subprocess.Popen([python, "-c", OTHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None and other.stdout is not None
        random_game(game, 0)
        for _ in range(ROUNDS):
            here.append(random_play(game)[0])
            other.stdin.write(f"{PLAYED}\n")
            other.stdin.flush()
            there.append(float(other.stdout.readline()))
        other.stdin.close()
    return {
        "random play, actions per second": round(max(here)),
        "catanatron, actions per second": round(max(there)),
        "of its speed": round(max(here) / max(there), 2),
    }


if __name__ == "__main__":
    print_figures({game: beside(game, other_python()) for game in asked_games()})
