"""Sets of hexes as integers: bit i stands for hex i.

Union, intersection and difference are ``|``, ``&`` and ``& ~``; these few helpers do the rest.
"""

from collections.abc import Iterable, Iterator, Sequence


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


def nth(mask: int, number: int) -> int:
    """A member of a mask by its number, 0 for the lowest, found without looking at the others."""
    found, size = 0, mask.bit_length()
    while size > 1:  # it is one of so many from `found` on, of which `mask` has the members
        half = size // 2
        lower = mask & (1 << half) - 1
        below = lower.bit_count()
        if number < below:
            mask, size = lower, half
        else:
            mask >>= half
            found, size, number = found + half, size - half, number - below
    return found


def layered(layers: Sequence[int], size: int, beyond: int) -> list[int]:
    """For each of so many members the number of the layer that holds it; `beyond` where none does.

    Layers have no member in common, and there are fewer than 256: they are added up as numbers with a byte a member.
    """
    zeros = int.from_bytes(b"0" * size, "big")
    total = beyond * (int.from_bytes(b"1" * size, "big") - zeros)
    for number, layer in enumerate(layers):
        total -= (beyond - number) * (int.from_bytes(f"{layer:0{size}b}".encode(), "big") - zeros)
    return list(total.to_bytes(size, "little"))


def side_by_side(masks: Sequence[int], width: int) -> int:
    """One mask made of several, of which each takes so many places (a multiple of 8)."""
    size = width // 8
    return int.from_bytes(b"".join([mask.to_bytes(size, "little") for mask in masks]), "little")


def apart(mask: int, number: int, width: int) -> list[int]:
    """The masks of which `side_by_side` made one."""
    size = width // 8
    whole = mask.to_bytes(number * size, "little")
    return [int.from_bytes(whole[k : k + size], "little") for k in range(0, len(whole), size)]


def count(mask: int) -> int:
    """How many members a mask holds."""
    return mask.bit_count()
