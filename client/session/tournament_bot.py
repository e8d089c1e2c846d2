"""A bot in a tournament: it plays at every table the referee gives it, until the tournament is over.

Run it with `kimberley bot join NAME`, where NAME is the name of a tournament.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kimberley.client.session.bots import drive
from kimberley.client.session.options import chosen_level
from kimberley.games import lookup
from kimberley.games.bots.base import Bot
from kimberley.games.bots.levels import make_bot
from kimberley.p2p.base.backoff import Backoff
from kimberley.p2p.base.errors import InternalError
from kimberley.p2p.base.platform import chance, in_background, monotonic, unread_output_dropped
from kimberley.p2p.base.tasks import BackgroundTasks, tell_errors
from kimberley.p2p.base.terminal import fitted
from kimberley.p2p.discovery.mdns import DiscoveredTable
from kimberley.p2p.sentences.tournaments import count_of_points
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Notice
from kimberley.p2p.tournament.client import TournamentChanged, TournamentClient
from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.tournament.settings import table_name
from kimberley.p2p.transport.dial import Unreachable

if TYPE_CHECKING:
    from kimberley.p2p.table.table import Table

log = logging.getLogger(__name__)

AGAIN_SECONDS: Final = (0.5, 1.0, 2.0, 4.0)
"""Pauses between attempts to enroll."""
ENDED: Final = ("over", "withdrawn", "failed")
"""The phases after which this player plays no more games."""


async def run_tournament_bot(
    where: DiscoveredTable | str, arguments: argparse.Namespace, nickname: str, identity: Identity, data: Path
) -> int:
    """Enrolls a bot in a tournament and plays until its end. Returns 0 if the tournament is over, 1 if it goes on
    without the bot. Raises UserError.
    """
    client = await _entered(where, nickname, identity, data)
    game = lookup.find(client.settings.game)
    seed = chance().getrandbits(32) if arguments.seed is None else arguments.seed
    level = chosen_level(game, arguments.level, arguments.usual_level)
    report = TournamentReport(client, arguments.json)
    tell_errors(report.notice)
    try:
        await play_tournament(
            client, lambda: make_bot(game, level, seed + len(client.tournament.rounds)), report.notice
        )
    finally:
        report.close()
        await client.close()
    return 0 if client.phase == "over" else 1


async def _entered(where: DiscoveredTable | str, nickname: str, identity: Identity, data: Path) -> TournamentClient:
    """Enrolls, and tries again if many clients connect at once. Raises UserError."""
    backoff = Backoff(AGAIN_SECONDS)
    while True:
        try:
            return await TournamentClient.enter(
                where, lookup.find, nickname=nickname, identity=identity, data=data, headless=True, bot=True
            )
        except Unreachable as error:
            if backoff.failures == len(AGAIN_SECONDS):
                raise
            log.info("not in yet: %s", error)
        await asyncio.sleep(backoff.next())


class TournamentReport:
    """Prints what happens to a player in a tournament: as lines for a person, or as one JSON object a line."""

    def __init__(self, client: TournamentClient, as_json: bool) -> None:
        self._entrant = client
        self._as_json = as_json
        self._said: set[tuple[str, TableId]] = set()
        self._stop = client.subscribe(self._on_event)
        self._say(
            "joined",
            f"Joined the tournament {client.settings.name}.",
            cup=client.settings.name,
            game=client.settings.game,
        )

    def close(self) -> None:
        """Prints how the tournament ended, and stops reporting."""
        self._stop()
        client = self._entrant
        if client.phase != "over":
            self._say(
                client.phase,
                client.problem or ("Leaving: the tournament goes on without this player."),
                problem=client.problem,
            )
            return
        standings = client.tournament.standings()
        own = next(one for one in standings if one.player.identity == client.identity)
        points = count_of_points(own.points, "point")
        sentence = f"The tournament is over: rank {own.rank} of {len(standings)}, with {points}."
        self._say("over", sentence, place=own.rank, players=len(standings), points=float(own.points))

    def notice(self, text: str) -> None:
        """Prints a problem that does not end the tournament."""
        self._say("notice", text, text=text)

    def _on_event(self, change: TournamentChanged) -> None:
        client = self._entrant
        if change.what != "event" or client.place is None:
            return
        round, names = client.place.round, [client.tournament.name(one) for one in client.people]
        table, rolling = table_name(client.place.table), client.tournament.format.rolling
        where = table.capitalize() if rolling else f"Round {round}, {table}"
        self._once("round", client.place, f"{where}: {' – '.join(names)}.", table=client.place.number + 1, names=names)
        if (result := client.ruling) is not None:
            own = result.places[client.people.index(client.identity)]
            finished = f"{table.capitalize()}{'' if rolling else f' of round {round}'} is finished."
            self._once("result", client.place, f"{finished} {result.sentence}", how=result.how, place=own)

    def _once(self, event: str, where: TableId, sentence: str, **more: Any) -> None:
        if (event, where) not in self._said:
            self._said.add((event, where))
            self._say(event, sentence, round=where.round, **more)

    def _say(self, event: str, sentence: str, **more: Any) -> None:
        line = json.dumps({"event": event, "clock": monotonic(), **more}) if self._as_json else fitted(sentence)
        with unread_output_dropped():
            print(line, flush=True)


async def play_tournament(
    client: TournamentClient, bot: Callable[[], Bot], on_problem: Callable[[str], None] = lambda text: None
) -> None:
    """Plays all games of an entrant, each with a new `bot`. Calls `on_problem` with the text of each problem at a
    table. Returns when the tournament is over for the entrant.
    """
    stirred = asyncio.Event()
    stop = client.subscribe(lambda _change: stirred.set())
    played: Table | None = None
    playing = BackgroundTasks()
    try:
        while client.phase not in ENDED:
            stirred.clear()
            if client.table is not None and client.table is not played:
                played = client.table
                playing.cancel()
                await playing.wait()
                playing.start(_play(played, bot, on_problem))
            await stirred.wait()
    finally:
        stop()
        await playing.close()


async def _play(table: Table, bot: Callable[[], Bot], on_problem: Callable[[str], None]) -> None:
    """Plays one game. Loading the bot's data may take a moment, so it happens in the background."""
    stop = table.subscribe(lambda event: on_problem(event.text) if isinstance(event, Notice) else None)
    try:
        await drive(table, await in_background(bot))
    except Exception as error:
        # A bot that fails at one table must still play at the next ones.
        log.exception("the bot cannot go on")
        on_problem(str(InternalError.of(error)))
    finally:
        stop()
