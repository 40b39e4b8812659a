"""Steady's decisions in a state that is already imagined: no seat, no match, no memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fronte.ai.caporetto import fights, fires, lead, small
from fronte.ai.caporetto.act import Action as Acting
from fronte.ai.caporetto.chart import Chart
from fronte.ai.caporetto.later import Later
from fronte.ai.caporetto.picture import Picture
from fronte.ai.caporetto.posts import Posts
from fronte.ai.caporetto.walks import reason_for
from fronte.ai.caporetto.weights import STEADY, Weights, steady_weights
from fronte.ai.policy import is_legal
from fronte.ai.reasons import Answer, Reason
from fronte.engine.decision import Action
from fronte.games.caporetto.acting import Storm
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.moving import Done, Move, Moving
from fronte.games.caporetto.seating import foe
from fronte.games.caporetto.state import State

FATEFUL = (Storm,)
"""Actions after which dice have changed what was planned."""
PLANNED = ("act", "move_guns", "move_others")
"""Decisions that are part of a plan of moves."""
DONE = Answer(Done(), Reason("done"))
Decide = Callable[[Picture, Weights], Answer]
DECISIONS: dict[str, Decide] = {
    "set_up": small.set_up,
    "arrivals": small.arrivals,
    "plan": lead.plan,
    "repair": small.repair,
    "demolish": small.demolish,
    "bridge": small.bridge,
    "lower_trenches": small.lower_trenches,
    "gun_modes": fires.gun_modes,
    "interdict": fires.interdict,
    "preparatory": fires.preparatory,
    "activate": lead.activate,
    "place_hq": lead.place_hq,
    "attach": lead.attach,
    "assign_guns": lead.assign_guns,
    "react": lead.react,
    "bombard": fires.bombard,
    "fire_order": fires.fire_order,
    "defend": fires.defend,
    "infiltration": fires.infiltration,
    "cover": fires.cover,
    "share_losses": fires.share,
    "next_assault": fights.next_assault,
    "wave": fights.wave,
    "stand": fights.stand,
    "rommel_die": fights.rommel_die,
    "assault_losses": fights.suffer,
    "occupy": fights.occupy,
    "withdraw": fights.withdraw,
    "retreat_to": fights.retreat_to,
    "second_hex": fights.second_hex,
    "counter_moves": fights.counter_moves,
    "regroup": small.regroup,
    "home": small.home,
    "recover": small.recover,
}
"""By kind of decision who takes it."""
OF_A_FORCE = (
    *("set_up", "arrivals", "plan", "repair", "demolish", "bridge", "lower_trenches", "gun_modes", "interdict"),
    *("preparatory", "regroup", "recover", "move_guns", "move_others"),
)
"""24.1: decisions whose frame names the force first."""


def force_of(rules: Caporetto, state: State) -> int:
    """24.1, 12.4: the force for which the decision on top is taken."""
    frame = state.frames[-1]
    other = foe(rules, state.active)
    name, args = frame.name, frame.args
    if name in OF_A_FORCE:
        return int(args[0])
    if name in ("react", "counter_moves"):
        return other
    if name == "home":
        return int(rules.force[args[0]])
    if name in ("next_assault", "wave", "occupy", "rommel_die"):
        counter = args[0] if name == "next_assault" else args[1]
        return other if counter else state.active
    if name in ("stand", "withdraw"):
        return state.active if args[1] else other
    if name == "defend":
        return state.active if args[0] else other
    if name == "infiltration":
        return _against(rules, state, rules.side[args[0][0]])
    if name in ("share_losses", "assault_losses", "retreat_to", "second_hex"):
        units = args[0] if name == "assault_losses" else args[4] if name == "retreat_to" else args[-1]
        units = args[2] if name == "share_losses" else units
        return int(rules.force[units[0]])
    return state.active


def _against(rules: Caporetto, state: State, side: int) -> int:
    """The force of the two in play that is not of a side."""
    return state.active if rules.scene.force_side[state.active] != side else foe(rules, state.active)


def picture_of(chart: Chart, state: State) -> Picture:
    """The picture for the decision on top."""
    return Picture(chart, state, force_of(chart.rules, state))


def weights_of(picture: Picture) -> Weights:
    """The weights of the side that decides; in the last turns of a campaign it spares nobody."""
    return STEADY[picture.side] if picture.short else steady_weights(picture.side, picture.left)


def plan(chart: Chart, state: State, weights: Weights | None = None, focus: int = -1, spared: int = 0) -> list[Answer]:
    """The next moves of a plan, without the end of it; with an objective before all others if one is named, and without
    assaults on the hexes that are spared. The state is left as it is."""
    picture = picture_of(chart, state.copy())
    if focus >= 0:
        picture.turn_to(focus)
    kind = Acting if state.frames[-1].name == "act" else Later
    found = kind(picture, weights or weights_of(picture))
    found.spared = spared
    return found.plan()


def answer(chart: Chart, state: State, weights: Weights | None = None) -> Answer:
    """A decision that is no part of a plan. What it says is legal in this state, which is left as it is."""
    picture = picture_of(chart, state.copy())
    decide = DECISIONS.get(state.frames[-1].name, lead.first)
    found = decide(picture, weights or weights_of(picture))
    if is_legal(chart.rules, state, found.action):
        return found
    return lead.first(Picture(chart, state, picture.force), weights_of(picture))


def close(chart: Chart, state: State) -> Answer:
    """What ends a plan of moves; if it cannot end yet, the best move of who may not stay where he is."""
    if is_legal(chart.rules, state, DONE.action):
        return DONE
    rules, frame = chart.rules, state.frames[-1]
    choice: Any = rules.choices[frame.name]
    assert isinstance(choice, Moving)
    picture = picture_of(chart, state.copy())
    posts = Posts(picture, weights_of(picture))
    best: tuple[float, Action, Reason] | None = None
    for unit in choice.urgent(rules, state, frame):
        here = state.at[unit]
        for ways in choice.reached(rules, state, frame, (unit,)):
            for h in ways.left:
                action = Move(rules.ids[unit], rules.hex_ids(ways.way(h)))
                worth = posts(unit, h)
                if (best is None or worth > best[0]) and is_legal(rules, state, action):
                    best = worth, action, reason_for(picture, unit, here, h)
    if best is not None:
        return Answer(best[1], Reason("owed"))
    return Answer(next(iter(choice.legal(rules, state, frame))), Reason("owed"))
