"""7.2 to 7.4, 21.6: the Command Phase. Boxes and what they cost, what may be planned, Rommel; and what nobody sees."""

from __future__ import annotations

from random import Random

import pytest
from caporetto_packs import game
from caporetto_turns import answer, asked, leave_out_the_fighting, play, started, why_not

from fronte.engine import flow, notation
from fronte.engine.decision import AUTO, Frame
from fronte.engine.event import Event
from fronte.games.caporetto import planning
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.planning import Plan, Prepare
from fronte.games.caporetto.printed import ELIMINATED
from fronte.games.caporetto.setting_up import Listed, Ready
from fronte.games.caporetto.state import NOT_PLANNED, State, begin, put
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import mask_of


@pytest.fixture(autouse=True)
def _no_fighting(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_out_the_fighting(monkeypatch)


def in_command(scenario: str, turn: int, **options: str) -> tuple[Caporetto, State]:
    """The Command Phase of a turn, with everybody where the game begins."""
    rules = game(scenario, **options)
    state = begin(rules, b"s")
    state.turn, state.phase = turn, "reinforcement"
    state.frames = [Frame("next_phase", AUTO)]
    flow.settle(rules, state, [])
    return rules, state


def of_ahg(rules: Caporetto, state: State) -> None:
    """The Italians plan nothing; on to the AHG."""
    while rules.scene.force_side[state.frames[-1].args[0]] == ITALIAN:
        play(rules, state, Prepare())


def number(rules: Caporetto, name: str) -> int:
    return rules.formation_number(name)


# 7.3: Italians


def test_a_formation_costs_a_point_and_one_for_each_five_guns() -> None:
    """7.3: the four boxes of the display."""
    for guns, price in ((0, 1), (5, 2), (10, 3), (15, 4)):
        rules, state = in_command("what_if", 3)
        before = state.points[ITALIAN]
        play(rules, state, Prepare((("it-friuli", guns),)))
        assert state.points[ITALIAN] == before - price
        assert state.plan[number(rules, "it-friuli")] == guns


def test_other_numbers_of_guns_have_no_box() -> None:
    """7.2: 1 to 5, 6 to 10, 11 to 15; not more."""
    rules, state = in_command("what_if", 3)
    for guns in (1, 13, 20, -5):
        assert why_not(rules, state, Prepare((("it-friuli", guns),))) == ("7.2", "no_such_box")


def test_nobody_spends_more_than_he_has() -> None:
    """7.3, 6.0: three points are not enough for fifteen guns; four are."""
    rules, state = in_command("what_if", 3)
    state.points[ITALIAN] = 3
    assert why_not(rules, state, Prepare((("it-friuli", 15),))) == ("7.3", "too_dear")
    assert why_not(rules, state, Prepare((("it-friuli", 5), ("it-genova", 5)))) == ("7.3", "too_dear")
    play(rules, state, Prepare((("it-friuli", 5), ("it-genova", 0))))
    assert state.points[ITALIAN] == 0


def test_without_points_nothing_can_be_planned() -> None:
    """6.1, 6.0.e1: he is asked all the same where points are hidden, and not where they lie open."""
    rules, state = in_command("what_if", 3)
    state.points[ITALIAN] = 0
    assert asked(rules, state) == ("plan", "italian")
    assert rules.choices["plan"].listed(rules, state, state.frames[-1]) == [Prepare()]
    assert why_not(rules, state, Prepare((("it-friuli", 0),))) == ("7.3", "too_dear")
    rules = game("what_if", lp_visibility="open")
    state = begin(rules, b"s")
    state.turn = 3
    state.points[ITALIAN] = 0
    assert not planning.asks(rules, state, ITALIAN)
    state.points[ITALIAN] = 1
    assert planning.asks(rules, state, ITALIAN)


def test_each_wing_pays_from_its_own_account() -> None:
    """24.14."""
    rules, state = in_command("historical", 3)
    assert asked(rules, state) == ("plan", "italian-left")
    left, right = rules.scene.forces.index("italian-left"), rules.scene.forces.index("italian-right")
    before = list(state.points)
    play(rules, state, Prepare((("it-friuli", 10),)))
    assert asked(rules, state) == ("plan", "italian-right")
    assert why_not(rules, state, Prepare((("it-friuli", 0),))) == ("24.1", "not_your_formation")
    play(rules, state, Prepare((("it-napoli", 0),)))
    assert (state.points[left], state.points[right]) == (before[left] - 3, before[right] - 1)


def test_brigades_just_arrived_have_no_guns() -> None:
    """24.9.2.e1: Foggia in scenario 1; elsewhere it has."""
    rules, state = in_command("historical", 3)
    while asked(rules, state)[1] != rules.scene.forces[rules.formations[number(rules, "it-foggia")].force]:
        play(rules, state, Prepare())
    assert why_not(rules, state, Prepare((("it-foggia", 5),))) == ("24.9.2.e1", "brigade_without_guns")
    play(rules, state, Prepare((("it-foggia", 0),)))
    rules, state = in_command("what_if", 3)
    play(rules, state, Prepare((("it-foggia", 5),)))


def test_names_that_cannot_be_planned() -> None:
    """7.7, 24.1: no such formation, the enemy's, twice the same, one without a unit on the map."""
    rules, state = in_command("what_if", 3)
    assert why_not(rules, state, Prepare((("it-nobody", 0),))) == ("2.2.3", "no_formation")
    assert why_not(rules, state, Prepare((("de-jr1", 0),))) == ("24.1", "not_your_formation")
    assert why_not(rules, state, Prepare((("it-friuli", 0), ("it-friuli", 5)))) == ("7.3", "planned_twice")
    assert why_not(rules, state, Plan(("it-friuli",))) == ("7.3", "italians_pay")
    for unit in rules.formations[number(rules, "it-friuli")].members:
        if state.at[unit] >= 0:
            put(rules, state, unit, ELIMINATED)
    assert why_not(rules, state, Prepare((("it-friuli", 0),))) == ("7.7", "formation_empty")
    of_ahg(rules, state)
    assert why_not(rules, state, Prepare((("de-jr1", 0),))) == ("7.4", "ahg_pays_nothing")


def test_italians_plan_nothing_in_the_first_turn_of_the_campaigns() -> None:
    """24.9.e2, 25.9: on the 27th they do."""
    rules, state = in_command("what_if", 1)
    assert asked(rules, state) == ("plan", "ahg")
    rules, state = in_command("maggiore", 7)
    assert asked(rules, state) == ("plan", "italian")


# 7.4: the AHG


def test_the_ahg_plans_any_or_all_of_its_formations_for_nothing() -> None:
    """7.4, 6.2: each with up to fifteen guns."""
    rules, state = in_command("maggiore", 7)
    of_ahg(rules, state)
    frame = state.frames[-1]
    every = planning.plannable(rules, state, AHG)
    first = next(rules.choices["plan"].legal(rules, state, frame))
    assert first == Plan(tuple(rules.formations[f].id for f in every))
    some = tuple(rules.formations[f].id for f in every[:2])
    answer(rules, state, Plan(some))
    planned = [f for f in rules.formations_of_force[AHG] if state.plan[f] != NOT_PLANNED]
    assert planned == every[:2]
    assert {state.plan[f] for f in planned} == {15}


def test_legal_plans_are_listed_once_and_are_legal() -> None:
    rules, state = in_command("maggiore", 7)
    state.points[ITALIAN] = 3
    for _ in range(2):
        frame = state.frames[-1]
        choice = rules.choices["plan"]
        found = choice.listed(rules, state, frame)
        assert len(found) == len(set(found))
        assert all(choice.why_not(rules, state, frame, action) is None for action in found)
        for seed in range(30):
            assert choice.sample(rules, state, frame, Random(seed)) in found
        play(rules, state, found[-1])


def test_a_plan_can_be_typed() -> None:
    action = Prepare((("it-friuli", 5), ("it-genova", 0)))
    assert notation.to_text(action) == "prepare it-friuli=5,it-genova=0"
    assert notation.from_text("prepare it-friuli=5,it-genova=0", (Plan, Prepare)) == action
    assert notation.from_text("prepare", (Plan, Prepare)) == Prepare()
    whole = Plan(("de-jr1",), ("de-wgb-1", "de-wgb-2"))
    assert notation.from_text(notation.to_text(whole), (Plan, Prepare)) == whole


# 21.6: Rommel


def test_rommel_leads_up_to_four_companies_that_are_together() -> None:
    """21.6: a formation of its own, planned with the others."""
    rules, state = in_command("what_if", 3)
    of_ahg(rules, state)
    names = [f"de-wgb-{n}" for n in range(1, 7)]
    assert why_not(rules, state, Plan((), tuple(names[:5]))) == ("21.6", "too_many_companies")
    assert why_not(rules, state, Plan((), ("de-leib-1",))) == ("21.6", "not_of_rommel")
    assert why_not(rules, state, Plan(("de-rommel",))) == ("21.6", "rommel_by_companies")
    assert why_not(rules, state, Plan((), ("de-wgb-1", "de-wgb-1")))[1] == "named_twice"
    away = next(t for t in rules.grid.adjacent[state.at[rules.number["de-wgb-2"]]])
    put(rules, state, rules.number["de-wgb-2"], away)
    assert why_not(rules, state, Plan((), ("de-wgb-1", "de-wgb-2"))) == ("21.6", "not_together")
    chosen = ("de-wgb-1", "de-wgb-3", "de-wgb-4", "de-wgb-5")
    out = answer(rules, state, Plan(("de-wgb",), chosen))
    assert state.rommel == mask_of(rules.known(chosen))
    assert state.plan[rules.rommel] == 15
    assert next(e for e in out if e.kind == "rommel_leads").public() is not None


def test_without_a_declaration_there_is_no_detachment() -> None:
    rules, state = in_command("what_if", 3)
    of_ahg(rules, state)
    answer(rules, state, Plan(("de-wgb",)))
    assert (state.rommel, state.plan[rules.rommel]) == (0, NOT_PLANNED)


def test_rommel_wounded_leads_no_more_and_elsewhere_he_is_not() -> None:
    """21.6.2."""
    rules, state = in_command("what_if", 3)
    of_ahg(rules, state)
    state.wounded = True
    assert why_not(rules, state, Plan((), ("de-wgb-1",))) == ("21.6.2", "rommel_wounded")
    rules, state = in_command("cividale", 7)
    of_ahg(rules, state)
    unit = next(rules.ids[u] for u in rules.formations[rules.formations_of_force[AHG][0]].members)
    assert why_not(rules, state, Plan((), (unit,))) == ("21.6", "no_rommel")


def test_rommel_in_turn_one_of_the_historical_campaign_is_an_option() -> None:
    """21.6: it has no Command Phase; by the option he may be declared before the artillery, and nobody else plans."""
    rules = game("historical")
    state, _ = started(rules)
    assert (state.turn, asked(rules, state)[0]) == (1, "recover")  # nobody has planned before
    rules = game("historical", rommel_gt1="true")
    state, _ = started(rules)
    assert (state.turn, *asked(rules, state)) == (1, "plan", "ahg-left")
    other = rules.scene.forces.index("ahg-right")
    assert {state.plan[f] for f in rules.formations_of_force[other]} == {15}
    seen: list[int] = []
    every = tuple(rules.formations[f].id for f in planning.plannable(rules, state, state.frames[-1].args[0]))
    with pytest.MonkeyPatch.context() as patch:
        leave_out_the_fighting(patch)
        patch.setattr("fronte.games.caporetto.gunnery.begin", lambda rules, state: seen.append(state.rommel))
        play(rules, state, Plan(every, ("de-wgb-1",)))
    assert seen[0] == 1 << rules.number["de-wgb-1"]


# 7.2: secret


def test_plans_are_seen_by_their_own_player_alone() -> None:
    """7.2, 6.0.e1: the other one learns that it is done, and neither what nor what it has cost."""
    rules, state = in_command("maggiore", 7)
    mine, theirs = rules.seats.index("italian"), rules.seats.index("ahg")

    def told(events: list[Event], seat: int) -> list[Event]:
        return [seen for event in events if (seen := event.to(seat))]

    bare = rules.formations[planning.plannable(rules, state, ITALIAN)[0]].id
    twin = state.copy()
    one = play(rules, state, Prepare(((bare, 5),)))
    other = answer(rules, twin, Prepare())
    assert told(one, theirs) == told(other, theirs)
    assert told(one, mine) != told(other, mine)
    assert {event.kind for event in told(one, theirs)} == {"has_planned"}
    every = [rules.formations[f].id for f in planning.plannable(rules, state, AHG)]
    twin = state.copy()
    one = play(rules, state, Plan(tuple(every)))
    other = play(rules, twin, Plan(tuple(every[1:])))
    assert [e for e in told(one, mine) if e.kind != "turn"][:1] == [e for e in told(other, mine) if e.kind != "turn"][
        :1
    ]
    assert "not_planned" not in {event.kind for event in told(other, mine)}
    assert "not_planned" in {event.kind for event in told(other, theirs)}


def test_scenario_two_comes_to_the_plan_of_the_ahg_after_its_set_up() -> None:
    """25.9: through the whole beginning."""
    rules = game("what_if")
    state, _ = started(rules)
    for _ in range(2):
        play(rules, state, Listed())
        play(rules, state, Ready())
    assert (state.turn, *asked(rules, state)) == (1, "plan", "ahg")
