"""21.6: the Rommel detachment: of whom it is made, what it is for a turn, and when it can be formed."""

from __future__ import annotations

from caporetto_places import rule_of
from caporetto_play import names, play, ready, settle, why

from fronte.engine.event import Event
from fronte.games.caporetto import actions, assault, command, losses, movement, rommel
from fronte.games.caporetto.actions import Activate
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.state import NOT_PLANNED, State, put
from fronte.hexes import bits


def test_up_to_four_companies_in_a_hex() -> None:
    """21.6."""
    rules, state = ready("what_if")
    men = [u for u in bits(rules.rommel_companies) if state.at[u] >= 0]
    assert len(men) == 9 and len({state.at[u] for u in men}) == 1
    assert rommel.companies(rules, state, 0) == men and rommel.companies(rules, state, 1) == []
    found = list(rommel.detachments(rules, state, 0))
    assert len(found) == 126 + 84 + 36 + 9 and all(not refused(rules, state, *units) for units in found)
    assert refused(rules, state, *men[:5]) == "21.6" and refused(rules, state) == "21.6"
    assert refused(rules, state, men[0], rules.number["de-wgb-mg-1"]) == ""
    assert refused(rules, state, men[0], rules.number["de-23-1"]) == "21.6"
    put(rules, state, men[1], rules.grid.adjacent[state.at[men[0]]][0])
    assert refused(rules, state, men[0], men[1]) == "21.6" and refused(rules, state, men[0], men[2]) == ""


def refused(rules: Caporetto, state: State, *units: int) -> str:
    return rule_of(rommel.why_not_formed(rules, state, 0, units))


def test_it_is_a_formation_for_the_turn() -> None:
    """21.6, 21.6.1: with its own headquarters; its companies have a point more, and are the battalion's after it."""
    rules, state = ready("what_if")
    men = [u for u in bits(rules.rommel_companies) if state.at[u] >= 0]
    state.plan[rules.rommel] = NOT_PLANNED
    out: list[Event] = []
    rommel.form(rules, state, men[:3], out)
    assert out[0].kind == "rommel_leads" and command.is_planned(rules, state, rules.rommel)
    assert command.members(rules, state, rules.rommel) == men[:3]
    battalion = rules.formation_of[men[0]]
    assert not set(men[:3]) & set(command.members(rules, state, battalion))
    manner = movement.Manner()
    assert movement.allowance(rules, state, men[:1], manner) == movement.allowance(rules, state, men[4:5], manner) + 4
    assert losses.one_unit(rules, state, men[:3]) and not losses.one_unit(rules, state, men[2:4])
    actions.begin(rules, state, [])
    settle(rules, state)
    name = rules.formations[rules.rommel].id
    play(rules, state, Activate(name))
    assert state.formations == (rules.rommel,)
    while state.frames[-1].name != "act":
        frame = state.frames[-1]
        play(rules, state, next(rules.choices[frame.name].legal(rules, state, frame)))
    assert assault.acting(rules, state) & rules.rommel_companies == sum(1 << u for u in men[:3])
    assert names(state)[-1] == "act"
    rommel.dissolve(rules, state, out)
    assert not state.rommel and not command.is_planned(rules, state, rules.rommel)
    assert command.members(rules, state, rules.rommel) == [] and out[-1].kind == "rommel_dissolved"
    rommel.dissolve(rules, state, out)
    assert len(out) == 2  # there was none


def test_without_companies_it_is_not_activated() -> None:
    rules, state = ready("what_if")
    actions.begin(rules, state, [])
    settle(rules, state)
    assert why(rules, state, Activate(rules.formations[rules.rommel].id)) == "7.7"


def test_a_wounded_rommel_leads_nobody() -> None:
    """21.6.2."""
    rules, state = ready("what_if")
    men = [u for u in bits(rules.rommel_companies) if state.at[u] >= 0][:1]
    assert refused(rules, state, *men) == ""
    state.wounded = True
    assert refused(rules, state, *men) == "21.6.2" and list(rommel.detachments(rules, state, 0)) == []


def test_scenario_4_has_no_rommel() -> None:
    rules, state = ready("maggiore")
    assert rommel.companies(rules, state, 0) == [] and refused(rules, state, 0) == "21.6"
