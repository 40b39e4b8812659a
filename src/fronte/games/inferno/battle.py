"""One combat being resolved: who takes part and what has been found so far. Plain data, replaced as a whole."""

from __future__ import annotations

import msgspec


class Battle(msgspec.Struct, frozen=True):
    """Units and hexes are numbers; the fields fill up as the stages of chapter 8 go by."""

    target: int
    attackers: tuple[int, ...]
    origins: tuple[int, ...]
    """The hex each attacker attacks from, in the order of `attackers`."""
    guns: tuple[int, ...]
    defenders: tuple[int, ...] = ()
    withheld: tuple[int, ...] = ()
    """7.7: combat units in the defending hex that take no part."""
    support: tuple[int, ...] = ()
    terrain: str = "hex"
    """Isonzo 7.8.b: whether the effects of the hex or of the hexside count."""
    steps: int = 0
    column: int = 0
    attack: int = 0
    defence: int = 0
    attack_av: int = 0
    defence_av: int = 0
    flanked: bool = False
    infiltration: bool = False
    trench: bool = False
    lrt_die: int = 0
    attack_drm: int = 0
    defence_drm: int = 0
    attack_penalty: int = 0
    defence_penalty: int = 0
    """9.4.1.d: what retreats that have ended add to the modifiers of either side."""
    attack_retreat: int = 0
    defence_retreat: int = 0
    retreated: tuple[int, ...] = ()
    """Attackers that had to retreat; they do not advance (9.3)."""
    refusing: bool = False
    advance_offered: bool = False
    fought: bool = False
    """Dice have fallen."""
