"""Makes bars of notes from a suite and the cues of a game.

The same cues lead to the same music: every choice is made by the digests of the cues, and by nothing else. Without a
cue, a passage is repeated unchanged. A cue is heard from the next bar on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple, Protocol

from kimberley.client.audio.cue import END, STAGE, Cue
from kimberley.client.audio.players import BarContext, Note, draw, play
from kimberley.client.audio.score import Chord, Motif, Suite, pitch_class, read_chords

ENERGY_KEPT: Final = 0.8
"""The share of the energy that is left at the next cue."""
ENERGY_GAINED: Final = 0.5
"""The energy that a cue of weight 1 brings."""
AUTO_BARS: Final = 8
"""The bars after which an arranger without cues makes a transition."""
PHRASE_SWELL: Final = 0.12
"""How much louder the middle of a passage is than its ends, as a fraction."""
FIRST_MOTIF_PART: Final = 100
"""The parts of motifs are numbered from here, those of passages from 0."""


class ArrangedBar(NamedTuple):
    """One bar as it is played.

    Attributes:
        passage: The name of its passage.
        place: The place of the bar in the passage.
        seconds: How long it lasts.
        notes: Its notes, in the order in which they begin.
        cues: The cues that are heard from this bar on.
        motif: The kind of the cue whose motif is played in it, or None.
    """

    passage: str
    place: int
    seconds: float
    notes: tuple[Note, ...]
    cues: tuple[Cue, ...]
    motif: str | None


class BarSource(Protocol):
    """What a renderer plays."""

    def next_bar(self) -> ArrangedBar | None:
        """Returns the next bar; None after the last."""


@dataclass
class _Response:
    """A motif that answers a cue, and how many of its bars have been played."""

    kind: str
    weight: float
    motif: Motif
    played: int = 0


class Arranger:
    """Plays a suite endlessly.

    `past` are cues that are over: the music begins where they have led. `auto` lets it make transitions by itself, as
    if something happened now and then.
    """

    def __init__(self, suite: Suite, past: Sequence[Cue] = (), *, auto: bool = False) -> None:
        self.suite, self.auto = suite, auto
        self.passage = ""
        self._last = Cue(STAGE, 0.0, 0.0, b"")
        """The last cue that was heard."""
        self._begun = b""
        """The digest at the beginning of the passage."""
        self._energy = 0.0
        self._optional: dict[int, bytes] = {}
        """The optional layers that sound: the place of each in the passage, with the digest that let it begin."""
        self._place = 0
        self._idle = 0
        self._begin(suite.opening)
        self._new: list[Cue] = []
        self._playing: _Response | None = None
        self._waiting: _Response | None = None
        for cue in past:
            self.cue(cue)
        self._new, self._waiting = [], None

    def cue(self, cue: Cue) -> None:
        """Takes a cue for something that has happened: the music changes with the next bar."""
        self._last, self._idle = cue, 0
        self._new.append(cue)
        motif = self.suite.motifs.get(cue.kind)
        if motif is not None and (self._waiting is None or cue.weight >= self._waiting.weight):
            self._waiting = _Response(cue.kind, cue.weight, motif)
        if cue.kind == END:
            self._begin(self.suite.coda)
        elif cue.kind == STAGE:
            every = self.suite.passages_at(cue.near_end)
            follow = [name for name in every if name != self.passage] or every
            self._begin(follow[draw(cue.digest, "passage") % len(follow)])
        else:
            self._energy = min(1.0, self._energy * ENERGY_KEPT + ENERGY_GAINED * cue.weight)
            self._change_layer()

    def next_bar(self) -> ArrangedBar:
        """Returns the next bar."""
        if self.auto and self._idle >= AUTO_BARS and self.passage != self.suite.coda:
            self.cue(Cue(STAGE, 0.5, self._last.near_end, sha256(self._last.digest).digest()))
        self._answer()
        playing = self._playing
        notes = sorted(self._notes())
        heard, self._new = tuple(self._new), []
        place = self._place % len(self._chords)
        self._place += 1
        self._idle += 1
        return ArrangedBar(
            self.passage, place, self._bar_seconds, tuple(notes), heard, playing.kind if playing is not None else None
        )

    # -- what the story chooses ----------------------------------------------------------------------------------------

    def _begin(self, name: str) -> None:
        """Begins a passage, with a third of its optional layers."""
        digest = self._last.digest
        self.passage, self._place, self._begun = name, 0, digest
        self._energy /= 2
        places = sorted(self._optional_places, key=lambda place: draw(digest, "optional", place))
        self._optional = dict.fromkeys(places[: (len(places) + 1) // 3], digest)

    def _change_layer(self) -> None:
        """Lets an optional layer begin or end: the more energy there is, the more of them sound."""
        digest, places = self._last.digest, self._optional_places
        silent = [place for place in places if place not in self._optional]
        wanted = 1 + round(self._energy * (len(places) - 1))
        if self._optional and len(self._optional) >= wanted:
            sounding = sorted(self._optional)
            del self._optional[sounding[draw(digest, "ends") % len(sounding)]]
        if silent and len(self._optional) < wanted:
            self._optional[silent[draw(digest, "begins") % len(silent)]] = digest

    def _answer(self) -> None:
        """Lets a waiting motif begin if the current one is over, or weighs less."""
        if self._playing is not None and self._playing.played == self._playing.motif.bars:
            self._playing = None
        if self._waiting is not None and (self._playing is None or self._waiting.weight > self._playing.weight):
            self._playing, self._waiting = self._waiting, None
        if self._playing is not None:
            self._playing.played += 1

    # -- the bar -------------------------------------------------------------------------------------------------------

    @property
    def _optional_places(self) -> list[int]:
        return [place for place, layer in enumerate(self.suite.passages[self.passage].layers) if layer.optional]

    @property
    def _chords(self) -> tuple[Chord, ...]:
        variants = self.suite.passages[self.passage].chords
        return read_chords(variants[draw(self._begun, "chords") % len(variants)])

    @property
    def _bar_seconds(self) -> float:
        return self.suite.beats * 60 / self.suite.passages[self.passage].tempo

    def _notes(self) -> Iterator[Note]:
        passage, chords, playing = self.suite.passages[self.passage], self._chords, self._playing
        place = self._place % len(chords)
        tonic, gain = pitch_class(self.suite.tonic), passage.gain * _swell(place, len(chords))
        bar = BarContext(tonic, passage.mode, chords, place, place, self._bar_seconds, gain)
        if playing is not None:
            own = read_chords(playing.motif.chords)
            answered = playing.played - 1
            if own:
                bar = bar._replace(chords=own, at=answered % len(own))
            for number, layer in enumerate(playing.motif.layers):
                pattern = layer.patterns[draw(self._begun, "motif", number) % len(layer.patterns)]
                yield from play(layer, pattern, FIRST_MOTIF_PART + number, bar._replace(place=answered))
        for number, layer in enumerate(passage.layers):
            if layer.optional and number not in self._optional:
                continue
            if playing is not None and playing.motif.kept is not None and layer.voice not in playing.motif.kept:
                continue
            digest = self._optional.get(number, self._begun)
            yield from play(layer, layer.patterns[draw(digest, "pattern", number) % len(layer.patterns)], number, bar)


def _swell(place: int, bars: int) -> float:
    """Returns how loud a bar of a passage is: the middle is louder than the ends."""
    part = (place + 0.5) / bars
    return 1 + PHRASE_SWELL * (4 * part * (1 - part) - 0.5)
