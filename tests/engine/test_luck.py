"""Luck: expected and rolled results agree with the rules, with each other, and betray nothing."""

from __future__ import annotations

from itertools import islice, product
from math import prod
from pathlib import Path
from random import Random

import msgspec
import pytest
from every import TWO_TURNS

import fronte
from fronte.engine import flow, luck
from fronte.engine.record import read
from fronte.engine.rules import Weighing
from fronte.games.registry import for_header

FOLDER = Path(__file__).parent.parent / "recorded"
RECORDED = sorted(file for game in ("isonzo", "altipiani") for file in FOLDER.glob(f"{game}-*.jsonl"))


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_what_is_said_to_have_been_rolled_is_what_the_losses_were(file: Path) -> None:
    """Apart from combats whose losses hang on more than the dice: refusals (12.5.1.a), retreats that fail (9.4.1.d)."""
    text = file.read_text(encoding="utf-8")
    match = fronte.load(text)
    heading, entries = read(text)
    throws = {throw.line: throw for throw in luck.of_record(match.rules, heading, entries).throws}
    fallen = None
    told: dict[int, dict[str, int]] = {}
    later: set[int] = set()
    line = 0
    for number, event in enumerate(match.events):
        while match.marks[line] <= number:
            line += 1
        if event.kind == "result":
            fallen = line
            told[line] = {}
        elif event.kind == "losses" and fallen is not None:
            told[fallen][event.data["side"]] = event.data["reductions"]
        elif fallen is not None and (
            event.kind in ("refusal", "retreat_failed") or (event.kind == "eliminated" and "9.2.3" in event.rules)
        ):
            later.add(fallen)
    few = file.stem.split("-")[1] in TWO_TURNS
    assert throws.keys() == told.keys() and len(told) >= (1 if few else 10)
    compared = 0
    for line, losses in told.items():
        if line not in later and losses:
            assert throws[line].rolled == losses, line
            compared += 1
    assert compared >= (1 if few else 8)


def fights(game: str, scenario: str, seed: int, most: int) -> list[tuple[fronte.Match, tuple[int, ...]]]:
    """States of random games in which the dice of a combat are about to fall, and how they fell."""
    match = fronte.new(game, scenario, seed)
    rng = Random(seed)
    found: list[tuple[fronte.Match, tuple[int, ...]]] = []
    while len(found) < most:
        if match.result is not None:
            seed += 1
            match = fronte.new(game, scenario, seed)
        before = match.copy()
        action = match.sample(rng)
        match.play(action)
        rolls = match.entries[-1].rolls
        flow.act(before.rules, before.state, action, [])
        for dice in rolls:
            if before.rules.weigh(before.state) is not None:
                found.append((before.copy(), dice))
            flow.fall(before.rules, before.state, dice, [])
    return found


@pytest.mark.family("inferno")
def test_the_throw_agrees_with_the_exact_odds_of_an_inferno_combat(game: str, scenario: str) -> None:
    for match, dice in fights(game, scenario, 3, 12):
        weighed = match.rules.weigh(match.state)
        assert weighed is not None
        forecast = match.rules.forecast(match.state)
        assert forecast is not None
        for seat, name in enumerate(match.rules.seats):
            row = forecast.row("loss", name)
            assert row is not None
            counts = [0] * len(row.counts)
            for losses in weighed.losses:
                counts[losses[seat]] += 1
            assert tuple(counts) == row.counts
        throw = luck.weigh(match.rules, match.state, 1, dice)
        assert throw is not None
        assert sum(throw.chances.values()) == throw.of == 216
        assert throw.net_expected == pytest.approx(sum(net * ways for net, ways in throw.chances.items()) / 216)
        assert throw.chances[throw.net_rolled] > 0 and 0 < throw.share < 1


@pytest.mark.costly(each=True)
@pytest.mark.needs("luck")
def test_luck_betrays_nothing_during_play(game: str, scenario: str) -> None:
    """States that a seat cannot tell apart when the dice fall give it the same figures (5.4)."""
    rng = Random(8)
    shuffled = 0
    for match, dice in fights(game, scenario, 8, 25):
        told = luck.weigh(match.rules, match.state, 1, dice)
        for seat in range(2):
            twin = match.rules.shuffle_hidden(match.state, seat, rng)
            shuffled += match.rules.to_position(twin) != match.rules.to_position(match.state)
            assert luck.weigh(match.rules, twin, 1, dice) == told
    assert shuffled > 25


@pytest.mark.costly(each=True)
@pytest.mark.needs("luck")
def test_the_sum_has_the_distribution_of_all_combinations(game: str, scenario: str) -> None:
    throws = [luck.weigh(match.rules, match.state, 1, dice) for match, dice in fights(game, scenario, 4, 3)]
    assert None not in throws
    seat = fronte.ruleset(game, scenario).seats[0]
    total = luck.Sum()
    exact: dict[int, int] = {}
    for throw in throws:
        assert throw is not None
        total.add(throw, seat)
    lists = [
        [(net if throw.attacker == seat else -net, ways) for net, ways in throw.chances.items()]
        for throw in throws
        if throw is not None
    ]
    every = prod(throw.of for throw in throws if throw is not None)
    for combination in product(*lists):
        net = sum(one for one, _ in combination)
        ways = 1
        for _, many in combination:
            ways *= many
        exact[net] = exact.get(net, 0) + ways
    for net, ways in exact.items():
        assert total.weights[net - total.low] == pytest.approx(ways / every)
    for name, (low, high) in total.bands().items():
        inside = sum(ways for net, ways in exact.items() if low <= net <= high) / every
        assert inside >= int(name) / 100 - 1e-9


def test_the_panel_is_plain_data_and_the_sides_mirror_each_other() -> None:
    text = RECORDED[-1].read_text(encoding="utf-8")
    data = luck.of_save(text, for_header)
    assert msgspec.json.decode(msgspec.json.encode(data))["seats"].keys() == {"italian", "ah"}
    italian, ah = data["seats"]["italian"], data["seats"]["ah"]
    assert italian["luck"] == -ah["luck"]
    assert italian["rolled"]["inflicted"] == ah["rolled"]["suffered"]
    assert italian["share"] + ah["share"] == pytest.approx(1, abs=1e-3)
    last = italian["series"][-1]
    assert last["net"] == italian["rolled"]["net"]
    assert last["low95"] <= last["low80"] <= last["expected"] <= last["high80"] <= last["high95"]
    assert len(italian["series"]) == len(data["combats"]) == italian["combats"]
    assert luck.of_save(text, for_header, "ah")["seats"].keys() == {"ah"}
    with pytest.raises(ValueError, match="no seat"):
        luck.of_save(text, for_header, "nobody")


def test_a_match_with_no_combat_yet_has_no_luck() -> None:
    data = luck.of_save(fronte.new("isonzo").save(), for_header)
    assert data["combats"] == [] and data["seats"]["ah"]["bands"] == {"80": (0, 0), "95": (0, 0)}
    assert data["seats"]["ah"]["share"] == 0.5


def test_over_many_games_the_dice_are_as_lucky_as_they_should_be() -> None:
    """Of many throws about 80 and 95 per cent of the sums lie in their bands, neither far more nor far less."""
    rng = Random(2)
    throws = [luck.weigh(match.rules, match.state, 1, dice) for match, dice in fights("isonzo", "historical", 6, 12)]
    weighed = [throw for throw in throws if throw is not None]
    inside = {"80": 0, "95": 0}
    for _ in range(500):
        total = luck.Sum()
        for throw in weighed:
            chances = throw.nets["italian"]
            net = rng.choices(list(chances), list(chances.values()))[0]
            total.add(msgspec.structs.replace(throw, rolled={"italian": 0, "ah": net}), "italian")
        for band, (low, high) in total.bands().items():
            inside[band] += low <= total.rolled <= high
    assert 0.78 <= inside["80"] / 500 <= 0.95
    assert 0.93 <= inside["95"] / 500 <= 1


# Any game


SEATS = ("red", "gold", "blue")


def among_three(attacker: int, dice: tuple[int, ...]) -> luck.Throw:
    """A throw between three seats: the attacker loses one by a 1, the next one by more than 3, the third two by a 6."""
    losses = []
    for die in range(1, 7):
        lost = [0, 0, 0]
        lost[attacker] += die == 1
        lost[(attacker + 1) % 3] += die > 3
        lost[(attacker + 2) % 3] += 2 * (die == 6)
        losses.append(tuple(lost))
    return luck.thrown(SEATS, Weighing(1, "0101", attacker, tuple(losses)), 1, dice)


def test_luck_is_counted_for_any_number_of_seats() -> None:
    throws = [among_three(0, (6,)), among_three(2, (1,)), among_three(1, (4,))]
    assert throws[0].nets == {
        "red": {-1: 1, 0: 2, 1: 2, 3: 1},
        "gold": {-1: 2, 0: 2, 1: 2},
        "blue": {-1: 1, 0: 2, 1: 3},
    }
    assert [throws[0].net(seat) for seat in SEATS] == [3, 1, -1]
    assert throws[0].net_rolled == 3 and throws[0].chances == throws[0].nets["red"]
    data = luck.panel(throws, SEATS)
    for seat, told in data["seats"].items():
        rolled = sum(throw.net(seat) for throw in throws)
        assert told["rolled"]["net"] == rolled == told["series"][-1]["net"]
        assert told["expected"]["net"] == pytest.approx(told["series"][-1]["expected"], abs=1e-3)
        total = luck.Sum()
        for throw in throws:
            total.add(throw, seat)
        assert sum(total.weights) == pytest.approx(1) and 0 < told["share"] < 1
        mean = sum((total.low + k) * weight for k, weight in enumerate(total.weights))
        assert mean == pytest.approx(total.expected)


def weighed(game: str, most: int) -> list[tuple[fronte.Match, tuple[int, ...]]]:
    """Throws of some random games that can be weighed."""
    return list(islice((one for seed in range(30) for one in fights(game, "", seed, 4)), most))


def test_a_throw_of_any_game_is_weighed_by_all_ways_it_can_fall(any_game: str) -> None:
    found = weighed(any_game, 20)
    assert len(found) == 20
    for match, dice in found:
        throw = luck.weigh(match.rules, match.state, 1, dice)
        assert throw is not None
        assert sum(throw.chances.values()) == throw.of == 6 ** len(dice)
        mean = sum(net * ways for net, ways in throw.chances.items()) / throw.of
        assert throw.net_expected == pytest.approx(mean)
        assert throw.chances[throw.net_rolled] > 0 and 0 < throw.share < 1
        assert throw.rolled.keys() == throw.expected.keys() == set(match.rules.seats)


def test_figures_of_any_game_betray_nothing(any_game: str) -> None:
    rng = Random(8)
    for match, dice in weighed(any_game, 12):
        told = luck.weigh(match.rules, match.state, 1, dice)
        for seat in range(len(match.rules.seats)):
            assert luck.weigh(match.rules, match.rules.shuffle_hidden(match.state, seat, rng), 1, dice) == told


def test_the_panel_of_any_game_follows_its_record(any_game: str) -> None:
    match = fronte.new(any_game, seed=6)
    rng = Random(6)
    while match.result is None:
        match.play(match.sample(rng))
    data = luck.of_save(match.save(), for_header)
    first, second = (data["seats"][seat] for seat in match.rules.seats)
    assert first["luck"] == -second["luck"] and first["rolled"]["inflicted"] == second["rolled"]["suffered"]
    rolled = [len(dice) for entry in match.entries for dice in entry.rolls]
    assert sum(kind["dice"] for kind in data["dice"].values()) == sum(rolled) > 0
    assert len(first["series"]) == first["combats"] == len(data["combats"])
