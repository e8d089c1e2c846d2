"""`kimberley referee`: runs a tournament without a screen. It prints what happens, and obeys a few typed commands."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import datetime
import json
import logging
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from kimberley.games import lookup
from kimberley.games.options import format_value
from kimberley.games.phrases import join_names
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.backoff import retry
from kimberley.p2p.base.errors import NoHomeError, UserError
from kimberley.p2p.base.extras import MUSIC, require
from kimberley.p2p.base.keyboard import keyboard_told
from kimberley.p2p.base.platform import in_background, random_bytes, run_loop, wall_time
from kimberley.p2p.base.sequences import without_sequences
from kimberley.p2p.base.tasks import BackgroundTasks, task_scope, tell_errors
from kimberley.p2p.base.text import clean, name_form
from kimberley.p2p.sentences.notices import renamed
from kimberley.p2p.sentences.options import check_adjusts, check_seats, read_options, refusal
from kimberley.p2p.storage.files import StorageError, read_file, replace
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.common_options import FIXED, GRACE, NO_LIMIT, TOURNAMENT_GRACE_SECONDS, adjust_times
from kimberley.p2p.tournament.enrollment import check_game
from kimberley.p2p.tournament.player_program import PlayerProgram, RefereeSounds
from kimberley.p2p.tournament.settings import ARENA, MOST_NAME, SEED_SIZE, SWISS, TimeControl, TournamentSettings
from kimberley.p2p.transport.address import is_own_host
from kimberley.referee.async_store import AsyncStore
from kimberley.referee.console import COMMANDS, COMMANDS_AFTER, OWN_COMMANDS, RefereeConsole
from kimberley.referee.last_port import DOOR, keep_port, last_port
from kimberley.referee.organizer import Organizer
from kimberley.referee.organizer_commands import COMMANDS as ORDERS
from kimberley.referee.organizer_commands import obey_organizer, obey_page, split_order, usage
from kimberley.referee.server import RoundTiming, TournamentServer
from kimberley.referee.store import Store
from kimberley.referee.tournament_folders import TournamentFolders
from kimberley.referee.typed_lines import TypedLines

if TYPE_CHECKING:
    from kimberley.referee.page_process import PageProcess
    from kimberley.referee.seat_page import SeatPage

ARENA_MINUTES: Final = 60
"""How long an arena lasts if the command does not say."""
RUN: Final = "run.json"
"""The file with the options of the last run that are not settings of the tournament."""
MOST_RUN_BYTES: Final = 1 << 20
TIMING: Final = ("players", "start", "pause", "come")
"""The fields of `RoundTiming` that this file keeps."""
ALL: Final = "all"
"""Typed after --bind, to listen at all addresses again."""


def run(arguments: argparse.Namespace, program: PlayerProgram) -> int:
    """Runs the tournament until it is over or stopped. The same command continues a tournament that was stopped.

    Returns 0 if the tournament is over, else 1. Raises UserError.
    """
    # The page is a process of its own.
    return run_loop(_run(arguments, program), subprocesses=arguments.web is not None)


def run_asked(arguments: argparse.Namespace, program: PlayerProgram) -> int:
    """Asks what to play, here and on the organizer's page, and runs that tournament with a page. Opens its wall. Raises
    UserError.
    """
    return run_loop(_run_asked(arguments, program), subprocesses=True)


async def _run(arguments: argparse.Namespace, program: PlayerProgram) -> int:
    async with AsyncExitStack() as closing:
        lines = TypedLines()
        lines.start()
        return await _referee(closing, arguments, program, lines, None)


async def _run_asked(arguments: argparse.Namespace, program: PlayerProgram) -> int:
    from kimberley.referee.asking import first_answer
    from kimberley.referee.questions import Interview

    def begun(name: str) -> bool:
        return Store.exists(_folder(arguments, name_form(name, MOST_NAME + 1)))

    async with AsyncExitStack() as closing:
        lines = TypedLines()
        page = await _open_page(closing, program, arguments.web, tuple(arguments.web_name or ()), None)
        lines.start()
        where = "the browser of any device on this network" if _site(page) else "this computer’s browser"
        for line in (
            f"Answer here, or on this page in {where}:",
            f"  {page.addresses[0]}{page.organizer_path}",
        ):
            print(line, flush=True)
        await in_background(opened_in_browser, f"{page.addresses[0]}{page.organizer_path}")
        try:
            answers = await first_answer(Interview(arguments, begun), lines, page)
        except EOFError:
            print(flush=True)
            return 1
        return await _referee(closing, answers, program, lines, page)


async def _referee(
    closing: AsyncExitStack,
    arguments: argparse.Namespace,
    program: PlayerProgram,
    lines: TypedLines,
    page: PageProcess | None,
) -> int:
    """Runs the tournament. If its settings were asked for, `page` had the form, and shows the tournament now."""
    typed, arguments.name = arguments.name, name_form(arguments.name, MOST_NAME + 1)
    folder = _folder(arguments, arguments.name)
    begins, asked = not Store.exists(folder), page is not None
    others = TournamentFolders(arguments.data, arguments.name).others(folder) if begins else []
    if begins:
        # Before anything is written: a tournament that is refused leaves nothing behind.
        _settings(arguments, bytes(32), bytes(SEED_SIZE))
    last = read_run(folder)
    run = run_of(arguments, last)
    identity = Identity.load_or_create(folder)
    store = await AsyncStore.open(partial(_store, arguments, folder, identity))
    closing.push_async_callback(store.close)
    # Before anyone can join: if the port of the page is taken, nothing has begun yet.
    if page is not None and _stays(page, arguments, run):
        run = dataclasses.replace(run, web=arguments.web or str(page.port))
        page.show(folder)
    elif run.web is not None:
        if page is not None:
            # People know the page at its former place.
            await page.close()
        page = await _open_page(closing, program, run.web, run.web_names, folder)
    server = await TournamentServer.open(
        store, lookup.find, identity, run.timing, port=arguments.port, former=last_port(folder / DOOR), bind=run.bind
    )
    sounds = _sounds(program, wanted=getattr(arguments, "audio", None) == "on")
    closing.callback(sounds.close)
    console, tasks = RefereeConsole(server, folder, identity, program, sounds, _site(page)), BackgroundTasks()
    tell_errors(console.say)
    closing.push_async_callback(console.close)
    closing.push_async_callback(server.close)
    if page is not None:
        seats = await _open_seats(closing, server, identity, folder, run)
        if seats is not None and server.seats is None:
            tasks.start(_reopen_seats(seats, console, page, server))
    closing.push_async_callback(tasks.close)
    # Only now: an address where it cannot listen is not kept.
    remember_run(folder, run)
    with contextlib.suppress(StorageError, NoHomeError):  # Only a convenience.
        TournamentFolders(arguments.data, arguments.name).remember(folder)
    keep_port(folder / DOOR, server.port)
    stopped = asyncio.Event()
    with warnings_said(console.say):
        if not server.over:
            console.say(f"{'A new tournament' if begins else 'The tournament continues'}, in {folder}.")
        for sentence in renamed(typed, arguments.name, MOST_NAME):
            console.say(sentence)
        for other in others:
            console.say(
                f"Another {server.settings.name} is unfinished. To continue it instead, stop this one and type: "
                f"kimberley referee {shlex.quote(arguments.name)} --data {shlex.quote(str(other))}"
            )
        if page is not None:
            page.follow(server, console.say, partial(obey_page, Organizer(server, identity)))
            if not asked:
                tell_page(console, page, server)
        if last.bind is not None and last.bind != run.bind:
            console.say(f"--bind is now {run.bind or ALL}; last time it was {last.bind}.")
        console.open(run.timing)
        if page is not None and asked:
            # Last, or the code would push it off a small screen.
            tell_page(console, page, server)
            if await in_background(opened_in_browser, f"{page.addresses[0]}/wall"):
                console.say("The wall opens in your browser. Press f there to fill the screen.")
        tasks.start(_obey_lines(server, console, identity, stopped, tasks, lines))
        # Ctrl-C, or whatever else ends the program, stops the tournament for now, as the organizer can.
        with contextlib.suppress(asyncio.CancelledError):
            await _until_over(server, stopped, arguments.linger)
        again = f"To continue this tournament, type: {_command_again(arguments)}"
        if server.problem is not None:
            console.say(f"The referee has stopped. Nothing is lost. {again}")
        elif not server.over:
            console.say(f"Stopped. {again}")
    return 0 if server.over else 1


def _stays(page: PageProcess, arguments: argparse.Namespace, run: RefereeRun) -> bool:
    """Returns whether the page with the form is where the tournament has its page, or had it in the last run."""
    here = (str(page.port), tuple(arguments.web_name or ()))
    return arguments.web is not None or (run.web or here[0], run.web_names) == here


def _folder(arguments: argparse.Namespace, name: str) -> Path:
    """Returns the folder of the tournament of that name. Raises UserError if there are several."""
    folders = TournamentFolders(arguments.data, name)
    return folders.choose(arguments.folder or (None if arguments.data is None else folders.usual))


def _command_again(arguments: argparse.Namespace) -> str:
    """Returns the shortest command that continues this tournament."""
    data = () if arguments.data is None else ("--data", str(arguments.data))
    folder = () if arguments.folder is None else ("--data", str(arguments.folder))
    return shlex.join(("kimberley", *data, "referee", arguments.name, *folder))


def _sounds(program: PlayerProgram, *, wanted: bool) -> RefereeSounds:
    """Returns the sounds that the organizer hears: none, unless they were asked for. Raises MissingExtra."""
    if wanted:
        require(MUSIC, "--audio on")
    return program.sounds(wanted=wanted)


# -- the tournament ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RefereeRun:
    """The options of a run that are not settings of the tournament.

    Args:
        timing: When the rounds begin.
        web: Where the page is, as "[HOST:]PORT"; None for no page.
        web_names: Names of this machine at which the page answers, besides its own.
        bind: The only address to listen at; None for all.

    """

    timing: RoundTiming = field(default_factory=RoundTiming)
    web: str | None = None
    bind: str | None = None
    web_names: tuple[str, ...] = ()


def read_run(folder: Path) -> RefereeRun:
    """Returns the options of the last run in a folder; the defaults if there was none."""
    try:
        kept = json.loads(read_file(folder / RUN, MOST_RUN_BYTES))
    except (OSError, ValueError, RecursionError):
        kept = {}
    if not isinstance(kept, dict):
        return RefereeRun()
    timing: dict[str, Any] = {name: kept[name] for name in TIMING if isinstance(kept.get(name), int | float)}
    timing["teams"] = _kept_teams(kept.get("teams"))
    web, bind = (kept[name] if isinstance(kept.get(name), str) else None for name in ("web", "bind"))
    names = kept["web_names"] if isinstance(kept.get("web_names"), list) else []
    return RefereeRun(RoundTiming(**timing), web, bind, tuple(name for name in names if isinstance(name, str)))


def _kept_teams(kept: object) -> dict[str, tuple[str, ...]]:
    """Returns the teams in the file of the last run; anything that is not a team is left out."""
    return {
        name: tuple(members)
        for name, members in (kept.items() if isinstance(kept, dict) else ())
        if isinstance(members, list) and members and all(isinstance(one, str) for one in members)
    }


def run_of(arguments: argparse.Namespace, last: RefereeRun) -> RefereeRun:
    """Returns this run's settings: as typed, otherwise as in the last one. Raises UserError."""
    typed = {
        "players": arguments.players,
        "start": _moment(arguments.start),
        "pause": arguments.pause,
        "come": arguments.come,
    }
    changed: dict[str, Any] = {name: value for name, value in typed.items() if value is not None}
    teams = dict(map(_team, arguments.teams)) or last.timing.teams
    timing = dataclasses.replace(last.timing, **changed, teams=teams)
    bind = last.bind if arguments.bind is None else arguments.bind if arguments.bind != ALL else None
    names = last.web_names if arguments.web_name is None else tuple(arguments.web_name)
    return RefereeRun(timing, arguments.web if arguments.web is not None else last.web, bind, names)


def remember_run(folder: Path, run: RefereeRun) -> None:
    """Keeps what the name alone does not say, for the next run."""
    kept = {name: getattr(run.timing, name) for name in TIMING} | {
        "web": run.web,
        "bind": run.bind,
        "web_names": run.web_names,
        "teams": {name: list(members) for name, members in run.timing.teams.items()},
    }
    content = json.dumps(kept).encode()
    if len(content) > MOST_RUN_BYTES:
        raise UserError(
            "There are too many teams to save for the next run. Form some by hand: type team NAME: PLAYER, ..."
        )
    replace(folder / RUN, content)


def _store(arguments: argparse.Namespace, folder: Path, identity: Identity) -> Store:
    """Returns the tournament in the folder, or a new one. Raises UserError if the command describes another one."""
    if not Store.exists(folder):
        seed = random_bytes(SEED_SIZE)
        return Store.create(folder, _settings(arguments, identity.public, seed), seed)
    store = Store.open(folder)
    try:
        check_game(store.settings, lookup.find)
        if differences := _differences(arguments, store.settings):
            raise UserError(
                f'{folder} already holds the tournament "{store.settings.name}", with other settings: '
                f"{'; '.join(differences)}. To continue it, type only its name. For a new one, choose another folder "
                "with --data."
            )
        _check_teams(arguments, store.settings)
    except ValueError as error:
        store.close()
        raise UserError(str(error)) from None
    except UserError:
        store.close()
        raise
    return store


def _differences(arguments: argparse.Namespace, begun: TournamentSettings) -> list[str]:
    """Returns what was typed differently from when the tournament began, with both settings. Raises ValueError."""
    clock = None if arguments.clock is None else TimeControl.read(arguments.clock)
    options = dict(begun.options)
    pairs: list[tuple[str, object, object]] = [
        ("the name", arguments.name, begun.name),
        ("--game", arguments.game, begun.game),
        ("--format", arguments.format, begun.format),
        ("--rounds", arguments.rounds, begun.rounds or "as many as the format needs"),
        ("--seats", arguments.seats, begun.seats),
        ("--clock", clock, begun.clock or "no clock"),
        ("--minutes", arguments.minutes, begun.minutes),
        ("--boards", arguments.boards, begun.boards),
        ("--late-byes", arguments.late_byes, begun.late),
        ("--adjust", arguments.adjust and arguments.adjust.text, adjust_times(options).text),
        ("--grace", arguments.grace, options.get(GRACE)),
    ]
    for name, value in read_options(lookup.find(begun.game), arguments.options).items():
        pairs.append((f"--option {name}", format_value(value), format_value(options.get(name))))
    return [f"{what} is {was!s}, not {typed!s}" for what, typed, was in pairs if typed not in (None, was)]


def _check_teams(arguments: argparse.Namespace, settings: TournamentSettings) -> None:
    """Raises UserError if teams are named for a tournament in which everybody plays alone."""
    if arguments.teams and not settings.boards:
        boards = max(2, min(len(members) for _, members in map(_team, arguments.teams)))
        raise UserError(f"Teams need a number of boards: add --boards {boards}, or leave out --team.")


def _settings(arguments: argparse.Namespace, referee: bytes, seed: bytes) -> TournamentSettings:
    """Returns the tournament of this referee that the command line describes. Raises UserError."""
    game, format = lookup.find(arguments.game or arguments.usual_game), arguments.format or SWISS
    seats = min(game.seats) if arguments.seats is None else arguments.seats
    check_seats(game, seats)
    try:
        settings = TournamentSettings.of(
            referee,
            arguments.name,
            game=game.id,
            rules=game.revision,
            options=_options(arguments, game, seats),
            format=format,
            rounds=arguments.rounds or 0,
            seats=seats,
            allowed=game.seats,
            clock=TimeControl.read(arguments.clock) if arguments.clock is not None else None,
            seed=seed,
            minutes=arguments.minutes if arguments.minutes is not None else ARENA_MINUTES if format == ARENA else 0,
            boards=arguments.boards or 0,
            late=arguments.late_byes or 0,
        )
    except ValueError as error:
        raise UserError(str(error)) from None
    check_game(settings, lookup.find)
    _check_teams(arguments, settings)
    return settings


def _team(text: str) -> tuple[str, tuple[str, ...]]:
    """Returns the name of a team and those of its players, typed as "Reds: ana, ben". Raises UserError."""
    name, _, people = text.partition(":")
    name, members = name_form(name, MOST_NAME + 1), tuple(one.strip() for one in people.split(",") if one.strip())
    if not members or not 0 < len(name) <= MOST_NAME:
        raise UserError(f'"{clean(text, 60)}" is not a team. Write it like --team "Reds: ana, ben, carla".')
    return name, members


def _options(arguments: argparse.Namespace, game: Game, seats: int) -> dict[str, Plain]:
    """Returns all options of the tables. Raises ValueError, UserError."""
    chosen: dict[str, Plain] = {option.name: option.values[0][0] for option in game.options}
    chosen |= read_options(game, arguments.options)
    if (reason := refusal(game, seats, chosen)) is not None:
        raise UserError(reason)
    if arguments.adjust is not None:
        check_adjusts(game)
    times = NO_LIMIT if not game.last_looks else arguments.adjust or FIXED
    grace = arguments.grace if arguments.grace is not None else TOURNAMENT_GRACE_SECONDS
    return chosen | times.options | {GRACE: grace}


def _moment(text: str | None) -> float | None:
    """Returns the next time that the clock shows `text`, in seconds since 1970. Raises UserError."""
    if text is None:
        return None
    try:
        clock = datetime.time.fromisoformat(text)
    except ValueError:
        raise UserError(f'"{clean(text, 20)}" is not a time. Write it like --start 20:00.') from None
    now = datetime.datetime.fromtimestamp(wall_time())
    then = datetime.datetime.combine(now.date(), clock)
    return (then if then > now else then + datetime.timedelta(days=1)).timestamp()


# -- what is typed, and when it ends -----------------------------------------------------------------------------------


async def _until_over(server: TournamentServer, stopped: asyncio.Event, linger: int | None) -> None:
    """Waits until the tournament is stopped or has a problem.

    Unless `linger` is None, it also ends after the tournament, as soon as everyone has left or `linger` seconds later.
    """
    changed = asyncio.Event()
    stop = server.subscribe(lambda _news: changed.set())

    async def note_stop() -> None:
        await stopped.wait()
        changed.set()

    try:
        async with task_scope() as tasks:
            tasks.start(note_stop())
            while not stopped.is_set() and server.problem is None and not (server.over and linger is not None):
                changed.clear()
                await changed.wait()
            if server.over and linger is not None:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(linger):
                        while server.present and not stopped.is_set():
                            changed.clear()
                            await changed.wait()
    finally:
        stop()


async def _obey_lines(
    server: TournamentServer,
    console: RefereeConsole,
    identity: Identity,
    stopped: asyncio.Event,
    tasks: BackgroundTasks,
    lines: TypedLines,
) -> None:
    """Obeys typed lines until the input ends. Obeying a line may take longer than typing the next one."""
    with contextlib.suppress(EOFError):
        while True:
            tasks.start(obey(server, console, identity, stopped, await lines.next()))


async def obey(
    server: TournamentServer, console: RefereeConsole, identity: Identity, stopped: asyncio.Event, line: str
) -> None:
    """Does what the user typed. `identity` is the referee's."""
    line = without_sequences(line)
    word, _ = split_order(line)
    match word:
        case "status":
            console.status()
        case "y" if not server.over:
            console.share()
        case "stop":
            stopped.set()
        case "":
            pass
        case order if order in ORDERS:
            # What was done is printed as an event; a problem that ends the referee is printed when it occurs.
            reply = await obey_organizer(Organizer(server, identity), line)
            if not reply.done and reply.sentence != server.problem:
                console.say(reply.sentence)
        case _:
            for sentence in keyboard_told(line):
                console.say(sentence)
            unknown = "" if word == "help" else f'No command "{clean(word, 20)}". '
            console.say(f"{unknown}Commands: {', '.join(COMMANDS_AFTER if server.over else COMMANDS)}.")
            for typed, effect in () if server.over else (*usage(), *OWN_COMMANDS.items()):
                console.say(f"  {typed} — {effect}")


@contextmanager
def warnings_said(say: Callable[[str], None]) -> Iterator[None]:
    """Prints the warnings of the network and of the referee as lines like the others."""

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            why = f": {record.exc_info[1]}" if record.exc_info else ""
            say(f"! {clean(f'{record.getMessage()}{why}', 1000)}")

    lines = Lines(logging.WARNING)
    loggers = [logging.getLogger(name) for name in ("kimberley.p2p", "kimberley.referee")]
    for logger in loggers:
        logger.addHandler(lines)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(lines)


# -- the page ----------------------------------------------------------------------------------------------------------


async def _open_page(
    closing: AsyncExitStack, program: PlayerProgram, where: str | None, names: Sequence[str], folder: Path | None
) -> PageProcess:
    """Serves the page at "[HOST:]PORT"; None: at the usual port, or else at any free one. Without a folder, it shows a
    form. Raises UserError.
    """
    from kimberley.p2p.transport.ports import PAGE_PORT

    if where is not None:
        return await closing.enter_async_context(_page(program.page_games, where, names, folder))
    try:
        return await closing.enter_async_context(_page(program.page_games, str(PAGE_PORT), names, folder))
    except UserError:
        return await closing.enter_async_context(_page(program.page_games, "0", names, folder))


def _site(page: PageProcess | None) -> str:
    """Returns where phones on this network find the page; empty if they cannot."""
    address = page.addresses[0] if page is not None else ""
    host = urlsplit(address).hostname or "localhost"
    return "" if is_own_host(host) else address


async def _open_seats(
    closing: AsyncExitStack, server: TournamentServer, identity: Identity, folder: Path, run: RefereeRun
) -> SeatPage | None:
    """Returns the page for people who have only a browser; None if it cannot run here. It is served, unless its former
    port is taken. Raises UserError.
    """
    from kimberley.referee.seat_page import FormerPortTaken, build_seat_page

    seats = await build_seat_page(server, identity, folder, run.bind)
    if seats is not None:
        closing.push_async_callback(seats.close)
        with contextlib.suppress(FormerPortTaken):
            await seats.serve()
    return seats


async def _reopen_seats(seats: SeatPage, console: RefereeConsole, page: PageProcess, server: TournamentServer) -> None:
    """Serves the page for people who have only a browser as soon as its former port is free."""
    from kimberley.referee.seat_page import AGAIN_SECONDS

    await retry(seats.serve, AGAIN_SECONDS, lambda reason: console.say(f"! {reason}"))
    console.say("Players in browsers can come back now.")
    tell_seats(console, page, server)


def tell_page(console: RefereeConsole, page: PageProcess, server: TournamentServer) -> None:
    """Says where the pages are, and who can play in one."""
    console.say(f"Web page: {join_names(page.addresses[:2], 'or')}")
    console.say(f"Wall, for a large display: {page.addresses[0]}/wall")
    tell_seats(console, page, server)
    console.say(f"Your private link to the organizer’s page: {page.addresses[0]}{page.organizer_path}")


def tell_seats(console: RefereeConsole, page: PageProcess, server: TournamentServer) -> None:
    """Says who can play in a browser, if anybody can now."""
    if server.over:
        return
    if server.seats is not None and _site(page):
        console.say(f"Phones can play. Compare these digits with those on the phone: {server.seats[1]}")
    elif server.seats is not None:
        console.say(f"You can play in this computer’s browser. Compare these digits with its page: {server.seats[1]}")


def opened_in_browser(address: str) -> bool:
    """Opens a page in the browser of this desktop. Returns whether there is one."""
    import webbrowser

    # Without a desktop it would be a browser in this terminal.
    desktop = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    return desktop and webbrowser.open(address)


def _page(
    games: str, where: str, names: Sequence[str], folder: Path | None
) -> AbstractAsyncContextManager[PageProcess]:
    """Returns a context manager that serves the page at "[HOST:]PORT", also under these names. Raises UserError."""
    from kimberley.referee.page_process import page_process

    host, _, port = where.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) >= 1 << 16:
        raise UserError(f'"{clean(where, 60)}" is not a place for the web page. Write it like --web 8080.')
    return page_process(games, folder, host.strip("[]"), int(port), names)
