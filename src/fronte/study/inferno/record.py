"""One Inferno game of a study: combats, losses of steps and captures, read from its events.

Both games tell them by the same kinds of events: `attacked`, `ratio`, `result`, `losses`, `void`, `collapsed`,
`advanced`, `reduced`, `eliminated`, `returned`, `taken`, `player_turn` and `turn`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import msgspec

from fronte.engine.event import Event
from fronte.engine.rules import Result
from fronte.engine.sheet import Sheet
from fronte.study import record
from fronte.study.inferno.rows import RATIO, Change, Combat, Game, Hex, Loss, Turn
from fronte.study.throws import Fallen


class Recorder(record.Recorder):
    """Reads the events of one match as they come."""

    rows: ClassVar[dict[str, type[msgspec.Struct]]] = record.Recorder.rows | {
        "games": Game,
        "combats": Combat,
        "losses": Loss,
        "control": Change,
        "turns": Turn,
        "hexes": Hex,
    }

    def begin(self) -> None:
        self.owner: dict[str, str] = {}
        self.steps: dict[str, int] = {}
        for seat in self.rules.seats:
            for piece in self.match.view(seat).own():
                self.owner[piece.id] = seat
                self.steps[piece.id] = int(piece.values["steps"])
        self.combats: list[Combat] = self.tables["combats"]
        self.losses: list[Loss] = self.tables["losses"]
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
        self.watch(self.match.events)

    def watch(self, events: Sequence[Event]) -> None:
        """Read events in their order."""
        read = self.read
        for event in events:
            if event.kind in read:
                read[event.kind](event.data)

    def follow(self, kind: str, events: Sequence[Event], thrown: Sequence[Fallen]) -> None:
        if kind == self.declared:
            self.open = None
        self.watch(events)
        if any(event.kind == "declared" for event in events):
            self.declared = kind
        if any(event.kind == "result" for event in events):
            self._expect(thrown[0].sheet)

    def _expect(self, forecast: Sheet | None) -> None:
        """What the dice of a combat were expected to say."""
        if self.open is not None and forecast is not None and forecast.of:
            for row in forecast.rows:
                who = "attack" if row.who == self.open.seat else "defence"
                setattr(self.open, f"{who}_{row.what}_expected", round(row.mean, 6))

    def whole(self, seed: int, players: Sequence[str], result: Result) -> msgspec.Struct:
        return Game(**self.course(seed, players, result), combats=len(self.combats))

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
            self.tables["turns"].append(row)
        self.read_tracks(self.rules.public_view(self.match.state))

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
        self.tables["control"].append(Change(self.turn, data["hex"], data["side"]))


RECORDER = Recorder
