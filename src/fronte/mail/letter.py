"""A letter: what one side sends to the other. Signed, numbered, and bound to the letter before it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fronte.mail.keys import LINKS, is_signed, sign

FORMAT = 1
INVITATION, ANSWER, TURN, OPENING = "invitation", "answer", "turn", "opening"
LARGEST = 1_000_000
"""The largest letter that is read, in bytes."""
DEEPEST, MOST_VALUES, LONGEST_TEXT, LARGEST_NUMBER = 12, 60_000, 300, 1_000_000
"""Bounds of what a letter holds: lists within lists, values in all, characters of a text, size of a number."""

ASK_AGAIN = "Ask for it once more (fronte mail export)."


class MailError(ValueError):
    """A letter or a desk that is refused; the message says why in plain words."""


class Letter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One letter. What `body` holds depends on `kind`."""

    fronte_letter: int
    match: str
    number: int
    seat: str
    kind: str
    before: str
    """The fingerprint of the letter that this one answers."""
    body: dict[str, Any]
    signature: str = ""


class Turn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a turn: what the receiver may know of it, and what binds the sender."""

    seal: str
    """Binds the sender to the actions themselves, which are opened when the match is over."""
    links: dict[str, str]
    """The sender's shares in the throws that fell or are due, by their numbers."""
    told: dict[str, Any]
    events: list[dict[str, Any]]
    opening: dict[str, Any] | None = None


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a side shows when the match is over: the secret behind its shares and seals, and all its actions."""

    secret: str
    actions: dict[str, list[dict[str, Any]]]
    """The actions behind each letter, by its number."""


class Party(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What binds a side from the start: its public key and the tip of its chain."""

    key: str
    tip: str


def canonical(letter: Letter) -> bytes:
    """The bytes that are signed: the same for the same letter however its file is written."""
    return b"fronte letter " + msgspec.json.encode(msgspec.structs.replace(letter, signature=""), order="sorted")


def signed(letter: Letter, private: bytes) -> Letter:
    """The letter with its signature."""
    return msgspec.structs.replace(letter, signature=sign(private, canonical(letter)))


def fingerprint(letter: Letter) -> str:
    """What the next letter says it answers."""
    return hashlib.sha256(canonical(letter)).hexdigest()


def write(letter: Letter) -> str:
    """The letter as the text of a file."""
    return msgspec.json.encode(letter, order="sorted").decode() + "\n"


def read(text: str) -> Letter:
    """The letter in a file; MailError if there is none that can be read."""
    if len(text) > LARGEST:
        raise MailError(f"the file is far too large to be a letter: {len(text):,} characters")
    try:
        letter = msgspec.json.decode(text, type=Letter)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise MailError(f"this is no letter of a match, or it is damaged: {wrong}. {ASK_AGAIN}") from None
    if letter.fronte_letter != FORMAT:
        raise MailError(f"the letter has format {letter.fronte_letter}, this program reads {FORMAT}")
    check_bounds(letter)
    return letter


def check_bounds(letter: Letter) -> None:
    """Refuse a letter that holds more, or other things, than any letter can: nobody is to be kept busy by it."""
    data = [letter.match, letter.number, letter.seat, letter.kind, letter.before, letter.signature, letter.body]
    todo: list[tuple[Any, int]] = [(data, 0)]
    values = 0
    while todo:
        value, depth = todo.pop()
        values += 1
        if isinstance(value, str):
            _check_text(value)
        elif isinstance(value, dict | list):
            if depth > DEEPEST:
                raise MailError(f"the letter holds lists within lists more than {DEEPEST} deep")
            if values + len(value) > MOST_VALUES:
                raise MailError(f"the letter holds more than {MOST_VALUES:,} values")
            if isinstance(value, dict):
                for name in value:
                    _check_text(name)
            todo += [(inner, depth + 1) for inner in (value.values() if isinstance(value, dict) else value)]
        elif isinstance(value, float):
            raise MailError(f"the letter holds {value!r}, which is no whole number")
        elif isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            raise MailError(f"the letter holds a number beyond {LARGEST_NUMBER:,}")
    if letter.number < 0:
        raise MailError(f"no letter has the number {letter.number}")


def _check_text(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise MailError(f"the letter holds a text of more than {LONGEST_TEXT} characters")
    if not text.isprintable():
        raise MailError(f"the letter holds characters that cannot be printed: {text[:40]!r}")


def check_signature(letter: Letter, key: str) -> None:
    """Refuse a letter that is not signed with this key."""
    if not is_signed(key, canonical(letter), letter.signature):
        raise MailError("the signature is false: the letter was changed on the way, or somebody else wrote it")


def in_order(links: Mapping[str, str]) -> list[tuple[int, bytes]]:
    """The shares of a letter in the order of their throws.

    A file has them sorted by name, and as text "10" comes before "9": nobody may go by the order in a file.
    """
    found = []
    for name, link in links.items():
        if not (len(name) <= len(str(LINKS)) and name.isascii() and name.isdigit() and name == str(int(name))):
            raise MailError(f"{name[:20]!r} is not the number of a throw")
        try:
            found.append((int(name), bytes.fromhex(link)))
        except ValueError:
            raise MailError(f"the share in throw {name} is not hexadecimal") from None
    return sorted(found)


def body(letter: Letter, kind: type[Any]) -> Any:
    """The body of a letter as what it should be."""
    try:
        return msgspec.convert(letter.body, kind)
    except msgspec.ValidationError as wrong:
        raise MailError(f"the letter makes no sense: {wrong}") from None


def opened(data: Any) -> Opening:
    """What a side shows when the match is over."""
    try:
        found: Opening = msgspec.convert(data, Opening)
    except msgspec.ValidationError as wrong:
        raise MailError(f"the letter does not open its writer's secrets: {wrong}") from None
    if not is_key(found.secret):
        raise MailError("the letter does not open its writer's secrets: what it shows is no secret")
    return found


def is_key(text: str) -> bool:
    """Is this a key, a secret or a hash: 32 bytes in hexadecimal?"""
    return len(text) == 64 and all(digit in "0123456789abcdef" for digit in text)


def is_match(text: str) -> bool:
    """Is this the name of a match? Files are named after it, so nothing else will do."""
    return len(text) == 24 and all(digit in "0123456789abcdef" for digit in text)


def named(letter: Letter) -> Party:
    """What binds the side that wrote one of the first two letters."""
    try:
        found: Party = msgspec.convert(letter.body.get("party"), Party)
    except msgspec.ValidationError as wrong:
        raise MailError(f"the letter does not say who wrote it: {wrong}") from None
    if not is_key(found.key) or not is_key(found.tip):
        raise MailError("the letter does not say who wrote it: its key is none")
    return found


def follow_each_other(letters: Sequence[Letter]) -> None:
    """Every letter is numbered, bound to the one before and signed by its side; MailError names one that is not."""
    parties = [named(letter) for letter in letters[:2]]
    if not is_match(letters[0].match):
        raise MailError("letter 0: it names no match")
    before = ""
    for number, letter in enumerate(letters):
        try:
            check_signature(letter, parties[number % 2].key)
            placed = letter.number == number and letter.before == before and letter.match == letters[0].match
            if not placed or letter.seat != letters[number % 2].seat or letter.kind not in _kinds(number):
                raise MailError("it does not follow the letter before it")
        except MailError as wrong:
            raise MailError(f"letter {number}: {wrong}") from None
        before = fingerprint(letter)


def _kinds(number: int) -> tuple[str, ...]:
    return ((INVITATION,), (ANSWER,))[number] if number < 2 else (TURN, OPENING)
