"""The players that know Volturno 1860."""

from __future__ import annotations

from fronte.ai.budget import read_budget
from fronte.ai.recruit import recruiting
from fronte.ai.seat import Maker
from fronte.ai.volturno.kinds import raider_player, stubborn_player
from fronte.ai.volturno.planner import planner_player, policy_of
from fronte.ai.volturno.steady import steady_player

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
POLICY = policy_of
"""What tells how a match stands, for whoever looks at it afterwards."""
