"""One game of Caporetto in a study: read from its events and its state, without a view for every action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, cast

import msgspec

from fronte.engine.event import Event
from fronte.engine.rules import Result
from fronte.games.caporetto import losses, victory
from fronte.games.caporetto.game import Caporetto
from fronte.games.caporetto.scenarios import MAJORITY
from fronte.games.caporetto.state import State
from fronte.hexes import bits
from fronte.study import record
from fronte.study.caporetto.rows import Act, Assault, Bridge, Fire, Game, Loss, Turn
from fronte.study.rows import Change
from fronte.study.throws import Fallen

DEAD, PRISONER, ROUTED = "dead", "prisoner", "routed"
"""How a unit comes to lose steps."""
BOMBARDMENT, PREPARATION, BLOW, GAS, MINES = "bombardment", "preparation", "blow", "gas", "mines"


class Recorder(record.Recorder):
    """Reads the events of one match as they come, and looks who holds what."""

    rows: ClassVar[dict[str, type[msgspec.Struct]]] = record.Recorder.rows | {
        "games": Game,
        "turns": Turn,
        "losses": Loss,
        "fires": Fire,
        "assaults": Assault,
        "acts": Act,
        "bridges": Bridge,
    }

    def begin(self) -> None:
        self.game = cast(Caporetto, self.rules)
        self.forces = self.game.scene.forces
        self.control = list(self.state.control)
        self.gas: set[int] = set()
        """24.12: the hexes in which gas was laid; what has gone off is no longer on the state."""
        self.acting = False
        """Has a formation acted in this turn? Guns that fire before prepare the attack."""
        self.wave: dict[str, Any] = {}
        self._count_steps()
        self.read: dict[str, Callable[[Event, dict[str, Any]], None]] = {
            "turn": self._turn,
            "step_lost": self._step_lost,
            "eliminated": lambda event, data: self._gone(data, DEAD),
            "surrendered": lambda event, data: self._gone(data, PRISONER),
            "routed": lambda event, data: self._gone(data, ROUTED),
            "detached": lambda event, data: self._count_steps(),
            "absorbed": lambda event, data: self._count_steps(),
            "fired": self._fired,
            "assault": self._assault,
            "assault_result": self._assault_result,
            "acts": self._acts,
            "bridge_blown": lambda event, data: self._bridge(event, data, blown=True),
            "bridge_ready": lambda event, data: self._bridge(event, data, blown=False),
        }
        self.follow("", self.match.events, ())

    @property
    def state(self) -> State:
        """The state as it is now."""
        return cast(State, self.match.state)

    def follow(self, kind: str, events: Sequence[Event], thrown: Sequence[Fallen]) -> None:
        self.gas.update(self.state.gas)
        read = self.read
        for event in events:
            if event.kind in read:
                read[event.kind](event, event.data)
        self._read_ground()

    def whole(self, seed: int, players: Sequence[str], result: Result) -> msgspec.Struct:
        merits = [self.rules.merit(result, seat) for seat in range(len(self.rules.seats))]
        return Game(**self.course(seed, players, result), merits=merits)

    # Turns

    def _turn(self, event: Event, data: dict[str, Any]) -> None:
        if data["turn"] != self.turn:
            self._read_ground()
            self.close_turn()
            self.turn, self.acting = data["turn"], False

    def close_turn(self) -> None:
        game, state, tables = self.game, self.state, self.tables
        for force, name in enumerate(self.forces):
            held = state.control[force]
            lost = [one for one in tables["losses"] if one.turn == self.turn and one.force == name]
            waves = [one for one in tables["assaults"] if one.turn == self.turn and one.force == name]
            row = Turn(
                turn=self.turn,
                seat=self.rules.seats[game.scene.seat_of[force]],
                force=name,
                points=self._points(force),
                pieces=sum(state.at[unit] >= 0 for unit in bits(game.of_force[force] & ~game.hqs)),
                hexes=held.bit_count(),
                objectives=sum(vp for h, vp in game.scene.objectives.items() if held >> h & 1),
                dead=sum(one.steps for one in lost if one.how != PRISONER),
                prisoners=sum(one.steps for one in lost if one.how == PRISONER),
                acted=sum(one.turn == self.turn and one.force == name for one in tables["acts"]),
                assaults=len(waves),
                won=sum(one.won for one in waves),
            )
            tables["turns"].append(row)
        self.read_tracks(self.rules.public_view(state))

    def _points(self, force: int) -> int | None:
        """23.1, 26.3: the victory points of a force of the AHG."""
        if force not in victory.attackers(self.game):
            return None
        if self.game.scene.victory == MAJORITY:
            return victory.majority(self.game, self.state)
        return victory.account(self.game, self.state, force).total

    def _read_ground(self) -> None:
        """23.1: who holds what now."""
        state = self.state
        if state.control == self.control:
            return
        for force, held in enumerate(state.control):
            for h in bits(held & ~self.control[force] & self.game.ground.extent):  # not where reinforcements gather
                name = self.game.grid.ids[h]
                self.holder[name] = self.forces[force]
                self.tables["control"].append(Change(self.turn, name, self.forces[force]))
        self.control = list(state.control)

    # Losses

    def _count_steps(self) -> None:
        """16.1, 21.10: how many steps everybody has."""
        game, state = self.game, self.state
        self.steps = {name: losses.steps_left(game, state, unit) for unit, name in enumerate(game.ids)}

    def _force(self, unit: int) -> str:
        return self.forces[self.game.force[unit]]

    def _lose(self, name: str, where: str | None, steps: int, how: str, gone: bool) -> None:
        game, unit = self.game, self.game.number[name]
        formation = game.formation_of[unit]
        row = Loss(
            turn=self.turn,
            seat=self.rules.seats[game.scene.seat_of[game.force[unit]]],
            force=self._force(unit),
            piece=name,
            formation=game.formations[formation].id if formation >= 0 else None,
            hex=where,
            steps=steps,
            how=how,
            gone=gone,
        )
        self.tables["losses"].append(row)

    def _step_lost(self, event: Event, data: dict[str, Any]) -> None:
        name, left = data["unit"], int(data["left"])
        lost, self.steps[name] = self.steps[name] - left, left
        at = self.state.at[self.game.number[name]]  # who fell later in the same action stands nowhere
        self._lose(name, self.game.hex_id(at) if at >= 0 else None, lost, DEAD, gone=False)

    def _gone(self, data: dict[str, Any], how: str) -> None:
        """16.1, 23.1.losses: the steps that it had; of who has surrendered those that count."""
        name = data["unit"]
        steps, self.steps[name] = self.steps[name], 0
        if how == PRISONER:
            steps = losses.surrender_steps(self.game, self.state, self.game.number[name])
        self._lose(name, data["hex"], steps, how, gone=True)

    # What was done

    def _fired(self, event: Event, data: dict[str, Any]) -> None:
        kind, where, units = str(data["fire"]), data["hex"], data["units"]
        if kind == BOMBARDMENT and not self.acting:
            kind = PREPARATION
        elif kind == BLOW:
            kind = GAS if self.game.grid.index[where] in self.gas else MINES
        force = self._force(self.game.number[units[0]]) if units else None
        told = (data["points"], data["steps"], bool(data["suppressed"]))
        self.tables["fires"].append(Fire(self.turn, kind, where, force, len(units), *told))

    def _assault(self, event: Event, data: dict[str, Any]) -> None:
        self.wave = data

    def _assault_result(self, event: Event, data: dict[str, Any]) -> None:
        if not self.wave:
            return
        wave, self.wave = self.wave, {}
        force = self._force(self.game.number[wave["wave"][0]])
        row = Assault(self.turn, force, wave["hex"], bool(wave["counter"]), wave["column"], bool(data["won"]))
        self.tables["assaults"].append(row)

    def _acts(self, event: Event, data: dict[str, Any]) -> None:
        self.acting = True
        self.tables["acts"].append(Act(self.turn, data["side"], data["formation"], data["kind"]))

    def _bridge(self, event: Event, data: dict[str, Any], blown: bool) -> None:
        rule = event.rules[0] if event.rules else ""
        self.tables["bridges"].append(Bridge(self.turn, "/".join(data["hexes"]), blown, rule))


RECORDER = Recorder
