"""The exact outlook of an attack: all ways the dice can fall, summed up once for every column and pair of modifiers."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from fronte.games.inferno.odds import WAYS
from fronte.games.inferno.tables import Tables


class Outlook(NamedTuple):
    """What the dice may bring: chance to win the hex, reductions of both sides, chance to be thrown back."""

    win: float
    attack_loss: float
    defence_loss: float
    repulse: float


HOPELESS = Outlook(0.0, 0.0, 0.0, 0.0)


@lru_cache(maxsize=200_000)
def outlook(
    tables: Tables,
    column: int,
    attack: int,
    defence: int,
    large: bool,
    penalty: int,
    stuck: bool,
    life: int,
    stand: int,
) -> Outlook:
    """8.3, 8.5: all ways the dice can fall, for a column and the loss modifiers of both sides.

    `penalty` is what a retreat adds to the defender's losses and `stuck` that it cannot retreat at all, `life` the
    reductions that eliminate all defenders, `stand` the strength with which a retreat of one hex is refused (12.5.1).
    """
    steps = tables.small_max_steps + (1 if large else 0)
    band = tables.band(steps)
    win = attack_loss = defence_loss = repulse = 0.0
    for total, ways in WAYS.items():
        cell = tables.result(column, total)
        back = cell.defence_retreat
        holds = 1.0 if stuck else min(6, max(0, stand)) / 6 if back == 1 else 0.0
        if cell.attack_retreat:
            repulse += ways / 36
        chance = ways / 216
        suffered, inflicted = attack + cell.attack_drm, defence + cell.defence_drm + (penalty if back else 0)
        for die in range(1, 7):
            lost = band[die + inflicted]
            if back and stand > 0 and not stuck:
                lost += 1
            attack_loss += chance * band[die + suffered]
            defence_loss += chance * (lost if lost < life else life)
            if lost >= life:
                win += chance
            elif back:
                win += chance * (1 - holds)
    return Outlook(win, attack_loss, defence_loss, repulse)
