"""The signs of the branches, in the box that counters carry: each drawn once, for pictures and for the browser."""

from __future__ import annotations

from .tokens import TOKENS as T

BOX = "M-15,-18H15V1H-15Z"
CROSS = '<path d="M-15,-18L15,1M15,-18L-15,1"/>'
BALL = f'<circle cy="-8.5" r="4" fill="{T["ink"]}" stroke="none"/>'
HILL = f'<path d="M-5.5,1H5.5L0,-7Z" fill="{T["ink"]}" stroke="none"/>'
SLASH = '<path d="M-15,1L15,-18"/>'
WHEELS = '<circle cx="-6" cy="-1.5" r="2.2"/><circle cx="6" cy="-1.5" r="2.2"/>'
BRIDGE = '<path stroke-width="2" d="M-8,-4V-13H8V-4M0,-13V-4"/>'
BRANCHES = {
    "infantry": CROSS,
    "light": CROSS + '<path stroke-width="2" d="M-4,-14.5L0,-11L4,-14.5"/>',
    "mountain": CROSS + HILL,
    "bersaglieri": CROSS + f'<path d="M-7,1Q0,-8 7,1"/><circle cy="-14.5" r="2" fill="{T["ink"]}" stroke="none"/>',
    "infiltration": CROSS + '<path stroke-width="2" d="M0,-1V-16M-4,-12L0,-16.5L4,-12"/>',
    "cyclist": CROSS + WHEELS,
    "machine_gun": CROSS + f'<path d="M0,-1V-16" stroke-width="2.4"/><path d="M-4,-1H4L0,-5Z" fill="{T["ink"]}"/>',
    "cavalry": SLASH,
    "engineer": BRIDGE,
    "pontoon": BRIDGE + '<path d="M-11,-1.5Q-5.5,2 0,-1.5Q5.5,2 11,-1.5"/>',
    "flamethrower": '<path stroke-width="2" d="M-9,-3H1M1,-3Q8,-4 6,-10Q11,-6 10,0"/>',
    "fortress": f'<path d="M-11,1V-9H-7V-13H-3V-9H3V-13H7V-9H11V1Z" fill="{T["ink"]}" stroke="none"/>',
    "artillery": BALL,
    "heavy_artillery": BALL + '<path stroke-width="2" d="M-9,-3H9M-9,-14H9"/>',
    "mountain_artillery": BALL + HILL.replace("0,-7", "0,-4"),
    "horse_artillery": SLASH + BALL,
    "mortar": '<path stroke-width="2" d="M0,-3V-15M-4,-11L0,-15.5L4,-11"/>'
    f'<circle cy="-3" r="2.6" fill="{T["card"]}"/>',
    "headquarters": '<path stroke-width="2" d="M-6,-14V-3M6,-14V-3M-6,-8.5H6"/>',
    "leader": '<path d="M0,-16.5L2.3,-10.6L8.6,-10.3L3.7,-6.3L5.3,-0.2L0,-3.7L-5.3,-0.2L-3.7,-6.3L-8.6,-10.3L-2.3,-10.6'
    f'Z" fill="{T["ink"]}" stroke="none"/>',
    "supply": '<path stroke-width="2" d="M-15,-4H15"/>',
}
"""What is drawn inside the box of each."""


def branch_symbols() -> str:
    """The signs as symbols of an SVG, at their place on a counter around 0,0."""
    box = f'<path d="{BOX}" fill="{T["card"]}"/>'
    frame = f'fill="none" stroke="{T["ink"]}" stroke-width="1.4"'
    return "".join(
        f'<symbol id="branch-{name}" overflow="visible"><g {frame}>{box}{inside}</g></symbol>'
        for name, inside in BRANCHES.items()
    )
