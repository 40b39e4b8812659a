"""Objectives, turn by turn: in how many games each has changed hands, beside when it did in history if that is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fronte.study.figures import WIDE
from fronte.study.plot import BLUES, GREY, INK, Chart, is_dark, line, mix, rect, text
from fronte.study.words import Words

DATED = "#b2182b"
"""The colour of the dates of history."""


class Objective(NamedTuple):
    """An objective: who holds it at the start, and in which games the other side held it at the end of each turn."""

    hex: str
    name: str
    worth: int
    seat: str
    fallen: NDArray[np.bool_]
    """By turn and game."""


NEVER = 99
"""The turn before which a place did not fall that did not fall at all."""


class Dates(NamedTuple):
    """When a place fell in history: not before a turn began, and by the end of a turn; None where that is not told."""

    since: int | None = None
    by: int | None = None


def label_of(one: Objective, words: Words) -> str:
    """An objective by name, hex and what it is worth."""
    key = "objective" if one.worth else "place"
    return words(key, name=one.name or one.hex, hex=one.hex, worth=one.worth)


def objective_chart(
    objectives: Sequence[Objective], turns: Sequence[int], words: Words, dates: Mapping[str, Dates] | None = None
) -> str:
    """For each objective and turn in how many games it has changed hands."""
    left, cell, high = 290, min(48, (WIDE - 310) / len(turns)), 19
    chart = Chart(WIDE, 58 + high * len(objectives) + 26 * len({one.seat for one in objectives}))
    for k, turn in enumerate(turns):
        chart.add(text(left + cell * (k + 0.5), 34, str(turn), 11, "middle", GREY))
    chart.add(text(left + cell * len(turns) / 2, 16, words("turn_axis"), 12, "middle"))
    at, before = 40.0, ""
    for one in objectives:
        if one.seat != before:
            chart.add(text(12, at + 17, words("held_at_start", seat=words.seat(one.seat)), 12, bold=True))
            at, before = at + 24, one.seat
        label = label_of(one, words)
        chart.add(text(left - 10, at + high - 5, label, 11.5, "end"))
        for k in range(len(turns)):
            fallen = float(one.fallen[k].mean())
            colour = mix(BLUES, fallen)
            hint = f"{label}, {words('turn_axis')} {turns[k]}: {words.percent(fallen)}"
            chart.add(rect(left + cell * k, at, cell - 1.5, high - 1.5, colour, 1, hint))
            ink = "#ffffff" if is_dark(colour) else INK
            chart.add(
                text(left + cell * (k + 0.5) - 1, at + high - 5.5, words.number(100 * fallen, 0), 10, "middle", ink)
            )
        told = (dates or {}).get(one.hex, Dates())
        for date, side, dash in ((told.since, 0, "3 2"), (told.by, 1, "")):
            if date is not None and turns[0] <= date <= turns[-1]:
                x = left + cell * (date - turns[0] + side) - 0.75
                chart.add(line(x, at - 1, x, at + high - 0.5, DATED, 3.5, dash))
        at += high
    chart.height = at + 14
    return chart.svg(words("objective_title"))
