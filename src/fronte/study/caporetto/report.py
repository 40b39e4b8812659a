"""The report of Caporetto: what is told of any game, and points, places beside history, losses, fire and bridges."""

from __future__ import annotations

from typing import Any

import numpy as np

from fronte.study import figures, maps, report
from fronte.study.caporetto.figures import SHOWN, formation_chart
from fronte.study.caporetto.measures import Sample
from fronte.study.front import front_map
from fronte.study.history import finding
from fronte.study.objectives import objective_chart
from fronte.study.page import Figure, table_html


class Report(report.Report):
    """The report of one study of Caporetto."""

    def own(self, sample: Any, mark: str) -> list[Figure]:
        words = self.words
        found = [self._course(sample, force, mark) for force in sample.attackers]
        places = objective_chart(sample.places, sample.turns, words, sample.dates)
        text = words("place_text") if sample.dates else words("objective_text")
        found.append(Figure(f"places{mark}", words("objective_title"), text, places))
        front = front_map(sample, words)
        found.append(Figure(f"front{mark}", words("front_title"), words("front_text"), drawn=front))
        for column in ("prisoners", "dead", "assaults"):
            series = {side: sample.by_turn(column, side) for side in sample.sides}
            found.append(self.lines(sample, f"{column}{mark}", series, column))
        found += [one for side in sample.sides for one in self._losses(sample, side, mark)]
        assaults = maps.heat_map(sample, sample.assault_map(), words("assault_map_label"), words)
        found.append(
            Figure(f"assault-map{mark}", words("assault_map_title"), words("assault_map_text"), drawn=assaults)
        )
        if sample.dice:
            told = words("luck_text", seat=words.seat(sample.scorer))
            found.append(Figure(f"luck{mark}", words("luck_title"), told, figures.luck_chart(sample, words)))
        return found

    def _course(self, sample: Sample, force: str, mark: str) -> Figure:
        """The points of a force turn by turn; where there is one of them over the levels of victory."""
        words, alone = self.words, len(sample.attackers) == 1
        side = words.seat(force)
        title, axis = words("course_title", side=side), words("course_axis", side=side)
        points = sample.stayed("points", force)
        chart = figures.fan_chart(sample, points, axis, title, words, bands=alone)
        return Figure(f"course{mark}" if alone else f"course-{force}{mark}", title, words("course_text"), chart)

    def _losses(self, sample: Sample, side: str, mark: str) -> list[Figure]:
        words, found = self.words, []
        name = words.seat(side)
        formations = sample.formations_lost(side)[:SHOWN]
        if formations:
            title = words("formation_title", side=name)
            names = [words.word("formation", one.formation) for one in formations]
            chart = formation_chart(formations, names, words, title)
            found.append(Figure(f"formations-{side}{mark}", title, words("formation_text"), chart))
        fallen = sample.loss_map(side)
        if fallen:
            drawn = maps.heat_map(sample, fallen, words("loss_map_label", side=name), words)
            title = words("loss_map_title", side=name)
            found.append(Figure(f"losses-{side}{mark}", title, words("loss_map_text"), drawn=drawn))
        return found

    def findings(self, sample: Any) -> list[str]:
        words = self.words
        losses = [
            words(
                "finding_losses",
                side=words.side(side),
                dead=words.number(sample.lost("dead", side).mean(), 1),
                prisoners=words.number(sample.lost("prisoners", side).mean(), 1),
            )
            for side in sample.sides
        ]
        return [*self.results(sample), " ".join(losses), *self._history(sample), *self.luck(sample)]

    def _history(self, sample: Sample) -> list[str]:
        """How well the games agree with what is known."""
        if not sample.history:
            return []
        words = self.words
        low, high = sample.history["prisoners"]
        taken = sample.prisoners_of_italy()
        share = float(((taken >= low) & (taken <= high)).mean())
        return [
            finding(sample.fits, words),
            words(
                "finding_prisoners",
                median=words.number(float(np.median(taken)), 0),
                low=low,
                high=high,
                share=words.percent(share),
            ),
        ]

    def tables(self, sample: Any) -> list[str]:
        found = [*self.history_table(sample.fits), self._fire_table(sample)]
        if sample.bridges:
            found.append(self._bridge_table(sample))
        return [*found, *super().tables(sample)]

    def _fire_table(self, sample: Sample) -> str:
        words = self.words
        heading = tuple(map(words, ("fire_kind", "fire_times", "fire_points", "fire_steps", "fire_suppressed")))
        rows = [
            (words.capital(words(f"fire_{one.kind}")), *(words.number(value, 1) for value in one[1:]))
            for one in sample.fires
        ]
        return self.titled("fire", table_html(rows, heading))

    def _bridge_table(self, sample: Sample) -> str:
        words, names = self.words, dict(zip(sample.board["hex"], sample.board["name"], strict=True))
        rows = []
        for one in sample.bridges:
            near = next((names[name] for name in one.bridge.split("/") if names.get(name)), "")
            told = f"{one.bridge} {near}".strip()
            rows.append((told, words.percent(one.share), words.number(one.turn, 1)))
        heading = tuple(map(words, ("bridge", "bridge_share", "bridge_turn")))
        return self.titled("bridges", table_html(rows, heading))


REPORT = Report
