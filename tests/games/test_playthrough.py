"""A whole game printed with the API's answers, compared line by line with what it was before.

`FRONTE_UPDATE=1 ./test tests/games/test_playthrough.py` writes the files anew after a change that is meant.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
import pytest

import fronte
from fronte.engine.notation import to_text

FOLDER = Path(__file__).parent.parent / "playthroughs"
MOST = 200


def digest(data: object) -> str:
    return blake2b(msgspec.json.encode(data, order="deterministic"), digest_size=4).hexdigest()


def is_table(told: object) -> bool:
    """Whole tables are long; one word says whether they are as they were."""
    return (isinstance(told, dict) and any(isinstance(part, list) for part in told.values())) or (
        isinstance(told, list) and any(isinstance(part, dict) and is_table(part) for part in told)
    )


def lines(game: str, scenario: str) -> Iterator[str]:
    """Every decision: who owes what, how much is legal, what is played, what happens, what each seat sees."""
    match = fronte.new(game, scenario, seed=1917)
    rng = Random(1917)
    while match.decision is not None:
        decision = match.decision
        listed = sum(1 for _ in islice(match.legal(), MOST))
        legal = f"{MOST} or more" if listed == MOST else str(listed)
        about = {key: digest(told) if is_table(told) else told for key, told in decision.about.items()}
        yield f"{decision.seat} owes {decision.kind} {json.dumps(about)}; legal: {legal}"
        action = match.sample(rng)
        events = match.play(action)
        yield f"  plays {to_text(action)}"
        for event in events:
            seen = "".join("x" if event.to(seat) is None else "." for seat in range(len(match.rules.seats)))
            yield f"  {event.kind} {json.dumps(event.data)} {' '.join(event.rules)} {seen}"
        yield "  views " + " ".join(digest(match.view(seat)) for seat in match.rules.seats)
    yield f"result {match.result}"


@pytest.mark.costly(each=True)
def test_a_whole_game_is_answered_as_before(game: str, scenario: str) -> None:
    file = FOLDER / f"{game}-{scenario}.txt"
    now = list(lines(game, scenario))
    if os.environ.get("FRONTE_UPDATE"):
        file.write_text("\n".join(now) + "\n", encoding="utf-8")
    before = file.read_text(encoding="utf-8").splitlines()
    for number, (old, new) in enumerate(zip(before, now, strict=False), 1):
        assert new == old, f"{file.name}, line {number}"
    assert len(now) == len(before)
