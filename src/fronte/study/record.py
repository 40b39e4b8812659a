"""One game of a study: played to its end and recorded from its events.

Nothing here knows a game. The kinds of events that are read are those that both Inferno games use, and any game that
tells its combats, losses and captures by them can be studied: `attacked`, `ratio`, `result`, `losses`, `void`,
`collapsed`, `advanced`, `reduced`, `eliminated`, `returned`, `taken`, `player_turn` and `turn`.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from fronte.ai import Seat, player
from fronte.engine import flow
from fronte.engine.decision import Action
from fronte.engine.dice import seed_bytes
from fronte.engine.event import Event
from fronte.engine.match import Match
from fronte.engine.rules import Rules
from fronte.study.plan import Plan, game_seed, ruleset_of


class Combat(msgspec.Struct, array_like=True):
    """A combat: what was declared, what the dice said against what they were expected to say, and what it cost."""

    combat: int
    turn: int
    seat: str
    target: str
    attackers: list[str]
    origins: list[str]
    defenders: list[str]
    guns: list[str]
    outcome: str = "open"
    column: str | None = None
    attack: int | None = None
    defence: int | None = None
    attack_av: int | None = None
    defence_av: int | None = None
    steps: int | None = None
    flanked: bool | None = None
    trench: bool | None = None
    terrain: str | None = None
    crt: int | None = None
    lrt: int | None = None
    attack_retreat: int | None = None
    defence_retreat: int | None = None
    attack_loss: int | None = None
    defence_loss: int | None = None
    attack_retreat_expected: float | None = None
    defence_retreat_expected: float | None = None
    attack_loss_expected: float | None = None
    defence_loss_expected: float | None = None
    attack_steps_lost: int = 0
    defence_steps_lost: int = 0
    attack_units_lost: int = 0
    defence_units_lost: int = 0
    advanced: bool = False


RATIO = ("column", "attack", "defence", "attack_av", "defence_av", "steps", "flanked", "trench", "terrain")
"""What the event `ratio` says of a combat."""


class Loss(msgspec.Struct, array_like=True, frozen=True):
    """Steps that a unit lost, in a combat or otherwise; `eliminated` if it left play."""

    turn: int
    seat: str
    unit: str
    hex: str
    steps: int
    eliminated: bool
    combat: int | None


class Change(msgspec.Struct, array_like=True, frozen=True):
    """A hex that changed hands."""

    turn: int
    hex: str
    seat: str


class Turn(msgspec.Struct, array_like=True, frozen=True):
    """How a side stood at the end of a turn, and what the turn had cost it. The score is the game's, for both sides."""

    turn: int
    seat: str
    score: int
    hexes: int
    objectives: int
    attacks: int
    units_lost: int
    steps_lost: int


class Game(msgspec.Struct, array_like=True, frozen=True):
    """A game as a whole."""

    seed: int
    scenario: str
    players: list[str]
    level: str
    winner: str | None
    score: int
    ended_by: list[str]
    """The rules that made an end of it."""
    first_turn: int
    last_turn: int
    actions: int
    combats: int


class Played(msgspec.Struct, array_like=True, frozen=True):
    """A finished game with everything in it."""

    variant: int
    game: int
    whole: Game
    combats: list[Combat]
    losses: list[Loss]
    control: list[Change]
    turns: list[Turn]


class Recorder:
    """Reads the events of one match as they come."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.rules: Any = match.rules
        self.worth = match.rules.setting.objectives
        self.owner: dict[str, str] = {}
        self.steps: dict[str, int] = {}
        self.holder = first_holders(match)
        for seat in self.rules.seats:
            for piece in match.view(seat).own():
                self.owner[piece.id] = seat
                self.steps[piece.id] = int(piece.values["steps"])
        self.combats: list[Combat] = []
        self.losses: list[Loss] = []
        self.control: list[Change] = []
        self.turns: list[Turn] = []
        self.turn = 0
        self.open: Combat | None = None
        self.declared = ""
        """The kind of decision by which combats are declared: when it is owed again, the last combat is over."""
        self.read: dict[str, Callable[[dict[str, Any]], None]] = {
            "begins": self._turn_begins,
            "player_turn": self._turn_begins,
            "turn": self._turn_ends,
            "attacked": self._attacked,
            "ratio": self._ratio,
            "result": self._result,
            "losses": self._losses,
            "void": lambda data: self._outcome("void"),
            "collapsed": lambda data: self._outcome("collapsed"),
            "advanced": self._advanced,
            "reduced": self._reduced,
            "eliminated": self._eliminated,
            "returned": self._returned,
            "taken": self._taken,
        }
        self.watch(match.events)
        self.first_turn = self.turn

    def watch(self, events: Sequence[Event]) -> None:
        """Read events in their order."""
        read = self.read
        for event in events:
            if event.kind in read:
                read[event.kind](event.data)

    def played(self, kind: str, action: Action, before: Any, events: Sequence[Event]) -> None:
        """An action was played, answering a decision of this kind; `before` is the state that it was played in."""
        if kind == self.declared:
            self.open = None
        self.watch(events)
        if any(event.kind == "declared" for event in events):
            self.declared = kind
        if any(event.kind == "result" for event in events):
            self._expect(before, action)

    def _expect(self, before: Any, action: Action) -> None:
        """What the dice of a combat were expected to say: the action once more, up to the throw."""
        rules = self.match.rules
        flow.act(rules, before, action, [])
        forecast = rules.forecast(before)
        if self.open is not None and forecast is not None and forecast.of:
            for row in forecast.rows:
                who = "attack" if row.who == self.open.seat else "defence"
                setattr(self.open, f"{who}_{row.what}_expected", round(row.mean, 6))

    # Turns

    def _turn_begins(self, data: dict[str, Any]) -> None:
        self.turn = data["turn"]

    def _turn_ends(self, data: dict[str, Any]) -> None:
        self.close_turn()
        self.turn = data["turn"]

    def close_turn(self) -> None:
        """Note how both sides stand. What follows at once by itself (supply) is in the score already."""
        score = self.match.view(self.rules.seats[0]).track("score")
        for seat in self.rules.seats:
            held = [name for name, holder in self.holder.items() if holder == seat]
            lost = [loss for loss in self.losses if loss.turn == self.turn and loss.seat == seat]
            row = Turn(
                turn=self.turn,
                seat=seat,
                score=score,
                hexes=len(held),
                objectives=sum(self.worth.get(name, 0) for name in held),
                attacks=sum(combat.turn == self.turn and combat.seat == seat for combat in self.combats),
                units_lost=sum(loss.eliminated for loss in lost),
                steps_lost=sum(loss.steps for loss in lost),
            )
            self.turns.append(row)

    # Combats

    def _attacked(self, data: dict[str, Any]) -> None:
        attackers = data["attackers"]
        self.open = Combat(
            combat=len(self.combats),
            turn=self.turn,
            seat=self.owner[attackers[0]["id"]],
            target=data["target"],
            attackers=[unit["id"] for unit in attackers],
            origins=list(dict.fromkeys(unit["hex"] for unit in attackers)),
            defenders=[unit["id"] for unit in data["defenders"]],
            guns=list(data["guns"]),
        )
        self.combats.append(self.open)

    def _ratio(self, data: dict[str, Any]) -> None:
        if self.open is not None:
            for name in RATIO:
                setattr(self.open, name, data[name])

    def _result(self, data: dict[str, Any]) -> None:
        combat = self.open
        if combat is not None:
            combat.outcome, combat.crt, combat.lrt = "fought", data["crt"], data["lrt"]
            combat.attack_retreat = data["attacker"]["retreat"]
            combat.defence_retreat = data["defender"]["retreat"]

    def _losses(self, data: dict[str, Any]) -> None:
        if self.open is not None:
            side = "attack" if data["side"] == self.open.seat else "defence"
            setattr(self.open, f"{side}_loss", data["reductions"])

    def _outcome(self, outcome: str) -> None:
        if self.open is not None:
            self.open.outcome = outcome

    def _advanced(self, data: dict[str, Any]) -> None:
        if self.open is not None:
            self.open.advanced = True

    # Losses and captures

    def _reduced(self, data: dict[str, Any]) -> None:
        if data["steps"]:  # at none the unit is eliminated, which comes next
            self._lose(data["unit"], data["hex"], data["steps"], eliminated=False)

    def _eliminated(self, data: dict[str, Any]) -> None:
        self._lose(data["unit"], data["hex"], 0, eliminated=True)

    def _lose(self, unit: str, where: str, left: int, eliminated: bool) -> None:
        lost = self.steps[unit] - left
        if not lost and not eliminated:
            return
        self.steps[unit] = left
        seat, combat = self.owner[unit], self.open
        number = combat.combat if combat is not None else None
        self.losses.append(Loss(self.turn, seat, unit, where, lost, eliminated, number))
        if combat is None:
            return
        if seat == combat.seat:
            combat.attack_steps_lost += lost
            combat.attack_units_lost += eliminated
        else:
            combat.defence_steps_lost += lost
            combat.defence_units_lost += eliminated

    def _returned(self, data: dict[str, Any]) -> None:
        """A unit comes back into play, as its owner now sees it."""
        name = data["unit"]
        piece = self.match.view(self.owner[name]).piece(name)
        assert piece is not None
        self.steps[name] = int(piece.values["steps"])

    def _taken(self, data: dict[str, Any]) -> None:
        self.holder[data["hex"]] = data["side"]
        self.control.append(Change(self.turn, data["hex"], data["side"]))


def first_holders(match: Match) -> dict[str, str]:
    """Who holds each hex now."""
    control = match.rules.common(match.state).control
    return {name: force for force, hexes in control.items() for name in hexes}


def play_game(rules: Rules[Any], players: Sequence[str], seed: int, variant: int = 0, game: int = 0) -> Played:
    """Play a game to its end and record it."""
    match = Match.begin(rules, seed_bytes(seed))
    hands = [
        (player(name, f"{seed} {seat}"), Seat(match, seat)) for name, seat in zip(players, rules.seats, strict=True)
    ]
    recorder = Recorder(match)
    while match.seat >= 0:
        decide, seat = hands[match.seat]
        action = decide(seat)
        kind, before = match.state.frames[-1].name, match.state.copy()
        recorder.played(kind, action, before, match.play(action))
    recorder.close_turn()
    result = match.result
    assert result is not None
    whole = Game(
        seed=seed,
        scenario=rules.header.scenario,
        players=list(players),
        level=result.level,
        winner=result.winner,
        score=result.score,
        ended_by=list(result.rules),
        first_turn=recorder.first_turn,
        last_turn=recorder.turn,
        actions=len(match.entries),
        combats=len(recorder.combats),
    )
    return Played(variant, game, whole, recorder.combats, recorder.losses, recorder.control, recorder.turns)


# What a worker does


@lru_cache(maxsize=4)
def _plan(raw: bytes) -> Plan:
    return msgspec.json.decode(raw, type=Plan)


def play_job(raw: bytes, variant: int, game: int) -> bytes:
    """Play one game of a plan; its record, packed. Nothing but the arguments decides what comes of it."""
    plan = _plan(raw)
    chosen = plan.variants[variant]
    rules = ruleset_of(plan.game, chosen)
    if (rules.header.pack, rules.header.rules) != (chosen.pack, chosen.rules):
        raise ValueError(f"a worker has other rules or data than the study: {rules.header.pack}, not {chosen.pack}")
    played = play_game(rules, chosen.players, game_seed(plan.seed, game), variant, game)
    return zlib.compress(msgspec.msgpack.encode(played))


def unpack(record: bytes) -> Played:
    """The game of a packed record."""
    return msgspec.msgpack.decode(zlib.decompress(record), type=Played)
