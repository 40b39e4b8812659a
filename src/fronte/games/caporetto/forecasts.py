"""12.3.3: the exact odds of an assault before one commits, and of the throw that waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from fronte.engine.decision import Action, Frame
from fronte.games.caporetto import (
    assault,
    odds,
)
from fronte.games.caporetto.assaulting import Stand, Wave
from fronte.games.caporetto.odds import Clash, Fight, Odds
from fronte.games.caporetto.state import NOBODY, State

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto


class Forecast(NamedTuple):
    """12.3.3: an assault that could be made, and what it would bring."""

    clash: Clash
    fight: Fight
    odds: Odds


def odds_of(
    rules: Caporetto, state: State, h: int, wave: Sequence[int], counter: bool = False, lead: int = NOBODY
) -> Forecast:
    """12.3.3, 12.4.3: the exact odds of an assault of a hex by these units, declared or not, if the defender then does
    what serves him best. Who leads is the usual one if nobody is named."""
    lead = assault.leads(rules, state, wave)[0] if lead == NOBODY else lead
    side = 1 - rules.side[wave[0]]
    defending, best = assault.defenders(rules, state, h, side), None
    for group in assault.groups(rules, state, h, side):
        for against in assault.leads(rules, state, group) or (NOBODY,):
            clash = Clash(h, tuple(wave), group, lead, against, counter)
            fight = odds.weigh(rules, state, clash)
            if best is None or fight.column < best[1].column:
                best = clash, fight
    assert best is not None, "there is always a group, if an empty one"
    return Forecast(*best, odds.odds(rules, state, best[1], wave, defending))


def odds_against(
    rules: Caporetto, state: State, h: int, wave: Sequence[int], counter: bool, group: Sequence[int], lead: int
) -> Forecast:
    """12.3.3: the same for who says which units stand against a wave, and which of them leads; the first of the wave
    leads it."""
    clash = Clash(h, tuple(wave), tuple(group), wave[0], lead, counter)
    fight = odds.weigh(rules, state, clash)
    defending = assault.defenders(rules, state, h, 1 - rules.side[wave[0]])
    return Forecast(clash, fight, odds.odds(rules, state, fight, wave, defending))


def foresee(rules: Caporetto, state: State, frame: Frame, action: Action | None = None) -> Forecast | None:
    """12.3.3: the exact odds of an answer to this decision, or of the throw that waits; None if none depend on it."""
    if isinstance(action, Wave):
        h, counter = frame.args
        return odds_of(rules, state, h, rules.known(action.units), bool(counter), rules.number[action.lead])
    if isinstance(action, Stand):
        h, counter, wave = frame.args
        group, lead = rules.known(action.units), rules.number[action.lead]
        return odds_against(rules, state, h, wave, bool(counter), group, lead)
    if action is None and frame.name in ("assault_die", "assault_dice"):
        h, counter, wave, group = frame.args
        return odds_against(rules, state, h, wave, bool(counter), group, group[0] if group else NOBODY)
    return None
