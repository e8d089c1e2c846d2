"""The pending choice of one seat: its form, made once for each ask, for the game screen and the line mode."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from kimberley.client.boards.form import AnyForm, ConfirmCallback, FormContext, time_over
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.session.participants import only_bots
from kimberley.games.table import Plain
from kimberley.protocol.play import NotAllowed

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table


class PendingChoice:
    """What a seat is asked, as `timeline` has read it. Call `refresh` after the timeline has read the story.

    Args:
        table: The table of the seat.
        timeline: The game as the seat knows it.
        send: Called with the number of the ask and the completed choice, when a key or a click completes it.
        confirm: Asks the player before something that cannot be undone.
        toast: Shows a sentence to the player for a few seconds.
        has_keys: Whether the player has keys.

    """

    def __init__(
        self,
        table: Table,
        timeline: GameTimeline,
        send: Callable[[int, Plain], None],
        confirm: ConfirmCallback,
        toast: Callable[[str, bool], None],
        has_keys: bool = True,
    ) -> None:
        self._table, self._timeline, self._has_keys = table, timeline, has_keys
        self._send, self._confirm, self._toast = send, confirm, toast
        self.form: AnyForm | None = None
        self.step: int | None = None
        """The number of the ask that the latest form was made for."""

    def refresh(self) -> str:
        """Drops the form of an ask that is over, and any form once the game is over; makes the form of a new ask.

        If the player has no choice, the program answers. Returns what the player reads when the time of a last look has
        ended; otherwise an empty text.
        """
        peer, form = self._table.peer, self.form
        if peer is None:
            return ""
        asked, notice = peer.asked, ""
        if form is not None and not form.sealed and self.step is not None:
            notice = time_over(form, self.step, peer.story)
        if peer.result is not None:
            # A resignation ends the game in the middle of a step: a sealed form would take the keys for going on.
            self.form = None
            return notice
        looks = len(peer.story) == self.step and self._table.play.final_adjustment_until is not None
        if form is not None and not form.sealed and looks:
            # The answer may have been sent already: the form looks the same until all have answered.
            return notice
        if form is not None and (form.sealed or asked is None or asked.step != self.step):
            self.form = form if form.sealed and form.stays(self._timeline.latest) else None
        if asked is None or asked.step == self.step:
            return notice
        self.step = asked.step
        timeline, seat = self._timeline, self._table.occupants.seat
        unobserved = only_bots(self._table) and self._table.play.final_adjustment_until is None
        automatic = timeline.game.automatic(asked.ask, timeline.latest, seat, unobserved)
        if automatic is not None:
            # In a page the line mode runs alongside the screens: whichever is first answers.
            with suppress(NotAllowed):
                self._table.play.choose(automatic[0])
            return notice
        context = FormContext(
            timeline.latest, asked.ask, asked.space, seat, timeline.names, self._table.occupants.options,
            partial(self._send, asked.step), self._stand, self._confirm, self._toast, self._has_keys,
        )  # fmt: skip
        self.form = timeline.game.form(context, timeline.view)
        return notice

    def renew(self) -> None:
        """Makes the form of the ask again."""
        self.form = self.step = None
        self.refresh()

    def _stand(self, choice: Plain) -> None:
        """Hands the table a choice that may still change. If it is not possible, the one before stays."""
        with suppress(NotAllowed):
            self._table.play.choose(choice, final=False)
