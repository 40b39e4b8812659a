"""Being asked is telling: states that differ only in what a seat may not know ask and answer alike before its eyes."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

import fronte
from fronte.casebook import Case, CaseFile, begin
from fronte.engine.match import Match
from fronte.games.inferno.combat import Attack

BOARD = {"span": "2107-2717", "hex": {"2407": {"flag": "ah", "control": "ah"}, "2417": {"flag": "italian"}}}
RIVER = {"side": {"2411/2412": {"water": "river", "road": True}}}


def told(match: Match, seat: str, since: int) -> tuple[Any, ...]:
    """All that a seat notices of a line: who is asked what, how many lines there are, what happened, what it sees."""
    owed = None if match.decision is None else (match.decision.seat, match.decision.kind)
    events = [(event.kind, event.data) for event in match.events_for(seat, since)]
    return owed, len(match.entries), events, msgspec.json.encode(match.view(seat))


def transcript(match: Match, seat: str, script: list[str]) -> list[tuple[Any, ...]]:
    """What a seat notices while these actions are played."""
    found = [told(match, seat, 0)]
    for action in script:
        before = len(match.events)
        match.play(action)
        found.append(told(match, seat, before))
    return found


def tiny(game: str, units: dict[str, Any], dice: tuple[int, ...], **more: Any) -> Match:
    """A match on a tiny board."""
    start = {"phase": "combat"} | more.pop("start", {})
    case = Case("", units, {**BOARD, **more.pop("board", {})}, start=start, dice=dice, **more)
    return begin(CaseFile("", game, (case,)), case)


@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
def test_a_hidden_gun_in_range_shows_only_when_it_fires(game: str) -> None:
    units = {"it-a": {"at": "2413"}, "ah-x": {"at": "2412"}, "ah-y": {"at": "2408"}}
    script = ["attack 2412 with it-a", "support"]
    seen = []
    for where in ("2412", "2408"):
        for marks in ([], ["mov"]):
            gun = {"ah-g": {"at": where, "type": "artillery", "marks": marks}}
            asked = tiny(game, units | gun, (3, 4, 1))
            asked.play(script[0])
            assert len(list(asked.legal())) == (2 if (where, marks) == ("2412", []) else 1)
            seen.append(transcript(tiny(game, units | gun, (3, 4, 1)), "italian", script))
    assert all(one == seen[0] for one in seen)


@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
def test_a_unit_that_is_withheld_might_as_well_be_elsewhere(game: str) -> None:
    units: dict[str, Any] = {
        "it-a": {"at": "2413", "face": "12-5-6"},
        "ah-x": {"at": "2412", "face": "5-5-6"},
        "ah-y": {"at": "2412", "face": "4-4-6"},
        "ah-w": {"at": "2408", "face": "5-5-6"},
        "ah-v": {"at": "2408", "face": "2-2-6"},
    }
    script = ["attack 2412 with it-a", "withhold{}", "retreat 2411", "advance it-a"]
    seen = []
    for where, answer in (("2412", " ah-z"), ("2408", "")):
        match = tiny(game, {**units, "ah-z": {"at": where, "face": "3-3-6"}}, (2, 3, 1))
        seen.append(transcript(match, "italian", [line.format(answer) for line in script]))
    assert seen[0] == seen[1]
    assert "ah-z" not in str(seen)


@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
def test_who_might_join_a_retreat_is_not_told_by_the_question(game: str) -> None:
    crossings = ("2413/2414", "2413/2513", "2413/2512", "2312/2413")
    barred = {"water": "river"} if game == "isonzo" else {"crag": True}
    board = {"side": dict.fromkeys(crossings, barred)}
    units: dict[str, Any] = {"it-a": {"at": "2413"}, "it-c": {"at": "2415"}, "ah-x": {"at": "2412"}}
    seen = []
    for where, answer in (("2413", " join it-d"), ("2415", "")):
        match = tiny(game, {**units, "it-d": {"at": where, "face": "3-3-6"}}, (6, 6, 1), board=board)
        seen.append(transcript(match, "ah", ["attack 2412 with it-a", "retreat 2313" + answer]))
        assert match.state.at[match.rules.number["it-a"]] == match.rules.grid_index["2313"]  # type: ignore[attr-defined]
    assert seen[0] == seen[1]


@pytest.mark.parametrize("game", ["isonzo", "altipiani"])
def test_a_full_hex_is_not_told_by_the_question_where_to_retreat(game: str) -> None:
    """9.2.2.d: only if the way home ends in a full hex there is another; the enemy does not see whether it does."""
    barred = {"water": "river"} if game == "isonzo" else {"crag": True}
    board = {"side": dict.fromkeys(("2311/2412", "2412/2511", "2412/2512"), barred)}
    units: dict[str, Any] = {"it-a": {"at": "2413", "face": "9-5-6"}, "ah-x": {"at": "2412"}, "ah-v": {"at": "2411"}}
    units |= {"ah-y": {"at": "2408"}}
    seen, ways = [], []
    for where in ("2411", "2408"):
        hidden = {name: {"at": where, "face": "4-4-6", "back": "2-2-6"} for name in ("ah-u", "ah-w")}
        match = tiny(game, units | hidden, (2, 4, 1), board=board)
        seen.append(transcript(match, "italian", ["attack 2412 with it-a", "withhold"]))
        ways.append(len(list(match.legal())))
    assert seen[0] == seen[1]
    assert ways == [2, 1]


def test_an_engineer_that_could_work_is_not_told_by_the_question() -> None:
    units: dict[str, Any] = {"it-a": {"at": "2412"}, "it-b": {"at": "2415"}, "ah-x": {"at": "2408"}}
    seen = []
    for where in ("2412", "2415"):
        start = {"phase": "works", "destroyed": ["2411/2412"]}
        match = tiny("isonzo", {**units, "it-e": {"at": where, "type": "engineer"}}, (), start=start, board=RIVER)
        seen.append(transcript(match, "ah", ["end"]))
    assert seen[0] == seen[1]


def test_which_of_two_hidden_engineers_repaired_is_not_told() -> None:
    units: dict[str, Any] = {"it-a": {"at": "2412"}, "it-b": {"at": "2411"}, "ah-x": {"at": "2408"}}
    units |= {"it-e": {"at": "2412", "type": "engineer"}, "it-f": {"at": "2411", "type": "engineer"}}
    seen = []
    for engineer in ("it-e", "it-f"):
        start = {"phase": "works", "destroyed": ["2411/2412"]}
        match = tiny("isonzo", units, (), start=start, board=RIVER)
        seen.append(transcript(match, "ah", [f"repair 2411/2412 by {engineer}"]))
    assert seen[0] == seen[1]
    assert "repaired" in str(seen)


def test_the_strength_of_a_withheld_unit_is_told_by_the_die_alone() -> None:
    """12.5.1.a: a 2 would do for any of them."""
    board = {"hex": {**BOARD["hex"], "2412": {"trench": "ah", "control": "ah"}}}  # type: ignore[dict-item]
    units: dict[str, Any] = {
        "it-a": {"at": "2413", "face": "15-5-6"},
        "ah-x": {"at": "2412", "face": "4-3-6"},
        "ah-y": {"at": "2412", "face": "4-4-6"},
    }
    seen = []
    for face in ("2-6-6", "2-2-6"):
        match = tiny("isonzo", {**units, "ah-z": {"at": "2412", "face": face}}, (2, 3, 1, 2), board=board)
        script = ["attack 2412 with it-a", "withhold ah-z", "refuse", "exchange", "losses ah-x=1"]
        seen.append(transcript(match, "italian", script))
    assert seen[0] == seen[1]


def twins(rules: Any, state: Any, seat: int, rng: Random) -> list[Any]:
    """States that differ from this one in where hidden units lie, and only there."""
    found = [rules.shuffle_hidden(state, seat, rng) for _ in range(4)]
    for twin in found:
        twin.ce, twin.supply = state.ce[:], state.supply[:]
    return found


@pytest.mark.costly
@pytest.mark.family("inferno")
def test_in_whole_games_what_is_hidden_asks_nothing(game: str, scenario: str) -> None:
    """Combats of random games: the attacker is told the same until other units are shown."""
    rng = Random(11)
    compared = guns = 0
    match: Any = fronte.new(game, scenario, 5)
    while compared < 300:
        if not match.state.frames:
            match = fronte.new(game, scenario, compared)
        rules, frame = match.rules, match.state.frames[-1]
        action = match.sample(rng)
        if frame.name == "combat" and isinstance(action, Attack):
            seat = rules.seats[frame.seat]
            for twin in twins(rules, match.state, frame.seat, rng):
                pair = [Match(rules, state, []) for state in (match.state.copy(), twin)]
                for one in pair:
                    one.play(action)
                compared += 1
                shown = [told(one, seat, 0) for one in pair]
                if "withhold" in [one.state.frames[-1].name for one in pair]:
                    assert shown[0] == shown[1]
                    for one in pair:
                        one.play(next(one.legal()))
                    shown = [told(one, seat, 0) for one in pair]
                faces = [next(data for kind, data in events if kind == "attacked") for _, _, events, _ in shown]
                if faces[0] == faces[1] and "support" in [one.state.frames[-1].name for one in pair]:
                    assert shown[0] == shown[1]
                    guns += len(list(pair[0].legal())) != len(list(pair[1].legal()))
        match.play(action)
    assert guns > 5, "no twin had other guns"
