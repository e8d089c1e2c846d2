"""The music of a whole game from its first bar to its last, without a player waiting: the closed lid."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

from kimberley.client.audio.arranger import ArrangedBar, Arranger
from kimberley.client.audio.cue import END, STAGE, Cue
from kimberley.client.audio.score import Suite, read_chords

LEAD_IN: Final = 4
"""The bars before the first cue."""
LIGHT: Final = 0.3
"""The weight below which a cue is light: it takes one bar, others take two."""
STAGE_BARS: Final = 4
MOST_BARS: Final = 320
"""The bars that a game takes at most, more or less: in longer games, several light cues share a bar."""


class Performance:
    """Plays the cues of a game one after another, each for as long as it takes, and the coda once."""

    def __init__(self, suite: Suite, cues: Sequence[Cue]) -> None:
        self.suite = suite
        self._arranger = Arranger(suite)
        self._cues = deque(cues)
        light = sum(_is_light(cue) for cue in cues)
        others = sum(self._bars(cue) for cue in cues if not _is_light(cue))
        self._together = max(1, -(-light // max(1, MOST_BARS - others)))
        """How many light cues share a bar."""
        self._left = LEAD_IN

    def next_bar(self) -> ArrangedBar | None:
        if not self._left:
            if not self._cues:
                return None
            self._hear()
        self._left -= 1
        return self._arranger.next_bar()

    def _hear(self) -> None:
        """Gives the arranger the next cue, or several light ones at once."""
        cue = self._cues.popleft()
        self._arranger.cue(cue)
        self._left = self._bars(cue)
        for _ in range(self._together - 1):
            if not _is_light(cue) or not self._cues or not _is_light(self._cues[0]):
                break
            self._arranger.cue(self._cues.popleft())

    def _bars(self, cue: Cue) -> int:
        """Returns how many bars a cue takes: at least those of its motif."""
        if cue.kind == END:
            return len(read_chords(self.suite.passages[self.suite.coda].chords[0]))
        motif = self.suite.motifs.get(cue.kind)
        usual = STAGE_BARS if cue.kind == STAGE else 1 if _is_light(cue) else 2
        return max(usual, motif.bars if motif is not None else 0)


def _is_light(cue: Cue) -> bool:
    return cue.weight < LIGHT and cue.kind not in (STAGE, END)
