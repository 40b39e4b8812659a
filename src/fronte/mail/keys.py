"""What binds a side: its signature, its chain of shares in the dice, and the salts that seal its actions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from fronte.engine.dice import die

LINKS = 4096
"""How many throws a match may have."""


def public_key(private: bytes) -> str:
    """The public half of a signing key, in hexadecimal."""
    return Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw().hex()


def sign(private: bytes, message: bytes) -> str:
    """A signature, in hexadecimal."""
    return Ed25519PrivateKey.from_private_bytes(private).sign(message).hex()


def is_signed(public: str, message: bytes, signature: str) -> bool:
    """Was this message signed with the key of that public half?"""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def derived(secret: bytes, what: str, number: int = 0) -> bytes:
    """A secret of its own for each use of a side's secret."""
    text = f"{what} {number}".encode()
    return hashlib.blake2b(text, key=secret, digest_size=32, person=b"fronte derived").digest()


# Shares in the dice: a chain of hashes, opened one link a throw


def after(link: bytes) -> bytes:
    """The link that a link proves: whoever knows a link knows all that were opened before it, and none to come."""
    return hashlib.blake2b(link, digest_size=32, person=b"fronte chain").digest()


def chain(secret: bytes) -> list[bytes]:
    """The links of a side in the order in which they are opened, after the tip that binds them all."""
    links = [derived(secret, "chain")]
    for _ in range(LINKS):
        links.append(after(links[-1]))
    return links[::-1]


def throw(links: Sequence[bytes], number: int, dice: int) -> tuple[int, ...]:
    """The dice of a throw, from the shares of both sides in the order of the seats. Neither side chooses them alone."""
    seed = hashlib.blake2b(b"".join(links) + number.to_bytes(8, "big"), digest_size=32, person=b"fronte throw").digest()
    return tuple(die(seed, k) for k in range(dice))


# Sealed actions


def sealed(secret: bytes, number: int, actions: Sequence[Any]) -> str:
    """The seal of the actions behind a letter: it binds the sender and tells the receiver nothing."""
    salt = derived(secret, "salt", number)
    return hashlib.blake2b(msgspec.json.encode(list(actions), order="sorted"), key=salt, digest_size=32).hexdigest()
