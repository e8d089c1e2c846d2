"""The chess clocks of a tournament table: the referee keeps them, the phase strip of a board shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kimberley.client.session.seat_session import session_of
from kimberley.client.ui.glyphs import cell_width, truncate
from kimberley.client.ui.palette import Color
from kimberley.games.phrases import join_names
from kimberley.p2p.sentences.notices import clock_digits
from kimberley.p2p.tournament.clock import LOW_SECONDS

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table


class ClockFace(NamedTuple):
    """A seat's clock at some time: the seconds left, whether it runs, and whether its player is away."""

    seat: int
    left: float
    runs: bool
    away: bool = False


def clocks_unknown(table: Table) -> bool:
    """Returns whether a table has clocks, but the referee who keeps them is away."""
    keeper = session_of(table).clock_keeper
    return keeper is not None and keeper.away_since is not None and bool(keeper.clocks)


def clocks_paused(table: Table) -> bool:
    """Returns whether the organizer has stopped the clocks of a table."""
    keeper = session_of(table).clock_keeper
    return keeper is not None and keeper.paused


def clock_faces(table: Table, now: float) -> tuple[ClockFace, ...]:
    """Returns the clocks of a table, by seat. Empty for a table without clocks. A player whom the referee or this
    program cannot reach is away.
    """
    if (keeper := session_of(table).clock_keeper) is None:
        return ()
    away = set(table.reconnection.away)
    return tuple(
        ClockFace(seat, clock.left(now), clock.runs, clock.away or seat in away)
        for seat, clock in enumerate(keeper.clocks)
    )


def words_countdown(table: Table, now: float) -> str | None:
    """Says how long the players of a tournament table still have to confirm that the words match; None if nobody's
    time runs. A bot confirms at once.
    """
    keeper = session_of(table).clock_keeper
    if keeper is None or keeper.wait is None or keeper.paused or table.phase != "words":
        return None
    bots = {seat for seat, bot in enumerate(table.occupants.called_bots) if bot}
    people = [seat for seat in keeper.wait.seats if seat < len(table.occupants.names) and seat not in bots]
    seats = [seat for seat in people if not table.words.agreed[seat]]
    others = join_names([table.occupants.names[seat] for seat in seats if seat != table.occupants.seat])
    left = clock_digits(keeper.wait.until - now)
    match table.occupants.seat in seats, len(seats):
        case _, 0:
            return None
        case True, 1:
            return f"You have {left} to confirm, or you lose this game."
        case True, _:
            return f"You and {others} have {left} to confirm, or lose this game."
        case False, 1:
            return f"{others} has {left} to confirm, or loses this game."
        case _:
            return f"{others} have {left} to confirm, or lose this game."


def strip_text(faces: Sequence[ClockFace], own: int, names: Sequence[str], room: int) -> tuple[str, Color]:
    """Returns all clocks in at most `room` cells, yours first, a running one marked, and "away" beside that of a player
    who is. Names are cut, and then left out, where they do not fit; where not even the times fit, the running ones come
    first.
    """
    mine = next((face for face in faces if face.seat == own), None)
    fg: Color = "warning" if any(face.away for face in faces) else "soft"
    if mine is not None and mine.runs:
        fg = "warning" if mine.left < LOW_SECONDS else "money"
    chosen = sorted(faces, key=lambda face: face is not mine)
    for most in (None, 8, 4):
        named = "  ".join(f"{'you' if face is mine else _cut(names[face.seat], most)} {_time(face)}" for face in chosen)
        if cell_width(named) <= room:
            return named, fg
    if cell_width("  ".join(map(_time, chosen))) > room:
        chosen.sort(key=lambda face: (face is not mine, not face.runs, face.left))
    while len(chosen) > 1 and cell_width("  ".join(map(_time, chosen))) > room:
        chosen.pop()
    return "  ".join(map(_time, chosen)), fg


def clock_sentences(faces: Sequence[ClockFace], own: int, names: Sequence[str]) -> list[str]:
    """Returns the clocks in sentences, for the line mode."""
    return [_clock_sentence(face, None if face.seat == own else names[face.seat]) for face in faces]


def _clock_sentence(face: ClockFace, name: str | None) -> str:
    """Returns the clock of a player in a sentence; `name` is None for the reader's own."""
    left = f"{'You have' if name is None else f'{name} has'} {clock_digits(face.left)} left"
    away = "are away" if name is None else "is away"
    match face.away, face.runs:
        case True, True:
            return f"{left}, {away}, and the clock is running."
        case True, False:
            return f"{left} and {away}."
        case False, True:
            return f"{left}, and the clock is running."
    return f"{left}."


def next_clock_tick(faces: Sequence[ClockFace], now: float) -> float | None:
    """Returns the time at which the shown digits change next; None if no clock runs."""
    running = [face.left for face in faces if face.runs and face.left > 0]
    return min((now + (left % 1.0 or 1.0) for left in running), default=None)


def _time(face: ClockFace) -> str:
    return f"{'▸' if face.runs else ''}{clock_digits(face.left)}{' away' if face.away else ''}"


def _cut(name: str, most: int | None) -> str:
    return name if most is None else truncate(name, most)
