"""Caporetto 1917 as the engine sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from fronte.engine.capabilities import Capabilities
from fronte.engine.card import Card, Line
from fronte.engine.decision import Action, Refusal
from fronte.engine.event import Event
from fronte.engine.glance import Glance
from fronte.engine.outlook import Outlook
from fronte.engine.overlay import Asked, Overlay
from fronte.engine.pack import Pack
from fronte.engine.recollection import NOTHING, Others, Recollection
from fronte.engine.rules import Result, Way, Weighing
from fronte.engine.sheet import Sheet
from fronte.engine.sketch import Sketch
from fronte.engine.standing import Policies
from fronte.engine.view import Piece, View
from fronte.engine.whynot import Idle, WhyNot
from fronte.games.caporetto import (
    acting,
    actions,
    aftermath,
    assaulting,
    bombarding,
    cards,
    cases,
    common_hexes,
    companies,
    countering,
    defending,
    engineers,
    entering,
    falling_back,
    fog,
    gunnery,
    headquarters,
    imagined,
    later_moves,
    luck,
    marching,
    moving,
    observation,
    odds_sheets,
    on_the_move,
    outlook,
    overlays,
    panels,
    planning,
    position,
    preparation,
    reactions,
    recovery,
    reinforcements,
    sequence,
    setting_up,
    shuffled,
    sightings,
    veils,
    victory,
    volleys,
    whynot,
)
from fronte.games.caporetto.fire import Volley
from fronte.games.caporetto.printed import AWAY, ELIMINATED, ROUTED, SURRENDERED, CaporettoPrinted
from fronte.games.caporetto.scenarios import MAJORITY
from fronte.games.caporetto.state import State
from fronte.games.common.game import Game


class Caporetto(CaporettoPrinted, Game[State]):
    """The rules of one scenario of Caporetto 1917."""

    capabilities = Capabilities(
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
    chapters = (
        sequence.CHAPTER,
        setting_up.CHAPTER,
        reinforcements.CHAPTER,
        planning.CHAPTER,
        engineers.CHAPTER,
        gunnery.CHAPTER,
        preparation.CHAPTER,
        actions.CHAPTER,
        headquarters.CHAPTER,
        companies.CHAPTER,
        common_hexes.CHAPTER,
        acting.CHAPTER,
        marching.CHAPTER,
        later_moves.CHAPTER,
        bombarding.CHAPTER,
        volleys.CHAPTER,
        defending.CHAPTER,
        assaulting.CHAPTER,
        entering.CHAPTER,
        aftermath.CHAPTER,
        falling_back.CHAPTER,
        on_the_move.CHAPTER,
        countering.CHAPTER,
        reactions.CHAPTER,
        recovery.CHAPTER,
    )
    panels = panels.PANELS
    case_starts = cases.STARTS
    standing: Mapping[str, Policies] = {
        **recovery.STANDING,
        **engineers.STANDING,
        **marching.STANDING,
        **aftermath.STANDING,
    }
    routine: Mapping[str, str] = MappingProxyType({"recover": "all", "infiltration": "fire"})
    discreet = ("plan", "repair", "demolish", "bridge", "interdict", "activate", "react")
    windows = {"infiltration": marching.let_pass}

    def __init__(self, pack: Pack, scenario: str, options: Mapping[str, str]) -> None:
        super().__init__(pack, scenario, options)
        self.empty = position.empty_state(self)
        """A state in which nothing is anywhere, to compare others with."""
        self.sighted = sightings.Counters(self)
        """22: what is asked again and again of who sees whom."""
        observation.look_around(self)
        self.laid: tuple[State, Sequence[Any], Volley] | None = None
        """12.1.4, 12.2.9: the volley whose die is thrown next, and the state in which it was found (`volleys`)."""
        if not sightings.is_open(self):
            self.steps = veils.every("step", self.steps, veils.step)
            self.chances = veils.every("throw", self.chances, veils.chance)
            self.choices = veils.every("decision", self.choices, veils.choice)

    # The course of the game

    def start(self, seed: bytes, out: list[Event]) -> State:
        return sequence.start(self, seed, out)

    def result(self, state: State) -> Result | None:
        return victory.result(self, state)

    def vp(self, state: State, force: int) -> int:
        """23.1: the victory points of a force of the AHG."""
        return victory.account(self, state, force).total

    def score(self, state: State) -> int:
        """24.7, 25.7, 26.3: where the game stands: the points of the AHG, or by how much its first wing leads."""
        if self.scene.victory == MAJORITY:
            return victory.majority(self, state)
        return victory.lead(self, [self.vp(state, force) for force in victory.attackers(self)])

    def account(self, state: State) -> dict[str, dict[str, int]]:
        """23.1: by force of the AHG, of what its points are made."""
        found = {}
        for force in victory.attackers(self):
            one = victory.account(self, state, force)
            found[self.scene.forces[force]] = one._asdict() | {"total": one.total}
        return found

    def merit(self, result: Result, seat: int) -> int:
        """24.7, 25.7: points, for whom they count."""
        first = self.scene.seat_of[victory.attackers(self)[0]]
        return result.score if seat == first else -result.score

    # What seats see

    def view(self, state: State, seat: int) -> View:
        return fog.view(self, state, seat)

    def public_view(self, state: State) -> View:
        return fog.view(self, state, sightings.ONLOOKER)

    def glance(self, state: State) -> Glance:
        return fog.glance(self, state)

    def resample(self, view: View, rng: Random) -> State:
        return imagined.resample(self, view, rng)

    def imagine(self, state: State, seat: int, rng: Random | None) -> State:
        return imagined.imagine(self, state, seat, rng)

    def shuffle_hidden(self, state: State, seat: int, rng: Random) -> State:
        return shuffled.shuffle_hidden(self, state, seat, rng)

    # Ways and odds

    def path_through(self, state: State, unit: str, via: Sequence[str]) -> Way | Refusal:
        return moving.path_through(self, state, unit, via)

    def why_not_there(
        self, state: State, seat: int, piece: str, goal: str, along: Sequence[str] = ()
    ) -> WhyNot | Refusal:
        """10: of a unit, or of several that go together out of one hex."""
        units, hexes = self.units((piece, *along)), self.hexes((goal,))
        if isinstance(units, Refusal):
            return units
        if isinstance(hexes, Refusal):
            return hexes
        for unit in units:
            if self.scene.seat_of[self.force[unit]] != seat:
                return Refusal("24.1", "not_yours", {"unit": self.ids[unit]})
            if state.at[unit] < 0:
                return Refusal("16.1", "gone", {"unit": self.ids[unit]})
        if len({state.at[unit] for unit in units}) > 1:
            return Refusal("10.0", "not_together", {"units": self.unit_ids(units)})
        return whynot.why_not_there(self, state, seat, units, hexes[0])

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
        """12.1, 12.2, 12.3: of fire and assaults, in a state made from what the seat sees and remembers alone."""
        return odds_sheets.sheet(self, state, action, seat, recalled)

    def forecast(self, state: State) -> Sheet | None:
        return odds_sheets.forecast(self, state)

    def weigh(self, state: State) -> Weighing | None:
        return luck.weigh(self, state)

    def case_odds(self, sheet: Sheet) -> dict[str, Any]:
        """Rows also by whom they befall: `steps.italian`."""
        return super().case_odds(sheet) | {f"{row.what}.{row.who}": list(row.counts) for row in sheet.rows}

    # Positions

    def to_position(self, state: State) -> dict[str, Any]:
        return position.write(self, state)

    def from_position(self, data: Mapping[str, Any]) -> State:
        return position.read(self, data)

    def broken(self, state: State) -> list[str]:
        return position.broken(self, state)

    # What screens show

    def overlay(self, state: State, seat: int, name: str, about: Asked) -> Overlay | Refusal:
        return overlays.overlay(self, state, seat, name, about)

    def formation(self, piece: str) -> str:
        number = self.number.get(piece)  # a counter of another scenario is in none of this one
        return "" if number is None else self.counters[number].formation

    def piece_card(self, state: State, seat: int, piece: str) -> Card:
        return cards.piece_card(self, state, seat, piece)

    def hex_card(self, state: State, seat: int, name: str) -> Card:
        return cards.hex_card(self, state, seat, name)

    def condition(self, piece: Piece) -> list[Line]:
        return cards.condition(self, piece)

    def is_lost(self, piece: Piece) -> bool:
        """12.3.5.7, 15.4, 16.1: eliminated, routed or a prisoner; who has left the map is not (21.9)."""
        return piece.at in (AWAY[ELIMINATED], AWAY[SURRENDERED], AWAY[ROUTED])

    def is_hurt(self, piece: Piece) -> bool:
        """15, 16: has it lost a step, or is it disorganised?"""
        return bool(piece.values.get("dp")) or self.lost_steps(piece) > 0

    def lost_steps(self, piece: Piece) -> int:
        full = self.full_steps[self.number[piece.id]]
        return full if self.is_lost(piece) else full - int(piece.values.get("steps", full))

    def sketch(self, view: View) -> Sketch:
        return cards.sketch(self, view)

    # Cases

    @classmethod
    def case_files(cls, board: Mapping[str, Any], units: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
        return cases.files(board, units)

    def case_state(self, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> State:
        return cases.state_of(self, units, start)

    def case_change(self, state: State, units: Mapping[str, Mapping[str, Any]], start: Mapping[str, Any]) -> None:
        cases.change(self, state, units, start)

    def case_facts(self, view: View) -> dict[str, Any]:
        """What a seat knows, as a case may ask for it: besides facts what it sees of covered counters, hex by hex."""
        return cases.facts(self, view)
