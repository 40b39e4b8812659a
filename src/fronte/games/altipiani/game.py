"""Inferno sugli Altipiani as the engine sees it: set-up, the chapters of its own, and how it differs from Isonzo."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from fronte.engine import given
from fronte.engine.decision import AUTO, Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.given import PositionError, flag, listed, said, word
from fronte.engine.pack import PackError, table
from fronte.engine.rules import Result
from fronte.engine.sheet import Sheet
from fronte.engine.view import Track, View
from fronte.games.altipiani import reinforcements, special, victory
from fronte.games.altipiani.by_file import AltipianiAccount
from fronte.games.altipiani.citations import CITATIONS
from fronte.games.altipiani.ground import AltipianiBoard
from fronte.games.altipiani.state import AltipianiState
from fronte.games.inferno import setup
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.counters import AH, COLUMNS, ITALIAN, SIDES
from fronte.games.inferno.ground import Edge
from fronte.games.inferno.position import whole_number
from fronte.games.inferno.rules import Inferno, no_odds
from fronte.games.inferno.standing import SHARED
from fronte.games.inferno.state import MOV, MOVED, on_map
from fronte.games.inferno.zoc import zoc
from fronte.hexes import bits, mask_of


class Altipiani(Inferno[AltipianiState]):
    """The rules of Inferno sugli Altipiani."""

    game = "altipiani"
    version = "2"
    board_kind = AltipianiBoard
    chapters = (*Inferno.chapters, reinforcements.CHAPTER, victory.CHAPTER)
    phase_order = ("supply_phase", "reinforcement_phase", "movement_phase", "combat_phase")
    standing = {kind: policies for kind, policies in SHARED.items() if kind != "terrain"}
    routine: Mapping[str, str] = MappingProxyType({"withhold": "strongest"})
    loss_numbers = ("flanked_defender",)
    scenario_numbers = ("first_gt", "last_gt", "start_rp")
    position_fields = ("lost", "replacements", "brusilov", "improved", "roused")
    account_kind = AltipianiAccount
    board: AltipianiBoard
    counter_columns = (*COLUMNS, "entry_hexes", "frozen")
    unit_types = ("infantry", "bersaglieri", "mountain", "artillery", "heavy_artillery", "fortress")
    terrain_levels = {"low_mountain": 2, "high_mountain": 5}
    citations = CITATIONS

    case_starts = Inferno.case_starts | {"lost", "replacements", "brusilov", "improved", "roused"}
    scorer = AH
    second_player = ITALIAN
    friends_screen = True
    peaks_tower = False
    streams_are_low = False
    chooses_terrain = False
    mountains = ("low_mountain", "high_mountain")
    gun_reach = 1
    heavy_reach = 2
    firing_flips = False
    guns_stay_with_stuck = False
    supply_gaps = 1
    improves_defence = True
    free_battalion = free_battalion_attacks = False
    dies_at_zero = False
    supply_kills = False
    high_odds_lrt = True
    infiltration_recovers = False
    engineers_cross_alone = False
    roads_shun_enemies = False
    trench_shift = 0

    def _switches(self) -> None:
        super()._switches()
        self.fires_once = self.option["artillery_once_per_phase"]
        self.recovers_again = self.option["second_recovery"]
        self.fortresses_fall = self.option["fortress_retreat"] == "eliminated"
        self.supply_over_crags = self.option["supply_over_crags"]
        self.roads_check_hex_left = self.option["road_ezoc_scope"] == "entered_or_left"
        self.failed_penalty = self.drm("retreat_failed")
        self.unable_penalty = int(self.option["unable_retreat_drm"])
        self.partial_retreat_penalty = self.unable_penalty
        self.replacements: bool = self.option["replacements"]
        self.improved_defence: bool = self.option["improved_defense"]
        self.improved_for_a_turn = self.option["improved_defense_duration"] == "turn"
        numbers = self.scenario
        self.first_turn, self.last_turn = int(numbers["first_gt"]), int(numbers["last_gt"])
        self.barrage_turns, self.frozen_turns = tuple(numbers["barrage_gt"]), tuple(numbers["frozen_gt"])
        self.combat_only_turns = tuple(numbers["ah_combat_only_gt"])
        self.unprepared_until = int(numbers["unprepared_until"])
        self.brusilov_from, self.brusilov_max = int(numbers["brusilov_from"]), int(numbers["brusilov_max"])
        self.improved_from = int(numbers["improved_defence_from"])
        steps = table(self.tables.data, "tables.toml", "eliminated_steps")
        self.step_worth = (int(steps["italian"]), int(steps["ah"]))
        self.objectives = self._objectives()
        self.freezable = [unit for unit, counter in enumerate(self.counters) if counter.frozen]
        self._check_tables()
        self._check_counters()

    def _objectives(self) -> dict[int, int]:
        """14.0.b: what every objective is worth; a number printed on the board must agree. A scenario of ours may say
        otherwise."""
        worth = table(self.tables.data, "tables.toml", "objectives")
        board = self.board
        found: dict[int, int] = {}
        for kind, hexes in (("small_town", board.small_towns), ("town", board.towns), ("peak", board.peaks)):
            for h in bits(hexes):
                found[h] = found.get(h, 0) + int(worth[kind])
        for h, vp in board.vp.items():
            if vp != found.get(h, 0):
                why = f"hex {self.hex_id(h)}: vp is {vp}, and what is there is worth {found.get(h, 0)} (14.0.b)"
                raise PackError("hexes.csv", None, why)
        here = {h: vp for h, vp in found.items() if self.sector >> h & 1}
        return dict(sorted((here | setup.places(self)).items()))

    def _check_tables(self) -> None:
        """table.crt: by option the printed card of an owner is required; our own table is refused then."""
        for name in ("crt", "lrt", "tec"):
            if self.option["table_source"] == "custom" and self.tables.data[name]["source"] != "printed":
                why = f"[{name}] is a stand-in; give the printed one in a pack of your own (table.crt)"
                raise PackError("tables.toml", None, why)

    def _check_counters(self) -> None:
        """1.1, 2.1.b, 13.0: one set-up hex; corps for A-H only; who enters later has hexes of his own edge for it."""
        self.scheduled = [self._scheduled(unit) for unit in range(len(self.counters))]
        for counter in self.counters:
            if counter.corps and counter.side == ITALIAN:
                raise PackError(
                    "units.csv", None, f"unit {counter.id}: Italian units have no corps (2.1.b, table.setup)"
                )
            if len(counter.setup) > 1:
                raise PackError("units.csv", None, f"unit {counter.id}: more than one set-up hex (1.1, table.setup)")
            if counter.entry > self.last_turn and not self.absent:
                raise PackError(
                    "units.csv", None, f"unit {counter.id}: enters after the last turn (table.reinforcements)"
                )

    def _scheduled(self, unit: int) -> list[int]:
        """13.0: the hexes a schedule names; a range means the edge hexes between its ends, both included."""
        counter = self.counters[unit]
        edge = self.board.home[counter.side]
        found: list[int] = []
        for part in counter.entry_hexes:
            first, _, last = part.partition("-")
            ends = [self.grid_index.get(name, -1) for name in (first, last or first)]
            named = [h for h in bits(edge) if min(ends) <= h <= max(ends) and _between(self.board, ends, h)]
            if -1 in ends or not named or any(not edge >> h & 1 for h in ends):
                why = f"unit {counter.id}: {part} is not on its side's map edge (13.0, table.reinforcements)"
                raise PackError("units.csv", None, why)
            found += named
        return found or list(bits(edge))

    # The beginning

    def empty_state(self) -> AltipianiState:
        state = AltipianiState(len(self.counters), self.board.grid.size)
        state.steps = [counter.steps for counter in self.counters]
        return state

    def start(self, seed: bytes, out: list[Event]) -> AltipianiState:
        """1.1, 3.0.a, 12.4.a: set up; play begins with the A-H Combat Phase."""
        state = self.empty_state()
        state.seed = seed
        state.turn = self.first_turn
        state.replacements = [int(self.scenario["start_rp"])] * 2
        setup.set_up(self, state)
        out.append(Event("begins", ("1.1",), {"game": self.game, "scenario": self.header.scenario, "turn": state.turn}))
        out.append(Event("player_turn", ("3.0.a", "12.4.a"), {"turn": state.turn, "side": self.seats[AH]}))
        state.active = AH
        state.frames += self.player_turn_frames(state, AH)
        return state

    def player_turn_frames(self, state: AltipianiState, side: int) -> list[Frame]:
        """3.0.a: on the first turn the A-H turn is its Combat Phase alone."""
        if side == AH and state.turn in self.combat_only_turns:
            return [Frame("player_turn_ends", AUTO, (AH,)), Frame("combat_phase", AUTO)]
        return [Frame("player_turn", AUTO, (side,))]

    # What the shared chapters ask

    def case_more(
        self, state: AltipianiState, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]
    ) -> None:
        """Steps lost, replacement points, and what the optional rules remember."""
        for name in start.get("roused", ()):
            state.roused |= 1 << self.find_unit(name)
        for side, seat in enumerate(SIDES):
            state.lost[side] = int(start.get("lost", {}).get(seat, 0))
            state.replacements[side] = int(start.get("replacements", {}).get(seat, 0))
        state.brusilov = bool(start.get("brusilov", False))
        state.improved = bool(start.get("improved", False))

    def player_turn_begins(self, state: AltipianiState) -> None:
        """Nothing is reset here."""

    def before_movement(self, state: AltipianiState) -> None:
        """Nothing is asked here."""

    def entered(self, state: AltipianiState, units: Sequence[int], h: int, out: list[Event]) -> None:
        """Coming into a hex sets nothing off here."""

    def frozen(self, state: AltipianiState, unit: int) -> Refusal | None:
        return special.why_frozen(self, state, unit)

    def only_recovers(self, state: AltipianiState, unit: int) -> bool:
        return special.is_frozen(self, state, unit)

    def freezes(self, state: AltipianiState) -> bool:
        return True

    def why_no_step(self, state: AltipianiState, unit: int, a: int, edge: Edge, roadblock: int) -> Refusal | None:
        return special.why_no_step(self, state, unit, a, edge)

    def takes_whole_move(self, state: AltipianiState, unit: int, a: int, edge: Edge, roadblock: int) -> bool:
        return False

    def step_taken(self, state: AltipianiState, unit: int, a: int, edge: Edge) -> None:
        if self.gun[unit]:
            state.flags[unit] |= MOV  # 12.3.f

    def route_open(self, state: AltipianiState, edge: Edge) -> bool:
        return True

    def is_bridged(self, state: AltipianiState, edge: Edge) -> bool:
        return edge.bridge >= 0

    def may_retreat_across(self, state: AltipianiState, edge: Edge, side: int) -> bool:
        return True

    def bars_retreat(self, state: AltipianiState, side: int) -> int:
        """4.1.a, 12.3.e: enemy combat units; artillery alone in a hex is overrun by whoever enters."""
        return state.fight[1 - side] | self.beyond

    def carries_retreat(self, state: AltipianiState, edge: Edge, side: int) -> bool:
        """9.2.3, 6.3.a: a bridge is that of a road, and of no use where the hex entered is in an enemy zone."""
        return edge.road and not zoc(self, state, 1 - side) >> edge.to & 1

    def recovery_price(self, state: AltipianiState, unit: int) -> Refusal | None:
        """15.1: with replacements in play a recovery costs a point."""
        if self.replacements and state.replacements[self.side[unit]] < 1:
            return Refusal("15.1", "no_replacement_point")
        return None

    def pay_recovery(self, state: AltipianiState, unit: int) -> None:
        if self.replacements:
            state.replacements[self.side[unit]] -= 1

    def may_unlimber(self, state: AltipianiState, side: int) -> list[int]:
        """12.3.f: Mov artillery that did not move in its own Movement Phase."""
        if side != state.active:
            return []
        guns = [gun for gun in self.guns_of[side] if state.at[gun] >= 0]
        return [gun for gun in guns if state.flags[gun] & MOV and not state.flags[gun] & MOVED]

    def in_range(self, target: int, origins: Iterable[int]) -> int:
        """12.3.b, 12.2.a: the range is measured to the unit that is supported."""
        return mask_of(origins) or 1 << target

    def is_flanked(self, state: AltipianiState, battle: Battle) -> bool:
        return special.flanked(self, state, battle)

    def flanked_by(self, state: AltipianiState, battle: Battle) -> tuple[str, str]:
        return ("barrage", "12.4.b") if special.under_barrage(self, state, battle) else ("flanked", "7.9")

    def yields_to_mountain_troops(self, enemies: Iterable[int]) -> bool:
        """12.1: against regular infantry only: neither mountain troops nor a fortress may be with it."""
        kinds = {self.counters[enemy].type for enemy in enemies}
        return bool(kinds) and kinds <= {"infantry", "bersaglieri"}

    def steps_lost(self, state: AltipianiState, unit: int, steps: int, out: list[Event]) -> None:
        """14.0.c, 15.1.a: combat steps count for victory, and by option bring a replacement point each.

        15.1.d: after the Brusilov offensive A-H receives no points, these neither.
        """
        side = self.side[unit]
        if self.combat[unit] and steps:
            state.lost[side] += steps
            if self.replacements and not (side == AH and state.brusilov):
                reinforcements.gain(self, state, side, steps, "15.1.a", out)

    def attacked(self, state: AltipianiState, target: int) -> None:
        """12.4.c: units whose hex is attacked are free to move."""
        state.roused |= mask_of(state.stacks[target])

    def more_defence(self, state: AltipianiState, unit: int) -> int:
        """15.2: the improved Italian defence."""
        return 1 if state.improved and self.side[unit] == ITALIAN else 0

    def silenced(self, state: AltipianiState, gun: int) -> Refusal | None:
        return None

    def why_no_attack_across(self, state: AltipianiState, unit: int, edge: Edge) -> Refusal | None:
        return None

    def why_not_across_together(self, state: AltipianiState, units: Sequence[int], edge: Edge) -> Refusal | None:
        return None

    def crosses_in_attack(self, state: AltipianiState, unit: int, edge: Edge) -> None:
        """Crossing uses nothing up here."""

    def bombardments(self, state: AltipianiState) -> list[tuple[int, int]]:
        return []

    def why_no_bombardment(self, state: AltipianiState, gun: str, bridge: str) -> Refusal | None:
        return Refusal("12.3", "no_bombardments")

    def bombard(self, state: AltipianiState, gun: int, side: int, out: list[Event]) -> None:
        raise AssertionError("bridges are not bombarded in this game")

    def other_odds(self, state: AltipianiState, action: Action) -> Sheet:
        raise no_odds(action)

    def printed(self, path: str) -> Any:
        """More than both games have: `edge.ah`, `objectives.ah` (held at the start), `frozen`, `entry_hexes.ah-x`."""
        head, _, rest = path.partition(".")
        if head == "edge":
            return self.hex_ids(bits(self.board.home[self.seat_index(rest)]))
        if head == "objectives":
            held = self.board.control[self.seat_index(rest)]
            return {self.hex_id(h): worth for h, worth in self.objectives.items() if held >> h & 1}
        if head == "frozen":
            return sorted(counter.id for counter in self.counters if counter.frozen)
        if head == "entry_hexes":
            return self.hex_ids(self.scheduled[self.find_unit(rest)])
        return super().printed(path)

    # Result, views, positions

    def score(self, state: AltipianiState) -> int:
        return victory.score(self, state)

    def victory_hexes(self) -> dict[str, int]:
        """14.0.b: every objective and what it is worth."""
        return {self.hex_id(h): worth for h, worth in self.objectives.items()}

    def victory_levels(self) -> list[tuple[str, int | None]]:
        """14.0.a: the levels of victory; whatever is above the last limit is a strategic victory of A-H."""
        *limited, highest = victory.LEVELS
        limits = self.victory
        return [*((name, limits[f"{name}_max"]) for name in limited), (highest, None)]

    def result(self, state: AltipianiState) -> Result | None:
        return victory.result(self, state)

    def tracks(self, state: AltipianiState) -> tuple[Track, ...]:
        """14, 15: the score, steps lost and replacement points of both sides are open."""
        found = [Track("score", self.score(state))]
        found += [Track("lost", lost, seat) for seat, lost in zip(SIDES, state.lost, strict=True)]
        found += [Track("replacements", more, seat) for seat, more in zip(SIDES, state.replacements, strict=True)]
        return tuple(found)

    def family_part(self, state: AltipianiState, seat: int) -> dict[str, Any]:
        """12.4.c: who was roused, of enemies only those one sees; 15: what optional rules did to both."""
        found = self._open(state)
        roused = [name for name in found["roused"] if self._knows(state, self.number[name], seat)]
        known = {"brusilov": state.brusilov, "improved": state.improved, "roused": roused}
        return known | {"outcome": state.outcome}

    def view_marks(self, state: AltipianiState, unit: int) -> tuple[str, ...]:
        """12.4.c: who may not move yet; 12.4.b: whose guns make the barrage."""
        found = []
        if state.turn in self.frozen_turns and on_map(state, unit) and special.is_frozen(self, state, unit):
            found.append("frozen")
        if state.turn in self.barrage_turns and self.gun[unit] and self.side[unit] == AH:
            found.append("barrage")
        return tuple(found)

    def _knows(self, state: AltipianiState, unit: int, seat: int) -> bool:
        """5.4: does a seat see a unit? An attacked hex may hide some that took no part."""
        return self.side[unit] == seat or self.shows(state, unit)

    def _open(self, state: AltipianiState) -> dict[str, Any]:
        return {
            "lost": dict(zip(SIDES, state.lost, strict=True)),
            "replacements": dict(zip(SIDES, state.replacements, strict=True)),
            "brusilov": state.brusilov,
            "improved": state.improved,
            "roused": [self.ids[unit] for unit in bits(state.roused) if self.counters[unit].frozen],
        }

    def resample_more(self, state: AltipianiState, view: View, rng: Random) -> None:
        points = {name: {seat: view.track(name, seat) for seat in SIDES} for name in ("lost", "replacements")}
        self._read_open(state, points | view.family)

    def imagine_more(self, state: AltipianiState, seat: int) -> None:
        """12.4.c: who has been attacked is noted only where it matters, and of enemies only while they are seen."""
        roused = (unit for unit in bits(state.roused) if self.counters[unit].frozen)
        state.roused = mask_of(unit for unit in roused if self._knows(state, unit, seat))

    def shuffle_more(self, state: AltipianiState, hidden: Sequence[int], rng: Random) -> None:
        """12.4.c: whether units that lie hidden have been roused."""
        for unit in hidden:
            if self.counters[unit].frozen:
                state.roused ^= rng.randrange(2) << unit

    def leave_out(self, family: dict[str, Any], seat: int) -> None:
        """12.4.c: a side tells only which of its own units have been roused."""
        family["roused"] = [name for name in family["roused"] if self.side[self.number[name]] == seat]

    def remember_own(self, state: AltipianiState, before: AltipianiState, seat: int) -> None:
        """12.4.c: a side knows which of its own have been roused; the other may not."""
        own = mask_of(self.of_side[seat])
        state.roused = state.roused & ~own | before.roused & own

    def _read_open(self, state: AltipianiState, data: Mapping[str, Any]) -> None:
        lost, points = (given.mapping(data[field], field, SIDES, SIDES) for field in ("lost", "replacements"))
        for side, seat in enumerate(SIDES):
            state.lost[side] = whole_number(lost, seat, 0, 999, f"lost.{seat}")
            state.replacements[side] = whole_number(points, seat, 0, 999, f"replacements.{seat}")
        state.brusilov, state.improved = flag(data["brusilov"], "brusilov"), flag(data["improved"], "improved")
        for name in listed(data["roused"], "roused", len(self.ids)):
            if not isinstance(name, str) or name not in self.number:
                raise PositionError(f"roused: there is no unit {said(name)}")
            state.roused |= 1 << self.number[name]
        state.outcome = word(data.get("outcome", ""), "outcome", victory.OUTCOMES)

    def position_more(self, state: AltipianiState) -> dict[str, Any]:
        return self._open(state)

    def read_position_more(self, state: AltipianiState, data: Mapping[str, Any]) -> None:
        none = dict.fromkeys(SIDES, 0)
        empty: dict[str, Any] = {"lost": none, "replacements": none, "brusilov": False, "improved": False, "roused": []}
        self._read_open(state, empty | dict(data))

    def turns(self) -> tuple[int, int]:
        """3.0, 14.0: the game has a last turn."""
        return self.first_turn, self.last_turn

    def broken_more(self, state: AltipianiState) -> list[str]:
        found = []
        if min(state.replacements) < 0:
            found.append(f"replacements: {min(state.replacements)} replacement points (15.1)")
        return found


def _between(board: AltipianiBoard, ends: Sequence[int], h: int) -> bool:
    """13.0: does a hex lie between the ends of a range, in their row or column of the edge?"""
    columns, rows = [board.grid.column[e] for e in ends], [board.grid.row[e] for e in ends]
    within = min(columns) <= board.grid.column[h] <= max(columns) and min(rows) <= board.grid.row[h] <= max(rows)
    return within
