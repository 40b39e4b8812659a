"""Colours beside the map are one list (web/src/app.css), each by day and in the dark; components take them from it."""

from __future__ import annotations

import re
from pathlib import Path

WEB = Path(__file__).parents[1] / "web" / "src"
ON_THE_MAP = {"Counter", "Unit", "Pile", "Places", "Overlays", "MiniMap", "MapView", "LegendMark", "LastSeen"} | {
    "Stage", "StageMarks", "Ghost", "Die", "Dice", "HandOver", "Marks", "AheadMarks", "WhyLines",
}  # fmt: skip
"""What is on the map, and what is dark or white by day too."""
LITERAL = {"#fff", "#1d1a16", "#f4eedd"}
"""Light letters on what is always dark, and dark ones on what is always yellow."""


def day() -> dict[str, str]:
    """By colour its name in the list."""
    css = (WEB / "app.css").read_text("utf-8")
    return {colour: name for name, colour in re.findall(r"(--ui-[\w-]+): light-dark\((#\w+),", css)}


def test_every_colour_has_one_for_the_dark() -> None:
    css = (WEB / "app.css").read_text("utf-8")
    pairs = re.findall(r"--ui-[\w-]+: light-dark\((#\w+), (#\w+)\)", css)
    assert len(pairs) > 25
    assert all(light != dark for light, dark in pairs)
    used = {name for path in WEB.rglob("*.svelte") for name in re.findall(r"--ui-[\w-]+", path.read_text("utf-8"))}
    assert used <= set(re.findall(r"(--ui-[\w-]+):", css))


def test_components_take_their_colours_from_the_list() -> None:
    names, found = day(), []
    for path in WEB.rglob("*.svelte"):
        style = path.read_text("utf-8").partition("<style>")[2]
        if path.stem in ON_THE_MAP or not style:
            continue
        for colour in re.findall(r"#[0-9a-f]{3,6}\b", style):
            if colour in names and colour not in LITERAL:
                found.append(f"{path.name}: {colour} is var({names[colour]})")
        for rule in re.findall(r"background: (?:#fff|#f4eedd)\b", style):
            found.append(f"{path.name}: {rule}")
    assert not found
