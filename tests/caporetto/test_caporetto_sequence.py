"""4.0: phases in their order, the first turn, what a turn leaves behind, and how a game ends."""

from __future__ import annotations

from random import Random

import pytest
from caporetto_packs import SCENARIOS, game
from caporetto_turns import asked, kinds, leave_out_the_fighting, play, started, why_not

from fronte.engine import flow, panel
from fronte.engine.decision import AUTO, Decision, Frame
from fronte.engine.event import Event
from fronte.engine.text import LANGUAGES
from fronte.games.caporetto import sectors, sequence, supply
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.printed import DISPLAY, SURRENDERED
from fronte.games.caporetto.recovery import Recover
from fronte.games.caporetto.setting_up import Listed, Ready
from fronte.games.caporetto.state import NOT_PLANNED, State, begin, put, zone_of
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The phases of other chapters that have begun."""
    return leave_out_the_fighting(monkeypatch)


def at_the_end(rules: Caporetto, turn: int) -> State:
    """The end of a turn, with everybody where the game begins."""
    state = begin(rules, b"s")
    state.turn, state.phase = turn, "supply"
    state.frames = [Frame("next_phase", AUTO), Frame("turn_end", AUTO)]
    return state


def settle(rules: Caporetto, state: State) -> list[Event]:
    out: list[Event] = []
    flow.settle(rules, state, out)
    return out


def by_chance(rules: Caporetto, state: State, rng: Random) -> list[Event]:
    """Play on at random to the end of the game; whatever is asked can be said, and offered as its panel has it."""
    out: list[Event] = []
    for _ in range(2000):
        flow.roll_on(rules, state, out)
        if not state.frames:
            return out
        frame = state.frames[-1]
        choice = rules.choices[frame.name]
        assert rules.broken(state) == []
        written = rules.to_position(state)
        assert rules.to_position(rules.from_position(written)) == written
        offer = panel.checked(rules.panels, choice.panel, choice.offer(rules, state, frame))
        tags = [verb.__struct_config__.tag for verb in choice.verbs]
        assert all(one["do"] in tags for one in offer.actions)
        about = Decision("", frame.name, choice.rules, choice.about(rules, state, frame))
        for language in LANGUAGES:
            texts = rules.texts(language)
            assert texts.ask(about) and texts.hint(about)
            assert frame.name in texts.tables["question"]
            assert all(texts.action(one) for one in offer.actions)
        action = choice.sample(rules, state, frame, rng)
        assert choice.why_not(rules, state, frame, action) is None
        flow.act(rules, state, action, out)
    raise AssertionError("it does not end")


# Phases


def test_the_phases_of_a_turn_come_in_the_order_of_the_book() -> None:
    rules = game("what_if")
    state = begin(rules, b"s")
    found = []
    for _ in range(9):
        state.phase = sequence.following(rules, state)
        found.append(state.phase)
    assert found == [*sequence.PHASES[1:], "reinforcement"]


def test_turn_one_of_the_historical_campaign_begins_with_the_artillery(begun: list[str]) -> None:
    """24.9: no phase before it; all formations of the AHG count as planned, and no Italian one."""
    rules = game("historical")
    _, out = started(rules)
    assert begun[0] == "artillery"
    assert "income" not in kinds(out[: kinds(out).index("turn") + 1])


def test_in_turn_one_of_the_historical_campaign_the_ahg_has_planned_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """24.9: formations of the AHG act without a Command Phase; Italians, and Rommel, do not."""
    leave_out_the_fighting(monkeypatch)
    rules, seen = game("historical"), list[list[int]]()
    monkeypatch.setattr(sequence.gunnery, "begin", lambda rules, state: seen.append(list(state.plan)))
    started(rules)
    for number, formation in enumerate(rules.formations):
        planned = formation.side == AHG and number != rules.rommel
        assert seen[0][number] == (15 if planned else NOT_PLANNED), formation.id


def test_in_the_other_scenarios_the_first_turn_has_all_phases(begun: list[str]) -> None:
    """25.9: scenario 2 begins with the reinforcements; so do 3 and 4, though nobody comes in there."""
    rules = game("maggiore")
    state, out = started(rules)
    assert asked(rules, state) == ("plan", "italian")
    assert (state.turn, state.phase) == (7, "command")
    assert kinds(out) == ["turn"]
    assert begun == []


def test_a_turn_tells_its_day_its_weather_and_who_has_the_initiative(begun: list[str]) -> None:
    """4.0-3, 4.0-4, 24.11."""
    _, out = started(game("historical"))
    first = next(event for event in out if event.kind == "turn")
    assert first.data == {
        "turn": 1,
        "day": "1917-10-24",
        "half": "am",
        "weather": {"low": "fog", "middle": "rain", "high": "blizzard"},
        "initiative": "ahg",
    }
    _, out = started(game("cividale"))
    assert out[0].data["weather"] == {"all": "clear"}
    assert (out[0].data["day"], out[0].data["half"]) == ("1917-10-27", "am")


def test_the_weather_of_a_new_turn_is_in_force_at_once(begun: list[str]) -> None:
    """8.1: zones do not reach into fog; they are worked out anew when it lifts."""
    rules = game("historical", open_counters=True)
    state = at_the_end(rules, 1)
    state.zoc = [1, 1]
    settle(rules, state)
    assert state.turn == 2
    assert state.zoc != [1, 1]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_game_in_which_nobody_moves_comes_to_its_end(scenario: str, begun: list[str]) -> None:
    """4.0-13, 23.3: eight turns, or two; a campaign without a capture is halted after two turns."""
    rules = game(scenario)
    state, _ = started(rules)
    out = by_chance(rules, state, Random(5))
    turns = [1, 2] if scenario in ("historical", "what_if") else [7, 8]
    assert state.turn == turns[-1]
    assert state.phase == "end"
    assert rules.broken(state) == []
    assert rules.from_position(rules.to_position(state)).outcome == state.outcome
    assert begun == ["artillery", "action", "gun_movement", "movement"] * 2
    assert kinds(out).count("over") == 1
    result = rules.result(state)
    assert result is not None
    level = {"historical": "draw", "what_if": "halt"}.get(scenario, "italian_wins")
    assert result.level == level
    told = out[kinds(out).index("over") + 1]
    assert (told.kind, told.data["level"], told.rules) == ("result", level, result.rules)
    for language in LANGUAGES:
        texts = rules.texts(language)
        assert level in texts.tables["level"]
        for event in out:
            assert texts.event(event)


def test_breakthrough_ends_a_campaign_in_the_turn_in_which_it_comes(begun: list[str]) -> None:
    """24.16: all five hexes of a wing; four are not enough."""
    rules = game("historical", open_counters=True)
    force = rules.scene.forces.index("ahg-left")
    listed = list(bits(rules.scene.breakthrough[force]))
    for held, over in ((listed, True), (listed[1:], False)):
        state = at_the_end(rules, 3)
        for h in held:
            state.control = [mask & ~(1 << h) for mask in state.control]
            state.control[force] |= 1 << h
        state.captured = ((listed[-1], force),)
        settle(rules, state)
        result = rules.result(state)
        assert (result is not None) == over
        if result:
            assert (result.level, result.winner, result.rules) == ("breakthrough", "left", ("24.16",))


@pytest.mark.parametrize(("points", "level", "winner"), [(4, "italian_wins", "italian"), (5, "ahg_wins", "ahg")])
def test_the_last_turn_decides_who_holds_most_of_the_objectives(
    points: int, level: str, winner: str, begun: list[str]
) -> None:
    """26.3: five of nine points, at the end of turn 8 and not of turn 7."""
    rules = game("cividale", open_counters=True)
    for turn in (7, 8):
        state, left = at_the_end(rules, turn), points
        for h, vp in sorted(rules.scene.objectives.items(), key=lambda pair: -pair[1]):
            if vp <= left:
                left -= vp
                state.control = [mask & ~(1 << h) for mask in state.control]
                state.control[AHG] |= 1 << h
        assert left == 0
        settle(rules, state)
        found = rules.result(state)
        assert (found is not None) == (turn == 8)
        if found:
            assert (found.level, found.winner, found.score) == (level, winner, points)


def test_what_was_taken_this_turn_keeps_the_offensive_going(begun: list[str]) -> None:
    """23.3: two turns in a row without a capture."""
    rules = game("what_if", open_counters=True)
    state = at_the_end(rules, 4)
    state.quiet = 1
    state.captured = ((next(iter(rules.scene.objectives)), AHG),)
    settle(rules, state)
    assert rules.result(state) is None
    assert (state.quiet, state.captured) == (0, ())


# The end of a turn


def test_the_markers_of_a_turn_are_taken_away(begun: list[str]) -> None:
    """4.0-12: what holds for one turn; what engineers work at goes on."""
    rules = game("what_if")
    state = at_the_end(rules, 3)
    masks = ("act", "def_fired", "activated", "ooc", "marched", "moved", "handed", "arrived", "attached", "commanded")
    gun = next(bits(rules.guns))
    for name in masks:
        setattr(state, name, 1 << gun)
    state.spent = ((gun, 3),)
    state.barrages, state.loose, state.struck, state.breaking = ((4, 32),), ((4, 32),), ((4, 1),), 1 << 4
    state.rommel = rules.rommel_companies
    state.done = state.attacked = 3
    state.assaulted = 5
    state.plan[0], state.division[0], state.closed = 15, ("12",), ((0, "AK"),)
    state.sector, state.order, state.passed = "left", ("right",), 1
    hq = next(bits(rules.hqs))
    state.at[hq] = 70
    engineer = next(bits(rules.engineers))
    state.working, state.works = 1 << engineer, ((engineer, 4, 4),)
    state.captured = ((next(iter(rules.scene.objectives)), AHG),)
    sequence.clean_up(rules, state)
    for name in (*masks, "rommel", "done", "attacked", "breaking", "fed"):
        assert getattr(state, name) == 0, name
    for name in ("spent", "barrages", "loose", "struck", "closed", "order"):
        assert getattr(state, name) == (), name
    assert set(state.plan) == {NOT_PLANNED}
    assert set(state.division) == {()}
    assert (state.sector, state.passed, state.at[hq]) == ("", -1, DISPLAY)
    assert (state.assaulted, state.working, state.works) == (5, 1 << engineer, ((engineer, 4, 4),))


def surrounded(rules: Caporetto, state: State) -> tuple[int, int]:
    """An Italian battalion far from its lines, and the hex in which it is."""
    unit = next(u for u in bits(rules.combat & rules.of_side[ITALIAN]) if rules.morale[u] > 1 and state.at[u] >= 0)
    rear = next(
        h
        for h in bits(rules.ground.held[AHG] & rules.ground.extent & ~rules.ground.towns)
        if not rules.ground.around(1 << h) & (state.occ[AHG] | state.guns[AHG])
        and h not in state.stacks
        and not supply.supplied(rules.ground, supply.lines_of(rules, state, ITALIAN, rules.ground.extent)) >> h & 1
    )
    put(rules, state, unit, rear)
    return unit, rear


def test_who_has_no_supply_line_suffers_in_phase_eleven(begun: list[str]) -> None:
    """9.3: one point; nobody else does, and nobody recovers without supply."""
    rules = game("what_if")
    state = at_the_end(rules, 4)
    unit, _ = surrounded(rules, state)
    out = settle(rules, state)
    assert [(event.data["unit"], event.data["dp"]) for event in out if event.kind == "disorganised"] == [
        (rules.ids[unit], 1)
    ]
    assert "recovered" not in kinds(out)


def test_who_starves_at_the_edge_of_his_morale_surrenders_next_to_an_enemy(begun: list[str]) -> None:
    """9.3, 15.4: with nobody near he stays one below it."""
    rules = game("what_if")
    for near in (False, True):
        state = at_the_end(rules, 4)
        unit, h = surrounded(rules, state)
        state.dp[unit] = rules.morale[unit] - 1
        if near:
            foe = next(u for u in bits(rules.combat & rules.of_side[AHG]) if rules.quarters[u] == 4)
            put(rules, state, foe, next(t for t in rules.grid.adjacent[h] if rules.ground.extent >> t & 1))
        settle(rules, state)
        assert (state.at[unit] == SURRENDERED) == near
        if not near:
            assert state.dp[unit] == rules.morale[unit] - 1


def test_a_hex_of_reinforcements_that_is_too_full_costs_a_point_each(begun: list[str]) -> None:
    """5.1, 11.6, 15.4.3: all in the hex, and nobody surrenders by it; without a reinforcement only by the option."""
    for option, arrived, hurt in (("false", True, True), ("false", False, False), ("true", False, True)):
        rules = game("what_if", late_overstack=option)
        state = at_the_end(rules, 4)
        units = [u for u in bits(rules.combat & rules.of_side[AHG]) if rules.quarters[u] == 4 and state.at[u] >= 0]
        chosen = [
            next(u for u in units if rules.regiment[u] == one) for one in sorted({rules.regiment[u] for u in units})
        ]
        h = next(
            h for h in bits(rules.ground.held[AHG] & ~rules.ground.high & rules.ground.extent) if h not in state.stacks
        )
        three = chosen[:3]
        for unit in three:
            put(rules, state, unit, h)
        state.dp[three[0]] = rules.morale[three[0]] - 1
        state.arrived = 1 << three[2] if arrived else 0
        before = list(state.dp)
        state.frames.pop()
        found = sequence.crowded(rules, state)
        assert any(set(three) == set(units) for units in found) == hurt
        state.frames.append(Frame("turn_end", AUTO))
        out = settle(rules, state)
        told = [event.data["unit"] for event in out if event.kind == "disorganised" and event.rules == ("11.6",)]
        assert (set(rules.unit_ids(three)) <= set(told)) == hurt
        assert state.at[three[0]] == h
        assert before[three[0]] == rules.morale[three[0]] - 1


def test_two_battalions_are_not_too_many(begun: list[str]) -> None:
    """11.1: at the limit nothing happens."""
    rules = game("what_if", late_overstack="true")
    state = at_the_end(rules, 4)
    assert sequence.crowded(rules, state) == []


# Recovery


def tired(rules: Caporetto) -> tuple[State, list[int]]:
    """The end of turn 4 with three Italian battalions out of enemy zones that are disorganised."""
    state = at_the_end(rules, 4)
    state.captured = ((next(iter(rules.scene.objectives)), AHG),)
    zone = zone_of(rules, state, AHG)
    free = [u for u in bits(rules.combat & rules.of_side[ITALIAN]) if state.at[u] >= 0 and not zone >> state.at[u] & 1]
    for unit in free[:3]:
        state.dp[unit] = 2
    return state, free[:3]


def test_recovery_is_a_may(begun: list[str]) -> None:
    """20.1, 4.0-12: one point for each whom the owner names."""
    rules = game("what_if", open_counters=True)
    state, (one, two, three) = tired(rules)
    settle(rules, state)
    assert asked(rules, state) == ("recover", "italian")
    play(rules, state, Recover(rules.unit_ids((one, three))))
    assert [state.dp[unit] for unit in (one, two, three)] == [1, 2, 1]
    assert (state.turn, state.fed) == (5, 0)


def test_recovery_is_a_phase_to_those_who_look_on(begun: list[str]) -> None:
    """4.0-11, 4.0-12: it is asked after the Supply Phase, and whoever imagines the table plays on from there."""
    rules = game("what_if", open_counters=True)
    state, _ = tired(rules)
    settle(rules, state)
    seen = rules.view(state, 0)
    assert (seen.stage.decision, seen.stage.phase, state.phase) == ("recover", "recovery", "supply")
    assert rules.view(state, 1).stage.phase == "recovery"
    twin = rules.imagine(state, 0, None)
    assert (twin.phase, twin.frames) == (state.phase, state.frames)
    assert rules.resample(seen, Random(1)).phase == state.phase


def test_who_marched_or_is_out_of_command_does_not_recover(begun: list[str]) -> None:
    """20.1, 7.8: nor who is in an enemy zone; each is told why."""
    rules = game("what_if", open_counters=True)
    state, (one, two, three) = tired(rules)
    state.marched, state.ooc = 1 << one, 1 << two
    settle(rules, state)
    assert why_not(rules, state, Recover((rules.ids[one],))) == ("20.1", "has_marched")
    assert why_not(rules, state, Recover((rules.ids[two],))) == ("7.8", "out_of_command")
    fresh = next(u for u in bits(rules.combat & rules.of_side[ITALIAN]) if state.at[u] >= 0 and not state.dp[u])
    assert why_not(rules, state, Recover((rules.ids[fresh],))) == ("20.1", "nothing_to_recover")
    german = next(bits(rules.combat & rules.of_side[AHG]))
    assert why_not(rules, state, Recover((rules.ids[german],))) == ("24.1", "not_yours")
    assert why_not(rules, state, Recover((rules.ids[three], rules.ids[three])))[1] == "named_twice"
    play(rules, state, Recover((rules.ids[three],)))
    assert [state.dp[unit] for unit in (one, two, three)] == [2, 2, 1]


def test_nobody_is_asked_who_has_nobody_to_recover(begun: list[str]) -> None:
    rules = game("what_if", open_counters=True)
    state, (one, two, three) = tired(rules)
    state.ooc = 1 << one | 1 << two | 1 << three
    settle(rules, state)
    assert state.frames[-1].name != "recover"
    assert state.turn == 5


def test_a_standing_order_lets_all_recover(begun: list[str]) -> None:
    """20.1: it is asked once, not every turn."""
    rules = game("what_if", open_counters=True)
    state, units = tired(rules)
    settle(rules, state)
    answer = rules.standing["recover"]["all"]
    assert callable(answer)
    assert answer(rules, state, state.frames[-1]) == Recover(rules.unit_ids(sorted(units)))


def test_who_is_bound_to_a_common_hex_recovers_without_being_asked(begun: list[str]) -> None:
    """24.3.start: their recovery is not in the hands of who attacks them."""
    rules = game("historical")
    state = at_the_end(rules, 4)
    bound = [u for u in bits(rules.combat) if sectors.is_bound(rules, state, u)]
    zones = [zone_of(rules, state, side) for side in (AHG, ITALIAN)]
    free = [u for u in bound if not zones[1 - rules.side[u]] >> state.at[u] & 1]
    assert free
    state.dp[free[0]] = 2
    out = settle(rules, state)
    assert state.dp[free[0]] == 1
    assert "recovered" in kinds(out)


def test_the_game_of_the_book_begins_with_the_set_up_in_scenario_two(begun: list[str]) -> None:
    """25.8: Italians first."""
    rules = game("what_if")
    state, _ = started(rules)
    assert asked(rules, state) == ("set_up", "italian")
    play(rules, state, Listed())
    play(rules, state, Ready())
    assert asked(rules, state) == ("set_up", "ahg")
