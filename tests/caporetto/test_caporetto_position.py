"""Positions of Caporetto: every field of the state goes out and comes back, and what cannot be is refused by place."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from timeit import repeat
from typing import Any

import pytest
from caporetto_packs import SCENARIOS, game

from fronte.engine.decision import AUTO, Frame
from fronte.engine.given import PositionError
from fronte.games.caporetto import position
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.printed import ELIMINATED
from fronte.games.caporetto.state import MASKS, NOT_PLANNED, State, begin, put, zone_of
from fronte.hexes import bits

Change = Callable[[dict[str, Any]], Any]


def waiting(scenario: str) -> tuple[Caporetto, State]:
    """A scenario as it begins, before its first phase."""
    rules = game(scenario)
    state = begin(rules, b"s")
    state.frames = [Frame("next_phase", AUTO)]
    return rules, state


def busy() -> tuple[Caporetto, State]:
    """The middle of an action in which every field of the state has something in it."""
    rules, state = waiting("historical")
    formation = rules.formation_number("de-ir63")
    other = rules.formation_number("it-caltanissetta")
    one, two, three = [u for u in rules.formations[formation].members if state.at[u] >= 0][:3]
    here = state.at[one]
    near = next(h for h in rules.grid.adjacent[here] if rules.ground.extent >> h & 1)
    gun = next(u for u in bits(rules.guns & rules.of_force[rules.force[one]]) if state.at[u] >= 0)
    group = next(bits(rules.groups))
    thrower = state.bearers[0][0]
    engineer = next(u for u in bits(rules.engineers) if state.at[u] >= 0)
    trench = next(h for h, level in enumerate(rules.ground.trench_level) if level > 1)
    company = rules.companies_of[next(bits(rules.can_detach))][0]
    independent = next(u for u in bits(rules.independents) if state.at[u] >= 0)
    ridden = next(u for u in bits(rules.rommel_companies) if state.at[u] >= 0)
    objective, depot = next(iter(rules.scene.objectives)), next(iter(rules.scene.depots))
    ahg = rules.force[one]
    state.turn, state.phase, state.active, state.step = 3, "action", ahg, "assault"
    state.sector, state.order, state.drawn = "left", ("right",), "left"
    state.passed = 1
    put(rules, state, company, state.at[rules.parent[company]])
    state.lost[rules.parent[company]] = 1
    state.dp[one], state.lost[two] = 2, 1
    state.lowered |= 1 << trench
    state.side_trenches = (0, *state.side_trenches[1:])
    state.standing &= ~1
    state.tested = 0b10
    wet = next(w for w, water in enumerate(rules.ground.water) if water and rules.ground.bridge[w] < 0)
    state.built = ((wet // 6, rules.grid.neighbours[wet // 6][wet % 6]),)
    put(rules, state, engineer, trench)
    state.works, state.working = ((engineer, trench, trench),), 1 << engineer
    state.barrages, state.loose, state.struck = ((near, 64),), ((near, 32),), ((near, 1 << one),)
    state.breaking = 1 << near
    state.spent = ((group, 32),)
    state.plan[other], state.plan[formation] = 5, 0
    state.done, state.assaulted, state.attacked = 1 << formation, 1 << other, 1 << other
    state.division[ahg] = ("12",)
    state.closed = ((ahg, "50"),)
    state.kind, state.formations, state.pool = "action", (formation,), ((formation, 1 << gun),)
    state.reach = 1 << here | 1 << near
    state.aims = ((gun, near, 32, 1),)
    state.leftovers, state.assaults, state.supports = ((three, 4),), ((one, near, 1),), ((two, state.at[two]),)
    state.advanced, state.launched = ((two, here),), [1 << here, 0]
    state.fallen, state.flanked = (near,), 1 << near
    state.mover, state.left, state.steps = three, 4, 1
    state.captured, state.quiet = ((objective, ahg),), 1
    state.retaken[ahg] = 4
    state.centres, state.matajur, state.wounded = 1 << depot, ahg, True
    state.act = state.def_fired = 1 << gun
    state.emplaced &= ~(1 << next(u for u in bits(rules.guns & ~rules.groups) if u != gun))
    state.activated = state.marched = state.moved = state.ooc = state.arrived = 1 << three
    state.attached = 1 << independent
    state.attachments = ((formation, 1 << independent),)
    state.commanded = state.mobile = 1 << one
    state.rommel = 1 << ridden
    state.retreated = state.joined = 1 << two
    state.handed = 1 << thrower
    state.answered = state.fought = 1 << two
    state.moving = state.climbed = state.rapid = state.weary = state.fed = 1 << three
    for name in MASKS:
        if not getattr(state, name):
            setattr(state, name, 1 << three)
    state.rolled, state.forced = 9, (3, 4)
    zone_of(rules, state, 0)
    return rules, state


def differing(one: State, other: State) -> list[str]:
    left_out = (*position.NOT_TOLD, "zoc")
    return [name for name in State.__slots__ if name not in left_out and getattr(one, name) != getattr(other, name)]


def test_no_field_of_the_state_is_without_its_row() -> None:
    rows = [row.field for row in position.TABLE]
    told = [*rows, *position.OF_UNITS, *position.STAGE, *position.WORKED_OUT, *position.NOT_TOLD]
    assert sorted(told) == sorted(State.__slots__)


def test_every_field_goes_out_and_comes_back() -> None:
    """The state has something in each field, so that none could be forgotten unseen."""
    rules, state = busy()
    empty = State(len(rules.counters), len(rules.scene.forces), len(rules.formations))
    assert [row.field for row in position.TABLE if getattr(state, row.field) == getattr(empty, row.field)] == []
    assert [name for name in MASKS if not getattr(state, name)] == []
    assert rules.broken(state) == []
    data = rules.to_position(state)
    assert {row.key for row in position.TABLE} <= set(data)
    back = rules.from_position(json.loads(json.dumps(data)))
    assert differing(state, back) == []
    assert rules.to_position(back) == data


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_beginning_comes_back(scenario: str) -> None:
    rules, state = waiting(scenario)
    assert rules.broken(state) == []
    data = rules.to_position(state)
    assert differing(state, rules.from_position(json.loads(json.dumps(data)))) == []
    assert not {"assaults", "plan", "works", "mover", "outcome"} & set(data)  # what is empty is not written


def test_it_is_written_as_people_write() -> None:
    rules, state = busy()
    data = rules.to_position(state)
    assert data["active"] == "ahg-left" or data["active"] == "ahg-right"
    assert all("/" in name for name in data["standing"])
    assert set(data["plan"]) == {"it-caltanissetta", "de-ir63"}
    assert data["works"][0][0] in rules.number and data["works"][0][1] in rules.grid.index
    assert "de-ir63" in data["pool"]
    ((thrower, bearer), *_) = data["bearers"].items()
    assert rules.flamethrowers >> rules.number[thrower] & 1 and data["units"][bearer]["at"].isdigit()


def test_companies_and_headquarters_need_no_line() -> None:
    rules, state = waiting("cividale")
    data = rules.to_position(state)
    assert not set(rules.unit_ids(bits(rules.generic))) & set(data["units"])
    for name in rules.unit_ids(bits(rules.hqs)):
        assert data["units"].pop(name) == {"at": "display"}
    assert rules.from_position(data).at == state.at


def first(data: dict[str, Any], prefix: str) -> str:
    """A unit that nobody shares its hex with and of which nothing else is said."""
    ats = [unit["at"] for unit in data["units"].values()]
    return next(
        name
        for name, unit in data["units"].items()
        if name.startswith(prefix) and unit["at"].isdigit() and ats.count(unit["at"]) == 1 and len(unit) == 1
    )


def together(data: dict[str, Any]) -> None:
    there = data["units"][first(data, "ah-")]["at"]
    data["units"][first(data, "it-")].update(at=there, height=1)


FAULTS: dict[str, tuple[Change, str]] = {
    "nobody": (lambda d: d["units"].update(nobody={"at": "2102"}), "units: there is no unit 'nobody'"),
    "missing": (lambda d: d["units"].pop(first(d, "it-")), "is missing"),
    "nowhere": (lambda d: d["units"][first(d, "it-")].update(at="9999"), "at: there is no hex '9999'"),
    "away": (lambda d: d["units"][first(d, "it-")].update(at="display"), "only headquarters are on the display (7.2)"),
    "undetached": (lambda d: d["units"][first(d, "it-")].update(at="reserve"), "not detached yet (21.10)"),
    "not due": (lambda d: d["units"][first(d, "it-")].update(at="due"), "it is not still to come (5.1)"),
    "not set up": (lambda d: d["units"][first(d, "it-")].update(at="waiting"), "it has not been set up (24.8)"),
    "hq lost": (lambda d: d["units"].update({"de-ir63-hq": {"at": "routed"}}), "on the display or on the map (7.2)"),
    "dp": (lambda d: d["units"][first(d, "it-")].update(dp=99), "dp: 99 is not a whole number between 0 and"),
    "lost": (lambda d: d["units"][first(d, "it-")].update(lost=3), "lost: it has lost 3 of 2 steps (16.1)"),
    "no step": (lambda d: d["units"][first(d, "it-")].update(lost=2), "it has no step left and is on the map (16.1)"),
    "height": (lambda d: d["units"][first(d, "it-")].update(height=3), "leave gaps"),
    "mark": (lambda d: d["units"][first(d, "it-")].update(marks=["tired"]), "marks: 'tired' is none of"),
    "no gun": (lambda d: d["units"][first(d, "it-")].update(marks=["emplaced"]), "only guns are put in place (18.1)"),
    "hand": (
        lambda d: d["units"][first(d, "it-")].update(marks=["handed"]),
        "flamethrowers are handed over (21.4.e3)",
    ),
    "no force": (lambda d: d.update(active="left"), "active: 'left' is none of ahg-left"),
    "turn": (lambda d: d.update(turn=9), "turn: it is between 1 and 8"),
    "phase": (lambda d: d.update(phase="tea"), "phase: 'tea' is none of"),
    "step": (lambda d: d.update(step="tea"), "step: 'tea' is none of"),
    "sector": (lambda d: d.update(sector="middle"), "sector: 'middle' is none of left, right"),
    "sector twice": (lambda d: d.update(order=["left", "left"]), "order: each sector is played once (24.2)"),
    "held twice": (
        lambda d: d["control"]["italian-left"].append(d["control"]["ahg-left"][0]),
        "control: both sides hold",
    ),
    "hex twice": (lambda d: d["control"]["ahg-left"].append(d["control"]["ahg-left"][0]), "is there twice"),
    "no bridge": (lambda d: d["standing"].append("2102/2103"), "standing[25]: no bridge is printed at '2102/2103'"),
    "no neighbours": (lambda d: d["built"].append("2102/2109"), "built[1]: '2102/2109', which are no neighbours"),
    "no river": (lambda d: d["built"].append("2102/2103"), "built[1]: no bridge can be built there (21.1)"),
    "no trench": (lambda d: d["lowered"].append("2102"), "lowered: 2102 has no trench of level 2 (17.8)"),
    "deeper": (
        lambda d: d["side_trenches"].update({next(iter(d["side_trenches"])): 3}),
        "3 is not a whole number between 0 and 2",
    ),
    "idle": (lambda d: d.pop("works"), "works: every engineer at work has one work"),
    "no gun fires": (lambda d: d["spent"].update({first(d, "it-"): 3}), "is no group (18.9)"),
    "empty barrage": (lambda d: d["barrages"].update({"2102": 0}), "barrages: each hex is there once"),
    "barrage on nothing": (lambda d: d["breaking"].append("2102"), "breaking: there is no barrage in 2102 (12.1.6)"),
    "points of AHG": (lambda d: d["points"].update({"ahg-left": 3}), "points.ahg-left: only Italians have points"),
    "plan": (lambda d: d["plan"].update({"it-caltanissetta": 16}), "plan.it-caltanissetta: 16 is not a whole number"),
    "no formation": (lambda d: d["plan"].update({"it-none": 1}), "plan: unknown fields it-none"),
    "who acts": (lambda d: d.update(formations=["it-caltanissetta"]), "formations: they are of the force that acts"),
    "no action": (lambda d: d.update(kind=""), "formations: some act in an action, and at no other time (7)"),
    "pool": (lambda d: d["pool"].update({"it-caltanissetta": []}), "pool.it-caltanissetta: it does not act (7.3)"),
    "pool of infantry": (lambda d: d["pool"]["de-ir63"].append(first(d, "it-")), "guns, and each of them once"),
    "attached": (
        lambda d: d.pop("attachments"),
        "attachments: every independent that is attached is so to one formation",
    ),
    "closed": (lambda d: d["closed"].append(d["closed"][0]), "closed[1]: a division, and each once (7.9)"),
    "far assault": (lambda d: d["assaults"][0].__setitem__(1, "2102"), "assaults[0]: 2102 is not next to"),
    "assault twice": (lambda d: d["assaults"].append(d["assaults"][0]), "has a marker already (10.2)"),
    "short": (lambda d: d["assaults"][0].pop(), "assaults[0]: 2 entries, and there are 3 in such a list"),
    "aim": (lambda d: d["aims"].append([first(d, "it-"), "2102", 3, False]), "cannot fire so (12.1.3, 12.2.1)"),
    "bearer": (lambda d: d["bearers"].update({next(iter(d["bearers"])): first(d, "it-")}), "with it (21.4)"),
    "no bearer": (lambda d: d["bearers"].pop(next(iter(d["bearers"]))), "is assigned to nobody (21.4)"),
    "mover": (lambda d: d.pop("mover"), "left: nobody is moving (10.0)"),
    "capture": (lambda d: d["captured"].append(["2102", "ahg-left"]), "captured[1]: AHG takes hexes with points"),
    "centre": (lambda d: d["centres"].append("2102"), "centres: 2102 is no supply centre (24.14)"),
    "matajur": (lambda d: d.update(matajur="italian-left"), "matajur: its marker goes to a force of AHG (24.15)"),
    "wounded": (lambda d: d.update(wounded=1), "wounded: 1 is neither true nor false"),
    "outcome": (lambda d: d.update(outcome="won"), "outcome: 'won' is none of"),
    "over and not": (lambda d: d.update(outcome="halt"), "frames: somebody owes something, or the game is over"),
    "no frame": (lambda d: d["frames"].append(["tea", 0, []]), "frames[1]: 'tea' is no frame of this game"),
    "frame": (lambda d: d["frames"].append(d["frames"][0]), "frames[1] (next_phase): it cannot lie on next_phase"),
    "unknown": (lambda d: d.update(moon=1), "the position: unknown fields moon"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_is_refused_with_its_place(fault: str) -> None:
    rules, state = busy()
    data = json.loads(json.dumps(rules.to_position(state)))
    spoil, why = FAULTS[fault]
    spoil(data)
    before = copy.deepcopy(data)
    with pytest.raises(PositionError) as wrong:
        rules.from_position(data)
    assert why in str(wrong.value)
    assert data == before


def test_enemies_are_together_only_while_an_action_lasts() -> None:
    rules, state = waiting("what_if")
    data = rules.to_position(state)
    together(data)
    with pytest.raises(PositionError, match=r"units: both sides are in \d+ \(10.0.5\)"):
        rules.from_position(data)


def test_points_reach_morale_only_while_something_is_decided() -> None:
    rules, state = waiting("what_if")
    unit = next(u for u in bits(rules.combat) if state.at[u] >= 0)
    state.dp[unit] = rules.morale[unit] - 1
    assert rules.broken(state) == []
    state.dp[unit] += 1
    assert [fault for fault in rules.broken(state) if "(15.4)" in fault]
    state.phase = "artillery"
    assert rules.broken(state) == []


def test_sectors_are_for_scenario_1_alone() -> None:
    rules, state = waiting("what_if")
    state.order = ("left",)
    assert rules.broken(state) == ["sector: there are sectors in scenario 1 alone (24.2)"]


@pytest.mark.parametrize("lie", ["occ", "guns", "present", "stacks", "zoc"])
def test_what_is_worked_out_must_be_true(lie: str) -> None:
    rules, state = waiting("what_if")
    if lie == "stacks":
        h = next(iter(state.stacks))
        state.stacks[h] = state.stacks[h][1:]
    elif lie == "zoc":
        zone_of(rules, state, 0)
        assert rules.broken(state) == []
        state.zoc[0] ^= 1
    elif lie == "present":
        state.present ^= 1 << next(iter(state.stacks.values()))[0]
    else:
        getattr(state, lie)[1] ^= 1 << 5
    assert rules.broken(state)


def test_nobody_off_the_map_is_marked() -> None:
    rules, state = waiting("what_if")
    unit = next(u for u in bits(rules.zoc_makers) if state.at[u] >= 0 and u not in dict(state.bearers).values())
    put(rules, state, unit, ELIMINATED)
    assert rules.broken(state) == []
    state.activated |= 1 << unit
    assert rules.broken(state) == [f"units.{rules.ids[unit]}.marks: it is off the map and activated"]


def test_a_copy_is_cheap_and_plans_are_its_own() -> None:
    _, state = busy()
    twin = state.copy()
    twin.plan[0] = 7
    assert state.plan[0] == NOT_PLANNED
    assert min(repeat(state.copy, number=200, repeat=5)) / 200 < 60e-6  # 8 of them on an idle machine
