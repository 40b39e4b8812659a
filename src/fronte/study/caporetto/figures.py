"""The chart that only Caporetto has: what formations lose, dead, prisoners and routed."""

from __future__ import annotations

from collections.abc import Sequence

from fronte.study.caporetto.measures import HOW, Lost
from fronte.study.figures import WIDE
from fronte.study.plot import GREY, Chart, rect, text
from fronte.study.words import Words

COLOURS = ("#3d3d3d", "#e69f00", "#bbbbbb")
"""Of the dead, of prisoners and of the routed: apart for everybody's eyes."""
SHOWN = 24


def formation_chart(formations: Sequence[Lost], names: Sequence[str], words: Words, title: str) -> str:
    """Bars of steps per game, one for each formation."""
    left, high = 290, 19
    chart = Chart(WIDE, 44 + high * len(formations))
    most = max((sum(one.steps) for one in formations), default=0) or 1
    wide = (WIDE - left - 60) / most
    for k, how in enumerate(HOW):
        beside = left + 130 * k
        chart.add(rect(beside, 8, 14, 14, COLOURS[k]), text(beside + 20, 20, words(how), 12))
    at = 32.0
    for one, name in zip(formations, names, strict=True):
        chart.add(text(left - 10, at + high - 5, name, 11.5, "end"))
        x = float(left)
        for k, steps in enumerate(one.steps):
            if steps:
                hint = f"{name}: {words(HOW[k])} {words.number(steps, 1)}"
                chart.add(rect(x, at, steps * wide, high - 3, COLOURS[k], 1, hint))
                x += steps * wide
        chart.add(text(x + 6, at + high - 5.5, words.number(sum(one.steps), 1), 10.5, colour=GREY))
        at += high
    chart.height = at + 12
    return chart.svg(title)
