"""From the story of a game to the cues that its music hears.

Only what a spectator knows is heard, whoever hears it: a seat's own story, or that of an audited game, is cut down to
what everybody saw before anything is made of it. So both players, every spectator and every replay hear the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from kimberley.client.audio.cue import END, Cue
from kimberley.client.boards.game_music import AnyGameMusic
from kimberley.client.boards.game_ui import AnyGameUI
from kimberley.games.table import HIDDEN, NOTHING, Answer, Ask, Item, Leave, Plain, Result, State, state_after
from kimberley.protocol.encoding import pack

START: Final = b"kimberley music"
"""What the hash of every story begins with."""
END_WEIGHT: Final = 1.0


class TimedCue(NamedTuple):
    """A cue, and when it is due: after `part` (from 0 to 1) of the events of the story's entry `step` were shown."""

    step: int
    part: float
    cue: Cue


class StoryMusic:
    """The cues of one game, read as its story grows. `start` is the first state."""

    def __init__(self, game: AnyGameUI, music: AnyGameMusic, start: State) -> None:
        self._game, self._music, self._public = game, music, start
        self._digest = sha256(START).digest()
        self._read = 0
        self._ended = False
        self.cues: list[TimedCue] = []

    def refresh(self, story: Sequence[tuple[Ask, Answer]], result: Result | None) -> None:
        """Reads what was added to a story since the last call. `story` is the whole story, as anybody knows it."""
        for step in range(self._read, len(story)):
            self._hear(step, *story[step])
        self._read = len(story)
        if result is not None and not self._ended:
            self._ended = True
            self.cues.append(TimedCue(len(story), 0.0, Cue(END, END_WEIGHT, 1.0, self._digest)))

    def until(self, step: int, part: float = 1.0) -> Sequence[TimedCue]:
        """Returns the cues that are due when `part` of the events of an entry of the story were shown, in order."""
        return [timed for timed in self.cues if (timed.step, timed.part) <= (step, part)]

    def _hear(self, step: int, ask: Ask, answer: Answer) -> None:
        before = self._public
        if not isinstance(ask, Leave):
            # The asker's own ask may know more than a spectator's.
            public = before.ask()
            assert not isinstance(public, Result)
            ask, answer = public, public.visible_answer(answer, None)
        self._public = state_after(before, ask, answer)
        self._digest = sha256(self._digest + pack((ask.kind, ask.details, _plain(answer)))).digest()
        events = self._game.read(step, before, ask, answer, self._public)
        for number, event in enumerate(events, 1):
            for kind, weight in self._music.heard(event):
                digest = sha256(self._digest + pack((number, kind))).digest()
                cue = Cue(kind, weight, self._music.near_end(event.after), digest)
                self.cues.append(TimedCue(step, number / len(events), cue))


def _plain(answer: Answer) -> Plain:
    """Returns an answer as plain data, which tells what is hidden from what is not."""
    if answer is HIDDEN:
        return ("hidden",)
    if answer is NOTHING:
        return ("nothing",)
    if isinstance(answer, Item):
        return ("item", answer.handle, tuple(map(_plain, answer.parts)))
    if isinstance(answer, tuple):
        return tuple(map(_plain, answer))
    assert answer is None or isinstance(answer, bool | int | str | bytes)
    return answer
