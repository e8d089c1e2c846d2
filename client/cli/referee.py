"""`kimberley referee`: runs a tournament, without a screen: what happens is told in lines, and a few words steer it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import datetime
import logging
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from client.cups import counted
from client.options import read_options, refusal
from client.settings import Settings, data_folder
from client.teller import COMMANDS, Teller
from games import lookup
from games.settling import numbers
from games.table import Game, Plain
from p2p.archive import slug
from p2p.common_options import GRACE, LAST_LOOK
from p2p.files import replace
from p2p.identity import Identity
from p2p.referee.cup import SEED_SIZE, Clock, Cup
from p2p.referee.desk import Desk, Plan
from p2p.referee.enrolment import check_game
from p2p.referee.field import IN
from p2p.referee.store import Store
from p2p.referee.tournament import ENROLLING
from p2p.tasks import Tasks
from p2p.text import clean
from p2p.trouble import Trouble

if TYPE_CHECKING:
    from client.web.process import PageProcess

CUPS: Final = "cups"
"""Folder of the tournaments, in the data folder."""
DOOR: Final = "door"
"""File with the port of the last time."""
SILENCE_SECONDS: Final = 60
"""How long a referee waits for the silent, where the cup does not say it."""


def run(found: argparse.Namespace) -> int:
    """Runs the cup until it is over, or until it is stopped: then the same command goes on with it. Returns 0 if it is
    over, 1 if it had to stop. Raises Trouble.
    """
    return asyncio.run(_run(found))


async def _run(found: argparse.Namespace) -> int:
    folder = found.data if found.data is not None else data_folder() / CUPS / slug(found.name)
    identity = Identity.load_or_create(folder)
    plan = Plan(found.players, _moment(found.start), found.pause)
    store = _store(found, folder, identity)
    async with AsyncExitStack() as closing:
        closing.callback(store.close)
        # Before anybody can come: where its place is taken, nothing has begun.
        page = None if found.web is None else await closing.enter_async_context(_page(found.web, folder))
        desk = await Desk.open(
            store, lookup.find, identity, plan, port=found.port, former=_former(folder), bind=found.bind
        )
        teller = Teller(desk, folder, identity)
        closing.push_async_callback(teller.close)
        closing.push_async_callback(desk.close)
        replace(folder / DOOR, f"{desk.port}\n".encode())
        stopped = asyncio.Event()
        with _interrupts(stopped), _warnings(teller.say):
            if page is not None:
                teller.say(f"The page is at {' or '.join(page.addresses[:2])}")
                page.follow(desk, teller.say)
            teller.open(plan)
            _listen(desk, teller, stopped)
            await _until_over(desk, stopped, found.linger)
    return 0 if desk.over else 1


# -- the cup -----------------------------------------------------------------------------------------------------------


def _store(found: argparse.Namespace, folder: Path, identity: Identity) -> Store:
    """The cup of the folder, or a new one there. Raises Trouble where the command says another one."""
    if not Store.exists(folder):
        seed = secrets.token_bytes(SEED_SIZE)
        return Store.create(folder, _cup(found, identity, seed), seed)
    store = Store.open(folder)
    try:
        if _cup(found, identity, store.seed) != store.cup:
            raise Trouble(
                f'{folder} holds the cup "{store.cup.name}", begun with other settings than these. Give the same ones '
                "to go on with it, or choose another folder with --data."
            )
    except Trouble:
        store.close()
        raise
    return store


def _cup(found: argparse.Namespace, identity: Identity, seed: bytes) -> Cup:
    """The cup of a command line. Raises Trouble."""
    game = lookup.find(found.game)
    seats = min(game.seats) if found.seats is None else found.seats
    if seats not in game.seats:
        raise Trouble(f"{game.title} is played by {numbers(game.seats)}, not by {seats}.")
    try:
        cup = Cup.of(
            identity.public,
            found.name,
            game=game.id,
            rules=game.revision,
            options=_options(found, game, seats),
            format=found.format,
            rounds=found.rounds or 0,
            seats=seats,
            allowed=game.seats,
            clock=Clock.read(found.clock) if found.clock is not None else None,
            seed=seed,
        )
    except ValueError as error:
        raise Trouble(str(error)) from None
    check_game(cup, lookup.find)
    return cup


def _options(found: argparse.Namespace, game: Game, seats: int) -> dict[str, Plain]:
    """All options of the tables. Raises ValueError, Trouble."""
    chosen: dict[str, Plain] = {option.name: option.values[0][0] for option in game.options}
    chosen |= read_options(game, found.options)
    if (reason := refusal(game, seats, chosen)) is not None:
        raise Trouble(reason)
    if found.last_look is not None and not game.last_looks:
        raise Trouble(f"{game.title} has no last look: leave out --last-look.")
    look = found.last_look if found.last_look is not None else Settings().last_look
    grace = found.grace if found.grace is not None else SILENCE_SECONDS
    return chosen | {LAST_LOOK: look if game.last_looks else 0, GRACE: grace}


def _moment(text: str | None) -> float | None:
    """Seconds since 1970 of a time of the day that is still to come. Raises Trouble."""
    if text is None:
        return None
    try:
        clock = datetime.time.fromisoformat(text)
    except ValueError:
        raise Trouble(f'"{clean(text, 20)}" is no time: write it like --start 20:00.') from None
    now = datetime.datetime.now()
    then = datetime.datetime.combine(now.date(), clock)
    return (then if then > now else then + datetime.timedelta(days=1)).timestamp()


def _former(folder: Path) -> int | None:
    """The port of the last time."""
    try:
        port = int((folder / DOOR).read_text("ascii"))
    except (OSError, ValueError):
        return None
    return port if 0 < port < 1 << 16 else None


# -- what is typed, and when it ends -----------------------------------------------------------------------------------


async def _until_over(desk: Desk, stopped: asyncio.Event, linger: int | None) -> None:
    """Until it is stopped; or over, and nobody is connected any more, or `linger` seconds have passed. With None it is
    over only when it is stopped.
    """
    changed = asyncio.Event()
    stop = desk.subscribe(lambda _news: changed.set())
    stopping = asyncio.create_task(stopped.wait())
    try:
        while not stopped.is_set() and desk.problem is None and not (desk.over and linger is not None):
            changed.clear()
            news = asyncio.create_task(changed.wait())
            await asyncio.wait([stopping, news], return_when=asyncio.FIRST_COMPLETED)
            news.cancel()
        if desk.over and linger is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(linger):
                    while desk.present and not stopped.is_set():
                        changed.clear()
                        await changed.wait()
    finally:
        stop()
        stopping.cancel()


def _listen(desk: Desk, teller: Teller, stopped: asyncio.Event) -> None:
    """Reads what is typed, where somebody can type."""
    if not sys.stdin.isatty():
        return
    loop, tasks = asyncio.get_running_loop(), Tasks()

    def take(line: str) -> None:
        tasks.start(obey(desk, teller, stopped, line))

    def read() -> None:
        for line in sys.stdin:
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(take, line)

    threading.Thread(target=read, daemon=True).start()


async def obey(desk: Desk, teller: Teller, stopped: asyncio.Event, line: str) -> None:
    """Does what somebody has typed."""
    word, _, rest = line.strip().partition(" ")
    match word.lower():
        case "start":
            _start(desk, teller)
        case "next":
            _next(desk, teller)
        case "status":
            teller.status()
        case "stop":
            teller.say("Stopped." if desk.over else "Stopped. The same command goes on with it.")
            stopped.set()
        case "withdraw" if rest.strip():
            await _withdraw(desk, teller, rest.strip())
        case "":
            pass
        case _:
            teller.say(f"You may type: {COMMANDS}.")


def _start(desk: Desk, teller: Teller) -> None:
    now = desk.tournament
    if now.phase != ENROLLING:
        teller.say("It has begun already.")
    elif sum(player.state == IN for player in now.players) < 2:
        teller.say("It begins as soon as two players are there.")
    desk.start()


def _next(desk: Desk, teller: Teller) -> None:
    now = desk.tournament
    if now.phase == ENROLLING:
        teller.say('It has not begun: "start" begins it.')
    elif now.round is not None and now.round.open:
        teller.say(f"The next round begins when all is decided: {counted(len(now.round.open), 'table')} left.")
    desk.next()


async def _withdraw(desk: Desk, teller: Teller, name: str) -> None:
    now = desk.tournament
    meant = [one for one in now.players if now.name(one.identity).casefold() == name.casefold()]
    if len(meant) != 1:
        teller.say(f'Nobody is called "{clean(name, 40)}" here. Type the name as "status" shows it.')
    elif (reason := await desk.withdraw(meant[0].identity)) is not None:
        teller.say(reason)


@contextmanager
def _interrupts(stopped: asyncio.Event) -> Iterator[None]:
    """Ctrl-C, and the system's request to end, stop the cup for now."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)
    try:
        for number in signals:
            loop.add_signal_handler(number, stopped.set)
    except NotImplementedError:
        yield  # Windows: Ctrl-C raises KeyboardInterrupt.
        return
    try:
        yield
    finally:
        for number in signals:
            loop.remove_signal_handler(number)


@contextmanager
def _warnings(say: Callable[[str], None]) -> Iterator[None]:
    """What the network has to warn of becomes a line like others."""

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(f"! {clean(record.getMessage(), 1000)}")

    lines, network = Lines(logging.WARNING), logging.getLogger("p2p")
    network.addHandler(lines)
    try:
        yield
    finally:
        network.removeHandler(lines)


# -- the page ----------------------------------------------------------------------------------------------------------


def _page(where: str, folder: Path) -> AbstractAsyncContextManager[PageProcess]:
    """Shows the page at "[HOST:]PORT", while it is entered. Raises Trouble."""
    from client.web.process import page_process

    host, _, port = where.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) >= 1 << 16:
        raise Trouble(f'"{clean(where, 60)}" is no place for the page: write it like --web 8080.')
    return page_process(folder, host.strip("[]"), int(port))
