"""What a position shows: the sector in play and its dice, what has just been cut off, and what is said about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from kimberley.client.boards.land.events import GameEvent, TurnPlayed, river_losses
from kimberley.client.boards.land.form_turn import WHY_BUY, TurnForm
from kimberley.client.boards.land.ledger import Ledger
from kimberley.client.boards.land.pacing import ALARMING, BLINK, OWN_TUMBLE, TUMBLE, tumbling
from kimberley.client.boards.land.phrases import cut_off, explain_changes, has_more_turns, in_short
from kimberley.client.boards.land.picture import entries
from kimberley.client.boards.subject import subject
from kimberley.client.boards.view import STILL, Shown
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.palette import Color
from kimberley.games.land.accounts import TurnOpening
from kimberley.games.land.deals import DealMade
from kimberley.games.land.rules import State
from kimberley.games.table import Result
from kimberley.p2p.sentences.notices import as_sentence

TurnShown = Shown[State, GameEvent]

LOGGED: Final = 40
"""The most events that a board lists."""
LOG_ROOM: Final = 46
"""The columns of a line of the log that says what happened in full."""


class InPlay(NamedTuple):
    """The sector in play, or the one that was; its dice; what was dealt in it; and whether the dice still tumble."""

    sector: tuple[int, int] | None = None
    dice: tuple[int, int] | None = None
    dealt: tuple[DealMade, ...] = ()
    rolling: bool = False


@dataclass(frozen=True)
class LandPosition:
    """A position as a seat, or a spectator, sees it. The dice of the player's own turn were rolled at `rolled_at`."""

    shown: TurnShown
    names: Sequence[str]
    you: int | None
    rolled_at: float = -STILL

    @property
    def form(self) -> TurnForm | None:
        return self.shown.form if isinstance(self.shown.form, TurnForm) else None

    @property
    def turn_runs(self) -> bool:
        """Returns whether the turn of the state is played now, or was when a resignation ended the game."""
        shown = self.shown
        return shown.live or (shown.result is not None and not isinstance(shown.state.ask(), Result))

    @property
    def rolls(self) -> bool:
        """Returns whether the dice of the last turn still tumble."""
        shown = self.shown
        return isinstance(shown.last, TurnPlayed) and not shown.live and 0 <= shown.since < TUMBLE

    @property
    def state(self) -> State:
        """The state to draw: with the deals drafted in the player's own turn, and without anything that follows dice
        that still tumble.
        """
        last = self.shown.last
        if self.form is not None:
            return self.form.drafted
        return last.before if last is not None and self.rolls else self.shown.state

    @property
    def past(self) -> Sequence[GameEvent]:
        """The events that may be told: not yet the turn whose dice still tumble."""
        return self.shown.past[:-1] if self.rolls else self.shown.past

    @property
    def taxed(self) -> bool:
        """Returns whether another turn of the player's, or of anybody's for a spectator, will begin with tax and
        revenue.
        """
        if self.shown.result is not None:
            return False
        return self.you is None or has_more_turns(self.shown.state, self.you)

    def in_play(self) -> InPlay:
        shown, state, last = self.shown, self.shown.state, self.shown.last
        assert state.map is not None
        turn = next((event for event in reversed(shown.past) if isinstance(event, TurnPlayed)), None)
        if self.turn_runs and state.sector is not None:
            play = InPlay(state.sector, state.dice, self.form.now.dealt if self.form is not None else ())
            since = shown.now - self.rolled_at if self.form is not None else STILL
            faces = tumbling(len(shown.past), since, OWN_TUMBLE)
        elif turn is not None:
            fresh = turn is last
            play = InPlay(turn.sector, turn.before.dice, turn.dealt if fresh else ())
            faces = tumbling(turn.step, shown.since if fresh else STILL, TUMBLE)
        else:
            return InPlay()
        return play if faces is None else InPlay(state.map.rolled(*faces), faces, rolling=True)

    def cut_off(self) -> frozenset[int]:
        """Returns the player's parcels that others have cut off from the river since the player's last turn; a
        spectator sees what the last turn cut off. They blink while that is new.
        """
        fresh, lit = self.shown.since - TUMBLE, frozenset[int]()
        if self.rolls or (fresh < ALARMING and int(fresh / BLINK) % 2):
            return lit
        for event in reversed(self.shown.past):
            if self.you is not None and event.seat == self.you:
                break
            lit = lit.union(*(loss.parcels for loss in river_losses(event) if self.you in (None, loss.seat)))
            if self.you is None:
                break
        return lit

    def ledger(self) -> Ledger:
        over = self.shown.result is not None
        return Ledger(entries(self.state), self.names, self.you, self._active(), self.account_seat(), over)

    def _active(self) -> int | None:
        """Returns the seat whose turn it is or was."""
        shown = self.shown
        if shown.live:
            return shown.state.seat if shown.state.first is not None else None
        return shown.last.seat if shown.last is not None and shown.result is None else None

    def account_seat(self) -> int | None:
        """Returns the seat whose account is explained: the player's own, else the one whose turn it is; None while a
        player leaves in another one's turn.
        """
        shown = self.shown
        at_end = shown.at == len(shown.events)
        if shown.playing and shown.last is not None:
            return shown.last.seat if shown.last.seat == shown.last.before.seat else None
        if self.you is not None and at_end and (shown.state.alive(self.you) or shown.result is not None):
            return self.you
        if shown.live or (at_end and "start of a turn" in (shown.state.over or "")):
            return shown.state.seat
        return shown.last.seat if shown.last is not None else None

    def openings(self) -> dict[int, TurnOpening]:
        """Returns how the latest turn of every seat began."""
        shown = self.shown
        begun = [event.before.opening for event in shown.past]
        ended = shown.state.over is not None or shown.result is not None
        if shown.live or (shown.at == len(shown.events) and ended):
            begun.append(shown.state.opening)
        return {opening.seat: opening for opening in begun if opening is not None}

    # -- in words ------------------------------------------------------------------------------------------------------

    def message(self) -> tuple[str, Color]:
        """Returns what the last key did; else which land earns nothing; else, at the start of a turn, how it began."""
        form = self.form
        if form is None:
            return "", "soft"
        if form.refusal:
            return refused(form.refusal), "warning"
        if form.said:
            return form.said, "ok"
        # In the last turn, and below zero, it is too late to connect land.
        late = form.is_last or form.now.cash < 0
        if not late and (apart := cut_off(form.map, form.now.land, form.seat)):
            return apart, "ice"
        if form.draft.begun:
            return "", "soft"
        opening = self.shown.state.opening
        if opening is None or self.shown.state.turn == 1:
            return WHY_BUY, "soft"
        return f"This turn: {explain_changes(opening)}.", "soft"

    def log(self) -> list[tuple[int, str]]:
        """Returns the latest events, each as its seat and text."""
        return [(event.seat, self._logged(event)) for event in self.past[-LOGGED:]]

    def told(self, event: GameEvent, room: int) -> str:
        """Says what happened, in a few words if there is no room for more."""
        who = str(subject(self.names, event.seat, self.you))
        return f"{who} {in_short(event, self.names, self.you, room - cell_width(who) - 2)}."

    def _logged(self, event: GameEvent) -> str:
        """Returns what the log says after the mark of a seat."""
        if event.seat == self.you:
            return self.told(event, LOG_ROOM)
        return f"{in_short(event, self.names, self.you, LOG_ROOM)}."


def refused(rule: str) -> str:
    """Says why something is not possible, as the strip says it."""
    return f"! {as_sentence(rule)}"
