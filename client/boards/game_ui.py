"""What a game brings to the client: `GameUI`. Everything around it is shared by all games.

The kit around it: `game_timeline` (events and positions), `playhead` (which position is shown), `playback` (what a
player is still to be shown), `game_screen` (playing), `stepping` (replays and spectators), `game_log` (everything that
happened), `line_mode` (sentences and typed lines). docs/new-game.md says how to write one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from kimberley.client.audio.sound import Sound
from kimberley.client.boards.form import Form, FormContext
from kimberley.client.boards.game_music import AnyGameMusic
from kimberley.client.boards.guide import GuideStep
from kimberley.client.boards.next_best import NextBest
from kimberley.client.boards.report import Dossier, Measure
from kimberley.client.boards.standings import SEATS
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import Help
from kimberley.client.ui.spans import Span, Spans, marked
from kimberley.games.table import Answer, Ask, Plain, Result, State

NO_WORDS: Final = "The computer has a move in mind, but this game has no words for it."

S = TypeVar("S", bound=State)


class TimelineEvent(Protocol):
    """What the kit reads of an event of any game: one thing that happened, worth a position and a sentence."""

    @property
    def step(self) -> int:
        """The number of the ask in the story whose answer made it happen."""

    @property
    def seat(self) -> int | None:
        """The seat that did it; None if it was chance or several seats."""

    @property
    def before(self) -> Any:
        """The state before it."""

    @property
    def after(self) -> Any:
        """The state after it."""


E = TypeVar("E", bound=TimelineEvent)


class Pace(NamedTuple):
    """How long an event is shown, in seconds: `moving` while it is animated, `lasting` in total.

    The key that shows all at once `stops` at some events. A board that is calm waits there for the key, and so does
    every board where `lasting` is infinite.
    """

    moving: float = 0.0
    lasting: float = 1.2
    stops: bool = False


class GameText(NamedTuple):
    """A game that somebody wrote down as text: its first state, its story, how it ended, and what its seats are called.
    Nothing in it is proven.
    """

    start: State
    story: Sequence[tuple[Ask, Answer]]
    result: Result | None
    names: Sequence[str]


class GameUI(ABC, Generic[S, E]):
    """One game's part of the client. It has no state: what a person looks at lives in a `BoardView`."""

    title: str
    unit: str = "step"
    """The word for one position: "move 3 of 20"."""
    chapter_unit: str = ""
    """The word for what `chapter` counts, for PgDn and PgUp: "round". Empty if the game has no chapters."""
    key_delay: float = 0.0
    """The seconds after a playback begins, and after it stops at an event, in which no key acts: it may have been meant
    for what was shown before.
    """
    about: Help
    """The game in short."""
    rules: Help | None = None
    """All rules of the game: the goal, the components, a turn step by step, the end, and every special case. None if
    `about` says it all.
    """
    stepping_help: Help
    """What F1 says about the board in replays and to spectators."""
    squares_typed: bool = False
    """Whether squares are typed, a letter from a to h and a digit: then these letters open nothing, not even while the
    player waits.
    """
    typed_help: Sequence[str] = ()
    """The game in short, and everything that can be typed."""
    take_back: str = "Bots choose again."
    """What stays the same when a choice is taken back, and who chooses again, in a sentence."""
    guide: Sequence[GuideStep] = ()
    """The steps of the guide through the first turns; empty if the game has no guide."""
    hides: bool = True
    """Whether anything is hidden in the game. If not, a review knows no more with hindsight, and says nothing of it."""
    unjudged: str = ""
    """The choices that a review cannot judge, in words; empty if it judges them all."""

    @abstractmethod
    def read(self, step: int, before: S, ask: Ask, answer: Answer, after: S) -> Sequence[E]:
        """Returns the events of one entry of a story, as one seat or a spectator knows it."""

    @abstractmethod
    def describe_event(self, event: E, names: Sequence[str], you: int | None) -> Sequence[str]:
        """Returns an event in sentences: for the log, the line mode, spectators and web pages. `subject` says who is
        "you".

        The first event of a departure begins by saying that the seat leaves; what follows from that comes after.
        The line mode leaves out that first sentence, since the table says it.
        """

    def describe_change(self, event: E, names: Sequence[str], you: int | None) -> Sequence[str]:
        """Returns how an event changed what players have, in sentences, for the graph of the game."""
        return self.describe_event(event, names, you)

    def decided(self, kind: str) -> str:
        """Returns what a review calls a kind of decision: with a capital if it is about somebody."""
        return kind

    def typed_lines(self, state: S) -> Sequence[str]:
        """Returns `typed_help`, with examples that can be typed in a state where that makes a difference."""
        del state
        return self.typed_help

    def remark(self, before: S, after: S, names: Sequence[str], you: int | None) -> Sequence[str]:
        """Returns what the line mode says of an entry of the story besides its events: "ben begins, as Black."."""
        del before, after, names, you
        return ()

    def spans(self, event: E, names: Sequence[str], you: int | None) -> Sequence[Spans]:
        """Returns the sentences of an event as the log draws them: by default those of `describe_event`, players as
        badges.
        """
        called = {word: you for word in ("You", "you") if you is not None}
        called |= {name: seat for seat, name in enumerate(names)}
        badges = {word: Span(word, "ink", True, self.seat_color(event, seat)) for word, seat in called.items()}
        return [marked(self.in_signs(sentence), badges) for sentence in self.describe_event(event, names, you)]

    def seat_color(self, event: E, seat: int) -> Color:
        """Returns the color of a seat's badge in the log, light enough for ink on it."""
        del event
        return f"seat{seat + 1}"

    def chapter(self, event: E) -> str:
        """Returns the heading under which the log lists an event: "Round 3"."""
        del event
        return ""

    def chapter_number(self, state: S) -> int | None:
        """Returns the number of the chapter to which a decision in a state belongs, for the review, or the last state,
        for the curve; None if it is that of the first event that follows, or of the last one.
        """
        del state
        return None

    def label(self, event: E) -> str:
        """Returns the kind of an event in a word, at most ten columns, for the first column of the log: "sale"."""
        del event
        return ""

    def gain(self, event: E, names: Sequence[str], you: int | None) -> Span | None:
        """Returns what an event brought, for the right end of its line in the log: "◆ +2"."""
        del event, names, you
        return None

    def sounds(self, event: E) -> Sequence[Sound]:
        """Returns what an event sounds like. Whatever is public sounds the same to all; only the sounds in `SECRET`
        tell what is not for everybody to know.
        """
        del event
        return ()

    def pace(self, event: E, you: int | None) -> Pace:
        """Returns how long an event is shown to the player of seat `you`, or to a spectator."""
        del event, you
        return Pace()

    @abstractmethod
    def view(self, names: Sequence[str], you: int | None) -> BoardView[S, E]:
        """Returns the board for one person."""

    @abstractmethod
    def form(self, context: FormContext[S], view: BoardView[S, E]) -> Form[S]:
        """Returns the form of a pending choice."""

    def automatic(self, ask: Ask, state: S, seat: int, unobserved: bool) -> tuple[Plain] | None:
        """Returns the choice that the program makes for its player, in a tuple, if the player has none; else None.

        `unobserved`: only bots of this program are at the table, and no clock runs, so nobody learns anything from when
        the answer comes.
        """
        del ask, state, seat, unobserved
        return None

    def advise(
        self, state: S, ask: Ask, seat: int, choice: Plain, names: Sequence[str], other: Plain | None = None
    ) -> str:
        """Says to the player of `seat`, in a sentence, what a bot would choose, and why, rather than the `other`
        choice. `state` is what the seat knows.
        """
        del state, ask, seat, choice, names, other
        return NO_WORDS

    def in_signs(self, text: str) -> str:
        """Returns a sentence of a hint as the board writes it, for those who see the board."""
        return text

    def advise_next(self, state: S, seat: int, choice: Plain, other: Plain, names: Sequence[str]) -> NextBest | None:
        """Returns what the bot would choose instead of its choice, and something about it by which a player can compare
        the two, as `next_best` returns it; None if there is nothing to say about it.
        """
        del state, seat, choice, other, names
        return None

    @abstractmethod
    def describe(self, state: S, names: Sequence[str], you: int | None) -> list[str]:
        """Returns a position in sentences to read aloud, the most important first."""

    def describe_end(self, state: S, names: Sequence[str], you: int | None) -> list[str]:
        """Returns the last position of a game, which a resignation may have ended while more could follow."""
        return self.describe(state, names, you)

    def respond(self, words: Sequence[str], shown: Shown[S, E]) -> list[str] | None:
        """Returns the answer to a typed question, such as "look b2"; None if the words are not a question."""
        del words, shown
        return None

    @abstractmethod
    def report(self, shown: Shown[S, E]) -> Dossier:
        """Returns the dossier of a game that has ended, from its last position: all events, and the result if it has
        one.
        """

    def choice_words(self, state: S, seat: int, choice: Plain, beside: Plain) -> str:
        """Returns a choice of a seat in its own state, in a few words, for the review: as far as it differs from the
        choice `beside` it, and all of it if these are the same.
        """
        del state, seat, beside
        return str(choice)

    def choice_aloud(self, state: S, seat: int, choice: Plain, beside: Plain, names: Sequence[str]) -> str:
        """Returns the same for those who do not see the board, without its badges and signs."""
        del names
        return self.choice_words(state, seat, choice, beside)

    def measures(self, state: S) -> Sequence[Measure]:
        """Returns what the seats have in a state, for the curve at the end: the decisive quantity first. In every state
        of a game, the same quantities; none if there is no curve.
        """
        del state
        return ()

    def span(self, event: E) -> tuple[S, S]:
        """Returns the states between which an event changed what the seats have: without what the next turn begins
        with, even if that follows at once.
        """
        return event.before, event.after

    def marks(self, state: S | None) -> Sequence[tuple[str, Color]]:
        """Returns the sign and the color of each seat, as the board has them: for the curve, and the page of a
        tournament.

        If no position is known (None), those that each seat has in every game; none if a game assigns them at random.
        """
        del state
        return SEATS

    def sheet(self, start: S, story: Sequence[tuple[Ask, Answer]], result: Result | None) -> Sequence[str]:
        """Returns a game in the game's text format, for the end of the dossier in sentences; empty if that has it
        already, or there is no such format.
        """
        del start, story, result
        return ()

    def music(self) -> AnyGameMusic | None:
        """Returns the game's music; None if it has none. A game imports it only here: copies for friends come without
        it.
        """
        return None

    def read_text(self, text: str) -> GameText | None:
        """Returns the game in a text; None if the game has no text format. Raises ValueError with a sentence if the
        text holds no such game.
        """
        del text
        return None


AnyGameUI = GameUI[Any, Any]
