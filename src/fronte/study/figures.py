"""The charts of a report that every game can have: scores, levels, what goes on turn by turn, luck."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from fronte.study import statistics
from fronte.study.measures import Sample
from fronte.study.plot import (
    FAINT,
    GREY,
    INK,
    SEATS,
    VARIANTS,
    Chart,
    line,
    marker,
    mix,
    polygon,
    polyline,
    rect,
    text,
    ticks,
)
from fronte.study.statistics import Estimate, Numbers
from fronte.study.words import Words

WIDE = 860
LEGEND = 36
"""Names of at most so many letters stand beside each other in a legend."""
BESIDE = 15
"""So many letters fit beside a chart."""


def seat_colour(sample: Sample, seat: str | None) -> str:
    """The colour of a seat or a force; grey for a draw, and for what is nobody's."""
    among = sample.seats if seat in sample.seats else sample.sides
    return SEATS[among.index(seat) % len(SEATS)] if seat in among else GREY


# Scores and levels


def level_colour(sample: Sample, number: int) -> str:
    """The colour of a victory band: the winner's, the fainter the nearer to a draw."""
    middle = (len(sample.rules.setting.levels) - 1) / 2
    if number == middle:
        return "#bbbbbb"
    other = next(seat for seat in sample.seats if seat != sample.scorer)
    strength = abs(number - middle) / max(1.0, middle)
    return mix(("#ffffff", seat_colour(sample, sample.scorer if number > middle else other)), 0.35 + 0.45 * strength)


def score_chart(samples: Sequence[Sample], words: Words) -> str:
    """How the scores are spread, over the bands of the levels of victory; one panel for each variant."""
    low = min(float(sample.score.min()) for sample in samples)
    high = max(float(sample.score.max()) for sample in samples)
    limits = [most for _, most in samples[0].rules.setting.levels if most is not None]
    room = 0.1 * (max([high, *limits]) - min([low, *limits])) + 1
    low, high = (
        min([low, *(limit - room for limit in limits)]) - 1,
        max([high, *(limit + room for limit in limits)]) + 1,
    )
    bin_width = max(1, round((high - low) / 45))
    many = len(samples) > 1
    panel, head = 190, 64 if many else 46
    chart = Chart(WIDE, head + 26 + panel * len(samples))
    chart.x_range = (low - 0.5, high + 0.5)
    bottom = chart.bottom
    edges = np.arange(np.floor(low) - 0.5, high + 0.5 + bin_width, bin_width)
    for number, sample in enumerate(samples):
        chart.top = head + panel * number
        chart.bottom = chart.top + panel - 34
        _bands(chart, sample, words, names=number == 0)
        _histogram(chart, sample.score, edges, sample.games, words)
        middle = statistics.median(sample.score)
        _pointer(chart, middle, words("median_is", value=words.number(middle.value, 1)))
        if many:
            chart.add(text(chart.left, chart.top - 8, sample.variant.name, 12, bold=True))
    chart.bottom = bottom
    chart.bottom_axis(ticks(low, high, 12), words("score_axis", seat=words.seat(samples[0].scorer)))
    return chart.svg(words("score_title"))


def _bands(chart: Chart, sample: Sample, words: Words, names: bool) -> None:
    """The levels of victory as bands behind the bars, with their names above the first panel."""
    low, high = chart.x_range
    begin = low
    for number, (level, most) in enumerate(sample.rules.setting.levels):
        end = high if most is None else min(high, most + 0.5)
        if end > begin:
            left, right = chart.x(begin), chart.x(end)
            colour = level_colour(sample, number)
            chart.add(rect(left, chart.top, right - left, chart.bottom - chart.top, colour, 0.35, words.level(level)))
            if names:
                lines = _wrapped(words.level(level), int((right - left) / 6))
                fits = len(lines) <= 3 and max(map(len, lines)) * 5.6 <= right - left
                for row, part in enumerate(lines if fits else ()):
                    chart.add(text((left + right) / 2, 12 + 12 * row, part, 10.5, "middle", GREY))
        begin = max(begin, end)


def bands_in_words(sample: Sample, words: Words) -> str:
    """The levels of victory with their scores, from the lowest on."""
    told, least = [], None
    for level, most in sample.rules.setting.levels:
        if least is None:
            scores = words("scores_to", most=most)
        else:
            scores = words("scores_from", least=least) if most is None else words("scores", least=least, most=most)
        told.append(f"{words.level(level)} ({scores})")
        least = most + 1 if most is not None else None
    return ", ".join(told)


def _wrapped(words: str, width: int) -> list[str]:
    """Words in lines of at most so many characters."""
    lines: list[str] = []
    for word in words.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _histogram(chart: Chart, values: Numbers, edges: Numbers, games: int, words: Words) -> None:
    counts, _ = np.histogram(values, edges)
    chart.y_range = (0, max(1, float(counts.max())) * 1.3)
    chart.left_axis([mark for mark in ticks(0, chart.y_range[1], 4) if mark == int(mark)], words("games_axis"))
    for count, begin, end in zip(counts, edges, edges[1:], strict=False):
        if count:
            left, right, top = chart.x(begin), chart.x(end), chart.y(float(count))
            hint = words("games_of", count=count, games=games)
            chart.add(rect(left + 0.5, top, right - left - 1, chart.bottom - top, "#3d3d3d", 0.85, hint))


def _pointer(chart: Chart, value: Estimate, name: str) -> None:
    """A line down through a panel at an estimate, with its interval and name."""
    at = chart.top + 30
    chart.add(line(chart.x(value.value), chart.top + 22, chart.x(value.value), chart.bottom, INK, 2, "5 3"))
    chart.whisker(value.low, value.high, at, INK)
    end = chart.x(value.value) > chart.right - 150
    chart.add(text(chart.x(value.value) + (-6 if end else 6), at - 8, name, 12, "end" if end else "start", bold=True))


def level_chart(samples: Sequence[Sample], words: Words) -> str:
    """How often each level is reached and each side wins, with Wilson intervals."""
    first = samples[0]
    levels = list(dict.fromkeys(level for one in samples for level in one.levels))
    rows: list[tuple[str, list[Estimate]]] = []
    for level in reversed(levels):
        name = words.level(level)
        rows.append(
            (name[:1].upper() + name[1:], [statistics.share(one.level.count(level), one.games) for one in samples])
        )
    for seat in (first.scorer, None, *(seat for seat in first.seats if seat != first.scorer)):
        name = words("draw") if seat is None else words("wins", seat=words.seat(seat))
        rows.append((name, [statistics.share(one.winner.count(seat), one.games) for one in samples]))
    return interval_chart(rows, [one.variant.name for one in samples], words, words("level_title"), len(levels))


def interval_chart(
    rows: Sequence[tuple[str, Sequence[Estimate]]],
    names: Sequence[str],
    words: Words,
    title: str,
    rule_after: int = 0,
    differences: bool = False,
) -> str:
    """Shares, or differences of shares, as points with intervals; one row for each name, one mark for each variant."""
    each = max(26, 15 * len(names) + 8)
    across = 3 if max(map(len, names)) <= LEGEND else 1
    legend = 6 + 18 * math.ceil(len(names) / across) if len(names) > 1 else 0
    chart = Chart(WIDE, each * len(rows) + legend + 62, left=270, right=90, top=legend + 8)
    highest = max(abs(end) for _, estimates in rows for one in estimates for end in (one.low, one.high))
    reach = min(1.0, highest * 1.05 + 0.01)
    chart.x_range = (-reach, reach) if differences else (0, reach)
    marks = ticks(chart.x_range[0], chart.x_range[1], 8)
    for value in marks:
        chart.add(line(chart.x(value), chart.top, chart.x(value), chart.bottom, GREY if not value else FAINT))
    for k, name in enumerate(names if legend else ()):
        x, y = 40 + (WIDE - 60) / across * (k % across), 12 + 18 * (k // across)
        chart.add(marker(x, y, k, VARIANTS[k % len(VARIANTS)]), text(x + 10, y + 4, name, 11))
    for row, (name, estimates) in enumerate(rows):
        begin = chart.top + each * row
        if rule_after and row == rule_after:
            chart.add(line(20, begin, chart.right, begin, GREY, 1))
        chart.add(text(chart.left - 12, begin + each / 2 + 4, name, 12, "end"))
        for k, one in enumerate(estimates):
            at = begin + (k + 0.5) * each / len(estimates)
            colour = VARIANTS[k % len(VARIANTS)] if len(names) > 1 else INK
            chart.whisker(max(one.low, chart.x_range[0]), min(one.high, chart.x_range[1]), at, colour)
            chart.add(marker(chart.x(one.value), at, k, colour))
            said = words.number(100 * one.value, 0, sign=True) if differences else words.percent(one.value)
            chart.add(text(chart.right + 8, at + 4, said, 11, colour=colour))
    axis = words("points_axis") if differences else words("share_axis")
    chart.bottom_axis(marks, axis, [words.number(100 * value, 0) for value in marks])
    return chart.svg(title)


# Turn by turn


def fan_chart(sample: Sample, values: Numbers, label: str, title: str, words: Words, bands: bool = False) -> str:
    """A number turn by turn: the median, half of the games and nine in ten."""
    chart = Chart(WIDE, 330, left=64, right=110)
    turns = sample.turns
    low, high = float(values.min()), float(values.max())
    room = (high - low) * 0.05 + 0.5
    chart.x_range, chart.y_range = (turns[0] - 0.2, turns[-1] + 0.2), (low - room, high + room)
    if bands:
        _bands_across(chart, sample, words)
    chart.left_axis(ticks(*chart.y_range, 7), label)
    colour = seat_colour(sample, sample.scorer)
    quantiles = np.quantile(values, (0.05, 0.25, 0.5, 0.75, 0.95), axis=1)
    for upper, lower, opacity in ((4, 0, 0.2), (3, 1, 0.35)):
        there = [(chart.x(t), chart.y(float(v))) for t, v in zip(turns, quantiles[upper], strict=True)]
        back = [(chart.x(t), chart.y(float(v))) for t, v in zip(turns, quantiles[lower], strict=True)]
        chart.add(polygon([*there, *reversed(back)], colour, opacity))
    middle = [(chart.x(t), chart.y(float(v))) for t, v in zip(turns, quantiles[2], strict=True)]
    chart.add(polyline(middle, colour, 3))
    chart.add(*(marker(x, y, 0, colour, 4) for x, y in middle))
    ends = sorted((chart.y(float(quantiles[k][-1])), name) for k, name in ((4, "95 %"), (2, "50 %"), (0, "5 %")))
    at = -99.0
    for y, name in ends:
        at = max(at + 13, y + 4)
        chart.add(text(chart.right + 8, at, name, 11, colour=colour))
    chart.bottom_axis([float(turn) for turn in turns], words("turn_axis"))
    return chart.svg(title)


def _bands_across(chart: Chart, sample: Sample, words: Words) -> None:
    low, high = chart.y_range
    begin = low
    for number, (level, most) in enumerate(sample.rules.setting.levels):
        end = high if most is None else min(high, most + 0.5)
        if end > begin:
            top, bottom = chart.y(end), chart.y(begin)
            colour = level_colour(sample, number)
            chart.add(rect(chart.left, top, chart.right - chart.left, bottom - top, colour, 0.25, words.level(level)))
        begin = max(begin, end)


def lines_chart(
    sample: Sample, series: Mapping[str, Numbers], names: Mapping[str, str], label: str, title: str, words: Words
) -> str:
    """Numbers of several sides turn by turn, over the games that were still going on, with intervals of the mean."""
    chart = Chart(WIDE, 320, left=64, right=130)
    means: dict[str, dict[int, Estimate]] = {}
    for side, values in series.items():
        known = {turn: row[~np.isnan(row)] for turn, row in zip(sample.turns, values, strict=True)}
        means[side] = {turn: statistics.mean(row) for turn, row in known.items() if len(row)}
    every = [one for some in means.values() for one in some.values()]
    highest, lowest = max(one.high for one in every), min(0.0, *(one.low for one in every))
    chart.x_range, chart.y_range = (
        (sample.turns[0] - 0.4, sample.turns[-1] + 0.4),
        (lowest * 1.08, highest * 1.08 + 0.1),
    )
    chart.left_axis(ticks(*chart.y_range, 6), label)
    row = 0
    for k, (side, some) in enumerate(means.items()):
        colour, shift = seat_colour(sample, side), (k - (len(means) - 1) / 2) * 8
        points = [(chart.x(turn) + shift, chart.y(one.value)) for turn, one in some.items()]
        chart.add(polyline(points, colour, 2, "" if k == 0 else "6 3"))
        for (x, y), one in zip(points, some.values(), strict=True):
            chart.add(line(x, chart.y(one.low), x, chart.y(one.high), colour, 2))
            chart.add(marker(x, y, k, colour, 4.5, words.number(one.value, 2)))
        chart.add(marker(chart.right + 14, chart.top + 14 + 17 * row, k, colour))
        for part in _wrapped(names[side], BESIDE) or [""]:
            chart.add(text(chart.right + 24, chart.top + 18 + 17 * row, part, 12, colour=colour))
            row += 1
    going = [int((~np.isnan(row)).sum()) for row in next(iter(series.values()))]
    below = [f"{turn} ({count})" for turn, count in zip(sample.turns, going, strict=True)]
    chart.bottom_axis([float(turn) for turn in sample.turns], words("turn_games_axis"), below)
    return chart.svg(title)


# Luck


def luck_chart(sample: Sample, words: Words) -> str:
    """The score of each game against the luck of the side it counts for, and the line through them."""
    chart = Chart(WIDE, 380, left=64, right=24)
    reach = float(abs(sample.luck).max()) * 1.08 + 0.5
    low, high = float(sample.score.min()), float(sample.score.max())
    chart.x_range, chart.y_range = (-reach, reach), (low - 3, high + 3)
    _bands_across(chart, sample, words)
    chart.left_axis(ticks(*chart.y_range, 7), words("score_axis", seat=words.seat(sample.scorer)))
    chart.add(line(chart.x(0), chart.top, chart.x(0), chart.bottom, GREY, 1, "3 3"))
    radius = 4 if sample.games <= 300 else 2.5
    for game, (luck, score) in enumerate(zip(sample.luck, sample.score, strict=True)):
        hint = words("game_hint", game=game, score=words.number(score, 0), luck=words.number(luck, 1, sign=True))
        dot = f'<circle cx="{chart.x(luck):.1f}" cy="{chart.y(score):.1f}" r="{radius}" fill="#222222"'
        chart.add(f'{dot} fill-opacity="0.55"><title>{hint}</title></circle>')
    fitted = statistics.fit(sample.luck, sample.score)
    if fitted is not None:
        ends = [(x, fitted.start + fitted.slope * x) for x in (float(sample.luck.min()), float(sample.luck.max()))]
        chart.add(polyline([(chart.x(x), chart.y(y)) for x, y in ends], "#cc79a7", 3))
    chart.bottom_axis(ticks(-reach, reach, 9), words("luck_axis", seat=words.seat(sample.scorer)))
    return chart.svg(words("luck_title"))


# Comparison


def pair_chart(first: Sample, second: Sample, words: Words) -> str:
    """The differences of the score within pairs of the same seed, with the mean and its interval."""
    differences = second.score - first.score
    reach = float(abs(differences).max()) + 2
    chart = Chart(WIDE, 250)
    chart.x_range = (-reach, reach)
    width = max(1, round(2 * reach / 45))
    edges = np.arange(-width * (np.ceil(reach / width) + 0.5), reach + width, width)
    _histogram(chart, differences, edges, first.games, words)
    chart.add(line(chart.x(0), chart.top, chart.x(0), chart.bottom, GREY, 1))
    average = statistics.mean(differences)
    _pointer(chart, average, words("mean_is", value=words.number(average.value, 1, sign=True)))
    chart.bottom_axis(ticks(-reach, reach, 9), words("pair_axis", first=first.variant.name, second=second.variant.name))
    return chart.svg(words("pair_title"))
