"""Caporetto 1917 as the engine sees it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from fronte.engine.capabilities import Capabilities
from fronte.engine.event import Event
from fronte.engine.rules import Result
from fronte.engine.standing import Policies
from fronte.engine.view import View
from fronte.games.caporetto import (
    acting,
    actions,
    assaulting,
    bombarding,
    common_hexes,
    companies,
    countering,
    defending,
    engineers,
    falling_back,
    fog,
    gunnery,
    headquarters,
    later_moves,
    marching,
    on_the_move,
    panels,
    planning,
    position,
    reactions,
    recovery,
    reinforcements,
    sequence,
    setting_up,
    victory,
    volleys,
)
from fronte.games.caporetto.printed import CaporettoPrinted
from fronte.games.caporetto.state import State
from fronte.games.common.game import Game


class Caporetto(CaporettoPrinted, Game[State]):
    """The rules of one scenario of Caporetto 1917."""

    capabilities = Capabilities(hidden=True, odds=False)
    chapters = (
        sequence.CHAPTER,
        setting_up.CHAPTER,
        reinforcements.CHAPTER,
        planning.CHAPTER,
        engineers.CHAPTER,
        gunnery.CHAPTER,
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
        falling_back.CHAPTER,
        on_the_move.CHAPTER,
        countering.CHAPTER,
        reactions.CHAPTER,
        recovery.CHAPTER,
    )
    panels = panels.PANELS
    standing: Mapping[str, Policies] = recovery.STANDING
    discreet = ("plan", "repair", "activate", "react")
    windows = {"infiltration": marching.let_pass}

    # The course of the game

    def start(self, seed: bytes, out: list[Event]) -> State:
        return sequence.start(self, seed, out)

    def result(self, state: State) -> Result | None:
        return victory.result(self, state)

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
