"""The same seed gives the same game, byte for byte, in any process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SCRIPT = """
import sys
from hashlib import sha256
from random import Random
import fronte, msgspec

match = fronte.new(sys.argv[1], sys.argv[2], seed=42)
rng = Random(42)
while match.result is None:
    match.play(match.sample(rng))
told = [match.events_for(seat) for seat in match.rules.seats]
views = [match.view(seat) for seat in match.rules.seats]
end = match.rules.to_position(match.state)
print(sha256(match.save().encode() + msgspec.json.encode([told, views, end])).hexdigest())
"""


def digest(game: str, scenario: str, hash_seed: str) -> str:
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", SCRIPT, game, scenario]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.costly(each=True)
def test_two_processes_with_different_hash_seeds_play_the_same_game(game: str, scenario: str) -> None:
    assert digest(game, scenario, "1") == digest(game, scenario, "271828")
