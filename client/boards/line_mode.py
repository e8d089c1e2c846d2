"""A game in sentences, for one seat of a table: what a screen reader reads, and what the player types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kimberley.client.audio.port import NO_AUDIO, AudioLike
from kimberley.client.boards.advice import Adviser
from kimberley.client.boards.form import AnyForm, Reply
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.game_ui import AnyGameUI
from kimberley.client.boards.guide import STOPPED, STOPPED_BEFORE, Guide, open_form
from kimberley.client.boards.pending_choice import PendingChoice
from kimberley.client.boards.soundtrack import Soundtrack
from kimberley.client.boards.take_back import choices_to_keep, warning
from kimberley.client.boards.view import Shown
from kimberley.client.session.participants import can_resign, only_bots, spoken_names
from kimberley.games.table import Plain
from kimberley.p2p.sentences.notices import NOTHING_TO_DO, NOTHING_YET
from kimberley.protocol.events import Answered, Event, SeatDeparted

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

LOG: Final = "log"
LATEST: Final = 12
"""How many events "log" tells, unless a number is typed."""
MOST_DIGITS: Final = 9
"""The most digits that are read in a number of events."""
NOTHING_OWN: Final = "There are no events of your own yet."
LOG_HELP: Final = f"log: the last {LATEST} events. log 30: the last 30. log mine: only your own."


class LineMode:
    """The line mode of a game with a `GameUI`. It speaks of the same events, and uses the same forms, as the screen."""

    def __init__(self, game: AnyGameUI, table: Table, audio: AudioLike = NO_AUDIO) -> None:
        """Plays the sounds of what is said on `audio`."""
        peer = table.peer
        assert peer is not None, "a game has begun"
        self._game, self._table = game, table
        self._timeline = GameTimeline(game, peer.first_state, spoken_names(table), table.occupants.seat)
        self._timeline.refresh(peer.story, peer.result)
        self._soundtrack = Soundtrack(self._timeline, audio)
        self._soundtrack.begin(len(self._timeline.events))
        self._reported, self._remarked = len(self._timeline.steps), len(self._timeline.remarks)
        self._choice = PendingChoice(table, self._timeline, _never, _never, _never)
        self._guide = Guide(())
        self._time_over = ""
        """What to say about a last look whose time has ended."""

    def describe(self) -> list[str]:
        """Returns the position as this seat knows it, with what the player has chosen so far first."""
        self._refresh()
        timeline, form = self._timeline, self._form
        chosen = form.so_far() if form is not None else []
        describe = self._game.describe if timeline.result is None else self._game.describe_end
        return [*chosen, *describe(self._state, timeline.names, timeline.you)]

    @property
    def _form(self) -> AnyForm | None:
        """The form of what is to be chosen, or was handed in, in the latest state."""
        form = self._choice.form
        return form if form is not None and form.state is self._timeline.latest else None

    @property
    def _state(self) -> Any:
        """The latest state, with what the player has drafted in it."""
        return form.drafted if (form := self._form) is not None else self._timeline.latest

    def on_event(self, event: Event) -> list[str]:
        """Describes an event of the table in sentences; empty if it means nothing to a player.

        Leaving, resigning, cheating and waiting are announced before, in the same way for every game.
        """
        return self.news() if isinstance(event, Answered | SeatDeparted) else []

    def news(self) -> list[str]:
        """Returns what has happened since the last call. The table itself announces that a seat has left."""
        self._refresh()
        timeline = self._timeline
        first, self._reported = self._reported, len(timeline.steps)
        remarks, self._remarked = timeline.remarks[self._remarked :], len(timeline.remarks)
        lines = [self._time_over] if self._time_over else []
        self._time_over = ""
        for at in range(first, self._reported + 1):
            if at > first:
                lines += timeline.sentences(at)[timeline.is_departure(at) :]
            lines += [remark for after, remark in remarks if after == at]
        self._soundtrack.follow(self._reported)
        return lines

    def _refresh(self) -> None:
        """Reads what is new, and makes the form of what is asked, once."""
        peer = self._table.peer
        if peer is None:
            return
        self._timeline.refresh(peer.story, peer.result)
        self._time_over = self._choice.refresh() or self._time_over

    def prompt(self) -> list[str]:
        """Says what to choose now, and how to type it."""
        self._refresh()
        return form.prompt() if (form := open_form(self._shown())) is not None else []

    @property
    def is_done(self) -> bool:
        """Returns whether the player has handed in the pending choice."""
        return (form := self._form) is not None and form.sealed

    @property
    def can_guide(self) -> bool:
        """Returns whether the game has a guide, and the player is still playing."""
        return bool(self._game.guide) and can_resign(self._table)

    def start_guide(self) -> None:
        """Leads the player through the next turns."""
        read = self._guide.read if len(self._guide.read) < len(self._game.guide) else ()
        self._guide = Guide(self._game.guide, read=read)

    def stop_guide(self) -> str:
        """Ends the guide. Returns what that means for the player."""
        ended = self._guide.ended
        self._guide.stop()
        return STOPPED_BEFORE if ended else STOPPED

    def guidance(self) -> list[str]:
        """Returns the note of the guide about what is to be chosen now."""
        self._refresh()
        return self._guide.sentences(self._shown())

    def next_note(self) -> list[str]:
        """Returns one more note about the same choice, if there is one."""
        self._refresh()
        return self._guide.sentences(shown) if self._guide.follows(shown := self._shown()) else []

    def adviser(self) -> Adviser:
        """Returns the adviser for the pending choice."""
        self._refresh()
        return Adviser(self._game, self._table, self._timeline.names, self._form)

    def choices_to_keep(self) -> int | None:
        """Returns how many of the player's choices stay if the last one is taken back; None if none can be."""
        return choices_to_keep(self._game, self._table)

    @property
    def take_back_warning(self) -> str:
        """What taking a choice back does."""
        return warning(self._game)

    def submit(self, text: str) -> Reply:
        """Reads the text typed for the pending ask. Never raises: for text it cannot read, the reply says what to type.

        Orders may be given piece by piece. The reply that completes the choice is `done`.
        """
        self._refresh()
        words = text.lower().split()
        answer = self._log(words) if words[:1] == [LOG] else self._game.respond(words, self._shown())
        if answer is not None:
            return Reply(tuple(answer))
        form = open_form(self._shown())
        if form is None:
            return Reply((NOTHING_TO_DO,))
        if not words:
            return Reply(tuple(form.prompt()))
        return form.type(text)

    def hand_in(self, choice: Plain) -> None:
        """Hands a completed choice to the table. Raises NotAllowed."""
        form = self._form
        self._table.play.choose(choice)
        if form is not None:
            form.sealed = True

    def _shown(self) -> Shown[Any, Any]:
        timeline, people = self._timeline, self._table.occupants
        return Shown(
            self._state, timeline.events, len(timeline.events), timeline.names, people.seat,
            live=timeline.result is None, result=timeline.result, form=self._form, options=people.options,
            unobserved=only_bots(self._table),
        )  # fmt: skip

    def _log(self, words: list[str]) -> list[str]:
        """Returns the last events, for "log", "log 30" and "log mine"."""
        timeline = self._timeline
        own = "mine" in words
        count = next((int(word[:MOST_DIGITS]) for word in words if word.isdecimal()), LATEST) or LATEST
        ats = [at for at in range(1, len(timeline.steps) + 1) if not own or timeline.seat_of(at) == timeline.you]
        lines = [sentence for at in ats[-count:] for sentence in timeline.sentences(at)]
        return lines or [NOTHING_OWN if own else NOTHING_YET]

    def help(self) -> list[str]:
        """Returns the game in short, and everything the player can type."""
        self._refresh()
        return [*self._game.typed_lines(self._state), LOG_HELP]


def _never(*_: object, **__: object) -> None:
    """Raises AssertionError: only keys and clicks lead here."""
    raise AssertionError("a typed choice is returned in a reply")
