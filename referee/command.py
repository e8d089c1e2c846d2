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

from kimberley.games import lookup
from kimberley.games.options import format_seat_counts, format_value
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import NoHomeError, UserError
from kimberley.p2p.base.extras import MUSIC, require
from kimberley.p2p.base.keyboard import keyboard_told, split_command
from kimberley.p2p.base.platform import in_background, random_bytes, run_loop, start_thread, wall_time
from kimberley.p2p.base.sequences import without_sequences
from kimberley.p2p.base.tasks import BackgroundTasks, task_scope, tell_errors
from kimberley.p2p.base.text import clean, name_form
from kimberley.p2p.sentences.notices import renamed
from kimberley.p2p.sentences.options import read_options, refusal
from kimberley.p2p.sentences.tournaments import SILENCE_SECONDS
from kimberley.p2p.storage.files import StorageError, read_file, replace
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.table.common_options import FIXED, GRACE, NO_LIMIT, adjust_times
from kimberley.p2p.tournament.enrollment import check_game
from kimberley.p2p.tournament.orders import OrderReply
from kimberley.p2p.tournament.player_program import PlayerProgram, RefereeSounds
from kimberley.p2p.tournament.settings import ARENA, MOST_NAME, SEED_SIZE, SWISS, TimeControl, TournamentSettings
from kimberley.p2p.tournament.store import Store
from kimberley.referee.async_store import AsyncStore
from kimberley.referee.console import COMMANDS, OWN_COMMANDS, RefereeConsole
from kimberley.referee.organizer import Organizer
from kimberley.referee.organizer_commands import COMMANDS as ORDERS
from kimberley.referee.organizer_commands import obey_organizer, usage
from kimberley.referee.server import RoundTiming, TournamentServer
from kimberley.referee.tournament_folders import TournamentFolders

if TYPE_CHECKING:
    from kimberley.referee.page_process import PageProcess

DOOR: Final = "door"
"""File with the port of the last run."""
MOST_DOOR_BYTES: Final = 16
ARENA_MINUTES: Final = 60
"""How long an arena lasts if the command does not say."""
RUN: Final = "run.json"
"""File with what the last run was told besides the settings of the tournament."""
MOST_RUN_BYTES: Final = 1 << 20
MOST_READ: Final = 4096
"""Bytes of the commands that are read at once."""
TIMING: Final = ("players", "start", "pause", "come")
"""What is kept of `RoundTiming`."""
ALL: Final = "all"
"""Typed after --bind, to listen at all addresses again."""


def run(found: argparse.Namespace, program: PlayerProgram) -> int:
    """Runs the tournament until it is over or stopped. The same command continues a tournament that was stopped.

    Returns 0 if the tournament is over, else 1. Raises UserError.
    """
    # The page is a process of its own.
    return run_loop(_run(found, program), subprocesses=found.web is not None)


def run_asked(found: argparse.Namespace, program: PlayerProgram) -> int:
    """Asks what to play, and runs that tournament with a page, whose wall it opens. Raises UserError."""
    from kimberley.referee.questions import ask

    def begun(name: str) -> bool:
        folders = TournamentFolders(found.data, name_form(name, MOST_NAME + 1))
        return Store.exists(folders.choose(found.folder or (None if found.data is None else folders.usual)))

    try:
        ask(found, input, print, begun)
    except (EOFError, KeyboardInterrupt):
        print()
        return 1
    return run_loop(_run(found, program, asked=True), subprocesses=True)


async def _run(found: argparse.Namespace, program: PlayerProgram, *, asked: bool = False) -> int:
    """Runs the tournament. If its settings were `asked`, it has a page at any free port, and the wall is opened."""
    typed, found.name = found.name, name_form(found.name, MOST_NAME + 1)
    folders = TournamentFolders(found.data, found.name)
    folder = folders.choose(found.folder or (None if found.data is None else folders.usual))
    begins = not Store.exists(folder)
    others = folders.others(folder) if begins else []
    if begins:
        # Before anything is written: a tournament that is refused leaves nothing behind.
        _settings(found, bytes(32), bytes(SEED_SIZE))
    last = read_run(folder)
    run = run_of(found, last)
    identity = Identity.load_or_create(folder)
    store = await AsyncStore.open(partial(_store, found, folder, identity))
    async with AsyncExitStack() as closing:
        closing.push_async_callback(store.close)
        # Before anyone can join: if the port of the page is taken, nothing has begun yet.
        page = await _open_page(closing, run, folder, anywhere=asked and run.web is None)
        server = await TournamentServer.open(
            store, lookup.find, identity, run.timing, port=found.port, former=_former(folder), bind=run.bind
        )
        sounds = _sounds(program, wanted=getattr(found, "audio", None) == "on")
        closing.callback(sounds.close)
        console, tasks = RefereeConsole(server, folder, identity, program, sounds), BackgroundTasks()
        tell_errors(console.say)
        closing.push_async_callback(console.close)
        closing.push_async_callback(server.close)
        closing.push_async_callback(tasks.close)
        if page is not None and run.web is None:
            run = dataclasses.replace(run, web=page.addresses[0].rpartition(":")[2])
        # Only now: an address where it cannot listen is not kept.
        remember_run(folder, run)
        with contextlib.suppress(StorageError, NoHomeError):  # It is only a help.
            folders.remember(folder)
        replace(folder / DOOR, f"{server.port}\n".encode())
        stopped = asyncio.Event()
        with _warnings(console.say):
            console.say(f"{'A new tournament' if begins else 'The tournament continues'}, in {folder}.")
            for sentence in renamed(typed, found.name, MOST_NAME):
                console.say(sentence)
            for other in others:
                console.say(
                    f"Another {server.settings.name} is not over yet. To continue that one, stop this one and type: "
                    f"kimberley referee {shlex.quote(found.name)} --data {shlex.quote(str(other))}"
                )
            if page is not None:
                page.follow(server, console.say, partial(_order, server, identity))
                if not asked:
                    _tell_page(console, page)
            if last.bind is not None and last.bind != run.bind:
                console.say(f"--bind is now {run.bind or ALL}; last time it was {last.bind}.")
            console.open(run.timing)
            if page is not None and asked:
                # Last, or the code would push it off a small screen.
                _tell_page(console, page)
                if await in_background(opened_in_browser, f"{page.addresses[0]}/wall"):
                    console.say("The wall opens in your browser. Press f there to fill the screen.")
            _listen(server, console, identity, stopped, tasks)
            # Ctrl-C, or whatever else ends the program, stops the tournament for now, as the organizer can.
            with contextlib.suppress(asyncio.CancelledError):
                await _until_over(server, stopped, found.linger)
            if server.problem is not None:
                console.say("The referee has stopped. Nothing is lost: the same command continues it.")
    return 0 if server.over else 1


def _sounds(program: PlayerProgram, *, wanted: bool) -> RefereeSounds:
    """What the organizer hears: nothing, unless it was asked for. Raises MissingExtra."""
    if wanted:
        require(MUSIC, "--audio on")
    return program.sounds(wanted=wanted)


# -- the tournament ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RefereeRun:
    """What a run was told besides the settings of the tournament.

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
    """Returns the last run in a folder; one that was told nothing if there was none."""
    try:
        kept = json.loads(read_file(folder / RUN, MOST_RUN_BYTES))
    except (OSError, ValueError, RecursionError):
        kept = {}
    if not isinstance(kept, dict):
        return RefereeRun()
    told: dict[str, Any] = {name: kept[name] for name in TIMING if isinstance(kept.get(name), int | float)}
    told["teams"] = _kept_teams(kept.get("teams"))
    web, bind = (kept[name] if isinstance(kept.get(name), str) else None for name in ("web", "bind"))
    names = kept["web_names"] if isinstance(kept.get("web_names"), list) else []
    return RefereeRun(RoundTiming(**told), web, bind, tuple(name for name in names if isinstance(name, str)))


def _kept_teams(kept: object) -> dict[str, tuple[str, ...]]:
    """The teams in the file of the last run; what is no team is left out."""
    return {
        name: tuple(members)
        for name, members in (kept.items() if isinstance(kept, dict) else ())
        if isinstance(members, list) and members and all(isinstance(one, str) for one in members)
    }


def run_of(found: argparse.Namespace, last: RefereeRun) -> RefereeRun:
    """This run: as typed, otherwise as the last one. Raises UserError."""
    typed = {"players": found.players, "start": _moment(found.start), "pause": found.pause, "come": found.come}
    changed: dict[str, Any] = {name: value for name, value in typed.items() if value is not None}
    teams = dict(map(_team, found.teams)) or last.timing.teams
    timing = dataclasses.replace(last.timing, **changed, teams=teams)
    bind = last.bind if found.bind is None else found.bind if found.bind != ALL else None
    names = last.web_names if found.web_name is None else tuple(found.web_name)
    return RefereeRun(timing, found.web if found.web is not None else last.web, bind, names)


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
        raise UserError("So many teams cannot be kept for the next run. Form them by hand: type team NAME: PLAYER, ...")
    replace(folder / RUN, content)


def _store(found: argparse.Namespace, folder: Path, identity: Identity) -> Store:
    """The tournament in the folder, or a new one there. Raises UserError if the command describes another one."""
    if not Store.exists(folder):
        seed = random_bytes(SEED_SIZE)
        return Store.create(folder, _settings(found, identity.public, seed), seed)
    store = Store.open(folder)
    try:
        check_game(store.settings, lookup.find)
        if differences := _differences(found, store.settings):
            raise UserError(
                f'{folder} already holds the tournament "{store.settings.name}", with other settings: '
                f"{'; '.join(differences)}. To continue it, type only its name. For a new one, choose another folder "
                "with --data."
            )
        _check_teams(found, store.settings)
    except ValueError as error:
        store.close()
        raise UserError(str(error)) from None
    except UserError:
        store.close()
        raise
    return store


def _differences(found: argparse.Namespace, begun: TournamentSettings) -> list[str]:
    """What was typed otherwise than when the tournament began, with both settings. Raises ValueError."""
    clock = None if found.clock is None else TimeControl.read(found.clock)
    options = dict(begun.options)
    pairs: list[tuple[str, object, object]] = [
        ("the name", found.name, begun.name),
        ("--game", found.game, begun.game),
        ("--format", found.format, begun.format),
        ("--rounds", found.rounds, begun.rounds or "as many as the format needs"),
        ("--seats", found.seats, begun.seats),
        ("--clock", clock, begun.clock or "no clock"),
        ("--minutes", found.minutes, begun.minutes),
        ("--boards", found.boards, begun.boards),
        ("--adjust", found.adjust and found.adjust.text, adjust_times(options).text),
        ("--grace", found.grace, options.get(GRACE)),
    ]
    for name, value in read_options(lookup.find(begun.game), found.options).items():
        pairs.append((f"--option {name}", format_value(value), format_value(options.get(name))))
    return [f"{what} is {was!s}, not {typed!s}" for what, typed, was in pairs if typed not in (None, was)]


def _check_teams(found: argparse.Namespace, settings: TournamentSettings) -> None:
    """Raises UserError if teams are named for a tournament in which everybody plays alone."""
    if found.teams and not settings.boards:
        boards = max(2, min(len(members) for _, members in map(_team, found.teams)))
        raise UserError(f"Teams need a number of boards: add --boards {boards}, or leave out --team.")


def _settings(found: argparse.Namespace, referee: bytes, seed: bytes) -> TournamentSettings:
    """The tournament of this referee that the command line describes. Raises UserError."""
    game, format = lookup.find(found.game or found.usual_game), found.format or SWISS
    seats = min(game.seats) if found.seats is None else found.seats
    if seats not in game.seats:
        raise UserError(f"{game.title} is for {format_seat_counts(game.seats)} players, not {seats}.")
    try:
        settings = TournamentSettings.of(
            referee,
            found.name,
            game=game.id,
            rules=game.revision,
            options=_options(found, game, seats),
            format=format,
            rounds=found.rounds or 0,
            seats=seats,
            allowed=game.seats,
            clock=TimeControl.read(found.clock) if found.clock is not None else None,
            seed=seed,
            minutes=found.minutes if found.minutes is not None else ARENA_MINUTES if format == ARENA else 0,
            boards=found.boards or 0,
        )
    except ValueError as error:
        raise UserError(str(error)) from None
    check_game(settings, lookup.find)
    _check_teams(found, settings)
    return settings


def _team(text: str) -> tuple[str, tuple[str, ...]]:
    """The name of a team and those of its players, typed as "Reds: ana, ben". Raises UserError."""
    name, _, people = text.partition(":")
    name, members = name_form(name, MOST_NAME + 1), tuple(one.strip() for one in people.split(",") if one.strip())
    if not members or not 0 < len(name) <= MOST_NAME:
        raise UserError(f'"{clean(text, 60)}" is not a team. Write it like --team "Reds: ana, ben, carla".')
    return name, members


def _options(found: argparse.Namespace, game: Game, seats: int) -> dict[str, Plain]:
    """All options of the tables. Raises ValueError, UserError."""
    chosen: dict[str, Plain] = {option.name: option.values[0][0] for option in game.options}
    chosen |= read_options(game, found.options)
    if (reason := refusal(game, seats, chosen)) is not None:
        raise UserError(reason)
    if found.adjust is not None and not game.last_looks:
        raise UserError(f"Plans cannot be adjusted in {game.title}: leave out --adjust.")
    times = NO_LIMIT if not game.last_looks else found.adjust or FIXED
    grace = found.grace if found.grace is not None else SILENCE_SECONDS
    return chosen | times.options | {GRACE: grace}


def _moment(text: str | None) -> float | None:
    """The next time that the clock shows `text`, in seconds since 1970. Raises UserError."""
    if text is None:
        return None
    try:
        clock = datetime.time.fromisoformat(text)
    except ValueError:
        raise UserError(f'"{clean(text, 20)}" is not a time. Write it like --start 20:00.') from None
    now = datetime.datetime.fromtimestamp(wall_time())
    then = datetime.datetime.combine(now.date(), clock)
    return (then if then > now else then + datetime.timedelta(days=1)).timestamp()


def _former(folder: Path) -> int | None:
    """The port of the last run; None if it is not known."""
    try:
        port = int(read_file(folder / DOOR, MOST_DOOR_BYTES))
    except (OSError, ValueError):
        return None
    return port if 0 < port < 1 << 16 else None


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


def _listen(
    server: TournamentServer,
    console: RefereeConsole,
    identity: Identity,
    stopped: asyncio.Event,
    tasks: BackgroundTasks,
) -> None:
    """Reads lines from a terminal, a pipe or a file until they end. `tasks` do what they say."""
    if (source := sys.stdin) is None:
        return
    try:
        handle = source.fileno()
    except (OSError, ValueError):
        return
    loop = asyncio.get_running_loop()

    def take(line: str) -> None:
        tasks.start(obey(server, console, identity, stopped, line))

    def read() -> None:
        # Not by lines of `sys.stdin`: a thread that waits there holds a lock that the end of the program needs.
        rest = b""
        with contextlib.suppress(OSError, RuntimeError):
            while data := os.read(handle, MOST_READ):
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    loop.call_soon_threadsafe(take, line.decode("utf-8", "replace"))
                rest = rest[:MOST_READ]
            if rest:
                loop.call_soon_threadsafe(take, rest.decode("utf-8", "replace"))

    start_thread(read)


async def obey(
    server: TournamentServer, console: RefereeConsole, identity: Identity, stopped: asyncio.Event, line: str
) -> None:
    """Does what the user typed. `identity` is the referee's."""
    line = without_sequences(line)
    word, _ = split_command(line)
    match word:
        case "status":
            console.status()
        case "y":
            console.share(copy=True)
        case "stop":
            console.say("Stopped." if server.over else "Stopped. The same command continues it.")
            stopped.set()
        case "":
            pass
        case order if order in ORDERS:
            # What was done is told as an event; what ends the referee is said when it happens.
            reply = await _order(server, identity, line)
            if not reply.done and reply.sentence != server.problem:
                console.say(reply.sentence)
        case _:
            for told in keyboard_told(line):
                console.say(told)
            unknown = "" if word == "help" else f'No command "{clean(word, 20)}". '
            console.say(f"{unknown}Commands: {', '.join(COMMANDS)}.")
            for typed, effect in (*usage(), *OWN_COMMANDS.items()):
                console.say(f"  {typed} — {effect}")


async def _order(server: TournamentServer, identity: Identity, line: str) -> OrderReply:
    """Does what the organizer typed, here or on the page."""
    return await obey_organizer(Organizer(server, identity), line)


@contextmanager
def _warnings(say: Callable[[str], None]) -> Iterator[None]:
    """Prints the warnings of the network as lines like the others."""

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(f"! {clean(record.getMessage(), 1000)}")

    lines, network = Lines(logging.WARNING), logging.getLogger("kimberley.p2p")
    network.addHandler(lines)
    try:
        yield
    finally:
        network.removeHandler(lines)


# -- the page ----------------------------------------------------------------------------------------------------------


async def _open_page(closing: AsyncExitStack, run: RefereeRun, folder: Path, *, anywhere: bool) -> PageProcess | None:
    """Serves the page where the run says; `anywhere`, at the usual port or else at any free one. None for no page.

    Raises UserError.
    """
    from kimberley.referee.page_process import PORT

    if anywhere:
        try:
            return await closing.enter_async_context(_page(str(PORT), run.web_names, folder))
        except UserError:
            return await closing.enter_async_context(_page("0", run.web_names, folder))
    return None if run.web is None else await closing.enter_async_context(_page(run.web, run.web_names, folder))


def _tell_page(console: RefereeConsole, page: PageProcess) -> None:
    console.say(f"Web page: {' or '.join(page.addresses[:2])}")
    console.say(f"Wall, for a large display: {page.addresses[0]}/wall")
    console.say(f"Your private link to the organizer’s page: {page.addresses[0]}{page.organizer_path}")


def opened_in_browser(address: str) -> bool:
    """Opens a page in the browser of this desktop. Returns whether there is one."""
    import webbrowser

    # Without a desktop it would be a browser in this terminal.
    desktop = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    return desktop and webbrowser.open(address)


def _page(where: str, names: Sequence[str], folder: Path) -> AbstractAsyncContextManager[PageProcess]:
    """A context manager that serves the page at "[HOST:]PORT", also by these names. Raises UserError."""
    from kimberley.referee.page_process import page_process

    host, _, port = where.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) >= 1 << 16:
        raise UserError(f'"{clean(where, 60)}" is not a place for the web page. Write it like --web 8080.')
    return page_process(folder, host.strip("[]"), int(port), names)
