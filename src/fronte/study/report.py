"""The report of a study: one HTML file that needs nothing else, and its figures as files."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fronte.draw.board import board_png
from fronte.files import write_bytes, write_text
from fronte.study import compare, figures, maps, statistics
from fronte.study.asked import command
from fronte.study.measures import Sample, read_samples
from fronte.study.plan import Plan
from fronte.study.words import Words

CHART_WIDTH, MAP_WIDTH = 1400, 1000
"""Of the PNG files, in pixels."""
UNITS_SHOWN = 12
STYLE = """
body{font:16px/1.55 'DejaVu Sans','Segoe UI',Arial,sans-serif;color:#222;background:#fff;max-width:60rem;
margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;line-height:1.25}h2{margin-top:2.6rem;border-bottom:2px solid #222;padding-bottom:.2rem}
h3{margin-top:2rem}figure{margin:1rem 0;overflow-x:auto}figcaption,.note{color:#444;font-size:.92rem}
svg{max-width:100%;height:auto;display:block}.board{background-size:100% auto;background-repeat:no-repeat}
table{border-collapse:collapse;margin:1rem 0;font-size:.92rem}th,td{padding:.25rem .8rem .25rem 0;text-align:left;
border-bottom:1px solid #ddd;vertical-align:top}td.n,th.n{text-align:right;white-space:nowrap}
tr.main td{font-weight:bold}.two{display:flex;flex-wrap:wrap;gap:0 3rem}nav ul{columns:2}code{background:#f2f2f2;
padding:.1rem .3rem;overflow-wrap:anywhere}.verdict{font-size:1.08rem;border-left:5px solid #222;padding-left:1rem}
"""


class Figure(NamedTuple):
    """A figure: the name of its files, and its picture; for a map what is drawn on the board."""

    name: str
    title: str
    text: str
    svg: str = ""
    drawn: str = ""


def write_report(plan: Plan, folder: Path, language: str) -> Path:
    """Write the report of a finished study and its figures; where the report lies."""
    samples = read_samples(plan, folder)
    words = Words(samples[0].rules, language)
    shared = _shared(samples, words)
    compared = [_compared(samples[0], other, k, words) for k, other in enumerate(samples[1:], 2)]
    own = [_own(sample, f"-{k}" if len(samples) > 1 else "", words) for k, sample in enumerate(samples, 1)]
    for figure in (*shared, *(one for some in (*compared, *own) for one in some)):
        _write_figure(figure, plan.game, folder / "figures")
    page = _page(plan, samples, words, shared, compared, own)
    path = folder / "report.html"
    write_text(path, page)
    return path


def _write_figure(figure: Figure, game: str, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    svg = figure.svg or maps.map_picture(game, figure.title, figure.drawn)
    write_text(folder / f"{figure.name}.svg", svg)
    width = CHART_WIDTH
    if figure.drawn:
        width = MAP_WIDTH
        svg = maps.map_picture(game, figure.title, figure.drawn, width)
    write_bytes(folder / f"{figure.name}.png", board_png(svg, width))


# The figures


def _shared(samples: Sequence[Sample], words: Words) -> list[Figure]:
    """Figures that show all variants together."""
    score, level = figures.score_chart(samples, words), figures.level_chart(samples, words)
    bands = figures.bands_in_words(samples[0], words)
    return [
        Figure("score", words("score_title"), words("score_text", bands=bands), score),
        Figure("levels", words("level_title"), words("level_text"), level),
    ]


def _compared(first: Sample, second: Sample, number: int, words: Words) -> list[Figure]:
    """Figures that compare a variant with the first."""
    names = {"first": first.variant.name, "second": second.variant.name}
    found = [
        Figure(
            f"difference-{number}",
            words("pair_title"),
            words("pair_text", **names),
            figures.pair_chart(first, second, words),
        )
    ]
    changes = compare.objective_differences(first, second)
    labels = {
        one.hex: words("objective", name=one.name or one.hex, hex=one.hex, worth=one.worth) for one in first.objectives
    }
    rows = [(labels[name], [changes[name]]) for name in labels if name in changes and any(changes[name])]
    if rows:
        title = words("objective_difference_title")
        chart = figures.interval_chart(rows, [second.variant.name], words, title, differences=True)
        text = words("objective_difference_text", first=first.variant.name)
        found.append(Figure(f"objectives-difference-{number}", title, text, chart))
    return found


def _own(sample: Sample, mark: str, words: Words) -> list[Figure]:
    """Figures of one variant."""
    seat = words.seat(sample.scorer)

    def chart(name: str, svg: str, title: str, text: str) -> Figure:
        return Figure(name + mark, title, text, svg)

    def on_board(name: str, drawn: str, title: str, text: str) -> Figure:
        return Figure(name + mark, title, text, drawn=drawn)

    course, ground = words("course_title"), words("ground_title")
    score = figures.fan_chart(
        sample, sample.stayed("score", sample.scorer), words("score_axis", seat=seat), course, words, bands=True
    )
    hexes = figures.fan_chart(
        sample, sample.stayed("hexes", sample.scorer), words("ground_axis", seat=seat), ground, words
    )
    combats = maps.heat_map(sample, sample.combat_map(), words("combat_label"), words)
    found = [
        chart("course", score, course, words("course_text")),
        chart("objectives", figures.objective_chart(sample, words), words("objective_title"), words("objective_text")),
        on_board("front", maps.front_map(sample, words), words("front_title"), words("front_text")),
        chart("ground", hexes, ground, words("ground_text", seat=seat)),
        on_board("combats", combats, words("combat_title"), words("combat_text")),
        chart("losses", figures.loss_chart(sample, words), words("loss_title"), words("loss_text")),
    ]
    for one in sample.seats:
        label = words("loss_map_label", seat=words.seat(one))
        title = words("loss_map_title", seat=words.seat(one))
        drawn = maps.heat_map(sample, sample.loss_map(one), label, words)
        found.append(on_board(f"losses-{one}", drawn, title, words("loss_map_text")))
    found.append(chart("luck", figures.luck_chart(sample, words), words("luck_title"), words("luck_text", seat=seat)))
    return found


# The page


def _page(
    plan: Plan,
    samples: Sequence[Sample],
    words: Words,
    shared: Sequence[Figure],
    compared: Sequence[Sequence[Figure]],
    own: Sequence[Sequence[Figure]],
) -> str:
    many = len(samples) > 1
    title = _title(plan, samples, words)
    parts = [f"<h1>{escape(title)}</h1>", _contents(samples, words), _played_with(plan, samples, words)]
    parts += [f'<h2 id="findings">{words("findings")}</h2>']
    for sample in samples:
        parts += [f"<h3>{escape(sample.variant.name)}</h3>"] if many else []
        parts.append(_findings(sample, words))
    parts += [_figure(one, plan.game) for one in shared]
    if many:
        parts.append(f'<h2 id="comparison">{words("comparison")}</h2>')
    for other, some in zip(samples[1:], compared, strict=True):
        parts += [_comparison(samples[0], other, words), *(_figure(one, plan.game) for one in some)]
    for number, (sample, some) in enumerate(zip(samples, own, strict=True)):
        parts.append(f'<h2 id="variant-{number}">{escape(sample.variant.name)}</h2>' if many else "")
        parts += [_figure(one, plan.game) for one in some]
        parts += [_luck_table(sample, words), _unit_tables(sample, words)]
    parts.append(f'<h2 id="files">{words("files")}</h2><p>{escape(words("files_text"))}</p>')
    parts.append(f"<p>{words('again')}: <code>{escape(shlex.join(command(plan.asked)))}</code></p>")
    board = f".board{{background-image:url('{maps.board_data(plan.game)}')}}"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    page = f'<!doctype html><html lang="{words.language}"><head>{head}<style>{STYLE}{board}</style></head><body>'
    return page + "\n".join(parts) + "</body></html>\n"


def _title(plan: Plan, samples: Sequence[Sample], words: Words) -> str:
    name = samples[0].rules.pack.toml("pack.toml").get("title", plan.game)
    if len(samples) > 1:
        return words("heading_compared", title=name, variants=len(samples), games=plan.games)
    return words("heading", title=name, games=plan.games)


def _contents(samples: Sequence[Sample], words: Words) -> str:
    places = [("findings", words("findings"))]
    if len(samples) > 1:
        places.append(("comparison", words("comparison")))
        places += [(f"variant-{number}", sample.variant.name) for number, sample in enumerate(samples)]
    places.append(("files", words("files")))
    return "<nav><ul>" + "".join(f'<li><a href="#{to}">{escape(name)}</a></li>' for to, name in places) + "</ul></nav>"


def _figure(figure: Figure, game: str) -> str:
    """A figure in the page. Maps share one board, which is the background of all."""
    caption = f"<h3>{escape(figure.title)}</h3><p>{escape(figure.text)}</p>"
    if not figure.drawn:
        return f'{caption}<figure id="{figure.name}">{_inline(figure.svg)}</figure>'
    width, height = maps.size_of(game)
    box = f'viewBox="0 0 {width} {height + maps.LEGEND}" role="img" font-family="sans-serif"'
    inside = f"<svg {box}><title>{escape(figure.title)}</title>{figure.drawn}</svg>"
    return f'{caption}<figure id="{figure.name}"><div class="board">{inside}</div></figure>'


def _inline(svg: str) -> str:
    return svg.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)


def _table(rows: Iterable[Sequence[str]], heading: Sequence[str] = (), main: int = -1) -> str:
    """A table; all columns but the first hold numbers if it has a heading."""
    kind = ' class="n"' if heading else ""
    parts = ["<table>"]
    if heading:
        cells = "".join(f"<th{kind if k else ''}>{escape(cell)}</th>" for k, cell in enumerate(heading))
        parts.append(f"<tr>{cells}</tr>")
    for number, row in enumerate(rows):
        cells = "".join(f"<td{kind if k else ''}>{escape(cell)}</td>" for k, cell in enumerate(row))
        begin = '<tr class="main">' if number == main else "<tr>"
        parts.append(f"{begin}{cells}</tr>")
    return "".join(parts) + "</table>"


def _played_with(plan: Plan, samples: Sequence[Sample], words: Words) -> str:
    rows = [
        (words("game"), plan.game),
        (words("seeds"), f"{plan.games}, {plan.seed}"),
    ]
    for sample in samples:
        variant = sample.variant
        usual = {option.name: option.default for option in sample.rules.rulebook.options}
        changed = [f"{name}={value}" for name, value in sample.rules.header.options.items() if usual[name] != value]
        if len(samples) > 1:
            rows.append((words("variant"), variant.name))
        seats = [f"{words.seat(seat)} {name}" for seat, name in zip(sample.seats, variant.players, strict=True)]
        rows += [
            (words("scenario"), f"{words.texts.word('scenario', variant.scenario)} ({variant.scenario})"),
            (words("players"), ", ".join(seats)),
            (words("options"), ", ".join(changed) or words("none")),
            (words("data"), words("data_is", pack=variant.pack, rules=variant.rules, fronte=plan.fronte)),
        ]
        if variant.files:
            rows.append((words("changed"), ", ".join(sorted(variant.files))))
    return f"<h2>{words('played_with')}</h2>{_table(rows)}"


def _findings(sample: Sample, words: Words) -> str:
    """The answers in words."""
    middle = statistics.median(sample.score)
    quarter, three = np.quantile(sample.score, (0.25, 0.75))
    said = words(
        "finding_score",
        median=words.number(middle.value, 1),
        seat=words.seat(sample.scorer),
        low=words.number(middle.low, 0),
        high=words.number(middle.high, 0),
        level=words.level(sample.rules.level(round(middle.value))),
        quarter=words.number(quarter, 1),
        three_quarters=words.number(three, 1),
        least=words.number(sample.score.min(), 0),
        most=words.number(sample.score.max(), 0),
    )
    shares = []
    for seat in (*sample.seats, None):
        one = statistics.share(sample.winner.count(seat), sample.games)
        data = {"share": words.percent(one.value), "low": words.percent(one.low), "high": words.percent(one.high)}
        shares.append(words("finding_wins", side=words.side(seat), **data) if seat else words("finding_draws", **data))
    losses = [
        words(
            "finding_losses",
            side=words.side(seat),
            steps=words.number(sample.lost("steps_lost", seat).mean(), 1),
            units=words.number(sample.lost("units_lost", seat).mean(), 1),
        )
        for seat in sample.seats
    ]
    lines = [said, " ".join(shares), *_endings(sample, words), " ".join(losses)]
    fitted = statistics.fit(sample.luck, sample.score)
    if fitted is not None:
        ends = (("slope", 0), ("low", -fitted.half), ("high", fitted.half))
        slope = {name: words.number(fitted.slope + more, 2, sign=True) for name, more in ends}
        lines.append(words("finding_luck", explained=words.percent(fitted.explained), **slope))
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _endings(sample: Sample, words: Words) -> list[str]:
    """By which rules the games end, where there is more than one way."""
    ways = sorted(Counter(sample.ended_by).items(), key=lambda item: (-item[1], item[0]))
    told = []
    for rules, count in ways if len(ways) > 1 else ():
        turns = sample.last_turn[[rules == one for one in sample.ended_by]]
        share = words.percent(count / sample.games)
        told.append(words("finding_end", share=share, rules=rules, turn=words.number(float(np.median(turns)), 0)))
    return [" ".join(told)] if told else []


def _comparison(first: Sample, second: Sample, words: Words) -> str:
    names = {"first": first.variant.name, "second": second.variant.name}
    lines = compare.compared(first, second, words)
    score = lines[0].difference
    estimate = {name: words.number(value, 1, sign=True) for name, value in score.mean._asdict().items()}
    estimate["mean"] = estimate.pop("value")
    differs = score.mean.low > 0 or score.mean.high < 0
    verdict = words("verdict_differs" if differs else "verdict_open", **names, **estimate, p=words.number(score.p, 3))
    half = words.number((score.mean.high - score.mean.low) / 2, 1)
    effort = words("verdict_effort", half=half, games=compare.games_needed(first, second))
    rows = []
    for line in lines:
        scale, digits = (100, 0) if line.is_share else (1, 1)
        unit = " %" if line.is_share else ""
        mean = line.difference.mean
        rows.append(
            (
                line.name,
                words.number(scale * line.first, digits) + unit,
                words.number(scale * line.second, digits) + unit,
                words.number(scale * mean.value, digits, sign=True),
                f"{words.number(scale * mean.low, digits, True)} … {words.number(scale * mean.high, digits, True)}",
                words.number(line.difference.p, 3),
            )
        )
    heading = (words("measure"), names["first"], names["second"], words("difference"), words("interval"), "p")
    pairs = words("verdict_pairs", correlation=words.number(score.correlation, 2), draws=statistics.DRAWS)
    return (
        f"<h3>{escape(words('compared_with', **names))}</h3>"
        f'<p class="verdict">{escape(verdict)} {escape(effort)}</p>{_table(rows, heading, main=0)}'
        f'<p class="note">{escape(pairs)}</p>'
    )


def _luck_table(sample: Sample, words: Words) -> str:
    """Rolled against expected, by who attacks and who loses."""
    rows = []
    for seat in sample.seats:
        for side, name in (("attack", "luck_attacker"), ("defence", "luck_defender")):
            count, rolled, due = sample.dice(seat, side)
            gap = statistics.mean(rolled - due)
            rows.append(
                (
                    f"{words('luck_attacks', seat=words.seat(seat))}: {words(name)}",
                    str(count),
                    words.number(rolled.mean(), 2),
                    words.number(due.mean(), 2),
                    words.number(gap.value, 2, sign=True),
                    f"{words.number(gap.low, 2, sign=True)} … {words.number(gap.high, 2, sign=True)}",
                )
            )
    heading = ("", words("luck_throws"), words("luck_rolled"), words("luck_expected"))
    table = _table(rows, (*heading, words("difference"), words("interval")))
    return f'<h3>{words("luck_table")}</h3>{table}<p class="note">{escape(words("luck_note"))}</p>'


def _unit_tables(sample: Sample, words: Words) -> str:
    """The units that are lost most often, side by side."""
    tables = []
    for seat in sample.seats:
        lost = sample.units_lost(seat)[:UNITS_SHOWN]
        rows = [(f"{sample_name(sample, unit)} ({unit})", words.number(often, 2)) for unit, often in lost]
        tables.append(_table(rows, (f"{words('unit')}: {words.seat(seat)}", words("per_game"))))
    text = f"<h3>{words('units_title')}</h3><p>{escape(words('units_text'))}</p>"
    return f'{text}<div class="two">{"".join(tables)}</div>'


def sample_name(sample: Sample, unit: str) -> str:
    """The printed name of a unit."""
    name: str = sample.rules.counters[sample.rules.number[unit]].name
    return name
