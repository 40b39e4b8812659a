"""The report of a study: who wins and by how much, what is lost, what the dice gave; variants compared.

What is here can be told of any game. A family's own report adds to it, or puts something else in its place.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from fronte.engine.text import in_language
from fronte.files import write_text
from fronte.study import compare, figures, history, maps, statistics
from fronte.study.asked import command
from fronte.study.family import part
from fronte.study.measures import Sample, read_samples
from fronte.study.page import Figure, figure_html, table_html, whole_page, write_figure
from fronte.study.plan import Plan
from fronte.study.statistics import Numbers
from fronte.study.throws import LOSS
from fronte.study.words import Words

PIECES_SHOWN = 12


def write_report(plan: Plan, folder: Path, language: str) -> Path:
    """Write the report of a finished study and its figures; where the report lies."""
    report: Report = part(plan.game, "report").REPORT(plan, folder, language)
    return report.write()


class Report:
    """The report of one study."""

    def __init__(self, plan: Plan, folder: Path, language: str) -> None:
        self.plan, self.folder = plan, folder
        self.samples: list[Any] = read_samples(plan, folder)
        """The variants, each as its family reads it."""
        self.words = Words(self.samples[0].rules, language)

    def write(self) -> Path:
        """Write the page and the figures; where the page lies."""
        many = len(self.samples) > 1
        shared = self.shared()
        compared = [self.compared(self.samples[0], other, k) for k, other in enumerate(self.samples[1:], 2)]
        own = [self.own(sample, f"-{k}" if many else "") for k, sample in enumerate(self.samples, 1)]
        for figure in (*shared, *(one for some in (*compared, *own) for one in some)):
            write_figure(figure, self.plan.game, self.folder / "figures")
        path = self.folder / "report.html"
        write_text(path, self._page(shared, compared, own))
        return path

    # The figures

    def shared(self) -> list[Figure]:
        """Figures that show all variants together."""
        words, samples = self.words, self.samples
        score, level = figures.score_chart(samples, words), figures.level_chart(samples, words)
        bands = figures.bands_in_words(samples[0], words)
        text = words("score_text_bands", bands=bands) if bands else words("score_text")
        return [
            Figure("score", words("score_title"), text, score),
            Figure("levels", words("level_title"), words("level_text"), level),
        ]

    def compared(self, first: Any, second: Any, number: int) -> list[Figure]:
        """Figures that compare a variant with the first."""
        words = self.words
        text = words("pair_text", first=first.variant.name, second=second.variant.name)
        chart = figures.pair_chart(first, second, words)
        return [Figure(f"difference-{number}", words("pair_title"), text, chart)]

    def own(self, sample: Any, mark: str) -> list[Figure]:
        """Figures of one variant."""
        words = self.words
        found = [self.lines(sample, f"track-{name}{mark}", some, "track", name) for name, some in sample.tracks.items()]
        lost = {side: sample.by_turn("lost", side) for side in sample.sides}
        found.append(self.lines(sample, f"losses{mark}", lost, "loss"))
        held = {side: sample.by_turn("hexes", side) for side in sample.sides}
        if not all(np.isnan(values).all() for values in held.values()):
            found.append(self.lines(sample, f"ground{mark}", held, "ground"))
        for side in sample.sides:
            fallen = sample.loss_map(side)
            if not fallen:
                continue
            label, title = (words(key, side=words.seat(side)) for key in ("loss_map_label", "loss_map_title"))
            drawn = maps.heat_map(sample, fallen, label, words)
            found.append(Figure(f"losses-{side}{mark}", title, words("loss_map_text"), drawn=drawn))
        if sample.dice:
            throws = maps.heat_map(sample, sample.throw_map(), words("throw_map_label"), words)
            found.append(Figure(f"throws{mark}", words("throw_map_title"), words("throw_map_text"), drawn=throws))
            text = words("luck_text", seat=words.seat(sample.scorer))
            found.append(Figure(f"luck{mark}", words("luck_title"), text, figures.luck_chart(sample, words)))
        return found

    def lines(self, sample: Sample, name: str, series: Mapping[str, Numbers], key: str, track: str = "") -> Figure:
        """A chart of all sides turn by turn."""
        words = self.words
        names = {side: words.seat(side) if side else "" for side in series}
        data = {"track": words.word("track", track)} if track else {}
        title = words.capital(words(f"{key}_title", **data))
        chart = figures.lines_chart(sample, series, names, words(f"{key}_axis", **data), title, words)
        return Figure(name, title, words(f"{key}_text", **data), chart)

    # What stands between the figures

    def findings(self, sample: Any) -> list[str]:
        """The answers in words."""
        words = self.words
        losses = [
            words("finding_losses", side=words.side(side), pieces=words.number(sample.lost("lost", side).mean(), 1))
            for side in sample.sides
        ]
        return [*self.results(sample), " ".join(losses), *self.luck(sample)]

    def tables(self, sample: Any) -> list[str]:
        """Tables below the figures of a variant."""
        found = [self._dice_table(sample)] if sample.dice else []
        return [*found, self.pieces_table(sample)]

    def history_table(self, fits: Sequence[history.Fit]) -> list[str]:
        """When places fell in history, and in how many games it is so; nothing where that is not told."""
        if not fits:
            return []
        return [
            self.titled("history", table_html(history.rows_of(fits, self.words), [*map(self.words, history.HEADING)]))
        ]

    def titled(self, key: str, table: str) -> str:
        """A table with its title and a sentence."""
        words = self.words
        return f"<h3>{escape(words(f'{key}_title'))}</h3><p>{escape(words(f'{key}_text'))}</p>{table}"

    # The page

    def _page(
        self, shared: Sequence[Figure], compared: Sequence[Sequence[Figure]], own: Sequence[Sequence[Figure]]
    ) -> str:
        words, samples, game = self.words, self.samples, self.plan.game
        many = len(samples) > 1
        title = self._title()
        parts = [f"<h1>{escape(title)}</h1>", self._contents(), self._played_with()]
        parts += [f'<h2 id="findings">{words("findings")}</h2>']
        for sample in samples:
            parts += [f"<h3>{escape(sample.variant.name)}</h3>"] if many else []
            told = "".join(f"<li>{escape(line)}</li>" for line in self.findings(sample))
            parts.append(f"<ul>{told}</ul>")
        parts += [figure_html(one, game) for one in shared]
        if many:
            parts.append(f'<h2 id="comparison">{words("comparison")}</h2>')
        for other, some in zip(samples[1:], compared, strict=True):
            parts += [self._comparison(samples[0], other), *(figure_html(one, game) for one in some)]
        for number, (sample, some) in enumerate(zip(samples, own, strict=True)):
            parts.append(f'<h2 id="variant-{number}">{escape(sample.variant.name)}</h2>' if many else "")
            parts += [figure_html(one, game) for one in some]
            parts += self.tables(sample)
        parts.append(f'<h2 id="files">{words("files")}</h2><p>{escape(words("files_text"))}</p>')
        parts.append(f"<p>{words('again')}: <code>{escape(shlex.join(command(self.plan.asked)))}</code></p>")
        return whole_page(title, words.language, game, parts)

    def _title(self) -> str:
        plan, samples, words = self.plan, self.samples, self.words
        name = in_language(samples[0].rules.pack.toml("pack.toml").get("title", plan.game), words.language)
        if len(samples) > 1:
            return words("heading_compared", title=name, variants=len(samples), games=plan.games)
        return words("heading", title=name, games=plan.games)

    def _contents(self) -> str:
        samples, words = self.samples, self.words
        places = [("findings", words("findings"))]
        if len(samples) > 1:
            places.append(("comparison", words("comparison")))
            places += [(f"variant-{number}", sample.variant.name) for number, sample in enumerate(samples)]
        places.append(("files", words("files")))
        return (
            "<nav><ul>" + "".join(f'<li><a href="#{to}">{escape(name)}</a></li>' for to, name in places) + "</ul></nav>"
        )

    def _played_with(self) -> str:
        plan, samples, words = self.plan, self.samples, self.words
        rows = [
            (words("game"), plan.game),
            (words("seeds"), f"{plan.games}, {plan.seed}"),
        ]
        for sample in samples:
            variant = sample.variant
            usual = {option.name: option.default for option in sample.rules.rulebook.options}
            changed = [
                f"{name}={value}" for name, value in sample.rules.header.options.items() if usual.get(name) != value
            ]
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
        return f"<h2>{words('played_with')}</h2>{table_html(rows)}"

    def results(self, sample: Any) -> list[str]:
        """The score, who wins, and how games end, in words."""
        words = self.words
        middle = statistics.median(sample.score)
        quarter, three = np.quantile(sample.score, (0.25, 0.75))
        level = sample.rules.level(round(middle.value))
        said = words(
            "finding_score_level" if level else "finding_score",
            median=words.number(middle.value, 1),
            seat=words.seat(sample.scorer),
            low=words.number(middle.low, 0),
            high=words.number(middle.high, 0),
            level=words.level(level) if level else "",
            quarter=words.number(quarter, 1),
            three_quarters=words.number(three, 1),
            least=words.number(sample.score.min(), 0),
            most=words.number(sample.score.max(), 0),
        )
        shares = []
        for seat in (*sample.seats, None):
            one = statistics.share(sample.winner.count(seat), sample.games)
            data = {"share": words.percent(one.value), "low": words.percent(one.low), "high": words.percent(one.high)}
            told = words("finding_wins", side=words.side(seat), **data) if seat else words("finding_draws", **data)
            shares.append(told)
        return [said, " ".join(shares), *self._endings(sample)]

    def luck(self, sample: Any) -> list[str]:
        """How much the dice decide, in words."""
        fitted = statistics.fit(sample.luck, sample.score)
        if fitted is None:
            return []
        ends = (("slope", 0), ("low", -fitted.half), ("high", fitted.half))
        slope = {name: self.words.number(fitted.slope + more, 2, sign=True) for name, more in ends}
        return [self.words("finding_luck", explained=self.words.percent(fitted.explained), **slope)]

    def _endings(self, sample: Sample) -> list[str]:
        """By which rules the games end, where there is more than one way."""
        ways = sorted(Counter(sample.ended_by).items(), key=lambda item: (-item[1], item[0]))
        words, told = self.words, []
        for rules, count in ways if len(ways) > 1 else ():
            turns = sample.last_turn[[rules == one for one in sample.ended_by]]
            share = words.percent(count / sample.games)
            told.append(words("finding_end", share=share, rules=rules, turn=words.number(float(np.median(turns)), 0)))
        return [" ".join(told)] if told else []

    def _comparison(self, first: Sample, second: Sample) -> str:
        words = self.words
        names = {"first": first.variant.name, "second": second.variant.name}
        lines = compare.compared(first, second, words)
        score = lines[0].difference
        estimate = {name: words.number(value, 1, sign=True) for name, value in score.mean._asdict().items()}
        estimate["mean"] = estimate.pop("value")
        differs = score.mean.low > 0 or score.mean.high < 0
        verdict = words(
            "verdict_differs" if differs else "verdict_open", **names, **estimate, p=words.number(score.p, 3)
        )
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
            f'<p class="verdict">{escape(verdict)} {escape(effort)}</p>{table_html(rows, heading, main=0)}'
            f'<p class="note">{escape(pairs)}</p>'
        )

    def _dice_table(self, sample: Sample) -> str:
        """What fell against what was expected, by kind of throw, by whom and to whom."""
        words = self.words
        rows = []
        for one in sample.dice:
            what = words.word("odds", one.what)
            name = f"{words.word('die', one.kind)}: {words('luck_loss') if what == LOSS else what}"
            by, to = (words.seat(side) if side else "" for side in (one.seat, one.force))
            rows.append(
                (words("luck_row", throw=name, by=by, to=to), *self.luck_cells(one.throws, one.fell, one.expected))
            )
        return self.luck_table(rows)

    def luck_cells(self, throws: int, fell: Numbers, expected: Numbers) -> tuple[str, ...]:
        """The numbers of a row of the table of luck."""
        words, gap = self.words, statistics.mean(fell - expected)
        return (
            str(throws),
            words.number(fell.mean(), 2),
            words.number(expected.mean(), 2),
            words.number(gap.value, 2, sign=True),
            f"{words.number(gap.low, 2, sign=True)} … {words.number(gap.high, 2, sign=True)}",
        )

    def luck_table(self, rows: Sequence[tuple[str, ...]]) -> str:
        """Rolled against expected."""
        words = self.words
        heading = ("", words("luck_throws"), words("luck_rolled"), words("luck_expected"))
        table = table_html(rows, (*heading, words("difference"), words("interval")))
        return f'<h3>{words("luck_table")}</h3>{table}<p class="note">{escape(words("luck_note"))}</p>'

    def pieces_table(self, sample: Any) -> str:
        """The pieces that are lost most often, side by side."""
        words, tables = self.words, []
        for side in sample.sides:
            lost = sample.pieces_lost(side)[:PIECES_SHOWN]
            rows = [(sample.piece_name(piece), words.number(often, 2)) for piece, often in lost]
            tables.append(table_html(rows, (f"{words('unit')}: {words.seat(side)}", words("per_game"))))
        text = f"<h3>{words('units_title')}</h3><p>{escape(words('units_text'))}</p>"
        return f'{text}<div class="two">{"".join(tables)}</div>'


REPORT = Report
