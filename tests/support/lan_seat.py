"""Programs for hosts of a test network: they host, join, watch or look for tables.

Each prints its events as JSON, one a line, with the machine's monotonic clock. Among the arguments, data=PATH is a data
folder that outlives the program, dies=N kills the program at the answer of step N, as kill -9 does, watched=1 lets it
choose only once a spectator has come, and clock=wild makes its wall clock jump by years, back and forth, at each
reading.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import hashlib
import itertools
import json
import os
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from kimberley.games import lookup
from kimberley.games.bots.base import Bot
from kimberley.games.bots.levels import make_bot
from kimberley.games.table import Game, Observation
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.discovery.mdns import Announcer, Browser, DiscoveryEvent, discover
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.resume import choose_game, list_resumable_games
from kimberley.p2p.table.spectator_client import SpectatorClient
from kimberley.p2p.table.table import Table, TableChanged, TableEvent
from kimberley.p2p.transport.handshake import PeerVersion
from kimberley.p2p.transport.listener import Listener
from kimberley.p2p.transport.table_card import TableCard
from kimberley.protocol.events import Answered, SeatDeparted
from kimberley.protocol.play import NotAllowed
from tests.support.asyncs import until
from tests.support.cards import CARDS
from tests.support.inside import links_of
from tests.support.seated import play
from tests.support.stones import MANY_STONES, STONES
from tests.support.wild_clock import wild_clock

NAMED = dict(argument.split("=") for argument in sys.argv[1:] if "=" in argument)
LINGER_SECONDS = float(NAMED.get("linger", 1))
DIES = int(NAMED.get("dies", -1))
WATCHED = int(NAMED.get("watched", 0))
THINK_SECONDS = 0.1
"""A bot's pause before each choice, so that a game lasts long enough for something to happen to its network."""


def say(event: str, **more: Any) -> None:
    print(json.dumps({"event": event, "clock": time.monotonic(), **more}), flush=True)


GAMES: dict[str, Game] = {game.id: game for game in (STONES, MANY_STONES, CARDS)}


def find(id: str) -> Game:
    """Finds a game of the tests, or an installed one."""
    return GAMES[id] if id in GAMES else lookup.find(id)


async def host(data: Path, name: str, rounds: str = "3") -> None:
    table = await Table.open(
        STONES,
        nickname=name,
        identity=Identity.load_or_create(data),
        data=data,
        options={"last_look": 0, "rounds": int(rounds)},
        headless=True,
    )
    say("open", addresses=table.addresses, port=table.port)
    await _play(table)


async def newer(data: Path, name: str) -> None:
    """Shows a table of a later revision to everybody who looks, and announces it."""
    identity, speaker = Identity.load_or_create(data), PeerVersion((99,), "99.0")
    card = TableCard(identity.public, name, STONES.id, STONES.revision, 1, 2, speaker)
    listener = Listener(identity, lambda channel: None, lambda: card, speaker=speaker)
    await listener.open()
    async with Announcer(listener.port, card):
        say("open", port=listener.port)
        await asyncio.Event().wait()


async def hog(data: Path) -> None:
    """Keeps the port of mDNS for itself."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as alone:
        alone.bind(("", 5353))
        say("open")
        await asyncio.Event().wait()


async def join(data: Path, name: str, where: str, steps: str = "-1") -> None:
    """Joins `where`: an address, or the nickname of a host to look for. Leaves the table after `steps` steps."""
    identity = Identity.load_or_create(data)
    target: Any = where
    if not any(sign in where for sign in ".:"):
        async with Browser() as browser:
            came = asyncio.get_running_loop().create_future()

            def heard(listing: DiscoveryEvent) -> None:
                if listing.found.card.nickname == where and not came.done():
                    came.set_result(listing.found)

            browser.subscribe(heard)
            target = await came
            say("found", address=target.address)
    table = await Table.join(target, find, nickname=name, identity=identity, data=data, headless=True)
    await _play(table, int(steps))


async def resume(data: Path, name: str) -> None:
    """Resumes the unfinished game."""
    identity = Identity.load_or_create(data)
    path = choose_game(list_resumable_games(data, identity.public), None).path
    table = await Table.resume(path, find, identity=identity, data=data, headless=True)
    say("back", name=name, port=table.port, steps=len(table.peer.story) if table.peer is not None else 0)
    await _play(table)


async def cards(data: Path, name: str, seats: str) -> None:
    """Hosts the card game, for two to six seats."""
    table = await Table.open(
        CARDS,
        nickname=name,
        identity=Identity.load_or_create(data),
        data=data,
        seats=int(seats),
        options={"last_look": 0},
        headless=True,
    )
    say("open", addresses=table.addresses, port=table.port)
    await _play(table)


async def insist(data: Path, name: str, where: str) -> None:
    """Joins at an address as a person does on a bad network: again and again. Reports the number of tries."""
    identity = Identity.load_or_create(data)
    for tries in itertools.count(1):
        try:
            table = await Table.join(where, find, nickname=name, identity=identity, data=data, headless=True)
        except UserError as error:
            say("refused", sentence=str(error))
            await asyncio.sleep(1)
        else:
            say("joined", tries=tries)
            if await _play(table):
                return


async def bots(data: Path, name: str, game: str, seats: str, *options: str) -> None:
    """Hosts any game, for seats that bots play. `options` are pairs of a name and a value in JSON."""
    chosen = {key: json.loads(value) for key, value in zip(options[::2], options[1::2], strict=True)}
    table = await Table.open(
        find(game),
        nickname=name,
        identity=Identity.load_or_create(data),
        data=data,
        seats=int(seats),
        options={"last_look": 0, **chosen},
        headless=True,
    )
    say("open", addresses=table.addresses, port=table.port)
    await _play(table)


async def watch(data: Path, where: str) -> None:
    """Watches a table until the game is finished."""
    del data
    watching = await SpectatorClient.open(where, find)
    stirred = asyncio.Event()
    watching.subscribe(lambda _: stirred.set())
    while watching.peer is None or not watching.peer.finished:
        stirred.clear()
        await stirred.wait()
    record = hashlib.sha256(watching.peer.record().pack()).hexdigest()
    say("finished", names=watching.names, head=watching.peer.head.hex(), record=record)
    await watching.close()


async def browse(data: Path) -> None:
    del data

    def tell(listing: DiscoveryEvent) -> None:
        table = listing.found
        say(
            listing.what,
            host=table.card.nickname,
            address=table.address,
            open=table.open,
            milliseconds=table.round_trip * 1e3,
        )

    async with Browser() as browser:
        browser.subscribe(tell)
        say("browsing", problem=browser.problem)
        silent: set[str] = set()
        announced = False
        while True:
            if announced != bool(browser.announced):
                announced = not announced
                say("announced" if announced else "withdrawn")
            if browser.silent != silent:
                silent = set(browser.silent)
                say("silent", count=len(silent))
            await asyncio.sleep(0.05)


async def look(data: Path, seconds: str) -> None:
    del data
    tables, problem = await discover(float(seconds))
    say("listed", hosts=[one.card.nickname for one in tables], problem=problem)


async def _play(table: Table, steps: int = -1) -> bool:
    """Plays to the end of the table. Returns whether a game began there."""

    def tell(event: TableEvent) -> None:
        if event == TableChanged("phase"):
            verdict = table.ending.verdict.code if table.ending.verdict else None
            list_resumable_games = (
                hashlib.sha256(table.ending.record.read_bytes()).hexdigest() if table.ending.record else None
            )
            head = table.peer.head.hex() if table.peer else None
            through = sum(link.connected and not link.direct for link in links_of(table).values())
            more = {"names": table.occupants.names, "head": head, "record": list_resumable_games, "relayed": through}
            say(table.phase, problem=table.problem, verdict=verdict, **more)
        elif event == TableChanged("network"):
            say("announced", problem=table.unannounced)
        elif event == TableChanged("away"):
            say("away", seats=sorted(table.reconnection.away))
        elif isinstance(event, SeatDeparted):
            say("gone", seat=event.seat)
        elif isinstance(event, Answered) and event.step == DIES:
            os.kill(os.getpid(), signal.SIGKILL)
        elif isinstance(event, Answered) and event.step == steps:
            table.departures.leave()

    table.subscribe(tell)
    try:
        await until(lambda: len(table.spectators) >= WATCHED, 300)
        await (play(table, Random(table.occupants.seat)) if table.game.id in GAMES else play_as_bot(table))
        if table.phase == "done":
            # Others may need a moment to see the end.
            await asyncio.sleep(LINGER_SECONDS)
    finally:
        await table.close()
        say("closed")
    return table.peer is not None


async def play_as_bot(table: Table) -> None:
    """Plays with the game's own bot, at level 1, until the game is over."""
    stirred = asyncio.Event()
    table.subscribe(lambda _: stirred.set())
    bot: Bot | None = None
    step = -1
    while table.phase not in ("done", "failed"):
        stirred.clear()
        view = table.peer
        if table.phase == "playing" and view is not None and view.asked is not None and view.asked.step != step:
            step = view.asked.step
            bot = bot or make_bot(table.game, 1, table.occupants.seat)
            choice = await asyncio.to_thread(bot.choose, Observation(table.occupants.seat, view.state, view.story))
            await asyncio.sleep(THINK_SECONDS)
            with contextlib.suppress(NotAllowed):
                table.play.choose(choice)
        await stirred.wait()


async def run(command: str, *arguments: str) -> None:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
    with tempfile.TemporaryDirectory() as folder:
        programs = (host, newer, hog, cards, bots, join, insist, resume, browse, look, watch)
        try:
            await next(program for program in programs if program.__name__ == command)(
                Path(NAMED.get("data", folder)), *arguments
            )
        except UserError as error:
            say("trouble", sentence=str(error))


def main() -> int:
    if NAMED.get("clock") == "wild":
        wild_clock()
        say("wild", jumped=abs(time.time() - datetime.datetime.now().timestamp()))
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(run(*(argument for argument in sys.argv[1:] if "=" not in argument)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
