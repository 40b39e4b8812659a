"""Small nets that judge positions: a line over signs of a position, and a layer of hidden units beside it.

They are worked out in plain Python: a few thousand products take a fraction of a millisecond, need no other package and
come out the same on every machine. How they are learnt is in `netfit`.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from pathlib import Path

import msgspec

from fronte.files import write_text


class Net(msgspec.Struct, frozen=True):
    """What a net holds. A hidden unit counts what its sum is above zero."""

    made: str
    """The command that made it."""
    names: tuple[str, ...]
    """The signs that it was learnt with, in their order."""
    start: float
    line: tuple[float, ...]
    """What each sign is worth by itself."""
    bias: tuple[float, ...] = ()
    hidden: tuple[tuple[float, ...], ...] = ()
    """For each hidden unit its weights of the signs."""
    out: tuple[float, ...] = ()
    """What each hidden unit is worth."""

    def __post_init__(self) -> None:
        sizes = {len(self.names), len(self.line), *map(len, self.hidden)}
        if len(sizes) != 1 or len({len(self.bias), len(self.hidden), len(self.out)}) != 1:
            raise ValueError("the parts of the net do not fit together")


def told(net: Net, signs: Sequence[float]) -> float:
    """What the net makes of a position."""
    total = sum(map(mul, net.line, signs), net.start)
    for weights, bias, out in zip(net.hidden, net.bias, net.out, strict=True):
        felt = sum(map(mul, weights, signs), bias)
        if felt > 0.0:
            total += out * felt
    return total


def read_net(file: Path) -> Net | None:
    """The net of a file; None if there is no such file, ValueError if it holds no net."""
    return msgspec.json.decode(file.read_bytes(), type=Net) if file.exists() else None


def net_fit_for(file: Path, names: tuple[str, ...]) -> Net | None:
    """The net of a file, if there is one and it was learnt over just these signs."""
    found = read_net(file)
    return found if found is not None and found.names == names else None


def write_net(file: Path, net: Net) -> None:
    """Keep a net, one field or hidden unit to the line."""
    rows = ",\n".join("  " + _text(row) for row in net.hidden)
    lines = [
        f' "made": {_text(net.made)},\n "names": {_text(net.names)},\n "start": {_text(net.start)},',
        f' "line": {_text(net.line)},\n "bias": {_text(net.bias)},\n "out": {_text(net.out)},',
        f' "hidden": [\n{rows}\n ]',
    ]
    write_text(file, "{\n" + "\n".join(lines) + "\n}\n")


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()
