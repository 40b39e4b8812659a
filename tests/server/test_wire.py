"""What goes over a wire: ways as trees, tables by what has changed, and no more of either than there has to be."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest
from hosts import Guest, Host, Socket
from hypothesis import given
from hypothesis import strategies as st

import fronte
from fronte.engine import ways
from fronte.engine.match import Match
from fronte.server.matches import tables
from fronte.server.matches.changes import applied, changed
from fronte.server.matches.matches import CHANGES, QUEUE, Watcher
from fronte.server.store.rows import Place

# Ways


@pytest.mark.costly(each=True)
def test_a_way_is_the_engines_way_for_every_hex_in_reach(game: str, scenario: str) -> None:
    match, rng, hexes = fronte.new(game, scenario=scenario, seed=4), Random(4), 0
    for _ in range(400):
        decision = match.decision
        if decision is None:
            break
        if decision.panel == "move" and rng.random() < 0.2:
            told = json.loads(match.offer_json())
            offer = match.offer
            for unit, found in offer["units"].items():
                again = ways.paths(told["units"][unit]["ways"])
                assert again == found["reach"]
                hexes += len(again)
        match.play(match.sample(rng))
    assert hexes > 50


def test_ways_that_part_and_meet_again_are_kept_apart() -> None:
    reach = {
        "0103": {"left": 2, "path": ["0101", "0102", "0103"]},
        "0102": {"left": 4, "path": ["0102"]},
        "0202": {"left": 0, "path": ["0102", "0202"]},
    }
    tree = ways.from_paths(reach)
    assert ways.paths(tree) == reach
    assert tree["hexes"] == ["0101", "0102", "0103", "0102", "0202"] and tree["left"] == [-1, -1, 2, 4, 0]
    assert all(before < place for place, before in enumerate(tree["before"]))


def test_an_offer_without_ways_is_sent_as_it_is() -> None:
    offer = {"actions": [{"do": "end"}], "units": {"it-udine": {"left": 4, "what": 1}}, "more": True}
    assert ways.packed(offer) == ways.unpacked(offer) == offer


# Changes

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9999) | st.sampled_from(["1912", "2013", "a longer word than most"]),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.sampled_from("abcdefgh"), inner, max_size=6),
    max_leaves=60,
)


@given(VALUES, VALUES)
def test_a_change_leads_from_any_value_to_any_other(old: Any, new: Any) -> None:
    told = changed(msgspec.json.encode(old), msgspec.json.encode(new))
    assert applied(old, json.loads(told)) == new


@given(st.lists(st.integers(0, 12), max_size=40), st.data())
def test_a_list_is_told_by_what_is_new_in_it(numbers: list[int], data: st.DataObject) -> None:
    before = [{"id": f"piece {n}", "at": "1912"} for n in numbers]
    after = data.draw(st.permutations(before)) + [{"id": "new", "at": "1913"}] * data.draw(st.integers(0, 2))
    told = json.loads(changed(msgspec.json.encode(before), msgspec.json.encode(after)))
    assert applied(before, told) == after


def test_what_has_not_changed_is_not_told() -> None:
    pieces = [{"id": f"piece-{n}", "at": f"19{n:02}", "force": "italian"} for n in range(60)]
    old = {"line": 4, "view": {"pieces": pieces, "control": {"italian": ["1912"] * 40}}}
    moved = [*pieces[:20], *pieces[21:], pieces[20] | {"at": "2013"}]
    new = {"line": 5, "view": {"pieces": moved, "control": old["view"]["control"]}}  # type: ignore[index]
    told = changed(msgspec.json.encode(old), msgspec.json.encode(new))
    assert json.loads(told) == [
        "{",
        {"line": ["=", 5], "view": ["{", {"pieces": ["[", [0, 20], [21, 39], [-1, moved[-1]]]}]},
    ]


# A socket of the second form


class Reader:
    """A browser that is told by changes."""

    def __init__(self, socket: Socket) -> None:
        self.socket = socket
        self.tables: dict[str, Any] = {}

    def read(self, seats: int = 1) -> dict[str, Any]:
        """The next table of so many seats, with ways whole; without a name where the socket is for one."""
        found: dict[str, Any] = {}
        while len(found) < seats:
            message = self.socket.receive_json()
            seat, message = message.get("for", ""), message.get("said", message)
            assert "error" not in message, message
            if "change" not in message and "view" not in message:
                continue
            known = self.tables.get(seat)
            assert ("change" in message) == (known is not None), "the first is whole, all others are changes"
            table = self.tables[seat] = message if known is None else applied(known, message["change"])
            found[seat] = {**table, "offer": table["offer"] and ways.unpacked(table["offer"])}
        return found


def second(*guests: Guest) -> Socket:
    place = f"ws://localhost{guests[0].path}/live?language=en"
    protocols = ["fronte", "fronte.2", *(f"bearer.{guest.token}" for guest in guests)]
    return Socket(guests[0].host.client.websocket_connect(place, subprotocols=protocols))


def test_what_is_told_by_changes_is_what_is_told_whole(host: Host, any_game: str) -> None:
    seats, rng = host.begin(game=any_game, seed=5), Random(5)
    name = next(iter(seats.values())).match
    with second(*seats.values()) as socket:
        assert socket.session.accepted_subprotocol == "fronte.2"
        reader = Reader(socket)
        reader.read(len(seats))
        for count in range(80):
            match = host.match(name)
            if match.decision is None:
                break
            line, seat = len(match.entries), match.decision.seat
            if count % 9 == 8 and match.can_undo(seat):
                socket.send_json({"seat": seat, "undo": line})
            else:
                action = msgspec.to_builtins(match.sample(rng))
                socket.send_json({"seat": seat, "action": action, "line": line})
            told = reader.read(len(seats))
            if count % 10 == 0 or count > 75:
                for one, guest in seats.items():
                    whole = guest.get(f"/state?since={told[one]['after']}")
                    assert told[one] == whole


def test_a_socket_for_one_seat_is_told_by_changes_and_an_old_one_whole(host: Host) -> None:
    seats = host.begin()
    with second(seats["italian"]) as new, seats["italian"].live() as old:
        reader = Reader(new)
        assert reader.read()[""] == old.receive_json()
        old.receive_people()
        for line, action in enumerate(("end", "end")):
            seats["italian"].play(action, line)
            told = old.receive_json()
            assert "change" not in told and reader.read()[""] == told


def test_another_language_comes_whole_and_changes_are_of_it(host: Host) -> None:
    seats = host.begin()
    with second(seats["italian"]) as socket:
        reader = Reader(socket)
        reader.read()
        socket.send_json({"language": "it"})
        reader.tables.clear()
        spoken = reader.read()[""]
        assert spoken == seats["italian"].get(f"/state?language=it&since={spoken['after']}")
        seats["italian"].play("end", 0)
        told = reader.read()[""]
        assert told == seats["italian"].get(f"/state?language=it&since={told['after']}")


def test_a_browser_that_is_too_slow_is_told_whole_again() -> None:
    watcher = Watcher(Place("m", "italian", "seat", "link"), "en", CHANGES)
    first, then = (b'{"line":%d,"view":{"pieces":["%b"]}}' % (line, b"x" * 100) for line in (1, 2))
    watcher.tell(first)
    assert watcher.message(then) == b'{"change":["{",{"line":["=",2]}]}'
    for _ in range(QUEUE):
        watcher.tell(then)
    assert watcher.behind and watcher.message(then) == then, "what was not sent is nothing to build on"
    watcher.clear()
    watcher.behind = False
    watcher.tell(then)
    assert watcher.queue.get_nowait() == then and watcher.queue.empty()
    old = Watcher(Place("m", "italian", "seat", "link"), "en")
    old.tell(first)
    assert old.message(then) == then


# How much it is

MOST: dict[str, tuple[int, int, int]] = {
    "isonzo": (60_000, 1_300, 5_000),
    "altipiani": (40_000, 1_500, 7_000),
    "volturno": (60_000, 1_600, 6_000),
    "caporetto": (60_000, 2_400, 9_000),
    "probe": (20_000, 1_000, 3_000),
}
"""By game the bytes, before they are packed: of the largest offer of moves, of what is told for an action in the
middle, and of nine in ten. Who makes an offer or a view grow beyond that should know why."""


def told_of(match: Match, rng: Random, actions: int) -> tuple[list[int], list[int]]:
    """Bytes of the offers of moves, and of the messages to both seats, in so many actions."""
    watchers = {seat: Watcher(Place("m", seat), "en", CHANGES) for seat in match.rules.seats}
    offers, messages = [0], []
    for count in range(actions):
        decision = match.decision
        if decision is None:
            break
        known = tables.Cached(match)
        for seat, watcher in watchers.items():
            table = tables.table(known, seat, False, "en", max(0, len(match.entries) - 1), count, packed=True)
            whole = msgspec.json.encode(table)
            if count:
                messages.append(len(watcher.message(whole)))
            watcher.sent = whole
        if decision.panel == "move":
            offers.append(len(bytes(known.offer(decision.seat, packed=True))))
        match.play(match.sample(rng))
    return offers, sorted(messages)


def test_an_action_is_told_in_few_bytes(any_game: str) -> None:
    largest, middle, most = MOST[any_game]
    offers, messages = told_of(fronte.new(any_game, seed=4), Random(4), 250)
    assert max(offers) < largest
    assert messages[len(messages) // 2] < middle
    assert messages[9 * len(messages) // 10] < most


def test_a_crowded_offer_of_moves_stays_small() -> None:
    match = fronte.new("caporetto", scenario="what_if", seed=3)
    for count in range(1000):
        assert match.decision is not None, "nobody moves here any more"
        if match.decision.panel == "move" and len(match.offer["units"]) > 60:
            break
        match.play(match.sample(Random(count)))
    assert 10_000 < len(match.offer_json()) < 60_000
