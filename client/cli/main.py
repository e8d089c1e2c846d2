"""The command `kimberley`: its commands and options, and the functions that carry them out.

Every command imports what it needs only when it runs, so that the title screen appears without a noticeable delay.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import gc
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from kimberley.client.cli import manual
from kimberley.client.cli.arguments import (
    CommandParser,
    add_bot_options,
    add_conform_options,
    add_game,
    add_host_options,
    add_json,
    add_judge_level,
    add_level,
    add_referee_options,
    add_seats,
    add_table_options,
    add_where,
    add_which,
    add_work_options,
    common_options,
    count,
    did_you_mean,
    path,
    port,
    seconds,
    whole,
)
from kimberley.client.cli.exit_status import CANNOT_PRINT, INTERRUPTED, MISUSED, failure_statuses
from kimberley.client.cli.streams import OutputLostError, standard_streams

if TYPE_CHECKING:
    from kimberley.client.session.settings import Settings
    from kimberley.games.table import Plain

SOMETIMES_MISSING: Final = frozenset({"cryptography"})
"""Packages that most commands do without. The conformance suite shares no code with the peers, so it needs them."""

OBJECTS: Final = 50_000
"""How many objects come before Python looks for garbage among them; its own number is 700."""

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. Returns the exit status: what the command says of its work, or one of `exit_status`."""
    typed = sys.argv[1:] if arguments is None else arguments
    failure = failure_statuses(typed)
    _look_for_garbage_seldom()
    try:
        with standard_streams():
            return _run(typed)
    except SystemExit as end:
        raise SystemExit(failure.misused if end.code == MISUSED else end.code) from None
    except KeyboardInterrupt:
        return INTERRUPTED
    except OutputLostError as error:
        if said := str(error):
            _complain(said)
        return CANNOT_PRINT
    except Exception as error:
        from kimberley.p2p.base.errors import UserError

        if isinstance(error, UserError):
            _complain(str(error))
            return failure.failed
        if isinstance(error, ImportError) and (advice := _advice_on_missing(error.name or "")) is not None:
            _complain(f"This {advice}")
            return failure.failed
        with contextlib.suppress(OSError):
            traceback.print_exc()
        return failure.crashed


def _look_for_garbage_seldom() -> None:
    """Most objects of a start are modules, which stay: a third of the time went into looking through them again and
    again, and once more at the end.
    """
    gc.set_threshold(OBJECTS)
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


def _run(typed: Sequence[str]) -> int:
    found = build_parser().parse_args(typed)
    _check_crypto()
    command: Command = found.command
    return command(found)


def _complain(sentence: str) -> None:
    with contextlib.suppress(OSError):
        print(f"kimberley: {sentence}", file=sys.stderr)


def _check_crypto() -> None:
    """Raises UserError if KIMBERLEY_CRYPTO asks for something that cannot be had here."""
    if "KIMBERLEY_CRYPTO" not in os.environ:
        return
    from kimberley.p2p.base.errors import UserError
    from kimberley.protocol.crypto import backend

    try:
        backend.check()
    except backend.CryptoUnavailable as error:
        raise UserError(str(error)) from error


def _advice_on_missing(name: str) -> str | None:
    """The rest of a sentence about something that could not be imported; None if it should be there."""
    from kimberley.p2p.base.installation import MORE_THAN_SHARED, shared_file

    package = name.partition(".")[0]
    if package in SOMETIMES_MISSING:
        return f"needs the package {package}. Type: pip install {package}"
    return MORE_THAN_SHARED if package == "kimberley" and shared_file() is not None else None


# -- commands ----------------------------------------------------------------------------------------------------------


def _title(found: argparse.Namespace) -> int:
    from kimberley.client.cli import play

    return play.run(_settings(found), plain=found.plain)


def _host(found: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import HostGame

    start = HostGame(_game(found), _seats(found), found.port, found.bind, _chosen(found))
    _level(found)
    return play.run(_settings(found), plain=found.plain, start=start)


def _alone(found: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import PlayAlone

    start = PlayAlone(_game(found), _seats(found), _chosen(found))
    _level(found)
    return play.run(_settings(found), plain=found.plain, start=start)


def _join(found: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import JoinTable

    return play.run(_settings(found), plain=found.plain, start=JoinTable(found.where))


def _share(found: argparse.Namespace) -> int:
    from kimberley.client.cli import share

    if found.out is not None:
        return share.write(found.out)
    return share.run(_settings(found).name, found.port, found.bind, room=found.room, as_json=found.json)


def _watch(found: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import WatchTable

    return play.run(_settings(found), plain=found.plain, start=WatchTable(found.where))


def _resume(found: argparse.Namespace) -> int:
    from kimberley.client.cli import play
    from kimberley.client.session.start_requests import ResumeGame

    return play.run(_settings(found), plain=found.plain, start=ResumeGame(found.which))


def _list(found: argparse.Namespace) -> int:
    if found.records:
        from kimberley.client.cli import list_records
        from kimberley.client.session.settings import data_folder

        return list_records.run(data_folder(found.data), as_json=found.json)
    from kimberley.client.cli import list_tables

    return list_tables.run(seconds=found.seconds, as_json=found.json)


def _rules(found: argparse.Namespace) -> int:
    from kimberley.client.cli import rules

    return rules.run(_game(found))


def _bot(found: argparse.Namespace) -> int:
    from kimberley.client.cli import bot

    if found.bot == "host":
        _game(found)
        _seats(found)
        _level(found)
        found.options = _chosen(found)
    return bot.run(found, _settings(found))


def _referee(found: argparse.Namespace) -> int:
    from kimberley.p2p.base.extras import REFEREE, require

    require(REFEREE, "A tournament")
    if found.status is not None:
        from kimberley.client.cli import status

        return status.run(found.status, _settings(found), plain=found.plain, as_json=found.json)
    if found.name is None:
        print('kimberley: a tournament needs a name: kimberley referee "Friday Cup"', file=sys.stderr)
        return MISUSED
    from kimberley.client.cli import referee

    if found.game is not None:
        _game(found)
    return referee.run(found)


def _verify(found: argparse.Namespace) -> int:
    from kimberley.client.cli import verify

    return verify.run(found.file, as_json=found.json, dask=found.dask)


def _replay(found: argparse.Namespace) -> int:
    from kimberley.client.cli import replay

    if found.picture:
        return replay.draw(found.file)
    return replay.run(found.file, _settings(found), plain=found.plain, as_json=found.json, step=found.step)


def _review(found: argparse.Namespace) -> int:
    from kimberley.client.cli import review
    from kimberley.p2p.base.extras import REFEREE, require

    if found.html is not None:
        require(REFEREE, "--html")
    return review.run(found.file, level=found.level, as_json=found.json, html=found.html)


def _listen(found: argparse.Namespace) -> int:
    from kimberley.p2p.base.extras import MUSIC, require

    require(MUSIC, "Music")
    from kimberley.client.cli import listen
    from kimberley.client.session.audio import ANY_DEVICE, OUTPUT_VARIABLE

    return listen.run(found.file, found.out, os.environ.get(OUTPUT_VARIABLE) or ANY_DEVICE)


def _demo(found: argparse.Namespace) -> int:
    from kimberley.client.cli import demo

    return demo.run(
        _game(found),
        seats=_seats(found),
        options=_chosen(found),
        seed=found.seed,
        level=_level(found),
        data=found.data,
        as_json=found.json,
    )


def _doctor(found: argparse.Namespace) -> int:
    from kimberley.client.cli import doctor
    from kimberley.client.session.settings import data_folder

    return doctor.run(found.where, data_folder(found.data), as_json=found.json)


def _bench(found: argparse.Namespace) -> int:
    from kimberley.client.cli import bench

    return bench.run(as_json=found.json, full=found.full)


def _conform(found: argparse.Namespace) -> int:
    from kimberley.client.conformance import command
    from kimberley.p2p.base.extras import REFEREE, require

    if found.html:
        require(REFEREE, "--html")
    try:
        return command.run_command(found)
    except (command.UsageError, OSError) as error:
        print(f"kimberley: {error}", file=sys.stderr)
        return MISUSED


def _peer(found: argparse.Namespace) -> int:
    from kimberley.client.cli import peer

    return peer.main()


def _arena(found: argparse.Namespace) -> int:
    from kimberley.client.cli import arena

    _game(found)
    _seats(found)
    return arena.run(found, _chosen(found))


def _tune(found: argparse.Namespace) -> int:
    from kimberley.client.cli import tune

    return tune.run(found)


def _train(found: argparse.Namespace) -> int:
    from kimberley.client.cli import train

    return train.run(found)


def _level(found: argparse.Namespace) -> int:
    """The given level, or the usual one. Raises UserError if the game has no such level."""
    from kimberley.client.session.options import chosen_level
    from kimberley.games import lookup

    return chosen_level(lookup.find(found.game), found.level, found.usual_level or 1)


def _game(found: argparse.Namespace) -> str:
    """The id of the named game. Raises UserError, which lists the installed games."""
    from kimberley.games import lookup
    from kimberley.p2p.base.errors import UserError

    game: str = found.game
    if game not in (games := lookup.ids()):
        near = did_you_mean(game, games)
        raise UserError(f"There is no game called {game!r} here.{near} Name one of: {', '.join(games)}.")
    return game


def _seats(found: argparse.Namespace) -> int | None:
    """The requested number of seats, or None for the default. Raises UserError if the game does not allow it."""
    from kimberley.games import lookup
    from kimberley.games.options import format_seat_counts
    from kimberley.p2p.base.errors import UserError

    wanted: int | None = found.seats
    game = lookup.find(found.game)
    if wanted is not None and wanted not in game.seats:
        raise UserError(f"{game.title} is played by {format_seat_counts(game.seats)}, not by {wanted}.")
    return wanted


def _chosen(found: argparse.Namespace) -> dict[str, Plain]:
    """The given options, by name.

    Raises UserError if the game has no such option, or does not allow it for that number of seats.
    """
    from kimberley.client.session.options import read_options, refusal
    from kimberley.games import lookup
    from kimberley.p2p.base.errors import UserError
    from kimberley.p2p.table.common_options import FINAL_ADJUSTMENT, GRACE

    game = lookup.find(found.game)
    try:
        chosen = read_options(game, found.options)
    except ValueError as error:
        raise UserError(str(error)) from None
    if found.seats is not None and (reason := refusal(game, found.seats, chosen)) is not None:
        raise UserError(reason)
    if getattr(found, "last_look", None) is not None:
        if not game.last_looks:
            raise UserError(f"{game.title} has no last look: leave out --last-look.")
        chosen[FINAL_ADJUSTMENT] = found.last_look
    if getattr(found, "grace", None) is not None:
        chosen[GRACE] = found.grace
    return chosen


def _settings(found: argparse.Namespace) -> Settings:
    """The user's saved settings, with what the command line overrides for this run."""
    from kimberley.client.session import settings

    chosen = settings.load(settings.data_folder(found.data))
    if found.nickname is not None:
        chosen.override(nickname=settings.clean_nickname(found.nickname))
    if found.colours is not None:
        chosen.override(colours=found.colours)
    if (theme := getattr(found, "theme", None)) is not None:
        chosen.override(theme=theme)
    if found.ascii:
        chosen.override(glyphs="ascii")
    if found.calm:
        chosen.override(calm=True)
    if getattr(found, "quiet", False):
        chosen.override(calm=True, quiet=True)
    if (audio := getattr(found, "audio", None)) is not None:
        from kimberley.p2p.base.extras import MUSIC, require

        if audio == "on":
            require(MUSIC, "--audio on")
        chosen.override(audio=audio)
    if (level := getattr(found, "level", None)) is not None:
        chosen.override(level=level)
    return chosen


# -- the parser --------------------------------------------------------------------------------------------------------


class _Version(argparse.Action):
    """`--version`: looks up the versions only when the user asks for them."""

    def __init__(self, option_strings: Sequence[str], dest: str, **_: object) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help="show the versions, and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        _check_crypto()
        from kimberley.client.session.crypto_notice import PURE_NOTICE, crypto_in_use, pure_remedy, runs_pure_python
        from kimberley.games import lookup
        from kimberley.p2p.base.installation import shared_file
        from kimberley.protocol.envelope import REVISION

        games = ", ".join(f"{name} {lookup.find(name).revision}" for name in lookup.ids())
        print(f"kimberley {version('kimberley')} (protocol {REVISION}; rules: {games})")
        print(f"cryptography: {crypto_in_use()}")
        if (file := shared_file()) is not None:
            print(f"a shared copy: {file}")
        if runs_pure_python():
            print(PURE_NOTICE, pure_remedy(), sep="\n")
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    """All commands and options, with their help."""
    parser = CommandParser(
        prog="kimberley",
        description="Diamond games between people, with no server and nobody to trust: every game is proven fair.",
        epilog="Without a command, the title screen opens. 'kimberley COMMAND --help' tells more about a command.",
        parents=[common_options(seat=True, screen=True)],
    )
    parser.add_argument("--version", action=_Version)
    parser.set_defaults(command=_title, data=None, nickname=None, plain=False, ascii=False, colours=None, calm=False)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def add(
        where: Any, name: str, run: Command, summary: str, text: str, seat: bool = False, screen: bool = False
    ) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = where.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            epilog=text,
            parents=[common_options(seat=seat, screen=screen)],
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        made.set_defaults(command=run)
        return made

    host = add(
        commands,
        "host",
        _host,
        "host a game on this network and wait for the others",
        manual.HOST,
        seat=True,
        screen=True,
    )
    add_game(host)
    add_table_options(host)
    add_host_options(host)
    add_level(host, "of the bots that you give free seats to", None)

    alone = add(commands, "alone", _alone, "play against bots, without a network", manual.ALONE, seat=True, screen=True)
    add_game(alone)
    add_table_options(alone)
    add_level(alone, "of the bots", None)

    join = add(commands, "join", _join, "join a game that somebody hosts", manual.JOIN, seat=True, screen=True)
    add_where(join, "a list of those found")

    shared = add(
        commands, "share", _share, "give this program to a friend who has only Python", manual.SHARE, seat=True
    )
    shared.add_argument("--out", type=path, metavar="FILE", help="only write the file that friends get")
    shared.add_argument("--room", action="store_true", help="serve a room where friends play in their browsers")
    shared.add_argument("--port", type=port, metavar="N", help="TCP port (default: the usual one, or the next free)")
    shared.add_argument("--bind", metavar="ADDRESS", help="the one address to share at (default: all)")
    add_json(shared)

    watched = add(commands, "watch", _watch, "watch a game that others play", manual.WATCH, seat=True, screen=True)
    add_where(watched, "a list of those found", "the table to watch")

    resume = add(
        commands, "resume", _resume, "resume a game that was interrupted", manual.RESUME, seat=True, screen=True
    )
    add_which(resume)

    listed = add(commands, "list", _list, "list the games hosted on this network, or your records", manual.LIST)
    listed.add_argument("--records", action="store_true", help="list the records of your finished games instead")
    listed.add_argument(
        "--data", type=path, default=argparse.SUPPRESS, metavar="DIR", help="the folder with the records"
    )
    listed.add_argument(
        "--seconds", type=seconds, default=1.5, metavar="S", help="how long to listen (default: %(default)s)"
    )
    add_json(listed)

    rules = add(commands, "rules", _rules, "read the rules of a game", manual.RULES)
    add_game(rules)

    bot = add(commands, "bot", _bot, "put a bot at a table, without a screen", manual.BOT, seat=True)
    kinds = bot.add_subparsers(title="commands", metavar="host|join|resume", dest="bot", required=True)
    bot_host = add(kinds, "host", _bot, "host a table with a bot at it", manual.BOT, seat=True)
    add_game(bot_host)
    add_table_options(bot_host)
    add_host_options(bot_host)
    add_bot_options(bot_host)
    bot_join = add(kinds, "join", _bot, "join a table with a bot", manual.BOT, seat=True)
    add_where(bot_join, "the first table found")
    add_bot_options(bot_join)

    bot_resume = add(kinds, "resume", _bot, "resume a bot's game that was interrupted", manual.RESUME, seat=True)
    add_which(bot_resume)
    add_bot_options(bot_resume)

    referee = add(commands, "referee", _referee, "run a tournament, without a screen", manual.REFEREE, screen=True)
    add_referee_options(referee)
    add_json(referee)

    verify = add(commands, "verify", _verify, "verify that games were fair, from their records", manual.VERIFY)
    verify.add_argument(
        "file", type=path, metavar="FILE|DIR", help="a record, a folder of records, or a tournament's bundle"
    )
    verify.add_argument("--dask", metavar="ADDRESS", help="check many on the Dask cluster whose scheduler is there")
    add_json(verify)

    replay = add(
        commands, "replay", _replay, "step through the record of a game on its board", manual.REPLAY, screen=True
    )
    replay.add_argument("file", type=path, metavar="FILE", help="the record, or a game written as text")
    replay.add_argument("--step", type=whole, metavar="N", help="start at this step")
    replay.add_argument(
        "--picture",
        action="store_true",
        help="draw the end as an SVG file beside the record, and print its path",
    )
    add_json(replay)

    reviewed = add(commands, "review", _review, "learn what each decision of a finished game cost", manual.REVIEW)
    reviewed.add_argument("file", type=path, metavar="RECORD", help="the record")
    reviewed.add_argument("--html", type=path, metavar="FILE", help="write a page to this file")
    add_judge_level(reviewed)
    add_json(reviewed)

    heard = add(commands, "listen", _listen, "listen to the music of a finished game", manual.LISTEN)
    heard.add_argument("file", type=path, metavar="RECORD", help="the record")
    heard.add_argument("--out", type=path, metavar="FILE", help="write it to this file (.wav or .flac) instead")

    demo = add(commands, "demo", _demo, "play a whole game between bots, over the network", manual.DEMO)
    add_game(demo)
    add_table_options(demo, seats="the fewest", otherwise="the quickest game")
    demo.add_argument(
        "--data",
        type=path,
        default=argparse.SUPPRESS,
        metavar="DIR",
        help="where to leave the record (default: a new folder)",
    )
    demo.add_argument(
        "--seed",
        type=whole,
        default=0,
        metavar="N",
        help="make the bots' choices repeatable; dice stay random (default: %(default)s)",
    )
    add_level(demo, "of the bots", 1)
    add_json(demo)

    doctor = add(commands, "doctor", _doctor, "find out why a game does not come about", manual.DOCTOR)
    doctor.add_argument("where", nargs="?", metavar="NAME|HOST[:PORT]", help="also check the way to this host")
    doctor.add_argument("--data", type=path, default=argparse.SUPPRESS, metavar="DIR", help="the data folder to check")
    add_json(doctor)

    bench = add(commands, "bench", _bench, "measure the cryptography on this machine", manual.BENCH)
    bench.add_argument("--full", action="store_true", help="also run bags of all sizes with the pure-Python group")
    add_json(bench)

    conform = add(commands, "conform", _conform, "test whether a peer speaks the protocol", manual.CONFORM)
    add_conform_options(conform)

    add(commands, "peer", _peer, "play as lines of JSON say: a target for conform", manual.PEER)

    arena = add(commands, "arena", _arena, "play two bots against each other, many times", manual.ARENA)
    add_game(arena)
    arena.add_argument("a", metavar="A", help="a player")
    arena.add_argument("b", metavar="B", help="another")
    add_seats(arena, "the fewest", "the game's own")
    arena.add_argument(
        "--pairs", type=count, default=100, metavar="N", help="how often A has every seat (default: 100)"
    )
    add_work_options(arena)
    arena.add_argument("--plot", type=path, metavar="FILE", help="draw the win rate over time into this file, as SVG")
    add_json(arena)

    tune = add(commands, "tune", _tune, "tune the policy of the bot of Diamond Trust of London", manual.TUNE)
    tune.add_argument("--generations", type=count, metavar="N", help="how long (default: 1000)")
    add_work_options(tune)
    tune.add_argument("--out", type=path, metavar="FILE", help="write the result there, as JSON (default: print it)")

    train = add(commands, "train", _train, "train the bot of Diamond Trust of London by self-play", manual.TRAIN)
    train.add_argument("--generations", type=count, metavar="N", help="of a response (default: 40)")
    train.add_argument(
        "--pairs", type=count, metavar="N", help="of games against each player, at the end (default: 50)"
    )
    what = train.add_mutually_exclusive_group()
    what.add_argument("--against", metavar="B", help="only train against this player, to see how it can be exploited")
    what.add_argument("--begin", type=path, metavar="FILE", help="begin with this population (default: what ships)")
    train.add_argument("--add", type=path, metavar="FILE", help="add this response, which was trained before")
    add_work_options(train)
    train.add_argument("--out", type=path, metavar="FILE", help="write the result there, as JSON (default: print it)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
