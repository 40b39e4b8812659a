"""The players that know Volturno 1860."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fronte.ai.seat import Maker
from fronte.ai.volturno.steady import steady_player

PLAYERS: dict[str, Maker] = {"steady": steady_player}
USUAL = "steady"
"""Who plays where nobody is named: the best that is quick."""
BUDGETED: dict[str, Callable[[str], Any]] = {}
