"""What an action takes a server that has just begun, by the processor's time, and what Python's collector takes of it.

    .venv/bin/python benchmarks/first.py [--matches 60] [--rounds 6] [--game isonzo] [--usual] [--json]

Many matches in one process, each played at random over HTTP, a round of all of them after the other. Of each kind of
decision: the first three actions, then the median, 99 of 100 and the worst of all others. With `--usual` the collector
is as Python has it and not as a server sets it.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "server"))

from hosts import Host, hosted

from fronte.server import Settings
from fronte.server.processes.collector import let_be

FIRST = 3


class Pauses:
    """How long the collector stopped everything, by generation."""

    def __init__(self) -> None:
        self.found: dict[int, list[float]] = defaultdict(list)
        self.began = 0.0
        gc.callbacks.append(self)

    def __call__(self, phase: str, told: dict[str, int]) -> None:
        if phase == "start":
            self.began = process_time()
        else:
            self.found[told["generation"]].append(process_time() - self.began)

    def figures(self) -> dict[str, Any]:
        pauses = [pause for each in self.found.values() for pause in each]
        return {"pauses": len(pauses), "all, s": round(sum(pauses), 2), "worst, ms": in_ms(max(pauses, default=0.0))}


def in_ms(seconds: float) -> float:
    return round(seconds * 1e3, 1)


def played(host: Host, game: str, matches: int, rounds: int) -> dict[str, list[float]]:
    """By kind of decision the seconds of each action, in order."""
    tables = [host.begin(game=game, seed=seed) for seed in range(matches)]
    rng, taken = Random(1), defaultdict[str, list[float]](list)
    for guests in tables:
        next(iter(guests.values())).get("/state")
    for _ in range(rounds):
        for guests in tables:
            match = host.match(next(iter(guests.values())).match)
            if match.decision is None:
                continue
            action, line, kind = msgspec.to_builtins(match.sample(rng)), len(match.entries), match.decision.kind
            began = process_time()
            guests[match.decision.seat].play(action, line)
            taken[kind].append(process_time() - began)
    return taken


def figures(taken: list[float]) -> dict[str, Any]:
    """The first of a kind, and the others."""
    later = sorted(taken[FIRST:])
    shares = {"median": 0.5, "99 %": 0.99, "worst": 1.0}
    others = {
        name: in_ms(later[min(len(later) - 1, int(len(later) * share))]) for name, share in shares.items() if later
    }
    return {"n": len(taken), "first, ms": [in_ms(each) for each in taken[:FIRST]], **others}


def main() -> None:
    """Run it and print."""
    options = argparse.ArgumentParser()
    options.add_argument("--matches", type=int, default=60)
    options.add_argument("--rounds", type=int, default=6)
    options.add_argument("--game", default="isonzo")
    options.add_argument("--usual", action="store_true")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        settings = Settings(database=str(place / "m.sqlite"), static=place / "static", keep_matches=given.matches)
        for host in hosted(settings):
            if not given.usual:
                let_be()
            pauses = Pauses()
            taken = played(host, given.game, given.matches, given.rounds)
            found = {kind: figures(each) for kind, each in taken.items()} | {"collector": pauses.figures()}
            gc.callbacks.remove(pauses)
    print(json.dumps(found) if given.json else "\n".join(f"{name:14} {value}" for name, value in found.items()))


if __name__ == "__main__":
    main()
