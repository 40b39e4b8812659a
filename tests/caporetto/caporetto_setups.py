"""Who begins where in the four scenarios, from the game's own files, and what supply lines that gives."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from fronte.draw.sheet import read_rows
from fronte.engine.pack import Pack
from fronte.games.caporetto.supply import Lines, interdicted
from fronte.games.caporetto.terrain import LEFT, RIGHT, SIDES, Ground
from fronte.games.caporetto.zoc import zone
from fronte.games.registry import board_pack
from fronte.hexes import FAR, Reach, mask_of

GUNS = ("light", "medium", "heavy", "bombarda")
FACING = {("italian", "left"): RIGHT, ("italian", "right"): LEFT, ("ahg", "left"): LEFT, ("ahg", "right"): RIGHT}
"""24.1: the sector of each wing; the Italian left faces the right wing of the attack."""
PLACED = re.compile(r"(\d{4})((?: \S+)*)")
SCENARIOS = ("historical", "what_if", "cividale", "maggiore")


@dataclass(frozen=True)
class Unit:
    """A counter that is on the board when a scenario begins, or enters it in a later turn."""

    name: str
    side: int
    sector: str
    nation: str
    formation: str
    kind: str
    at: int
    far: int
    turn: int


@dataclass
class Start:
    """A scenario as it begins."""

    ground: Ground
    units: list[Unit] = field(default_factory=list)
    later: list[Unit] = field(default_factory=list)
    command: dict[str, int] = field(default_factory=dict)
    """The command range of each formation that takes part."""
    reach: Reach = FAR
    hidden: int = 0

    def hexes(self, side: int, *, combat: bool = False) -> int:
        """Where a side has units."""
        return mask_of(u.at for u in self.units if u.side == side and not (combat and u.kind in (*GUNS, "gF")))

    def parts(self) -> list[str]:
        """The sectors, where there are any."""
        return [LEFT, RIGHT] if self.ground.scenario == 1 else [""]

    def inside(self, sector: str) -> int:
        return self.ground.inside[sector] if sector else self.ground.extent

    def lines(self, side: int, sector: str, denied: bool = False) -> Lines:
        """The supply lines of a side in a sector; with the roads that guns deny to headquarters, if asked."""
        ground, enemy = self.ground, 1 - side
        standing = ground.all_bridges & ~ground.blown
        zones = 0
        for part in map(self.inside, self.parts()):
            holders = self.hexes(enemy, combat=True) & part
            zones |= zone(ground, enemy, holders, standing, hidden=self.hidden) & part
        guns = [(u.at, u.far) for u in self.units if u.side == enemy and u.kind in GUNS]
        shut = interdicted(ground, guns, self.reach, self.hidden) if denied else 0
        mine, theirs = self.hexes(side), self.hexes(enemy)
        return Lines(ground.sources[side], self.inside(sector), mine, theirs, zones, standing, (), shut)


@lru_cache
def start(scenario: str, weather: str = "") -> Start:
    """A scenario at its first turn, in the weather of that turn or in clear weather."""
    pack = board_pack("caporetto")
    about = pack.toml("scenarios.toml")[scenario]
    found = Start(Ground(pack, about["number"]))
    _units(pack, scenario, found)
    table = pack.toml("tables.toml")["weather"]
    low, middle, high = table["turns"][about["turns"][0] - 1] if not weather else [weather] * 3
    bands = {low: sum(found.ground.at_level[n] for n in table["low_levels"]), high: found.ground.high}
    found.hidden = sum(bands[word] for word in bands if word in table["blind"])
    clear = middle == "clear"
    found.reach = Reach(table["sight"][middle], table["lift"] * clear, table["farthest"] * clear)
    return found


def _units(pack: Pack, scenario: str, into: Start) -> None:
    for row in read_rows(pack, "units.csv"):
        said = row[scenario]
        if said == "hq":
            into.command[row["formation"]] = int(row["command"])
        placed = PLACED.fullmatch(said)
        if not placed:
            continue
        words = dict(word.partition("=")[::2] for word in placed[2].split())
        turn = next((int(word[2:]) for word in words if word.startswith("GT")), 0)
        formation = words.get("as", row["formation"]).strip("-")
        sector = FACING.get((row["side"], row["wing"]), "")
        at, far = into.ground.grid.index[placed[1]], int(row["range"] or 0)
        unit = Unit(row["id"], SIDES.index(row["side"]), sector, row["nation"], formation, row["class"], at, far, turn)
        (into.later if turn else into.units).append(unit)
