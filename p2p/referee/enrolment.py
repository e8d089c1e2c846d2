"""How a player comes to a tournament, and back to its table there."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from games.table import Game, Plain
from p2p.channel import Channel, Lost
from p2p.common_options import CUP
from p2p.dial import dial
from p2p.hello import Refused, refused
from p2p.identity import Identity, nickname_from
from p2p.journal import journals, read
from p2p.lobby import SIT_SECONDS
from p2p.mesh import Where
from p2p.referee.cup import Cup
from p2p.referee.wire import ENROL, Place
from p2p.terms import check_options
from p2p.text import clean
from p2p.trouble import Trouble
from protocol.encoding import Malformed


def check_game(cup: Cup, find: Callable[[str], Game]) -> None:
    """Raises Trouble where the game of a cup cannot be played here as the cup says."""
    try:
        game = find(cup.game)
    except LookupError:
        raise Trouble(f"This tournament plays {clean(cup.game, 40)!r}, which is not installed here.") from None
    if game.revision != cup.rules:
        raise Trouble(
            f"The referee has revision {cup.rules} of the rules of {game.title}, you have {game.revision}: "
            "update the older program."
        )
    for people in cup.sizes:
        check_options(game, Place(1, 0).invitation(cup, [bytes(32)] * people).terms)


async def introduced(
    where: Where, identity: Identity, nickname: str, count: int, expected: bytes | None
) -> tuple[Channel, Cup, int]:
    """A channel to the referee there, what it says is played, and how many events there are. Raises Unreachable,
    Refused.
    """
    channel = await dial(*where, identity, (ENROL,), expected=expected)
    channel.send((ENROL, nickname_from(nickname), count))
    first: Sequence[Plain] = ()
    try:
        async with asyncio.timeout(SIT_SECONDS):
            first = await channel.receive()
        match first:
            case ("cup", plain, int() as known):
                cup = Cup.read(plain)
                if cup.referee == channel.peer:
                    return channel, cup, known
    except (TimeoutError, Lost, Malformed) as error:
        await channel.close()
        raise Refused(f"{channel.address} does not speak as a referee does. Try again.") from error
    await channel.close()
    raise Refused(refused(tuple(first)) or f"{channel.address} is no referee of a tournament.")


def journal_of(data: Path | None, mark: Plain, game: bytes | None) -> Path | None:
    """The journal of the game at a table of a tournament: of the game that the referee has seen there, or of one that
    has begun here.
    """
    for path in journals(data) if data is not None else ():
        with contextlib.suppress(Trouble):
            contents = read(path)
            table = contents.table
            begun = any(entry[0] == "started" for entry in contents.entries)
            fits = table.game_id == game if game is not None else begun
            if table.roster.option(CUP) == mark and fits and contents.closed is None:
                return path
    return None
