"""8.6: fog of war. Enemies show their backs and markers; who they are is known next to one's own units only."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from fronte.engine.decision import Frame
from fronte.engine.event import Event
from fronte.engine.recollection import Others, Recollection, Shown
from fronte.engine.view import Moving, Piece, Sign, Stage, Track, View
from fronte.games.common import positions
from fronte.games.volturno.counters import BRANCHES, FORMATIONS, GARIBALDINI, SIDES
from fronte.games.volturno.state import LOST, MASKS, NOBODY, ROUTED, UNKNOWN, WAITING, State, place, units_in
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.volturno.game import Volturno

ONLOOKER = -1
BOTH = 0b11
FOLLOWS = -1
"""A facing that follows the steps (`movement`)."""
LEVELS = ("", "shaken", "disordered", "disorganized")
"""2.4: the markers of lost levels."""
SHOWN = ("column", "ooc", "low", "out", "exhausted")
"""8.6.p2: markers that lie on top and that both players may look at."""
KEPT = tuple(name for name in MASKS if name not in SHOWN)
"""What nobody marks, but both have seen happen."""
FAR = 1 << KEPT.index("far")
MARKERS = ("assault", "charge")


def knows(rules: Volturno, state: State, seat: int, unit: int) -> bool:
    """8.6, 8.6.p3: one's own, those next to an enemy unit, those that are lost, and who was turned up for good:
    commanders, and units where an option does not turn them down again. By option all counters lie open.
    """
    h, side = state.at[unit], rules.side[unit]
    if side == seat or h in (ROUTED, LOST) or state.shown >> unit & 1 or rules.open_counters:
        return True
    return h >= 0 and unit not in rules.leader_set and bool(rules.grid.ring[h] & state.occ[1 - side])


def note_contact(rules: Volturno, state: State, unit: int) -> None:
    """8.6.p3, fow_rehide: where units are not turned down again, a unit and the enemies next to it stay known."""
    near = rules.grid.ring[state.at[unit]] & state.occ[1 - rules.side[unit]]
    if near:
        state.shown |= 1 << unit
        for h in bits(near):
            for other in state.stacks[h]:
                state.shown |= 1 << other


def label(rules: Volturno, state: State, seat: int, unit: int) -> str:
    """How a seat names a unit: by its id, or as the so-manieth of a hex or of those that wait."""
    if knows(rules, state, seat, unit):
        return rules.ids[unit]
    return f"?{rules.hex_id(state.at[unit])}.{_there(rules, state, unit).index(unit)}"


def _there(rules: Volturno, state: State, unit: int) -> list[int]:
    """All that are where a unit is: those of a stack from the bottom up, commanders and those off the map by backs."""
    h = state.at[unit]
    stack = list(state.stacks.get(h, ()))
    if unit in stack:
        return stack
    rest = [u for u in range(len(state.at)) if state.at[u] == h and u not in stack]
    return stack + sorted(rest, key=lambda u: rules.counters[u].back)


def tell(
    rules: Volturno,
    state: State,
    unit: int,
    kind: str,
    cited: tuple[str, ...],
    data: dict[str, Any],
    out: list[Event],
    also: int = 0,
    secret: Mapping[str, Any] | None = None,
) -> None:
    """All see what a unit does, and who it is only those who know it; `also` are seats that knew it before, and
    `secret` what would give its values away (8.6.p5)."""
    seats = also | who_knows(rules, state, unit)
    at = rules.hex_id(state.at[unit])
    named = {"unit": rules.ids[unit], "hex": at, **data, **(secret or {})}
    if seats == BOTH:
        out.append(Event(kind, cited, named))
    else:
        out.append(Event(kind, cited, named, seats, {"unit": "", "hex": at, **data}))


def who_knows(rules: Volturno, state: State, unit: int) -> int:
    """The seats that know who a unit is, as a mask."""
    own = 1 << rules.side[unit]
    return BOTH if knows(rules, state, 1 - rules.side[unit], unit) else own


def shown_from(rules: Volturno, state: State, unit: int, h: int) -> int:
    """8.6: the seat whose strangers a unit would see that goes into a hex; NOBODY if it would see nobody new."""
    side = rules.side[unit]
    near = rules.grid.ring[h] & state.occ[1 - side]
    strangers = (other for there in bits(near) for other in state.stacks[there])
    return 1 - side if any(not knows(rules, state, side, other) for other in strangers) else NOBODY


# Views


def view(rules: Volturno, state: State, seat: int) -> View:
    """All that a seat may know."""
    top = state.frames[-1] if state.frames else None
    order = _order(rules, state)
    return View(
        rules.header.game,
        rules.header.scenario,
        Stage(
            state.turn,
            state.phase,
            "" if state.phase == "setup" else SIDES[state.active],  # both set up, and neither defends
            FORMATIONS[state.formation] if state.formation >= 0 else "",
            state.row,
            rules.seats[top.seat] if top and top.seat >= 0 else "",
            top.name if top else "",
            _moving(rules, state, seat),
        ),
        "" if seat == ONLOOKER else rules.seats[seat],
        tuple(_piece(rules, state, seat, unit) for unit in order),
        {SIDES[side]: rules.numbers_in(state.control[side]) for side in range(2)},
        tuple(_sign(rules, state, seat, marker) for marker in state.markers),
        _tracks(rules, state),
        {
            "light": rules.light[state.turn],
            "hour": rules.hour(state.turn),
            "initiative": SIDES[state.initiative],
            "passes": state.passes,
            "activated": state.activated,
            "stayed": state.stayed,
            "seen": state.seen,
            "blind": [FORMATIONS[f] for f in rules.formations[GARIBALDINI] if not state.seen >> f & 1],
            "railed": state.railed,
            "stopped": state.stopped,
            "outcome": state.outcome,
            "account": rules.account(state),
            "fulfilled": state.fulfilled,
            "losses": list(state.losses),
            "aimed": [[h, label(rules, state, seat, unit)] for h, unit in state.aimed],
            "left": _left(rules, state, seat),
            "steps": state.steps,
            "bound": state.bound,
            "origin": "" if state.mover == NOBODY else rules.grid.ids[state.origin],
            "mover": "" if state.mover == NOBODY else label(rules, state, seat, state.mover),
            "kept": [_kept(rules, state, seat, unit) for unit in order],
            "markers": [[k, h, d, label(rules, state, seat, u)] for k, h, d, u in state.markers],
            "frames": [_frame(rules, state, seat, frame) for frame in state.frames],
        },
    )


def _order(rules: Volturno, state: State) -> list[int]:
    """In an order that tells nothing: stacks hex by hex as they lie, then commanders and the others by what shows."""
    there = [unit for h in sorted(state.stacks) for unit in state.stacks[h]]
    rest = sorted(set(range(len(state.at))) - set(there), key=lambda u: (state.at[u], rules.backs[u], u))
    return there + rest


def _left(rules: Volturno, state: State, seat: int) -> int:
    """8.6.p5: what a mover has left would tell the allowance of who is not known."""
    return state.left if state.mover != NOBODY and knows(rules, state, seat, state.mover) else 0


def _kept(rules: Volturno, state: State, seat: int, unit: int) -> int:
    """What has been seen of a unit; whether it has spent more than half would tell its allowance (8.6.p5)."""
    found = sum(1 << k for k, name in enumerate(KEPT) if getattr(state, name) >> unit & 1)
    return found if knows(rules, state, seat, unit) else found & ~FAR


def _moving(rules: Volturno, state: State, seat: int) -> Moving | None:
    if state.mover == NOBODY or not knows(rules, state, seat, state.mover):
        return None
    return Moving(rules.ids[state.mover], state.left)


def _piece(rules: Volturno, state: State, seat: int, unit: int) -> Piece:
    counter, at = rules.counters[unit], state.at[unit]
    known = knows(rules, state, seat, unit)
    values: dict[str, int | str] = {"branch": BRANCHES[counter.kind]}
    if counter.formation >= 0:
        values["formation"] = FORMATIONS[counter.formation]
    if counter.stacking:
        values["stacking"] = counter.stacking
    if known and not counter.is_leader:
        values |= {"strength": counter.strength, "cohesion": counter.cohesion + rules.status[state.level[unit]]}
        values["ma"] = counter.ma
    elif known:
        values["command"] = counter.command
    marks = [name for name in SHOWN if getattr(state, name) >> unit & 1]
    if state.level[unit]:
        marks.append(LEVELS[state.level[unit]])
    if state.acted >> unit & 1:
        marks.append("acted")
    return Piece(
        SIDES[counter.side],
        rules.hex_id(at),
        rules.ids[unit] if known else "",
        counter.side == seat,
        0,
        values,
        tuple(marks),
        state.facing[unit] if at >= 0 and not counter.is_leader else None,
        _there(rules, state, unit).index(unit) if at >= 0 else 0,
    )


def _sign(rules: Volturno, state: State, seat: int, marker: tuple[int, int, int, int]) -> Sign:
    kind, h, direction, unit = marker
    named = rules.ids[unit] if knows(rules, state, seat, unit) else ""
    return Sign(MARKERS[kind], rules.grid.ids[h], SIDES[rules.side[unit]], named, direction)


def _tracks(rules: Volturno, state: State) -> tuple[Track, ...]:
    found = [Track("score", rules.score(state))]
    for side in range(2):
        for formation in rules.formations[side]:
            name = FORMATIONS[formation]
            found += (Track("morale", state.morale[formation], name), Track("orders", state.orders[formation], name))
    return tuple(found)


def _frame(rules: Volturno, state: State, seat: int, frame: Frame) -> list[Any]:
    """A frame in names; where an enemy means to go on to is for him to know."""
    found = positions.write_frame(rules, frame, lambda unit: label(rules, state, seat, unit))
    if frame.name == "march" and rules.side[frame.args[0]] != seat and not rules.open_counters:
        found[2][1:3] = [], FOLLOWS
    return found


# States that a seat cannot tell from the real one


def shuffle_hidden(rules: Volturno, state: State, seat: int, rng: Random) -> State:
    """Counters with the same back that the seat cannot tell apart change places in everything."""
    strangers: dict[Any, list[int]] = {}
    for unit in range(len(state.at)):
        if not knows(rules, state, seat, unit):
            strangers.setdefault(rules.counters[unit].back, []).append(unit)
    names = list(range(len(state.at)))
    for alike in strangers.values():
        mixed = alike.copy()
        rng.shuffle(mixed)
        for one, other in zip(alike, mixed, strict=True):
            names[one] = other
    return renamed(rules, state, names)


def renamed(rules: Volturno, state: State, names: list[int]) -> State:
    """The same state in which each counter is played by another one."""
    twin = state.copy()
    moved = [(unit, other) for unit, other in enumerate(names) if unit != other]
    if not moved:
        return twin
    touched = set()
    for unit, other in moved:
        twin.at[other], twin.facing[other] = state.at[unit], state.facing[unit]
        twin.level[other] = state.level[unit]
        touched.add(state.at[unit])
    some = mask_of([unit for unit, _ in moved])
    for name in MASKS:
        mask = getattr(state, name)
        if mask & some:
            setattr(twin, name, mask & ~some | mask_of([names[unit] for unit in units_in(mask & some)]))
    for h in touched & state.stacks.keys():
        twin.stacks[h] = tuple([names[unit] for unit in state.stacks[h]])
    if state.mover != NOBODY and names[state.mover] != state.mover:
        twin.mover = names[state.mover]
        if rules.points[twin.mover] < rules.points[state.mover]:  # nobody has more left than he could have
            twin.left = max(0, state.left - rules.points[state.mover] + rules.points[twin.mover])
    twin.markers = tuple((k, h, d, names[unit]) for k, h, d, unit in state.markers)
    twin.aimed = tuple((h, names[unit]) for h, unit in state.aimed)
    twin.frames = [_renamed(rules, frame, names) for frame in state.frames]
    return twin


def _renamed(rules: Volturno, frame: Frame, names: list[int]) -> Frame:
    def rename(kind: str, value: Any) -> Any:
        if kind == positions.UNIT:
            return names[value]
        return tuple(names[unit] for unit in value) if kind == positions.UNITS else value

    takes = rules.frames[frame.name].takes
    if not any(told.kind in (positions.UNIT, positions.UNITS) for told in takes):
        return frame
    args = tuple(rename(told.kind, value) for told, value in zip(takes, frame.args, strict=True))
    return Frame(frame.name, frame.seat, args)


def _unknown(rules: Volturno, state: State, seat: int) -> list[int]:
    """Those of others whom a seat does not know (`knows`), in the order of its view (`_order`)."""
    if rules.open_counters:
        return []
    at, shown, occ, others = state.at, state.shown, state.occ, [side for side in range(2) if side != seat]
    hidden = 0
    for side in others:
        hidden |= occ[side] & ~rules.grid.around(occ[1 - side])
    found = [u for h in bits(hidden) for u in state.stacks[h] if not shown >> u & 1]
    rest = [u for side in others for u in rules.leaders_of_side[side] if at[u] not in (ROUTED, LOST)]
    if WAITING in at:
        rest += [u for side in others for u in rules.units_of_side[side] if at[u] == WAITING]
    return found + sorted([u for u in rest if not shown >> u & 1], key=lambda u: (at[u], rules.backs[u], u))


def others(rules: Volturno, state: State, seat: int) -> Others:
    """8.6: the enemy units whom a seat knows, and where any are."""
    stand = state.occ[1 - seat]
    there = [unit for h in bits(stand) for unit in state.stacks[h]]
    there += [unit for unit in rules.units_of_side[1 - seat] if state.at[unit] in (ROUTED, LOST)]
    known = [Shown(rules.ids[u], rules.hex_id(state.at[u])) for u in there if knows(rules, state, seat, u)]
    return Others(state.turn, known, frozenset(rules.hex_ids(bits(stand))))


def remembered(rules: Volturno, state: State, seat: int, recalled: Recollection) -> tuple[State, set[int]]:
    """8.6: of a state that was imagined for a seat the same with strangers who are whom the seat remembers in their
    place, as far as their backs allow; and who these are."""
    strangers, fixed = set(_unknown(rules, state, seat)), set[int]()
    for name in sorted(recalled):
        unit, h = rules.number[name], rules.grid.index[recalled[name].at]
        alike = [u for u in state.stacks.get(h, ()) if u in strangers - fixed and rules.alike[u] == rules.alike[unit]]
        if unit not in strangers or not alike:
            continue
        other = unit if unit in alike else alike[0]
        if other != unit:
            names = list(range(len(state.at)))
            names[unit], names[other] = other, unit
            state = renamed(rules, state, names)
        fixed.add(unit)
    return state, fixed


def imagine(rules: Volturno, state: State, seat: int, rng: Random | None) -> State:
    """The state that `resample` makes of the seat's view, without the way through names."""
    names = list(range(len(state.at)))
    strangers, alike_to = _unknown(rules, state, seat), rules.alike
    free: dict[int, list[int]] = {}
    for unit in sorted(strangers):
        free.setdefault(alike_to[unit], []).append(unit)
    for alike in free.values():
        if rng is None:
            alike.reverse()
        else:
            rng.shuffle(alike)
    for unit in strangers:
        names[unit] = free[alike_to[unit]].pop()
    twin = renamed(rules, state, names)
    for number, frame in enumerate(twin.frames):
        if frame.name == "march" and rules.side[frame.args[0]] != seat and not rules.open_counters:
            twin.frames[number] = Frame(frame.name, frame.seat, (frame.args[0], (), FOLLOWS, *frame.args[3:]))
    twin.left = _left(rules, state, seat)
    twin.far &= ~mask_of(strangers)
    twin.zor = [UNKNOWN, UNKNOWN]
    twin.rolled, twin.forced = 0, ()
    twin.seed = b"" if rng is None else rng.randbytes(32)
    return twin


def resample(rules: Volturno, known: View, rng: Random | None) -> State:
    """A whole state that gives this view: strangers are given names by their backs."""
    state = State(len(rules.counters))
    family = known.family
    state.turn, state.phase, state.row = known.stage.turn, known.stage.phase, known.stage.step
    if known.stage.active:
        state.active = SIDES.index(known.stage.active)
    state.formation = FORMATIONS.index(known.stage.activation) if known.stage.activation else NOBODY
    for field in (
        "passes",
        "activated",
        "stayed",
        "seen",
        "railed",
        "stopped",
        "outcome",
        "left",
        "steps",
        "bound",
        "fulfilled",
    ):
        setattr(state, field, family[field])
    state.losses = (family["losses"][0], family["losses"][1])
    state.initiative = SIDES.index(family["initiative"])
    free = _strangers(rules, known, rng)
    order = []
    for shown, kept in zip(known.pieces, family["kept"], strict=True):
        unit = rules.number[shown.id] if shown.id else free[_back(shown)].pop()
        order.append(unit)
        _put(rules, state, unit, shown, kept)
    for track in known.tracks:
        if track.force:
            getattr(state, track.name)[FORMATIONS.index(track.force)] = track.value
    for side, name in enumerate(SIDES):
        state.control[side] = sum(1 << rules.grid.index[h] for h in known.control.get(name, ()))
    names: dict[str, int] = {}
    seat = rules.seats.index(known.seat) if known.seat else ONLOOKER
    for unit in order:
        names[label(rules, state, seat, unit)] = unit
    state.mover = names[family["mover"]] if family["mover"] else NOBODY
    state.origin = rules.grid.index[family["origin"]] if family["origin"] else NOBODY
    state.markers = tuple((k, h, d, names[u]) for k, h, d, u in family["markers"])
    state.aimed = tuple((h, names[u]) for h, u in family["aimed"])
    state.frames = [positions.read_frame(rules, data, "frames", names.__getitem__) for data in family["frames"]]
    state.seed = b"" if rng is None else rng.randbytes(32)
    return state


def _back(piece: Piece) -> tuple[int, str, int, int]:
    values = piece.values
    formation = str(values.get("formation", ""))
    return (
        SIDES.index(piece.force),
        str(values["branch"]),
        int(values.get("stacking", 0)),
        FORMATIONS.index(formation) if formation else NOBODY,
    )


def _strangers(rules: Volturno, known: View, rng: Random | None) -> dict[tuple[int, str, int, int], list[int]]:
    """The counters that a view does not name, by their backs."""
    named = {piece.id for piece in known.pieces if piece.id}
    free: dict[tuple[int, str, int, int], list[int]] = {}
    for unit, counter in enumerate(rules.counters):
        if counter.id not in named:
            free.setdefault(counter.back, []).append(unit)
    for strangers in free.values():
        if rng is None:
            strangers.reverse()
        else:
            rng.shuffle(strangers)
    return free


def _put(rules: Volturno, state: State, unit: int, shown: Piece, kept: int) -> None:
    at = rules.read_where(shown.at)
    if rules.counters[unit].is_leader:
        state.at[unit] = at
    elif at >= 0:
        place(state, unit, at, rules.side[unit])
    else:
        state.at[unit] = at
    state.facing[unit] = shown.facing or 0
    bit = 1 << unit
    for name in SHOWN:
        if name in shown.marks:
            setattr(state, name, getattr(state, name) | bit)
    for k, name in enumerate(KEPT):
        if kept >> k & 1:
            setattr(state, name, getattr(state, name) | bit)
    state.level[unit] = next((n for n, mark in enumerate(LEVELS) if mark and mark in shown.marks), 0)
