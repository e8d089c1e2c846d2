"""The arguments of the commands: their options, and the numbers that the options accept."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Collection
from typing import Final, NoReturn

from kimberley.client.ui.theme import THEME_NAMES
from kimberley.p2p.base.arguments import add_json, as_typed, did_you_mean, path, port, whole, within
from kimberley.p2p.transport.ports import DEFAULT_PORT

DEFAULT_GAME: Final = "diamond-trust"
COLOURS: Final = ("auto", "24-bit", "8-bit", "4-bit", "none")
DEPTHS_BY_COUNT: Final = {"256": "8-bit", "16": "4-bit"}

_WRONG_CHOICE: Final = re.compile(r"argument (.+): invalid choice: (['\"])(.*)\2 \(choose from (.*)\)")


class CommandParser(argparse.ArgumentParser):
    """A parser that answers a mistyped command in one line, with the command that was probably meant."""

    def error(self, message: str) -> NoReturn:
        if (slip := _WRONG_CHOICE.match(message)) is None:
            super().error(message)
        argument, _, typed, listed = slip.groups()
        choices = re.findall(r"[\w-]+", listed)
        if argument.startswith("-"):
            super().error(f"argument {argument}: {as_typed(typed)} is not one of {', '.join(choices)}")
        near = did_you_mean(typed, choices)
        self.exit(2, f"kimberley: no command {as_typed(typed)}.{near} All commands: {self.prog} --help\n")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        from kimberley.p2p.base.terminal import fitted

        super().exit(status, fitted(message.rstrip(), stream=sys.stderr) + "\n" if message else None)


class CommandHelp(argparse.RawDescriptionHelpFormatter):
    """The help of a command. Its values are not broken at their hyphens."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


class MainParser(CommandParser):
    """A parser whose help begins with the commands for players, and ends with those for programmers."""

    makers: Collection[str] = ()
    """The names of the commands for programmers."""

    def format_help(self) -> str:
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        commands = [action for action in self._actions if isinstance(action, argparse._SubParsersAction)]
        listed = [one for action in commands for one in action._get_subactions()]
        ours = [one for one in listed if one.dest not in self.makers]
        sections = [(group.title, group._group_actions) for group in self._action_groups if group != self._subparsers]
        theirs = [one for one in listed if one.dest in self.makers]
        for title, actions in (("commands", ours), *sections, ("commands for programmers", theirs)):
            formatter.start_section(title)
            formatter.add_arguments(actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()


def common_options(*, seat: bool = False, screen: bool = False) -> argparse.ArgumentParser:
    """Returns options that may come before or after a command.

    They are made anew for each command and default to SUPPRESS: a command's defaults must not undo an option that comes
    before the command.
    """
    options = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    if seat:
        group = options.add_argument_group("the player")
        group.add_argument(
            "--data", type=path, metavar="DIR", help="folder for identity, settings, saved games and records"
        )
        group.add_argument("--nickname", metavar="NAME", help="your name at the table (default: as in your settings)")
    if screen:
        group = options.add_argument_group("display")
        group.add_argument("--plain", action="store_true", help="text instead of screens, for screen readers")
        group.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
        depths = "auto (what the terminal supports), 24-bit, 8-bit (or 256), 4-bit (or 16), none"
        for spelling, text in (("--colors", depths), ("--colours", argparse.SUPPRESS)):
            group.add_argument(
                spelling,
                dest="colours",
                type=lambda text: DEPTHS_BY_COUNT.get(text, text),
                choices=COLOURS,
                metavar="DEPTH",
                help=text,
            )
        group.add_argument("--theme", choices=THEME_NAMES, metavar="NAME", help=f"one of {', '.join(THEME_NAMES)}")
        group.add_argument("--calm", action="store_true", help="skip all animations")
        group.add_argument("--quiet", action="store_true", help="like --calm, and silent")
        group.add_argument(
            "--audio",
            choices=("auto", "on", "off"),
            metavar="WHEN",
            help="music and sounds: auto (not over SSH, not with --plain), on, off",
        )
    return options


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game",
        nargs="?",
        default=DEFAULT_GAME,
        metavar="GAME",
        help="the game, such as land or mine (default: %(default)s)",
    )


def add_where(parser: argparse.ArgumentParser, otherwise: str, whom: str = "which host to join") -> None:
    parser.add_argument("where", nargs="?", metavar="NAME|HOST[:PORT]|CODE", help=f"{whom} (default: {otherwise})")
    add_mailbox(parser)


def add_mailbox(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the mailbox server, through which a code leads to a table far away."""
    parser.add_argument(
        "--mailbox", type=mailbox, metavar="URL", help="the mailbox server for friends far away; saved in your settings"
    )


def add_which(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "which",
        nargs="?",
        metavar="GAME|NAME|FILE",
        help="a game, an opponent’s name, or the file of a saved game (default: the latest)",
    )


def add_level(parser: argparse.ArgumentParser, whose: str, default: int | None) -> None:
    usual = "last used" if default is None else default
    parser.add_argument("--level", type=level, metavar="N", help=f"skill {whose}, from 1 (default: {usual})")
    parser.set_defaults(usual_level=default)


def add_judge_level(parser: argparse.ArgumentParser) -> None:
    from kimberley.games.bots.judge_levels import LEVELS, NORMAL_LEVEL

    parser.add_argument(
        "--level",
        type=judge_level,
        default=NORMAL_LEVEL,
        metavar=f"{LEVELS[0]}-{LEVELS[-1]}",
        help="how hard the judge thinks about each choice (default: %(default)s)",
    )


def add_host_options(parser: argparse.ArgumentParser, usual_wait: str) -> None:
    parser.add_argument(
        "--port", type=port, metavar="N", help=f"TCP port (default: {DEFAULT_PORT}, or the next free one)"
    )
    parser.add_argument("--bind", metavar="ADDRESS", help="the only address to host on (default: all)")
    parser.add_argument("--far", action="store_true", help="show a code that lets a friend far away join")
    add_mailbox(parser)
    parser.add_argument(
        "--relay", type=relay, metavar="tcp:HOST:PORT", help="the relay for friends far away; saved in your settings"
    )
    parser.add_argument(
        "--waiting",
        "--grace",
        type=whole,
        dest="grace",
        metavar="S",
        help=f"seconds until the others can stop waiting for a player who is away (default: {usual_wait})",
    )


def add_bot_options(parser: argparse.ArgumentParser) -> None:
    add_level(parser, "of the bot", 5)
    parser.add_argument("--seed", type=whole, metavar="N", help="make the bot’s choices repeatable (default: random)")
    parser.add_argument("--again", action="store_true", help="keep playing until interrupted")
    parser.add_argument(
        "--linger",
        type=whole,
        metavar="SECONDS",
        help="seconds to stay after the game, so that others can read the dossier (default: 60; with --json 0)",
    )
    add_json(parser)


# -- paths and numbers -------------------------------------------------------------------------------------------------


def mailbox(text: str) -> str:
    from kimberley.p2p.far.codes import NO_MAILBOX, is_mailbox

    if text and not is_mailbox(text):
        raise argparse.ArgumentTypeError(NO_MAILBOX.format(text=text))
    return text


def relay(text: str) -> str:
    from kimberley.p2p.far.codes import NO_RELAY, is_relay

    if text and not is_relay(text):
        raise argparse.ArgumentTypeError(NO_RELAY.format(text=text))
    return text


def level(text: str) -> int:
    if (number := whole(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a level: levels start at 1")
    return number


def judge_level(text: str) -> int:
    from kimberley.games.bots.judge_levels import LEVELS

    return within(text, LEVELS[0], LEVELS[-1], f"a judge has levels {LEVELS[0]} to {LEVELS[-1]}")
