"""7.1, 7.3 to 7.7: headquarters are placed, command is traced, independents attached and guns assigned."""

from __future__ import annotations

from random import Random

import pytest
from caporetto_packs import game
from caporetto_play import legal, names, opened, play, ready, settle, why
from caporetto_positions import plain

from fronte.engine.decision import AUTO, Frame
from fronte.engine.event import Event
from fronte.games.caporetto import actions, artillery, command, headquarters
from fronte.games.caporetto.actions import Activate
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.headquarters import Assign, Attach, Hq
from fronte.games.caporetto.state import State, begin, put
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits


def first(rules: Caporetto, state: State) -> int:
    """The first formation that can act."""
    return next(n for n in rules.formations_of_force[state.active] if command.can_act(rules, state, n))


def test_the_headquarters_is_placed_where_it_may_stand() -> None:
    """7.6, 9.4: and lies in no stack."""
    rules, state = opened()
    formation = first(rules, state)
    one = rules.formations[formation]
    play(rules, state, Activate(one.id))
    assert state.frames[-1].name == "place_hq" and state.frames[-1].args == (formation,)
    hexes = command.hq_hexes(rules, state, formation)
    assert legal(rules, state) == [Hq(rules.grid.ids[h]) for h in bits(hexes)]
    enemy = next(bits(state.occ[ITALIAN]))
    assert why(rules, state, Hq(rules.grid.ids[enemy])) == "7.6"
    assert why(rules, state, Hq("0000")) == "2.1.e3"
    far = next(h for h in bits(rules.ground.extent & ~hexes & ~state.occ[ITALIAN] & ~state.guns[ITALIAN]))
    assert why(rules, state, Hq(rules.grid.ids[far])) in ("7.6", "9.4")
    h = next(bits(hexes))
    out = play(rules, state, Hq(rules.grid.ids[h]))
    assert state.at[one.hq] == h and one.hq not in state.stacks.get(h, ())
    assert out[0].kind == "hq_placed"
    assert state.reach == command.reach(rules, state, formation, h)


def test_every_hex_for_a_headquarters_has_its_chance() -> None:
    """7.6: what is drawn without a list is on the list, and all of it comes up."""
    rules, state = opened()
    play(rules, state, Activate(rules.formations[first(rules, state)].id))
    frame, rng = state.frames[-1], Random(1)
    choice = rules.choices[frame.name]
    listed = legal(rules, state)
    drawn = {choice.sample(rules, state, frame, rng) for _ in range(20 * len(listed))}
    assert drawn == set(listed)


def test_who_is_out_of_range_is_out_of_command() -> None:
    """7.7, 7.8: and who was Out of Command or Activated before does not act."""
    rules, state = opened()
    formation = max(
        (n for n in rules.formations_of_force[state.active] if command.can_act(rules, state, n)),
        key=lambda n: len(command.members(rules, state, n)),
    )
    one, units = rules.formations[formation], command.members(rules, state, formation)
    near, tired, lost, *_ = units
    away = next(h for h in bits(rules.ground.extent) if rules.grid.distance(h, state.at[near]) > 2 * one.command + 2
                and h not in state.stacks)  # fmt: skip
    put(rules, state, units[-1], away)
    state.activated, state.ooc = 1 << tired, 1 << lost
    state.kind, state.formations = "action", (formation,)
    state.at[one.hq] = state.at[near]
    state.frames = [Frame("act", 0)]
    out: list = []
    headquarters.take_command(rules, state, formation, 0, 0, out)
    inside = command.in_command(rules, state, formation, state.at[near])
    assert state.commanded & ~state.attached == inside & ~(1 << tired | 1 << lost)
    assert state.ooc >> units[-1] & 1 and not state.ooc >> near & 1
    assert [e.kind for e in out] == ["out_of_command"]


def walled(option: str) -> tuple[Caporetto, State, int, list[int]]:
    """A unit of an Italian formation behind the only gap in a wall of enemies, with its headquarters before it."""
    rules = game("what_if", command_zoc_roll=option)
    state = begin(rules, b"s")
    for unit, at in enumerate(state.at):
        if at >= 0:
            put(rules, state, unit, -1)
    state.bearers, state.turn, state.phase, state.active = (), 5, "action", 1
    row = plain(rules)
    formation = next(
        n for n, f in enumerate(rules.formations) if f.side == ITALIAN and f.command == 4 and len(f.members) > 2
    )
    here = row[0]
    enemies = [u for u in bits(rules.combat & rules.of_side[AHG]) if rules.quarters[u] == 4]
    wall = rules.grid.within(here, 3) & ~rules.grid.within(here, 2) & ~(1 << row[3])
    for enemy, h in zip(enemies, bits(wall), strict=False):
        put(rules, state, enemy, h)
    near, far = (u for u in rules.formations[formation].members[:2])
    put(rules, state, near, here)
    put(rules, state, far, row[4])
    state.at[rules.formations[formation].hq] = here
    state.kind, state.formations = "action", (formation,)
    state.frames = [Frame("act", rules.scene.seat_of[1]), Frame("call_up", AUTO, ("trace", formation))]
    return rules, state, formation, [near, far]


@pytest.mark.parametrize(
    ("dice", "through"), [((4, 4), True), ((3,), False), ((6, 3), False), ((1,), False), ((5, 6), True)]
)
def test_a_die_for_each_enemy_zone_on_the_way(dice: tuple[int, ...], through: bool) -> None:
    """7.1: up to three it is stopped."""
    rules, state, _formation, (near, far) = walled("per-hex")
    out = settle(rules, state, *dice)
    assert [e.data["through"] for e in out if e.kind == "command_traced"] == [die > 3 for die in dice]
    assert state.commanded == (1 << near | 1 << far if through else 1 << near)
    assert state.ooc == (0 if through else 1 << far)


@pytest.mark.parametrize(("die", "through"), [(3, False), (4, True)])
def test_by_option_one_die_for_each_unit(die: int, through: bool) -> None:
    """`command_zoc_roll`."""
    rules, state, _formation, (near, far) = walled("per-unit")
    settle(rules, state, die)
    assert state.commanded == (1 << near | 1 << far if through else 1 << near)
    assert state.ooc == (0 if through else 1 << far)


def attaching() -> tuple[Caporetto, State, int, list[int]]:
    """An Italian formation in command, with independents around it."""
    rules, state, formation, (near, _far) = walled("per-hex")
    loose = [u for u in bits(rules.independents & rules.of_side[ITALIAN]) if rules.division[u] < 0]
    heavy = [u for u in loose if rules.quarters[u] == 4 and rules.counters[u].kind.branch not in command.BESIDES]
    for unit in heavy[:3]:
        put(rules, state, unit, state.at[near])
    settle(rules, state, 1)
    return rules, state, formation, heavy[:3]


def test_two_battalions_are_attached_and_nobody_must() -> None:
    """7.5, 7.6: what is asked, in one answer."""
    rules, state, formation, heavy = attaching()
    assert len(heavy) == 3
    assert state.frames[-1].name == "attach" and state.frames[-1].args == (formation, ())
    ids = rules.unit_ids(heavy)
    assert legal(rules, state) == [
        Attach(), *(Attach((one,)) for one in ids), Attach(ids[:2]), Attach((ids[0], ids[2])), Attach(ids[1:]),
    ]  # fmt: skip
    assert why(rules, state, Attach(ids)) == "7.5"
    assert why(rules, state, Attach((ids[0], ids[0]))) == "10.0.6"
    own = rules.ids[rules.formations[formation].members[0]]
    assert why(rules, state, Attach((own,))) == "7.5"
    assert why(rules, state, Attach((rules.ids[next(bits(rules.flamethrowers))],))) == "21.4"
    twin = state.copy()
    play(rules, state, Attach(ids[:2]))
    assert state.attached == 1 << heavy[0] | 1 << heavy[1] and state.commanded & state.attached == state.attached
    assert state.attachments == ((formation, state.attached),)
    assert command.acts_with(rules, state, heavy[0]) == formation
    play(rules, twin, Attach())
    assert not twin.attached and twin.attachments == ()
    frame, rng = Frame("attach", 1, (formation, ())), Random(1)
    twin.frames.append(frame)
    for _ in range(20):
        assert why(rules, twin, rules.choices["attach"].sample(rules, twin, frame, rng)) == ""


# Guns


def with_guns(guns: int) -> tuple[Caporetto, State, int]:
    """An Italian formation that has been planned with so many guns, of which more are free."""
    rules, state = ready("what_if", guns)
    state.turn, state.active = 3, 1
    formation = next(
        n
        for n in rules.formations_of_force[1]
        if artillery.serving(rules, state, n).bit_count() > 5 and command.members(rules, state, n)
    )
    state.kind, state.formations = "action", (formation,)
    state.commanded = rules.formations[formation].mask
    state.frames = [Frame("act", 1), Frame("call_up", AUTO, ("guns", formation))]
    return rules, state, formation


def test_as_many_guns_are_assigned_as_were_planned() -> None:
    """7.3, 18.8: one answer names them."""
    rules, state, formation = with_guns(5)
    settle(rules, state)
    assert state.frames[-1].name == "assign_guns"
    able = rules.unit_ids(bits(artillery.serving(rules, state, formation)))
    assert why(rules, state, Assign(able[:5])) == "" and why(rules, state, Assign(able[:6])) == "7.3"
    assert why(rules, state, Assign()) == ""
    stranger = rules.ids[next(bits(rules.guns & rules.of_side[AHG]))]
    assert why(rules, state, Assign((stranger,))) == "18.8"
    listed = legal(rules, state)
    assert listed[0] == Assign() and listed[1] == Assign(able[:1])
    offer = rules.choices["assign_guns"].offer(rules, state, state.frames[-1])
    assert offer["pieces"] == list(able) and offer["more"]
    rng = Random(2)
    for _ in range(20):
        drawn = rules.choices["assign_guns"].sample(rules, state, state.frames[-1], rng)
        assert why(rules, state, drawn) == ""
    out = play(rules, state, Assign(able[:5]))
    assert state.pool == ((formation, sum(1 << rules.number[name] for name in able[:5])),)
    assert out[0].data["guns"] == 5 and names(state) == ["act"]


def test_guns_come_to_each_side_by_its_own_rule() -> None:
    """7.3, 7.4: Italians have paid for theirs, the AHG has fifteen for nothing."""
    rules, state, formation = with_guns(5)
    mine = next(n for n, one in enumerate(rules.formations) if one.side == AHG)
    for number, rule in ((formation, "7.3"), (mine, "7.4")):
        out: list[Event] = []
        headquarters.assign(rules, state, number, 1, out)
        assert [event.rules for event in out if event.kind == "guns_assigned"] == [(rule,)]


def test_where_all_may_come_nobody_is_asked() -> None:
    """7.3, 7.4: no more than were planned are there; without any none comes."""
    rules, state, formation = with_guns(15)
    able = artillery.serving(rules, state, formation)
    gone = list(bits(able))[3:]
    for gun in gone:
        state.act |= 1 << gun
    settle(rules, state)
    assert names(state) == ["act"] and state.pool[0][1].bit_count() == 3
    rules, state, formation = with_guns(0)
    settle(rules, state)
    assert names(state) == ["act"] and state.pool == ()


def test_no_guns_for_those_who_change_places_nor_for_the_ahg_in_turn_1() -> None:
    """7.11, 24.12; nor a gun that another formation of the division has (7.10)."""
    rules, state, formation = with_guns(5)
    able = headquarters.serving(rules, state, formation)
    assert able
    state.kind = "swap"
    assert not headquarters.serving(rules, state, formation)
    state.kind = "division"
    state.pool = ((formation, able & -able),)
    assert headquarters.serving(rules, state, formation) == able & ~(able & -able)
    rules, state = ready("what_if")
    german = next(n for n in rules.formations_of_force[0] if artillery.serving(rules, state, n))
    assert state.turn == 1 and not headquarters.serving(rules, state, german)
    state.turn = 2
    assert headquarters.serving(rules, state, german)


def test_each_formation_of_a_division_has_its_own_headquarters() -> None:
    """7.10."""
    rules, state = opened("what_if")
    division = next(
        d for d in range(len(rules.divisions)) if rules.divisions[d][0] == AHG and actions.together(rules, state, d)
    )
    formations = actions.together(rules, state, division)
    actions.begin_action(rules, state, "division", formations, [])
    settle(rules, state)
    placed = []
    while state.frames[-1].name != "act":
        frame = state.frames[-1]
        if frame.name == "place_hq":
            placed.append(frame.args[0])
        play(rules, state, rules.choices[frame.name].sample(rules, state, frame, Random(3)))
    assert placed == list(formations)
    assert all(state.at[rules.formations[f].hq] >= 0 for f in formations)
    assert all(state.commanded & rules.formations[f].mask for f in formations)
