"""The frames that only Inferno sugli Altipiani has: reinforcements and the throws of the optional rules."""

from __future__ import annotations

from fronte.engine.frames import Declared, open_to_all
from fronte.games.inferno.frames import asks, phasing, phasing_side, step, throw

FRAMES: tuple[Declared, ...] = (
    step("reinforcement_phase", "movement_phase", phasing_side),
    asks("reinforcement", "movement_phase", phasing, phases="reinforcement"),
    throw("improved_dice", "movement_phase reinforcement", open_to_all, phases="reinforcement"),
    throw("unprepared_die", "movement_phase reinforcement improved_dice", open_to_all, phases="reinforcement"),
    throw("brusilov_die", "movement_phase reinforcement improved_dice", open_to_all, phases="reinforcement"),
)
