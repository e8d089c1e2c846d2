"""What is heard of a game: its music and its sounds, when the screen shows what they tell, and never ahead of that."""

from __future__ import annotations

from collections.abc import Sequence

from kimberley.client.audio.cue import Cue
from kimberley.client.audio.port import AudioLike
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.story_music import StoryMusic


class Soundtrack:
    """Follows the position of a timeline that a screen shows. Where nothing is heard, it reads nothing."""

    def __init__(self, timeline: GameTimeline, audio: AudioLike) -> None:
        self.timeline, self._audio = timeline, audio
        self._music: StoryMusic | None = None
        self._at = 0
        """The position that was heard last."""
        self._given = 0
        """How many cues the music was given."""
        self._read = 0
        """How many entries of the story were read for that."""

    def begin(self, at: int) -> None:
        """Plays the game's music as it is at a position. Sounds of earlier events are not played."""
        self._at = at
        if self._audio.silence:
            return
        music = self.timeline.game.music()
        if music is None or self.timeline.start is None:
            from kimberley.client.audio.title import TITLE

            self._audio.play_piece(TITLE)
            return
        self._music = self._music or StoryMusic(self.timeline.game, music, self.timeline.start)
        cues = self._due(at)
        self._given = len(cues)
        self._audio.play_piece(music.suite, cues)

    def follow(self, at: int) -> None:
        """Plays what belongs to the events that are shown for the first time, each sound once for all of them, and the
        cues of entries of the story of which this person sees nothing.
        """
        timeline = self.timeline
        if at < self._at or (at == self._at and len(timeline.story) == self._read):
            return
        new, self._at = timeline.events[self._at : at], at
        for sound in dict.fromkeys(sound for event in new for sound in timeline.game.sounds(event)):
            self._audio.play(sound)
        if self._music is not None:
            due = self._due(at)
            for cue in due[self._given :]:
                self._audio.cue(cue)
            self._given = len(due)

    def step(self, at: int) -> None:
        """Follows the screen to where it was moved by hand: one position forward is played; anywhere else, the music
        begins as it is there.
        """
        if at == self._at + 1:
            self.follow(at)
        elif at != self._at:
            self.begin(at)

    def is_own(self, since: int) -> bool:
        """Returns whether the person at the screen, and nobody else, has done something since a position."""
        timeline = self.timeline
        return {timeline.seat_of(at) for at in range(since + 1, len(timeline.events) + 1)} == {timeline.you}

    def _due(self, at: int) -> Sequence[Cue]:
        """Returns the cues of all that was shown up to a position, and of all before the next event: whether a person
        sees an event of an entry that is public may be a secret, so it must not be heard. Where others listen, the
        music follows the table and not the board, which may first show what only this player knows.
        """
        timeline, music = self.timeline, self._music
        if music is None:
            return ()
        music.refresh(timeline.story, timeline.result)
        self._read = len(timeline.story)
        if at == len(timeline.events) or self._audio.one_room:
            return [timed.cue for timed in music.cues]
        step = timeline.events[at].step
        positions = [position for position, event in enumerate(timeline.events) if event.step == step]
        return [timed.cue for timed in music.until(step, (at - positions[0]) / len(positions))]
