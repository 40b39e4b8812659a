"""Frames declared: one declaration for each, beside the function or the choice that runs it.

A module of rules makes one `Chapter` and declares its frames with it, in one shape for steps, throws and decisions:

    CHAPTER = Chapter()

    @CHAPTER.step("4.2", on="movement", secrets=mover, takes=(UNIT, PATH), fault=why_no_march)
    def march(rules, state, frame, out): ...

    @CHAPTER.throw(2, "8.3", on="combat", secrets=open_to_all)
    def combat_dice(rules, state, frame, dice, out): ...

    @CHAPTER.choice(on="combat_phase", seats=phasing)
    class Movement(Choice): ...

A step or a throw is named by its function, a decision by `Choice.name`. A ruleset lists its chapters
(`Rules.chapters`), and all that the engine asks by the name of a frame is made from them.

A declaration says what a frame's arguments are and how large they can be, who has to answer it, on which other frames
it can lie, whose secrets it reads, and what must be true of the state while it waits. Positions and saves that come
from outside are held against it before anything of them is kept, and undo ends where a declaration says that somebody
else's secrets were read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

import msgspec

from fronte.engine.decision import AUTO, CHANCE, Choice, Frame
from fronte.engine.event import Event
from fronte.engine.given import PositionError, listed, said, text, whole

if TYPE_CHECKING:
    from fronte.engine.rules import Rules

GROUND = "ground"
"""What the lowest frame lies on."""
NOBODY = -1
"""No seat: a frame reads nobody's secrets, a score counts for nobody."""
DEEPEST = 64
"""More frames than any game piles up."""

NUMBER = "number"


class Argument(msgspec.Struct, frozen=True):
    """One argument: its name, its kind, and bounds: of a number its value, of a list its length."""

    name: str
    kind: str
    low: int = 0
    high: int = 0


Step = Callable[[Any, Any, Frame, list[Event]], None]
"""A step that the rules take by themselves."""
Fall = Callable[[Any, Any, Frame, tuple[int, ...], list[Event]], None]
"""What the fall of the dice does."""


class Chance(msgspec.Struct, frozen=True):
    """A throw of dice: how many, by which rules, and what the fall of the dice does."""

    dice: int
    rules: tuple[str, ...]
    fall: Fall


Seats = Callable[[Any, Any, Frame], Collection[int]]
"""Who can owe a frame, with these rules and in this state."""
Secrets = Callable[[Any, Any, Frame], int]
"""Whose secrets a frame reads when it is carried out: the number of a seat, or NOBODY."""
Fault = Callable[[Any, Any, Frame], str]
"""What is wrong with a frame in this state, in words; empty if nothing is."""


def nothing_wrong(rules: Rules[Any], state: Any, frame: Frame) -> str:
    """For frames of which there is no more to say."""
    return ""


Run = Step | Chance | Choice[Any, Any]
"""What runs a frame."""


class Declared(msgspec.Struct, frozen=True):
    """All that is said of a frame in one place, and what runs it."""

    name: str
    run: Run
    rules: tuple[str, ...]
    """The rules that it carries out, as the chapter cites them."""
    on: frozenset[str]
    """The frames that it can lie on; GROUND where it can be the lowest."""
    seats: Seats
    secrets: Secrets
    takes: tuple[Argument, ...] = ()
    fault: Fault = nothing_wrong
    once: bool = True
    """It can be on the stack only once."""
    phases: tuple[str, ...] = ()
    """The phases in which it can be there, where there are phases; none named: any."""
    marks: frozenset[str] = frozenset()
    """What else a family of games says of its frames."""

    def names(self, kinds: Collection[str]) -> bool:
        """Has it an argument of one of these kinds?"""
        return any(argument.kind in kinds for argument in self.takes)


class Terms(TypedDict, total=False):
    """What a declaration may say besides; the fields of `Declared` tell what it means and what holds without it."""

    takes: tuple[Argument, ...]
    fault: Fault
    once: bool
    phases: str
    """Words with spaces between."""
    marks: Collection[str]


StepT = TypeVar("StepT", bound=Step)
FallT = TypeVar("FallT", bound=Fall)
ChoiceT = TypeVar("ChoiceT", bound=type[Choice[Any, Any]])


class Chapter:
    """The frames that one module of rules declares, in the order in which they stand there.

    `on` names the frames that a frame can lie on, as words with spaces between.
    """

    def __init__(self) -> None:
        self.declared: list[Declared] = []

    def step(self, *rules: str, on: str, secrets: Secrets, **terms: Unpack[Terms]) -> Callable[[StepT], StepT]:
        """Declare a step that the rules take by themselves: the function below, by its name."""

        def declare(run: StepT) -> StepT:
            self._add(run.__name__, run, rules, on, by_itself, secrets, terms)
            return run

        return declare

    def throw(
        self, dice: int, *rules: str, on: str, secrets: Secrets, **terms: Unpack[Terms]
    ) -> Callable[[FallT], FallT]:
        """Declare a throw of so many dice: the function below, by its name, takes what they show."""

        def declare(run: FallT) -> FallT:
            self._add(run.__name__, Chance(dice, rules, run), rules, on, by_chance, secrets, terms)
            return run

        return declare

    def choice(self, *, on: str, seats: Seats, **terms: Unpack[Terms]) -> Callable[[ChoiceT], ChoiceT]:
        """Declare a decision: the class below. It reads the secrets of the seat that is asked, and no others."""

        def declare(kind: ChoiceT) -> ChoiceT:
            choice = kind()
            self._add(choice.name, choice, choice.rules, on, seats, of_its_seat, terms)
            return kind

        return declare

    def _add(
        self, name: str, run: Run, rules: tuple[str, ...], on: str, seats: Seats, secrets: Secrets, terms: Terms
    ) -> None:
        self.declared.append(
            Declared(
                name,
                run,
                rules,
                frozenset(on.split()),
                seats,
                secrets,
                terms.get("takes", ()),
                terms.get("fault", nothing_wrong),
                terms.get("once", True),
                tuple(terms.get("phases", "").split()),
                frozenset(terms.get("marks", ())),
            )
        )


T = TypeVar("T")


class Undeclared(KeyError):
    """A frame was laid on the stack that no chapter declares, or that is declared as something else."""

    def __str__(self) -> str:
        return str(self.args[0])


class ByName(dict[str, T]):
    """What is declared, by name; what is not is refused with a sentence."""

    def __init__(self, kind: str, found: Mapping[str, T]) -> None:
        super().__init__(found)
        self.kind = kind

    def __missing__(self, name: str) -> T:
        known = ", ".join(self) or "none"
        raise Undeclared(f"no chapter of the rules declares a {self.kind} {name!r}; those declared are {known}")


def gathered(chapters: Iterable[Chapter]) -> dict[str, Declared]:
    """The frames of these chapters by name; ValueError if a name is declared twice."""
    found: dict[str, Declared] = ByName("frame", {})
    for chapter in chapters:
        for told in chapter.declared:
            if told.name in found:
                raise ValueError(f"the frame {told.name} is declared twice")
            found[told.name] = told
    return found


# Who decides, and whose secrets are read


def by_chance(rules: Rules[Any], state: Any, frame: Frame) -> Collection[int]:
    """A throw of dice."""
    return (CHANCE,)


def by_itself(rules: Rules[Any], state: Any, frame: Frame) -> Collection[int]:
    """A step that the rules take."""
    return (AUTO,)


def anybody(rules: Rules[Any], state: Any, frame: Frame) -> Collection[int]:
    """A decision that any seat can owe."""
    return range(len(rules.seats))


def open_to_all(rules: Rules[Any], state: Any, frame: Frame) -> int:
    """It reads only what every seat may know."""
    return NOBODY


def of_its_seat(rules: Rules[Any], state: Any, frame: Frame) -> int:
    """It reads what the seat that owes it knows."""
    return frame.seat


def secrets_of(rules: Rules[Any], state: Any, frame: Frame) -> int:
    """Whose secrets this frame reads: the number of a seat, or NOBODY. By file that side carries it out."""
    found: int = rules.frames[frame.name].secrets(rules, state, frame)
    return found


# Reading and writing


def write_frame(declared: Mapping[str, Declared], frame: Frame, write: Callable[[str, Any], Any]) -> list[Any]:
    """A frame as readable data; `write` writes an argument of a kind."""
    takes = declared[frame.name].takes
    args = [write(argument.kind, value) for argument, value in zip(takes, frame.args, strict=True)]
    return [frame.name, frame.seat, args]


def read_frame(declared: Mapping[str, Declared], data: Any, place: str, read: Callable[[str, Any, str], Any]) -> Frame:
    """The frame that such data describe, with its kinds checked; `read` reads an argument of a kind at a place."""
    parts = listed(data, place, 3)
    if len(parts) != 3:
        raise PositionError(f"{place}: a frame is its name, who does it, and its arguments")
    name = text(parts[0], place)
    if name not in declared:
        raise PositionError(f"{place}: {said(name)} is no frame of this game")
    takes = declared[name].takes
    args = listed(parts[2], f"{place} ({name})", DEEPEST)
    if len(args) != len(takes):
        raise PositionError(f"{place}: {name} with {len(args)} arguments is no frame of this game, it has {len(takes)}")
    seat = whole(parts[1], f"{place} ({name}), who", AUTO, 99)
    found = [
        read(argument.kind, value, f"{place} ({name}), {argument.name}")
        for argument, value in zip(takes, args, strict=True)
    ]
    return Frame(name, seat, tuple(found))


# Holding a stack against the declarations


def faults(declared: Mapping[str, Declared], rules: Rules[Any], state: Any) -> Iterator[str]:
    """What is impossible about the stack of a state, each with its place; from the bottom up, and no more after one
    that would make a check of the next unsafe."""
    frames: Sequence[Frame] = state.frames
    if len(frames) > DEEPEST:
        yield f"frames: {len(frames)} of them, more than the {DEEPEST} there can be"
        return
    below, seen = GROUND, set[str]()
    for number, frame in enumerate(frames):
        if frame.name not in declared:
            yield f"frames[{number}] ({frame.name}): no chapter of the rules declares it"
            return
        found = _wrong(declared[frame.name], rules, state, frame, below, seen, frames[:number])
        if found:
            yield f"frames[{number}] ({frame.name}){found}"
            return
        below = frame.name
        seen.add(frame.name)


def _wrong(
    told: Declared, rules: Rules[Any], state: Any, frame: Frame, below: str, seen: set[str], under: Sequence[Frame]
) -> str:
    if below not in told.on:
        return f": it cannot lie on {below}" if below != GROUND else ": it cannot be the lowest frame"
    if told.once and frame.name in seen:
        return ": it is there twice"
    if frame.name in seen and frame in under:
        return ": the same frame is there twice"
    for argument, value in zip(told.takes, frame.args, strict=True):
        lists = isinstance(value, tuple)
        size = len(value) if lists else value if argument.kind == NUMBER else argument.low
        if not argument.low <= size <= argument.high:
            what = f"{size} entries" if lists else said(value)
            return f", {argument.name}: {what}, not between {argument.low} and {argument.high}"
    right = told.seats(rules, state, frame)
    if frame.seat not in right:
        return f": {frame.seat} is not who does it"
    if told.phases and state.phase not in told.phases:
        return f": it is not there in the {state.phase} phase"
    why = told.fault(rules, state, frame)
    return f": {why}" if why else ""
