"""The chart that only Inferno games have: their objectives, turn by turn."""

from __future__ import annotations

from fronte.study.figures import WIDE
from fronte.study.inferno.measures import Sample
from fronte.study.plot import BLUES, GREY, INK, Chart, is_dark, mix, rect, text
from fronte.study.words import Words


def objective_chart(sample: Sample, words: Words) -> str:
    """For each objective and turn in how many games it has changed hands."""
    objectives = sample.objectives
    left, cell, high = 290, min(48, (WIDE - 310) / len(sample.turns)), 19
    chart = Chart(WIDE, 58 + high * len(objectives) + 26 * len({one.seat for one in objectives}))
    for k, turn in enumerate(sample.turns):
        chart.add(text(left + cell * (k + 0.5), 34, str(turn), 11, "middle", GREY))
    chart.add(text(left + cell * len(sample.turns) / 2, 16, words("turn_axis"), 12, "middle"))
    at, before = 40.0, ""
    for one in objectives:
        if one.seat != before:
            chart.add(text(12, at + 17, words("held_at_start", seat=words.seat(one.seat)), 12, bold=True))
            at, before = at + 24, one.seat
        label = words("objective", name=one.name or one.hex, hex=one.hex, worth=one.worth)
        chart.add(text(left - 10, at + high - 5, label, 11.5, "end"))
        for k in range(len(sample.turns)):
            fallen = float(one.fallen[k].mean())
            colour = mix(BLUES, fallen)
            hint = f"{label}, {words('turn_axis')} {sample.turns[k]}: {words.percent(fallen)}"
            chart.add(rect(left + cell * k, at, cell - 1.5, high - 1.5, colour, 1, hint))
            ink = "#ffffff" if is_dark(colour) else INK
            chart.add(
                text(left + cell * (k + 0.5) - 1, at + high - 5.5, words.number(100 * fallen, 0), 10, "middle", ink)
            )
        at += high
    chart.height = at + 14
    return chart.svg(words("objective_title"))
