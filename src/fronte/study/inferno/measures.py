"""What the games of each variant come to: ground, objectives, combats and the luck of their dice."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from fronte.games.inferno.rules import Inferno
from fronte.study import measures, statistics
from fronte.study.front import front_line, in_most
from fronte.study.history import Fit, fits_of, read_dates
from fronte.study.measures import Measure, per_game
from fronte.study.objectives import Dates, Objective
from fronte.study.statistics import Estimate, Numbers
from fronte.study.words import Words

HISTORY = files("fronte.study.inferno") / "data" / "history.toml"


class Sample(measures.Sample):
    """The games of one variant of an Inferno game."""

    shown: ClassVar[dict[str, list[str]]] = {
        "combats": ["variant", "game", "turn", "seat", "target", "outcome", "attack_loss", "defence_loss"]
        + ["attack_loss_expected", "defence_loss_expected"],
    }
    side: ClassVar[str] = "seat"
    turn_columns: ClassVar[tuple[str, ...]] = ("score", "hexes", "attacks", "units_lost", "steps_lost")

    def read_games(self, games: Mapping[str, list[Any]]) -> None:
        """The score is the same for both sides; the game says whose victory points it counts."""
        self.scorer = self.seats[cast(Inferno, self.rules).scorer]
        self.score = np.array(games["score"], dtype=np.float64)
        self.combats: Numbers = np.array(games["combats"], dtype=np.float64)

    def counted(self, words: Words) -> list[Measure]:
        found = self.results(words)
        for column, name in (("steps_lost", "m_steps"), ("units_lost", "m_units")):
            found += [Measure(words(name, seat=words.seat(seat)), self.lost(column, seat)) for seat in self.seats]
        hexes = self.stayed("hexes", self.scorer)[-1]
        found.append(Measure(words("m_hexes", seat=words.seat(self.scorer)), hexes))
        return [*found, Measure(words("m_combats"), self.combats), Measure(words("m_turns"), self.last_turn)]

    # The board

    @cached_property
    def held(self) -> NDArray[np.bool_]:
        """By turn, game and hex: does the first seat hold it at the end of the turn?"""
        return self.ground("seat", self.seats[:1])

    @cached_property
    def objectives(self) -> list[Objective]:
        """The objectives, by who holds them at the start and how often they fall."""
        board = self.board
        found = []
        for n, worth in enumerate(board["objective"]):
            if worth:
                mine = board["seat"][n] == self.seats[0]
                fallen = self.held[:, :, n] != mine
                found.append(Objective(board["hex"][n], board["name"][n], worth, board["seat"][n], fallen))
        other = next(seat for seat in self.seats if seat != self.scorer)
        return sorted(found, key=lambda one: (one.seat != other, -one.fallen[-1].mean(), one.hex))

    @cached_property
    def dates(self) -> dict[str, Dates]:
        """When objectives fell in history, where the scenario begins as the battle did."""
        told = tomllib.loads(HISTORY.read_text(encoding="utf-8")).get(self.rules.header.game, {})
        return read_dates(told["places"]) if self.variant.scenario in told.get("scenarios", ()) else {}

    @cached_property
    def fits(self) -> list[Fit]:
        """For each of them how well the games agree with it."""
        return fits_of(self.objectives, self.dates, self.turns)

    def front(self, row: int | None) -> list[tuple[str, str]]:
        """The hexsides between what either side holds in most games at the end of a turn; None: at the start."""
        mine = [seat == self.seats[0] for seat in self.board["seat"]]
        return front_line(self.rules.grid, self.board["hex"], mine if row is None else in_most(self.held[row]))

    def combat_map(self) -> dict[str, float]:
        """Combats per game by the hex attacked."""
        return per_game(self._columns("combats")["target"], None, self.games)

    def loss_map(self, side: str) -> dict[str, float]:
        """Steps that a side loses per game, by the hex where it loses them."""
        rows = self._columns("losses")
        mine = [k for k, owner in enumerate(rows["seat"]) if owner == side]
        return per_game([rows["hex"][k] for k in mine], [rows["steps"][k] for k in mine], self.games)

    def pieces_lost(self, side: str) -> list[tuple[str, float]]:
        """How often each unit of a side is eliminated, most often first; one that comes back may fall again."""
        rows = self._columns("losses")
        chosen = zip(rows["unit"], rows["seat"], rows["eliminated"], strict=True)
        fallen = per_game([unit for unit, owner, gone in chosen if owner == side and gone], None, self.games)
        return sorted(fallen.items(), key=lambda item: (-item[1], item[0]))

    # Luck

    @cached_property
    def _fought(self) -> dict[str, list[Any]]:
        """Combats whose odds are known and whose losses were told; a game may end before they are."""
        rows = self._columns("combats")
        known = zip(
            *(rows[f"{side}_loss{of}"] for side in ("attack", "defence") for of in ("", "_expected")), strict=True
        )
        told = [k for k, four in enumerate(known) if None not in four]
        return {name: [column[k] for k in told] for name, column in rows.items()}

    @cached_property
    def luck(self) -> Numbers:
        """For each game what the dice gave the scorer beyond what could be expected, in reductions."""
        rows = self._fought
        total = np.zeros(self.games)
        columns = ("game", "seat", "attack_loss", "attack_loss_expected", "defence_loss", "defence_loss_expected")
        for game, seat, attack, attack_due, defence, defence_due in zip(*(rows[name] for name in columns), strict=True):
            gain = (defence - defence_due) - (attack - attack_due)
            total[game] += gain if seat == self.scorer else -gain
        return total

    def rolled(self, seat: str, side: str) -> tuple[int, Numbers, Numbers]:
        """For attacks of a seat: their number, and by game the losses of a side as rolled and as expected."""
        rows = self._fought
        rolled, due = np.zeros(self.games), np.zeros(self.games)
        count = 0
        columns = ("game", "seat", f"{side}_loss", f"{side}_loss_expected")
        for game, attacker, loss, expected in zip(*(rows[name] for name in columns), strict=True):
            if attacker == seat:
                rolled[game] += loss
                due[game] += expected
                count += 1
        return count, rolled, due


def objective_differences(first: Sample, second: Sample) -> dict[str, Estimate]:
    """For each objective that both variants have, how much more often it has changed hands at the end."""
    before = {one.hex: one for one in first.objectives}
    found = {}
    for one in second.objectives:
        if one.hex in before and one.seat == before[one.hex].seat:
            change = one.fallen[-1].astype(np.float64) - before[one.hex].fallen[-1].astype(np.float64)
            found[one.hex] = statistics.mean(change)
    return found


SAMPLE = Sample
