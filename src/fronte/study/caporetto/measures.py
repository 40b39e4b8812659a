"""What the games of each variant of Caporetto come to: points, places beside history, losses, fire, bridges."""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cached_property
from importlib.resources import files
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from fronte.games.caporetto import victory
from fronte.games.caporetto.game import Caporetto
from fronte.study import measures
from fronte.study.caporetto.record import DEAD, PRISONER, ROUTED
from fronte.study.front import Sides, front_line, in_most
from fronte.study.history import Fit, fits_of, read_dates
from fronte.study.measures import Measure, per_game
from fronte.study.objectives import Dates, Objective
from fronte.study.statistics import Numbers
from fronte.study.words import Words

HISTORY = files("fronte.study.caporetto") / "data" / "history.toml"
HOW = (DEAD, PRISONER, ROUTED)


class Lost(NamedTuple):
    """What a formation loses per game, in steps, by how."""

    formation: str
    force: str
    steps: tuple[float, ...]


class Fires(NamedTuple):
    """A kind of fire, per game: how often, points of disorganisation given, steps taken, units suppressed."""

    kind: str
    times: float
    points: float
    steps: float
    suppressed: float


class Blown(NamedTuple):
    """A bridge: in which share of the games it was blown, and in the median when."""

    bridge: str
    share: float
    turn: float


class Sample(measures.Sample):
    """The games of one variant of Caporetto."""

    turn_columns: ClassVar[tuple[str, ...]] = (
        *("points", "pieces", "hexes", "objectives", "dead", "prisoners", "acted", "assaults", "won"),
    )

    @cached_property
    def game(self) -> Caporetto:
        """The rules."""
        return cast(Caporetto, self.rules)

    @cached_property
    def attackers(self) -> tuple[str, ...]:
        """The forces of the 14th Army, which alone make points."""
        return tuple(self.game.scene.forces[force] for force in victory.attackers(self.game))

    def counted(self, words: Words) -> list[Measure]:
        found = self.results(words)
        for column, key in (("dead", "m_dead"), ("prisoners", "m_prisoners"), ("assaults", "m_assaults")):
            found += [Measure(words(key, side=words.seat(one)), self.lost(column, one)) for one in self.sides]
        return [*found, Measure(words("m_turns"), self.last_turn)]

    # Ground

    @cached_property
    def held(self) -> NDArray[np.bool_]:
        """By turn, game and hex: does the 14th Army hold it at the end of the turn?"""
        return self.ground("force", self.attackers)

    def front(self, row: int | None) -> Sides:
        """The hexsides between what either side holds in most games at the end of a turn; None: at the start."""
        start = [force in self.attackers for force in self.board["force"]]
        return front_line(self.rules.grid, self.board["hex"], start if row is None else in_most(self.held[row]))

    @cached_property
    def history(self) -> dict[str, Any]:
        """What is known of these days, where the scenario is about all of them."""
        told = tomllib.loads(HISTORY.read_text(encoding="utf-8"))
        return told if self.variant.scenario in told["scenarios"] else {}

    @cached_property
    def dates(self) -> dict[str, Dates]:
        """When places fell in history."""
        return read_dates(self.history.get("places", {}))

    @cached_property
    def places(self) -> list[Objective]:
        """Whatever counts, and what history tells of: by who holds it at the start and how often it falls."""
        board, found = self.board, []
        for n, (name, worth) in enumerate(zip(board["hex"], board["objective"], strict=True)):
            if worth or name in self.dates:
                begins = board["force"][n] in self.attackers
                found.append(Objective(name, board["name"][n], worth, board["force"][n], self.held[:, :, n] != begins))
        order = {force: k for k, force in enumerate(self.sides)}
        return sorted(found, key=lambda one: (order.get(one.seat, -1), -one.fallen[-1].mean(), one.hex))

    @cached_property
    def fits(self) -> list[Fit]:
        """For each place of history how well the games agree with it."""
        return fits_of(self.places, self.dates, self.turns)

    # Losses

    def loss_map(self, side: str) -> dict[str, float]:
        """Steps that a side loses per game, by the hex where it loses them."""
        rows = self._columns("losses")
        every = zip(rows["hex"], rows["force"], rows["steps"], strict=True)
        mine = [(where, steps) for where, force, steps in every if force == side and where]
        return per_game([where for where, _ in mine], [steps for _, steps in mine], self.games)

    def pieces_lost(self, side: str) -> list[tuple[str, float]]:
        """How often each piece of a side is lost, most often first."""
        rows = self._columns("losses")
        every = zip(rows["piece"], rows["force"], rows["gone"], strict=True)
        found = per_game([piece for piece, force, gone in every if force == side and gone], None, self.games)
        return sorted(found.items(), key=lambda item: (-item[1], item[0]))

    def formations_lost(self, side: str) -> list[Lost]:
        """What each formation of a side loses per game, the most first."""
        rows = self._columns("losses")
        found: dict[str, list[float]] = {}
        for name, force, steps, how in zip(rows["formation"], rows["force"], rows["steps"], rows["how"], strict=True):
            if force == side and name is not None:
                found.setdefault(name, [0.0] * len(HOW))[HOW.index(how)] += steps / self.games
        made = [Lost(name, side, tuple(steps)) for name, steps in found.items()]
        return sorted(made, key=lambda one: (-sum(one.steps), one.formation))

    # Fire and bridges

    @cached_property
    def fires(self) -> list[Fires]:
        """The kinds of fire, the most frequent first."""
        rows = self._columns("fires")
        found: dict[str, list[float]] = {}
        columns = ("kind", "units", "points", "steps", "suppressed")
        for kind, units, points, steps, suppressed in zip(*(rows[name] for name in columns), strict=True):
            one = found.setdefault(kind, [0.0] * 4)
            for k, more in enumerate((1, units * points, steps, units * suppressed)):
                one[k] += more / self.games
        made = [Fires(kind, *some) for kind, some in found.items()]
        return sorted(made, key=lambda one: (-one.times, one.kind))

    @cached_property
    def bridges(self) -> list[Blown]:
        """The bridges that were blown, the most often first."""
        rows = self._columns("bridges")
        turns: dict[str, dict[int, int]] = {}
        for game, bridge, blown, turn in zip(
            *(rows[name] for name in ("game", "bridge", "blown", "turn")), strict=True
        ):
            if blown:
                turns.setdefault(bridge, {}).setdefault(game, turn)
        made = [
            Blown(bridge, len(some) / self.games, float(np.median(list(some.values()))))
            for bridge, some in turns.items()
        ]
        return sorted(made, key=lambda one: (-one.share, one.bridge))

    def assault_map(self) -> dict[str, float]:
        """Waves per game by the hex assaulted."""
        return per_game(self._columns("assaults")["hex"], None, self.games)

    def acted(self, side: str) -> Counter[str]:
        """How often formations of a side acted, by why."""
        rows = self._columns("acts")
        return Counter(kind for kind, force in zip(rows["kind"], rows["force"], strict=True) if force == side)

    def prisoners_of_italy(self) -> Numbers:
        """For each game the Italian steps that surrendered."""
        others = [side for side in self.sides if side not in self.attackers]
        total: Numbers = np.sum([self.lost("prisoners", side) for side in others], axis=0)
        return total


SAMPLE = Sample
