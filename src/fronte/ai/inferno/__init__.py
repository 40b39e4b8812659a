"""The players that know the Inferno games."""

from __future__ import annotations

from fronte.ai.budget import read_budget
from fronte.ai.inferno.planner import first_planner, planner_player, policy_of, second_planner
from fronte.ai.inferno.raider import raider_player
from fronte.ai.inferno.steadfast import steady_player
from fronte.ai.inferno.stubborn import stubborn_player
from fronte.ai.recruit import recruiting
from fronte.ai.seat import Maker

PLAYERS: dict[str, Maker] = {
    "recruit": recruiting(steady_player),
    "steady": steady_player,
    "raider": raider_player,
    "stubborn": stubborn_player,
    "planner": planner_player,
    "planner-1": first_planner,
    "planner-2": second_planner,
}
KEPT = ("planner-1", "planner-2")
"""Those that are kept to be played against by others, and that nobody is offered."""
USUAL = "steady"
"""Who plays where nobody is named: the best that is quick."""
BUDGETED = dict.fromkeys(("planner", *KEPT), read_budget)
"""Those that can be told how long to think, and what reads their budgets."""
POLICY = policy_of
"""What tells how a match stands, for whoever looks at it afterwards."""
