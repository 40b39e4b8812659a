"""Dice: one seeded stream per match, drawn by number, so that any roll can be verified alone.

The n-th die of a match is a function of the seed and n and of nothing else: no global generator, no clock, the same
in every process. `commitment` is what can be shown before the match; the seed itself after it.
"""

import hashlib
from collections.abc import Iterator
from itertools import product

SIDES = 6


def seed_bytes(seed: int | str | bytes) -> bytes:
    """The 32 bytes that stand for a seed given as a number, a word or bytes."""
    if isinstance(seed, bytes) and len(seed) == 32:
        return seed
    raw = seed if isinstance(seed, bytes) else str(seed).encode()
    return hashlib.blake2b(raw, digest_size=32, person=b"fronte seed").digest()


def commitment(seed: bytes) -> str:
    """A fingerprint of the seed that gives nothing away about the rolls."""
    return hashlib.sha256(b"fronte commitment" + seed).hexdigest()


def die(seed: bytes, number: int) -> int:
    """The die with this number in the stream, 1 to 6."""
    digest = hashlib.blake2b(number.to_bytes(8, "big"), key=seed, digest_size=8).digest()
    return int.from_bytes(digest, "big") % SIDES + 1


def outcomes(dice: int) -> Iterator[tuple[int, ...]]:
    """Every way this many dice can fall, each equally likely."""
    return product(range(1, SIDES + 1), repeat=dice)
