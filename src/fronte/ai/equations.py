"""Linear equations, a handful at a time: what learning and ratings need, without asking for numpy."""

from __future__ import annotations


def solve(left: list[list[float]], right: list[float]) -> list[float]:
    """The solution of linear equations, by elimination with the largest pivot."""
    size = len(right)
    lines = [[*line, x] for line, x in zip(left, right, strict=True)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(lines[k][i]))
        lines[i], lines[pivot] = lines[pivot], lines[i]
        if not lines[i][i]:
            raise ValueError("too few games to tell the terms apart")
        for k in range(size):
            share = lines[k][i] / lines[i][i] if k != i else 0.0
            if share:
                lines[k] = [a - share * b for a, b in zip(lines[k], lines[i], strict=True)]
    return [lines[i][size] / lines[i][i] for i in range(size)]
