"""The colours of maps and counters: one list for pictures and for the browser, which gets it with the board."""

from __future__ import annotations

import colorsys

TOKENS = {
    # print
    "paper": "#f7f1df",
    "ink": "#1d1a16",
    "number": "#3c382f",
    "level": "#5d3c1c",
    "local": "#4d473d",
    "peakname": "#471d08",
    "watername": "#164f8c",
    "waterhalo": "#eef3f5",
    "grid": "#3a352b",
    # ground
    "clear": "#eef3d4",
    "woods": "#7fa05a",
    "tree": "#5d8443",
    "swamp": "#9cc7bf",
    "reed": "#2f6f6a",
    "city": "#d9a08c",
    "village": "#e3bfa0",
    "farm": "#eadfb4",
    "hill": "#e2c37c",
    "low_mountain": "#a06c40",
    "mountain": "#855536",
    "high_mountain": "#77686c",
    "out": "#777777",
    "stream": "#3f86c4",
    "river": "#2f78bd",
    "great_river": "#1f62a8",
    "bank": "#20456b",
    "rim": "#3d271b",
    "slope": "#7a5230",
    # works
    "road": "#6b3a1c",
    "roadway": "#f3d9a2",
    "trail": "#7a4a22",
    "trailside": "#f6efd9",
    "rail": "#2b2b2b",
    "sleeper": "#f4f0e6",
    "house": "#8c1f1a",
    "summit": "#5a2c12",
    "sector": "#f2c21a",
    "points": "#b3201a",
    "nobody": "#333333",
    # counters
    "card": "#fbf8ec",
    "print": "#14120e",
    "badge": "#3b3b3b",
    "band": "#fffdf2",
    "rounded": "#7b1f1a",
    # what the table lays over the board
    "broken": "#c01818",
    "pontoon": "#e8d9ae",
    "used": "#fff8d8",
    "marker": "#f6c945",
    "mist": "#3f4a5c",
    "reach": "#fff3a3",
    "reach-near": "#ffe14d",
    "reach-line": "#7a6200",
    "reach-text": "#3c3000",
    "target": "#e0301e",
    "target-line": "#8c0f05",
    "chosen": "#ffd83a",
    "way": "#14315e",
    "supply": "#0a7d4f",
    "flash": "#ff7b00",
    "hint": "#c2185b",
    "cursor": "#005fcc",
    "hexside": "#ffb300",
    "blow": "#c3252b",
    "note": "#ffe97a",
    "dark": "#23211c",
}
LEVELS = (
    "#f3e9b4", "#f3e9b4", "#f0e0a2", "#ecd592", "#e6c882", "#dfba73", "#d6aa64", "#cc9a57", "#c18a4b", "#a56f40",
    "#865634",
)  # fmt: skip
"""The colour of high ground, from the lowest to the highest level."""


def tone(name: str) -> str:
    """A colour by its name in the list; a colour that is written out stays what it is."""
    return TOKENS.get(name, name)


def card(printed: str) -> str:
    """The printed colour of a force, a little lighter and stronger, so that black print stands out on it."""
    if len(printed) != 7 or not printed.startswith("#"):
        return printed
    red, green, blue = (int(printed[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, light, strength = colorsys.rgb_to_hls(red, green, blue)
    lighter = colorsys.hls_to_rgb(hue, light + (1 - light) * 0.35, min(1.0, strength * 1.9))
    return "#" + "".join(f"{round(part * 255):02x}" for part in lighter)
