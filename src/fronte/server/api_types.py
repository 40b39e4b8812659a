"""The types of requests and answers, so that whatever cannot be read is refused with a reason."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from fronte.engine.overlay import Layer
from fronte.engine.record import Anew
from fronte.engine.standing import LONGEST, Parameter
from fronte.engine.trust import MOST_WORD, WORD
from fronte.server.clocks import ClockRule, ClockShown

Language = Literal["en", "it"]
Act = dict[str, Any] | Annotated[str, msgspec.Meta(max_length=4000)]
"""An action: its JSON form, or its one-line text form."""
Line = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Word = Annotated[str, msgspec.Meta(max_length=100)]
Ordered = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST)]
"""A standing order as it is typed."""
Name = Annotated[str, msgspec.Meta(max_length=40)]
Given = Annotated[str, msgspec.Meta(max_length=MOST_WORD, pattern=WORD)]
"""A word that a seat puts into the dice."""
Seal = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What spectators see: `common`, `nothing`, or the name of a seat, whose view comes this much later."""

    see: Annotated[str, msgspec.Meta(max_length=32)]
    lines: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0
    minutes: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0


# Requests


class NewMatch(msgspec.Struct, forbid_unknown_fields=True):
    """A match to begin. `seats` says who sits where: `human` or the name of a machine player."""

    game: Word
    scenario: Word = ""
    options: dict[Word, bool | Word] = {}
    seats: dict[Word, Word] = {}
    seed: int | Word | None = None
    name: Annotated[str, msgspec.Meta(max_length=200)] = ""
    watch: list[Word] = []
    """Seats over whose shoulder others may look: each gets a token that cannot act."""
    position: dict[str, Any] | None = None
    """The position to begin with, where it is not the scenario's own (docs/api.md)."""
    invite: list[Word] = []
    """Seats for others: each gets an invitation instead of a token."""
    open: list[Word] = []
    """Seats that anybody may take from the list of open matches."""
    routine: bool = False
    """People begin with the standing orders that are sensible from the start."""
    clock: ClockRule | None = None
    holder: Name = ""
    """The name of whoever begins the match, for the seats kept."""
    seal: Seal | None = None
    """The word that whoever begins the match puts into the dice, under seal; without one the seats kept put in none."""
    words: bool = False
    """The seats kept put in a word each once they have been told what the house is bound to."""
    practice: bool = False
    """Whoever plays may ask the machine what it would do, and nobody is told."""


class Play(msgspec.Struct, forbid_unknown_fields=True):
    """An action, for the present the player knows."""

    action: Act
    line: Line
    revision: Line | None = None
    whole: bool = False
    """Nobody reacts to the whole move: the following windows of it are answered alike."""


class Undo(msgspec.Struct, forbid_unknown_fields=True):
    """Take back the last action."""

    line: Line
    revision: Line | None = None


class Order(msgspec.Struct, forbid_unknown_fields=True):
    """A standing order as it is typed: policies with their parameters; null ends it."""

    kind: Word
    policy: Ordered | None


class Question(msgspec.Struct, forbid_unknown_fields=True):
    """An action to be judged, not played."""

    action: Act


class Questions(msgspec.Struct, forbid_unknown_fields=True):
    """Some actions to be judged, not played."""

    actions: Annotated[list[Act], msgspec.Meta(min_length=1, max_length=8)]


class Via(msgspec.Struct, forbid_unknown_fields=True):
    """A unit and the hexes through which it shall go."""

    unit: Word
    via: Annotated[list[Word], msgspec.Meta(min_length=1, max_length=60)]


class Saying(msgspec.Struct, forbid_unknown_fields=True):
    """Something to say; spectators may give a name."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=1000)]
    name: Name = ""


class Message(msgspec.Struct, forbid_unknown_fields=True):
    """What a browser sends over a websocket: one of these at a time, for one of its seats if it holds several."""

    seat: Word | None = None
    action: Act | None = None
    line: Line | None = None
    revision: Line | None = None
    whole: bool = False
    undo: Line | None = None
    orders: dict[Word, Ordered | None] | None = None
    chat: Saying | None = None
    language: Language | None = None


# Answers


class Opened(msgspec.Struct):
    """A match and the tokens that open it.

    `tokens` play a seat, `invitations` can be exchanged for one, `watch` looks over the shoulder of a seat,
    `spectators` is for all who look on, and `owner` hands out the links of seats that nobody holds.
    """

    id: str
    tokens: dict[str, str]
    watch: dict[str, str]
    invitations: dict[str, str] = {}
    spectators: str | None = None
    owner: str | None = None
    house: str | None = None
    """What the house is bound to; null where the seed was given."""


class Holder(msgspec.Struct):
    """Who holds a seat: a name if one was given, and whether that person is here now."""

    state: str
    """`held`, `invited` (somebody has a link for it) or `open` (anybody may sit down)."""
    name: str
    here: bool
    forced: bool
    draw: bool = False
    """Offers a draw."""
    hints: list[int] = []
    """The lines after which it asked the machine what to do, where that is told."""


class Asking(msgspec.Struct):
    """A seat has lost its word and asks to begin the dice anew: who has agreed, and for whom it waits."""

    by: str
    agreed: list[str]
    waits: list[str]


class Pledged(msgspec.Struct):
    """How the dice of a match come about (docs/dice.md).

    `house` is what the house is bound to; `seals` and `words` are what the seats put in, the words when all are there;
    `secret` and `seed` are shown when the match is over. `anew` are the times it was begun anew.
    """

    house: str
    seals: dict[str, str]
    words: dict[str, str]
    secret: str | None = None
    seed: str | None = None
    anew: tuple[Anew, ...] = ()
    asked: Asking | None = None


class About(msgspec.Struct):
    """What a match is."""

    id: str
    name: str
    game: str
    scenario: str
    options: dict[str, str]
    seats: dict[str, str]
    line: int
    revision: int
    result: dict[str, Any] | None
    commitment: str
    seed_known: bool
    created: str
    changed: str
    you: str | None = None
    watches: bool = False
    role: str | None = None
    """What the link is for: `seat`, `watch`, `spectator`, `owner` or `invite`."""
    people: dict[str, Holder] = {}
    spectators: Choice = Choice("common")
    """What spectators see now."""
    wishes: dict[str, Choice | None] = {}
    """What each seat wants them to see."""
    clock: ClockRule | None = None
    ended: str | None = None
    """How it ended before the rules ended it: `time`, `resigned`, `agreed` (on a draw)."""
    winner: str | None = None
    """Who has won, however it ended."""
    archived: bool = False
    """Whoever asks has put it away."""
    practice: bool = False
    """Whoever plays may ask the machine what it would do; else it is told who did."""
    card: dict[str, Any] | None = None
    """What a list shows of it: where it stands, as everybody may know it."""
    pledge: Pledged | None = None
    """How the dice come about; null where whoever began the match gave the seed."""
    error: str | None = None
    """Why it cannot be opened any more, if it cannot (it was played under other rules or data)."""


class Listing(msgspec.Struct):
    """The matches that may be listed."""

    matches: list[About]


class Told(msgspec.Struct):
    """Something that happened, as a seat may know it, in words of its language."""

    line: int
    kind: str
    rules: tuple[str, ...]
    data: dict[str, Any]
    text: str


class History(msgspec.Struct):
    """What happened."""

    events: list[Told]


class Asked(msgspec.Struct):
    """The decision that is owed; what it is about and what it asks only for the seat that owes it."""

    seat: str
    kind: str
    panel: str
    rules: tuple[str, ...]
    about: dict[str, Any] | None = None
    text: str | None = None
    hint: str | None = None
    odds: tuple[str, ...] = ()
    """The verbs of those answers whose odds can be asked."""
    whole: dict[str, Any] | None = None
    """The answer that may be given to the whole move."""


class Ended(msgspec.Struct):
    """How a match ended."""

    level: str
    score: int
    winner: str | None
    rules: tuple[str, ...]
    text: str


class Table(msgspec.Struct):
    """What a seat has before it."""

    line: int
    revision: int
    after: int
    """The events are those of the lines after this one."""
    view: msgspec.Raw
    decision: Asked | None
    offer: msgspec.Raw
    undo: bool
    orders: dict[str, str]
    obeyed: list[str]
    """The kinds of decision that standing orders of the seat have answered in the lines of the events."""
    policies: dict[str, dict[str, tuple[Parameter, ...]]]
    """By kind of decision the policies of standing orders, each with what it takes."""
    result: Ended | None
    events: list[Told]
    clock: ClockShown | None = None


class Reason(msgspec.Struct):
    """A rule and why it forbids something."""

    rule: str
    why: str


class Judgement(msgspec.Struct):
    """Whether an action may be played."""

    refusal: Reason | None


class WayFound(msgspec.Struct):
    """The cheapest legal path, or why there is none."""

    path: list[str]
    left: int | None
    refusal: Reason | None


class FactShown(msgspec.Struct):
    """Something that counts in a throw: in words, what it does, and by which rule."""

    key: str
    text: str
    effect: str
    rule: str


class RowShown(msgspec.Struct):
    """One thing that can happen to somebody: how many ways of the dice give 0, 1, 2 ... of it."""

    what: str
    text: str
    who: str
    counts: tuple[int, ...]
    rule: str


class SheetShown(msgspec.Struct):
    """A sheet of odds in words. `of` 0: no dice would be thrown, and the facts say why."""

    heading: str
    of: int
    facts: list[FactShown]
    rows: list[RowShown]
    unknown: list[str]
    recalled: list[str]
    """Whom it counts although they cannot be seen, by the turn on which they were seen last."""


class SheetsShown(msgspec.Struct):
    """Several sheets; null for an action that has none."""

    sheets: list[SheetShown | None]


class CardLine(msgspec.Struct):
    """One thing told of a piece or a hex, and the rule behind it."""

    text: str
    rule: str


class CardShown(msgspec.Struct):
    """All that is told; the lines of a group belong together."""

    groups: list[list[CardLine]]


class ObstacleShown(msgspec.Struct):
    """One thing in the way of a unit: the rule, the reason, and the hex or the two hexes of the hexside."""

    rule: str
    why: str
    at: list[str]


class PartShown(msgspec.Struct):
    """What bars one part of it, and what would help: each by itself, or all together."""

    obstacles: list[ObstacleShown]
    helps: list[CardLine]
    single: bool


class WhyNotShown(msgspec.Struct):
    """What stands between a unit and a hex: itself, its way, and if enemies are there what bars an attack."""

    piece: str
    hex: str
    path: list[str]
    gone: int
    """So many hexes of the path can be entered now."""
    own: PartShown
    way: PartShown
    attack: PartShown | None


class IdleShown(msgspec.Struct):
    """Why a unit can do nothing; `quiet` where that goes without saying."""

    rule: str
    why: str
    quiet: bool


class IdleUnits(msgspec.Struct):
    """The units that can do nothing in the decision that is owed."""

    idle: dict[str, IdleShown]


class OutlookShown(msgspec.Struct):
    """What can be foreseen, in words and as layers of the map."""

    lines: list[CardLine]
    layers: list[Layer]


class Cautions(msgspec.Struct):
    """What one should think of before an action."""

    lines: list[CardLine]


class Health(msgspec.Struct):
    """The database answers."""

    ok: bool


# Analysis


Interval = list[float | None]
"""A mean, and the interval in which it lies with 95 %; null where there are too few playouts to tell."""


class OptionShown(msgspec.Struct):
    """A plan or an answer that was thought about: what it is for, its first moves of so many, and how it came out."""

    purpose: str
    moves: list[str]
    count: int
    tries: int
    expected: float
    """A score, as the machine judges the position up to which it looked; for comparing, and not shown to people."""
    behind: Interval
    """How much worse it is for the seat than what was chosen."""


class AdviceShown(msgspec.Struct):
    """What a player would do after so many lines, why, and what it compared; what was chosen is the first."""

    line: int
    player: str
    action: dict[str, Any]
    text: str
    why: str
    options: list[OptionShown]


class EndingShown(msgspec.Struct):
    """A level of victory and how likely it is, with the 95 % interval."""

    text: str
    winner: str | None
    share: float
    low: float
    high: float


class JudgementShown(msgspec.Struct):
    """The score to be expected in the end, between what eight of ten playouts lie, and how they ended."""

    playouts: int
    ended: int
    score: Interval
    spread: list[float]
    endings: list[EndingShown]


class CostShown(msgspec.Struct):
    """What was done, first moves of so many, and what that cost against the best that was found beside it."""

    done: list[str]
    count: int
    playouts: int
    expected: float
    best: OptionShown | None
    cost: Interval


class StepStands(msgspec.Struct):
    """How a learner stands with a step of a lesson."""

    possible: bool
    """Whether what it asks for can still be done."""


class PuzzleJudged(msgspec.Struct):
    """What somebody's decisions in a puzzle are worth, beside the best that was found."""

    chance: float | None
    """The exact chance that they gave; null as long as nothing is decided."""
    whole: bool
    """False: there are more ways than were counted, and the chance is at least this."""
    reached: bool | None
    """Whether the goal was reached; null while there is time."""
    best: float
    naive: float
    """What the usual machine player gets there."""
    stars: int
    line: list[str]
    """The best line in words, for who asks for it or has decided."""
    hexes: list[str]
    """The hexes that it speaks of."""


class Worth(msgspec.Struct):
    """A point of a curve: the score that a seat expected in the end, after so many lines."""

    line: int
    turn: int
    score: Interval


class Curve(msgspec.Struct):
    """The points that are known so far, of how many there will be; `whole` when that is all up to the present line."""

    line: int
    points: list[Worth]
    of: int
    whole: bool


class Branch(msgspec.Struct, forbid_unknown_fields=True):
    """A new match for practice from a position of another: after so many lines, and who sits where."""

    at: Line
    seats: dict[Word, Word] = {}
    name: Annotated[str, msgspec.Meta(max_length=200)] = ""
