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

if TYPE_CHECKING:
    from client.settings import Settings

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

    start = app.Host(_game(found), _seats(found), found.port, found.bind)
    return app.run(_settings(found), plain=found.plain, start=start)


def _join(found: argparse.Namespace) -> int:
    from client import app

    return app.run(_settings(found), plain=found.plain, start=app.Join(found.where))


def _list(found: argparse.Namespace) -> int:
    from client import listing

    return listing.run(seconds=found.seconds, as_json=found.json)


def _bot(found: argparse.Namespace) -> int:
    from client import headless

    if found.bot == "host":
        _game(found)
        _seats(found)
    return headless.run(found, _settings(found))


def _verify(found: argparse.Namespace) -> int:
    from client import verify

    return verify.run(found.file, as_json=found.json)


def _replay(found: argparse.Namespace) -> int:
    from client import replay

    return replay.run(found.file, _settings(found), plain=found.plain, as_json=found.json, step=found.step)


def _demo(found: argparse.Namespace) -> int:
    from client import demo

    return demo.run(_game(found), seed=found.seed, level=found.level, data=found.data, as_json=found.json)


def _bench(found: argparse.Namespace) -> int:
    from client import bench

    return bench.run(as_json=found.json, full=found.full)


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
    from p2p.trouble import Trouble

    wanted: int | None = found.seats
    if wanted is not None and wanted not in (seats := lookup.find(found.game).seats):
        raise Trouble(f"{found.game} is played by {' or '.join(map(str, seats))}, not by {wanted}.")
    return wanted


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
        _HOST_HELP,
        seat=True,
        screen=True,
    )
    _add_game(host)
    _add_host_options(host)

    join = add(commands, "join", _join, "join a game that somebody hosts", _JOIN_HELP, seat=True, screen=True)
    _add_where(join, "those found are shown")

    listed = add(commands, "list", _list, "list the games hosted on this network", _LIST_HELP)
    listed.add_argument(
        "--seconds", type=_seconds, default=1.5, metavar="S", help="how long to listen (default: %(default)s)"
    )
    _add_json(listed)

    bot = add(commands, "bot", _bot, "put a bot at a table, without a screen", _BOT_HELP, seat=True)
    kinds = bot.add_subparsers(title="commands", metavar="host|join", dest="bot", required=True)
    bot_host = add(kinds, "host", _bot, "host a table with a bot at it", _BOT_HELP, seat=True)
    _add_game(bot_host)
    _add_host_options(bot_host)
    bot_host.add_argument(
        "--last-look",
        type=_whole,
        metavar="S",
        help="seconds of every last look; 0 only among bots: with a person it tells by time (default: as last chosen)",
    )
    _add_bot_options(bot_host)
    bot_join = add(kinds, "join", _bot, "join a table with a bot", _BOT_HELP, seat=True)
    _add_where(bot_join, "the first table found")
    _add_bot_options(bot_join)

    verify = add(commands, "verify", _verify, "verify that a game was fair, from its record", _VERIFY_HELP)
    verify.add_argument("file", type=Path, metavar="FILE", help="the record")
    _add_json(verify)

    replay = add(
        commands, "replay", _replay, "step through the record of a game on its board", _REPLAY_HELP, screen=True
    )
    replay.add_argument("file", type=Path, metavar="FILE", help="the record")
    replay.add_argument("--step", type=_whole, metavar="N", help="start at this step")
    _add_json(replay)

    demo = add(commands, "demo", _demo, "play a whole game between two bots, over the network", _DEMO_HELP)
    _add_game(demo)
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
    demo.add_argument("--level", type=_level, default=1, metavar="1-20", help="their skill (default: %(default)s)")
    _add_json(demo)

    bench = add(commands, "bench", _bench, "measure the cryptography on this machine", _BENCH_HELP)
    bench.add_argument("--full", action="store_true", help="bags of all sizes with the pure-Python group, too")
    _add_json(bench)
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


def _add_where(parser: argparse.ArgumentParser, otherwise: str) -> None:
    parser.add_argument("where", nargs="?", metavar="NAME|HOST[:PORT]", help=f"whom to join (default: {otherwise})")


def _add_host_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seats", type=_whole, metavar="N", help="how many play (default: as last chosen)")
    parser.add_argument("--port", type=_port, metavar="N", help="TCP port (default: the usual one, or the next free)")
    parser.add_argument("--bind", metavar="ADDRESS", help="the one address to host on (default: all)")


def _add_bot_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--level", type=_level, default=5, metavar="1-20", help="its skill (default: %(default)s)")
    parser.add_argument("--seed", type=_whole, metavar="N", help="makes its choices repeatable (default: chance)")
    parser.add_argument("--again", action="store_true", help="keep playing: games without end, until interrupted")
    parser.add_argument(
        "--linger",
        type=_whole,
        metavar="SECONDS",
        help="stay that long after the game, while others read what it gave away (default: 60; with --json 0)",
    )
    _add_json(parser)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


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


_HOST_HELP: Final = """\
The table is announced to the local network, and the screen shows what the others type where
it is not seen. At a table of three and more you may give free seats to bots, and all say when they
are ready. Everybody compares four words once, and you play.

  kimberley host
  kimberley host diamond-trust --nickname ana --port 7000
"""

_JOIN_HELP: Final = """\
NAME is the nickname of the host or the name that 'kimberley list' shows. An address works
where nothing is found: across networks, or where a firewall stops multicast (mDNS, UDP 5353).

  kimberley join
  kimberley join ana
  kimberley join 192.168.1.7
  kimberley join [fe80::1%eth0]:7000
"""

_LIST_HELP: Final = """\
Each game found is asked whether it is really there, since a host that crashed stays announced
for minutes. With --json: a list of objects with name, host, fingerprint, identity, game, rules,
revisions, seats_taken, seats_total, address, port, milliseconds.
"""

_BOT_HELP: Final = """\
It plays as any seat does: its own identity in the data folder, a journal, a record. Nobody is
there to compare the four words, so keys that are new to it stay unverified.

  kimberley bot host --level 3 --again        a sparring partner for the whole network
  kimberley bot join ana --json               one JSON object a line: "event" says of what kind
"""

_VERIFY_HELP: Final = """\
Every seat is played again from the seed and the choices it published, and compared with every
byte it signed. Needs no network, and nobody's word.

exit status:
  0  fair
  1  proven unfair: with the seat, the step and the reason
  2  not a record, or damaged: with the place. A damaged record blames nobody
  3  incomplete: with the step that is absent. What was played up to there is no less fair
  4  of a revision that cannot be judged here
"""

_REPLAY_HELP: Final = """\
With --plain, or --json (one object a line), all steps are printed.
"""

_DEMO_HELP: Final = """\
Two processes on this machine find each other by mDNS, speak TLS, play, audit each other, and
leave a record, which is then verified once more. --data says where; else it is a new folder in
the temporary directory. With --json: result, record, verdict, envelopes, bytes, and seconds by phase.
"""

_BENCH_HELP: Final = """\
Takes about 20 seconds on one core, with --full a minute. Measured are the operations of the
group, ristretto255; commitments, range proofs, disclosures, rolls; and for bags of 10, 30, 52
and 120 items, of one part and of two, what one seat needs to

  shuffle  put the items into an order of its own, behind new masks
  prove    show that nothing was lost, doubled or changed
  verify   check that of another seat
  share    give its share of every part of every item, for all to see, and check another's
  mail     give it for one seat alone, and check another's

All of it by libsodium, which games use, and by the pure-Python group that it is tested against.
Figures are medians. With --json, each also has its best time, the number of runs, the group
operations of one run by name ("counts": mul and base are multiplications, of a point and of the
generator), and the share of the time that is spent in them ("in_group").
"""

if __name__ == "__main__":
    sys.exit(main())
