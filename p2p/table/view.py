"""One seat at one table, as a player sees it: what can be read."""

from __future__ import annotations

from pathlib import Path

from kimberley.games.table import Plain
from kimberley.p2p.table.events import Phase
from kimberley.p2p.table.runner import PeerView
from kimberley.p2p.table.session import TableSession
from kimberley.p2p.table.trust_store import TrustLevel
from kimberley.protocol.audit import AuditedGame, Verdict


class TableView:
    """What the parts of a table show."""

    def __init__(self, session: TableSession) -> None:
        self.host = session.context.host
        """Whether this seat opened the table."""
        self.session = session
        self.page_seats = session.page_seats
        """How seats come by the page that this program serves."""
        self.far = session.far
        """How seats come from far away."""
        self.hosting = session.hosting
        """What the host does between games."""
        self._context = session.context

    # -- who sits there ------------------------------------------------------------------------------------------------

    @property
    def options(self) -> dict[str, Plain]:
        return dict(self._context.lobby.terms.options)

    @property
    def seats(self) -> int:
        """The number of seats, taken or not."""
        return self._context.occupants.seats

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of players with which the game can begin here."""
        return self._context.occupants.numbers

    @property
    def asks_ready(self) -> bool:
        """Whether the game waits for everybody to be ready: it does if the number of players is not fixed."""
        return len(self.numbers) > 1

    @property
    def readiness(self) -> tuple[bool, ...]:
        """By seat: who is ready."""
        return self._context.occupants.readiness

    @property
    def called_bots(self) -> tuple[bool, ...]:
        """By seat: whether the host calls the player a bot. It is a label for people: nothing may rely on it."""
        return self._context.occupants.called_bots

    @property
    def names(self) -> tuple[str, ...]:
        """The nicknames by seat. Those that look alike have the seat's number behind them."""
        return self._context.occupants.names

    @property
    def seat(self) -> int:
        return self._context.occupants.seat

    @property
    def host_seat(self) -> int:
        """The seat of the host; it changes from game to game."""
        return self._context.occupants.seat_of(self._context.host_key)

    @property
    def acquaintance(self) -> tuple[TrustLevel, ...]:
        """By seat: how well this player knows the others. A "bot" sits in this program."""
        return self.session.words.acquaintance

    # -- where the table stands ----------------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        return self._context.phase

    @property
    def problem(self) -> str | None:
        """Why the table failed, or what did not work: a sentence that says what to do."""
        return self._context.problem

    @property
    def warning(self) -> str | None:
        """What the player should keep in mind while comparing the words."""
        return self.session.words.warning

    @property
    def phrase(self) -> tuple[str, str, str, str] | None:
        """The four words; None before all have signed the roster."""
        return self.session.words.phrase

    @property
    def agreed(self) -> tuple[bool, ...]:
        """By seat: who has said that the words are the same."""
        return self.session.words.agreed

    @property
    def peer(self) -> PeerView | None:
        """What this seat knows of the game: one object for each game."""
        return self._context.peer

    @property
    def final_adjustment_until(self) -> float | None:
        """The loop's time when the current final adjustment ends at the latest; None if there is none."""
        adjusting = self._context.match.final_adjustment if self._context.match is not None else None
        return adjusting.until if adjusting is not None and not adjusting.over else None

    @property
    def audited(self) -> AuditedGame | None:
        """The last game with all that its audit found, once that has been made: whatever shows it takes it here."""
        return self.session.ending.audited

    @property
    def verdict(self) -> Verdict | None:
        return self.audited.verdict if self.audited is not None else None

    @property
    def record(self) -> Path | None:
        return self.session.ending.record

    @property
    def practice(self) -> bool:
        """Whether a choice was taken back in the current game."""
        match = self._context.match
        return match is not None and match.practice

    @property
    def again_from(self) -> frozenset[int]:
        """The seats whose players want another game."""
        return self.session.rematch.again_from

    @property
    def resumable(self) -> bool:
        """Whether the table has ended for this process only: its journal can be resumed."""
        return self.session.ending.resumable

    # -- who is missing ------------------------------------------------------------------------------------------------

    @property
    def away(self) -> dict[int, float]:
        """The seats whose connection is lost, and the loop's time when that happened, without seats that have left.
        Nobody is missed at a table that has ended, and no seat of this program, which no network can cut off.
        """
        table, people = self._context, dict(self._context.lobby.people)
        if table.left:
            return {}
        seats = {
            table.occupants.seat_of(key): link.away_since
            for key, link in table.links.items()
            if link.away_since is not None and key in people and key not in table.mesh.neighbours
        }
        return {seat: since for seat, since in seats.items() if seat not in table.gone_seats}

    @property
    def can_adjourn(self) -> bool:
        """Whether this game can be continued another day."""
        return self.session.adjournment.can_adjourn

    @property
    def adjourn_from(self) -> frozenset[int]:
        """The seats that want to adjourn the game."""
        return self.session.adjournment.adjourn_from

    @property
    def grace(self) -> int:
        """Seconds that a seat may be away before the others may give it up."""
        return self.session.abandonment.grace

    @property
    def absent(self) -> tuple[int, ...]:
        """The seats that may be given up now."""
        return self.session.abandonment.absent

    @property
    def abandon_from(self) -> frozenset[int]:
        """The seats that have declared the game abandoned as it stands."""
        return self.session.abandonment.abandon_from
