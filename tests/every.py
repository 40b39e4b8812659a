"""The games that a test by game runs for: those of the program, and one of a family that the program does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from fronte.games.registry import FAMILIES, GAMES

TESTS = Path(__file__).parent
PROBE = "probe"
PROBE_DATA = TESTS / "probe" / "data"
ANY_GAME = (*GAMES, PROBE)
every_game = pytest.mark.parametrize("game", ANY_GAME)
inferno_games = pytest.mark.parametrize("game", [game for game in GAMES if FAMILIES[game] == "inferno"])
TWO_TURNS = ("canale", "vallarsa")
"""Scenarios so short, with so few counters, that little happens in a random game."""
COVERED = {"caporetto": {"fog_of_war": "on"}}
"""The options with which both sides hide something, where that is a choice."""
