"""The statistics of reports, against numbers worked out otherwise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fronte.study import statistics


def test_wilson_intervals() -> None:
    assert statistics.share(50, 100) == pytest.approx((0.5, 0.4038, 0.5962), abs=1e-4)
    assert statistics.share(0, 10) == pytest.approx((0.0, 0.0, 0.2775), abs=1e-4)
    assert statistics.share(10, 10) == pytest.approx((1.0, 0.7225, 1.0), abs=1e-4)


def test_the_bootstrap_agrees_with_theory() -> None:
    values = np.random.default_rng(5).normal(3, 2, 400)
    found = statistics.mean(values)
    half = 1.96 * values.std() / math.sqrt(400)
    assert found == pytest.approx((values.mean(), values.mean() - half, values.mean() + half), abs=0.02)
    many = np.random.default_rng(5).normal(3, 2, 5000)
    assert statistics.mean(many).low == pytest.approx(many.mean() - 1.96 * many.std() / math.sqrt(5000), abs=1e-3)


def test_intervals_hold_what_they_should() -> None:
    rng = np.random.default_rng(8)
    held = {"mean": 0, "median": 0}
    for _ in range(100):
        values = rng.normal(0, 1, 40)
        for name, found in (("mean", statistics.mean(values)), ("median", statistics.median(values))):
            held[name] += found.low <= 0 <= found.high
    assert 88 <= held["mean"] <= 99
    assert 90 <= held["median"] <= 100


def test_the_sign_flip_test() -> None:
    """All ten the same way: of the 1,024 ways to flip signs two are as extreme."""
    assert statistics.sign_flip(np.ones(10)) == pytest.approx(2 / 1024, abs=1.5e-3)
    assert statistics.sign_flip(np.zeros(10)) == 1.0
    assert statistics.sign_flip(np.array([1.0, -1.0] * 8)) == 1.0
    rng = np.random.default_rng(2)
    small = [statistics.sign_flip(rng.normal(0, 1, 25)) < 0.05 for _ in range(100)]
    assert 1 <= sum(small) <= 12


def test_pairs_and_lines() -> None:
    first = np.array([1.0, 4.0, 2.0, 8.0])
    same = statistics.difference(first, first + 2)
    assert same.mean == (2.0, 2.0, 2.0)
    assert same.correlation == pytest.approx(1.0)
    line = statistics.fit(first, 3 * first - 1)
    assert line is not None
    assert line == pytest.approx((3.0, -1.0, 1.0, 0.0), abs=1e-6)
    noisy = statistics.fit(np.arange(5.0), np.array([0.0, 2.0, 1.0, 3.0, 4.0]))
    assert noisy is not None
    assert noisy == pytest.approx((0.9, 0.2, 0.81, 1.96 * 0.2517), abs=1e-3)
    assert statistics.fit(first, np.zeros(4)) is None
