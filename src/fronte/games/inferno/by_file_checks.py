"""A match by file: what a side can check at once of a turn that the other tells it.

The actions of the other are sealed, and what he hides can be checked only when the match is over. But whatever happens
in the open is told twice, as events and as the view that they led to. So the events are entered, one after another, in
an account of all that both sides see, each as far as the rules allow it to happen; what the view says must come out.
Whatever is doubtful is left to the referee: no honest letter may ever be refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import AUTO, CHANCE, Frame
from fronte.engine.event import EVERYONE, Event
from fronte.engine.frames import DEEPEST, NOBODY, secrets_of
from fronte.games.inferno import by_file
from fronte.games.inferno.battle import Battle
from fronte.games.inferno.by_file_account import Account, ToldView, Untrue
from fronte.games.inferno.combat import declaration, terrain_choices, why_no_fire, why_no_target, why_not_together
from fronte.games.inferno.procedure import totals
from fronte.games.inferno.state import S, State

if TYPE_CHECKING:
    from fronte.games.inferno.rules import Inferno

MOST_EVENTS, MOST_RULES = 2000, 9
"""Bounds of a turn: events told, rules that one cites."""
ASKED = ("advance", "demolition", "demolish", "pontoons")
"""Decisions of a side that come up while the other plays. All others read its secrets and come up when it plays."""
NEWLY_OWED = ("ashore", "ask_withhold", "attack_losses", "defence_retreat", "refusal_die", "reveal", "stack_check")
"""Steps of a side, about its own units or secrets, that come up while the other plays."""
FROM_RATIO = ("steps", "column", "attack", "defence", "attack_av", "defence_av", "flanked", "infiltration", "trench")
FROM_DICE = (*FROM_RATIO, "lrt_die", "attack_drm", "defence_drm", "attack_retreat", "fought")
LIES_LOW = ("next_turn", "end_roll", "demolitions", "demolish", "points_die", "end_die")
"""What there is to do after both player turns."""
DECLARED = [Frame("reveal", AUTO), Frame("ask_withhold", AUTO)]
"""What is to be done when an attack has been declared."""


def hear(rules: Inferno[S], mine: S, told: Mapping[str, Any], events: Sequence[Event], seat: int, rng: Random) -> S:
    """The half of the state that a side has after it was told a turn; ValueError says what of it cannot be true."""
    _check_form(rules, told, events, rules.account_kind.view_kind)
    base, foreseen = _after_dice(rules, mine, seat, events)
    try:
        fresh = by_file.hear(rules, mine, told, seat, rng)
    except (LookupError, TypeError, AttributeError) as wrong:
        raise Untrue(f"it names what there is not, or what does not belong there ({wrong})") from None
    faults = rules.broken(fresh)
    if faults:
        raise Untrue("; ".join(faults[:3]))
    account = rules.account_kind(rules, mine, base, seat, events[0].data["dice"] if base is not mine else ())
    for event in events[foreseen:]:
        account.enter(event)
    account.settle(fresh, told)
    _check_frames(rules, base, fresh, account)
    _check_battle(rules, base, fresh, account)
    _check_view(rules, fresh, told, seat)
    return fresh


# The form


def _check_form(rules: Inferno, told: Mapping[str, Any], events: Sequence[Event], view: type[ToldView]) -> None:
    """The parts of what is told are of the right kinds, and no more of them than there can be."""
    kinds = {"view": dict, "keep": int, "frames": list, "cleared": list, "yours": dict}
    if set(told) != set(kinds) or any(type(told[name]) is not kind for name, kind in kinds.items()):
        raise Untrue(f"it must tell of {', '.join(kinds)}, and of nothing else")
    if len(events) > MOST_EVENTS or len(told["frames"]) > DEEPEST:
        raise Untrue("it tells of more than one turn can hold")
    try:
        msgspec.convert(told["view"], view)
        msgspec.convert(told["yours"], dict[str, Suffered])
        msgspec.convert(told["frames"], list[tuple[str, int, list[Any]]])
    except msgspec.ValidationError as wrong:
        raise Untrue(str(wrong)) from None
    texts = [rules.texts(language) for language in ("en", "it")]
    for event in events:
        _check_event(event, texts)


class Suffered(msgspec.Struct, forbid_unknown_fields=True):
    """What was done to a unit of the reader's."""

    hex: str = ""
    set: list[str] = []


def _check_event(event: Event, texts: Sequence[Any]) -> None:
    """An event that can be put into words; nothing is veiled in a letter."""
    if event.seats != EVERYONE or event.veiled is not None or len(event.rules) > MOST_RULES:
        raise Untrue(f"the event {event.kind!r} is not one that is told")
    try:
        for language in texts:
            language.event(event)
    except (LookupError, TypeError, ValueError, AttributeError) as wrong:
        raise Untrue(f"the event {event.kind!r} makes no sense ({wrong})") from None


# Dice


def _after_dice(rules: Inferno[S], mine: S, seat: int, events: Sequence[Event]) -> tuple[S, int]:
    """8.3: the half after the throw that was due and what follows from it in the open, and how many events tell it.

    Dice fall first in a turn or not at all: for a second throw the writer lacks the reader's share.
    """
    top = mine.frames[-1] if mine.frames else None
    due = top is not None and top.seat == CHANCE and secrets_of(rules, mine, top) != seat
    fell = [number for number, event in enumerate(events) if event.kind == "rolled"]
    if not due:
        if fell:
            raise Untrue("dice fell that nobody had to throw")
        return mine, 0
    assert top is not None
    if fell != [0]:
        raise Untrue(f"it must begin with the throw that was due ({top.name}), and have no other")
    dice = events[0].data.get("dice")
    chance = rules.chances[top.name]
    if events[0].data.get("what") != top.name or not isinstance(dice, list) or len(dice) != chance.dice:
        raise Untrue(f"the throw that was due is {top.name}, of {chance.dice} dice")
    base = mine.copy()
    if secrets_of(rules, mine, top) != NOBODY:
        return base, 1
    out = [Event("rolled", chance.rules, {"what": top.name, "dice": dice})]
    base.frames.pop()
    chance.fall(rules, base, top, tuple(dice), out)
    while base.frames and base.frames[-1].seat == AUTO:
        frame = base.frames[-1]
        if secrets_of(rules, base, frame) != NOBODY:
            break
        base.frames.pop()
        rules.steps[frame.name](rules, base, frame, out)
    right = [event for event in (rules.cited(event).to(seat) for event in out) if event is not None]
    for number, event in enumerate(right):
        if number >= len(events) or _bytes(event) != _bytes(events[number]):
            raise Untrue(f"after the throw ({top.name}) it does not tell what follows from the dice: {event.kind}")
    return base, len(right)


def _bytes(data: Any) -> bytes:
    return msgspec.json.encode(data, order="sorted")


# The view


def _check_view(rules: Inferno, fresh: State, told: Mapping[str, Any], seat: int) -> None:
    """What is told is exactly what a state shows: nothing twice, nothing missing, nothing more."""
    again, view = by_file.shown(rules, fresh, 1 - seat)[0], dict(told["view"])
    sizes, stacks = view.pop("sizes", None), again.pop("sizes", None)
    if (sizes is None) != (stacks is None) or set(sizes or ()) != set(stacks or ()):
        raise Untrue(
            "sizes: not of the stacks that are told"
        )  # how large they are is for the referee: here it is guessed
    for name in sorted({*again, *view}):
        if name not in view or name not in again or _bytes(again[name]) != _bytes(view[name]):
            raise Untrue(f"{name}: {_short(view.get(name))} does not go with the rest of the position")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 60 else f"{text[:57]}..."


# What is to be done next


def _check_frames(rules: Inferno, base: State, fresh: State, account: Account[Any, Any]) -> None:
    """3, 8: the stack of what is to be done: what is the reader's to do stays, and what is new can have come up."""
    stack = fresh.frames
    if account.stopped:
        return  # 15.e: the match ended in the middle of a move
    own = [number for number, frame in enumerate(base.frames) if _is_owed(rules, base, frame, account.seat)]
    needed = own[-1] + 1 if own else 0
    for old, new in zip(base.frames[:needed], stack, strict=False):
        same = old == new if _is_owed(rules, base, old, account.seat) else _alike(old, new)
        if not same:
            raise Untrue(f"what is to be done ({old.name}) was left out or changed")
    if len(stack) < needed:
        raise Untrue(f"what is to be done ({base.frames[needed - 1].name}) was left out")
    common = 0
    while common < min(len(stack), len(base.frames)) and _alike(stack[common], base.frames[common]):
        common += 1
    for frame in stack[common:]:
        _check_new(rules, fresh, frame, account.seat)
    account.check_course(fresh)


def _alike(one: Frame, other: Frame) -> bool:
    """The same thing to be done, whichever hidden units it is about."""
    return (one.name, one.seat) == (other.name, other.seat)


def _is_owed(rules: Inferno, state: State, frame: Frame, seat: int) -> bool:
    """Is this certainly the reader's to do?"""
    if frame.seat >= 0:
        return frame.seat == seat
    if frame.name == "close":  # 7.7.c: whether it reads anything depends on what happens before
        return False
    return secrets_of(rules, state, frame) == seat and frame.name not in rules.phase_order


def _check_new(rules: Inferno, fresh: State, frame: Frame, seat: int) -> None:
    """Something new to be done, that came up while the writer played."""
    owed = secrets_of(rules, fresh, frame) == seat if frame.seat < 0 else frame.seat == seat
    if not owed or frame.name in rules.phase_order or frame.name in LIES_LOW:
        return
    if frame.name not in (NEWLY_OWED if frame.seat < 0 else ASKED):
        raise Untrue(f"{frame.name} is not for the other side to ask")


# The combat at hand


def _check_battle(rules: Inferno, base: State, fresh: State, account: Account[Any, Any]) -> None:
    """7, 8: a new attack may be made, and an old one has become what the rules make of it."""
    battle = fresh.battle
    if battle is None:
        return
    sides = {"attackers": fresh.active, "guns": fresh.active, "defenders": 1 - fresh.active}
    sides |= {"support": 1 - fresh.active, "withheld": 1 - fresh.active, "retreated": fresh.active}
    for name, side in sides.items():
        units = getattr(battle, name)
        if len(set(units)) < len(units) or any(rules.side[unit] != side for unit in units):
            raise Untrue(f"battle: {name} are not units of {rules.seats[side]}, each named once")
    if len(battle.attackers) != len(battle.origins):
        raise Untrue("battle: each attacker attacks from a hex")
    if fresh.frames[-2:] == DECLARED and DECLARED[1] not in base.frames:
        _check_attack(rules, fresh, battle, 1 - account.seat)
        if account.declared != declaration(rules, fresh, battle):
            raise Untrue("battle: it is not the attack that is told (8.1.a)")
    elif base.battle is None:
        raise Untrue("battle: nobody has attacked")
    else:
        _check_same(rules, base.battle, fresh, battle, account)


def _check_attack(rules: Inferno, fresh: State, battle: Battle, writer: int) -> None:
    """7, 12.3: an attack that has just been declared, as far as the defender can know whether it is legal."""
    target, units = battle.target, battle.attackers
    if battle != Battle(target, units, battle.origins, battle.guns) or not units:
        raise Untrue("battle: an attack that is only declared has no results")
    if fresh.active != writer or fresh.phase != "combat" or fresh.frames[-3:-2] != [Frame("combat", writer)]:
        raise Untrue("battle: nobody attacks outside his own Combat Phase")
    for unit, origin in zip(units, battle.origins, strict=True):
        fights = rules.combat[unit] and not rules.engineer[unit]
        if fresh.at[unit] != origin or target not in rules.board.edge_to[origin] or not fights:
            raise Untrue(f"battle: {rules.ids[unit]} cannot attack {rules.hex_id(target)} (7)")
    refusal = why_no_target(rules, fresh, target)
    for gun in battle.guns:
        in_range = rules.in_range(target, battle.origins)
        refusal = refusal or why_no_fire(rules, fresh, gun, in_range, True)
    refusal = refusal or why_not_together(rules, fresh, units, target)
    if refusal is not None:
        told = rules.told(refusal)
        raise Untrue(f"battle: {told.why} (rule {told.rule})")


def _check_same(rules: Inferno, old: Battle, fresh: State, battle: Battle, account: Account[Any, Any]) -> None:
    """8: a combat that goes on."""
    pairs = list(zip(old.attackers, old.origins, strict=True))
    if battle.target != old.target or battle.guns != old.guns:
        raise Untrue("battle: it is not the attack that was declared")
    if any(pair not in pairs for pair in zip(battle.attackers, battle.origins, strict=True)):
        raise Untrue("battle: others attack than those that did")
    if account.ratio is not None:
        _check_defence(rules, fresh, battle, old.origins)
        declared = msgspec.structs.replace(battle, attackers=old.attackers, origins=old.origins)
        right = totals(rules, fresh, declared)
        if right.attackers != battle.attackers:
            raise Untrue("battle: the attackers are not those that have strength (7.5.a)")
        _check_fields(right, battle, FROM_RATIO)
        _check_fields(old, battle, tuple(set(FROM_DICE) - set(FROM_RATIO)))
        told = {name: getattr(battle, name) for name in account.ratio if name in FROM_RATIO and name != "column"}
        if any(account.ratio[name] != value for name, value in told.items()) or len(told) < len(FROM_RATIO) - 2:
            raise Untrue("battle: the ratio is told both ways (8.1)")
        why = rules.flanked_by(fresh, right)[0] if right.flanked else ""
        if account.ratio.get("flanked_by", why) != why:
            raise Untrue("battle: why it is flanked is told both ways (7.9)")
        old = msgspec.structs.replace(old, attackers=battle.attackers)
    else:
        _check_fields(old, battle, ("attackers", "defenders", "support", "terrain", *FROM_DICE))
    if battle.defence_retreat != (old.defence_retreat if account.retreat < 0 else account.retreat):
        raise Untrue("battle: the retreat is not the one that the dice gave")
    if [battle.attack_penalty, battle.defence_penalty] != account.penalties:
        raise Untrue("battle: what retreats cost is told both ways (9.4.1.d)")
    if battle.refusing != (old.refusing or account.refusing):
        raise Untrue("battle: whether the retreat is refused is told both ways (12.5.1.a)")
    if battle.retreated != old.retreated and battle.retreated != account.beaten:
        raise Untrue("battle: others have retreated than those that had to (9.2)")
    offered = battle.advance_offered and not fresh.occ[1 - fresh.active] >> battle.target & 1
    if battle.advance_offered != (old.advance_offered or offered):
        raise Untrue("battle: nobody could advance (9.3)")


def _check_defence(rules: Inferno, fresh: State, battle: Battle, origins: Sequence[int]) -> None:
    """Isonzo 7.8.b, 12.3.b: what the defender may choose; he alone knows who lies under his stack."""
    if not battle.defenders:
        raise Untrue("battle: nobody defends, and a ratio is told (7.5.b)")
    if battle.terrain not in terrain_choices(rules, battle.target, origins):
        raise Untrue(f"battle: {battle.terrain!r} cannot be relied on here (7.8.b)")
    for gun in battle.support:
        refusal = why_no_fire(rules, fresh, gun, rules.in_range(battle.target, ()), False)
        if refusal is not None or gun in battle.defenders:
            raise Untrue(f"battle: {rules.ids[gun]} cannot support this defence (12.3.b)")
    for unit in battle.defenders:
        if fresh.at[unit] != battle.target or not rules.combat[unit]:
            raise Untrue(f"battle: {rules.ids[unit]} is not where it defends (7.3)")


def _check_fields(right: Battle, battle: Battle, fields: Sequence[str]) -> None:
    for field in fields:
        if getattr(right, field) != getattr(battle, field):
            said, true = getattr(battle, field), getattr(right, field)
            raise Untrue(f"battle: {field} is told as {_short(said)}, and is {_short(true)} (8.1, 8.2)")
