"""Nothing that reaches a browser says what its seat may not know: checked on the wire, over HTTP and websocket."""

from __future__ import annotations

import json
import os
from random import Random
from typing import Any

import msgspec
import pytest
from every import PROBE, every_game
from hosts import Guest, Host

import fronte
from fronte.games.registry import seats_of
from fronte.server.matches import forced_steps, tables

SEEDS = range(1, 30) if os.environ.get("FRONTE_NIGHTLY") else (1,)
LINES = 150
COMBAT = ("attacked", "withheld", "supported", "retreated", "cannot_retreat", "advanced", "eliminated", "collapsed")
"""What happens in a combat names those who fight in it (5.4.b), who are hidden again when it is over."""


def words(data: Any) -> set[str]:
    """All strings in a piece of data."""
    if isinstance(data, str):
        return {data}
    if isinstance(data, dict):
        data = [*data, *data.values()]
    return set().union(*map(words, data)) if isinstance(data, list) else set()


class Listener:
    """A browser of one seat that looks at everything it is sent."""

    def __init__(self, host: Host, guest: Guest, seat: str) -> None:
        self.guest, self.seat = guest, seat
        rules = host.match(guest.match).rules
        names, forces = rules.texts("en").names, rules.setting.forces
        self.enemies = {unit for unit, force in names.side.items() if forces[force] != seat}
        own = {name for unit, name in names.unit.items() if unit not in self.enemies}
        self.names = {names.unit[unit]: unit for unit in sorted(self.enemies) if names.unit[unit] not in own}
        for part in [name for name in self.names if any(f"{name} " in f"{other} " for other in {*self.names} - {name})]:
            del self.names[part]  # it is part of a longer name
        self.seen: set[str] = set()
        self.known: set[str] = set()
        """All units that the seat has ever seen."""
        self.heard = 0

    def hear(self, text: str) -> None:
        """Check a message."""
        message = json.loads(text)
        if "view" not in message:
            assert not words(message) & (self.enemies - self.seen), message
            return
        now = words(message["view"]) & self.enemies
        listed = {piece.get("id", "") for piece in message["view"]["pieces"] if not piece.get("mine")}
        pontoons = {sign["piece"] for sign in message["view"].get("signs", ()) if sign["kind"] == "pontoon"}
        battle = words(message["view"]["family"].get("battle")) | pontoons
        fought = words([event["data"] for event in message["events"] if event["kind"] in COMBAT]) & self.enemies
        self.known |= listed | (battle & self.enemies) | fought
        assert now <= self.known, "the view names a unit that was never seen"
        assert now <= listed | battle, "the view names a unit that it hides"
        rest = {name: part for name, part in message.items() if name not in ("view", "events")}
        assert words(rest) & self.enemies <= now, "an offer or a question names a unit that is not seen"
        for event in message["events"]:
            assert words(event["data"]) & self.enemies <= now | self.seen | fought, event
            for name, unit in self.names.items():
                if f" {name} " in f" {event['text']} ":
                    assert unit in now | self.seen | fought, event
        self.seen = now
        self.heard += 1


@pytest.mark.costly
@every_game
def test_no_message_names_a_hidden_unit(host: Host, game: str) -> None:
    for seed in SEEDS:
        seats = host.begin(game=game, seed=seed)
        sitting = seats_of(game)
        name = seats[sitting[0]].match
        for seat in sitting:
            seats[seat].get("/state")
        rng = Random(seed)
        listeners = {seat: Listener(host, seats[seat], seat) for seat in sitting}
        over_http = {seat: Listener(host, seats[seat], seat) for seat in sitting}
        with seats[sitting[0]].live(since=-1) as first, seats[sitting[1]].live(since=-1) as second:
            sockets = dict(zip(sitting, (first, second), strict=True))
            for seat in sitting:
                over_http[seat].known = listeners[seat].known
                text = sockets[seat].receive_text()
                over_http[seat].seen = words(json.loads(text)["view"]) & over_http[seat].enemies
                listeners[seat].hear(text)
            for _ in range(LINES):
                match = host.match(name)
                if match.decision is None:
                    break
                seat, action = match.decision.seat, msgspec.to_builtins(match.sample(rng))
                sockets[seat].send_json({"action": action, "line": len(match.entries)})
                line = len(match.entries)
                for seat in sitting:
                    listeners[seat].hear(sockets[seat].receive_text())
                    if line % 5 == 0:
                        answer = host.client.get(f"{seats[seat].path}/state", headers=seats[seat].headers)
                        over_http[seat].hear(answer.text)
        played = min(LINES, len(host.match(name).entries))
        assert min(listener.heard for listener in listeners.values()) > played - 20 > 0
        for seat in sitting:
            log = seats[seat].get("/events")["events"]
            assert log == tables_of(host, name, seat)


def tables_of(host: Host, name: str, seat: str) -> Any:
    """The events as the engine lets a seat see them."""
    match = host.match(name)
    index = match.rules.seat_index(seat)
    told = json.loads(msgspec.json.encode(tables.events(match, seat, "en", -1, len(match.entries))))
    seen = [event.to(index) for event in match.events]
    assert [e["kind"] for e in told] == [e.kind for e in seen if e]
    assert [e["data"] for e in told] == json.loads(msgspec.json.encode([e.data for e in seen if e]))
    return told


def probes(host: Host, guest: Guest, rng: Random) -> list[str]:
    """Everything that a seat can be told now, and what it gets when it feels its way with guesses."""
    rules: Any = host.match(guest.match).rules
    decides = host.match(guest.match).rules.seats[host.match(guest.match).seat] == guest_seat(guest)
    answers = [host.client.get(guest.path + "/state?since=-1", headers=guest.headers).text]
    with guest.live() as socket:
        answers.append(socket.receive_text())
    answers += [host.client.get(guest.path + path, headers=guest.headers).text for path in ("/idle", "/outlook")]
    units = rng.sample(sorted(rules.texts("en").names.unit), 4)
    hexes = rng.sample(rules.grid.ids, 4)
    for unit, h in zip(units, hexes, strict=True):
        for action in guesses(rules.header.game, unit, h):
            answers.append(json.dumps(guest.post("/why", {"action": action})))
            if decides:
                answers.append(_raw(host, guest, "/odds", {"action": action}))
                answers.append(_raw(host, guest, "/odds/many", {"actions": [action]}))
        if decides:
            answers.append(_raw(host, guest, "/path", {"unit": unit, "via": [h]}))
        for name in rules.capabilities.overlays:
            answers.append(host.client.get(f"{guest.path}/overlays/{name}?piece={unit}", headers=guest.headers).text)
        answers.append(host.client.get(f"{guest.path}/cards?piece={unit}", headers=guest.headers).text)
        answers.append(host.client.get(f"{guest.path}/whynot?piece={unit}&hex={h}", headers=guest.headers).text)
    return answers


def guesses(game: str, unit: str, h: str) -> list[dict[str, Any]]:
    """Actions by which one might feel for something in a hex."""
    if game == PROBE:
        return [
            {"do": "march", "unit": unit, "path": [h]},
            {"do": "fire", "unit": unit, "target": h},
            {"do": "detach", "unit": unit, "to": h},
            {"do": "shoot", "unit": unit},
        ]
    return [
        {"do": "move", "unit": unit, "path": [h]},
        {"do": "attack", "target": h, "units": [unit]},
        {"do": "recover", "unit": unit},
        {"do": "show", "unit": unit},
        {"do": "end", "keep": [unit]},
    ]


def guest_seat(guest: Guest) -> str:
    return str(guest.get()["you"])


def _raw(host: Host, guest: Guest, what: str, body: Any) -> str:
    return host.client.post(guest.path + what, json=body, headers=guest.headers).text


@pytest.mark.costly
@every_game
def test_what_is_hidden_changes_no_byte(host: Host, game: str) -> None:
    compared = changed = 0
    for seed in range(1, 30):
        if seed not in SEEDS and compared > 20 and changed > 15:  # a game that is soon over is played more than once
            break
        seats = host.begin(game=game, seed=seed)
        sitting = seats_of(game)
        name = seats[sitting[0]].match
        seats[sitting[0]].get("/state")
        rng = Random(seed)
        for line in range(200):
            match = host.match(name)
            if match.decision is None:
                break
            if line % 16 == 0 and "battle" not in match.view(sitting[0]).family:
                for seat in sitting:
                    live = host.server.matches.live[name]
                    before = match.state
                    guessed = rng.randrange(2**32)
                    told = probes(host, seats[seat], Random(guessed))
                    match.state = match.rules.shuffle_hidden(before, match.rules.seat_index(seat), rng)
                    changed += match.rules.to_position(match.state) != match.rules.to_position(before)
                    live.cached = tables.Cached(match)
                    assert probes(host, seats[seat], Random(guessed)) == told
                    match.state = before
                    live.cached = tables.Cached(match)
                    compared += 1
            match.play(match.sample(rng))  # beside the record, which is not what is proved here
            live = host.server.matches.live[name]
            live.cached = tables.Cached(match)
    assert compared > 20 and changed > 15


def with_hidden_gun(where: str) -> dict[str, Any]:
    """A position in which the Italians may attack 0910; the only Austro-Hungarian gun lies hidden in this hex."""
    rules: Any = fronte.ruleset("isonzo", "historical")
    placed: dict[str, Any] = {name: {"at": "eliminated"} for name in rules.ids}
    placed |= {"it-caltanissetta": {"at": "0811"}, "it-alessandria": {"at": "0911"}, "ah-art-24-1": {"at": where}}
    placed |= {"ah-lst-a": {"at": "0910"}, "ah-lst-b": {"at": "0908"}, "ah-lst-c": {"at": "1303"}}
    start = {"turn": 3, "active": "italian", "phase": "combat"}
    position: dict[str, Any] = rules.to_position(rules.case_state(placed, start))
    return position


def test_a_hidden_gun_in_range_changes_nothing_on_the_wire(host: Host) -> None:
    """Being asked is telling: message by message the attacker is told the same, also that the other is asked."""
    attack = {"do": "attack", "target": "0910", "units": ["it-caltanissetta", "it-alessandria"]}
    heard: list[list[Any]] = []
    answers = []
    for where in ("0908", "1303"):
        seats = host.begin(position=with_hidden_gun(where), seed=5)
        with seats["italian"].live(since=-1) as socket:
            messages = [socket.receive_json()]
            seats["italian"].play(attack)
            messages.append(socket.receive_json())
            answers.append(seats["ah"].get("/state")["offer"]["pieces"])
            seats["ah"].play({"do": "support"})
            messages.append(socket.receive_json())
        heard.append(messages)
    assert answers == [["ah-art-24-1"], []]
    assert [message["decision"]["kind"] for message in heard[0][:2]] == ["combat", "support"]
    assert heard[0] == heard[1]


def test_a_formality_goes_by_itself_only_where_no_person_could_learn_from_it(host: Host) -> None:
    attack = {"do": "attack", "target": "0910", "units": ["it-caltanissetta", "it-alessandria"]}
    for where, formal in (("0908", False), ("1303", True)):
        match = fronte.position("isonzo", with_hidden_gun(where), seed=5)
        match.play(attack)
        assert match.seat == 1 and (match.formality() is not None) is formal
        forced_steps.settle(match, 0, [])
        assert match.state.frames[-1].name == "support", "against a person it is asked"
        forced_steps.settle(match, 0, [], ["italian"])
        assert match.state.frames[-1].name == "support", "that seat does not owe it"
        forced_steps.settle(match, 0, [], ["ah"])
        assert (match.state.frames[-1].name == "support") is not formal
    people = {"italian": "human", "ah": "human"}
    for seats, alone in ((people, []), (people | {"italian": "random"}, ["ah"])):
        opened = host.begin(seats=seats)
        guest = opened["ah"]
        guest.get("/state")
        assert host.server.matches.live[guest.match].alone() == alone


def test_odds_count_what_the_seat_was_shown(host: Host) -> None:
    """Whom a combat has shown and who must still lie there: also in a match that was read from its record."""
    match, rng = fronte.new("isonzo", seed=0), Random(0)
    while len(match.entries) < 78:
        match.play(match.sample(rng))
    attack = {"do": "attack", "target": "1307", "units": ["it-pescara"], "guns": []}
    opened = host.client.post("/api/matches/upload?seats=italian:human,ah:human", content=match.save()).json()
    guest = Guest(host, opened["id"], opened["tokens"]["italian"])
    told = guest.post("/odds?language=it", {"action": attack})
    assert told["recalled"] == ["a memoria, dal turno 2: 7 GEBIRG"]
    assert guest.post("/odds", {"action": attack})["recalled"] == ["remembered from turn 2: 7 GEBIRG"]
    assert match.odds(attack).recalled == (), "who was not asked to remember does not"
