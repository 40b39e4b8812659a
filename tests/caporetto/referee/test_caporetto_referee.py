"""A second reader of the booklet follows whole games and finds nothing but what is listed here.

The referee shares no rule with the program: it reads the numbers from the pack's plain files and goes by the Italian
text alone. What it sees otherwise than the program stands in `AWAITING` until somebody decides, then in `DECIDED`; what
the booklet leaves open, and how the program takes it, stands in `READINGS`.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
from book_board import Book
from book_game import DATA, begin, watched
from book_judge import Referee
from book_tape import Picture
from book_world import read

from fronte.engine.event import Event

NIGHTLY = bool(os.environ.get("FRONTE_NIGHTLY"))

AWAITING: dict[str, str] = {}
"""Differences by the referee's key: what the booklet says, and what the program does."""

DECIDED: dict[str, str] = {}
"""Differences that were decided from the booklet (docs/rulings.md), and why the program does as it does."""

READINGS: dict[str, str] = {
    "9.2, 9.2.1": (
        "the hex in which a line of supply comes to the road is not yet its on-road part: it may lie next to an enemy "
        "in woods or under a friend; a source reached off the road needs no road (docs/rulings.md)"
    ),
    "9.2, 21.7": "neither supply, on the road or off it, nor command leads through hexes that are out of play",
    "10.0": "who moves in a stack pays what the slowest of them pays",
    "10.1.2": "nobody fires into a trench of the mover's side, linked to where it came from or not",
    "10.0.10": "one moves along a stream where the hexside says so: a hex in which two meet names only one",
    "10.1.1": "who leaves an enemy zone together has another unit beside it and pays nothing more",
    "11.2, 18.1": "a hex may be too full while somebody can still leave it; the limit holds at the end of the step",
    "11.2, 11.6": "where nobody can leave a full hex any more, since others came into his way, each in it has a point",
    "3.0, 11.5, 21.3": "one machine-gun company stacks free, more of them count as companies; roads they never close",
    "10.0.4, 10.2.5": "one battalion-equivalent from a hex assaults another along the road, the next pays the ground",
    "10.2.6": "where somebody supports with fire no assault begins, as no support where one does",
    "12.1.1": "an observer in command is one that stands in the range of the headquarters that acts",
    "12.2.1": "in fog one fires only at who assaults one's own hex; at who supports everybody next to it fires",
    "12.2.9": "of firers in fog and out of it the better shift counts, like that of different trenches",
    "12.3.5": "what is empty is seen once, when the stack begins to retreat",
    "12.3.5.1": "mountain troops may retreat over a cliff; the other hexes are open to them as if it were not there",
    "3.0": "of companies that are not generic, as engineers, up to four are a battalion-equivalent too",
    "24.3": "infiltration fire at the sector line is mandatory and asks nobody",
    "12.1.5.6": "a bombardment that is shifted off the table still throws its die, since a six goes astray",
    "21.5.3": "during an assault on the move only that assault is fired at",
}
"""What the booklet leaves open, as the program takes it and the referee lets it pass."""

BOOKS = {name: Book(DATA, name) for name in ("maggiore", "cividale", "historical", "what_if")}
GAMES = {"maggiore": range(1, 61), "cividale": range(1, 31), "historical": range(1, 7), "what_if": range(1, 7)}
SHORT = {"maggiore": 30, "cividale": 22, "historical": 22, "what_if": 0}


def found(
    scenario: str, seed: int, most: int, player: str = "", fog: str = "off"
) -> tuple[Counter[str], list[str], int]:
    """What the referee said of one game: how often by key, what is not in the table, and how many checks there were."""
    referee, _ = watched(scenario, seed, most, hot=seed % 5 != 0, book=BOOKS[scenario], player=player, fog=fog)
    seen = Counter(remark.key for remark in referee.remarks)
    new = [f"{r.key}: {r.text} ({r.where})" for r in referee.remarks if r.key not in AWAITING and r.key not in DECIDED]
    return seen, new, sum(referee.checks.values())


@pytest.mark.parametrize("scenario", [name for name, most in SHORT.items() if most])
def test_games_begin_as_the_booklet_says(scenario: str) -> None:
    _, new, checks = found(scenario, 2, SHORT[scenario])
    assert not new, "\n".join(new[:12])
    assert checks > 1000


FALSE: dict[str, tuple[str, str]] = {
    "fired": ("points", "12 result"),
    "assault": ("net", "12.3.3 net shift"),
    "assault_result": ("attacker", "12.3.4 result"),
    "paid": ("points", "price of a"),
}
"""Events, something of theirs to falsify, and what the referee then must say."""


def test_the_referee_sees_false_words() -> None:
    told: set[str] = set()

    def tamper(picture: Picture) -> Picture:
        events = []
        for event in picture.events:
            if event.kind in set(FALSE) - told and event.data.get("dice") != []:
                told.add(event.kind)
                field = FALSE[event.kind][0]
                wrong = event.data[field] + 1 if event.kind != "assault_result" else "D3R/2"
                event = Event(event.kind, event.rules, {**event.data, field: wrong}, event.seats)
            events.append(event)
        return picture._replace(events=events)

    said: set[str] = set()
    for seed in (1, 3, 4, 6):
        referee, _ = watched("maggiore", seed, 60, tamper=tamper, book=BOOKS["maggiore"])
        said |= {remark.key for remark in referee.remarks}
        if told == set(FALSE):
            break
    assert told == set(FALSE)
    for _, key in FALSE.values():
        assert any(key in heard for heard in said), key


@pytest.mark.parametrize(("what", "key"), [("left", "10 cost"), ("dp", "15.4 beyond"), ("control", "23.1 control")])
def test_the_referee_sees_a_false_position(what: str, key: str) -> None:
    told: list[str] = []

    def tamper(picture: Picture) -> Picture:
        moved = [event for event in picture.events if event.kind == "moved"]
        if told or not moved or picture.name != "march":
            return picture
        after = dict(picture.after)
        name, end = moved[0].data["units"][0], moved[0].data["path"][-1]
        if what == "left":
            after["leftovers"] = {unit: left + 1 for unit, left in after.get("leftovers", {}).items()}
        elif what == "dp":
            after["units"] = {**after["units"], name: {**after["units"][name], "dp": 9}}
        else:
            after["control"] = {side: [at for at in hexes if at != end] for side, hexes in after["control"].items()}
        told.append(what)
        return picture._replace(after=after)

    referee, _ = watched("maggiore", 2, 20, tamper=tamper, book=BOOKS["maggiore"])
    assert told
    assert any(remark.key.startswith(key) for remark in referee.remarks)


def test_the_referee_sees_who_stands_wrong_at_the_start() -> None:
    """24.8, 5.1: out of his printed hex, or there before his turn."""
    match, book = begin("historical", 1), BOOKS["historical"]
    position = match.rules.to_position(match.state)
    assert not Referee(book, position).remarks
    starts = {name: book.counters[name].start for name in position["units"] if name in book.counters}
    there = next(name for name, start in starts.items() if start[:4].isdigit() and "GT" not in start)
    later = next(name for name, start in starts.items() if "GT" in start)
    for name, key in ((there, "24.8 its printed hex"), (later, "5.1 is there too early")):
        false = {**position, "units": {**position["units"], name: {**position["units"][name], "at": "2602"}}}
        assert key in {remark.key for remark in Referee(book, false).remarks}


def test_the_referee_sees_who_sees_too_much_or_too_little() -> None:
    """22.0, 22.3: all names of an enemy stack, and none of it."""
    match = begin("cividale", 1)
    for fog, key in ((False, "22.0 the top unit"), (True, "22.3 how deep one sees")):
        referee = Referee(BOOKS["cividale"], match.rules.to_position(match.state))
        referee.sees(referee.world, "ahg", list(referee.world.units), fog)
        assert key in {remark.key for remark in referee.remarks}
        referee = Referee(BOOKS["cividale"], match.rules.to_position(match.state))
        referee.sees(referee.world, "ahg", [], fog)
        assert key in {remark.key for remark in referee.remarks}


def test_the_referee_counts_the_points_of_a_campaign() -> None:
    """23.1: hexes, formations that have left, prisoners, what was taken back in the same turn."""
    match, book, force, foe = begin("historical", 1), BOOKS["historical"], "ahg-left", "italian-right"
    position = match.rules.to_position(match.state)
    referee = Referee(book, position)
    before = referee.account(referee.world, force)
    mine = [u for u in referee.world.on_map("italian") if u.c.wing == "right"]
    battalion = next(u.id for u in mine if u.c.fights and not u.company and not u.c.cavalry)
    gun = next(u.id for u in mine if u.c.gun)
    gone = [u.id for u in referee.world.units.values() if u.c.formation == "de-leib" and not u.c.hq]
    units = {**position["units"], battalion: {"at": "surrendered"}, gun: {"at": "surrendered"}}
    units |= {name: {"at": "exited"} for name in gone}
    held = position["control"]
    at = next(at for at, h in book.hexes.items() if h.vp and at in held[foe])
    control = {**held, force: [*held[force], at], foe: [one for one in held[foe] if one != at]}
    world = read(book, {**position, "units": units, "control": control})
    referee.captures(referee.world, world)
    after = referee.account(world, force)
    assert (after["hexes"] - before["hexes"], after["exits"] - before["exits"]) == (book.hexes[at].vp, 5)
    assert referee.prisoners(world, foe) == 7
    referee.captures(world, referee.world)
    assert referee.account(referee.world, force)["retaken"] == 2 * book.hexes[at].vp


def test_the_referee_knows_which_bridges_engineers_reach() -> None:
    """19.2: a charge that should have blown a bridge, and one that should not."""
    match = begin("historical", 1)
    referee = Referee(BOOKS["historical"], match.rules.to_position(match.state))
    bridge = min(referee.standing(referee.world))
    referee.goes_up(referee.world, referee.world, bridge, False, "")
    assert not referee.remarks
    referee.goes_up(referee.world, referee.world, bridge, True, "")
    assert [remark.key for remark in referee.remarks] == ["19.2 a bridge"]


BY = ("", "busy", "steady")
"""Who plays: who looks for fights, by chance without idling, and the program's own player."""
NIGHTS = [
    (name, seed, BY[seed % 3], "on" if seed % 7 == 0 else "off") for name, seeds in GAMES.items() for seed in seeds
]


@pytest.mark.skipif(not NIGHTLY, reason="needs many games")
@pytest.mark.parametrize(("scenario", "seed", "player", "fog"), NIGHTS)
def test_whole_games_are_as_the_booklet_says(scenario: str, seed: int, player: str, fog: str) -> None:
    _, new, _ = found(scenario, seed, 100_000, player, fog)
    assert not new, "\n".join(new[:12])


@pytest.mark.skipif(not NIGHTLY, reason="needs many games")
def test_what_awaits_a_decision_is_still_seen() -> None:
    """A difference that is gone is struck from the table."""
    seen: Counter[str] = Counter()
    waiting = set(AWAITING) | set(DECIDED)
    for scenario, seeds in (("maggiore", GAMES["maggiore"]), ("cividale", GAMES["cividale"][:8])):
        for seed in seeds if waiting else ():
            seen += found(scenario, seed, 100_000)[0]
    assert waiting <= set(seen)
