"""A worker process whose players also include some that behave badly."""

from __future__ import annotations

import time
from random import Random

from fronte.ai import PLAYERS, Player, Seat
from fronte.engine.decision import Action
from fronte.games.inferno.movement import Recover
from fronte.server.matches import worker_main


def sleeper(rng: Random) -> Player:
    """Takes for ever."""

    def play(seat: Seat) -> Action:
        time.sleep(600)
        raise AssertionError

    return play


def slow(rng: Random) -> Player:
    """Takes its time, then ends what can be ended."""

    def play(seat: Seat) -> Action:
        time.sleep(0.5)
        return seat.sample(rng)

    return play


def cheat(rng: Random) -> Player:
    """Answers with something that is not allowed."""
    return lambda seat: Recover("it-udine")


def broken(rng: Random) -> Player:
    """Has a fault."""

    def play(seat: Seat) -> Action:
        raise ZeroDivisionError("a fault in the player")

    return play


class Talker:
    """Says why it acts, and names one of its units that is hidden if there is one."""

    why = ""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.turn = 0

    def __call__(self, seat: Seat) -> Action:
        self.turn += 1
        unit = self.rng.choice(seat.view.own()).id
        self.why = "because of the weather" if self.turn % 2 else f"to save {unit}"
        return seat.sample(self.rng)


BAD: dict[str, object] = {"sleeper": sleeper, "slow": slow, "cheat": cheat, "broken": broken, "talker": Talker}

if __name__ == "__main__":
    PLAYERS.update(BAD)  # type: ignore[arg-type]
    worker_main.main()
