"""What steady sees in a position of a campaign: what cuts the enemy off, what can be kept, where it pays to fire."""

from __future__ import annotations

import pytest

import fronte
from fronte.ai import Seat, player
from fronte.ai.caporetto import lead
from fronte.ai.caporetto.act import Action, Option
from fronte.ai.caporetto.chart import chart_of
from fronte.ai.caporetto.fights import NO_HELP
from fronte.ai.caporetto.picture import TOGETHER, Picture
from fronte.ai.caporetto.posts import Posts
from fronte.ai.caporetto.weights import ATTACK
from fronte.ai.caporetto.worths import SEVERED
from fronte.engine.match import Match
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.state import State, put
from fronte.games.caporetto.terrain import COMMON


@pytest.fixture(scope="module")
def match() -> Match:
    return fronte.new("caporetto", "historical", 3, {})


def rules_of(match: Match) -> Caporetto:
    assert isinstance(match.rules, Caporetto)
    return match.rules


def picture(match: Match, force: str, state: State | None = None) -> Picture:
    rules = rules_of(match)
    return Picture(chart_of(rules), state or match.state.copy(), rules.scene.forces.index(force))


def test_the_corps_beyond_the_isonzo_is_fed_over_caporetto(match: Match) -> None:
    """9.2: who holds Caporetto cuts off those on the other bank, and no other place does so much."""
    seen = picture(match, "ahg-right")
    grid = rules_of(match).grid
    index, cut = grid.index, {grid.ids[h]: seen.severed(h) for h in seen.wanted}
    assert cut["3022"] >= 20 and max(count for name, count in cut.items() if name != "3022") <= 3
    town = index["3022"]
    assert seen.wanted[town] == pytest.approx(seen.chart.values[town] + SEVERED * cut["3022"])
    assert SEVERED * cut["3022"] >= 4.0  # nearly as much again as its points


def test_worn_units_are_not_trusted_to_keep_what_they_take(match: Match) -> None:
    """23.1.counter: before fresh Bersaglieri one worn battalion would lose Canale again; fresh ones might keep it."""
    state = match.state.copy()
    state.phase = "action"
    seen, rules = picture(match, "ahg-left", state), rules_of(match)
    canale, units = rules.grid.index["1312"], [rules.number[name] for name in ("de-jr3-1", "de-jr3-2")]
    fresh = seen.prize(canale, seen.vigour(units))
    state.dp[units[0]] = 4
    worn = seen.prize(canale, seen.vigour(units[:1]))
    assert worn < 0 < seen.vigour(units[:1]) and worn <= fresh


def test_ways_over_the_edge_are_guarded_when_somebody_may_leave(match: Match) -> None:
    """21.9: the sooner formations can leave, the more the exits are worth to who keeps them."""
    rules, worth = rules_of(match), []
    for turn in (1, 3, 6):
        state = match.state.copy()
        state.turn = turn
        worth.append(picture(match, "italian-left", state).kept[rules.grid.index["5201"]])
    assert worth == sorted(worth) and worth[0] < worth[-1] / 4


def test_the_morning_fire_of_a_wing_falls_before_its_own_troops() -> None:
    """24.3, 24.12: nobody bombards what only the other wing can take."""
    match = fronte.new("caporetto", "historical", 5, {})
    rules = rules_of(match)
    hands = [(player("steady", name, game="caporetto"), Seat(match, name)) for name in rules.seats]
    aims = set()
    while match.seat >= 0 and match.state.phase in ("artillery", "set_up"):
        decide, seat = hands[match.seat]
        action, kind, name = decide(seat), seat.kind, rules.seats[match.seat]
        if kind == "preparatory":
            aims |= {(name, aim.split(":")[0]) for _, aim in getattr(action, "aims", ())}
        match.play(action)
    assert len(aims) > 8
    for name, aim in aims:
        h = rules.grid.index[aim]
        assert (rules.ground.sector[name] | rules.ground.sector[COMMON]) >> h & 1


def test_who_is_left_alone_does_not_move_on_the_first_turn(match: Match) -> None:
    """24.9.e4: an assault on Smast wakes the whole Foggia, that on a brigade which the guns have hit nobody."""
    rules, state = rules_of(match), match.state.copy()
    smast = rules.grid.index["2623"]
    foggia = next(number for number, one in enumerate(rules.formations) if one.id == "it-foggia")
    assert picture(match, "ahg-right", state).woken(smast) == len(rules.formations[foggia].members)
    state.attacked |= 1 << foggia
    assert picture(match, "ahg-right", state).woken(smast) == 0
    state.attacked, state.turn = 0, 2
    assert picture(match, "ahg-right", state).woken(smast) == 0


def test_an_assault_that_wakes_a_brigade_has_to_be_worth_it(match: Match) -> None:
    """24.9.e4: what is promised is less by all who may march off then."""
    rules, state = rules_of(match), match.state.copy()
    town, unit = rules.grid.index["3022"], rules.number["de-23-1"]
    wave = [Option(unit, rules.grid.index["3021"], False, (0, 0, 0))]
    put(rules, state, unit, wave[0].here)
    asleep = Action(picture(match, "ahg-right", state), ATTACK)._judged(town, wave, NO_HELP)
    state.attacked |= 1 << rules.formation_of[rules.number["it-282-3"]]
    awake = Action(picture(match, "ahg-right", state), ATTACK)._judged(town, wave, NO_HELP)
    assert asleep.win == awake.win and asleep.gain < awake.gain - 2


def test_the_fog_is_for_those_who_march(match: Match) -> None:
    """8.1: in the fog of the first turn the way counts more for who attacks."""
    rules, pulls = rules_of(match), []
    unit, near, far = (rules.number["de-23-1"], rules.grid.index["2122"], rules.grid.index["2421"])
    for turn in (1, 2):
        state = match.state.copy()
        state.turn = turn
        posts = Posts(picture(match, "ahg-right", state), ATTACK)
        pulls.append(posts._front(unit, far, 0) - posts._front(unit, near, 0))
    assert pulls[0] > 1.3 * pulls[1] > 0
    assert not picture(match, "italian-left").hidden


def test_headquarters_are_trusted_nearly_as_far_as_they_reach(match: Match) -> None:
    """7.1: a German regiment reaches farther beyond supply than a mountain brigade does."""
    seen, rules = picture(match, "ahg-right"), rules_of(match)
    german, mountain = rules.number["de-23-1"], rules.number["ah-15gb-1"]
    closer = {h for h in range(rules.grid.size) if seen.is_close(mountain, h)}
    farther = {h for h in range(rules.grid.size) if seen.is_close(german, h)}
    assert closer < farther


def test_many_go_together_for_what_cuts_the_enemy_off(match: Match) -> None:
    """9.2: the first six do not make Caporetto worth less to the others, as they do any other place."""
    seen, index = picture(match, "ahg-right"), rules_of(match).grid.index
    assert [seen._spare(index["3022"], going) for going in (1, TOGETHER, TOGETHER + 2)] == [0, 0, 2]
    assert seen._spare(index["4028"], 1) == 1


def test_who_has_cut_the_enemy_off_keeps_him_so(match: Match) -> None:
    """9.2: Caporetto is worth more than its points to who holds it, as long as enemies are behind it."""
    rules, state = rules_of(match), match.state.copy()
    town, right = rules.grid.index["3022"], rules.scene.forces.index("ahg-right")
    for force in range(len(state.control)):
        state.control[force] &= ~(1 << town)
    state.control[right] |= 1 << town
    seen = picture(match, "ahg-right", state)
    assert seen.kept[town] == pytest.approx(seen.chart.values[town] + SEVERED * seen.severed(town))
    assert seen.severed(town) >= 20


def test_who_is_near_what_cuts_the_enemy_off_is_looked_at_first(match: Match) -> None:
    """9.2: a regiment within a march of Caporetto goes for it before the enemy has reacted to others."""
    rules, state = rules_of(match), match.state.copy()
    formation = rules.formation_of[rules.number["de-23-1"]]
    assert lead.within_reach(picture(match, "ahg-right", state), formation) == 0.0
    put(rules, state, rules.number["de-23-1"], rules.grid.index["2421"])
    seen = picture(match, "ahg-right", state)
    assert lead.within_reach(seen, formation) == seen.cuts[rules.grid.index["3022"]]


def test_reserves_do_not_all_wait_behind_one_place(match: Match) -> None:
    """12.4.1: each hex near Cividale that is held already makes the next there worth less."""
    rules, state = rules_of(match), match.state.copy()
    index, unit = rules.grid.index, rules.number["de-23-1"]
    put(rules, state, unit, index["2806"])  # the enemy may be there soon
    places = [index[name] for name in ("2503", "2703", "2604")]
    worth = [picture(match, "italian-left", state).backed(places[0])]
    for name, h in zip(("it-277-1", "it-277-2"), places[1:], strict=True):
        put(rules, state, rules.number[name], h)
        worth.append(picture(match, "italian-left", state).backed(places[0]))
    assert worth[0] > worth[1] > worth[2] > 0


def test_a_road_is_worth_more_to_those_who_have_outrun_it(match: Match) -> None:
    """9.3: the more of one's own are without supply, the more; for who defends it is always the same."""
    rules, state = rules_of(match), match.state.copy()
    before = picture(match, "ahg-right", state).starving
    put(rules, state, rules.number["de-23-1"], rules.grid.index["3418"])
    assert picture(match, "ahg-right", state).starving > before >= 1.0
    assert picture(match, "italian-left", state).starving == 1.0
