"""How a net is learnt from games: by temporal differences, TD(lambda), with numpy, or with torch where it is installed.

The value of each position is fitted to what the positions after it in the same game were worth, the nearer the more,
and in the end to the score. What they were worth is told by what was learnt the round before, in the first by a line
alone. Several nets are learnt beside each other from different beginnings, and the mean of them is one net with all
their hidden units, which is steadier than any.

Who played is told beside the signs and left out of the net afterwards: else good play is taken for a good position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from fronte.ai.nets import Net


class Games(NamedTuple):
    """Positions of many games, one after the other."""

    signs: Any
    """A row for each position."""
    players: Any
    """A row for each position that tells who played."""
    lengths: Sequence[int]
    """How many positions each game has."""
    scores: Any
    """The score of each game in the end."""


class How(msgspec.Struct, frozen=True):
    """How to learn."""

    nets: int = 4
    hidden: int = 8
    """Of each net; none of them makes a line."""
    rounds: int = 2
    epochs: int = 20
    trace: float = 0.9
    rate: float = 0.003
    decay: float = 0.02
    """How strongly hidden units are kept small."""
    ridge: float = 0.001
    """How strongly the line is kept small."""
    batch: int = 1024


def library() -> Any:
    """Torch, if it is installed."""
    try:
        import torch
    except ImportError:
        return None
    return torch


def fit(games: Games, names: Sequence[str], how: How, made: str = "", seed: int = 0) -> Net:
    """The net that fits these games."""
    x = np.asarray(games.signs, dtype=np.float64)
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale = np.where(scale > 1e-9, scale, np.inf)  # a sign that never changes counts nothing
    inputs = (x - mean) / scale
    whole = np.hstack([inputs, games.players])
    ends = np.cumsum(games.lengths)
    line = _line(whole, np.repeat(games.scores, games.lengths), how.ridge)
    values = whole @ line[1:] + line[0]
    mixed: list[Any] = []
    for number in range(how.rounds):
        targets = returns(values, ends, games.scores, how.trace)
        line = _line(whole, targets, how.ridge)
        straight = whole @ line[1:] + line[0]
        if not how.hidden:
            values = straight
            continue
        mixed, bent = _hidden(inputs, targets - straight, how, seed + number)
        # the line is found again beside the hidden units, for what they leave
        line = _line(whole, targets - bent, how.ridge)
        values = whole @ line[1:] + line[0] + bent
    return _folded(mixed, line, mean, scale, tuple(names), made)


def returns(values: Any, ends: Any, scores: Any, trace: float) -> Any:
    """For each position what those after it were worth, and the score after the last."""
    found = np.empty(len(values))
    begin = 0
    for end, score in zip(ends, scores, strict=True):
        after = score
        for k in range(end - 1, begin - 1, -1):
            found[k] = after
            after = (1 - trace) * values[k] + trace * after
        begin = end
    return found


def _line(x: Any, y: Any, ridge: float) -> Any:
    """A constant and the weights of a line, by least squares."""
    wide = np.hstack([np.ones((len(x), 1)), x])
    left = wide.T @ wide
    left[np.diag_indices_from(left)] += ridge * len(x)
    left[0, 0] -= ridge * len(x)
    return np.linalg.solve(left, wide.T @ y)


def _hidden(x: Any, y: Any, how: How, seed: int) -> tuple[list[Any], Any]:
    """The hidden layers of all nets for what the line leaves, learnt by Adam, and what they make of each position.

    Numpy and torch understand the same words here; only where arrays are made and kept they differ.
    """
    torch = library()
    rng = np.random.default_rng(seed)
    spread = float(y.std()) or 1.0
    size = x.shape[1]
    weights: list[Any] = [
        rng.normal(0, size**-0.5, (how.nets, size, how.hidden)),
        np.zeros((how.nets, 1, how.hidden)),
        rng.normal(0, 0.1 * how.hidden**-0.5, (how.nets, how.hidden, 1)),
        np.zeros((how.nets, 1, 1)),
    ]

    def kept(array: Any) -> Any:
        array = np.asarray(array, dtype=np.float32)
        if torch is None:
            return array
        return torch.as_tensor(array, device="cuda" if torch.cuda.is_available() else "cpu")

    signs, wanted, weights = kept(x), kept(y / spread), [kept(w) for w in weights]
    first, second = [0 * w for w in weights], [0 * w for w in weights]
    steps, total = 0, how.epochs * (len(x) // min(how.batch, len(x)))
    batch = min(how.batch, len(x))
    for _ in range(how.epochs):
        order = rng.permutation(len(x))
        if torch is not None:
            order = torch.as_tensor(order, device=signs.device)
        for begin in range(0, len(x) - batch + 1, batch):
            picked = order[begin : begin + batch]
            here, there = signs[picked], wanted[picked]
            w, b, v, c = weights
            felt = here @ w + b
            on = felt > 0
            felt = felt * on
            miss = (felt @ v + c)[..., 0] - there
            back = (2.0 / batch) * miss[..., None]
            through = (back @ v.swapaxes(1, 2)) * on
            slopes = [
                here.swapaxes(0, 1) @ through,
                through.sum(1)[:, None],
                felt.swapaxes(1, 2) @ back,
                back.sum(1)[:, None],
            ]
            steps += 1
            rate = how.rate * (1 - steps / (total + 1))
            for k, slope in enumerate(slopes):
                first[k] = 0.9 * first[k] + 0.1 * slope
                second[k] = 0.999 * second[k] + 0.001 * slope * slope
                step = first[k] / (1 - 0.9**steps) / ((second[k] / (1 - 0.999**steps)) ** 0.5 + 1e-8)
                weights[k] = weights[k] - rate * (step + (how.decay * weights[k] if k in (0, 2) else 0.0))
    found = [np.asarray(w if torch is None else w.cpu().numpy(), dtype=np.float64) for w in weights]
    w, b, v, c = found
    found[2], found[3] = v * spread / how.nets, c * spread / how.nets
    told = sum((np.clip(x @ w[k] + b[k], 0, None) @ found[2][k] + found[3][k])[:, 0] for k in range(how.nets))
    return found, told


def _folded(mixed: list[Any], line: Any, mean: Any, scale: Any, names: tuple[str, ...], made: str) -> Net:
    """One net over the signs as they are, for players who are all like the first that was told of."""
    own = line[1 : 1 + len(mean)] / scale
    start = line[0] - own @ mean
    bias, rows, out = [], [], []
    if mixed:
        w, b, v, c = mixed
        start += c.sum()
        for k in range(len(w)):
            weights = w[k].T / scale
            rows += weights.tolist()
            bias += (b[k][0] - weights @ mean).tolist()
            out += v[k][:, 0].tolist()
    return Net(
        made, names, _short(start), _shorts(own), _shorts(bias), tuple(_shorts(row) for row in rows), _shorts(out)
    )


def _short(x: float) -> float:
    """Six digits are enough."""
    return float(f"{x:.6g}")


def _shorts(row: Any) -> tuple[float, ...]:
    return tuple(_short(x) for x in row)


def tell(net: Net, signs: Any) -> Any:
    """What a net makes of many positions."""
    x = np.asarray(signs, dtype=np.float64)
    found = x @ np.array(net.line) + net.start
    if net.hidden:
        found += np.clip(x @ np.array(net.hidden).T + np.array(net.bias), 0, None) @ np.array(net.out)
    return found


def explained(games: Games, values: Any) -> float:
    """The share of the variance of final scores that the values of all positions explain, who plays allowed for."""
    scores = np.repeat(games.scores, games.lengths)
    who = np.hstack([np.ones((len(scores), 1)), games.players])
    left = scores - values
    left = left - who @ np.linalg.lstsq(who, left, rcond=None)[0]
    return float(1 - (left**2).sum() / ((scores - scores.mean()) ** 2).sum())


def foretold(fitted: Games, held: Games, fitted_values: Any, held_values: Any) -> float:
    """What values tell of the end beyond what was known a turn before: whether they tell good turns from bad ones.

    It is the correlation of the score in the end and the value after a turn, both less what a line over all signs
    before the turn makes of them. The line is fitted to the one half of the games, the rest is reckoned in the other.
    """
    (before, ends, after), (new, new_ends, new_after) = _steps(fitted, fitted_values), _steps(held, held_values)
    mean, scale = before.mean(axis=0), before.std(axis=0)
    scale = np.where(scale > 1e-9, scale, np.inf)
    before, new = (before - mean) / scale, (new - mean) / scale
    left = []
    for known, then in ((ends, new_ends), (after, new_after)):
        line = _line(before, known, How().ridge)
        left.append(then - new @ line[1:] - line[0])
    return float(np.corrcoef(*left)[0, 1])


def _steps(games: Games, values: Any) -> tuple[Any, Any, Any]:
    """For each turn but the last of a game: what is known before it, the score in the end, and the value after it."""
    ends = np.cumsum(games.lengths)
    first = np.setdiff1d(np.arange(ends[-1]), ends - 1)
    known = np.hstack([games.signs, games.players])[first]
    return known, np.repeat(games.scores, games.lengths)[first], np.asarray(values)[first + 1]
