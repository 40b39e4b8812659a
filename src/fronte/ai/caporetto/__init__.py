"""The players that know Caporetto 1917."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fronte.ai.caporetto.steady import steady_player
from fronte.ai.seat import Maker

PLAYERS: dict[str, Maker] = {"steady": steady_player}
USUAL = "steady"
"""Who plays where nobody is named: the best that is quick."""
BUDGETED: dict[str, Callable[[str], Any]] = {}
"""Those that can be told how long to think: none yet."""
