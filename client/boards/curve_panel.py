"""Draws the curve of a game: bars if there are few samples and seats, else a line for each seat."""

from __future__ import annotations

from typing import Final

from kimberley.client.boards.line_chart import LineChart, draw_labels
from kimberley.client.boards.report import GameCurve
from kimberley.client.session.participants import short_name
from kimberley.client.ui.bars import whole_lines
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width

BAR: Final = 3
"""Columns of a bar."""
HIGHEST: Final = 14
"""Most rows of a chart."""
UPRIGHT_TOLD: Final = 6
"""The rows in which a portrait screen says what happened."""


class CurvePanel:
    """A curve, and the selected sample: `at`, initially the one where the lead changed."""

    def __init__(self, curve: GameCurve) -> None:
        self.curve = curve
        self.at = curve.turn if curve.turn is not None else len(curve.samples) - 1

    @property
    def step(self) -> int:
        """The step of the record that the sample is about."""
        return self.curve.samples[self.at].step

    def key(self, name: str) -> bool:
        """Moves to another sample. Returns False if the key does not move."""
        last = len(self.curve.samples) - 1
        ways = {"left": self.at - 1, "right": self.at + 1, "home": 0, "end": last}
        if name not in ways:
            return False
        self.at = min(max(0, ways[name]), last)
        return True

    def choose(self, at: int) -> bool:
        """Moves to a sample that was clicked. Returns whether it was already selected."""
        before, self.at = self.at, at
        return before == at

    def draw(self, canvas: Canvas) -> None:
        """Draws the charts over a whole region, and what happened in the last two rows."""
        sentence_rows = UPRIGHT_TOLD if canvas.portrait else 2
        charts = canvas.region(2, 0, canvas.width - 4, canvas.height - 1 - sentence_rows)
        bars = self._slot(charts.width) > self._group
        measures = len(self.curve.measures)
        room = (charts.height - 1) // measures
        top = 0
        for number in range(measures):
            rows = room + (number < (charts.height - 1) % measures)
            chart = charts.region(0, top, charts.width, min(rows, HIGHEST + 2))
            self._heading(chart, number)
            (self._bars if bars else self._lines)(chart, number)
            top += chart.height
        self._labels(charts, top, bars)
        self._draw_sentence(canvas.region(0, top + 2, canvas.width, sentence_rows))

    # -- where things are ----------------------------------------------------------------------------------------------

    @property
    def _pitch(self) -> int:
        """The columns from one bar of a sample to the next, so that the amounts below them do not touch."""
        widest = max(len(str(amount)) for chart in self.curve.amounts for sample in chart for amount in sample)
        return max(BAR, widest + 1)

    @property
    def _group(self) -> int:
        """The columns of a sample's bars."""
        return self._pitch * (len(self.curve.names) - 1) + BAR

    def _slot(self, width: int) -> int:
        """Returns the columns of a sample in a chart of bars."""
        return min(width // len(self.curve.samples), self._group + 6)

    def _left(self, width: int, at: int) -> int:
        """Returns the first column of a sample in a chart of bars."""
        slot = self._slot(width)
        return (width - slot * len(self.curve.samples)) // 2 + at * slot

    # -- drawing -------------------------------------------------------------------------------------------------------

    def _heading(self, canvas: Canvas, number: int) -> None:
        curve, measure = self.curve, self.curve.measures[number]
        x = canvas.put(0, 0, measure.sign, measure.fg, bold=True)
        end = canvas.put(x + 1, 0, measure.name, "text", bold=True)
        if measure.note and not canvas.portrait:
            canvas.put(end, 0, f", {measure.note}", "soft")
        if number:
            return
        right = canvas.width
        seats = range(len(curve.names))
        names = [short_name(curve.names, seat, 12) for seat in seats]
        needed = sum(cell_width(curve.marks[seat][0]) + cell_width(names[seat]) + 3 for seat in seats)
        if canvas.portrait and needed > right - x - 1 - cell_width(measure.name):
            # The head of the dossier has the names.
            names = ["" for _ in seats]
        for seat in reversed(seats):
            sign, fg = curve.marks[seat]
            right = canvas.right(right, 0, names[seat], "text", bold=seat == curve.you) - bool(names[seat])
            right = canvas.right(right, 0, sign, fg, bold=True) - 2

    def _bars(self, canvas: Canvas, number: int) -> None:
        curve = self.curve
        rows, slot = canvas.height - 2, self._slot(canvas.width)
        most = max(1, max(max(amounts) for amounts in curve.amounts[number]))
        for at, amounts in enumerate(curve.amounts[number]):
            ground = "raised" if at == self.at else "panel" if at % 2 else "ink"
            left = self._left(canvas.width, at)
            canvas.fill(left, 1, slot, rows + 1, ground)
            canvas.hit(left, 1, slot, rows + 1, ("sample", at))
            left += (slot - self._group) // 2
            for seat, amount in enumerate(amounts):
                x, halves = left + self._pitch * seat, round(2 * rows * max(0, amount) / most)
                fg = curve.marks[seat][1]
                for row in range(halves // 2):
                    canvas.put(x, rows - row, "█" * BAR, fg)
                if halves % 2:
                    canvas.put(x, rows - halves // 2, "▄" * BAR, fg)
                best = amount == max(amounts)
                canvas.center(x, rows + 1, BAR, str(amount), "text" if best else "soft", bold=best)

    def _lines(self, canvas: Canvas, number: int) -> None:
        amounts = self.curve.amounts[number]
        chart, lines = canvas.region(0, 1, canvas.width, canvas.height - 1), self._chart(number)
        lines.draw(chart, self.at)
        for at in range(0 if canvas.portrait else len(amounts)):
            chart.hit(lines.column(chart.width, at), 0, 1, chart.height, ("sample", at))

    def _chart(self, number: int) -> LineChart:
        curve = self.curve
        amounts = curve.amounts[number]
        low, high = min(map(min, amounts)), max(map(max, amounts))
        low, high = low if low < 0 or 2 * low > high else 0, max(high, low + 1)
        return LineChart(curve.marks, amounts, low, high, curve.measures[number].unit)

    def _labels(self, canvas: Canvas, y: int, bars: bool) -> None:
        """Draws the numbers of the samples, as many as fit, and always that of the selected one."""
        labels, slot, chart = [sample.label for sample in self.curve.samples], self._slot(canvas.width), self._chart(0)
        columns = [
            self._left(canvas.width, at) + (slot - cell_width(label)) // 2
            if bars
            else chart.column(canvas.width, at) - (cell_width(label) - 1) // 2
            for at, label in enumerate(labels)
        ]
        places = draw_labels(canvas, y, labels, columns, self.at, 1 if bars else 2)
        for at, (x, after) in enumerate(places if bars or not canvas.portrait else ()):
            canvas.hit(x - 1, y, after - x + 2, 1, ("sample", at))

    def _draw_sentence(self, canvas: Canvas) -> None:
        """Draws what happened at the selected sample, over the whole region, in the sentences that fit."""
        canvas.fill(0, 0, canvas.width, canvas.height, "panel")
        turned = self.at == self.curve.turn
        x = canvas.put(0, 0, " THE LEAD ", "ink", "paper", bold=True) if turned else 0
        for y, line in enumerate(whole_lines(self.curve.drawn(self.at), canvas.width - x - 2, canvas.height)):
            canvas.put(x + 1, y, line, "text", bold=turned and not y)
