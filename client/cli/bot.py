"""`kimberley bot host|join|resume`: a bot at a table on the network, without a screen."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any, Final

from kimberley.client.session.bots import drive
from kimberley.client.session.far import invite_far, lead_far
from kimberley.client.session.find_table import find_table, is_tournament
from kimberley.client.session.options import chosen_level, for_table
from kimberley.client.session.participants import departed_seats
from kimberley.client.session.settings import Settings, data_folder
from kimberley.client.session.unfinished_games import find_journal
from kimberley.client.session.verdicts import result_as_plain
from kimberley.games import lookup
from kimberley.games.bots.levels import make_bot
from kimberley.games.phrases import join_names
from kimberley.p2p.base.platform import chance, in_background, monotonic, run_loop, unread_output_dropped
from kimberley.p2p.base.tasks import task_scope, tell_errors
from kimberley.p2p.base.terminal import fitted
from kimberley.p2p.base.text import clean
from kimberley.p2p.discovery.mdns import Browser, DiscoveredTable
from kimberley.p2p.sentences import notices
from kimberley.p2p.sentences.verdicts import describe_result, verdict_sentence
from kimberley.p2p.sentences.ways_to_join import addresses_for_others
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.table import Notice, Table, TableChanged, TableEvent
from kimberley.protocol.events import SeatDeparted

AWAY_SECONDS: Final = 120.0
"""How long a bot waits for a player who lost the connection, in addition to the table's grace."""
LINGER_SECONDS: Final = 60
"""How long a bot stays after the game, so that people can read the dossier: when it leaves, the table closes."""
LOOK_SECONDS: Final = 5.0
"""How often a bot checks who is away."""


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Plays one game, or many until interrupted (`--again`). Returns 1 if the table failed. Raises UserError."""
    return run_loop(_run(arguments, settings))


async def _run(arguments: argparse.Namespace, settings: Settings) -> int:
    data = data_folder(arguments.data)
    identity = Identity.load_or_create(data)
    ways = lead_far(settings, data)
    try:
        return await _play(arguments, settings, identity, data)
    finally:
        ways.close()


async def _play(arguments: argparse.Namespace, settings: Settings, identity: Identity, data: Path) -> int:
    while True:
        where = await find_table(arguments.where, Browser()) if arguments.bot == "join" else ""
        if arguments.bot == "join" and await is_tournament(where):
            from kimberley.client.session.tournament_bot import run_tournament_bot

            return await run_tournament_bot(where, arguments, settings.name, identity, data)
        table = await _table(arguments, settings, identity, where)
        report = Reporter(table, arguments.json)
        seed = chance().getrandbits(32) if arguments.seed is None else arguments.seed
        tell_errors(report.notice)
        try:
            async with task_scope() as tasks:
                tasks.start(_give_up_in_time(table))
                try:
                    # In the background, because loading a bot must not keep this seat from answering the others.
                    level = chosen_level(table.game, arguments.level, arguments.usual_level)
                    bot = await in_background(make_bot, table.game, level, seed)
                    await drive(table, bot, again=arguments.again)
                    await _linger(table, _linger_seconds(arguments))
                finally:
                    report.close()
        finally:
            await table.close()
        if not arguments.again:
            return 0 if report.whole else 1


def _linger_seconds(arguments: argparse.Namespace) -> float:
    if arguments.linger is not None:
        return float(arguments.linger)
    return 0 if arguments.json else LINGER_SECONDS


async def _linger(table: Table, seconds: float) -> None:
    """Stays at a table after the game until the others have left, but at most for `seconds`."""
    stirred = asyncio.Event()
    stop = table.subscribe(lambda _event: stirred.set())
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while table.phase == "done":
                stirred.clear()
                await stirred.wait()
    stop()


async def _give_up_in_time(table: Table) -> None:
    """Gives up waiting for players who have been away for longer than the table's grace.

    If that does not end the game, the bot leaves, because no person is here to decide.
    """
    now = asyncio.get_running_loop().time
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        if table.abandonment.absent and table.occupants.seat not in table.abandonment.abandon_from:
            table.abandonment.declare()
        elif any(now() - since > AWAY_SECONDS + table.abandonment.grace for since in table.reconnection.away.values()):
            table.departures.leave()


async def _table(
    arguments: argparse.Namespace, settings: Settings, identity: Identity, where: DiscoveredTable | str
) -> Table:
    """Hosts, joins or resumes a table, as the command says. Raises UserError."""
    data = data_folder(arguments.data)
    if arguments.bot == "host":
        game = lookup.find(arguments.game)
        seats, options = for_table(settings, game, arguments.seats, arguments.options)
        table = await Table.open(
            game,
            nickname=settings.name,
            identity=identity,
            data=data,
            options=options,
            seats=seats,
            port=arguments.port,
            bind=arguments.bind,
            headless=True,
        )
        if arguments.far:
            invite_far(table, settings)
        return table
    if arguments.bot == "resume":
        path = await in_background(find_journal, data, identity.public, arguments.which)
        return await Table.resume(path, lookup.find, identity=identity, data=data, headless=True)
    return await Table.join(where, lookup.find, nickname=settings.name, identity=identity, data=data, headless=True)


class Reporter:
    """Prints what happens at a table, from its opening to its end.

    It prints lines for a person, or one JSON object a line with "event", "clock" (the machine's monotonic clock, in
    seconds) and the details of the event.
    """

    def __init__(self, table: Table, as_json: bool) -> None:
        self.whole = False
        """Whether a game has been played up to its verdict."""
        self._table = table
        self._as_json = as_json
        self._phase = ""
        self._code: str | None = None
        self._stop = table.subscribe(self._on_event)
        self._on_event(TableChanged("phase"))

    def close(self) -> None:
        """Stops printing."""
        self._stop()

    def notice(self, text: str) -> None:
        """Prints a problem that does not end the table."""
        self._say("notice", text, text=text)

    def _on_event(self, event: TableEvent) -> None:
        if isinstance(event, SeatDeparted):
            name = clean(self._table.occupants.names[event.seat])
            self._say("gone", notices.left(name), seat=event.seat)
        if isinstance(event, Notice):
            self.notice(event.text)
        if event == TableChanged("network"):
            problem = self._table.unannounced
            self._say("announced" if problem is None else "unannounced", problem or "Now visible on the network.")
        if (code := self._table.far.code) != self._code:
            self._code = code
            if code is not None:
                self._say("code", f"A friend far away types: kimberley join {code}", code=code)
        if self._table.phase != self._phase:
            self._phase = self._table.phase
            getattr(self, f"_{self._phase}")()

    def _open(self) -> None:
        table = self._table
        if not table.host:
            self._say("open", "Seated.")
            return
        addresses = list(table.addresses)
        ways = join_names([f"kimberley join {address}" for address in addresses_for_others(addresses)[:2]], "or")
        how = f"Others type: {ways}" if ways else "This computer has no network, so nobody else can join."
        self._say("open", f"Hosting {table.game.title}. {how}", addresses=addresses, port=table.port)

    def _words(self) -> None:
        table, phrase = self._table, self._table.words.phrase
        assert phrase is not None
        names = [clean(name) for name in table.occupants.names]
        self._say(
            "words",
            f"At the table: {', '.join(names)}. Four words (not compared by anyone here): {' '.join(phrase)}.",
            names=names,
            seat=table.occupants.seat,
            words=list(phrase),
            acquaintance=list(table.words.acquaintance),
        )

    def _playing(self) -> None:
        self._say("playing", "Playing.")

    def _closing(self) -> None:
        peer = self._table.peer
        result = peer.result if peer is not None else None
        assert result is not None
        gone = departed_seats(self._table)
        self._say(
            "closing",
            f"The game is over. {describe_result(result, self._table.occupants.names, gone)}",
            result=result_as_plain(result),
        )

    def _done(self) -> None:
        table, verdict, record = self._table, self._table.ending.verdict, self._table.ending.record
        self.whole = verdict is not None
        self._say(
            "done",
            table.problem
            or f"{verdict_sentence(verdict, table.occupants.names) if verdict else ''} Record: {record}".strip(),
            verdict=verdict.code if verdict else None,
            envelopes=verdict.envelopes if verdict else 0,
            record=str(record) if record else None,
            bytes=table.sent_bytes,
        )

    def _failed(self) -> None:
        self._say("failed", str(self._table.problem), problem=self._table.problem)

    def _say(self, event: str, sentence: str, **more: Any) -> None:
        line = json.dumps({"event": event, "clock": monotonic(), **more}) if self._as_json else fitted(sentence)
        with unread_output_dropped():
            print(line, flush=True)
