"""A tournament in words, as only its organizer and the referee's pages have them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kimberley.games.phrases import join_names
from kimberley.p2p.sentences.notices import clock_digits
from kimberley.p2p.sentences.tournaments import describe_order, ends_next
from kimberley.p2p.sentences.verdicts import CHECKS_OUT, heading, verdict_lines
from kimberley.p2p.tournament.settings import table_name
from kimberley.protocol.audit import INCOMPLETE, Verdict

if TYPE_CHECKING:
    from kimberley.p2p.tournament.players import TournamentTable
    from kimberley.p2p.tournament.tournament import Tournament


def describe_wait(names: Iterable[str], doing: str, seconds: float) -> str:
    """Returns whom a table waits for before its game: "fay (comparing words, 1:40)". `seconds` is how long that may
    last.
    """
    return f"{join_names(list(names))} ({doing}, {clock_digits(seconds)})"


def latest_message(tournament: Tournament) -> str:
    """Returns what the organizer last said to everybody since the current round was paired; empty for nothing."""
    last = tournament.messages[-1] if tournament.messages else None
    begun = tournament.round.begun if tournament.round is not None else 0
    return last.text if last is not None and last.at >= begun else ""


def next_button(tournament: Tournament) -> str:
    """Returns the label of the organizer's button that begins what follows the current round."""
    if ends_next(tournament):
        return "End tournament"
    if tournament.rounds:
        return "Next round"
    return "Start the arena" if tournament.format.rolling else "Start round 1"


def hold_button(tournament: Tournament) -> str:
    """Returns the label of the organizer's button that makes it wait for an order."""
    return "Hold the end" if ends_next(tournament) else "Hold next round"


def describe_table(table: TournamentTable) -> str:
    """Returns what the store knows about a table: its result, or whether its game has begun and is paused."""
    if table.decided is not None:
        return table.decided.sentence
    return f"{'playing.' if table.game else 'not started.'}{describe_pause(table)}"


def table_line(tournament: Tournament, table: TournamentTable, state: str) -> str:
    """Returns a table with its players, and its state or result."""
    return f"{table_name(table.id).capitalize()}, {' – '.join(map(tournament.label, table.seats))}: {state}"


def describe_former(tournament: Tournament, table: TournamentTable) -> list[str]:
    """Returns each result of a table that no longer counts, and why it does not, in sentences."""
    return [
        f"{result.sentence} This result no longer counts. {describe_order(tournament, order)}"
        for result, order in zip(table.former, table.reopened, strict=True)
    ]


def describe_pause(table: TournamentTable) -> str:
    """Adds to a sentence about a table that it is paused; empty if it is not."""
    return " Paused by the organizer." if table.paused else ""


def ended_by_hand_lines(verdict: Verdict) -> list[str]:
    """Returns the verdict on a game that the organizer has ended, as lines for a person: an unfinished record is
    nobody's fault there.
    """
    if verdict.code != INCOMPLETE:
        return verdict_lines(verdict)
    ended = f"{heading(verdict.code)}: the organizer ended the game. {CHECKS_OUT}"
    return [ended, *verdict_lines(verdict)[1:-1]]
