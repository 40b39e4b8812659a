"""The probe game as the engine sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from fronte.engine.card import Card, Line
from fronte.engine.decision import AUTO, CHANCE, Action, Frame, IllegalAction, Refusal
from fronte.engine.dice import outcomes
from fronte.engine.event import Event
from fronte.engine.given import PositionError
from fronte.engine.overlay import Asked, Layer, Overlay
from fronte.engine.pack import Pack, PackError
from fronte.engine.rules import Result, Way, Weighing
from fronte.engine.sheet import Fact, Row, Sheet
from fronte.engine.sketch import RIVER, HexSketch, SideSketch, Sketch
from fronte.engine.standing import NUMBER, PIECE, WORD, Parameter, Policy
from fronte.engine.view import Piece, Setting, View
from fronte.games.common.game import Game
from fronte.games.registry import register
from fronte.hexes import bits

from . import cases, chapters, fog, position
from .board import CAPABILITIES, COMMAND, FORCES, KINDS, PATROL, ProbeBoard
from .state import GONE, State, place


class Probe(ProbeBoard, Game[State]):
    """The rules of one scenario of the probe game."""

    game = "probe"
    version = "1"
    seats = ("north", "south")
    capabilities = CAPABILITIES
    chapters = (chapters.CHAPTER,)
    blank: Sequence[tuple[str, Any]] = (("at", GONE), ("facing", 0), ("column", False), ("hits", 0), ("acted", False))
    """The columns of a piece, and what they hold before it is anywhere."""

    def __init__(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> None:
        super().__init__(pack, scenario, options)
        self.standing = {"react": {"hold": Policy(_hold, (WHEN,)), "shoot": Policy(_shoot, (UNIT, WHEN, ODDS))}}
        self.windows = {"react": lambda rules, state, frame: (frame.args[0], chapters.Hold())}
        self.most_hits = int(self.tables["fire"]["hits"])
        self.last_turn = int(self.scenario["turns"])
        for name in self.scenario["objectives"]:
            if name not in self.grid.index:
                raise PackError("scenarios.toml", None, f"objective {name} is not on the board")
        self.goals = [self.grid.index[name] for name in self.scenario["objectives"]]
        self.setting = Setting(
            self.seats,
            {force: self.seats[owner] for force, owner in zip(FORCES, COMMAND, strict=True)},
            dict.fromkeys(self.scenario["objectives"], 1),
            (),
            self.hex_ids(bits(self.extent)) if self.extent != self.grid.everything else (),
            {},
            int(pack.toml("pack.toml")["scale"]["fraction"]),
        )

    # Pieces

    def id_of(self, state: State, piece: int) -> str:
        """The name of a piece, printed or made in play."""
        return self.ids[piece] if piece < len(self.ids) else state.made[piece - len(self.ids)][0]

    def find(self, state: State, name: str, missing: int | None = None) -> int:
        """The piece with this name."""
        if name in self.number:
            return self.number[name]
        made = [known for known, _ in state.made]
        if name in made:
            return len(self.ids) + made.index(name)
        if missing is None:
            raise PositionError(f"there is no unit {name!r}")
        return missing

    def force(self, state: State, piece: int) -> int:
        """The number of its force."""
        return self.counters[piece].force if piece < len(self.ids) else state.made[piece - len(self.ids)][1]

    def seat_of(self, state: State, piece: int) -> int:
        """The seat that commands it."""
        return COMMAND[self.force(state, piece)]

    def kind(self, state: State, piece: int) -> int:
        """Company, gun or patrol."""
        return self.counters[piece].kind if piece < len(self.ids) else PATROL

    def forces_of(self, state: State, seat: int) -> list[int]:
        """The forces that a seat still has on the field; all of them if none is left."""
        theirs = [force for force, owner in enumerate(COMMAND) if owner == seat]
        return [force for force in theirs if self.strength(state, force)] or theirs

    def strength(self, state: State, force: int) -> int:
        """How many pieces of a force are on the field."""
        return sum(1 for p, at in enumerate(state.at) if at != GONE and self.force(state, p) == force)

    def points(self, state: State, piece: int) -> int:
        """3: its movement in quarters."""
        return int(self.tables["points"][KINDS[self.kind(state, piece)]])

    def targets(self, state: State, piece: int) -> int:
        """4: the hexes at which a piece in line may fire."""
        if state.column[piece]:
            return 0
        h, seat = state.at[piece], COMMAND[self.force(state, piece)]
        near = self.grid.within(h, int(self.tables["range"][KINDS[self.kind(state, piece)]]))
        field = self.facings.field(h, state.facing[piece]) & near
        return field & state.occ[1 - seat]

    def snap_hits(self, die: int) -> int:
        """3.5: what one die does."""
        return int(die <= int(self.tables["fire"]["snap"]))

    def fire_hits(self, state: State, shooter: int, h: int, total: int) -> int:
        """4: what two dice do; a planned force shoots better, a wood protects."""
        force = self.force(state, shooter)
        total += int(state.plans[COMMAND[force]] == force) - int(self.woods >> h & 1)
        one, two = self.tables["fire"]["one"], self.tables["fire"]["two"]
        return 2 if total >= two else 1 if total >= one else 0

    def as_data(self, action: Action) -> dict[str, Any]:
        """An action as data."""
        found: dict[str, Any] = msgspec.to_builtins(action)
        return found

    # The course of the game

    def blank_columns(self, state: State) -> None:
        """Columns for all pieces, none of them anywhere."""
        for column, value in self.blank:
            setattr(state, column, [value] * (len(self.ids) + len(state.made)))
        state.stacks = [()] * self.grid.size

    def start(self, seed: bytes, out: list[Event]) -> State:
        state = State()
        state.seed = seed
        self.blank_columns(state)
        for piece, counter in enumerate(self.counters):
            begins = counter.begins[self.header.scenario]
            if begins:
                name, facing = begins.split("/")
                if name not in self.grid.index or not self.extent >> self.grid.index[name] & 1:
                    raise PackError("units.csv", None, f"unit {counter.id}: {name} is not on the field")
                state.facing[piece] = int(facing)
                place(self, state, piece, self.grid.index[name])
        out.append(Event("begins", ("1",), {"turn": 1}))
        self.plan(state)
        return state

    def plan(self, state: State) -> None:
        """1: both seats plan, the first seat first."""
        state.phase = "plan"
        state.plans = [-1, -1]
        state.frames += (Frame("open_plans", AUTO), Frame("plan", 1), Frame("plan", 0))

    def end_turn(self, state: State, out: list[Event]) -> None:
        """2, 6: the next turn, or the end."""
        if state.turn >= self.last_turn:
            self._end(state, "time", out)
            return
        state.turn += 1
        out.append(Event("turn", ("2",), {"turn": state.turn}))
        self.plan(state)

    def entered(self, state: State, piece: int, out: list[Event]) -> bool:
        """6: in the second scenario the first seat wins at once when it enters the farm."""
        sudden = self.scenario["won_by"] == "sudden"
        if sudden and state.at[piece] in self.goals and COMMAND[self.force(state, piece)] == 0:
            self._end(state, "farm", out)
            return True
        return False

    def _end(self, state: State, how: str, out: list[Event]) -> None:
        state.outcome, state.phase = how, "end"
        state.frames.clear()
        found = self.result(state)
        assert found is not None
        out.append(Event("over", ("6",), {"level": found.level, "score": found.score, "winner": found.winner}))

    def result(self, state: State) -> Result | None:
        """6: the majority of the objectives, or the farm, or the pieces left."""
        if not state.outcome:
            return None
        if state.outcome == "farm":
            return Result("farm", 1, "north", ("6",))
        score = self._margin(state)
        winner = None if score == 0 else self.seats[score < 0]
        return Result("draw" if winner is None else f"{winner}_wins", score, winner, ("6",))

    def _margin(self, state: State) -> int:
        if self.scenario["won_by"] == "objectives":
            held = [sum(mask >> h & 1 for h in self.goals) for mask in state.occ]
            return held[0] - held[1]
        left = [self.strength(state, force) for force in range(len(FORCES))]
        return left[0] + left[1] - left[2] - left[3]

    def merit(self, result: Result, seat: int) -> int:
        """6: by how much a seat won."""
        score = 9 if result.level == "farm" else result.score
        return -score if seat else score

    # What seats see

    def view(self, state: State, seat: int) -> View:
        return fog.view(self, state, seat)

    def public_view(self, state: State) -> View:
        return fog.view(self, state, fog.ONLOOKER)

    def resample(self, view: View, rng: Random) -> State:
        return fog.resample(self, view, rng)

    def imagine(self, state: State, seat: int, rng: Random | None) -> State:
        return fog.resample(self, fog.view(self, state, seat), rng)

    def shuffle_hidden(self, state: State, seat: int, rng: Random) -> State:
        return fog.shuffle_hidden(self, state, seat, rng)

    def path_through(self, state: State, unit: str, via: Sequence[str]) -> Way | Refusal:
        """3: the way through these hexes, one after the other."""
        frame = state.frames[-1] if state.frames else None
        if frame is None or frame.name != "act":
            return Refusal("2", "not_activated", {"unit": unit})
        piece, hexes = self.find(state, unit, missing=-1), self.hexes(via)
        if isinstance(hexes, Refusal):
            return hexes
        if piece < 0:
            return self.unknown_unit(unit)
        found = chapters.reach(self, state, piece).get(hexes[-1]) if hexes else None
        way = found[1] if found and len(hexes) == 1 else hexes
        refusal = self.choices["act"].why_not(self, state, frame, chapters.March(unit, self.hex_ids(way)))
        if refusal is not None:
            return refusal
        spent = sum(
            self.cost(a, b, state.column[piece]) or 0 for a, b in zip([state.at[piece], *way], way, strict=False)
        )
        return Way(self.hex_ids(way), self.points(state, piece) - spent)

    # Odds

    def sheet(self, state: State, action: Action, seat: int) -> Sheet:
        """3.5, 4: of fire and of shots at a passer-by."""
        if isinstance(action, chapters.Fire):
            shooter, h = self.find(state, action.unit), self.grid.index[action.target]
            return self._fire_sheet(state, shooter, h)
        if isinstance(action, chapters.Shoot):
            victim = FORCES[self.force(state, state.frames[-1].args[0])]
            counts = [0, 0]
            for die in range(1, 7):
                counts[self.snap_hits(die)] += 1
            return Sheet("shoot", 6, {}, (), (Row("hits", tuple(counts), victim, "3.5"),))
        raise IllegalAction(Refusal("", "no_dice", {"do": action.__struct_config__.tag}))

    def _fire_sheet(self, state: State, shooter: int, h: int) -> Sheet:
        counts = [0, 0, 0]
        for dice in outcomes(2):
            counts[self.fire_hits(state, shooter, h, sum(dice))] += 1
        force = self.force(state, shooter)
        facts = []
        if state.plans[COMMAND[force]] == force:
            facts.append(Fact("planned", {}, "+1", "1"))
        if self.woods >> h & 1:
            facts.append(Fact("wood", {}, "-1", "4"))
        victim = FORCES[self.force(state, state.stacks[h][-1])]
        return Sheet("fire", 36, {}, tuple(facts), (Row("hits", tuple(counts), victim, "4"),))

    def forecast(self, state: State) -> Sheet | None:
        """Of the dice that are about to fall."""
        frame = state.frames[-1] if state.frames else None
        if frame is not None and frame.name == "fire_dice":
            return self._fire_sheet(state, *frame.args)
        return None

    def weigh(self, state: State) -> Weighing | None:
        """Hits that each seat may take."""
        frame = state.frames[-1] if state.frames else None
        if frame is None or frame.seat != CHANCE:
            return None
        shooter, aim = frame.args
        mine = COMMAND[self.force(state, shooter)]
        if frame.name == "snap_die":
            hits, where = [self.snap_hits(dice[0]) for dice in outcomes(1)], state.at[aim]
        else:
            hits, where = [self.fire_hits(state, shooter, aim, sum(dice)) for dice in outcomes(2)], aim
        losses = tuple((0, hit) if mine == 0 else (hit, 0) for hit in hits)
        return Weighing(state.turn, self.grid.ids[where], mine, losses)

    # What screens show

    def overlay(self, state: State, seat: int, name: str, about: Asked) -> Overlay | Refusal:
        """The fronts of pieces in line, which all can see; the objectives."""
        if name == "objectives":
            return Overlay(name, (Layer(values=dict(self.setting.objectives)),))
        if name != "fronts":
            return Refusal("", "no_overlay", {"name": name})
        layers = []
        for force, label in enumerate(FORCES):
            mask = 0
            for piece, h in enumerate(state.at):
                if h != GONE and self.force(state, piece) == force and not state.column[piece]:
                    mask |= self.facings.front[h][state.facing[piece]]
            layers.append(Layer(self.hex_ids(bits(mask & self.extent)), label))
        return Overlay(name, tuple(layers))

    def piece_card(self, state: State, seat: int, piece: str) -> Card:
        view = fog.view(self, state, seat)
        known = view.piece(piece)
        if known is None:
            return Card(((Line("unit", {"unit": piece}), Line("unseen", {}, "5")),))
        lines = [Line("unit", {"unit": piece}), Line("force", {"force": known.force}), Line("where", {"at": known.at})]
        return Card((tuple(lines), tuple(self.condition(known))) if known.at != "gone" else (tuple(lines),))

    def condition(self, piece: Piece) -> list[Line]:
        found = [Line("kind", {"kind": piece.values.get("kind", "")})] if piece.values else []
        if piece.values.get("hits"):
            found.append(Line("hits", {"hits": piece.values["hits"]}, "4"))
        return [*found, *(Line("mark", {"mark": mark}) for mark in piece.marks)]

    def is_hurt(self, piece: Piece) -> bool:
        return bool(piece.values.get("hits"))

    def hex_card(self, state: State, seat: int, name: str) -> Card:
        h = self.grid.index[name]
        ground = [Line("hex", {"hex": name}), Line("terrain", {"terrain": self.terrain[h]})]
        if name in self.setting.objectives:
            ground.append(Line("objective", {}, "6"))
        around = []
        for other in self.grid.adjacent[h]:
            if (h, other) in self.water:
                what = Line("ford" if self.water[h, other] else "river", {}, "3.1")
                around.append((Line("towards", {"hex": self.grid.ids[other]}), what))
        return Card((tuple(ground), *around))

    def sketch(self, view: View) -> Sketch:
        letters = {"clear": " ", "wood": "w", "hill": "h"}
        hexes = {
            name: HexSketch(letters[self.terrain[h]], "o" if h in self.goals else "", self.place_name[h])
            for h, name in enumerate(self.grid.ids)
        }
        sides = {
            (self.grid.ids[a], self.grid.ids[b]): SideSketch(RIVER, "=" if ford else "")
            for (a, b), ford in self.water.items()
            if a < b
        }
        return Sketch(hexes, sides)

    # Positions

    def to_position(self, state: State) -> dict[str, Any]:
        return position.write(self, state)

    def from_position(self, data: Mapping[str, Any]) -> State:
        return position.read(self, data)

    def broken(self, state: State) -> list[str]:
        return position.broken(self, state)

    # Cases

    case_starts = cases.STARTS

    @classmethod
    def case_files(cls, board: Mapping[str, Any], units: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
        return cases.files(board, units)

    def case_state(self, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> State:
        return cases.state_of(self, units, start)

    def case_change(self, state: State, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> None:
        cases.change(self, state, units, start)


WHEN = Parameter("when", WORD, words=("before", "after", "any"), default="any")
UNIT = Parameter("unit", PIECE)
ODDS = Parameter("odds", NUMBER, 0, 100, default=0)


def _hold(rules: Probe, state: State, frame: Frame, given: Mapping[str, Any]) -> Action | None:
    """Nobody shoots, if this is the moment."""
    return chapters.Hold() if given["when"] in (frame.args[1], "any") else None


def _shoot(rules: Probe, state: State, frame: Frame, given: Mapping[str, Any]) -> Action | None:
    """The first that can shoots, or the one that is named, if the chance is good enough; then the window is closed."""
    if given["when"] not in (frame.args[1], "any"):
        return None
    chance = sum(rules.snap_hits(die) for die in range(1, 7)) * 100 // 6
    for action in rules.choices["react"].legal(rules, state, frame):
        if isinstance(action, chapters.Shoot) and given["unit"] in ("", action.unit) and chance >= given["odds"]:
            return action
    return chapters.Hold() if frame.args[2] else None


register("probe", Probe, Path(__file__).parent / "data")
