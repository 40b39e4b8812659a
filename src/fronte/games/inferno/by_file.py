"""A match by file: each side keeps its own half of the state in full, and of the other only what 5.4 shows.

Nobody has the whole state. Every step of the rules is carried out by the side whose secrets it reads (`secrets_of`).
That side tells the other what it may know of the outcome (`tell`), and the other fits that into its own half (`hear`).
What is hidden is only imagined there, anew each time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.games.inferno import fog
from fronte.games.inferno.by_file_view import flat, flat_piece, typed
from fronte.games.inferno.position import whole_number
from fronte.games.inferno.state import (
    DONE,
    ELIMINATED,
    ESCORTED,
    FIRED,
    FLAGS,
    HIT,
    MOVED,
    RECOVERED,
    STRUCK,
    SUPPLY,
    S,
    State,
    fighting,
    place,
)

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

CLEARED = {"movement_phase": DONE | MOVED | RECOVERED | ESCORTED, "combat_phase": FIRED | HIT | STRUCK}
"""Steps that wipe marks off the units of both sides."""
UNFIT = {"illegal_odds_attack": "forbid_before_reveal", "artillery_redeploy": "any_phase"}
"""With these options, what one side may do depends on what the other hides, or happens to both at once."""


def why_unfit(rules: Inferno) -> str:
    """Why a match with these options cannot be played by file; empty if it can."""
    for name, value in UNFIT.items():
        if rules.header.options.get(name) == value:
            return f"option {name}={value} needs somebody who knows both sides' secrets"
    return ""


# Telling


def shown(rules: Inferno, state: State, seat: int) -> tuple[dict[str, Any], list[Any]]:
    """What this side tells the other of a state: the view that the other has of it, and its frames."""
    known = flat(rules, rules.view(state, 1 - seat))
    del known["own"]
    frames = known.pop("frames")
    rules.leave_out(known, seat)
    if state.mover >= 0 and rules.side[state.mover] != seat:
        known.pop("moving", None)  # the owner knows better
    if "battle" in known and state.active == seat:
        del known["battle"]["withheld"]  # 7.7: the defender knows best whom he withheld
    return known, frames


def tell(rules: Inferno, before: State, after: State, seat: int, ran: Sequence[str]) -> dict[str, Any]:
    """What the other side may know of what happened here between two states; `ran` are the steps taken."""
    known, frames = shown(rules, after, seat)
    keep = 0
    for old, new in zip(before.frames, after.frames, strict=False):
        if old != new:
            break
        keep += 1
    cleared = [name for name in ran if name in CLEARED]
    return {
        "view": known,
        "keep": keep,
        "frames": frames[keep:],
        "cleared": cleared,
        "yours": _done_to(rules, before, after, 1 - seat, cleared),
    }


def _done_to(
    rules: Inferno, before: State, after: State, side: int, cleared: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """What happened in the open to units of a side: losses in combat, marks, lone guns overrun (12.3.f/12.3.e)."""
    wiped = 0
    for name in cleared:
        wiped |= CLEARED[name]
    changes: dict[str, dict[str, Any]] = {}
    for unit in rules.of_side[side]:
        found: dict[str, Any] = {}
        if before.at[unit] != after.at[unit]:
            found["hex"] = rules.where(after, unit)
        if after.at[unit] == ELIMINATED:
            changes |= {rules.ids[unit]: found} if found else {}
            continue
        for field in ("steps", "ce", "supply"):
            if getattr(before, field)[unit] != getattr(after, field)[unit]:
                found[field] = getattr(after, field)[unit]
        old, new = before.flags[unit] & ~wiped, after.flags[unit]
        marks = {
            "set": [name for name, flag in FLAGS.items() if flag & new & ~old],
            "off": [name for name, flag in FLAGS.items() if flag & old & ~new],
        }
        found |= {key: names for key, names in marks.items() if names}
        if found:
            changes[rules.ids[unit]] = found
    return changes


# Hearing


def hear(rules: Inferno[S], mine: S, told: Mapping[str, Any], seat: int, rng: Random) -> S:
    """The half of the state that a side has after it was told something; ValueError if that cannot be true."""
    half = mine.copy()
    for name in told["cleared"]:
        for unit in rules.of_side[seat]:
            half.flags[unit] &= ~CLEARED[name]
    for name, change in told["yours"].items():
        _suffer(rules, half, rules.find_unit(name), change, seat)
    own = [flat_piece(rules, fog.own_piece(rules, half, unit)) for unit in rules.of_side[seat]]
    known = {**told["view"], "seat": rules.seats[seat], "own": own, "frames": told["frames"]}
    if "battle" in known:
        known["battle"] = {"withheld": [], **known["battle"]}
    fresh = rules.resample(typed(rules, known, rules.view(mine, seat)), rng)
    shown = fighting(fresh)
    for unit in rules.of_side[1 - seat]:
        if unit not in shown:
            fresh.ce[unit] = 0  # 5.4.a/5.4: what is not seen is imagined fresh
    keep = told["keep"]
    if not isinstance(keep, int) or not 0 <= keep <= len(mine.frames):
        raise ValueError(f"{keep!r} steps cannot be left as they were")
    fresh.frames = [*mine.frames[:keep], *fresh.frames]
    begun = any(frame[0] == "ask_withhold" for frame in told["frames"])
    if fresh.battle is not None and mine.battle is not None and fresh.active != seat and not begun:
        fresh.battle = msgspec.structs.replace(fresh.battle, withheld=mine.battle.withheld)
    if mine.mover >= 0 and rules.side[mine.mover] == seat and fresh.active == seat and fresh.at[mine.mover] >= 0:
        fresh.mover, fresh.left = mine.mover, mine.left
    rules.remember_own(fresh, mine, seat)
    fresh.seed, fresh.rolled, fresh.forced = mine.seed, mine.rolled, mine.forced
    return fresh


def _suffer(rules: Inferno, state: State, unit: int, change: Mapping[str, Any], seat: int) -> None:
    """Apply to a unit of one's own what the enemy did to it; ValueError if he could not."""
    name = rules.ids[unit]
    if rules.side[unit] != seat or not fog.visible(rules, state, unit):
        raise ValueError(f"nothing can have happened to {name}, which the enemy does not see")
    if "steps" in change:
        state.steps[unit] = whole_number(change, "steps", 0, state.steps[unit])
    if "ce" in change:
        state.ce[unit] = whole_number(change, "ce", 0, 2)
    if "supply" in change:
        state.supply[unit] = whole_number(change, "supply", 0, len(SUPPLY) - 1)
    for mark in change.get("set", ()):
        state.flags[unit] |= FLAGS[mark]
    for mark in change.get("off", ()):
        state.flags[unit] &= ~FLAGS[mark]
    if "hex" in change:
        place(rules, state, unit, rules.read_where(change["hex"]))
    if state.at[unit] == ELIMINATED:
        state.steps[unit] = state.ce[unit] = state.supply[unit] = state.flags[unit] = 0
