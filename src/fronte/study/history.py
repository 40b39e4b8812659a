"""Places beside history: when each fell then, in how many games it is so, and when it falls here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fronte.study.objectives import NEVER, Dates, Objective
from fronte.study.words import Words

HEADING = ("history_place", "history_date", "history_share", "history_fell", "history_kept", "history_turn")


class Fit(NamedTuple):
    """A place of history: when it fell then, in which share of the games so, and in the median when here."""

    place: Objective
    dates: Dates
    share: float
    fell: float
    """The share of the games in which it fell at all."""
    kept: float
    """The share in which it is in the hands of who took it at the end."""
    turn: float | None


def read_dates(places: Mapping[str, Mapping[str, Any]]) -> dict[str, Dates]:
    """By hex when it fell, as a file of history tells it: `since` and `by` are turns; `never = true`: it did not."""
    return {name: Dates(NEVER) if told.get("never") else Dates(**told) for name, told in places.items()}


def fits_of(places: Sequence[Objective], dates: Mapping[str, Dates], turns: Sequence[int]) -> list[Fit]:
    """For each place of history how well the games agree with it."""
    first, last, found = turns[0], turns[-1], []
    for one in places:
        if one.hex not in dates:
            continue
        told = dates[one.hex]
        fits = np.ones(one.fallen.shape[1], dtype=bool)
        if told.since is not None and told.since > first:
            fits &= ~one.fallen[min(told.since - 1, last) - first]
        if told.by is not None:
            fits &= one.fallen[min(told.by, last) - first]
        ever = one.fallen.any(axis=0)
        days = first + one.fallen.argmax(axis=0)[ever]
        middle = float(np.median(days)) if len(days) else None
        found.append(Fit(one, told, float(fits.mean()), float(ever.mean()), float(one.fallen[-1].mean()), middle))
    return sorted(found, key=lambda fit: (fit.dates.by or NEVER, fit.dates.since or 0, fit.place.hex))


def rows_of(fits: Sequence[Fit], words: Words) -> list[tuple[str, ...]]:
    """The rows of a table under `HEADING`."""
    rows = []
    for fit in fits:
        name = words("place", name=fit.place.name or fit.place.hex, hex=fit.place.hex)
        turn = "" if fit.turn is None else words.number(fit.turn, 1)
        rows.append((name, _when(fit.dates, words), *map(words.percent, (fit.share, fit.fell, fit.kept)), turn))
    return rows


def finding(fits: Sequence[Fit], words: Words) -> str:
    """In how many places most games agree with history, in a sentence."""
    return words("finding_places", like=sum(fit.share > 0.5 for fit in fits), all=len(fits))


def _when(dates: Dates, words: Words) -> str:
    """A date of history in words."""
    if dates.since == NEVER:
        return words("history_never")
    told = {"since": dates.since, "by": dates.by}
    return ", ".join([words(f"history_{key}", turn=turn) for key, turn in told.items() if turn is not None])
