"""A letter: what one side sends to the other. Signed, numbered, and bound to the letter before it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from fronte.mail.keys import LINKS, is_signed, sign

FORMAT = 1
INVITATION, ANSWER, TURN, OPENING = "invitation", "answer", "turn", "opening"
LARGEST = 1_000_000
"""The largest letter that is read, in bytes."""


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
        raise MailError("the file is far too large to be a letter")
    try:
        letter = msgspec.json.decode(text, type=Letter)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise MailError(f"this is no letter of a match, or it is damaged: {wrong}") from None
    if letter.fronte_letter != FORMAT:
        raise MailError(f"the letter has format {letter.fronte_letter}, this program reads {FORMAT}")
    return letter


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
