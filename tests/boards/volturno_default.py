"""The historical set-up of Volturno as the data of the game propose it: hexes and stacking points, by zone and arm."""

from __future__ import annotations

from typing import NamedTuple

from boardfiles import BOARDS

BOARD = BOARDS["volturno"]


class Post(NamedTuple):
    """Where one unit stands."""

    zone: str
    arm: str
    hex: str
    stacking: int


SET_UP = {
    "G16": {"foot": "2224/3 2323/3 2424/3 1826/3 2223/3 2421/3", "guns": "2224/1"},
    "G17": {"foot": "2315/3 2416/3 2613/3 2417/3 2513/3 2314/1 2315/1 2517/3", "guns": "2416/1 2515/1"},
    "GS": {"foot": "4020/3 3717/3 4217/3"},
    "G15": {
        "foot": "4426/3 4427/3 4526/3 4527/3 4625/3 4425/3 4426/1 4427/1 4526/1",
        "horse": "4626/3",
        "guns": "4427/1",
    },
    "Bronzetti": {"foot": "5213/1"},
    "G18": {"foot": "6031/2 6130/1 6231/3 6230/3 6129/3 5832/3", "guns": "6130/1"},
    "NG": {"foot": "1520/3 1420/3 1521/3 1621/3 1521/2", "horse": "1421/1", "guns": "1421/1 1320/1"},
    "N2": {"foot": "1518/3 1718/3 1818/3 1918/3 1917/3 1817/3 1916/2", "guns": "1718/2 1518/2"},
    "Colonna": {"foot": "2411/3 2510/3", "guns": "2410/1"},
    "NR": {"foot": "6512/3 6412/3 6311/3", "horse": "6211/1", "guns": "6613/1"},
    "NM": {"foot": "7414/2 7413/2 7512/2 7415/1", "horse": "7415/1", "guns": "7511/1 7413/1"},
    "NC": {"horse": "1217/3 1116/3 1117/3 1216/3 1316/3 1218/1", "guns": "1218/1"},
}
POSTS = [
    Post(zone, arm, one[:4], int(one[5:]))
    for zone, arms in SET_UP.items()
    for arm, places in arms.items()
    for one in places.split()
]
LEADERS = {
    "G16": "2324", "G17": "2515", "GS": "4020", "G15": "4426", "G18": "6031", "NG": "1420", "N2": "1818", "NR": "6412",
    "NM": "7413", "NC": "1217",
}  # fmt: skip


def within(centre: str, distance: int) -> set[str]:
    """The hexes of the board so far from a centre."""
    seen = {centre}
    for _ in range(distance):
        seen |= {n for h in seen for n in BOARD.neighbours(h)}
    return seen


def _rows(centre: str, distance: int, first: int, last: int) -> set[str]:
    return {h for h in within(centre, distance) if first <= int(h[2:]) <= last}


ZONES = {
    "G16": within("2324", 5),
    "G17": within("2515", 3),
    "NG": _rows("1318", 4, 19, 99),
    "N2": _rows("1518", 4, 0, 18),
    "Colonna": {h for h in within("2209", 3) if BOARD.hexes[h]["bank"] == "north"},
    "GS": within("4020", 6),
    "G15": within("4526", 3),
    "Bronzetti": {"5213"},
    "G18": within("5733", 6),
    "NR": within("6412", 3),
    "NM": within("7512", 3),
    "NC": within("1217", 2),
}
"""16.1.4, 17.1.4: where each formation sets up."""
