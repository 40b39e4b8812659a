"""All that is neither command, nor fire, nor a fight, nor a move: set-up, reinforcements, engineers, companies,
recovery."""

from __future__ import annotations

from fronte.ai.caporetto.chart import TURN
from fronte.ai.caporetto.fights import legal, refuge
from fronte.ai.caporetto.picture import Picture
from fronte.ai.caporetto.weights import Weights
from fronte.ai.reasons import Answer, Reason
from fronte.games.caporetto import (
    common_hexes,
    companies,
    engineers,
    gunnery,
    recovery,
    reinforcements,
    setting_up,
)
from fronte.games.caporetto.terrain import AHG, ISONZO

BLOWN = 2 * TURN
"""A bridge that the enemy can reach within so many quarters of a point is blown."""


def set_up(picture: Picture, weights: Weights) -> Answer:
    """24.8: as the set-up card has them; an engineer begins at work where he may (25.8)."""
    rules, state, force = picture.rules, picture.state, picture.force
    why = Reason("set_up")
    if setting_up.waiting(rules, state, force):
        if setting_up.why_not_listed(rules, state, force) is None:
            return Answer(setting_up.Listed(), why)
        return Answer(legal(picture, 1)[0], why)
    ready = [action for action in legal(picture, 2) if isinstance(action, setting_up.Ready)]
    return Answer(ready[-1] if ready else setting_up.Clear(), Reason("ready"))


def arrivals(picture: Picture, weights: Weights) -> Answer:
    """5.2: everybody comes in."""
    units = reinforcements.ready(picture.rules, picture.state, picture.force)
    return Answer(reinforcements.Arrive(picture.rules.unit_ids(units)), Reason("arrive"))


def recover(picture: Picture, weights: Weights) -> Answer:
    """20.1: all who may."""
    rules, state, frame = picture.rules, picture.state, picture.state.frames[-1]
    choice = rules.choices["recover"]
    assert isinstance(choice, recovery.RecoverChoice)
    units = choice.able(rules, state, frame.args[0])
    return Answer(recovery.Recover(rules.unit_ids(units)), Reason("recover"))


# Engineers


def repair(picture: Picture, weights: Weights) -> Answer:
    """17.1: where it costs nothing; Italians have better use for their points."""
    rules, state = picture.rules, picture.state
    units = engineers.repairers(rules, state, picture.force) if picture.side == AHG else []
    units = [unit for unit in units if picture.near_foes >> state.at[unit] & 1]
    return Answer(engineers.Repair(rules.unit_ids(units)), Reason("repair" if units else "no_repair", secret=True))


def demolish(picture: Picture, weights: Weights) -> Answer:
    """19.2: Italians blow what the enemy is about to use, if none of theirs is left beyond it."""
    rules, state = picture.rules, picture.state
    if picture.side != AHG:
        for unit, (a, b) in engineers.attempts(rules, state, *state.frames[-1].args):
            if min(picture.arrival[a], picture.arrival[b]) <= BLOWN and _is_clear(picture, a, b):
                name = engineers.bridge_name(rules, (a, b))
                return Answer(engineers.Blow(rules.ids[unit], name), Reason("blow", {"hex": rules.grid.ids[a]}))
    return Answer(engineers.Done(), Reason("no_works"))


def _is_clear(picture: Picture, a: int, b: int) -> bool:
    """Is nobody of one's own on the enemy's bank close to the bridge?"""
    far = a if picture.arrival[a] <= picture.arrival[b] else b
    near = picture.rules.grid.within(far, 3)
    mine = picture.state.occ[picture.side] & near
    beyond = [h for h in range(picture.rules.grid.size) if mine >> h & 1 and picture.arrival[h] < picture.arrival[far]]
    return len(beyond) <= 1


def bridge(picture: Picture, weights: Weights) -> Answer:
    """19.3, 21.1: the AHG builds over the Isonzo where that shortens its way."""
    rules, state = picture.rules, picture.state
    if picture.side == AHG:
        for unit, h in engineers.builders(rules, state, picture.force):
            here = state.at[unit]
            if rules.ground.water[rules.ground.way(here, h)] == ISONZO and picture.way[h] + TURN < picture.way[here]:
                name = rules.grid.ids[h]
                return Answer(engineers.Build(rules.ids[unit], name), Reason("build", {"hex": name}))
    return Answer(engineers.Done(), Reason("no_works"))


def lower_trenches(picture: Picture, weights: Weights) -> Answer:
    """17.6.e1: nobody gives up what shelters him."""
    return Answer(gunnery.Keep(), Reason("keep_trenches"))


# Companies, common hexes


def regroup(picture: Picture, weights: Weights) -> Answer:
    """21.10.e3: companies go back to their battalions."""
    found = [one for one in legal(picture) if isinstance(one, companies.Absorb)]
    if found:
        return Answer(max(found, key=lambda one: len(one.companies)), Reason("absorb"))
    return Answer(companies.Done(), Reason("no_absorb"))


def home(picture: Picture, weights: Weights) -> Answer:
    """24.3.common: forward who attacks, to safety who defends."""
    rules = picture.rules
    found = [one for one in legal(picture) if isinstance(one, common_hexes.Go)]
    index = rules.grid.index
    (unit,) = picture.state.frames[-1].args
    if picture.side == AHG:
        best = min(found, key=lambda one: (picture.way[index[one.hex]], one.hex))
    else:
        best = max(found, key=lambda one: (refuge(picture, weights, unit, index[one.hex]), one.hex))
    return Answer(best, Reason("home", {"hex": best.hex}))
