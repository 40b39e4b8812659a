"""The ruleset of an Inferno game: printed matter, options, and the places where the two games differ."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from random import Random
from typing import Any, ClassVar

from fronte.engine.capabilities import Capabilities
from fronte.engine.card import Card, Line
from fronte.engine.decision import Action, IllegalAction, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import Chapter
from fronte.engine.outlook import Outlook
from fronte.engine.overlay import Asked, Overlay
from fronte.engine.pack import Pack, is_number, reading, value
from fronte.engine.recollection import NOTHING, Others, Recollection, Shown, strangers_way, way_of
from fronte.engine.rules import Result, Way, Weighing
from fronte.engine.sheet import Sheet
from fronte.engine.sketch import Sketch
from fronte.engine.view import Piece, Setting, Sign, Track, View
from fronte.engine.whynot import Idle, WhyNot
from fronte.games.common.game import Game
from fronte.games.common.memory import Memory
from fronte.games.inferno import (
    answers,
    cards,
    cases,
    cites,
    combat,
    fog,
    luck,
    movement,
    odds,
    outlook,
    overlays,
    position,
    procedure,
    results,
    retreats,
    sequence,
    setup,
    sheets,
    sketch,
    stacking,
    supply,
    validation,
    whynot,
)
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.by_file_account import Account
from fronte.games.inferno.frames import UNIT, UNITS
from fronte.games.inferno.ground import Edge
from fronte.games.inferno.known_ways import Surroundings, Widest
from fronte.games.inferno.panel import PANELS
from fronte.games.inferno.printed import Printed
from fronte.games.inferno.state import (
    ELIMINATED,
    MOV,
    RECOVERED,
    SUPPLY,
    S,
    place,
)
from fronte.hexes import Spread, bits


class Inferno(Printed, Game[S]):
    """Everything fixed for a match. Methods are the rules in which the Inferno games differ, named by what they ask."""

    chapters: ClassVar[tuple[Chapter, ...]] = (
        sequence.CHAPTER,
        supply.CHAPTER,
        movement.CHAPTER,
        stacking.CHAPTER,
        combat.CHAPTER,
        procedure.CHAPTER,
        retreats.CHAPTER,
        results.CHAPTER,
    )
    phase_order: tuple[str, ...]
    """3.1: the steps with which the phases of a player turn begin."""
    loss_numbers: tuple[str, ...]
    """9.4.1: the modifiers that the table of losses must have."""
    scenario_numbers: tuple[str, ...]
    """The numbers that a scenario must have."""
    position_fields: tuple[str, ...]
    """The fields that only this game's positions have."""
    capabilities = Capabilities(
        hidden=True,
        odds=True,
        luck=True,
        by_file=True,
        overlays=overlays.OVERLAYS,
        piece_overlays=overlays.OF_PIECES,
        usual_overlays=overlays.OF_PIECES,
        paths=True,
        reasons=True,
        outlook=True,
        learners=True,
    )
    panels = PANELS
    case_starts = frozenset(("phase", "active", "turn", "held"))
    account_kind: type[Account[Any, S]]
    """What both sides see of a match by file."""
    last_turn: int
    """The turn after which the game is over; 0: dice say when."""
    terrain_levels: Mapping[str, int]
    """The level that a hex of the casebook has when none is given."""
    discreet: tuple[str, ...] = ("withhold", "support", "retreat")
    impossible = -999
    """The column of an attack in which nobody has any strength."""

    # Where the two games differ in a fact
    scorer: int
    """15/14.0: the side whose victory points the score counts."""
    last_turn = 0
    """The turn after which it is over; 0: the dice say when (Isonzo 1.4)."""
    second_player: int
    """3: the side whose turn comes second, and ends the Game Turn."""
    improves_defence = False
    """Altipiani 15.2: something may add to a unit's defence (`more_defence`)."""
    has_bridges = False
    """14.4: bridges can fall and be laid."""
    friends_screen: bool
    """Altipiani 6.4: a friend in a hex lifts a prohibition there; so where a unit may step depends on its own hex."""
    peaks_tower: bool
    """14.1.d: a peak is higher than all around it."""
    streams_are_low: bool
    """14.1.c: who attacks out of a stream hex is lower than all around it."""
    chooses_terrain: bool
    """Isonzo 7.8.b: the defender chooses between the effects of hex and hexside."""
    mountains: tuple[str, ...]
    """12.1: the terrain in which mountain troops are stronger."""
    gun_reach: int
    heavy_reach: int
    fortresses_fall: bool
    """Altipiani 12.2.d: a fortress whose stack must retreat is lost."""
    guns_stay_with_stuck: bool
    """12.3.e/12.3.d: artillery of a stack that must retreat and cannot stays with it."""
    supply_over_crags: bool
    """11.3: a supply path may lead across crags, though no unit does."""
    supply_gaps: int
    """11.3: how many hexes of a supply path may lie in enemy zones."""
    firing_flips: bool
    """12.3.g/12.3.f: artillery that fires turns to its Mov side."""
    # Where an option decides
    unlimbers_both = False
    """12.3.h/12.3.f: guns of both sides turn to battery at the end of any Movement Phase."""
    fires_once: bool
    recovers_again: bool
    """10.3: a unit with movement points for it may recover more than once in a phase."""
    free_battalion: bool
    free_battalion_attacks: bool
    dies_at_zero: bool
    supply_kills: bool
    high_odds_lrt: bool
    infiltration_recovers: bool
    engineers_cross_alone: bool
    """14.2.b: an engineer counts as stacked with itself."""
    may_hold_back: bool
    """13: due units may stay off the map though a hex is open to them."""
    roads_shun_enemies: bool
    roads_check_hex_left: bool
    trench_shift: int
    failed_penalty: int
    unable_penalty: int
    partial_retreat_penalty: int

    def __init__(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> None:
        super().__init__(pack, scenario, options)
        with reading("tables.toml or scenarios.toml"):
            self._switches()
        with reading("tables.toml or scenarios.toml"):
            self.setting = self._setting()

    def _switches(self) -> None:
        """Options and facts of the game that are asked often. Each game sets those that its rules name."""
        for name in ("enter_ezoc", "exit_ezoc", "ezoc_to_ezoc", "recover_ce"):
            value(self.mp, "tables.toml, [mp]", name, is_number, "a whole number")
        for name in self.tables.victory.keys() - {"source"}:
            value(self.tables.victory, "tables.toml, [victory]", name, is_number, "a whole number")
        extra = [name for name in ("high_odds_attacker", "high_odds_defender") if name in self.tables.lrt_drm]
        for name in (*self.loss_numbers, *extra):
            value(self.tables.lrt_drm, "tables.toml, [lrt_drm]", name, is_number, "a whole number")
        for name in self.scenario_numbers:
            value(self.scenario, "scenarios.toml", name, is_number, "a whole number")
        self.victory = {**self.tables.victory, **self.scenario.get("victory", {})}
        self.own_limits = "victory" in self.scenario
        """Does a scenario of ours say itself which score gives which level? Then no rule of the book does."""
        for name in self.victory.keys() - {"source"}:
            value(self.victory, "scenarios.toml, victory", name, is_number, "a whole number")
        self.sector = setup.sector(self)
        self.beyond = self.board.grid.everything & ~self.sector
        """What lies outside of a scenario of some columns: nobody goes there."""
        self.absent = setup.absent(self)
        self.barred_to = [self._barred_to(unit) for unit in range(len(self.counters))]
        """4.2: for each unit the hexes of which more than the ground decides whether it can step there (a mask)."""
        self.recovery_then_move: bool = self.option["recovery_then_move"]
        self.overstacks_to_comply = self.option["retreat_overstack"] == "to_comply"
        self.retreats_straight: bool = self.option["retreat_straight"]
        self.retreats_to_any_source = self.option["retreat_toward"] == "any_source"
        self.units_in_frames = {
            name: [(k, argument.kind) for k, argument in enumerate(told.takes) if argument.kind in (UNIT, UNITS)]
            for name, told in self.frames.items()
        }
        """By name of a frame the places of those of its arguments that name units, and their kinds."""
        self.endures: dict[tuple[int, int, int, int], int] = {}
        """9.4.2.a: what has been found of units by effectiveness, steps and supply (`effectiveness.endurance`)."""
        self.sources_known: Memory[tuple[int, int, int], int] = Memory(500)
        self.routes_known: Memory[int, Spread] = Memory()
        self.land_known: Memory[tuple[int, ...], Spread] = Memory()
        """11.2, 11.3: sources that have been found, and steps along routes and over land by the bridges (`supply`)."""
        self.surroundings_known: Memory[tuple[int, int], Surroundings] = Memory(4000)
        self.ways_known: Memory[tuple[Any, ...], bytes] = Memory(10_000)
        """4.2: what matters for a move, and the ways that have been found (`known_ways`); about 1.5 kB each."""
        self.may_hold_back = self.option["hold_back"]
        self.flank_shift = int(self.tables.tec["flank_shift"])
        river = self.tables.tec.get("river", {"supply": 0})
        self.river_supply: int = value(river, "tables.toml, [tec.river]", "supply", is_number, "a whole number")

    @cached_property
    def widest(self) -> Widest:
        """4.2: how far anybody could get; made when somebody first asks."""
        return Widest(self.board)

    def _barred_to(self, unit: int) -> int:
        """4.2: the hexes where something that never changes may bar a unit, enemies apart."""
        return self.beyond

    # Things that happen to units

    def eliminate(self, state: S, unit: int, because: tuple[str, ...], out: list[Event]) -> None:
        """10.3.2: a unit leaves play."""
        data = {"unit": self.ids[unit], "hex": self.where(state, unit)}
        steps = state.steps[unit]
        place(self, state, unit, ELIMINATED)
        state.steps[unit] = state.ce[unit] = state.supply[unit] = state.flags[unit] = 0
        if state.mover == unit:
            state.mover, state.left = -1, 0
        out.append(Event("eliminated", because, data))
        self.steps_lost(state, unit, steps, out)

    def enter(self, state: S, units: Sequence[int], h: int, out: list[Event]) -> None:
        """4.1.b/4.1.a, 12.3.f/12.3.e, 15.b/14.0.b: units come into a hex: lone guns die, and the hex changes hands."""
        side = self.side[units[0]]
        for other in state.stacks[h]:
            if self.side[other] != side:
                self.eliminate(state, other, (cites.OVERRUN, cites.ENEMY_HEX), out)
        for unit in units:
            place(self, state, unit, h)
        self.take(state, side, h, out)
        self.entered(state, units, h, out)

    def eventful(self, state: S, side: int) -> int:
        """4.2: the hexes in which it makes a difference that a unit of this side comes into them on its way (a mask):
        those with enemies, those that the other side holds, and what a game adds (`entered`)."""
        return state.occ[1 - side] | (state.held if side else ~state.held)

    def take(self, state: S, side: int, h: int, out: list[Event]) -> None:
        """Isonzo 12.2.b, 15.b/14.0.b: the last side to enter a hex holds it."""
        bit = 1 << h
        if bool(state.held & bit) == (side == 0):
            return
        state.held ^= bit
        data = {"hex": self.hex_id(h), "side": self.seats[side], "name": self.board.name[h]}
        out.append(Event("taken", (cites.CONTROL,), data))

    def shows(self, state: S, unit: int) -> bool:
        """5.4: does the other side see this unit?"""
        return fog.visible(self, state, unit)

    def defence_in_combat(self, state: S, unit: int) -> int:
        """8.1.b/8.1, 12.1: the defence strength of a unit in the combat at hand, whatever its part in it."""
        battle = state.battle
        assert battle is not None
        enemies = battle.attackers if self.side[unit] != state.active else battle.defenders
        bonus = combat.mountain_bonus(self, battle.target, unit, enemies)
        return combat.defence_strength(self, state, unit, bonus)

    def known_of(self, state: S, unit: int) -> dict[str, Any]:
        """5.4.b/5.4: what combat reveals of a unit."""
        face = self.face(state, unit)
        known: dict[str, Any] = {"id": self.ids[unit], "hex": self.where(state, unit), "steps": state.steps[unit]}
        if self.gun[unit]:
            known["mov"] = bool(state.flags[unit] & MOV)
        known |= {"ce": state.ce[unit], "supply": SUPPLY[state.supply[unit]]}
        return known | {"attack": face.attack, "defence": face.defence, "av": face.av}

    # What the engine asks

    def view(self, state: S, seat: int) -> View:
        return fog.view(self, state, seat)

    def half_view(self, state: S, seat: int, sizes: Mapping[str, int]) -> View:
        """The view of a side that has only its own half, and was told how large the other's stacks are."""
        return fog.view(self, state, seat, sizes)

    def public_view(self, state: S) -> View:
        return fog.view(self, state, fog.ONLOOKER)

    def resample(self, view: View, rng: Random) -> S:
        return fog.resample(self, view, rng)

    def imagine(self, state: S, seat: int, rng: Random | None) -> S:
        return fog.imagine(self, state, seat, rng)

    def shuffle_hidden(self, state: S, seat: int, rng: Random) -> S:
        return fog.shuffle_hidden(self, state, seat, rng)

    def others(self, state: S, seat: int) -> Others:
        return fog.others(self, state, seat)

    def shown_in(self, event: Event) -> Iterable[Shown]:
        """5.4.b/5.4: combat shows who defends."""
        if event.kind != "attacked":
            return ()
        shown = [(one, self.counters[self.number[one["id"]]].steps) for one in event.data["defenders"]]
        return [Shown(one["id"], one["hex"], full - one["steps"]) for one, full in shown]

    def left_by_strangers(self, event: Event) -> Iterable[str]:
        """9.2.1: of a stack that retreats only those are named who are seen."""
        return way_of(event)[:1] if event.kind == "retreated" else strangers_way(event)

    def sheet(self, state: S, action: Action, seat: int) -> Sheet:
        return self.remembered_sheet(state, action, seat, NOTHING)

    def remembered_sheet(self, state: S, action: Action, seat: int, recalled: Recollection) -> Sheet:
        if isinstance(action, combat.Attack):
            found = odds.attack_odds(self, state, action, seat, recalled)
            sheet = sheets.attack_sheet(self, found, state.active)
            return sheet.remembering(found["recalled"], recalled) if "recalled" in found else sheet
        return answers.answer_sheet(self, state, action) or self.other_odds(state, action)

    def forecast(self, state: S) -> Sheet | None:
        """8.3: only where the dice of a combat are about to fall."""
        if not state.frames or state.frames[-1].name != "combat_dice" or state.battle is None:
            return None
        return sheets.attack_sheet(self, odds.forecast(self, state, state.battle), state.active)

    def bare_sheet(self, numbers: Mapping[str, int], shifts: Collection[str]) -> Sheet:
        return sheets.attack_sheet(self, odds.bare_odds(self, numbers, shifts))

    def case_odds(self, sheet: Sheet) -> dict[str, Any]:
        return sheets.as_fields(self, sheet)

    def weigh(self, state: S) -> Weighing | None:
        return luck.weigh(self, state)

    def path_through(self, state: S, unit: str, via: Sequence[str]) -> Way | Refusal:
        """4.2: only in a Movement Phase, for the units of the phasing side."""
        frame = state.frames[-1] if state.frames else None
        if frame is None or frame.name != "movement":
            return Refusal(cites.PLAYER_TURN, "only_in_movement")
        number, hexes = self.number.get(unit, -1), self.hexes(via)
        if isinstance(hexes, Refusal):
            return hexes
        if number < 0:
            return self.unknown_unit(unit)
        refusal = movement.why_no_move(self, state, number)
        found = refusal or movement.way_through(self, state, number, hexes)
        if isinstance(found, Refusal):
            return found
        path, left = found
        move = movement.Move(unit, self.hex_ids(path))
        return self.choices["movement"].why_not(self, state, frame, move) or Way(move.path, left)

    def why_not_there(self, state: S, seat: int, piece: str, goal: str, along: Sequence[str] = ()) -> WhyNot | Refusal:
        """4, 7: units move one by one, so nobody goes along."""
        unit, h = self.number.get(piece, -1), self.grid_index.get(goal, -1)
        if unit < 0:
            return self.unknown_unit(piece)
        if h < 0:
            return self.unknown_hex(goal)
        if self.side[unit] != seat or state.at[unit] < 0:
            return Refusal(cites.MOVEMENT, "not_yours_on_map", {"unit": piece})
        return whynot.why_not_there(self, state, seat, unit, h)

    def idle(self, state: S, seat: int) -> Mapping[str, Idle]:
        return whynot.idle(self, state, seat)

    def outlook(self, state: S, seat: int) -> Outlook:
        return outlook.outlook(self, state, seat)

    def cautions(self, state: S, seat: int, action: Action) -> tuple[Line, ...]:
        return outlook.cautions(self, state, seat, action)

    def overlay(self, state: S, seat: int, name: str, about: Asked) -> Overlay | Refusal:
        return overlays.overlay(self, state, seat, name, about)

    def piece_card(self, state: S, seat: int, piece: str) -> Card:
        return cards.piece_card(self, state, seat, piece)

    def hex_card(self, state: S, seat: int, name: str) -> Card:
        return cards.hex_card(self, state, seat, name)

    def condition(self, piece: Piece) -> list[Line]:
        return cards.condition(piece)

    def is_hurt(self, piece: Piece) -> bool:
        """10, 11: it has lost steps or effectiveness, or is not in supply."""
        return bool(piece.face or piece.values["ce"] or piece.values["supply"] != "in")

    def lost_steps(self, piece: Piece) -> int:
        """2.5.c/2.5: the steps of the fresh unit less those it has."""
        return self.counters[self.number[piece.id]].steps - int(piece.values["steps"])

    def is_lost(self, piece: Piece) -> bool:
        """9.4: eliminated; reinforcements off the map are not."""
        return piece.at == "eliminated"

    def hexside_name(self, a: str, b: str) -> str:
        """As the board has it; a hexside with nothing on it as it was given."""
        number = self.board.hexside(f"{a}/{b}")
        return self.board.hexside_name(number) if number >= 0 else f"{a}/{b}"

    def formation(self, piece: str) -> str:
        """2.2: its corps."""
        return self.counters[self.number[piece]].corps

    def sketch(self, view: View) -> Sketch:
        return sketch.draw(self, view)

    def merit(self, result: Result, seat: int) -> int:
        """15/14.0: the score; where a game ended in another way, the nearest score that gives that level."""
        score, least = result.score, None
        for name, most in self.setting.levels:
            if name == result.level:
                score = score if most is None else min(score, most)
                score = score if least is None else max(score, least)
                break
            least = None if most is None else most + 1
        return score if seat == self.scorer else -score

    def span(self, turn: int) -> tuple[date, date] | None:
        """3: the days of a turn, by the printed date of the first."""
        length = int(self.scenario.get("days_per_turn", 1))
        first: date = self.scenario["gt1_date"] + timedelta(days=length * (turn - 1))
        return first, first + timedelta(days=length - 1)

    def _setting(self) -> Setting:
        """What the scenario fixes for everybody."""
        control = {seat: self.hex_ids(bits(self.board.control[side])) for side, seat in enumerate(self.seats)}
        return Setting(
            self.seats,
            {seat: seat for seat in self.seats},
            self.victory_hexes(),
            self._levels(),
            self.hex_ids(bits(self.sector)) if self.beyond else (),
            control,
            int(self.pack.toml("pack.toml")["scale"]["fraction"]),
            self.last_turn,
        )

    def _levels(self) -> tuple[tuple[str, int | None], ...]:
        """The levels that some score gives: a scenario may have no draw."""
        found: list[tuple[str, int | None]] = []
        for name, most in self.victory_levels():
            if not found or most is None or most > (found[-1][1] or 0):
                found.append((name, most))
        return tuple(found)

    def to_position(self, state: S) -> dict[str, Any]:
        return position.to_position(self, state)

    def from_position(self, data: Mapping[str, Any]) -> S:
        return position.from_position(self, data)

    def read_battle(self, data: Mapping[str, Any], find: Callable[[str], int]) -> Battle:
        """The combat at hand, from readable data."""
        return position.read_battle(self, data, find)

    @abstractmethod
    def turns(self) -> tuple[int, int]:
        """3: the first turn of the scenario, and the last that a game of it can reach."""

    def broken(self, state: S) -> list[str]:
        """Invariants of every position: units and scalars, then what this game adds, then combat and frames."""
        found = [*validation.faults(self, state), *self.broken_more(state)]
        return found or list(validation.stack_faults(self, state))

    @abstractmethod
    def broken_more(self, state: S) -> list[str]:
        """What is impossible in the part that this game adds to a state."""

    # What the casebook asks

    @classmethod
    def case_files(cls, board: Mapping[str, Any], units: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
        """The files of a tiny board."""
        return cases.case_files(cls, board, units)

    def case_state(self, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> S:
        """The state at the beginning of a case."""
        state = cases.case_state(self, units, start)
        self.case_more(state, units, start)
        return state

    def case_change(self, state: S, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> None:
        """Change a state of the printed scenario as a case says."""
        for name, data in units.items():
            cases.put_unit(self, state, self.find_unit(name), data)
        cases.hand_over(self, state, start)
        if "turn" in start:
            state.turn = int(start["turn"])
        if "phase" in start:
            ends = start["phase"] == "end"
            state.active = self.second_player if ends else self.seat_index(start.get("active", "italian"))
            state.frames = cases.phase_frames(self, state.active, start["phase"])
        self.case_more(state, units, start)

    def case_facts(self, view: View) -> dict[str, Any]:
        """What a seat knows, as a case may ask for it: besides facts the combat at hand, and sizes of enemy stacks."""
        return cases.case_facts(self, view)

    # What the shared chapters ask of the game

    @abstractmethod
    def score(self, state: S) -> int:
        """15/14.0: the victory points of the side that scores."""

    @abstractmethod
    def victory_hexes(self) -> dict[str, int]:
        """15/14.0: the hexes that count for victory, and what each is worth."""

    @abstractmethod
    def victory_levels(self) -> list[tuple[str, int | None]]:
        """15/14.0: the levels of victory from the lowest score on, each with the highest score that gives it."""

    @abstractmethod
    def case_more(self, state: S, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> None:
        """What this game adds to the beginning of a case."""

    def end_movement(self, state: S, keep: list[int], out: list[Event]) -> None:
        """The end of a Movement Phase."""
        sequence.end_movement(self, state, keep, out)

    def end_combat(self, state: S, out: list[Event]) -> None:
        """The end of a Combat Phase."""
        sequence.end_combat(self, state, out)

    @abstractmethod
    def empty_state(self) -> S:
        """A state with no unit on the map."""

    @abstractmethod
    def player_turn_begins(self, state: S) -> None:
        """What is reset when a player turn begins."""

    @abstractmethod
    def before_movement(self, state: S) -> None:
        """Decisions at the very start of a Movement Phase."""

    @abstractmethod
    def entered(self, state: S, units: Sequence[int], h: int, out: list[Event]) -> None:
        """What coming into a hex sets off."""

    @abstractmethod
    def frozen(self, state: S, unit: int) -> Refusal | None:
        """4.3.b/4.3: why a unit may not move at all, if it may not."""

    def only_recovers(self, state: S, unit: int) -> bool:
        """Must a unit stay in its hex this turn, so that it may recover and no more?"""
        return False

    def going_depends_on(self, state: S, side: int) -> tuple[Any, ...]:
        """4: all that decides where units of a side can go, apart from the unit: enemies, and friends who screen."""
        enemy = 1 - side
        friends = tuple(state.at) if self.friends_screen else ()
        return state.turn, side, state.occ[enemy], state.fight[enemy], state.zocs[enemy], friends

    def ways_depend_on(self, state: S, unit: int, near: Surroundings) -> tuple[Any, ...]:
        """4: all that decides where a unit can go besides its place and points: what it is, enemies nearby, and friends
        who screen. Whether it has recovered counts where nobody may do both."""
        side, hexes = self.side[unit], near.hexes
        enemy = 1 - side
        friends = 0
        if self.friends_screen:
            alone = len(state.stacks[state.at[unit]]) == 1  # nobody is a friend of his own
            exposed = self.board.beside(state.zocs[enemy])
            friends = state.occ[side] & hexes & exposed & ~(alone << state.at[unit])
        stays = self.only_recovers(state, unit), not self.recovery_then_move and state.flags[unit] & RECOVERED
        kind = side, self.gun[unit], self.infiltrates[unit], *stays
        return *kind, state.occ[enemy] & hexes, state.fight[enemy] & hexes, state.zocs[enemy] & hexes, friends

    @abstractmethod
    def freezes(self, state: S) -> bool:
        """Are there units that may not move this turn, apart from reserves?"""

    @abstractmethod
    def why_no_step(self, state: S, unit: int, a: int, edge: Edge, roadblock: int) -> Refusal | None:
        """4.3.a/4.3: the prohibition that bars a step, if any."""

    @abstractmethod
    def takes_whole_move(self, state: S, unit: int, a: int, edge: Edge, roadblock: int) -> bool:
        """Is this step a unit's whole move? None is but one across the Isonzo."""

    @abstractmethod
    def step_taken(self, state: S, unit: int, a: int, edge: Edge) -> None:
        """What a step uses up."""

    @abstractmethod
    def route_open(self, state: S, edge: Edge) -> bool:
        """Isonzo 4.5: does the road, trail or railway on this hexside lead across?"""

    @abstractmethod
    def is_bridged(self, state: S, edge: Edge) -> bool:
        """14.2.b: is there an intact bridge or a pontoon?"""

    def supplied_in(self, state: S, unit: int) -> int:
        """11.3: the hexes from which a unit may trace supply, as a mask: its own; none off the map."""
        return 1 << state.at[unit] if state.at[unit] >= 0 else 0

    def bridges_down(self, state: S) -> int:
        """14.4: the bridges that are destroyed, as a mask; none where they cannot be."""
        return 0

    def bridged_sides(self, state: S, side: int) -> list[int]:
        """11.4.1: all hexsides with an intact bridge or a pontoon of this side."""
        return self.board.bridges

    @abstractmethod
    def may_retreat_across(self, state: S, edge: Edge, side: int) -> bool:
        """9.2.4/9.2.1.d: may a beaten stack of this side cross this hexside?"""

    def bars_retreat(self, state: S, side: int) -> int:
        """9.2.4/9.2.1.d: the hexes that a beaten stack of this side may not enter because of enemies."""
        return state.occ[1 - side] | self.beyond

    def retreat_sources(self, state: S, side: int) -> int:
        """9.2.2.b/9.2.1.b, 11.2: the supply sources to retreat towards, as a mask.

        Sources are the flags that no enemy occupies and, but for an option, what is joined to one at this moment.
        """
        flags = self.board.flags[side] & ~state.occ[1 - side]
        return flags | supply.sources(self, state, side) if self.retreats_to_any_source else flags

    def routes_cut(self, state: S) -> int:
        """11.2: what besides enemies decides which routes are whole."""
        return 0

    @abstractmethod
    def recovery_price(self, state: S, unit: int) -> Refusal | None:
        """What else recovery costs, if it cannot be paid."""

    @abstractmethod
    def pay_recovery(self, state: S, unit: int) -> None:
        """Pay that."""

    @abstractmethod
    def may_unlimber(self, state: S, side: int) -> list[int]:
        """12.3.h/12.3.f: the guns of a side that can turn to battery at the end of this Movement Phase."""

    @abstractmethod
    def in_range(self, target: int, origins: Iterable[int]) -> int:
        """12.3.b: the hexes of which one must be in range of a supporting gun, for an attack from these hexes or,
        without any, for the defence."""

    @abstractmethod
    def is_flanked(self, state: S, battle: Battle) -> bool:
        """7.9: is the defender flanked?"""

    @abstractmethod
    def flanked_by(self, state: S, battle: Battle) -> tuple[str, str]:
        """7.9, 12.4: why the defender is flanked, as a key of `[odds]` and `[flanked_by]`, and by which rule."""

    @abstractmethod
    def yields_to_mountain_troops(self, enemies: Iterable[int]) -> bool:
        """12.1: are mountain troops stronger against these?"""

    @abstractmethod
    def carries_retreat(self, state: S, edge: Edge, side: int) -> bool:
        """9.2.3: does a bridge on this stream spare a beaten stack?"""

    @abstractmethod
    def steps_lost(self, state: S, unit: int, steps: int, out: list[Event]) -> None:
        """A unit has lost steps for good."""

    @abstractmethod
    def attacked(self, state: S, target: int) -> None:
        """The units in a hex are being attacked."""

    def more_defence(self, state: S, unit: int) -> int:
        """What else adds to a unit's defence, where anything does (`improves_defence`)."""
        return 0

    @abstractmethod
    def silenced(self, state: S, gun: int) -> Refusal | None:
        """Why a gun may not fire this turn, if it may not."""

    @abstractmethod
    def why_no_attack_across(self, state: S, unit: int, edge: Edge) -> Refusal | None:
        """Why a unit may not attack across this hexside, if it may not."""

    @abstractmethod
    def why_not_across_together(self, state: S, units: Sequence[int], edge: Edge) -> Refusal | None:
        """Why these units may not attack across this hexside together, if they may not."""

    @abstractmethod
    def crosses_in_attack(self, state: S, unit: int, edge: Edge) -> None:
        """What attacking across a hexside uses up."""

    def why_no_odds(self, state: S, target: int, units: Sequence[int], guns: Sequence[int]) -> Refusal | None:
        """8.2.b/8.2: by option, an attack below 1:3 is refused before anything is revealed."""
        if self.option["illegal_odds_attack"] != "forbid_before_reveal":
            return None
        if odds.is_hopeless(self, state, target, units, guns):
            return Refusal(cites.LEAST_ODDS, "below_odds")
        return None

    @abstractmethod
    def bombardments(self, state: S) -> list[tuple[int, int]]:
        """Guns and the hexsides whose bridge they may bombard."""

    @abstractmethod
    def why_no_bombardment(self, state: S, gun: str, bridge: str) -> Refusal | None:
        """Why a gun may not bombard a bridge, if it may not."""

    @abstractmethod
    def bombard(self, state: S, gun: int, side: int, out: list[Event]) -> None:
        """Bombard a bridge."""

    @abstractmethod
    def other_odds(self, state: S, action: Action) -> Sheet:
        """Odds of actions other than attacks."""

    def signs(self, state: S) -> list[Sign]:
        """What lies on hexes and hexsides, open to both."""
        return []

    def view_marks(self, state: S, unit: int) -> tuple[str, ...]:
        """Marks on a unit that the turn gives it, for those who see it."""
        return ()

    @abstractmethod
    def tracks(self, state: S) -> tuple[Track, ...]:
        """The score, and the points that are kept beside the map."""

    @abstractmethod
    def family_part(self, state: S, seat: int) -> dict[str, Any]:
        """What a seat knows beside pieces, signs and tracks."""

    @abstractmethod
    def resample_more(self, state: S, view: View, rng: Random) -> None:
        """Put what this game added to a view back into a state."""

    @abstractmethod
    def imagine_more(self, state: S, seat: int) -> None:
        """Take out of a state what this game added to it and this seat may not know."""

    def shuffle_more(self, state: S, hidden: Sequence[int], rng: Random) -> None:
        """Change at random what this game added to a state about units that a seat does not see: for tests."""

    def leave_out(self, family: dict[str, Any], seat: int) -> None:
        """Leave out of what this seat tells the other by file all that the other knows better: its own units."""

    def remember_own(self, state: S, before: S, seat: int) -> None:
        """Put back what a side knows of its own units and its view does not say."""

    @abstractmethod
    def position_more(self, state: S) -> dict[str, Any]:
        """What this game adds to a position."""

    @abstractmethod
    def read_position_more(self, state: S, data: Mapping[str, Any]) -> None:
        """Read it back."""


def no_odds(action: Action) -> IllegalAction:
    """The refusal to give odds where no dice are thrown."""
    return IllegalAction(Refusal("", "no_dice", {"do": action.__struct_config__.tag}))
