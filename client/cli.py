"""The command `kimberley`: what can be typed, and who carries it out.

Every command imports what it needs when it runs: the title screen must be there before one notices waiting for it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from client import manual

if TYPE_CHECKING:
    from client.settings import Settings
    from games.table import Plain

FAILED: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130

DEFAULT_GAME: Final = "diamond-trust"
COLOURS: Final = ("auto", "24-bit", "8-bit", "4-bit", "none")

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. Returns the exit status: 0 done, 1 failed, 2 misused, 130 interrupted; `verify` has its own."""
    parser = build_parser()
    found = parser.parse_args(arguments)
    try:
        command: Command = found.command
        status = command(found)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _close_quietly(sys.stdout)
        return FAILED
    except Exception as error:
        from p2p.trouble import Trouble

        if not isinstance(error, Trouble):
            raise
        print(f"kimberley: {error}", file=sys.stderr)
        return FAILED
    return status


def _close_quietly(stream: TextIO) -> None:
    """Whoever read our output has gone: the interpreter's last flush must not complain about it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


# -- commands ----------------------------------------------------------------------------------------------------------


def _title(found: argparse.Namespace) -> int:
    from client import app

    return app.run(_settings(found), plain=found.plain)


def _host(found: argparse.Namespace) -> int:
    from client import app

    start = app.Host(_game(found), _seats(found), found.port, found.bind, _chosen(found))
    return app.run(_settings(found), plain=found.plain, start=start)


def _alone(found: argparse.Namespace) -> int:
    from client import app

    start = app.Alone(_game(found), _seats(found), _chosen(found))
    return app.run(_settings(found), plain=found.plain, start=start)


def _join(found: argparse.Namespace) -> int:
    from client import app

    return app.run(_settings(found), plain=found.plain, start=app.Join(found.where))


def _watch(found: argparse.Namespace) -> int:
    from client import app

    return app.run(_settings(found), plain=found.plain, start=app.Watch(found.where))


def _resume(found: argparse.Namespace) -> int:
    from client import app

    return app.run(_settings(found), plain=found.plain, start=app.Resume(found.which))


def _list(found: argparse.Namespace) -> int:
    from client import listing

    return listing.run(seconds=found.seconds, as_json=found.json)


def _bot(found: argparse.Namespace) -> int:
    from client import headless

    if found.bot == "host":
        _game(found)
        _seats(found)
        found.options = _chosen(found)
    return headless.run(found, _settings(found))


def _referee(found: argparse.Namespace) -> int:
    if found.status is not None:
        from client import status

        return status.run(found.status, _settings(found), plain=found.plain, as_json=found.json)
    if found.name is None:
        print('kimberley: a tournament needs a name: kimberley referee "Friday Cup"', file=sys.stderr)
        return MISUSED
    from client import referee

    _game(found)
    return referee.run(found)


def _verify(found: argparse.Namespace) -> int:
    from client import verify

    return verify.run(found.file, as_json=found.json, dask=found.dask)


def _replay(found: argparse.Namespace) -> int:
    from client import replay

    return replay.run(found.file, _settings(found), plain=found.plain, as_json=found.json, step=found.step)


def _demo(found: argparse.Namespace) -> int:
    from client import demo

    return demo.run(
        _game(found),
        seats=_seats(found),
        options=_chosen(found),
        seed=found.seed,
        level=found.level,
        data=found.data,
        as_json=found.json,
    )


def _bench(found: argparse.Namespace) -> int:
    from client import bench

    return bench.run(as_json=found.json, full=found.full)


def _conform(found: argparse.Namespace) -> int:
    from client.conformance import command

    try:
        return command.run_command(found)
    except (command.BadUse, OSError) as error:
        print(f"kimberley: {error}", file=sys.stderr)
        return MISUSED


def _peer(found: argparse.Namespace) -> int:
    from client import peer

    return peer.main()


def _arena(found: argparse.Namespace) -> int:
    from client import arena

    return arena.run(found)


def _tune(found: argparse.Namespace) -> int:
    from client import tune

    return tune.run(found)


def _game(found: argparse.Namespace) -> str:
    """The id of the game that was named. Raises Trouble, with the ids there are."""
    from games import lookup
    from p2p.trouble import Trouble

    game: str = found.game
    if game not in (games := lookup.ids()):
        raise Trouble(f"There is no game called {game!r} here. Name one of: {', '.join(games)}.")
    return game


def _seats(found: argparse.Namespace) -> int | None:
    """How many seats were asked for, None for as many as usual. Raises Trouble where the game is not played by them."""
    from games import lookup
    from games.settling import numbers
    from p2p.trouble import Trouble

    wanted: int | None = found.seats
    game = lookup.find(found.game)
    if wanted is not None and wanted not in game.seats:
        raise Trouble(f"{game.title} is played by {numbers(game.seats)}, not by {wanted}.")
    return wanted


def _chosen(found: argparse.Namespace) -> dict[str, Plain]:
    """The options that were given, by name. Raises Trouble where the game has none such, or so many cannot play so."""
    from client.options import GRACE, LAST_LOOK, read_options, refusal
    from games import lookup
    from p2p.trouble import Trouble

    game = lookup.find(found.game)
    try:
        chosen = read_options(game, found.options)
    except ValueError as error:
        raise Trouble(str(error)) from None
    if found.seats is not None and (reason := refusal(game, found.seats, chosen)) is not None:
        raise Trouble(reason)
    if found.last_look is not None:
        if not game.last_looks:
            raise Trouble(f"{game.title} has no last look: leave out --last-look.")
        chosen[LAST_LOOK] = found.last_look
    if getattr(found, "grace", None) is not None:
        chosen[GRACE] = found.grace
    return chosen


def _settings(found: argparse.Namespace) -> Settings:
    """What the user has chosen once, with what the command line chooses for this run."""
    from client import settings

    chosen = settings.load(settings.data_folder(found.data))
    if found.nickname is not None:
        chosen.override(nickname=settings.clean_nickname(found.nickname))
    if found.colours is not None:
        chosen.override(colours=found.colours)
    if found.ascii:
        chosen.override(glyphs="ascii")
    if found.calm:
        chosen.override(calm=True)
    if (level := getattr(found, "level", None)) is not None:
        chosen.override(level=level)
    return chosen


# -- the parser --------------------------------------------------------------------------------------------------------


class _Version(argparse.Action):
    """`--version`: looks things up only when asked."""

    def __init__(self, option_strings: Sequence[str], dest: str, **_: object) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help="show the versions, and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        from games import lookup
        from protocol.envelope import REVISION

        games = ", ".join(f"{name} {lookup.find(name).revision}" for name in lookup.ids())
        print(f"kimberley {version('kimberley')} (protocol {REVISION}; rules: {games})")
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    """All commands and options, with their help."""
    parser = argparse.ArgumentParser(
        prog="kimberley",
        description="Diamond games between people who need no server and no trust: every game proves itself fair.",
        epilog="Without a command, the title screen opens. 'kimberley COMMAND --help' tells more about a command.",
        parents=[_options(seat=True, screen=True)],
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
            parents=[_options(seat=seat, screen=screen)],
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
    _add_game(host)
    _add_table_options(host)
    _add_host_options(host)
    _add_level(host, "of the bots that you give free seats to", None)

    alone = add(commands, "alone", _alone, "play against bots, without a network", manual.ALONE, seat=True, screen=True)
    _add_game(alone)
    _add_table_options(alone)
    _add_level(alone, "of the bots", None)

    join = add(commands, "join", _join, "join a game that somebody hosts", manual.JOIN, seat=True, screen=True)
    _add_where(join, "those found are shown")

    watched = add(commands, "watch", _watch, "watch a game that others play", manual.WATCH, seat=True, screen=True)
    _add_where(watched, "those found are shown", "the table to watch")

    resume = add(
        commands, "resume", _resume, "go on with a game that was interrupted", manual.RESUME, seat=True, screen=True
    )
    _add_which(resume)

    listed = add(commands, "list", _list, "list the games hosted on this network", manual.LIST)
    listed.add_argument(
        "--seconds", type=_seconds, default=1.5, metavar="S", help="how long to listen (default: %(default)s)"
    )
    _add_json(listed)

    bot = add(commands, "bot", _bot, "put a bot at a table, without a screen", manual.BOT, seat=True)
    kinds = bot.add_subparsers(title="commands", metavar="host|join|resume", dest="bot", required=True)
    bot_host = add(kinds, "host", _bot, "host a table with a bot at it", manual.BOT, seat=True)
    _add_game(bot_host)
    _add_table_options(bot_host)
    _add_host_options(bot_host)
    _add_bot_options(bot_host)
    bot_join = add(kinds, "join", _bot, "join a table with a bot", manual.BOT, seat=True)
    _add_where(bot_join, "the first table found")
    _add_bot_options(bot_join)

    bot_resume = add(kinds, "resume", _bot, "go on with a bot's game that was interrupted", manual.RESUME, seat=True)
    _add_which(bot_resume)
    _add_bot_options(bot_resume)

    referee = add(commands, "referee", _referee, "run a tournament, without a screen", manual.REFEREE, screen=True)
    _add_referee_options(referee)
    _add_json(referee)

    verify = add(commands, "verify", _verify, "verify that games were fair, from their records", manual.VERIFY)
    verify.add_argument("file", type=Path, metavar="FILE|DIR", help="a record, a folder of records, or a cup's bundle")
    verify.add_argument("--dask", metavar="ADDRESS", help="check many on the Dask cluster whose scheduler is there")
    _add_json(verify)

    replay = add(
        commands, "replay", _replay, "step through the record of a game on its board", manual.REPLAY, screen=True
    )
    replay.add_argument("file", type=Path, metavar="FILE", help="the record, or a game written as text")
    replay.add_argument("--step", type=_whole, metavar="N", help="start at this step")
    _add_json(replay)

    demo = add(commands, "demo", _demo, "play a whole game between bots, over the network", manual.DEMO)
    _add_game(demo)
    _add_table_options(demo, seats="the fewest", otherwise="the quickest game")
    demo.add_argument(
        "--data",
        type=Path,
        default=argparse.SUPPRESS,
        metavar="DIR",
        help="where they leave it (default: a new folder)",
    )
    demo.add_argument(
        "--seed",
        type=_whole,
        default=0,
        metavar="N",
        help="makes their choices repeatable; chance stays chance (default: %(default)s)",
    )
    _add_level(demo, "of the bots", 1)
    _add_json(demo)

    bench = add(commands, "bench", _bench, "measure the cryptography on this machine", manual.BENCH)
    bench.add_argument("--full", action="store_true", help="bags of all sizes with the pure-Python group, too")
    _add_json(bench)

    conform = add(commands, "conform", _conform, "test whether a peer speaks the protocol", manual.CONFORM)
    _add_conform_options(conform)

    add(commands, "peer", _peer, "play what lines of JSON say: the target of conform", manual.PEER)

    arena = add(commands, "arena", _arena, "play two bots against each other, many times", _ARENA_HELP)
    arena.add_argument("a", metavar="A", help="a player")
    arena.add_argument("b", metavar="B", help="another")
    arena.add_argument("--pairs", type=_count, default=100, metavar="N", help="pairs of games (default: %(default)s)")
    _add_work_options(arena)
    arena.add_argument("--plot", type=Path, metavar="FILE", help="draw the win rate over time into this file, as SVG")
    _add_json(arena)

    tune = add(commands, "tune", _tune, "tune the bot of Diamond Trust of London by self-play", _TUNE_HELP)
    tune.add_argument("--generations", type=_count, metavar="N", help="how long (default: 1000; with --against 20)")
    tune.add_argument("--against", metavar="B", help="train against this player alone, to see how it can be exploited")
    _add_work_options(tune)
    tune.add_argument("--out", type=Path, metavar="FILE", help="where what is found goes, as JSON (default: printed)")
    return parser


def _options(*, seat: bool = False, screen: bool = False) -> argparse.ArgumentParser:
    """Options that stand before or after a command.

    SUPPRESS, and made anew for each command: what stands before a command must not be undone by the command's defaults.
    """
    options = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    if seat:
        group = options.add_argument_group("who plays")
        group.add_argument(
            "--data", type=Path, metavar="DIR", help="folder for identity, settings, journals and records"
        )
        group.add_argument("--nickname", metavar="NAME", help="what others see (at first: the login name)")
    if screen:
        group = options.add_argument_group("how it looks")
        group.add_argument("--plain", action="store_true", help="lines of text instead of screens, for screen readers")
        group.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
        group.add_argument("--colours", choices=COLOURS, help="colours to draw with (auto: what the terminal says)")
        group.add_argument("--calm", action="store_true", help="nothing moves: animations are skipped")
    return options


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", default=DEFAULT_GAME, metavar="GAME", help="its id (default: %(default)s)")


def _add_where(parser: argparse.ArgumentParser, otherwise: str, whom: str = "whom to join") -> None:
    parser.add_argument("where", nargs="?", metavar="NAME|HOST[:PORT]", help=f"{whom} (default: {otherwise})")


def _add_which(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "which", nargs="?", metavar="GAME|NAME|FILE", help="a game's id, who plays it, a journal (default: the latest)"
    )


def _add_table_options(
    parser: argparse.ArgumentParser, seats: str = "as last chosen", otherwise: str = "as last chosen"
) -> None:
    parser.add_argument("--seats", type=_whole, metavar="N", help=f"how many play (default: {seats})")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        dest="options",
        metavar="NAME=VALUE",
        help=f"an option of the game, any number of times (default: {otherwise}); one it lacks is answered with all",
    )
    parser.add_argument(
        "--last-look",
        type=_whole,
        metavar="S",
        help="seconds of every last look, where the game has them; 0 only among bots: with a person it tells by time",
    )


def _add_level(parser: argparse.ArgumentParser, whose: str, default: int | None) -> None:
    said = "as last chosen" if default is None else default
    parser.add_argument(
        "--level", type=_level, default=default, metavar="1-20", help=f"skill {whose} (default: {said})"
    )


def _add_host_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=_port, metavar="N", help="TCP port (default: the usual one, or the next free)")
    parser.add_argument("--bind", metavar="ADDRESS", help="the one address to host on (default: all)")
    parser.add_argument(
        "--grace", type=_whole, metavar="S", help="seconds until who is away may be given up (default: 120)"
    )


def _add_referee_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="what the tournament is called: players find it by that"
    )
    parser.add_argument("--status", type=Path, metavar="DIR", help="show how the tournament of that folder stands")
    parser.add_argument("--game", default=DEFAULT_GAME, metavar="GAME", help="its id (default: %(default)s)")
    parser.add_argument(
        "--format",
        choices=("swiss", "round-robin", "knockout"),
        default="swiss",
        help="who meets whom (default: %(default)s)",
    )
    parser.add_argument("--rounds", type=_count, metavar="N", help="how many (default: as many as the format needs)")
    parser.add_argument(
        "--clock", metavar="20m+10s", help="time of each player in a game, and for each choice (default: none)"
    )
    _add_table_options(parser, seats="the fewest", otherwise="the game's own")
    parser.add_argument(
        "--grace", type=_whole, metavar="S", help="seconds until who is silent loses, where no clock runs (default: 60)"
    )
    parser.add_argument("--players", type=_count, metavar="N", help="begin when so many have enrolled")
    parser.add_argument("--start", metavar="HH:MM", help="begin at that time")
    parser.add_argument(
        "--pause", type=_whole, default=15, metavar="S", help="seconds between rounds (default: %(default)s)"
    )
    parser.add_argument("--port", type=_port, metavar="N", help="TCP port (default: the usual one, or the next free)")
    parser.add_argument("--bind", metavar="ADDRESS", help="the one address to be reached at (default: all)")
    parser.add_argument("--web", metavar="[HOST:]PORT", help="show the tournament as a page there (default: no page)")
    parser.add_argument(
        "--data", type=Path, default=None, metavar="DIR", help="its own folder (default: cups/NAME in the data folder)"
    )
    parser.add_argument(
        "--linger", type=_whole, metavar="S", help="end so long after the last result (default: when it is stopped)"
    )


def _add_bot_options(parser: argparse.ArgumentParser) -> None:
    _add_level(parser, "of the bot", 5)
    parser.add_argument("--seed", type=_whole, metavar="N", help="makes its choices repeatable (default: chance)")
    parser.add_argument("--again", action="store_true", help="keep playing: games without end, until interrupted")
    parser.add_argument(
        "--linger",
        type=_whole,
        metavar="SECONDS",
        help="stay that long after the game, while others read what it gave away (default: 60; with --json 0)",
    )
    _add_json(parser)


def _add_work_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=_whole, default=0, metavar="S", help="of the first games (default: %(default)s)")
    parser.add_argument("--workers", type=_count, metavar="N", help="processes (default: one for each core)")
    parser.add_argument("--dask", metavar="ADDRESS", help="work on the Dask cluster whose scheduler is there")
    parser.add_argument("--state", type=Path, metavar="FILE", help="keep what is done there, and go on from it")


def _add_conform_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("cases", nargs="*", metavar="CASE", help="ids, sections, requirements, with * (default: all)")
    parser.add_argument("--target", metavar="COMMAND", help="what plays the peer (default: kimberley peer)")
    parser.add_argument("--exclude", action="append", default=[], metavar="CASE", help="leave these out")
    parser.add_argument("--list", action="store_true", help="list the cases, and run none")
    parser.add_argument("--strict", action="store_true", help="a missed SHOULD, and what is not implemented, fail")
    parser.add_argument("--expect", type=Path, metavar="FILE", help="cases that may fail, an id a line")
    for kind in ("json", "junit", "html"):
        parser.add_argument(f"--{kind}", type=Path, metavar="FILE", help=f"write a report there, as {kind.upper()}")
    parser.add_argument("--patience", type=_seconds, default=1.0, metavar="X", help="times all limits (default: 1)")
    parser.add_argument("--workers", type=_count, metavar="N", help="cases at a time (default: 6)")


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def _count(text: str) -> int:
    if (count := _whole(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text} is too few: 1 is the least")
    return count


def _port(text: str) -> int:
    if not 1 <= (port := _whole(text)) <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: ports go from 1 to 65535")
    return port


def _level(text: str) -> int:
    if not 1 <= (level := _whole(text)) <= 20:
        raise argparse.ArgumentTypeError(f"{text} is no level: levels go from 1 to 20")
    return level


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


_ARENA_HELP: Final = """\
Players of Diamond Trust of London: random, heuristic, tuned (the policy without a search),
recipe:N (the recipe of the original's computer player at its level N), level:N (the bot), or a
file that `kimberley tune --against` wrote (*.json).
Each pair is two games with the same seed, the seats swapped. Intervals are of 95% (Wilson); time
is processor time where there was something to decide. Ctrl-C stops, and says how it stands.
With --json: a, b, win_rate (of A, ties as half), interval, margin (diamonds), games,
seconds_per_decision (of A, of B).

  kimberley arena level:1 recipe:10 --pairs 100
  kimberley arena level:4 level:1 --pairs 200 --state four.jsonl --plot four.svg
  kimberley arena level:1 tuned --dask tcp://127.0.0.1:8786
  kimberley arena response.json level:4 --pairs 200
"""

_TUNE_HELP: Final = """\
An evolution strategy over the numbers that simulations weigh by, against fixed styles and a
league of earlier selves. What it finds is what games/diamond_trust/tuned.json ships.
With --against, a response to one player is trained in real games instead, and its win rate
printed: what a player loses to whoever has studied it.

  kimberley tune --seed 1 --out games/diamond_trust/tuned.json
  kimberley tune --against level:4 --out response.json
"""

if __name__ == "__main__":
    sys.exit(main())
