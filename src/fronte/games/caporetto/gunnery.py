"""4.0-6: the Artillery Phase. Trenches that are given up, modes, barrages; what only turn 1 has is in `preparation`.

Everything is done by the forces of AHG first. Only who has something to do is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from fronte.engine.decision import AUTO, Action, Choice, Frame, Refusal
from fronte.engine.event import Event
from fronte.engine.frames import NUMBER, Argument, Chapter, open_to_all
from fronte.engine.panel import SUBSET
from fronte.games.caporetto import aims, artillery, barrages, observation, seating, trenches, volleys
from fronte.games.caporetto.aims import Barrel, Pair
from fronte.games.caporetto.artillery import FIRST, PARTS
from fronte.games.caporetto.bombarding import Field, Hold, few_barrels, offer_of, why_no_aim
from fronte.games.caporetto.fire import BARRAGE
from fronte.games.caporetto.reinforcements import pay
from fronte.games.caporetto.seating import FORCE, force_fault, of_its_force
from fronte.games.caporetto.state import State
from fronte.games.caporetto.terrain import AHG, ITALIAN
from fronte.hexes import bits, mask_of

if TYPE_CHECKING:
    from fronte.games.caporetto.game import Caporetto

CHAPTER = Chapter()
PHASE = "artillery"
LOWER, MODES, INTERDICT, FALL, PREPARE, BLOWS = (
    *("lower_trenches", "gun_modes", "interdict", "barrages_fall", "prepare_step", "gas_and_mines"),
)
STEPS = {
    LOWER: "trench_demolition",
    MODES: "modes",
    INTERDICT: "interdiction",
    FALL: "interdiction",
    PREPARE: "preparation",
    BLOWS: "gas_and_mines",
}
"""17.6.e1, 4.0-6.1 to 4.0-6.4: the frames of the phase, and what each step is called."""
MOST_STEPS = 24
SELDOM = 0.9
"""How likely a gun keeps still when it is drawn at random whether it lays a barrage, or is turned."""


class Lower(Action, frozen=True):
    """17.6.e1: the trenches of these hexes lose a level."""

    form = "lower {hexes}"
    hexes: tuple[str, ...]


class Turn(Action, frozen=True):
    """18.1: these guns are turned to their other side."""

    form = "turn {guns}"
    guns: tuple[str, ...]


class Keep(Action, frozen=True):
    """17.6.e1, 18.1: everything stays as it is."""

    form = "keep"


class Interdict(Action, frozen=True):
    """12.1.6: guns, each with the hex on which its barrage falls."""

    form = "interdict {aims:=}"
    odds = True
    aims: tuple[Pair, ...]


# The course of the phase


def begin(rules: Caporetto, state: State) -> None:
    """4.0-6: the phase lies on the stack."""
    state.frames.append(Frame("artillery_step", AUTO, (0,)))


def course(rules: Caporetto, state: State) -> list[tuple[str, int]]:
    """4.0-6: the steps of the phase, each with the force that does it, AHG first. The last two are those of turn 1
    (24.12, 24.13)."""
    forces = seating.forces_in_order(rules)
    found = [(name, force) for name in (LOWER, MODES, INTERDICT) for force in forces]
    found.append((FALL, forces[0]))
    if rules.scene.opening.preparation and state.turn == FIRST:
        found += [(PREPARE, force) for force in forces if rules.scene.force_side[force] == AHG]
        found.append((BLOWS, forces[0]))
    return found


@CHAPTER.step(
    "4.P6",
    on="next_phase",
    secrets=open_to_all,
    takes=(Argument("number", NUMBER, 0, MOST_STEPS),),
    phases=PHASE,
)
def artillery_step(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """4.0-6: the next step of the phase; who has nothing to do in it is not asked."""
    (number,) = frame.args
    steps = course(rules, state)
    if number >= len(steps):
        return
    state.frames.append(Frame("artillery_step", AUTO, (number + 1,)))
    name, state.active = steps[number]
    state.step = STEPS[name]
    if name in ASKED:
        if ASKED[name](rules, state, state.active):
            state.frames.append(Frame(name, seating.active_seat(rules, state), (state.active,)))
    else:
        state.frames.append(Frame(name, AUTO, (state.active,)))


# 17.6.e1: trenches that are given up


def trenches_held(rules: Caporetto, state: State, force: int) -> int:
    """17.6.e1: the hexes with units of a force that are no guns, in which a trench can lose a level."""
    found = trenches.may_demolish(rules, state, rules.scene.force_side[force])
    mine = rules.of_force[force] & rules.combat
    return mask_of(h for h in bits(found) if mask_of(state.stacks[h]) & mine)


@CHAPTER.choice(on="artillery_step", seats=of_its_force, takes=(FORCE,), phases=PHASE)
class LowerTrenches(Choice["Caporetto", State]):
    """17.6.e1: which trenches a force reduces where its units are."""

    name = "lower_trenches"
    rules = ("17.6.e1", "17.8")
    verbs = (Lower, Keep)
    panel = SUBSET

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        yield Keep()
        able = rules.hex_ids(bits(trenches_held(rules, state, frame.args[0])))
        for number in range(1, len(able) + 1):
            for hexes in combinations(able, number):
                yield Lower(hexes)

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        able = rules.hex_ids(bits(trenches_held(rules, state, frame.args[0])))
        hexes = tuple([name for name in able if rng.random() > SELDOM])
        return Lower(hexes) if hexes else Keep()

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Keep):
            return None
        assert isinstance(action, Lower)
        found = rules.hexes(action.hexes)
        if isinstance(found, Refusal):
            return found
        able = trenches_held(rules, state, frame.args[0])
        for number, h in enumerate(found):
            if not able >> h & 1 or h in found[:number]:
                return Refusal("17.6.e1", "no_trench_to_lower", {"hex": rules.grid.ids[h]})
        return None if found else Refusal("17.6.e1", "nothing_named")

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Lower):
            for name in action.hexes:
                trenches.demolish(rules, state, rules.grid.index[name], out)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return about_force(rules, frame)

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        able = rules.hex_ids(bits(trenches_held(rules, state, frame.args[0])))
        return _singles([Keep(), *(Lower((name,)) for name in able)], able, "lower", "hexes")


def about_force(rules: Caporetto, frame: Frame) -> dict[str, Any]:
    """Whose decision it is."""
    return {"force": rules.scene.forces[frame.args[0]]}


def _singles(listed: Sequence[Action], pieces: Sequence[str], verb: str, field: str) -> dict[str, Any]:
    """The offer of a set of any size: its pieces one by one."""
    told = {"actions": [msgspec.to_builtins(action) for action in listed], "verb": verb, "field": field}
    return told | {"pieces": list(pieces), "free": True, **({"more": True} if len(pieces) > 1 else {})}


# 18.1: modes


def turnable(rules: Caporetto, state: State, force: int) -> list[int]:
    """18.1: the guns of a force that may be turned, as far as each alone is concerned."""
    guns = bits(rules.guns & ~rules.groups & rules.of_force[force])
    return [gun for gun in guns if state.at[gun] >= 0 and artillery.why_stays(rules, state, gun) is None]


@CHAPTER.choice(on="artillery_step", seats=of_its_force, takes=(FORCE,), phases=PHASE)
class GunModes(Choice["Caporetto", State]):
    """18.1, 18.2: which guns of a force are turned, to move or to fire, for the whole turn."""

    name = "gun_modes"
    rules = ("4.P6.1", "18.1", "18.2")
    verbs = (Turn, Keep)
    panel = SUBSET

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        yield Keep()
        able = turnable(rules, state, frame.args[0])
        for number in range(1, len(able) + 1):
            for guns in combinations(able, number):
                if artillery.why_no_turns(rules, state, guns) is None:
                    yield Turn(rules.unit_ids(guns))

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        chosen: list[int] = []
        for gun in turnable(rules, state, frame.args[0]):
            if rng.random() > SELDOM and artillery.why_no_turns(rules, state, (*chosen, gun)) is None:
                chosen.append(gun)
        return Turn(rules.unit_ids(chosen)) if chosen else Keep()

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        if isinstance(action, Keep):
            return None
        assert isinstance(action, Turn)
        found = rules.units(action.guns)
        if isinstance(found, Refusal):
            return found
        for gun in found:
            mine = rules.guns & rules.of_force[frame.args[0]]
            if not mine >> gun & 1 or state.at[gun] < 0:
                return Refusal("18.1", "no_gun_of_yours", {"unit": rules.ids[gun]})
        return artillery.why_no_turns(rules, state, found) if found else Refusal("18.1", "nothing_named")

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        state.frames.pop()
        if isinstance(action, Turn):
            for gun in rules.known(action.guns):
                artillery.turn(rules, state, gun, out)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        return about_force(rules, frame)

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        able = turnable(rules, state, frame.args[0])
        alone = [gun for gun in able if artillery.why_no_turn(rules, state, gun) is None]
        listed = [Keep(), *(Turn((rules.ids[gun],)) for gun in alone)]
        return _singles(listed, rules.unit_ids(able), "turn", "guns")


# 12.1.6: barrages


def layers(rules: Caporetto, state: State, force: int) -> int:
    """12.1.6: the guns of a force that may lay a barrage."""
    return artillery.ready(rules, state, rules.scene.force_side[force]) & rules.of_force[force]


def barrage_hexes(rules: Caporetto, state: State, gun: int, observed: int) -> int:
    """12.1.6, 12.1.6.e1: the hexes on which a gun can lay one, whoever is there."""
    found = artillery.covers(rules, state, gun) & observation.for_gun(rules, state, gun, observed)
    return found & rules.home(gun) if rules.option["cross_sector_fire"] == "common-only" else found


def _barrage_barrels(rules: Caporetto, state: State, guns: int, force: int) -> list[Barrel]:
    observed, found = observation.in_barrage(rules, state, rules.scene.force_side[force]), []
    for gun in bits(guns):
        hexes = barrage_hexes(rules, state, gun, observed)
        if hexes:
            points = artillery.left(rules, state, gun) if rules.groups >> gun & 1 else 0
            found.append(Barrel(gun, tuple([(h, 0) for h in bits(hexes)]), points))
    return found


def can_interdict(rules: Caporetto, state: State, force: int) -> bool:
    """12.1.6: is there a gun of a force with a hex on which it could lay a barrage?"""
    guns = list(bits(layers(rules, state, force)))
    if any(barrage_hexes(rules, state, gun, 0) for gun in guns):  # by what a gun sees itself
        return True
    observed = observation.in_barrage(rules, state, rules.scene.force_side[force]) if guns else 0
    return any(barrage_hexes(rules, state, gun, observed) for gun in guns)


def barrage_price(rules: Caporetto, pairs: Sequence[Pair], force: int) -> int:
    """12.1.6.e4: what Italians pay for the guns that are named; AHG pays nothing."""
    if rules.scene.force_side[force] != ITALIAN:
        return 0
    return barrages.price(rules, len({name for name, _ in pairs}))


@CHAPTER.choice(on="artillery_step", seats=of_its_force, takes=(FORCE,), phases=PHASE)
class Interdiction(Choice["Caporetto", State]):
    """12.1.6: which guns of a force lay barrages, and where."""

    name = "interdict"
    rules = ("4.P6.2", "12.1.6", "12.1.6.e4")
    verbs = (Interdict, Hold)
    panel = aims.PANEL

    def legal(self, rules: Caporetto, state: State, frame: Frame) -> Iterator[Action]:
        (force,) = frame.args
        able = _barrage_barrels(rules, state, layers(rules, state, force), force)
        return self._answers(rules, state, force, able)

    def _answers(self, rules: Caporetto, state: State, force: int, able: Sequence[Barrel]) -> Iterator[Action]:
        """12.1.6: what can be done with these guns."""
        yield Hold()
        for pairs in aims.answers(rules, able):
            if barrage_price(rules, pairs, force) <= state.points[force]:
                yield Interdict(pairs)

    def sample(self, rules: Caporetto, state: State, frame: Frame, rng: Random) -> Action:
        (force,) = frame.args
        guns = mask_of(gun for gun in bits(layers(rules, state, force)) if rng.random() > SELDOM)
        observed = observation.in_barrage(rules, state, rules.scene.force_side[force]) if guns else 0
        hexes = [(gun, barrage_hexes(rules, state, gun, observed)) for gun in bits(guns)]
        able = few_barrels(rules, state, [Field(gun, (found, 0)) for gun, found in hexes if found], rng)
        pairs = aims.drawn(rules, able, rng, 0)
        if not pairs or barrage_price(rules, pairs, force) > state.points[force]:
            return Hold()
        return Interdict(pairs)

    def why_not(self, rules: Caporetto, state: State, frame: Frame, action: Action) -> Refusal | None:
        (force,) = frame.args
        if isinstance(action, Hold):
            return None
        assert isinstance(action, Interdict)
        found = aims.read(rules, state, action.aims)
        if isinstance(found, Refusal):
            return found
        observed = observation.in_barrage(rules, state, rules.scene.force_side[force])
        for aim in found:
            gun, h, _, battery = aim
            if battery:
                return rules.unknown_hex(aims.word(rules, (h, battery)))
            if not rules.guns >> gun & 1 or not rules.of_force[force] >> gun & 1 or state.at[gun] < 0:
                return Refusal("12.1.6", "no_gun_of_yours", {"unit": rules.ids[gun]})
            why = why_no_aim(rules, state, aim, observed)
            if why is not None:
                return why
        need, have = barrage_price(rules, action.aims, force), state.points[force]
        if need > have:
            return Refusal("12.1.6.e4", "too_dear", {"need": need, "have": have})
        return None if found else Refusal("12.1.6", "nobody_fires")

    def apply(self, rules: Caporetto, state: State, frame: Frame, action: Action, out: list[Event]) -> None:
        (force,) = frame.args
        state.frames.pop()
        if not isinstance(action, Interdict):
            return
        found = aims.read(rules, state, action.aims)
        assert not isinstance(found, Refusal)
        aims.tell(rules, found, BARRAGE, "12.1.6", out)
        shots = [(aim[1], aims.shot(rules, state, aim)) for aim in found]
        for h in dict.fromkeys(h for h, _ in shots):
            barrages.lay(rules, state, h, [shot for at, shot in shots if at == h])
            data = {"hex": rules.grid.ids[h], "factors": dict(state.barrages)[h] / PARTS}
            out.append(Event("interdicted", ("12.1.6",), data))
        artillery.close(rules, state)
        pay(rules, state, force, barrage_price(rules, action.aims, force), "12.1.6.e4", out)

    def about(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        (force,) = frame.args
        points = {"points": state.points[force]} if rules.scene.force_side[force] == ITALIAN else {}
        return about_force(rules, frame) | points

    def offer(self, rules: Caporetto, state: State, frame: Frame) -> dict[str, Any]:
        (force,) = frame.args
        able = _barrage_barrels(rules, state, layers(rules, state, force), force)
        reaching: dict[int, list[tuple[str, float]]] = {}
        for barrel in able:
            name, shot = rules.ids[barrel.unit], artillery.all_of(rules, state, barrel.unit)
            for amount, hexes in artillery.strengths(rules, state, shot, mask_of([h for h, _ in barrel.targets])):
                fact = name, amount / PARTS
                for h in bits(hexes):
                    if h in reaching:
                        reaching[h].append(fact)
                    else:
                        reaching[h] = [fact]
        offer = offer_of(rules, state, frame, able, {}, self._answers(rules, state, force, able), "interdict")
        return offer | {"targets": _targets(rules, reaching)}


def _targets(rules: Caporetto, reaching: Mapping[int, Sequence[tuple[str, float]]]) -> dict[str, dict[str, Any]]:
    """12.1.6: by hex who reaches it with how much, and the column of half of it. Of a hex that differs little from one
    beside it only that is told, of one that differs in nothing from any other that it is like it."""
    told: dict[str, dict[str, Any]] = {}
    known: dict[frozenset[tuple[str, float]], int] = {}
    found: dict[int, frozenset[tuple[str, float]]] = {}
    ids, fire = rules.grid.ids, rules.tables.fire
    for h in sorted(reaching):
        facts = found[h] = frozenset(reaching[h])
        like = known.setdefault(facts, h)
        if like != h:
            told[ids[h]] = {"like": ids[like]}
            continue
        half = artillery.times(int(sum([amount for _, amount in reaching[h]]) * PARTS), fire.interdiction_part)
        column = fire.column(half, PARTS)
        name = fire.columns[column] if column >= 0 else ""
        near = [there for there in rules.grid.adjacent[h] if there in found]
        like = min(near, key=lambda there: len(facts ^ found[there]), default=h)
        if like == h or len(facts ^ found[like]) >= len(facts):
            told[ids[h]] = {"factors": dict(reaching[h]), "column": name}
            continue
        more, names = facts - found[like], {gun for gun, _ in facts}
        less = sorted(gun for gun, _ in found[like] if gun not in names)
        told[ids[h]] = {
            "like": ids[like],
            **({"more": dict(sorted(more))} if more else {}),
            **({"less": less} if less else {}),
            "column": name,
        }
    return told


@CHAPTER.step("12.1.6.e2", on="artillery_step", secrets=open_to_all, takes=(FORCE,), fault=force_fault, phases=PHASE)
def barrages_fall(rules: Caporetto, state: State, frame: Frame, out: list[Event]) -> None:
    """12.1.6.e2: who is in a hex under a barrage suffers it, once all of them are laid; one hex after another."""
    for h, _ in state.barrages:
        due = barrages.due(rules, state, h, state.stacks.get(h, ()))
        if due:
            state.frames.append(frame)
            volleys.barrage(rules, state, h, due)
            return


ASKED = {LOWER: trenches_held, MODES: turnable, INTERDICT: can_interdict}
"""The steps in which a force is asked, and what it must have to be."""
