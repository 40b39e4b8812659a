"""Inferno sull'Isonzo as the engine sees it: set-up, the chapters of its own, and standing orders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from fronte.engine.decision import AUTO, Action, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.given import PositionError, listed, mapping, said, text, word
from fronte.engine.pack import PackError, is_number, value
from fronte.engine.rules import Result
from fronte.engine.sheet import Sheet
from fronte.engine.view import Sign, Track, View
from fronte.games.inferno import setup
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.combat import Bombard, is_flanked, unit_av
from fronte.games.inferno.counters import AH, COLUMNS, ITALIAN
from fronte.games.inferno.ground import ISONZO, REMEMBERED, RIVER, Edge
from fronte.games.inferno.known_ways import Surroundings
from fronte.games.inferno.movement import route_usable
from fronte.games.inferno.position import whole_number
from fronte.games.inferno.rules import Inferno, no_odds
from fronte.games.inferno.state import AS_BRIDGE, ESCORTED, MOV, MOVED, RESERVE, WAITING, place
from fronte.games.isonzo import battleground, reinforcements, special, standing, victory
from fronte.games.isonzo.battleground import Blow
from fronte.games.isonzo.by_file import IsonzoAccount
from fronte.games.isonzo.citations import CITATIONS
from fronte.games.isonzo.ground import IsonzoBoard
from fronte.games.isonzo.state import IsonzoState
from fronte.hexes import bits, mask_of


class Isonzo(Inferno[IsonzoState]):
    """The rules of Inferno sull'Isonzo."""

    game = "isonzo"
    version = "2"
    citations = CITATIONS
    board_kind = IsonzoBoard
    chapters = (
        *Inferno.chapters,
        reinforcements.CHAPTER,
        special.CHAPTER,
        battleground.CHAPTER,
        victory.CHAPTER,
    )
    phase_order = ("supply_phase", "reinforcement_phase", "works_phase", "movement_phase", "combat_phase")
    standing, routine = standing.POLICIES, standing.ROUTINE
    windows = {"demolition": lambda rules, state, frame: (state.mover, battleground.Hold())}
    loss_numbers = ("flanked_defender", "trench_defender", "trench_attacker")
    scenario_numbers = ("first_gt", "ris_rimp_max", "ris_rimp_from", "end_roll_from", "emergency_from")
    position_fields = ("destroyed", "pontoons", "crossed", "tried", "points", "released", "returned", "returns")
    account_kind = IsonzoAccount
    counter_columns = (*COLUMNS, "reserve")
    unit_types = ("infantry", "mountain", "bersaglieri", "infiltration", "engineer", "artillery", "heavy_artillery")
    terrain_levels = {"hill": 1, "low_mountain": 9}
    board: IsonzoBoard

    discreet = (*Inferno.discreet, "works")
    case_starts = Inferno.case_starts | {"points", "released", "returned", "destroyed", "intact", "crossed"}
    scorer = ITALIAN
    has_bridges = True
    second_player = AH
    friends_screen = False
    peaks_tower = True
    streams_are_low = True
    chooses_terrain = True
    mountains = ("low_mountain",)
    gun_reach = 2
    heavy_reach = 3
    fortresses_fall = False
    guns_stay_with_stuck = True
    supply_gaps = 0
    supply_over_crags = False  # there are none
    firing_flips = True
    fires_once = True
    recovers_again = False
    roads_check_hex_left = True

    def _switches(self) -> None:
        super()._switches()
        self._standing: dict[int, list[int]] = {}
        self.free_battalion = self.option["free_battalion"]
        self.free_battalion_attacks = self.free_battalion and self.option["free_battalion_attack"]
        self.unlimbers_both = self.option["artillery_redeploy"] == "any_phase"
        self.dies_at_zero = self.option["zero_defense"] == "eliminate"
        self.supply_kills = self.dies_at_zero and self.option["zero_defense_supply"] == "always"
        self.high_odds_lrt = self.option["high_odds_lrt"]
        self.infiltration_recovers = self.option["infiltration_recover"]
        self.roads_shun_enemies = self.option["road_block_scope"] == "adjacent"
        self.trench_shift = int(self.tables.tec["trench_shift"])
        self.failed_penalty = self.drm("retreat_priorities_failed")
        self.unable_penalty = self.failed_penalty + self.drm("unable_to_retreat")
        whole = self.option["partial_retreat"] == "move_and_plus4"
        self.partial_retreat_penalty = self.unable_penalty if whole else self.failed_penalty
        self.engineers_cross_alone = self.option["engineer_crosses_alone"]
        self.all_off_road = self.option["isonzo_all_mp"] == "off_road"
        self.quota_on_bridges: bool = self.option["isonzo_quota_on_bridges"]
        self.quota_on_guns: bool = self.option["isonzo_quota_artillery"]
        self.quota_per_side = self.option["isonzo_quota_scope"] == "side_per_gt"
        self.first_turn = int(self.scenario["first_gt"])
        if "last_gt" in self.scenario:
            self.last_turn = value(self.scenario, "scenarios.toml", "last_gt", is_number, "a whole number")
        self.most_points = int(self.scenario["ris_rimp_max"])
        self.first_points = int(self.scenario.get("ris_rimp_start", 0))
        self.silent_turns = tuple(self.scenario.get("italian_artillery_silent_gt", ()))
        self.objectives = victory.objective_values(self)
        self.hexsides_near = [self._near(h) for h in range(self.board.grid.size)]
        self.bridge_ends = [(number, sum(self.board.ends[number])) for number in self.board.bridges]
        """14.4: the hexside of each bridge, and the two hexes at its ends (a mask)."""
        self.eventful_ground = self.board.gorizia | mask_of(h for h, near in enumerate(self.hexsides_near) if near)
        """Where coming into a hex may set something off (`entered`)."""

    def _near(self, h: int) -> list[int]:
        """12.2.c, 14.4.b: hexsides that can bear a bridge or a pontoon with an end hex here, or by option with one
        within a hex."""
        hexes, sides = {h}, enumerate(self.board.sides)
        if self.option["bridge_adjacency"] == "within_one":
            hexes |= set(self.board.grid.adjacent[h])
        crossed = [(n, side) for n, side in sides if n in self.board.bridge_at or side.water in (RIVER, ISONZO)]
        return [n for n, side in crossed if side.a in hexes or side.b in hexes]

    def _barred_to(self, unit: int) -> int:
        """6.3.1, 12.3.1.b: enemy trenches, and for Italian guns what lies east of the Isonzo."""
        side = self.side[unit]
        bars = super()._barred_to(unit) | self.board.trench[1 - side]
        return bars | self.board.east if self.gun[unit] and side == ITALIAN else bars

    # The beginning

    def empty_state(self) -> IsonzoState:
        state = IsonzoState(len(self.counters), self.board.grid.size)
        state.steps = [counter.steps for counter in self.counters]
        return state

    def start(self, seed: bytes, out: list[Event]) -> IsonzoState:
        """1.1, 1.3: set up the scenario."""
        state = self.empty_state()
        state.seed = seed
        state.turn = self.first_turn
        state.points = self.first_points
        for bridge, number in enumerate(self.board.bridges):
            if self.board.sides[number].destroyed:
                state.broken |= 1 << bridge
        setup.set_up(self, state)
        self._check_areas(state)
        data = {"game": self.game, "scenario": self.header.scenario, "turn": state.turn}
        out.append(Event("begins", ("1.3", "1.1"), data))
        state.frames.append(Frame("player_turn", AUTO, (ITALIAN,)))
        for side in (AH, ITALIAN):
            if reinforcements.unplaced(self, state, side):
                state.frames.append(Frame("setup", side))
        return state

    def _check_areas(self, state: IsonzoState) -> None:
        """1.1: set-up areas of the two sides lie apart, and each side finds room in its own."""
        waiting = [reinforcements.unplaced(self, state, side) for side in (ITALIAN, AH)]
        areas = [{name for unit in units for name in self.counters[unit].setup} for units in waiting]
        both = sorted(areas[ITALIAN] & areas[AH])
        if both:
            raise PackError("units.csv", None, f"hex {both[0]} is in set-up areas of both sides (1.1)")
        for side in (ITALIAN, AH):
            if not reinforcements.all_fit(self, state, waiting[side]):
                why = f"the set-up areas of {self.seats[side]} cannot hold its units (1.1, 5.1)"
                raise PackError("units.csv", None, why)

    # What the shared chapters ask

    def case_more(self, state: IsonzoState, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> None:
        """Bridges, pontoons, crossings, points and the other parts of the score."""
        for bridge, number in enumerate(self.board.bridges):
            if self.board.sides[number].destroyed:
                state.broken |= 1 << bridge
        for name in start.get("destroyed", ()):
            state.broken |= 1 << self.board.bridge_at[self.board.hexside(name)]
        for name in start.get("intact", ()):
            state.broken &= ~(1 << self.board.bridge_at[self.board.hexside(name)])
        for name, data in units.items():
            if "pontoon" in data:
                unit = self.find_unit(name)
                state.pontoons[unit] = self.board.hexside(data["pontoon"])
                place(self, state, unit, AS_BRIDGE)
        state.points = int(start.get("points", state.points))
        state.released = int(start.get("released", 0))
        state.returned = int(start.get("returned", 0))
        for name, hexside in start.get("crossed", {}).items():
            unit = self.find_unit(name)
            state.crossed[battleground.slot(self, unit, self.board.hexside(hexside))] = unit

    def player_turn_begins(self, state: IsonzoState) -> None:
        state.tried = [0, 0]

    def before_movement(self, state: IsonzoState) -> None:
        """12.2.d: pontoons may return at the start of any Movement Phase; the phasing player says first."""
        for side in (1 - state.active, state.active):
            if special.recallable(self, state, side):
                state.frames.append(Frame("pontoons", side))

    def entered(self, state: IsonzoState, units: Sequence[int], h: int, out: list[Event]) -> None:
        """15.e, 14.4.b, 12.2.c: Gorizia, bridges that may be blown, pontoons that break."""
        side = self.side[units[0]]
        if self.board.gorizia >> h & 1:
            victory.check_gorizia(self, state, units, h, out)
            if state.outcome:
                return
        if self.hexsides_near[h]:
            battleground.ask_demolition(self, state, side, h)
            special.break_pontoons(self, state, side, h)

    def eventful(self, state: IsonzoState, side: int) -> int:
        """15.e, 14.4.b, 12.2.c: Gorizia, and where there may be bridges or pontoons."""
        return super().eventful(state, side) | self.eventful_ground

    def frozen(self, state: IsonzoState, unit: int) -> Refusal | None:
        """4.3.b, 13.1.a, 1.3.2: reserves do not move, nor by option silenced artillery."""
        if state.flags[unit] & RESERVE:
            return Refusal("13.1.a", "reserves_stay", {"unit": self.ids[unit]})
        if self.gun[unit] and self.side[unit] == ITALIAN and self.freezes(state):
            return Refusal("1.3.2", "unusable_this_turn", {"unit": self.ids[unit]})
        return None

    def going_depends_on(self, state: IsonzoState, side: int) -> tuple[Any, ...]:
        """Also bridges, pontoons, and who has crossed the Isonzo (14.2.a)."""
        crossings = tuple(sorted(state.pontoons.items())), tuple(sorted(state.crossed.items()))
        return *super().going_depends_on(state, side), state.broken, crossings

    def ways_depend_on(self, state: IsonzoState, unit: int, near: Surroundings) -> tuple[Any, ...]:
        """Also bridges, pontoons, and who has crossed the Isonzo (14.2.a) or may cross it with an engineer (14.2.b)."""
        sides = near.sides
        pontoons = sides & mask_of(state.pontoons.values())
        crossed = mask_of(key for key, who in state.crossed.items() if who != unit and sides >> key // 4 & 1)
        crosses = self.battalion[unit], state.flags[unit] & ESCORTED
        return *super().ways_depend_on(state, unit, near), state.broken & near.bridges, pontoons, crossed, *crosses

    def freezes(self, state: IsonzoState) -> bool:
        return state.turn in self.silent_turns and not self.option["gt1_artillery_may_move"]

    # asked at every step of every way, so that no call lies in between
    why_no_step = special.why_no_step
    route_open = battleground.route_open
    is_bridged = battleground.is_bridged
    may_retreat_across = battleground.may_retreat_across

    def takes_whole_move(self, state: IsonzoState, unit: int, a: int, edge: Edge, roadblock: int) -> bool:
        """14.2.b, table.tec: crossing the Isonzo takes all points, but along a usable road over a bridge (4.5).

        By option a crossing on any bridge or pontoon does not either.
        """
        if edge.water != ISONZO:
            return False
        if not self.all_off_road:
            return not battleground.is_bridged(self, state, edge)
        by_road = battleground.is_intact(self, state, edge) and route_usable(self, state, unit, a, edge, roadblock)
        return not by_road

    def step_taken(self, state: IsonzoState, unit: int, a: int, edge: Edge) -> None:
        """14.2.a, 14.2.b, 12.3.g: a crossing uses its slot; after two hexes no engineer helps; guns turn."""
        if edge.water == ISONZO:
            battleground.use_slot(self, state, unit, edge)
        if state.flags[unit] & MOVED:
            state.flags[unit] &= ~ESCORTED
        if self.gun[unit]:
            state.flags[unit] |= MOV  # 12.3.g

    def routes_cut(self, state: IsonzoState) -> int:
        """4.5: bridges that are down."""
        return state.broken

    def supplied_in(self, state: IsonzoState, unit: int) -> int:
        """11.5: an engineer on its bridge side traces supply from either bank that no enemy occupies."""
        if unit in state.pontoons:
            return mask_of(special.landings(self, state, unit))
        return super().supplied_in(state, unit)

    def eliminate(self, state: IsonzoState, unit: int, because: tuple[str, ...], out: list[Event]) -> None:
        """12.2: with an engineer on its bridge side its pontoon is gone."""
        super().eliminate(state, unit, because, out)
        state.pontoons.pop(unit, None)

    def bridges_down(self, state: IsonzoState) -> int:
        return state.broken

    def bridged_sides(self, state: IsonzoState, side: int) -> list[int]:
        standing = self._standing.get(state.broken)
        if standing is None:
            if len(self._standing) >= REMEMBERED:
                self._standing.clear()
            bridges = enumerate(self.board.bridges)
            standing = self._standing[state.broken] = [n for k, n in bridges if not state.broken >> k & 1]
        if not state.pontoons:
            return standing
        return standing + [number for unit, number in state.pontoons.items() if self.side[unit] == side]

    def recovery_price(self, state: IsonzoState, unit: int) -> Refusal | None:
        """14.3.1: beyond the Italian trenches recovery costs a Ris/Rimp point."""
        if self._pays_point(state, unit) and state.points < 1:
            return Refusal("14.3.1", "recovery_needs_point", {"unit": self.ids[unit]})
        return None

    def _pays_point(self, state: IsonzoState, unit: int) -> bool:
        return self.side[unit] == ITALIAN and bool(self.board.beyond >> state.at[unit] & 1)

    def pay_recovery(self, state: IsonzoState, unit: int) -> None:
        if self._pays_point(state, unit):
            state.points -= 1

    def may_unlimber(self, state: IsonzoState, side: int) -> list[int]:
        return special.may_unlimber(self, state, side)

    def in_range(self, target: int, origins: Iterable[int]) -> int:
        """12.3.b: the range is measured to the defending hex."""
        return 1 << target

    def is_flanked(self, state: IsonzoState, battle: Battle) -> bool:
        return is_flanked(self, state, self.side[battle.attackers[0]], battle.target, battle.origins)

    def flanked_by(self, state: IsonzoState, battle: Battle) -> tuple[str, str]:
        return ("infiltrated", "12.4.d") if battle.infiltration else ("flanked", "7.9")

    def yields_to_mountain_troops(self, enemies: Iterable[int]) -> bool:
        """12.1: against a side that has none of its own in the combat."""
        return not any(self.mountain[enemy] for enemy in enemies)

    def carries_retreat(self, state: IsonzoState, edge: Edge, side: int) -> bool:
        return self.is_bridged(state, edge)

    def steps_lost(self, state: IsonzoState, unit: int, steps: int, out: list[Event]) -> None:
        """Lost steps have no other effect here."""

    def attacked(self, state: IsonzoState, target: int) -> None:
        """Being attacked has no lasting effect here."""

    def silenced(self, state: IsonzoState, gun: int) -> Refusal | None:
        """1.3.2: in the surprise scenario Italian guns are silent for a turn."""
        if self.side[gun] == ITALIAN and state.turn in self.silent_turns:
            return Refusal("1.3.2", "guns_silent", {"turn": state.turn})
        return None

    def why_no_attack_across(self, state: IsonzoState, unit: int, edge: Edge) -> Refusal | None:
        return battleground.why_no_attack_across(self, state, unit, edge)

    def why_not_across_together(self, state: IsonzoState, units: Sequence[int], edge: Edge) -> Refusal | None:
        return battleground.why_not_across_together(self, state, units, edge)

    def crosses_in_attack(self, state: IsonzoState, unit: int, edge: Edge) -> None:
        battleground.use_slot(self, state, unit, edge)

    def bombardments(self, state: IsonzoState) -> list[tuple[int, int]]:
        return battleground.bombardments(self, state)

    def why_no_bombardment(self, state: IsonzoState, gun: str, bridge: str) -> Refusal | None:
        return battleground.why_no_bombardment(self, state, gun, bridge)

    def bombard(self, state: IsonzoState, gun: int, side: int, out: list[Event]) -> None:
        battleground.bombard(self, state, gun, side, out)

    def other_odds(self, state: IsonzoState, action: Action) -> Sheet:
        """14.4.b, 14.4.d: the chance to bring down a bridge; 12.5.1.a: to hold a trench."""
        if isinstance(action, Blow):
            return battleground.bridge_sheet(battleground.DEMOLITION)
        if isinstance(action, Bombard):
            return battleground.bridge_sheet(min(6, unit_av(self, state, self.number[action.gun])))
        if isinstance(action, special.Refuse | special.Accept | special.Exchange):
            return special.refusal_sheet(self, state, action)
        raise no_odds(action)

    # Result, views, positions

    def score(self, state: IsonzoState) -> int:
        return victory.score(self, state)

    def victory_hexes(self) -> dict[str, int]:
        return {self.hex_id(h): worth for h, worth in self.objectives.items()}

    def victory_levels(self) -> list[tuple[str, int | None]]:
        """15.f: the levels of victory."""
        limits = self.victory
        return [(name, limits[line] if line else None) for name, line in victory.LEVELS.items()]

    def result(self, state: IsonzoState) -> Result | None:
        return victory.result(self, state)

    def _bridges(self, state: IsonzoState) -> list[str]:
        numbers = [number for bridge, number in enumerate(self.board.bridges) if state.broken >> bridge & 1]
        return [self.board.hexside_name(number) for number in numbers]

    def _tried(self, state: IsonzoState) -> dict[str, list[str]]:
        return {name: [self.hex_id(h) for h in bits(mask)] for name, mask in zip(self.seats, state.tried, strict=True)}

    def signs(self, state: IsonzoState) -> list[Sign]:
        """14.4, 12.2, 14.2.e: bridges that are down, pontoons, and crossings used this turn are open to both."""
        name = self.board.hexside_name
        found = [Sign("destroyed", hexside) for hexside in self._bridges(state)]
        for unit, number in sorted(state.pontoons.items()):
            found.append(Sign("pontoon", name(number), self.seats[self.side[unit]], self.ids[unit]))
        for key in sorted(state.crossed):
            number, owner, small = key // 4, key // 2 % 2, key % 2
            found.append(Sign("crossed", name(number), self.seats[owner], value="battalion" if small else "brigade"))
        return found

    def tracks(self, state: IsonzoState) -> tuple[Track, ...]:
        """13.1, 13.2, 15: the score and what goes into it."""
        return (
            Track("score", self.score(state)),
            Track("points", state.points, self.seats[ITALIAN]),
            Track("released", state.released, self.seats[ITALIAN]),
            Track("returned", state.returned, self.seats[AH]),
            Track("returns", state.returns, self.seats[AH]),
        )

    def family_part(self, state: IsonzoState, seat: int) -> dict[str, Any]:
        """14.4.b: which bridges have been tried."""
        return {"tried": self._tried(state), "outcome": state.outcome}

    def resample_more(self, state: IsonzoState, view: View, rng: Random) -> None:
        self._read_open(
            state,
            {
                "destroyed": [sign.at for sign in view.on("destroyed")],
                "pontoons": {sign.piece: sign.at for sign in view.on("pontoon")},
                **{track.name: track.value for track in view.tracks},
                **view.family,
            },
        )
        for sign in view.on("crossed"):
            slot = self.board.hexside(sign.at) * 2 + self.seat_index(sign.force)
            self._guess_crossing(state, slot * 2 + (sign.value == "battalion"))

    def imagine_more(self, state: IsonzoState, seat: int) -> None:
        """14.2.a: which unit has used a crossing is not kept in mind."""
        slots = sorted(state.crossed)
        state.crossed = {}
        for key in slots:
            self._guess_crossing(state, key)

    def _guess_crossing(self, state: IsonzoState, key: int) -> None:
        """14.2.a: a slot of the Isonzo has been used, by a unit of that kind that stands at it if there is one."""
        number, owner, small = key // 4, key // 2 % 2, bool(key % 2)
        here = [u for h in self.board.sides[number][:2] for u in state.stacks[h] if self.side[u] == owner]
        near = [u for u in here if self.battalion[u] == small]
        anybody = next((u for u in self.of_side[owner] if self.battalion[u] == small), None)
        if anybody is not None:
            state.crossed[key] = min(near, default=anybody)

    def remember_own(self, state: IsonzoState, before: IsonzoState, seat: int) -> None:
        """14.2.a: which units of one's own have used a crossing, also in the attack that was just answered."""
        used = dict(before.crossed)
        battle = before.battle
        if battle is not None and before.active == seat:
            for unit, origin in zip(battle.attackers, battle.origins, strict=True):
                used[battleground.slot(self, unit, self.board.edge_to[origin][battle.target].side)] = unit
        for key in state.crossed:
            if key // 2 % 2 == seat and key in used:
                state.crossed[key] = used[key]

    def _read_open(self, state: IsonzoState, data: Mapping[str, Any]) -> None:
        for name in listed(data["destroyed"], "destroyed", len(self.board.sides)):
            number = self.board.hexside(text(name, "destroyed"))
            if number not in self.board.bridge_at:
                raise PositionError(f"destroyed: there is no bridge on {said(name)} (14.4.a)")
            state.broken |= 1 << self.board.bridge_at[number]
        for unit, name in mapping(data["pontoons"], "pontoons", self.number).items():
            engineer, number = self.number[unit], self.board.hexside(text(name, f"pontoons.{unit}"))
            if number < 0 or self.board.sides[number].water not in (RIVER, ISONZO):
                raise PositionError(f"pontoons.{unit}: there is no river on {said(name)} (12.2.b)")
            if state.at[engineer] not in (WAITING, AS_BRIDGE):
                raise PositionError(f"pontoons.{unit}: the unit is somewhere else (12.2)")
            state.pontoons[engineer] = number
            place(self, state, engineer, AS_BRIDGE)
        for name, hexes in mapping(data["tried"], "tried", self.seats).items():
            for h in listed(hexes, f"tried.{name}", self.board.grid.size):
                state.tried[self.seat_index(name)] |= 1 << self.read_hex(text(h, f"tried.{name}"))
        state.points = whole_number(data, "points", 0, self.most_points)
        state.released = whole_number(data, "released", 0, 99)
        state.returned = whole_number(data, "returned", 0, 99)
        state.returns = whole_number(data, "returns", 0, 99)
        state.outcome = word(data.get("outcome", ""), "outcome", victory.OUTCOMES)

    def position_more(self, state: IsonzoState) -> dict[str, Any]:
        return {
            "destroyed": self._bridges(state),
            "pontoons": {self.ids[unit]: self.board.hexside_name(n) for unit, n in sorted(state.pontoons.items())},
            "crossed": {str(key): self.ids[unit] for key, unit in sorted(state.crossed.items())},
            "tried": self._tried(state),
            "points": state.points,
            "released": state.released,
            "returned": state.returned,
            "returns": state.returns,
        }

    def read_position_more(self, state: IsonzoState, data: Mapping[str, Any]) -> None:
        empty: dict[str, Any] = {"destroyed": [], "pontoons": {}, "tried": {}, "points": 0}
        self._read_open(state, empty | {"released": 0, "returned": 0, "returns": 0} | dict(data))
        for key, name in mapping(data.get("crossed", {}), "crossed").items():
            place = f"crossed.{key[:12]}"
            if not key.isascii() or not key.isdigit() or len(key) > 6:
                raise PositionError(f"{place}: it is no slot of the river (14.2.a)")
            if not isinstance(name, str) or name not in self.number:
                raise PositionError(f"{place}: there is no unit {said(name)}")
            state.crossed[int(key)] = self.number[name]

    def turns(self) -> tuple[int, int]:
        """1.3, 1.4: past the end of the track the game surely ends."""
        if self.last_turn:
            return self.first_turn, self.last_turn
        return self.first_turn, max(int(self.scenario["end_roll_from"]), max(self.tables.end_track, default=0) + 1)

    def broken_more(self, state: IsonzoState) -> list[str]:
        found = []
        for unit, name in enumerate(self.ids):
            if (state.at[unit] == AS_BRIDGE) != (unit in state.pontoons):
                found.append(f"units.{name}: it is on its bridge side without a hexside, or the other way round (12.2)")
        if len(set(state.pontoons.values())) < len(state.pontoons):
            found.append("pontoons: two lie on one hexside (12.2.b)")
        for key, unit in state.crossed.items():
            number = key // 4
            if number >= len(self.board.sides) or self.board.sides[number].water != ISONZO:
                found.append(f"crossed.{key}: it is no slot of the river (14.2.a)")
            elif battleground.slot(self, unit, number) != key:
                found.append(f"crossed.{key}: {self.ids[unit]} does not use this slot (14.2.a)")
        bridges = mask_of(self.board.sides[number].bridge_hex for number in self.board.bridges)
        if (state.tried[0] | state.tried[1]) & ~bridges:
            found.append("tried: a hex has no bridge (14.4.b)")
        if not 0 <= state.points <= self.most_points:
            found.append(f"points: {state.points} Ris/Rimp points (13.1.c)")
        return found
