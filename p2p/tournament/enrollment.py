"""How a player enrolls in a tournament, and finds the journal of its table again."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from kimberley.games.table import Game, Plain
from kimberley.p2p.base.confusables import distinct_names
from kimberley.p2p.base.errors import NotRetryable, UserError
from kimberley.p2p.base.text import clean, quoted
from kimberley.p2p.discovery.mdns import Browser, wait_for_table
from kimberley.p2p.storage.archive import save_record
from kimberley.p2p.storage.identity import Identity, nickname_from
from kimberley.p2p.storage.journal import JournalContents, list_journals, read_journal
from kimberley.p2p.table.common_options import TOURNAMENT_MARK
from kimberley.p2p.table.resume import RestoredSeat, restore_seat
from kimberley.p2p.table.seat_queue import SIT_SECONDS
from kimberley.p2p.table.terms import check_options
from kimberley.p2p.tournament.events import TableDecided
from kimberley.p2p.tournament.messages import ENROL, TableId
from kimberley.p2p.tournament.players import NEVER_IN
from kimberley.p2p.tournament.settings import TournamentSettings
from kimberley.p2p.transport.channel import Channel, ChannelClosed
from kimberley.p2p.transport.dial import dial
from kimberley.p2p.transport.handshake import ConnectionRejected, RefusedForGood, VersionMismatch, refusal_reason
from kimberley.p2p.transport.mesh import HostPort
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.envelope import OtherRevision

log = logging.getLogger(__name__)

SEEK_SECONDS: Final = 4.0
"""How long a referee's announcement is looked for."""


def check_game(settings: TournamentSettings, find: Callable[[str], Game]) -> None:
    """Raises UserError if the tournament's game cannot be played here with its options."""
    try:
        game = find(settings.game)
    except LookupError:
        raise NotRetryable(f"This tournament plays {quoted(settings.game)}, which you have not installed.") from None
    if game.revision != settings.rules:
        raise VersionMismatch(
            f"The referee uses revision {settings.rules} of the rules of {game.title}, you have {game.revision}: "
            "update the older one."
        )
    for people in settings.sizes:
        check_options(game, TableId(1, 0).invitation(settings, [bytes(32)] * people).terms)


async def connect_to_referee(
    where: HostPort, identity: Identity, nickname: str, count: int, expected: bytes | None, *, bot: bool
) -> tuple[Channel, TournamentSettings, int]:
    """Returns a channel to the referee there, the tournament's settings, and the number of its events. `bot`: a program
    plays.

    Raises:
        Unreachable: Nobody answers there.
        ConnectionRejected: The referee refuses, or it is not a referee; VersionMismatch if its version is newer.

    """
    channel = await dial(*where, identity, (ENROL,), expected=expected)
    channel.send((ENROL, nickname_from(nickname), count, bot))
    first: Sequence[Plain] = ()
    try:
        async with asyncio.timeout(SIT_SECONDS):
            first = await channel.receive()
        match first:
            case ("cup", plain, int() as known):
                settings = TournamentSettings.read(plain)
                if settings.referee == channel.peer:
                    return channel, settings, known
    except OtherRevision as error:
        await channel.close()
        raise VersionMismatch("The referee’s version is newer. Update yours to join.") from error
    except (TimeoutError, ChannelClosed, Malformed) as error:
        await channel.close()
        raise ConnectionRejected(f"{channel.address} does not speak a referee’s protocol. Try again.") from error
    await channel.close()
    reason = refusal_reason(tuple(first)) or f"{channel.address} is not a tournament referee."
    raise RefusedForGood(reason) if reason in NEVER_IN else ConnectionRejected(reason)


async def find_referee(identity: bytes, bind: str | None) -> HostPort | None:
    """Looks for a referee's announcement, as its address or port may have changed; at `bind` only, or everywhere if
    None. Returns where it listens, or None if nothing comes in time.
    """
    async with Browser(None if bind is None else [bind]) as browser:
        referee = await wait_for_table(browser, lambda table: table.card.identity == identity, SEEK_SECONDS)
    return None if referee is None else (referee.host, referee.port)


def find_table_journal(data: Path | None, mark: Plain, game: bytes | None) -> Path | None:
    """Returns the journal of a game at a table of a tournament: of the game that the referee has seen there, or of one
    that has begun here.
    """
    for path, contents in _open_journals(data, mark) if data is not None else ():
        if contents.table.game_id == game if game is not None else _has_begun(contents):
            return path
    return None


def _open_journals(data: Path, mark: Plain) -> Iterator[tuple[Path, JournalContents]]:
    """Yields the journals of a table of a tournament that are not closed."""
    for path in list_journals(data):
        with contextlib.suppress(UserError):
            contents = read_journal(path)
            if contents.table.roster.option(TOURNAMENT_MARK) == mark and contents.closed is None:
                yield path, contents


def _has_begun(contents: JournalContents) -> bool:
    return any(entry[0] == "started" for entry in contents.entries)


def close_journals(
    data: Path, mark: Plain, result: TableDecided, find: Callable[[str], Game], identity: Identity
) -> None:
    """Closes the journals of a table that the referee has decided while the player's program was away: of its game,
    whose record keeps what was played, and of games that did not begin.
    """
    for path, _ in _open_journals(data, mark):
        try:
            restored = restore_seat(path, find, identity)
        except UserError as error:
            log.info("%s stays as it is: %s", path, error)
        else:
            _close(restored, data, result.sentence)


def _close(restored: RestoredSeat, data: Path, sentence: str) -> None:
    """Closes the journal of a seat, with a record of a game that has begun."""
    assert restored.journal is not None
    try:
        if _has_begun(restored.contents):
            names = distinct_names([clean(place.nickname) for place in restored.contents.table.roster.seats])
            save_record(data, names, restored.peer.record().pack())
        restored.journal.write([("closed", sentence)], sync=True)
    except UserError as error:
        log.warning("%s", error)
    finally:
        restored.journal.close()
