"""The commands of `kimberley` and their options."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from kimberley.client.cli import commands, manual
from kimberley.client.cli.arguments import (
    CommandHelp,
    MainParser,
    add_bot_options,
    add_game,
    add_host_options,
    add_judge_level,
    add_level,
    add_where,
    add_which,
    common_options,
)
from kimberley.client.cli.rooms import ROOM_COMMANDS, RoomCommand
from kimberley.p2p.base.arguments import add_json, path, port, seconds, whole
from kimberley.p2p.table.arguments import add_table_options
from kimberley.p2p.table.common_options import GRACE_SECONDS
from kimberley.p2p.transport.ports import SHARE_PORT

Command = Callable[[argparse.Namespace], int]


class ShowVersions(argparse.Action):
    """`--version`: looks up the versions only when the user asks for them."""

    def __init__(self, option_strings: Sequence[str], dest: str, **_: object) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help="show the versions, and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        from kimberley.games import lookup
        from kimberley.p2p.base.installation import shared_file
        from kimberley.protocol.envelope import REVISION

        games = ", ".join(f"{name} {lookup.find(name).revision}" for name in lookup.ids())
        print(f"kimberley {version('kimberley')} (protocol {REVISION}; rules: {games})")
        if (file := shared_file()) is not None:
            print(f"a shared copy: {file}")
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    """Returns all commands and options, with their help."""
    parser = MainParser(
        prog="kimberley",
        description=(
            "Diamond games to play with friends: no game server, no need to trust anyone, and every game is proven "
            "fair."
        ),
        epilog="With no command, the title screen opens. 'kimberley COMMAND --help' explains a command.",
        parents=[common_options(seat=True, screen=True)],
    )
    parser.add_argument("--version", action=ShowVersions)
    parser.set_defaults(
        command=commands.run_title, data=None, nickname=None, plain=False, ascii=False, colours=None, calm=False
    )
    top = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_playing(top)
    _add_tournament(top)
    _add_records(top)
    _add_checking(top)
    parser.makers = [one.name for one in ROOM_COMMANDS if one.for_makers]
    return parser


def _add(
    where: Any, name: str, run: Command, summary: str, text: str, seat: bool = False, screen: bool = False
) -> argparse.ArgumentParser:
    """Adds a command to those of `where`, with the options that all such commands have, and returns it."""
    made: argparse.ArgumentParser = where.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=text,
        parents=[common_options(seat=seat, screen=screen)],
        formatter_class=CommandHelp,
    )
    made.set_defaults(command=run)
    return made


def _add_playing(top: Any) -> None:
    """Adds the commands to play, to watch, and to find games."""
    host = _add(
        top,
        "host",
        commands.run_host,
        "host a game on this network and wait for the others",
        manual.HOST,
        seat=True,
        screen=True,
    )
    add_game(host)
    add_table_options(host)
    add_host_options(host, "last used")
    add_level(host, "of the bots you add", None)

    alone = _add(top, "alone", commands.run_alone, "play against bots, offline", manual.ALONE, seat=True, screen=True)
    add_game(alone)
    add_table_options(alone)
    add_level(alone, "of the bots", None)

    join = _add(top, "join", commands.run_join, "join someone’s game", manual.JOIN, seat=True, screen=True)
    add_where(join, "a list to choose from")

    shared = _add(
        top,
        "share",
        commands.run_share,
        "share this program with a friend who does not have it",
        manual.SHARE,
        seat=True,
    )
    shared.add_argument("--out", type=path, metavar="FILE", help="just write the file that friends get")
    shared.add_argument("--room", action="store_true", help="open a room where friends play in their browsers")
    shared.add_argument(
        "--port", type=port, metavar="N", help=f"TCP port (default: {SHARE_PORT}, or the next free one)"
    )
    shared.add_argument("--bind", metavar="ADDRESS", help="the only address to share on (default: all)")
    add_json(shared)

    browser = _add(
        top,
        "browser",
        commands.run_browser,
        "let friends play at your table on a phone or in a browser",
        manual.BROWSER,
    )
    steps = browser.add_subparsers(title="commands", metavar="install", dest="browser", required=True)
    installed = _add(steps, "install", commands.run_browser, "install what browser play needs, once", manual.BROWSER)
    installed.add_argument("--out", type=path, metavar="FOLDER", help="just write the wheel to this folder")

    watched = _add(
        top, "watch", commands.run_watch, "watch a game that others are playing", manual.WATCH, seat=True, screen=True
    )
    add_where(watched, "a list to choose from", "the table to watch")

    resume = _add(
        top, "resume", commands.run_resume, "resume an interrupted game", manual.RESUME, seat=True, screen=True
    )
    add_which(resume)

    listed = _add(
        top, "list", commands.run_list, "list the games hosted on this network, or your finished games", manual.LIST
    )
    listed.add_argument("--finished", action="store_true", help="list your finished games instead")
    listed.add_argument(
        "--data", type=path, default=argparse.SUPPRESS, metavar="DIR", help="the folder that holds the records"
    )
    listed.add_argument(
        "--seconds", type=seconds, default=1.5, metavar="S", help="how long to look for tables (default: %(default)s)"
    )
    add_json(listed)

    rules = _add(top, "rules", commands.run_rules, "read the rules of a game", manual.RULES)
    add_game(rules)

    bot = _add(top, "bot", commands.run_bot, "put a bot at a table", manual.BOT, seat=True)
    kinds = bot.add_subparsers(title="commands", metavar="host|join|resume", dest="bot", required=True)
    bot_host = _add(kinds, "host", commands.run_bot, "have a bot host a table", manual.BOT, seat=True)
    add_game(bot_host)
    add_table_options(bot_host)
    add_host_options(bot_host, str(GRACE_SECONDS))
    add_bot_options(bot_host)
    bot_join = _add(kinds, "join", commands.run_bot, "have a bot join a table", manual.BOT, seat=True)
    add_where(bot_join, "the first table found")
    add_bot_options(bot_join)

    bot_resume = _add(kinds, "resume", commands.run_bot, "resume a bot’s interrupted game", manual.BOT, seat=True)
    add_which(bot_resume)
    add_bot_options(bot_resume)


def _add_tournament(top: Any) -> None:
    """Adds the command that runs a tournament."""
    _add_rooms(top, (one for one in ROOM_COMMANDS if not one.for_makers))


def _add_records(top: Any) -> None:
    """Adds the commands about finished games."""
    verify = _add(top, "verify", commands.run_verify, "check that games were fair, from their records", manual.VERIFY)
    verify.add_argument(
        "files", type=path, nargs="+", metavar="FILE|DIR", help="records, folders of records, or tournament files"
    )
    verify.add_argument("--dask", metavar="ADDRESS", help="check many files on the Dask cluster with this scheduler")
    add_json(verify)

    replay = _add(
        top, "replay", commands.run_replay, "step through the record of a game on its board", manual.REPLAY, screen=True
    )
    replay.add_argument("file", type=path, metavar="FILE", help="the record, or a game written as text")
    replay.add_argument("--step", type=whole, metavar="N", help="start at this step")
    replay.add_argument(
        "--picture",
        action="store_true",
        help="draw the end as an SVG file next to the record, and print its path",
    )
    add_json(replay)

    reviewed = _add(top, "review", commands.run_review, "see what each decision in a finished game cost", manual.REVIEW)
    reviewed.add_argument("file", type=path, metavar="RECORD", help="the record")
    reviewed.add_argument("--html", type=path, metavar="FILE", help="write the review to this file as a web page")
    add_judge_level(reviewed)
    add_json(reviewed)

    heard = _add(top, "listen", commands.run_listen, "listen to the music of a finished game", manual.LISTEN)
    heard.add_argument("file", type=path, metavar="RECORD", help="the record")
    heard.add_argument("--out", type=path, metavar="FILE", help="write the music to this file (.wav or .flac) instead")


def _add_checking(top: Any) -> None:
    """Adds the commands that test this program, this machine or another peer."""
    demo = _add(top, "demo", commands.run_demo, "play a whole game between bots, over the network", manual.DEMO)
    add_game(demo)
    add_table_options(demo, seats="the fewest", otherwise="the quickest game")
    demo.add_argument(
        "--data",
        type=path,
        default=argparse.SUPPRESS,
        metavar="DIR",
        help="where to save the record (default: a new folder)",
    )
    demo.add_argument(
        "--seed",
        type=whole,
        default=0,
        metavar="N",
        help="make the bots’ choices repeatable; dice stay random (default: %(default)s)",
    )
    add_level(demo, "of the bots", 1)
    add_json(demo)

    doctor = _add(top, "doctor", commands.run_doctor, "find out why you cannot play together", manual.DOCTOR)
    doctor.add_argument("where", nargs="?", metavar="NAME|HOST[:PORT]", help="also check the connection to this host")
    doctor.add_argument("--data", type=path, default=argparse.SUPPRESS, metavar="DIR", help="the data folder to check")
    add_json(doctor)

    _add_rooms(top, (one for one in ROOM_COMMANDS if one.for_makers))


def _add_rooms(top: Any, commands_apart: Iterable[RoomCommand]) -> None:
    """Adds the commands of rooms that are installed apart."""
    for one in commands_apart:
        add_options, run, text = one.parts()
        add_options(_add(top, one.name, run, one.summary, text, screen=one.has_screen))
