"""Make the recorded games anew, after the rules have been given a new version: `python tests/recorded/record.py`.

Each file keeps its seed and options; who plays stands in its name: `steady`, else every action is drawn at random.
Those of the probe game need it to be known: `PYTHONPATH=tests FRONTE_GAMES=probe.game python tests/recorded/record.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import fronte
from fronte.ai import Seat, player
from fronte.engine.record import read


def record(file: Path) -> None:
    """Play a recorded game once more under the present rules."""
    heading, _ = read(file.read_text(encoding="utf-8"))
    header, seed = heading.header, bytes.fromhex(heading.seed)
    known = {option.name for option in fronte.ruleset(header.game).rulebook.options}
    default = {option.name: option.default for option in fronte.ruleset(header.game).rulebook.options}
    chosen = {name: value for name, value in header.options.items() if name in known}
    options = chosen if file.stem.endswith("options") else default
    match = fronte.new(header.game, header.scenario, seed, options)
    rng = Random(1917)
    hands = []
    if file.stem.endswith("steady"):
        hands = [(player("steady", seat, game=header.game), Seat(match, seat)) for seat in match.rules.seats]
    while match.seat >= 0:
        decide, seat = hands[match.seat] if hands else (None, None)
        match.play(decide(seat) if decide and seat else match.sample(rng))
    assert match.result is not None
    result = {"level": match.result.level, "score": match.result.score}
    file.write_text(match.save(), encoding="utf-8")
    file.with_suffix(".result.json").write_text(json.dumps(result) + "\n", encoding="utf-8")
    print(file.stem, len(match.entries), result)


if __name__ == "__main__":
    for found in sorted(Path(__file__).parent.glob("*.jsonl")):
        record(found)
