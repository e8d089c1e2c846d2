"""Who loses a game of a tournament by leaving it or by doing nothing, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from kimberley.games.phrases import count_of, join_names
from kimberley.p2p.table.runner import PeerView
from kimberley.p2p.tournament import events
from kimberley.referee.attendance import Attendance
from kimberley.referee.clock_keeper import ClockKeeper, WaitState, awaits_choice
from kimberley.referee.readiness import Readiness
from kimberley.referee.rulings import names_at


@dataclass(frozen=True, slots=True)
class Loss:
    """Seats that lose, how, and the sentence. Without seats nobody is at fault, and nobody wins."""

    seats: frozenset[int]
    how: str
    sentence: str


def given_up(how: Mapping[int, str], seats: Collection[int], names: Sequence[str]) -> Loss:
    """Returns the loss of these seats, which gave the game up, each as `how` says."""
    reasons = join_names([f"{names[seat]} {how[seat]}" for seat in sorted(seats)])
    return Loss(frozenset(seats), events.WITHDREW, f"{reasons}.")


def late_before_game(
    readiness: Readiness,
    people: Sequence[bytes],
    names: Sequence[str],
    is_connected: Callable[[bytes], bool],
    come_seconds: float,
    *,
    early: bool,
) -> Loss | None:
    """Returns who is late, or not ready, before the game.

    Args:
        readiness: What the players have done so far.
        people: Their identities, by seat.
        names: Their names, by seat.
        is_connected: Whether a player is connected to the referee.
        come_seconds: Seconds for a player to come, and then once more to be ready.
        early: Whether the game has not begun; otherwise the players come back to it.

    """
    within = f"within {_span(come_seconds)}"

    def loss(seats: Sequence[int], how: str, what: str) -> Loss:
        return Loss(frozenset(seats), how, f"{names_at(names, seats)} {what}.")

    if late := readiness.absent():
        again, how = (" to the table", events.ABSENT) if early else (" back to the table", events.SILENCE)
        return loss(late, how, f"did not come{again} {within}")
    if late := readiness.restless():
        return loss(late, events.UNREADY, "started over too often while the players joined")
    if late := readiness.unready():
        if gone := [seat for seat in late if not is_connected(people[seat])]:
            return loss(gone, events.ABSENT, f"did not come back to the table {within}")
        words = f"did not confirm {within} that the words match"
        return loss(late, events.UNREADY, words if readiness.comparing else f"did not join {within}")
    if readiness.unseen():
        sentence = "All players came back, but the game did not continue, and the referee cannot tell why. Nobody wins."
        return Loss(frozenset(), events.VOID, sentence)
    return None


def silent_in_game(
    view: PeerView,
    still: WaitState,
    names: Sequence[str],
    attendance: Attendance,
    keeper: ClockKeeper,
    now: float,
    grace: int,
) -> Loss | None:
    """Returns whose envelope has been missing for too long during the game, if no clock runs for it.

    Args:
        view: What a spectator knows of the game.
        still: Whom the table waits for, and since when.
        names: The names of the players, by seat.
        attendance: Which players are out of the referee's reach.
        keeper: The clocks.
        now: The loop's time.
        grace: Seconds for which the table waits for a player who is away.

    """
    long = _seconds(grace)
    waiting = frozenset(still.waiting)
    # Silence is attested, and that requires that nothing has come for the grace (SPEC.md, section 18.1).
    overdue = now - still.since >= grace
    if view.result is not None:
        sentence = f"{names_at(names, waiting)} sent nothing for {long} and did not finish the fairness check."
        return Loss(waiting, events.REFUSED, sentence) if overdue else None
    if not awaits_choice(view):
        sentence = f"{names_at(names, waiting)} sent nothing for {long} and lost by silence."
        return Loss(waiting, events.SILENCE, sentence) if overdue else None
    gone, unseen = attendance.away(now, grace) & waiting, attendance.unseen(now, grace)
    if gone and (unseen or not keeper.timed):
        sentence = f"{names_at(names, gone)} lost after being away for {long} without sending anything."
        return Loss(gone, events.SILENCE, sentence) if overdue else None
    if missing := _missing(attendance, keeper, waiting, now, grace):
        away = _span(min(attendance.away_for(seat, now) for seat in missing))
        sentence = f"{names_at(names, missing)} lost after being away for {away} on {names_at(names, waiting)}’s turn."
        return Loss(missing, events.AWAY, sentence)
    if unseen:
        sentence = f"Nobody at the table could be reached for {long}, and the referee cannot tell why. Nobody wins."
        return Loss(frozenset(), events.VOID, sentence)
    return None


def _missing(
    attendance: Attendance, keeper: ClockKeeper, waiting: frozenset[int], now: float, grace: int
) -> frozenset[int]:
    """Returns the seats that have been away for too long on the turn of others, not all of whom are away: for the grace
    of the table, and for as long as their own clock would have let them think.
    """
    if waiting <= attendance.away(now):
        return frozenset()
    return frozenset(
        seat
        for seat in attendance.away(now, grace) - waiting
        if not keeper.timed or attendance.away_for(seat, now) >= keeper.clocks.left(seat, now)
    )


def _span(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds >= 120 else _seconds(round(seconds))


def _seconds(number: int) -> str:
    return count_of(number, "second")


__all__ = ["Loss", "given_up", "late_before_game", "silent_in_game"]
