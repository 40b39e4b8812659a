"""7.2, 6.0, 22: what each seat of Caporetto sees, and that nothing it sees depends on what is hidden from it."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any, cast

import pytest
from caporetto_packs import SCENARIOS, game
from msgspec import json as msgjson
from test_caporetto_position import busy, waiting

from fronte.casebook import Case, CaseFile
from fronte.casebook import begin as begin_case
from fronte.engine.decision import AUTO, Frame
from fronte.engine.event import Event
from fronte.engine.view import View
from fronte.games.caporetto import imagined, veils
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.printed import ELIMINATED, UNMADE
from fronte.games.caporetto.sightings import ONLOOKER, known, knows, level_of, lying, of_seat, piles
from fronte.games.caporetto.state import MASKS, State, begin, put, units_of
from fronte.hexes import bits

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))
ALL = [("off", "category"), ("on", "category"), ("on", "depth")]
SOME = SCENARIOS if NIGHTLY else ("maggiore", "historical")
"""The smallest and that with four forces by day, all at night."""
SEEDS = range(3 if NIGHTLY else 1)


def ruled(scenario: str, fog: str = "off", levels: str = "category") -> Caporetto:
    """A ruleset, made once however its options are said."""
    options = {"fog_of_war": fog, "fow_levels": levels}
    usual = {"fog_of_war": "off", "fow_levels": "category"}
    return game(scenario, **{name: value for name, value in options.items() if value != usual[name]})


def scattered(scenario: str, seed: int, fog: str = "off", levels: str = "category") -> tuple[Caporetto, State]:
    """A scenario in which many things have happened to many units."""
    rules, rng = ruled(scenario, fog, levels), Random(seed)
    state = begin(rules, b"s")
    state.frames = [Frame("next_phase", AUTO)]
    state.turn, state.phase = min(3, rules.scene.last_turn), "supply"
    bearing = {unit for pair in state.bearers for unit in pair}
    fighting = [unit for unit in bits(rules.zoc_makers | rules.guns) if state.at[unit] >= 0]
    for unit in rng.sample(fighting, len(fighting) // 2):
        free = [h for h in rules.grid.adjacent[state.at[unit]] if rules.ground.extent >> h & 1]
        free = [h for h in free if not (state.occ[1 - rules.side[unit]] | state.guns[1 - rules.side[unit]]) >> h & 1]
        if unit not in bearing and free and not rules.groups >> unit & 1:
            put(rules, state, unit, rng.choice(free))
            state.moved |= 1 << unit
            state.emplaced &= ~(1 << unit)
        if rng.random() < 0.4 and rules.full_steps[unit] > 1:
            state.lost[unit] = 1
        if rng.random() < 0.4:
            state.dp[unit] = 1
        for name in ("activated", "marched", "ooc"):
            setattr(state, name, getattr(state, name) | (rng.random() < 0.3) << unit)
    for battalion in rng.sample(list(bits(rules.can_detach)), min(6, rules.can_detach.bit_count())):
        if state.at[battalion] >= 0:
            put(rules, state, rules.companies_of[battalion][0], state.at[battalion])
            state.lost[battalion] = 1
    for formation in range(len(rules.formations)):
        state.plan[formation] = rng.choice((-1, 0, 3, 5))
        state.done |= (rng.random() < 0.3) << formation
    assert rules.broken(state) == []
    return rules, state


def seen(rules: Caporetto, state: State, seat: int) -> bytes:
    return msgjson.encode(rules.view(state, seat))


# Plans and points


def test_plans_are_for_those_who_made_them_until_they_act() -> None:
    rules, state = waiting("what_if")
    state.phase, state.turn = "action", 2
    one, other = rules.formation_number("it-caltanissetta"), rules.formation_number("it-etna")
    mine = rules.formation_number("de-ir63")
    state.plan[one], state.plan[other], state.plan[mine] = 7, 0, 0
    state.done = 1 << other
    ahg, italian = rules.view(state, 0).family, rules.view(state, 1).family
    assert italian["plan"] == {"it-caltanissetta": 7, "it-etna": 0}
    assert ahg["plan"] == {"de-ir63": 0, "it-etna": 0}
    assert (italian["boxes"]["it-caltanissetta"], ahg["boxes"]["it-caltanissetta"]) == ("guns_10", "")
    assert (italian["boxes"]["de-ir63"], ahg["boxes"]["de-ir63"]) == ("", "planned")
    assert italian["boxes"]["it-etna"] == ahg["boxes"]["it-etna"] == "after"
    assert rules.public_view(state).family["plan"] == {"it-etna": 0}


def test_points_are_hidden_unless_the_option_opens_them() -> None:
    rules, state = waiting("what_if")
    state.points[1] = 17
    assert rules.view(state, 1).track("points", "italian") == 17
    assert rules.view(state, 0).track("points", "italian") == 0
    assert b"17" not in msgjson.encode(rules.view(state, 0).tracks)
    opened = game("what_if", lp_visibility="open")
    assert opened.view(state, 0).track("points", "italian") == 17
    assert opened.public_view(state).track("points", "italian") == 17


def test_each_person_of_scenario_1_sees_the_points_of_his_italians() -> None:
    rules, state = waiting("historical")
    state.points = [0, 11, 0, 22]
    forces = rules.scene.forces
    for seat in range(2):
        told = {track.force: track.value for track in rules.view(state, seat).tracks if track.name == "points"}
        assert told == {forces[f]: state.points[f] for f in (1, 3) if rules.scene.seat_of[f] == seat}


@pytest.mark.parametrize("scenario", SOME)
def test_with_open_counters_everybody_is_known(scenario: str) -> None:
    """And whose move goes on where; plans and points are not."""
    _, state = scattered(scenario, 1)
    rules = game(scenario, open_counters=True)
    state.points[1] = 17
    assert rules.steps["next_phase"] is Caporetto.steps["next_phase"]
    assert [known(rules, state, seat) for seat in (0, 1, ONLOOKER)] == [rules.sighted.everybody] * 3
    other = next(seat for seat in (0, 1) if seat != rules.scene.seat_of[1])
    assert rules.view(state, other).track("points", rules.scene.forces[1]) == 0
    for seat in (0, 1):
        view = rules.view(state, seat)
        assert {piece.id for piece in view.pieces} == {rules.ids[u] for u, at in enumerate(state.at) if at != UNMADE}
        assert {rules.number[piece.id] for piece in view.pieces if piece.mine} == {
            unit for unit in bits(of_seat(rules, seat)) if state.at[unit] != UNMADE
        }


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_points_of_the_ahg_are_told_once(scenario: str) -> None:
    """24.7, 25.7, 26.3: as the score; where two wings compare theirs, by wing too."""
    rules = ruled(scenario)
    tracks = [(one.name, one.force) for one in rules.view(begin(rules, b"s"), 0).tracks if one.name in ("score", "vp")]
    wings = [("vp", "ahg-left"), ("vp", "ahg-right")] if scenario == "historical" else []
    assert tracks == [("score", ""), *wings]


@pytest.mark.parametrize(("scenario", "told"), [("maggiore", False), ("cividale", False), ("historical", True)])
def test_turns_without_a_capture_are_counted_where_they_end_the_game(scenario: str, told: bool) -> None:
    """23.3: only a campaign comes to a halt."""
    rules = ruled(scenario)
    assert ("quiet" in [one.name for one in rules.view(begin(rules, b"s"), 0).tracks]) == told


def test_a_view_shows_what_lies_on_the_map() -> None:
    rules, state = busy()
    view = rules.view(state, 0)
    for kind in ("trench", "destroyed", "built", "building", "barrage", "mine", "road_assault", "support"):
        assert list(view.on(kind)), kind
    (marker,) = view.on("road_assault")
    here, there = rules.grid.index[marker.at], rules.grid.index[str(marker.value)]
    assert marker.facing is not None and rules.grid.neighbours[here][marker.facing] == there
    assert view.stage.activation == "de-ir63" and view.stage.step == "assault"
    assert view.stage.active == rules.seats[rules.scene.seat_of[state.active]]
    assert view.family["weather"] == list(rules.tables.weather[2])
    worn = next(u for u, lost in enumerate(state.lost) if lost == 1 and state.at[u] >= 0)
    piece = rules.view(state, rules.scene.seat_of[rules.force[worn]]).piece(rules.ids[worn])
    assert piece is not None and piece.face == 1 and "reduced" in piece.marks
    assert piece.values["cf"] == rules.cf[worn][1]


# 22


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_of_an_enemy_stack_one_sees_the_top_unit(scenario: str) -> None:
    """22.0, in the order of 22.1; who works at something has a marker that shows him (ours)."""
    rules, state = scattered(scenario, 1)
    for seat in range(2):
        mine, seen = of_seat(rules, seat), known(rules, state, seat)
        assert mine & ~seen == 0
        for h in state.stacks:
            pile = [unit for unit in lying(rules, state, h) if not mine >> unit & 1]
            assert [bool(seen >> unit & 1) for unit in pile] == [False] * (len(pile) - 1) + [True] * bool(pile)
            levels = [level_of(rules, state, unit) for unit in pile]
            assert levels == sorted(levels, reverse=True)
        assert all(knows(rules, state, seat, unit) == bool(seen >> unit & 1) for unit in range(len(state.at)))
        view = rules.view(state, seat)
        assert {piece.id for piece in view.pieces if piece.id} == {
            rules.ids[unit] for unit in bits(seen) if state.at[unit] != UNMADE
        }
    both = known(rules, state, 0) & known(rules, state, 1)
    assert known(rules, state, ONLOOKER) == both


def test_who_works_is_known_wherever_it_lies() -> None:
    rules, state = scattered("what_if", 1)
    unit = next(u for h in state.stacks for u in lying(rules, state, h)[:-1] if rules.side[u] == 1)
    assert not knows(rules, state, 0, unit)
    state.working |= 1 << unit
    assert knows(rules, state, 0, unit) and known(rules, state, 0) >> unit & 1


def stand(rules: Caporetto, state: State) -> tuple[int, int, int, int]:
    """A gun and two battalions, one without machine guns, far from any enemy."""
    for unit, at in enumerate(state.at):
        if at >= 0 and rules.side[unit] == 0:
            put(rules, state, unit, ELIMINATED)
    state.bearers = ()
    state.turn = 5
    h = rules.grid.index["2102"]
    for unit in units_of(rules, state, h, 1):
        put(rules, state, unit, ELIMINATED)
    gun = next(u for u in bits(rules.guns & rules.of_side[1] & ~rules.groups))
    strong = next(u for u in bits(rules.of_class["iL"]))
    weak = next(u for u in bits(rules.zoc_makers & rules.of_side[1]) if rules.mg[u][-1] == 0 and u != strong)
    for unit in (strong, weak, gun):
        put(rules, state, unit, h)
    state.lost[weak] = len(rules.mg[weak]) - 1
    return h, gun, strong, weak


@pytest.mark.parametrize("levels", ["category", "depth"])
def test_how_deep_one_looks_into_a_stack(levels: str) -> None:
    """22.3: not observed, observed, adjacent: down to level 1, 2, 3."""
    rules = ruled("what_if", "on", levels)
    state = begin(rules, b"s")
    h, gun, strong, weak = stand(rules, state)
    assert lying(rules, state, h) == (weak, strong, gun)  # 22.1
    here = {gun, strong, weak}

    def looked_at() -> set[int]:
        return {unit for unit in here if known(rules, state, 0) >> unit & 1}

    assert looked_at() == {gun}
    view = rules.view(state, 0)
    assert [piece.id for piece in view.stack("2102")] == [rules.ids[gun], "", ""]
    assert [piece.values for piece in view.stack("2102")][1:] == [{"covered": "unit"}] * 2
    ground = rules.ground
    watcher = next(bits(rules.of_class["aG"]))
    far = [
        t for t in bits(ground.observers & ground.sight.seen(h, rules.reach["clear"])) if rules.grid.distance(h, t) > 1
    ]
    post = next(t for t in far if not (state.occ[1] | state.guns[1]) >> t & 1 and not rules.blind[5] >> t & 1)
    put(rules, state, watcher, post)
    assert looked_at() == {gun, strong}
    put(rules, state, watcher, next(t for t in rules.grid.adjacent[h] if not state.occ[1] >> t & 1))
    assert looked_at() == {gun, strong, weak}
    assert known(rules, state, 1) >> watcher & 1


def test_nothing_deeper_is_shown_instead_of_a_level_that_is_missing() -> None:
    """22.3 by kinds of units; by counters the top one is seen, whatever it is."""
    for levels, expected in (("category", set[str]()), ("depth", {"strong"})):
        rules = ruled("what_if", "on", levels)
        state = begin(rules, b"s")
        _, gun, strong, weak = stand(rules, state)
        put(rules, state, gun, ELIMINATED)
        names = {strong: "strong", weak: "weak"}
        assert {name for unit, name in names.items() if known(rules, state, 0) >> unit & 1} == expected


def test_points_of_disorganisation_are_hidden_with_fog() -> None:
    """22.2: also those of a unit that one may look at."""
    for fog in ("off", "on"):
        rules = ruled("what_if", fog)
        state = begin(rules, b"s")
        unit = next(
            u for u in bits(rules.combat & rules.of_side[1]) if known(rules, state, 0) >> u & 1 and state.at[u] >= 0
        )
        state.dp[unit] = 2
        theirs, own = rules.view(state, 0).piece(rules.ids[unit]), rules.view(state, 1).piece(rules.ids[unit])
        assert theirs is not None and own is not None
        assert own.values["dp"] == 2
        assert theirs.values.get("dp") == (2 if fog == "off" else None)
        assert (rules.ids[unit] in rules.view(state, 0).family["worn"]) == (fog == "off")


@pytest.mark.parametrize("fog", ["off", "on"])
def test_events_do_not_name_who_is_covered(fog: str) -> None:
    """22.2: with fog of war how disorganised a unit is they tell of nobody."""
    rules = ruled("what_if", fog)
    state = begin(rules, b"s")
    _, gun, strong, weak = stand(rules, state)
    state.frames = []
    told = [
        Event("moved", (), {"units": [rules.ids[strong], rules.ids[gun]], "hex": "2102"}),
        Event("disorganised", (), {"unit": rules.ids[gun], "points": 1, "dp": 3}),
        Event("disorganised", (), {"unit": rules.ids[strong], "points": 1, "dp": 2}),
        Event("phase", (), {"phase": "action"}),
    ]
    step = veils.step(lambda rules, state, frame, out: out.extend(told))
    out: list[Event] = []
    step(rules, state, Frame("next_phase", AUTO), out)
    mine, theirs = ([event.to(seat) for event in out] for seat in (1, 0))
    assert mine == told
    assert [event and event.data for event in theirs] == [
        {"units": ["", rules.ids[gun]], "hex": "2102"},
        {"unit": rules.ids[gun], "points": 1} | ({"dp": 3} if fog == "off" else {}),
        {"unit": "", "points": 1},
        {"phase": "action"},
    ]
    assert rules.ids[weak] not in repr(theirs)


def test_an_event_of_both_sides_names_ones_own_though_the_enemy_does_not_know_them() -> None:
    """22: what is covered for the one lies open before the other."""
    rules = ruled("what_if")
    state = begin(rules, b"s")
    state.frames = []
    pairs = []
    for side, name in enumerate(("2102", "2104")):
        one, two = list(bits(rules.combat & rules.of_side[side]))[:2]
        for unit in (one, two):
            put(rules, state, unit, rules.grid.index[name])
        pairs.append((one, two))
    told = Event("assault", (), {"wave": [rules.ids[u] for u in pairs[0]], "group": [rules.ids[u] for u in pairs[1]]})
    out: list[Event] = []
    veils.step(lambda rules, state, frame, out: out.append(told))(rules, state, Frame("next_phase", AUTO), out)
    for seat in range(2):
        heard = out[0].to(seat)
        assert heard is not None
        own, other = ("wave", "group") if seat == 0 else ("group", "wave")
        assert heard.data[own] == told.data[own]
        assert "" in heard.data[other]
    public = out[0].public()
    assert public is not None and "" in public.data["wave"] and "" in public.data["group"]


# States that cannot be told apart


@pytest.mark.parametrize(("fog", "levels"), ALL)
@pytest.mark.parametrize("scenario", SOME)
def test_nothing_seen_depends_on_what_is_hidden(scenario: str, fog: str, levels: str) -> None:
    differing = 0
    for seed in SEEDS:
        rules, state = scattered(scenario, seed, fog, levels)
        for seat in range(2):
            twin = rules.shuffle_hidden(state, seat, Random(seed))
            assert rules.broken(twin) == []
            assert seen(rules, twin, seat) == seen(rules, state, seat)
            first, second = rules.imagine(state, seat, None), rules.imagine(twin, seat, None)
            assert rules.to_position(first) == rules.to_position(second)
            differing += (twin.plan, twin.points) != (state.plan, state.points)
            if scenario in ("historical", "what_if"):
                assert twin.at != state.at
    assert differing


@pytest.mark.parametrize(("fog", "levels"), ALL)
@pytest.mark.parametrize("scenario", SOME)
def test_a_state_made_from_a_view_gives_that_view(scenario: str, fog: str, levels: str) -> None:
    for seed in SEEDS:
        rules, state = scattered(scenario, seed, fog, levels)
        for seat in range(2):
            view = rules.view(state, seat)
            read = msgjson.decode(msgjson.encode(view), type=View)
            for made in (rules.resample(read, Random(seed)), imagined.resample(rules, view, None)):
                assert rules.broken(made) == []
                assert seen(rules, made, seat) == seen(rules, state, seat)


def test_below_a_unit_with_machine_guns_others_may_lie_with_them_or_without() -> None:
    """22.1: what changes places is not only of one level."""
    rules, state = scattered("what_if", 1)
    twin = rules.shuffle_hidden(state, 0, Random(1))

    def armed(one: State) -> list[bool]:
        levels = [level_of(rules, one, unit) for h in sorted(one.stacks) for unit in lying(rules, one, h)]
        return [level == 2 for level in levels]

    assert armed(twin) != armed(state) and seen(rules, twin, 0) == seen(rules, state, 0)


def test_the_middle_of_an_action_comes_back_from_a_view() -> None:
    rules, state = busy()
    for seat in range(2):
        made = rules.resample(rules.view(state, seat), Random(4))
        assert seen(rules, made, seat) == seen(rules, state, seat)


@pytest.mark.parametrize(("fog", "levels"), ALL)
@pytest.mark.parametrize("scenario", SOME)
def test_what_a_seat_imagines_is_what_its_view_would_give(scenario: str, fog: str, levels: str) -> None:
    for seed in SEEDS:
        rules, state = scattered(scenario, seed, fog, levels)
        for seat in range(2):
            for rng in (None, 5):
                quick = rules.imagine(state, seat, None if rng is None else Random(rng))
                slow = imagined.resample(rules, rules.view(state, seat), None if rng is None else Random(rng))
                wrong = [n for n in State.__slots__ if n != "zoc" and getattr(quick, n) != getattr(slow, n)]
                assert wrong == []


def test_covered_units_are_imagined_of_the_formation_of_who_lies_above_them() -> None:
    """As far as that has any to give: a state that is likely, and the same for all that look alike."""
    rules = game("what_if")
    state = begin(rules, b"s")
    state.frames = [Frame("next_phase", AUTO)]
    for seat in range(2):
        strange = ~known(rules, state, seat)
        wanted: Counter[int] = Counter()
        akin = 0
        for pile in piles(rules, rules.imagine(state, seat, None), seat):
            of = rules.formation_of[pile.units[-1]]
            under = [unit for unit in pile.covered if rules.zoc_makers >> unit & 1]
            wanted[of] += len(under) if of >= 0 else 0
            akin += sum(rules.formation_of[unit] == of >= 0 for unit in under)
        could = {of: (rules.formations[of].mask & rules.zoc_makers & strange).bit_count() for of in wanted}
        assert akin == sum(min(number, could[of]) for of, number in wanted.items()) > 20


def test_what_is_imagined_keeps_ones_own_secrets_and_guesses_the_others() -> None:
    rules, state = scattered("what_if", 2)
    state.phase = "action"
    twin = rules.imagine(state, 0, Random(1))
    mine = [n for n, one in enumerate(rules.formations) if one.side == 0]
    assert [twin.plan[n] for n in mine] == [state.plan[n] for n in mine]
    assert twin.seed != state.seed and twin.rolled == 0


def test_the_order_of_names_tells_nothing() -> None:
    """Covered units are called by their places, and lists of them are sorted by these."""
    rules, state = scattered("what_if", 1, "on")
    family = rules.view(state, 0).family
    for name in MASKS:
        told = family["marks"].get(name, [])
        assert told == sorted(told)
    covered = [unit for unit, at in enumerate(state.at) if at >= 0 and not known(rules, state, 0) >> unit & 1]
    assert covered and any(level_of(rules, state, unit) == 2 for unit in covered)
    assert not {rules.ids[unit] for unit in covered} & set(repr(family).split("'"))


# 24.3.start: about whom one is asked


@pytest.mark.parametrize("fog", ["off", "on"])
def test_who_is_asked_about_units_of_the_other_sees_them_and_nobody_else(fog: str) -> None:
    """24.3.start, 22: two Italians of the right player in a common hex that his own wing assaults; others lie covered
    elsewhere, and what they are shows nowhere."""
    common = {"2403": {"sector": "common"}, "2001": {"sector": "right", "control": "ahg"}, "2808": {"sector": "right"}}
    near = {h: {"sector": "right"} for h in ("2404", "2405", "2503", "2303", "2706")}
    units: dict[str, Any] = {"ah-a": {"at": "2404", "wing": "right"}}
    units |= {f"it-{name}": {"at": "2403", "begins": "2403", "mg": 2 - n} for n, name in enumerate("bc")}
    units |= {f"it-{name}": {"at": "2706", "mg": n, "mg2": 0} for n, name in enumerate("defg")}
    start = {"step": "defend", "formations": ["ah-alfa"], "assaults": [["ah-a", "2403", False]]}
    board = {"span": "2001-2808", "hex": common | near}
    case = Case("", units, board, start=start, scenario="historical", options={"fog_of_war": fog})
    match = begin_case(CaseFile("", "caporetto", (case,)), case)
    assert match.decision is not None and (match.decision.kind, match.decision.seat) == ("defend", "left")
    rules, state = cast(Caporetto, match.rules), cast(State, match.state)
    there = known(rules, state, 0)
    names = {rules.ids[u] for u in bits(there & rules.combat) if state.at[u] >= 0}
    assert {"it-b", "it-c"} <= names and len(names & {"it-d", "it-e", "it-f", "it-g"}) <= 1
    rng = Random(5)
    differing = 0
    for _ in range(20):
        twin = rules.shuffle_hidden(state, 0, rng)
        differing += twin.stacks != state.stacks
        assert seen(rules, twin, 0) == seen(rules, state, 0)
        choice, frame = rules.choices["defend"], state.frames[-1]
        assert choice.offer(rules, twin, twin.frames[-1]) == choice.offer(rules, state, frame)
    assert differing
    made = rules.resample(rules.view(state, 0), rng)
    assert seen(rules, made, 0) == seen(rules, state, 0)
    state.frames[-1] = Frame("defend", 1, state.frames[-1].args)
    assert sum(known(rules, state, 0) >> rules.number[name] & 1 for name in ("it-b", "it-c")) <= 1
