"""The games for learners: a PettingZoo AEC environment with action masks, and a numeric view of the board.

    from fronte.rl import env
    learner = env("isonzo")

`plain_env` takes any game, also one whose family has nothing for learners. What is observed, what the choices are and
how to train is in docs/rl.md. Needs the extra `rl`.
"""

from __future__ import annotations

try:
    import gymnasium as _gymnasium  # noqa: F401
    import numpy as _numpy  # noqa: F401
    import pettingzoo as _pettingzoo  # noqa: F401
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"fronte.rl needs {missing.name}: install Fronte with its extra rl, fronte[rl]", name=missing.name
    ) from None

from fronte.rl.alphabet import DONE, Alphabet
from fronte.rl.environment import Environment, PlainEnvironment
from fronte.rl.room import Observation

env = Environment
plain_env = PlainEnvironment

__all__ = ["DONE", "Alphabet", "Environment", "Observation", "PlainEnvironment", "env", "plain_env"]
