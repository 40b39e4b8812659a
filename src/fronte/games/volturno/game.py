"""Volturno 1860 as the engine sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from fronte.engine.capabilities import Capabilities
from fronte.engine.card import Card, Line
from fronte.engine.decision import Action, IllegalAction, Refusal
from fronte.engine.event import Event
from fronte.engine.outlook import Outlook
from fronte.engine.overlay import Asked, Overlay
from fronte.engine.pack import Pack
from fronte.engine.recollection import NOTHING, Others, Recollection
from fronte.engine.rules import Result, Way, Weighing
from fronte.engine.sheet import Fact, Row, Sheet
from fronte.engine.sketch import RIVER, HexSketch, SideSketch, Sketch
from fronte.engine.standing import Policies
from fronte.engine.view import Piece, Setting, View
from fronte.engine.whynot import Idle, WhyNot
from fronte.games.common.game import Game
from fronte.games.common.memory import Memory
from fronte.games.volturno import (
    acting,
    actions,
    arrival,
    assault,
    breaking_off,
    cases,
    charge,
    charging,
    cohesion,
    commanders,
    counter_charges,
    declarations,
    exhausted_moves,
    fire,
    fog,
    formations,
    luck,
    movement,
    odds,
    outlook,
    overlays,
    panels,
    position,
    reactions,
    retreats,
    roster,
    scenarios,
    sequence,
    standing,
    threats,
    whynot,
    withdrawals,
)
from fronte.games.volturno.counters import COMPASS, FORMATIONS, GARIBALDINI, HALVES, NAPOLETANI, SIDES
from fronte.games.volturno.printed import VolturnoPrinted
from fronte.games.volturno.state import AWAY, LOST, NOBODY, ROUTED, State, place
from fronte.hexes import bits

CAPABILITIES = Capabilities(
    hidden=True,
    odds=True,
    luck=True,
    overlays=overlays.OVERLAYS,
    piece_overlays=overlays.OF_PIECES,
    usual_overlays=overlays.USUAL,
    paths=True,
    reasons=True,
    outlook=True,
)


class Volturno(VolturnoPrinted, Game[State]):
    """The rules of one scenario of Volturno 1860."""

    game = "volturno"
    version = "1"
    seats = SIDES
    capabilities = CAPABILITIES
    panels = panels.PANELS
    chapters = (
        sequence.CHAPTER,
        formations.CHAPTER,
        actions.CHAPTER,
        declarations.CHAPTER,
        movement.CHAPTER,
        withdrawals.CHAPTER,
        commanders.CHAPTER,
        fire.CHAPTER,
        assault.CHAPTER,
        charging.CHAPTER,
        counter_charges.CHAPTER,
        exhausted_moves.CHAPTER,
        retreats.CHAPTER,
        reactions.CHAPTER,
        cohesion.CHAPTER,
        breaking_off.CHAPTER,
        scenarios.CHAPTER,
    )
    case_starts = cases.STARTS

    def __init__(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> None:
        super().__init__(pack, scenario, options)
        self.nearest_known: Memory[tuple[int, int], int] = Memory(4000)
        """6.2: how far from a hex the nearest of these enemies is."""
        self.standing: Mapping[str, Policies] = standing.POLICIES
        self.routine: Mapping[str, str] = standing.ROUTINE
        self.windows = {"react": lambda rules, state, frame: (frame.args[0], reactions.Hold())}
        levels = self.scenario.get("levels", {})
        bands: tuple[tuple[str, int | None], ...] = ()
        if levels:
            bands = (("garibaldini_win", levels["garibaldian"]), ("draw", levels["draw"]), ("napoletani_win", None))
        begun = bool(levels) or self.option["short_scenario_initial_control"] == SIDES[GARIBALDINI]
        theirs = tuple(sorted(self.grid.ids[h] for h in self.objectives))
        self.setting = Setting(
            self.seats,
            dict(zip(SIDES, SIDES, strict=True)),
            {self.grid.ids[h]: vp for h, vp in self.objectives.items()},
            bands,
            self.hex_ids(bits(self.ground.extent)) if self.ground.extent != self.grid.everything else (),
            {SIDES[GARIBALDINI]: theirs if begun else (), SIDES[NAPOLETANI]: ()},
            HALVES,
            self.last_turn,
        )

    def is_acting(self, state: State) -> bool:
        """7: is it the Action Phase of a formation?"""
        return state.formation != NOBODY

    def roster(self, state: State, formation: int) -> dict[str, Any]:
        """6.1, 7: how a formation stands, for the card of its owner."""
        return roster.roster(self, state, formation)

    # The course of the game

    def start(self, seed: bytes, out: list[Event]) -> State:
        state = State(len(self.counters))
        state.seed = seed
        scenarios.start(self, state)
        return state

    def score(self, state: State) -> int:
        """16.1.3, 17.1.3: where the game stands, for the Neapolitans."""
        return scenarios.score(self, state)

    def account(self, state: State) -> dict[str, Any]:
        """17.1.3.p2: of what the score is made."""
        return scenarios.account(self, state)

    def result(self, state: State) -> Result | None:
        return scenarios.result(self, state)

    def merit(self, result: Result, seat: int) -> int:
        return result.score if seat else -result.score

    # What seats see

    def view(self, state: State, seat: int) -> View:
        return fog.view(self, state, seat)

    def public_view(self, state: State) -> View:
        return fog.view(self, state, fog.ONLOOKER)

    def resample(self, view: View, rng: Random) -> State:
        return fog.resample(self, view, rng)

    def imagine(self, state: State, seat: int, rng: Random | None) -> State:
        return fog.imagine(self, state, seat, rng)

    def shuffle_hidden(self, state: State, seat: int, rng: Random) -> State:
        return fog.shuffle_hidden(self, state, seat, rng)

    # Positions

    def to_position(self, state: State) -> dict[str, Any]:
        return position.write(self, state)

    def from_position(self, data: Mapping[str, Any]) -> State:
        return position.read(self, data)

    def broken(self, state: State) -> list[str]:
        return position.broken(self, state)

    # Ways and odds

    def path_through(self, state: State, unit: str, via: Sequence[str]) -> Way | Refusal:
        """8: the way through these hexes; to one hex alone the cheapest."""
        frame = state.frames[-1] if state.frames else None
        choice = self.choices[frame.name] if frame is not None else None
        number, hexes = self.number.get(unit, -1), self.hexes(via)
        if isinstance(hexes, Refusal):
            return hexes
        if number < 0:
            return self.unknown_unit(unit)
        if frame is None or not isinstance(choice, acting.Acting):
            return Refusal("6.1", "not_its_formation", {"unit": unit})
        found = (
            movement.reach(self, state, number).get(hexes[-1]) if len(hexes) == 1 and state.at[number] >= 0 else None
        )
        way = found[1] if found else hexes
        refusal = choice.why_not(self, state, frame, acting.Move(unit, self.hex_ids(way)))
        if refusal is not None:
            return refusal
        left = movement.left_of(self, state, number)
        for here, there in zip([state.at[number], *way], way, strict=False):
            left = max(0, left - movement.step_cost(self, state, number, here, there))
        return Way(self.hex_ids(way), left)

    def why_not_there(
        self, state: State, seat: int, piece: str, goal: str, along: Sequence[str] = ()
    ) -> WhyNot | Refusal:
        """8: units move one by one, so nobody goes along."""
        unit, h = self.number.get(piece, -1), self.grid.index.get(goal, -1)
        if unit < 0:
            return self.unknown_unit(piece)
        if h < 0:
            return self.unknown_hex(goal)
        if self.side[unit] != seat:
            return Refusal("8.6", "not_yours", {"unit": piece})
        if state.at[unit] < 0:
            return Refusal("2.4.p2", "gone", {"unit": piece})
        return whynot.why_not_there(self, state, seat, unit, h)

    def idle(self, state: State, seat: int) -> Mapping[str, Idle]:
        return whynot.idle(self, state, seat)

    def outlook(self, state: State, seat: int) -> Outlook:
        return outlook.outlook(self, state, seat)

    def cautions(self, state: State, seat: int, action: Action) -> tuple[Line, ...]:
        return outlook.cautions(self, state, seat, action)

    def others(self, state: State, seat: int) -> Others:
        return fog.others(self, state, seat)

    def sheet(self, state: State, action: Action, seat: int) -> Sheet:
        return self.remembered_sheet(state, action, seat, NOTHING)

    def remembered_sheet(self, state: State, action: Action, seat: int, recalled: Recollection) -> Sheet:
        """6.1.1, 9.3, 13.1: of attempts, shots and checks, in a state made from the seat's view alone.

        What the seat neither knows (8.6) nor remembers is one of the possibilities there, the same whatever the truth
        is.
        """
        state, known = fog.remembered(self, self.imagine(state, seat, None), seat, recalled)
        if isinstance(action, declarations.Redirect):
            marker = declarations.redirected(self, state, state.frames[-1].args[0], action)
            target = assault.target_of(self, marker)
        elif isinstance(action, declarations.Declare | charge.Charge):
            target = self.grid.index[action.target]
        else:  # 9.3: at whom one fires, the back tells
            return self._sheet(state, action)
        there = state.stacks.get(target, ())
        strange = any(not fog.knows(self, state, seat, unit) and unit not in known for unit in there)
        found = self._sheet(state, action).remembering([self.ids[unit] for unit in there if unit in known], recalled)
        return msgspec.structs.replace(found, unknown=("strangers",)) if strange else found

    def _sheet(self, state: State, action: Action) -> Sheet:
        """The same in a state that was made for whoever asks."""
        if isinstance(action, formations.Attempt):
            return self._attempt_sheet(state, FORMATIONS.index(action.formation))
        if isinstance(action, fire.Fire):
            target = fire.target_of(state, self.grid.index[action.target], action.piece)
            return self._fire_sheet(state, self.number[action.unit], target)
        if isinstance(action, reactions.Shoot):
            fired = self._fire_sheet(state, self.number[action.unit], state.frames[-1].args[0])
            threat = threats.of_window(self, state, state.frames[-1])
            levels = next(row.counts for row in fired.rows if row.what == "levels")
            return threats.with_threat(fired, threats.under_fire(self, state, threat, levels)) if threat else fired
        if isinstance(action, reactions.Hold):
            return self._threat_sheet(state)
        if isinstance(action, breaking_off.GoOn):
            return self._onward_sheet(state)
        if isinstance(action, retreats.Retreat):
            unit, *_, fought = state.frames[-1].args
            return arrival.back(self, state, unit, self.grid.index[action.to], fought)
        if isinstance(action, breaking_off.BreakOff):
            if not action.to:
                return Sheet("retreat")
            return arrival.back(self, state, state.frames[-1].args[0], self.grid.index[action.to])
        if isinstance(action, reactions.Counter):
            unit, h = self.number[action.unit], state.at[state.frames[-1].args[0]]
            return self._counter_sheet(state, unit, self._assault_sheet(state, unit, h, "counter"), "counter")
        if isinstance(action, reactions.Face):
            return self._turned_sheet(state, self.number[action.unit], COMPASS.index(action.facing))
        if isinstance(action, withdrawals.Withdraw):
            unit, extra = self.number[action.unit], 0
            if state.frames[-1].name == "react":
                extra = reactions.swiftness(self, state.frames[-1].args[0], unit)
                return self._reaction_sheet(state, unit, extra, "12.2.5")
            return self._check_sheet(state, unit, extra, "8.7.2")
        if isinstance(action, declarations.Declare):
            at, target = self.grid.index[action.at], self.grid.index[action.target]
            return arrival.sheet(self, state, self.number[action.unit], at, target, action.by or arrival.ASSAULT)
        if isinstance(action, declarations.Redirect):
            return self._redirected_sheet(state, action)
        if isinstance(action, assault.Assault):
            return self._assault_sheet(state, self.number[action.unit], self.grid.index[action.target])
        if isinstance(action, charge.Charge):
            unit, h = self.number[action.unit], self.grid.index[action.target]
            fought = self._charge_sheet(state.copy(), unit, action.path, h)
            path = [self.grid.index[name] for name in action.path]
            return arrival.with_ride(self, state, unit, path, fought) if path and fought.of else fought
        if isinstance(action, counter_charges.CounterCharge):
            unit, h = self.number[action.unit], state.at[state.frames[-1].args[0]]
            fought = self._charge_sheet(state.copy(), unit, action.path, h, "charge_counter")
            return self._counter_sheet(state, unit, fought, "countercharge")
        if isinstance(action, charging.CallOff):
            return self._check_sheet(state, state.frames[-1].args[0], 0, "10.2.2")
        if isinstance(action, charging.RideOn):
            unit, h = state.frames[-1].args[:2]
            return self._assault_sheet(state, unit, h, "charge")
        if isinstance(action, assault.Oppose):
            unit, h, how = state.frames[-1].args
            return self._assault_sheet(state, unit, h, how, self.number[action.unit])
        raise IllegalAction(Refusal("", "no_dice", {"do": action.__struct_config__.tag}))

    def _redirected_sheet(self, state: State, action: declarations.Redirect) -> Sheet:
        """7.1.5: the attack of whoever laid the marker, as it would lie now, if he can come there."""
        marker = declarations.redirected(self, state, state.frames[-1].args[0], action)
        kind, at, _, unit = marker
        target, how = assault.target_of(self, marker), fog.MARKERS[kind]
        if state.at[unit] < 0 or target < 0 or not arrival.comes(self, state, unit, at, target, how):
            return Sheet("declare", 0, {}, (Fact("no_attack", {}, "", "7.1.5"),))
        return arrival.sheet(self, state, unit, at, target, how)

    def case_odds(self, sheet: Sheet) -> dict[str, Any]:
        """Rows also by whom they befall: `levels.napoletani`."""
        return super().case_odds(sheet) | {f"{row.what}.{row.who}": list(row.counts) for row in sheet.rows}

    def _attempt_sheet(self, state: State, formation: int) -> Sheet:
        """6.1.1, 6.2: not at all, by order, or by a six; 15.2.p5: in the dark a six is as good as not at all."""
        added = formations.drm(self, state, formation)
        needed = self.counters[self.leader_of[formation]].command
        six, counts = 0 if formations.stays_on_six(self, state.turn) else 2, [0, 0, 0]
        for die in range(1, 7):
            counts[six if die == formations.SIX else int(die + added <= needed)] += 1
        facts = (Fact("orders", {}, f"{-state.orders[formation]}", "6.1.2"),) if state.orders[formation] else ()
        side = SIDES[self.side[self.leader_of[formation]]]
        return Sheet("attempt", 6, {"drm": added}, facts, (Row("activation", tuple(counts), side, "6.1.1"),))

    def _fire_sheet(self, state: State, unit: int, target: int) -> Sheet:
        """9.3, 9.4.3.p1: the levels it takes, whether the target routs, and whether there is ammunition at all."""
        found = fire.modifiers(self, state, unit, target)
        drm, most = sum(modifier.amount for modifier in found), cohesion.ROUT - state.level[target]
        levels, empty = [0] * (1 + max(int(n) for _, n in self.tables["fire"]["levels"])), 0
        for total, ways in odds.TWO_DICE.items():
            levels[fire.levels_of(self, total + drm)] += ways
        side, rows, of = SIDES[self.side[target]], [], odds.WAYS
        if state.low >> unit & 1:
            empty = int(self.tables["ammunition"]["out"])
            of, levels = of * 6, [n * (6 - empty) for n in levels]
            levels[0] += empty * odds.WAYS
            counts = (of - empty * odds.WAYS, empty * odds.WAYS)
            rows.append(Row("empty", counts, SIDES[self.side[unit]], "9.4.3.p1"))
        routed = sum(levels[most:])
        rows += (Row("levels", tuple(levels), side, "9.4"), Row("routs", (of - routed, routed), side, "13.2"))
        facts = tuple(Fact(m.key, {}, f"{m.amount:+d}", "table.fire") for m in found)
        return Sheet("fire", of, {"drm": drm}, facts, tuple(rows))

    def _threat_sheet(self, state: State) -> Sheet:
        """12.1.2: the attack that goes on if nobody reacts."""
        find = threats.of_window(self, state, state.frames[-1]) if state.frames[-1].name == "react" else None
        return self._assault_sheet(state, find.unit, find.hex, find.how) if find else Sheet("hold")

    def _onward_sheet(self, state: State) -> Sheet:
        """13.1.3: what awaits a unit that does not break off: the rest of its way, and the attack in which it is."""
        unit = state.frames[-1].args[0]
        below = {frame.name: frame for frame in state.frames if frame.args and frame.args[0] == unit}
        march, onset, find = below.get("march"), below.get("onset"), threats.of_unit(self, state, unit)
        if march is None or not march.args[1]:
            return self._assault_sheet(state, find.unit, find.hex, find.how) if find else Sheet("hold")
        _, path, facing, _ = march.args
        if onset is None:
            return arrival.onward(self, state, unit, path, facing, below.get("watch"))
        fought = self._charge_sheet(state.copy(), unit, self.hex_ids(path), onset.args[1])
        return arrival.with_ride(self, state, unit, path, fought, below.get("watch")) if fought.of else fought

    def _charge_sheet(self, state: State, unit: int, path: Sequence[str], h: int, how: str = "charge") -> Sheet:
        """10.1.2: as it would be fought from the charge hex, if nothing changes on the way."""
        if path:
            place(state, unit, self.grid.index[path[-1]], self.side[unit])
        return self._assault_sheet(state, unit, h, how)

    def _counter_sheet(self, state: State, unit: int, fought: Sheet, heading: str) -> Sheet:
        """12.2.3: first the check, then the combat as it goes if that is passed."""
        counts = odds.of_check(self, state, unit, charge.fear(self, state, state.frames[-1].args[0], unit))
        of, ways = fought.of or odds.WAYS, (counts[0], odds.WAYS - counts[0])
        passed = Row("fails", tuple(n * of // odds.WAYS for n in ways), SIDES[self.side[unit]], "12.2.3")
        return Sheet(heading, of, fought.data, fought.facts, (passed, *fought.rows))

    def _assault_sheet(self, state: State, unit: int, h: int, how: str = "assault", against: int = NOBODY) -> Sheet:
        """11.2, 11.4.1: who wins, with white results and their checks; the levels each side loses, who routs."""
        heading = "charge" if assault.is_charge(how) else "assault"
        if assault.is_only_guns(self, state, h):
            return Sheet(heading, 36, {}, (), (Row("overrun", (0, 36), SIDES[1 - self.side[unit]], "11.4.1"),))
        found = assault.modifiers(self, state, unit, h, against, how)
        drm = sum(modifier.amount for modifier in found)
        facts = tuple(Fact(m.key, {}, f"{m.amount:+d}", "table.assault") for m in found)
        fought, mine = odds.of_combat(self, state, unit, h, how, drm, against), self.side[unit]
        rows = [Row("victory", fought.victory, SIDES[mine], "11.2")]
        for side, levels, routs in zip((mine, 1 - mine), fought.levels, fought.routs, strict=True):
            rows += (Row("levels", levels, SIDES[side], "11.2.p7"), Row("routs", routs, SIDES[side], "13.2"))
        return Sheet(heading, fought.of, {"drm": drm}, facts, tuple(rows))

    def _reaction_sheet(self, state: State, unit: int, extra: int, rule: str) -> Sheet:
        """12.2.3: the check of who reacts, also to a charge at its own hex."""
        return self._check_sheet(state, unit, extra + charge.fear(self, state, state.frames[-1].args[0], unit), rule)

    def _turned_sheet(self, state: State, unit: int, facing: int) -> Sheet:
        """12.2.1: the check of who turns, and the attack on his hex as it then goes."""
        checked, threat = (
            self._reaction_sheet(state, unit, 0, "12.2.1"),
            threats.of_window(self, state, state.frames[-1]),
        )
        if threat is None or threat.hex != state.at[unit]:
            return checked
        levels = checked.rows[0].counts
        return threats.with_threat(checked, threats.turned(self, state, threat, unit, facing, levels))

    def _check_sheet(self, state: State, unit: int, extra: int, rule: str) -> Sheet:
        found = cohesion.modifiers(self, state, unit)
        drm = extra + sum(modifier.amount for modifier in found)
        counts = odds.of_check(self, state, unit, extra)
        routed = counts[cohesion.ROUT - state.level[unit]]
        facts = tuple(Fact(m.key, {}, f"{m.amount:+d}", "table.cohesion-modifiers") for m in found)
        side = SIDES[self.side[unit]]
        rows = (Row("levels", counts, side, rule), Row("routs", (odds.WAYS - routed, routed), side, "13.2"))
        return Sheet("check", odds.WAYS, {"drm": drm}, facts, rows)

    def weigh(self, state: State) -> Weighing | None:
        return luck.weigh(self, state)

    # What screens show

    def overlay(self, state: State, seat: int, name: str, about: Asked) -> Overlay | Refusal:
        return overlays.overlay(self, state, seat, name, about)

    def formation(self, piece: str) -> str:
        found = self.counters[self.number[piece]].formation
        return FORMATIONS[found] if found >= 0 else ""

    def piece_card(self, state: State, seat: int, piece: str) -> Card:
        known = fog.view(self, state, seat).piece(piece)
        if known is None:
            return Card(((Line("unit", {"unit": piece}), Line("unseen", {}, "8.6")),))
        lines = [Line("unit", {"unit": piece}), Line("side", {"side": known.force}), Line("where", {"at": known.at})]
        values = [Line(key, {key: value}) for key, value in known.values.items()]
        return Card((tuple(lines), (*values, *(Line("mark", {"mark": mark}) for mark in known.marks))))

    def condition(self, piece: Piece) -> list[Line]:
        """2.4, 8.6.p2: the formation, and what lies on the counter; what is printed on it stands beside."""
        found = [Line("formation", {"formation": piece.values["formation"]})] if "formation" in piece.values else []
        return [*found, *(Line("mark", {"mark": mark}) for mark in piece.marks)]

    def is_lost(self, piece: Piece) -> bool:
        """2.4.p2, 13.2: routed or eliminated; those still to be set up are not."""
        return piece.at in (AWAY[ROUTED], AWAY[LOST])

    def is_hurt(self, piece: Piece) -> bool:
        return any(mark in fog.LEVELS for mark in piece.marks)

    def hex_card(self, state: State, seat: int, name: str) -> Card:
        h, ground = self.grid.index[name], self.ground
        lines = [Line("hex", {"hex": name}), Line("terrain", {"terrain": ground.terrain[h]}, "14")]
        if ground.level[h]:
            lines.append(Line("level", {"level": ground.level[h]}))
        if h in self.objectives:
            lines.append(Line("objective", {"vp": self.objectives[h]}, "16.1.3" if self.last_turn == 8 else "17.1.3"))
        groups = [tuple(lines)]
        for d, other in enumerate(self.grid.neighbours[h]):
            way = h * 6 + d
            if other < 0:
                continue
            told = [Line(what, {}, rule) for what, rule in self._side_words(way)]
            if told:
                groups.append((Line("towards", {"hex": self.grid.ids[other]}), *told))
        return Card(tuple(groups))

    def _side_words(self, way: int) -> list[tuple[str, str]]:
        ground = self.ground
        found = [(ground.water[way], "14.1")] if ground.water[way] else []
        found += [("bridge", "14.3")] if ground.bridge[way] else []
        found += [(ground.road[way], "14.3")] if ground.road[way] else []
        return found + ([(ground.slope[way], "14.p2")] if ground.slope[way] else [])

    def sketch(self, view: View) -> Sketch:
        letters = {"clear": " ", "woods": "w", "farm": "f", "village": "v", "city": "c"}
        hexes = {
            name: HexSketch(
                letters[self.ground.terrain[h]], "o" if h in self.objectives else "", self.ground.place_name[h]
            )
            for h, name in enumerate(self.grid.ids)
        }
        sides = {}
        for h in range(self.grid.size):
            for d in range(3):
                other, way = self.grid.neighbours[h][d], h * 6 + d
                if other >= 0 and self.ground.water[way]:
                    pair = (self.grid.ids[min(h, other)], self.grid.ids[max(h, other)])
                    sides[pair] = SideSketch(RIVER, "=" if self.ground.bridge[way] else "")
        return Sketch(hexes, sides)

    # Cases

    @classmethod
    def case_files(cls, board: Mapping[str, Any], units: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
        return cases.files(board, units)

    def case_state(self, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> State:
        return cases.state_of(self, units, start)

    def case_facts(self, view: View) -> dict[str, Any]:
        """What a seat knows, as a case may ask for it: besides facts what the backs of strangers show, hex by hex."""
        return cases.facts(self, view)

    def case_change(self, state: State, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> None:
        cases.change(self, state, units, start)
