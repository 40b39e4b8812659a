"""The desk of one side: its keys and secret, the letters so far, its own actions. From these its table is set up again.

The desk is private. What may leave it are the letters.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from fronte.engine.decision import CHANCE, IllegalAction
from fronte.engine.event import Event
from fronte.engine.frames import secrets_of
from fronte.engine.rules import Header, Rules
from fronte.mail import keys
from fronte.mail.halves import halves_of, other_side
from fronte.mail.letter import (
    ANSWER,
    FORMAT,
    INVITATION,
    OPENING,
    TURN,
    Letter,
    MailError,
    Opening,
    Party,
    Turn,
    body,
    check_bounds,
    check_signature,
    fingerprint,
    follow_each_other,
    in_order,
    is_key,
    is_match,
    named,
    opened,
    signed,
)
from fronte.mail.table import Table

Entropy = Callable[[int], bytes]
LARGEST = 100_000_000
"""The largest desk that is read, in bytes."""
TAKE_COPY = "Take the last copy that you have of it."


class Desk(msgspec.Struct, forbid_unknown_fields=True):
    """All that a side keeps."""

    fronte_desk: int
    seat: str
    private: str
    secret: str
    letters: list[Letter]
    actions: dict[str, list[dict[str, Any]]] = {}
    """The actions behind each letter of one's own, by its number."""
    pending: list[dict[str, Any]] = []
    """The actions of the turn that has not been sent."""

    def write(self) -> str:
        """The desk as text."""
        return msgspec.json.encode(self).decode() + "\n"

    @property
    def header(self) -> Header:
        """What fixes the ruleset."""
        return msgspec.convert(self.letters[0].body.get("header"), Header)

    @property
    def mine(self) -> int:
        """0 for the side that invited, 1 for the other: whose letters have even, whose odd numbers."""
        return 0 if self.letters[0].seat == self.seat else 1

    @property
    def my_turn(self) -> bool:
        """Is the next letter to come from this side?"""
        return len(self.letters) % 2 == self.mine and len(self.letters) >= 2

    def party(self, which: int) -> Party:
        """What binds the side that invited (0) or that answered (1)."""
        found: Party = msgspec.convert(self.letters[which].body.get("party"), Party)
        return found


def read(text: str) -> Desk:
    """The desk in a file; MailError if there is none, or if it is not whole."""
    if len(text) > LARGEST:
        raise MailError(f"the file is far too large to be a desk: {len(text):,} characters")
    try:
        desk = msgspec.json.decode(text, type=Desk)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise MailError(f"this is no desk of a match by file, or it is damaged: {wrong}. {TAKE_COPY}") from None
    if desk.fronte_desk != FORMAT:
        raise MailError(f"the desk has format {desk.fronte_desk}, this program reads {FORMAT}")
    try:
        _check_whole(desk)
    except MailError as wrong:
        raise MailError(f"the desk is damaged: {wrong}. {TAKE_COPY}") from None
    return desk


def _check_whole(desk: Desk) -> None:
    """The keys are keys, the letters follow each other, each signed by its side, and the actions belong to them."""
    for name, key in (("private", desk.private), ("secret", desk.secret)):
        if not is_key(key):
            raise MailError(f"{name} is not a key")
    if not desk.letters:
        raise MailError("it holds no letter")
    try:
        seats = {letter.seat for letter in desk.letters[:2]}
        if desk.seat not in seats or len(seats) != len(desk.letters[:2]):
            raise MailError(f"{desk.seat!r} does not sit in this match")
        for letter in desk.letters:
            check_bounds(letter)
        follow_each_other(desk.letters)
        if (desk.party(desk.mine)) != Party(keys.public_key(bytes.fromhex(desk.private)), _tip(desk.secret)):
            raise MailError("its keys are not those of its first letter")
        _ = desk.header
    except msgspec.ValidationError as wrong:
        raise MailError(str(wrong)) from None
    own = [letter for letter in desk.letters[2:] if letter.seat == desk.seat]
    if not set(desk.actions) <= {str(letter.number) for letter in own}:
        raise MailError("it holds actions behind no letter")
    for letter in own:
        actions = desk.actions.get(str(letter.number), [])
        seal = keys.sealed(bytes.fromhex(desk.secret), letter.number, actions)
        if letter.kind == TURN and letter.body.get("seal") != seal:
            raise MailError(f"the actions behind letter {letter.number} are not those that were sealed")


# The beginning


def _tip(secret: str) -> str:
    return keys.chain(bytes.fromhex(secret))[0].hex()


def _party(private: bytes, secret: bytes) -> dict[str, str]:
    return msgspec.to_builtins(Party(keys.public_key(private), _tip(secret.hex())))  # type: ignore[no-any-return]


def invite(rules: Rules[Any], seat: str, entropy: Entropy) -> Desk:
    """A new match by file; its first letter is the invitation."""
    halves_of(rules)
    rules.seat_index(seat)
    private, secret = entropy(32), entropy(32)
    content = {"header": msgspec.to_builtins(rules.header), "party": _party(private, secret)}
    letter = Letter(FORMAT, entropy(12).hex(), 0, seat, INVITATION, "", content)
    return Desk(FORMAT, seat, private.hex(), secret.hex(), [signed(letter, private)])


def answer(invitation: Letter, rules_for: Callable[[Header], Rules[Any]], entropy: Entropy) -> Desk:
    """Take up an invitation; the second letter is the answer."""
    if invitation.kind != INVITATION or invitation.number != 0 or invitation.before:
        raise MailError("this letter is no invitation; import it at the desk of its match")
    if not is_match(invitation.match):
        raise MailError("this letter names no match")
    first = named(invitation)
    check_signature(invitation, first.key)
    try:
        rules = rules_for(msgspec.convert(invitation.body.get("header"), Header))
        others = [seat for seat in rules.seats if seat != invitation.seat]
    except (msgspec.ValidationError, ValueError) as wrong:
        raise MailError(f"the match cannot be played here: {wrong}") from None
    halves_of(rules)
    if len(others) != 1:
        raise MailError(f"nobody can sit opposite {invitation.seat!r} in this game")
    private, secret = entropy(32), entropy(32)
    content = {"party": _party(private, secret)}
    letter = Letter(FORMAT, invitation.match, 1, others[0], ANSWER, fingerprint(invitation), content)
    return Desk(FORMAT, others[0], private.hex(), secret.hex(), [invitation, signed(letter, private)])


def safety_number(letters: list[Letter]) -> str:
    """Digits for both players to compare by another way: equal digits, nobody sits between them."""
    both = "".join(fingerprint(letter) for letter in letters[:2])
    digits = str(int(hashlib.sha256(f"fronte safety {both}".encode()).hexdigest(), 16) % 10**20).zfill(20)
    return " ".join(digits[k : k + 4] for k in range(0, 20, 4))


# The match


class Post:
    """A desk at work: the table set up from the letters, and what is needed to write and to read the next one."""

    def __init__(self, desk: Desk, rules: Rules[Any]) -> None:
        self.desk = desk
        self.rules = rules
        self.secret = bytes.fromhex(desk.secret)
        self.chain = keys.chain(self.secret)
        try:
            self._set_up()
        except Exception as wrong:  # what a file says can break any rule
            raise MailError(f"the desk is damaged: {wrong}. {TAKE_COPY}") from None

    def _set_up(self) -> None:
        """Set up the table from the letters and one's own actions."""
        desk = self.desk
        self.table = Table(self.rules, self.rules.seat_index(desk.seat))
        self.table.writer = self._text
        self.table.dice = self._throw
        self.links: list[bytes] = []
        """The other side's shares so far."""
        self.shown = 0
        """How many shares of one's own have been opened."""
        self.thrown = 0
        self.openings: dict[str, Opening] = {}
        for letter in desk.letters[2:]:
            if letter.seat == desk.seat:
                self._again(letter)
            else:
                self._take(letter)
        if desk.my_turn:
            self._begin(desk.pending)

    def _begin(self, actions: list[dict[str, Any]]) -> None:
        self.table.begin_turn()
        try:
            for action in actions:
                self.table.play(action)
        except IllegalAction as wrong:
            raise MailError(f"an action cannot be played: {wrong}") from None

    def _again(self, letter: Letter) -> None:
        """Go through a turn of one's own once more."""
        if letter.kind == OPENING:
            self.openings[letter.seat] = opened(letter.body)
            return
        self._begin(self.desk.actions.get(str(letter.number), []))
        self.table.end_turn()
        turn: Turn = body(letter, Turn)
        self.shown += len(turn.links)
        if turn.opening is not None:
            self.openings[letter.seat] = opened(turn.opening)

    def _throw(self, dice: int) -> tuple[int, ...] | None:
        number = self.thrown
        if number >= len(self.links):
            return None
        self.thrown += 1
        return self._fallen(number, dice)

    def _fallen(self, number: int, dice: int) -> tuple[int, ...]:
        pair = [b"", b""]
        pair[self.table.mine], pair[other_side(self.table.mine)] = self.chain[number + 1], self.links[number]
        return keys.throw(pair, number, dice)

    def _text(self) -> str:
        self.desk.pending = self.table.actions if self.desk.my_turn else []
        return self.desk.write()

    @property
    def over(self) -> bool:
        """Is the match over?"""
        return not self.table.state.frames

    @property
    def complete(self) -> bool:
        """Have both sides opened their secrets?"""
        return len(self.openings) == 2

    @property
    def can_write(self) -> bool:
        """Is the turn finished, so that a letter can be sent?"""
        return self.desk.my_turn and self.table.done and not self.complete

    # Writing

    def write(self) -> Letter:
        """Finish the turn: the letter to send. It cannot be taken back. Asked again, the same letter."""
        last = self.desk.letters[-1]
        if last.seat == self.desk.seat:
            return last
        if not self.can_write:
            raise MailError("the match is over and checked" if self.complete else "you have still to decide something")
        number = len(self.desk.letters)
        self.desk.actions[str(number)] = self.table.actions
        if any(seat != self.desk.seat for seat in self.openings):
            content, kind = msgspec.to_builtins(self._opening()), OPENING
        else:
            content, kind = msgspec.to_builtins(self._turn(number)), TURN
        before = fingerprint(self.desk.letters[-1])
        blank = Letter(FORMAT, self.desk.letters[0].match, number, self.desk.seat, kind, before, content)
        letter = signed(blank, bytes.fromhex(self.desk.private))
        self.desk.letters.append(letter)
        self.desk.pending = []
        self.table.end_turn()
        if self.over:
            self.openings[self.desk.seat] = self._opening()
        return letter

    def _turn(self, number: int) -> Turn:
        frames = self.table.state.frames
        due = self.thrown + (1 if frames and frames[-1].seat == CHANCE else 0)
        if due > keys.LINKS:
            raise MailError("the match has more throws than a match by file can have")
        links = {str(k): self.chain[k + 1].hex() for k in range(self.shown, due)}
        self.shown = max(self.shown, due)
        told, events = self.table.told()
        opening = msgspec.to_builtins(self._opening()) if not frames else None
        return Turn(keys.sealed(self.secret, number, self.table.actions), links, told, events, opening)

    def _opening(self) -> Opening:
        return Opening(self.desk.secret, {number: list(done) for number, done in self.desk.actions.items() if done})

    # Reading

    def receive(self, letter: Letter) -> None:
        """Take the other side's next letter; MailError if it is not that or cannot be true, and nothing is changed."""
        check_next(self.desk, letter)
        if letter.number == 1 and (letter.seat not in self.rules.seats or letter.seat == self.desk.seat):
            raise MailError(f"nobody sits at {letter.seat!r} in this match")
        before = self.table.twin(), list(self.links), self.thrown, dict(self.openings)
        self.desk.letters.append(letter)
        try:
            if letter.number > 1:
                self._take(letter)
            self._begin([])
        except Exception as wrong:  # whatever a letter does to the rules, the desk stays as it was
            self.desk.letters.pop()
            self.table, self.links, self.thrown, self.openings = before
            why = str(wrong) if isinstance(wrong, MailError) else f"what the letter tells cannot be true: {wrong!r}"
            raise MailError(why) from None

    def _take(self, letter: Letter) -> None:
        if letter.kind == OPENING:
            if not self.over:
                raise MailError("the letter opens the other side's secrets, but the match is not over")
            self.openings[letter.seat] = opened(letter.body)
            return
        if self.over:
            raise MailError("the match is over; only the opening of the secrets is still to come")
        turn: Turn = body(letter, Turn)
        if not is_key(turn.seal):
            raise MailError("the letter seals nothing")
        self._add_links(turn.links)
        try:
            events = [msgspec.convert(data, Event) for data in turn.events]
        except msgspec.ValidationError as wrong:
            raise MailError(f"the letter makes no sense: {wrong}") from None
        for event in events[:1]:
            if event.kind == "rolled":  # no other can: for a second throw its writer lacks a share
                self._check_throw(event)
        self.table.hear(turn.told, events, Random(fingerprint(letter)))
        self._check_hand_over()
        due = self.thrown + (1 if self._waits() else 0)
        if due != len(self.links):
            raise MailError(f"the letter opens {len(self.links)} shares in the dice; {due} throws fell or are due")
        if (turn.opening is not None) != self.over:
            raise MailError("secrets are opened when the match is over, not before and not later")
        if turn.opening is not None:
            self.openings[letter.seat] = opened(turn.opening)

    def _waits(self) -> bool:
        frames = self.table.state.frames
        return bool(frames) and frames[-1].seat == CHANCE

    def _add_links(self, links: dict[str, str]) -> None:
        """The other side's shares must be the next of the chain it bound itself to."""
        for number, link in in_order(links):
            before = self.links[-1] if self.links else bytes.fromhex(self.desk.party(other_side(self.desk.mine)).tip)
            if number != len(self.links) or keys.after(link) != before:
                raise MailError("a share in the dice is not the one its writer was bound to at the start")
            self.links.append(link)

    def _check_throw(self, event: Event) -> None:
        """Dice that fell at the other table must be those of both shares."""
        number, dice = self.thrown, event.data.get("dice")
        if not isinstance(dice, list) or not 0 < len(dice) < 10:
            raise MailError("the letter throws no dice that can fall")
        fell = tuple(dice)
        if number >= self.shown or number >= len(self.links):
            raise MailError("the letter throws dice in which one side has had no share")
        right = self._fallen(number, len(fell))
        if fell != right:
            said, true = (" ".join(map(str, dice)) for dice in (fell, right))
            raise MailError(f"the letter says that the dice fell {said}, but the shares of both sides give {true}")
        self.thrown += 1

    def _check_hand_over(self) -> None:
        frames: Any = self.table.state.frames
        if not frames:
            return
        top = frames[-1]
        other = other_side(self.table.mine)
        undone = top.seat == other
        if top.seat < 0 and top.seat != CHANCE:
            undone = secrets_of(self.rules, self.table.state, top) == other
        if undone:
            raise MailError("the letter ends before its writer has done what is his to do")


def check_next(desk: Desk, letter: Letter) -> None:
    """Refuse a letter that is not the next one of the other side of this match."""
    known = desk.letters
    if letter.match != known[0].match:
        raise MailError("the letter belongs to another match")
    if letter.seat == desk.seat:
        raise MailError("this is a letter of your own; send it to the other side")
    if len(known) > 1 and letter.seat != known[other_side(desk.mine)].seat:
        raise MailError(f"nobody sits at {letter.seat!r} in this match")
    if letter.number < len(known):
        if fingerprint(letter) == fingerprint(known[letter.number]):
            raise MailError("this letter has been read already")
        if letter.number > 1 and keys_fit(desk, letter):
            told = f"the other side has signed two different letters number {letter.number}"
            raise MailError(f"{told}: keep both files, they prove it")
        raise MailError("this is an old letter, and not the one that was read then")
    if desk.my_turn:
        raise MailError("it is for you to write: finish your turn and export it")
    if letter.number > len(known):
        raise MailError(f"letter {len(known)} is missing: this is number {letter.number}")
    key = named(letter).key if letter.number == 1 else desk.party(other_side(desk.mine)).key
    check_signature(letter, key)
    if letter.before != fingerprint(known[-1]):
        raise MailError("the letter answers another letter than the one you sent")
    if letter.kind not in ((ANSWER,) if letter.number == 1 else (TURN, OPENING)):
        raise MailError(f"a letter of kind {letter.kind!r} does not belong here")


def keys_fit(desk: Desk, letter: Letter) -> bool:
    """Was the letter signed by the other side?"""
    try:
        check_signature(letter, desk.party(other_side(desk.mine)).key)
    except MailError:
        return False
    return True
