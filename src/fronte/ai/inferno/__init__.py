"""The players that know the Inferno games."""

from __future__ import annotations

from fronte.ai.budget import read_budget
from fronte.ai.inferno.planner import planner_player
from fronte.ai.inferno.raider import raider_player
from fronte.ai.inferno.steady import steady_player
from fronte.ai.inferno.stubborn import stubborn_player
from fronte.ai.recruit import recruiting
from fronte.ai.seat import Maker

PLAYERS: dict[str, Maker] = {
    "recruit": recruiting(steady_player),
    "steady": steady_player,
    "raider": raider_player,
    "stubborn": stubborn_player,
    "planner": planner_player,
}
USUAL = "steady"
"""Who plays where nobody is named: the best that is quick."""
BUDGETED = {"planner": read_budget}
"""Those that can be told how long to think, and what reads their budgets."""
