"""Follows the player's tournament: its own screen between the rounds, and in each round the table of the player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kimberley.client.session.interfaces import TournamentClientLike
from kimberley.client.session.seat_session import session_of
from kimberley.p2p.sentences.notices import REFEREE_BACK
from kimberley.p2p.sentences.tournaments import (
    after_game,
    describe_order_to,
    describe_ruling_to,
    final_sentence,
    has_lost_by,
    why_out,
)

if TYPE_CHECKING:
    from kimberley.client.screens.shell import Shell
    from kimberley.client.screens.table_flow import TableFlow
    from kimberley.client.ui.screen import Screen

AT_TABLES: Final = ("table", "phase")


class TournamentFlow:
    """Follows one tournament until the player leaves it. `start` shows its screen."""

    def __init__(self, shell: Shell, client: TournamentClientLike) -> None:
        self.shell, self.client = shell, client
        self._sitting: TableFlow | None = None
        self._ruled: object = None
        self._left = False
        self._away = False
        self._stop = client.subscribe(self._on_event)

    def start(self) -> None:
        """Shows the tournament, or the table if there is one already."""
        self.shell.replace(self.lounge())
        self._follow()

    def lounge(self) -> Screen:
        """Returns the screen between two games."""
        from kimberley.client.screens.tournament import TournamentScreen

        return TournamentScreen(self.shell, self)

    @property
    def over(self) -> bool:
        """Returns whether the tournament has ended, or goes on without this player."""
        return self.client.phase in ("over", "withdrawn", "failed")

    @property
    def following(self) -> str:
        """Returns what comes after the player's game, or once the tournament is over, who has won it, in sentences."""
        tournament = self.client.tournament
        return final_sentence(tournament) if tournament.ended else after_game(tournament, self.client.identity)

    def to_player(self, problem: str) -> str:
        """Returns the reason for the end of the player's table; if the player has lost or won by it, in the second
        person. A player who is out of the tournament has not left the table: it was closed.
        """
        client, ruling = self.client, self.client.ruling
        if ruling is not None and ruling.sentence == problem:
            return describe_ruling_to(client.tournament, client.identity, ruling)
        return why_out(client.tournament, client.identity) if client.phase == "withdrawn" else problem

    def withdraw(self) -> None:
        """Leaves the tournament for good, and goes back to the title screen."""
        if not self._left:
            self.client.withdraw()
            self._leave()

    def leave(self) -> None:
        """Goes back to the title screen from a tournament that is over."""
        if not self._left:
            self._leave()

    async def close(self) -> None:
        """Called when the program ends. The tournament keeps the player's place."""
        if not self._left:
            self._left = True
            self._forget()
            await self.client.close()

    def _leave(self) -> None:
        self._left = True
        self._forget()
        self.shell.start(self.client.close(), finish=True)
        self.shell.follow_tournament(None)
        self.shell.home()

    def _forget(self) -> None:
        self._stop()
        if self._sitting is not None:
            self._sitting.forget()

    def _on_event(self, event: Any) -> None:
        if event.what in AT_TABLES:
            self._follow()
        self._announce_ruling()
        self._announce_away()
        if (sentence := describe_order_to(self.client.tournament, self.client.identity, event.event)) is not None:
            self.shell.toast(sentence)
        self.shell.redraw()

    def _announce_away(self) -> None:
        """Announces at a table, where nothing else may show it, that the referee is away or back."""
        away = self.client.away_since is not None
        if away != self._away and self._sitting is not None:
            sentence = "The referee is offline. Play on: it will catch up." if away else REFEREE_BACK
            self.shell.toast(sentence, bad=away)
        self._away = away

    def _announce_ruling(self) -> None:
        """Announces a ruling at the player's own table, once."""
        ruling = self.client.ruling
        if ruling is not None and ruling is not self._ruled:
            sentence = describe_ruling_to(self.client.tournament, self.client.identity, ruling)
            self.shell.toast(sentence, bad=has_lost_by(self.client.tournament, self.client.identity, ruling))
        self._ruled = ruling

    def _follow(self) -> None:
        """Shows the table that the referee has opened for the player, or the tournament if that table is gone."""
        from kimberley.client.screens.table_flow import TableFlow

        table, flow = self.client.table, self._sitting
        if self._left or (flow is not None and flow.table is table):
            return
        if flow is not None:
            flow.forget()
            self._sitting = None
        if table is None:
            if flow is not None:
                self.shell.forget_table()
                self.shell.replace(self.lounge())
            return
        session_of(table).clock_keeper = self.client
        self._sitting = TableFlow(self.shell, table, self)
        self.shell.alert(True)
        self.shell.follow_table(self._sitting)
