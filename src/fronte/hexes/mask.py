"""Sets of hexes as integers: bit i stands for hex i.

Union, intersection and difference are ``|``, ``&`` and ``& ~``; these few helpers do the rest.
"""

from collections.abc import Iterable, Iterator


def bits(mask: int) -> Iterator[int]:
    """The members of a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(members: Iterable[int]) -> int:
    """The mask that holds these members."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


def count(mask: int) -> int:
    """How many members a mask holds."""
    return mask.bit_count()
