"""The playback of a game at a table: what its player is shown of it as it happens, again, or step by step."""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import Final

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.playhead import Playhead
from kimberley.client.ui.screen import Ui

LATE: Final = 0.5
"""Seconds after playback in which Space and Enter may still be meant for what was shown before: to pause it, to skip
it, or once the game has ended, for a move.
"""
SKIPPING: Final = 0.8
"""Seconds after a playback that ended by itself in which Enter is still meant to skip it."""


class Playback:
    """Shows a growing timeline event by event, up to the end of the game, which stays until the player goes on.

    `head` has the position that is shown. The player may pause, go back, and see again what happened.
    """

    def __init__(self, timeline: GameTimeline, ui: Ui) -> None:
        self.head = Playhead(timeline, ui, playing=True)
        self._timeline, self._ui = timeline, ui
        self._began_at = -math.inf
        """When the latest playback began."""
        self._ended_at = -math.inf
        """When the end of the game was or will be reached on the board."""
        self._skipped_at = -math.inf
        """When the player last skipped to what was to come."""
        self._used_at = -1
        """The position in which the player has begun to choose: keys are meant for that choice."""
        self._past_end = False
        """Whether the player has gone on from the end of the game, or it was over before the screen opened."""
        self.chosen_at = 0
        """The position in which the player chose last: what has happened since can be shown again."""

    def begin(self) -> None:
        """Treats what has happened so far as shown, when the screen opens."""
        self.head.show(self.head.last)
        self._past_end = self._timeline.result is not None
        self.chosen_at = self._before_last_choice()

    def _before_last_choice(self) -> int:
        """Returns the position in which the player last chose, by the story; the latest if the player never did."""
        timeline = self._timeline
        own = [step for step, (ask, _) in enumerate(timeline.story) if timeline.you in ask.choosers]
        return bisect_left(timeline.steps, own[-1]) if own else self.head.last

    # -- how far it is -------------------------------------------------------------------------------------------------

    @property
    def reviewing(self) -> bool:
        """Returns whether the player has paused, or gone back to an earlier position."""
        return not self.head.playing

    def caught_up(self, now: float) -> bool:
        """Returns whether all that has happened has been shown, and the player is at the present."""
        return self.head.playing and self.head.caught_up(now)

    def playing(self, now: float) -> bool:
        """Returns whether something is still to be shown by itself."""
        return self.head.playing and not self.head.caught_up(now)

    def at_end(self, now: float) -> bool:
        """Returns whether the end of the game is shown, and the player has not gone on from it."""
        return self._timeline.result is not None and not self._past_end and self.caught_up(now)

    def offers_way_on(self, now: float) -> bool:
        """Returns whether the end has been shown for long enough to go on from it."""
        return self.at_end(now) and now >= self._ended_at + LATE

    def busy(self, now: float) -> bool:
        """Returns whether the game is still being shown, or its end, which stays until a key is pressed."""
        return not self.caught_up(now) or self.at_end(now)

    def meant_before(self, name: str, now: float) -> bool:
        """Returns whether what was shown before ended so recently that a key may be meant for it: Space to
        pause it, Enter to skip it, even if it has been skipped already.
        """
        return now < self.meant_before_until(name)

    def meant_before_until(self, name: str) -> float:
        """Returns the time until which that is so; in the past for any other key."""
        if name not in (" ", "enter") or self.head.at == self._used_at:
            return -math.inf
        lasting = self.head.stays()
        # The last events may take no time.
        ended = self.head.since + lasting if lasting > 0 or self.head.since > self._began_at else -math.inf
        return max(ended + SKIPPING, self._skipped_at + LATE) if name == "enter" else ended + LATE

    def note_use(self) -> None:
        """Notes that the player chooses in this position."""
        self._used_at = self.head.at

    def too_early(self, now: float) -> bool:
        """Returns whether a key may have been meant for what was shown before this playback, or before its stop."""
        since = max(self._began_at, self.head.since if self._timeline.stops(self.head.at) else -math.inf)
        return self.playing(now) and now < since + self._timeline.game.key_delay

    @property
    def can_show_again(self) -> bool:
        """Returns whether anything since the player's last choice takes time to be shown."""
        since = range(self.chosen_at + 1, self.head.last + 1)
        return not self._ui.calm and any(self._timeline.lasting(at) for at in since)

    def frames(self, now: float) -> list[float | None]:
        """Returns when the picture changes by itself."""
        ends = [] if self.head.caught_up(now) else [self.head.since + self.head.stays()]
        return [self.head.next_frame(now), self._ended_at + LATE, *ends]

    # -- where it goes -------------------------------------------------------------------------------------------------

    def play_on(self, now: float) -> None:
        """Shows the next event. It is not late: it starts now, not when the one before it ended."""
        self._began_at = now
        if self._ui.calm:
            self.head.hurry(now)
        else:
            self.head.show(self.head.at + 1, now)
            self.head.advance(now)

    def catch_up(self) -> None:
        """Shows what is to come up to the next stop at once. From an earlier position it goes back to the latest."""
        if self.head.playing:
            self._skipped_at = self._ui.now()
            self.head.hurry(self._skipped_at)
        else:
            self.head.show(self.head.last)
        self.head.playing = True
        self.time_end()

    def show_again(self) -> None:
        """Shows again what has happened since the player chose last."""
        self.head.playing = True
        self.head.show(min(self.chosen_at + 1, self.head.last), self._ui.now())

    def step(self, name: str) -> bool:
        """Handles a key that resumes playing, or leads to another position. Returns False for any other key."""
        if name == " ":
            self.head.playing = True
            self.head.show(self.head.at, self._ui.now())
        elif (at := self.head.target(name)) is not None:
            self.head.go(at)
            # A player who steps on to the present is back in the game.
            self.head.playing = self.head.at == self.head.last
        else:
            return False
        self.time_end()
        return True

    def time_end(self) -> None:
        """Notes when the end of the game will be seen: once everything before it has been shown."""
        if self._timeline.result is not None and self.head.playing:
            self._ended_at = self.head.catches_up_at(self._ui.now())

    def go_past_end(self, now: float) -> None:
        """Goes on from the end of the game, if it has been shown for long enough."""
        self._past_end = now >= self._ended_at + LATE
