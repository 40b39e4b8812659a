"""23 to 27: who holds what, points, and the ways in which a game ends."""

from __future__ import annotations

import pytest
from caporetto_positions import field

from fronte import ruleset
from fronte.engine.event import Event
from fronte.games.caporetto import victory
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.printed import ELIMINATED, EXITED, SURRENDERED, CaporettoPrinted
from fronte.games.caporetto.state import NOBODY, State, put
from fronte.games.caporetto.terrain import ITALIAN
from fronte.hexes import bits


def game(scenario: str, **options: str) -> tuple[Caporetto, State]:
    _, state = field(scenario, **options)
    rules = ruleset("caporetto", scenario, options)
    assert isinstance(rules, Caporetto)
    state.turn = rules.scene.first_turn
    return rules, state


def force(rules: CaporettoPrinted, name: str) -> int:
    return rules.scene.forces.index(name)


def take(rules: CaporettoPrinted, state: State, name: str, *hexes: str) -> list[Event]:
    """A force enters these hexes."""
    out: list[Event] = []
    for h in hexes:
        victory.enter(rules, state, force(rules, name), rules.grid.index[h], out)
    return out


def test_a_hex_belongs_to_who_entered_it_last() -> None:
    """23.1.geo."""
    rules, state = game("maggiore")
    h = next(h for h in rules.scene.objectives if state.control[force(rules, "italian")] >> h & 1)
    told = take(rules, state, "ahg", rules.grid.ids[h])
    assert [event.kind for event in told] == ["objective"]
    assert state.control[force(rules, "ahg")] >> h & 1 and not state.control[force(rules, "italian")] >> h & 1
    assert take(rules, state, "ahg", rules.grid.ids[h]) == []
    take(rules, state, "italian", rules.grid.ids[h])
    assert state.control[force(rules, "italian")] >> h & 1


@pytest.mark.parametrize(
    ("scenario", "hexes", "winner"),
    [
        ("maggiore", ("3906", "4005", "4207"), "italian"),
        ("maggiore", ("3906", "4005", "4207", "4610"), "ahg"),
        ("cividale", ("2602", "2401", "2405", "2503"), "ahg"),
        ("cividale", ("2602", "2401", "2405"), "italian"),
    ],
)
def test_whoever_holds_most_of_the_objectives_has_won(scenario: str, hexes: tuple[str, ...], winner: str) -> None:
    """26.3, 27.3: with the checks of the rules."""
    rules, state = game(scenario)
    out: list[Event] = []
    take(rules, state, "italian", *rules.hex_ids(rules.scene.objectives))
    take(rules, state, "ahg", *hexes)
    assert not victory.check(rules, state, out) and victory.result(rules, state) is None
    state.turn = rules.scene.last_turn
    assert victory.check(rules, state, out) and out[-1].kind == "over"
    result = victory.result(rules, state)
    assert result is not None and result.winner == winner


def test_prisoners_count_by_tens_less_ones_own() -> None:
    """23.1.losses: battalions two, companies one, guns five, whatever was left of them."""
    rules, state = game("what_if")
    mine = rules.of_side[ITALIAN] & rules.combat
    battalions = [u for u in bits(mine) if rules.surrender_value[u] == 2]
    companies = [u for u in bits(mine) if rules.surrender_value[u] == 1]
    guns = list(bits(rules.guns & rules.of_side[ITALIAN]))
    for unit in (*battalions[:12], *companies[:3], *guns[:4]):
        put(rules, state, unit, SURRENDERED)
    state.lost[battalions[0]] = 1
    german = next(u for u in bits(rules.can_detach))
    put(rules, state, german, SURRENDERED)
    found = victory.account(rules, state, force(rules, "ahg"))
    assert (found.prisoners, found.captures) == (45, 4)
    put(rules, state, battalions[0], ELIMINATED)
    assert victory.account(rules, state, force(rules, "ahg")).prisoners == 43


def test_a_formation_counts_when_all_that_is_left_of_it_has_gone() -> None:
    """23.1.exit."""
    rules, state = game("what_if")
    ahg = force(rules, "ahg")
    formation = next(n for n in rules.formations_of_force[ahg] if len(rules.formations[n].members) > 3)
    members = rules.formations[formation].members
    for unit in members:
        put(rules, state, unit, ELIMINATED)
    assert not victory.has_left(rules, state, formation)
    put(rules, state, members[0], EXITED)
    assert victory.has_left(rules, state, formation)
    assert victory.account(rules, state, ahg).exits == 5
    put(rules, state, members[1], rules.grid.index["2602"])
    assert not victory.has_left(rules, state, formation)


def test_what_is_taken_back_in_the_same_turn_costs_twice() -> None:
    """23.1.counter: but not in the next."""
    rules, state = game("what_if")
    ahg = force(rules, "ahg")
    h = next(h for h, vp in rules.scene.objectives.items() if state.control[force(rules, "italian")] >> h & 1)
    name, vp = rules.grid.ids[h], rules.scene.objectives[h]
    take(rules, state, "ahg", name)
    take(rules, state, "italian", name)
    assert victory.account(rules, state, ahg).retaken == 2 * vp
    take(rules, state, "ahg", name)
    victory.check(rules, state, [])
    take(rules, state, "italian", name)
    assert victory.account(rules, state, ahg).retaken == 2 * vp


def test_the_offensive_halts_after_two_turns_without_a_capture() -> None:
    """23.3: a capture that was lost again counts."""
    rules, state = game("what_if")
    h = next(h for h in rules.scene.objectives if state.control[force(rules, "italian")] >> h & 1)
    assert not victory.check(rules, state, [])
    take(rules, state, "ahg", rules.grid.ids[h])
    take(rules, state, "italian", rules.grid.ids[h])
    state.turn += 1
    assert not victory.check(rules, state, [])
    assert not victory.check(rules, state, [])
    assert victory.check(rules, state, [])
    result = victory.result(rules, state)
    assert result is not None and (result.level, result.winner) == ("halt", "italian")


@pytest.mark.parametrize(
    ("points", "option", "level"),
    [(89, "it-win", "italian_wins"), (90, "it-win", "italian_wins"), (90, "draw", "draw"), (91, "it-win", "draw")]
    + [(120, "it-win", "draw"), (121, "it-win", "ahg_wins")],
)
def test_the_bands_of_the_what_if_campaign(points: int, option: str, level: str) -> None:
    """25.7."""
    rules, state = game("what_if", vp_90=option)
    ahg = force(rules, "ahg")
    state.control = [0] * len(state.control)
    state.retaken[ahg] = -points
    state.outcome = victory.LAST_TURN
    result = victory.result(rules, state)
    assert result is not None and (result.level, result.score) == (level, points)


@pytest.mark.parametrize(("option", "wins"), [("once", False), ("twice", True)])
def test_six_of_the_listed_hexes_are_a_breakthrough(option: str, wins: bool) -> None:
    """25.15: Cividale counts once, by option twice."""
    rules, state = game("what_if", cividale_counts=option)
    take(rules, state, "ahg", "2602", "1105", "1801", "1312", "2401")
    assert victory.check(rules, state, []) == wins
    if not wins:
        take(rules, state, "ahg", "3702")
        assert victory.check(rules, state, [])
    result = victory.result(rules, state)
    assert result is not None and (result.level, result.winner) == ("breakthrough", "ahg")


def test_a_wing_breaks_through_with_all_its_hexes() -> None:
    """24.16: Cividale belongs to the wing that entered it last."""
    rules, state = game("historical")
    take(rules, state, "ahg-left", "1105", "1801", "1312", "2401", "2602")
    take(rules, state, "ahg-right", "2602")
    assert not victory.check(rules, state, [])
    take(rules, state, "ahg-left", "2602")
    assert victory.check(rules, state, [])
    result = victory.result(rules, state)
    assert result is not None and (result.level, result.winner) == ("breakthrough", "left")


def test_in_the_historical_campaign_the_wings_are_compared() -> None:
    """24.7: a draw if they are equal."""
    rules, state = game("historical")
    left, right = force(rules, "ahg-left"), force(rules, "ahg-right")
    state.control = [0] * len(state.control)
    state.outcome = victory.LAST_TURN
    state.retaken[left], state.retaken[right] = -58, -51
    result = victory.result(rules, state)
    assert result is not None and (result.winner, abs(result.score)) == ("left", 7)
    state.retaken[right] = -58
    result = victory.result(rules, state)
    assert result is not None and result.winner is None


def test_prisoners_of_a_sector_count_for_its_wing() -> None:
    """24.7, 23.1.losses: the left wing fights the Italian right."""
    rules, state = game("historical")
    units = [u for u in bits(rules.of_force[force(rules, "italian-right")]) if rules.surrender_value[u] == 2]
    for unit in units[:5]:
        put(rules, state, unit, SURRENDERED)
    assert victory.account(rules, state, force(rules, "ahg-left")).captures == 1
    assert victory.account(rules, state, force(rules, "ahg-right")).captures == 0


def test_the_first_on_monte_matajur_keeps_its_points() -> None:
    """24.15; on Monte della Colonna nobody wins anything (23.1.matajur)."""
    rules, state = game("historical")
    right = force(rules, "ahg-right")
    take(rules, state, "ahg-left", "3117")
    assert state.matajur == NOBODY
    vp = rules.scene.objectives[rules.scene.matajur]
    before = victory.account(rules, state, right).hexes
    take(rules, state, "ahg-right", "3017")
    take(rules, state, "ahg-left", "3017")
    assert state.matajur == right
    assert victory.account(rules, state, right).hexes == before + vp


def test_a_supply_centre_costs_its_wing_five_points_once() -> None:
    """24.14.loss: no more than it has."""
    rules, state = game("historical")
    italians = force(rules, "italian-left")
    take(rules, state, "ahg-right", "2623")
    assert state.points[italians] == 15
    take(rules, state, "italian-left", "2623")
    take(rules, state, "ahg-right", "2623")
    assert state.points[italians] == 15
    state.points[italians] = 3
    take(rules, state, "ahg-right", "3519")
    assert state.points[italians] == 0
