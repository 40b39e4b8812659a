"""Dice that both sides can trust: the house is bound before it knows the words of the sides, and shows all at the end.

The house draws a secret and publishes its commitment. Each side then gives a word, best under seal first, so that
nobody gives his knowing the other's. The seed of the match is a hash of the secret and the words: no one of the three
can choose it alone, nor two together against the third. `verify` checks it all once the secret is shown.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence

import msgspec

from fronte.engine.record import End, Entry, Heading, Pledge
from fronte.engine.rules import Result

SECRET_BYTES = 32
MOST_WORD = 400
"""The longest word a side may give, in characters."""
WORD = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]*$"
"""What a word may hold: not what databases and lines of text stumble over."""


def house_commitment(secret: bytes) -> str:
    """What the house publishes before any word is given."""
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"the secret of the house has {SECRET_BYTES} bytes, not {len(secret)}")
    return hashlib.sha256(b"fronte house" + secret).hexdigest()


def word(text: str, randomness: bytes) -> str:
    """The word of a side: what a person typed, and randomness so that its seal cannot be guessed."""
    return f"{text} {randomness.hex()}".strip()


def seal(given: str) -> str:
    """A word under seal: it can be shown to all, and the word cannot be changed afterwards."""
    return hashlib.sha256(b"fronte word" + given.encode()).hexdigest()


def match_seed(secret: bytes, words: Sequence[str]) -> bytes:
    """The seed of the match, from the secret of the house and the words in the order of the seats."""
    mixed = hashlib.blake2b(key=secret, digest_size=32, person=b"fronte pledge")
    for given in words:
        raw = given.encode()
        mixed.update(len(raw).to_bytes(4, "big") + raw)
    return mixed.digest()


def pledge(secret: bytes, words: Sequence[str], seals: Sequence[str] = ()) -> Pledge:
    """What the heading of a save says of the seed. ValueError for a word that is too long or does not fit its seal."""
    if any(len(given) > MOST_WORD for given in words):
        raise ValueError(f"a word has at most {MOST_WORD} characters")
    if any(re.fullmatch(WORD, given) is None for given in words):
        raise ValueError("a word has only characters that can be seen, in one line")
    broken = [given for given, sealed in zip(words, seals, strict=bool(seals)) if seal(given) != sealed]
    if broken:
        raise ValueError("a word is not the one that was sealed")
    return Pledge(house_commitment(secret), tuple(words), tuple(seals))


def fingerprint(seed: bytes, heading: Heading, entries: Iterable[Entry]) -> str:
    """A fingerprint of a match so far, keyed with the seed.

    Who does not know the seed can learn nothing from it about hidden actions, so it may be shown at any time; noted
    down, it proves at the end that what had been played by then was not changed.
    """
    bare = None if heading.pledge is None else msgspec.structs.replace(heading.pledge, secret="")
    running = hashlib.blake2b(key=seed, digest_size=16, person=b"fronte record")
    running.update(msgspec.json.encode(msgspec.structs.replace(heading, seed="", end=None, pledge=bare, players={})))
    for entry in entries:
        running.update(b"\n" + msgspec.json.encode(entry))
    return running.hexdigest()


def closed(
    heading: Heading, entries: Sequence[Entry], seed: bytes, result: Result, secret: bytes = b"", by: str = ""
) -> Heading:
    """The heading of a finished match with everything shown: seed, secret of the house, result, fingerprint.

    `by` says how it ended, where the rules did not end it. Without a seed, as no die was thrown, there is no
    fingerprint: unkeyed it would prove nothing.
    """
    told = heading.pledge
    if told is not None and secret:
        told = msgspec.structs.replace(told, secret=secret.hex())
    mark = fingerprint(seed, heading, entries) if seed else ""
    end = End(result.level, result.score, result.winner, len(entries), mark, by)
    return msgspec.structs.replace(heading, seed=seed.hex(), pledge=told, end=end)
