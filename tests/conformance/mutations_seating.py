"""Mutants around the table: who sits there, and when a round of seating begins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from kimberley.p2p.base.errors import UserError
from kimberley.p2p.table import admission, guest_lobby, lobby, seat_queue, seats, table
from kimberley.p2p.transport import link
from tests.conformance.mutant import Mutant


def _ready_later(right: Any) -> Any:
    """`ready` counts whatever goes on at the table."""

    def heard(self: Any, one: Any, ballot: Any) -> Any:
        return self._on_lobby_frame(one, ("vote", "ready", ballot))

    return heard


def _two_wait(right: Any) -> Any:
    """A table of two, too, waits until all are ready."""

    def begin(self: Any) -> None:
        if all(one.ready for one in self.sitting):
            right(self)

    return begin


def _one_is_enough(right: Any) -> Any:
    """A round begins when one seat is ready."""

    def begin(self: Any) -> None:
        said = self.sitting
        self.sitting = tuple(replace(one, ready=any(each.ready for each in said)) for one in said)
        right(self)
        self.sitting = said

    return begin


def _no_news(right: Any) -> Any:
    """A newcomer ends at a `table` in which it has no seat yet."""

    async def sit_down(wire: Any, door: Any, nickname: str, port: int, queued: Any) -> None:
        wire.send(("sit", nickname, port))
        _, door.people, door.sitting = guest_lobby.read_table(await guest_lobby._next(wire), wire.peer)
        if not door.sits:
            raise UserError("There is no seat.")

    return sit_down


def _impatient(right: Any) -> Any:
    """A newcomer in a queue waits no longer than for a `table`."""

    async def following(wire: Any, seconds: float | None = seat_queue.SIT_SECONDS) -> Any:
        return await right(wire, seat_queue.SIT_SECONDS)

    return following


def _no_queue(right: Any) -> Any:
    """Whoever finds no seat is refused."""

    def sit(self: Any, one: Any, nickname: str, port: int) -> None:
        if self.has_seat:
            right(self, one, nickname, port)
        else:
            one.refuse(seat_queue.NO_SEAT)

    return sit


def _forgives(right: Any) -> Any:
    """Whoever has lost a seat gets the next one at once."""
    return lambda self, one, now: now


def _shown_meanwhile(right: Any) -> Any:
    """A player whom the host shows in the middle of a round counts for the rest of it."""

    def answer(self: Any, frame: Any) -> None:
        if self._seating is not None:
            self._seating.people = self.people
        right(self, frame)

    return answer


def _without_a_word(right: Any) -> Any:
    """Whoever is removed from the table is not told why."""

    def refuse(self: Any, reason: str) -> None:
        self.start_closing()
        self._on_change(self)

    return refuse


def _stays_closed(right: Any) -> Any:
    """A host that is back waits for a game that began nowhere."""
    return lambda self, peer: self._table.phase == "open"


SEATING: Final[dict[str, Mutant]] = {
    "seating: `ready` begins a round in a game": Mutant(seats.Seats, "_take_ready", _ready_later, "09-72"),
    "seating: who is put off is not told why": Mutant(link.Link, "refuse", _without_a_word, "09-11"),
    "seating: a host that is back opens no table": Mutant(seats.Seats, "_is_open_to", _stays_closed, "10-65"),
    "seating: two wait until they are ready": Mutant(lobby.HostLobby, "_maybe_begin", _two_wait, "09-70"),
    "seating: one that is ready is enough": Mutant(lobby.HostLobby, "_maybe_begin", _one_is_enough, "09-71"),
    "seating: a table without oneself is the end": Mutant(table, "take_seat", _no_news, "09-73"),
    "seating: waits 10 s in a queue": Mutant(guest_lobby, "_next", _impatient, "09-77"),
    "seating: a full table has no queue": Mutant(lobby.HostLobby, "_sit", _no_queue, "09-75"),
    "seating: a lost seat can be had at once": Mutant(admission.Admission, "free_at", _forgives, "09-76"),
    "seating: another key than the one that signed": Mutant(lobby.Lobby, "answer", _shown_meanwhile, "09-90"),
    "seating: another nickname than the signed one": Mutant(lobby.Lobby, "answer", _shown_meanwhile, "09-91"),
}
