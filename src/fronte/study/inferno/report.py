"""The report of an Inferno game: what is told of any game, and its ground, objectives, combats and steps."""

from __future__ import annotations

from typing import Any

from fronte.study import figures, maps, report
from fronte.study.front import front_map
from fronte.study.history import finding
from fronte.study.inferno.measures import Sample, objective_differences
from fronte.study.objectives import label_of, objective_chart
from fronte.study.page import Figure


class Report(report.Report):
    """The report of one study of an Inferno game."""

    def compared(self, first: Any, second: Any, number: int) -> list[Figure]:
        words = self.words
        found = super().compared(first, second, number)
        changes = objective_differences(first, second)
        labels = {one.hex: label_of(one, words) for one in first.objectives}
        rows = [(labels[name], [changes[name]]) for name in labels if name in changes and any(changes[name])]
        if rows:
            title = words("objective_difference_title")
            chart = figures.interval_chart(rows, [second.variant.name], words, title, differences=True)
            text = words("objective_difference_text", first=first.variant.name)
            found.append(Figure(f"objectives-difference-{number}", title, text, chart))
        return found

    def own(self, sample: Any, mark: str) -> list[Figure]:
        words = self.words
        seat = words.seat(sample.scorer)

        def chart(name: str, svg: str, title: str, text: str) -> Figure:
            return Figure(name + mark, title, text, svg)

        def on_board(name: str, drawn: str, title: str, text: str) -> Figure:
            return Figure(name + mark, title, text, drawn=drawn)

        course, ground, losses = words("course_title"), words("ground_title"), words("loss_title")
        score = figures.fan_chart(
            sample, sample.stayed("score", sample.scorer), words("score_axis", seat=seat), course, words, bands=True
        )
        hexes = figures.fan_chart(
            sample, sample.stayed("hexes", sample.scorer), words("ground_axis", seat=seat), ground, words
        )
        steps = {one: sample.by_turn("steps_lost", one) for one in sample.seats}
        names = {one: words.seat(one) for one in sample.seats}
        lost = figures.lines_chart(sample, steps, names, words("steps_axis"), losses, words)
        combats = maps.heat_map(sample, sample.combat_map(), words("combat_label"), words)
        objectives = objective_chart(sample.objectives, sample.turns, words, sample.dates)
        found = [
            chart("course", score, course, words("course_text")),
            chart(
                "objectives",
                objectives,
                words("objective_title"),
                words("place_text" if sample.dates else "objective_text"),
            ),
            on_board("front", front_map(sample, words), words("front_title"), words("front_text")),
            chart("ground", hexes, ground, words("ground_text", seat=seat)),
            on_board("combats", combats, words("combat_title"), words("combat_text")),
            chart("losses", lost, losses, words("loss_text")),
        ]
        for one in sample.seats:
            label, title = (words(key, side=words.seat(one)) for key in ("loss_map_label", "loss_map_title"))
            drawn = maps.heat_map(sample, sample.loss_map(one), label, words)
            found.append(on_board(f"losses-{one}", drawn, title, words("loss_map_text")))
        luck = figures.luck_chart(sample, words)
        return [*found, chart("luck", luck, words("luck_title"), words("luck_text", seat=seat))]

    def findings(self, sample: Any) -> list[str]:
        words = self.words
        losses = [
            words(
                "finding_losses",
                side=words.side(seat),
                steps=words.number(sample.lost("steps_lost", seat).mean(), 1),
                units=words.number(sample.lost("units_lost", seat).mean(), 1),
            )
            for seat in sample.seats
        ]
        agreed = [finding(sample.fits, words)] if sample.fits else []
        return [*self.results(sample), *agreed, " ".join(losses), *self.luck(sample)]

    def tables(self, sample: Any) -> list[str]:
        return [
            *self.history_table(sample.fits),
            self.luck_table(self._combat_luck(sample)),
            self.pieces_table(sample),
        ]

    def _combat_luck(self, sample: Sample) -> list[tuple[str, ...]]:
        """Rolled against expected, by who attacks and who loses."""
        words, rows = self.words, []
        for seat in sample.seats:
            for side, name in (("attack", "luck_attacker"), ("defence", "luck_defender")):
                row = f"{words('luck_attacks', seat=words.seat(seat))}: {words(name)}"
                rows.append((row, *self.luck_cells(*sample.rolled(seat, side))))
        return rows


REPORT = Report
