"""A second reader of the booklet follows whole games and finds nothing but what is listed here.

The referee shares no rule with the program: it reads the numbers from the pack's plain files and goes by the Italian
text alone. What it sees otherwise than the program stands in `AWAITING` until somebody decides, then in `DECIDED`; what
the booklet leaves open, and how the program takes it, stands in `READINGS`.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest
from ref_game import watched
from ref_tape import Picture

from fronte.engine.event import Event

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))

AWAITING: dict[str, str] = {}
"""Differences by the referee's key: what the booklet says, and what the program does."""

DECIDED: dict[str, str] = {
    "7.1.4 marker not used by who did something else": (
        "as far as possible: who could make the attack is let off while another who is not named for a marker of his "
        "own could, and then something befell that other"
    ),
    "3.1.2 guns may not enter a marker's hex": (
        "3.1.2 lets any unit enter a zone in a hex with a marker, but 7.1 has all who do attack, and guns cannot"
    ),
    "8.2 front of the hex (column on a road)": (
        "8.2: whoever enters a friendly hex takes the front of those in it; 8.3.3 is the special rule: a column on a "
        "road goes through its front and does not turn in its last hex"
    ),
    "7.1 goes on from a marker's hex without attacking": (
        "7.1, 11.1.1: whoever enters an enemy zone at a marker attacks the units at which it points; by "
        "pass_through_marker_hexes he may do so from another marker that points at them"
    ),
}
"""Differences that were decided from the booklet (docs/rulings.md), and why the program does as it does."""

READINGS: dict[str, str] = {
    "3, 14.2": "a city stops zones like a village (14.2 sends to rule 3, which names villages and woods); a farm not",
    "3.2": "who can neither attack nor leave when it acts has no such duty any more; the duty is of who began there",
    "3.1.1, 14.2": "a city has front hexes all round, like a village or farm",
    "9.4.4": "cities, woods and hills do not block a line of sight; commanders neither",
    "5.2.1": "a hex with a road in it costs half a point, whichever way one comes",
    "2.2.2": "the radius of a commander in chief is traced as in 5.2",
    "4.C": "the side without the initiative withdraws and recovers before the other withdraws",
    "4.B2": "who has nothing left to activate passes",
    "6.1.2": "orders that were not used up stay until the formation is activated, in whatever turn",
    "6.2.1": "a combat in which the loser is wiped out moves no marker: nobody retreats",
    "7.1.2": "two markers of one kind may lie in a hex if they point to different hexes",
    "8.3.6": "to leave column when it is activated is no action of a unit yet",
    "8.4": "guns may limber in any reaction, not only under fire (12.1)",
    "8.7, 12.2.5": "a withdrawal goes out of the enemy's zones where it can; in reaction farther from who caused it",
    "10.2": "the hex of a target that was taken counts against the MA of a charge that goes on",
    "11.2": "levels lost by several defenders: the referee takes the sum or the most of one for right",
    "11.3": "an attacker in a village or farm, where nothing is behind him, retreats away from his target",
    "11.4.2": "guns beside an attacker that retreats go with him",
    "12.2.5, 7.1": "when another than those it came to attack withdraws, a unit is still bound to attack these",
    "13.3, 9.4.3": "who wanted to fire and found its ammunition gone has acted, and recovers nothing",
    "13.1": "infantry in the hex that is being charged checks its reactions with +2",
    "15.2": "turn 15 is named nowhere and is a day",
    "15.2, 13.3": "a formation that a six leaves where it is at night recovers in phase C",
    "15.5": "a unit of the 15th that another formation has called has had its activation, used or not",
    "15.5, 5.1.1": "a unit of the 15th out of command that another formation has called is not one of phase D",
    "11.3.1, 11.3.3": "a unit whose retreat only markers bar stays where it is",
    "8.7": "a unit in a zone that can withdraw nowhere stays and checks",
    "15.6": "commanders of the Garibaldini may ride through Capua: they are not units",
    "15.8.1": "Ruiz's units may only go nearer to Caserta Vecchia; the column stops when all are there, not one",
    "14.1": "infantry that retreats, withdraws or advances through a stream checks as if it moved",
    "16.1.3": "the most of the objectives is more than half of them; one that nobody entered belongs to nobody",
    "17.1.3": "only routed units count, not those that surrendered or guns that were taken",
}
"""What the booklet leaves open, as the program takes it and the referee lets it pass."""

SHORT = range(1, 41) if NIGHTLY else range(1, 3)
FULL = range(1, 16) if NIGHTLY else range(3, 4)
LONG = 100_000 if NIGHTLY else 300


def found(
    scenario: str, seed: int, most: int = 100_000, hot: bool = True, hand: str = ""
) -> tuple[Counter[str], list[str], int]:
    """What the referee said of one game: how often by key, what is not in the table, and how many checks there were."""
    referee, _ = watched(scenario, seed, most, hot=hot, hand=hand)
    seen = Counter(remark.key for remark in referee.remarks)
    new = [f"{r.key}: {r.text} ({r.where})" for r in referee.remarks if r.key not in AWAITING and r.key not in DECIDED]
    return seen, new, sum(referee.checks.values())


@pytest.mark.costly
@pytest.mark.parametrize("seed", SHORT)
def test_short_games_are_as_the_booklet_says(seed: int) -> None:
    _, new, checks = found("short", seed)
    assert not new, "\n".join(new[:12])
    assert checks > 3000


@pytest.mark.parametrize("seed", FULL)
def test_whole_battles_are_as_the_booklet_says(seed: int) -> None:
    _, new, checks = found("full", seed, LONG)
    assert not new, "\n".join(new[:12])
    assert checks > 1000


@pytest.mark.parametrize("seed", range(100, 120) if NIGHTLY else range(100, 101))
def test_games_drawn_at_random_are_too(seed: int) -> None:
    _, new, _ = found("short", seed, hot=False)
    assert not new, "\n".join(new[:12])


@pytest.mark.costly
@pytest.mark.parametrize("hand", ["eager", "steady"])
@pytest.mark.parametrize("seed", range(200, 212) if NIGHTLY else range(200, 201))
def test_games_of_other_players_are_too(hand: str, seed: int) -> None:
    """Those look at other places of the book than who only looks for fights."""
    for scenario in ("short", "full") if NIGHTLY else ("short",):
        _, new, _ = found(scenario, seed, hand=hand)
        assert not new, "\n".join(new[:12])


@pytest.mark.skipif(not NIGHTLY, reason="needs many games")
def test_what_awaits_a_decision_is_still_seen() -> None:
    """A difference that is gone is struck from the table."""
    seen: Counter[str] = Counter()
    for scenario, seeds in (("short", range(1, 9)), ("full", range(1, 6))):
        for seed in seeds:
            seen += found(scenario, seed)[0]
    assert set(AWAITING) | set(DECIDED) <= set(seen)


FALSE: dict[str, tuple[str, str]] = {
    "initiative": ("dice", "4.A"),
    "activated": ("drm", "6.1.4"),
    "not_activated": ("drm", "6.1.4"),
    "initiative_row": ("drm", "6.2"),
    "command": ("out", "5.2"),
    "fired": ("drm", "9.3"),
    "fought": ("drm", "11.2"),
    "checked": ("drm", "13.1"),
    "worsened": ("level", "13.1.2"),
    "morale": ("morale", "6.2.1"),
}
"""Events, a number of theirs to falsify, and the rule that the referee then must name."""


@pytest.mark.parametrize("kind", FALSE)
def test_the_referee_sees_a_false_number(kind: str) -> None:
    field, rule = FALSE[kind]
    told: list[str] = []

    def tamper(picture: Picture) -> Picture:
        events = []
        for event in picture.events:
            if event.kind == kind and not told:
                told.append(kind)
                event = Event(kind, event.rules, {**event.data, field: one_more(event.data[field])}, event.seats)
            events.append(event)
        return picture._replace(events=events)

    for seed in range(1, 6):
        referee, _ = watched("short", seed, 200, tamper=tamper, until=rule)
        if told:
            break
    assert told, f"no {kind} in these games"
    assert any(remark.key.startswith(rule) for remark in referee.remarks)


def one_more(value: Any) -> Any:
    """A number that is wrong by one, or dice that are."""
    if isinstance(value, list):
        return [value[0] % 6 + 1, *value[1:]]
    return value % 6 + 1 if value > 0 else value - 1


@pytest.mark.parametrize(("what", "rule"), [("cost", "8 cost"), ("stack", "6.3.1"), ("level", "0 level untold")])
def test_the_referee_sees_a_false_position(what: str, rule: str) -> None:
    told: list[str] = []

    def tamper(picture: Picture) -> Picture:
        moved = [event for event in picture.events if event.kind == "moved"]
        if len(told) or len(moved) != 1 or picture.after["mover"] != moved[0].data["unit"]:
            return picture
        told.append(what)
        after = dict(picture.after)
        units = {name: dict(data) for name, data in after["units"].items()}
        unit = moved[0].data["unit"]
        if what == "cost":
            after["left"] += 1
        elif what == "level":
            name = next(n for n, d in units.items() if n != unit and "facing" in d and "level" not in d)
            units[name]["level"] = "shaken"
        else:
            side = unit[0]
            for name, data in units.items():
                if name[0] == side and "facing" in data and len(told) < 6:
                    data["at"] = moved[0].data["hex"]
                    told.append(name)
        after["units"] = units
        return picture._replace(after=after)

    referee, _ = watched("short", 1, 60, tamper=tamper)
    assert told
    assert any(remark.key.startswith(rule) for remark in referee.remarks)
