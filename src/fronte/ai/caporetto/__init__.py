"""The players that know Caporetto 1917."""

from __future__ import annotations

from fronte.ai.caporetto.kinds import raider_player, stubborn_player
from fronte.ai.caporetto.planner import planner_player, policy_of, read_budget
from fronte.ai.caporetto.steady import steady_player
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
POLICY = policy_of
"""What tells how a match stands, for whoever looks at it afterwards."""
