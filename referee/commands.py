"""The options of `kimberley referee`, its help, and what it runs. The program finds them here (`client.cli.rooms`)."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from kimberley.p2p.base.arguments import MISUSED, count, path, port, whole, within
from kimberley.p2p.table.arguments import add_table_options
from kimberley.p2p.table.common_options import TOURNAMENT_GRACE_SECONDS
from kimberley.p2p.transport.ports import DEFAULT_PORT

if TYPE_CHECKING:
    from kimberley.p2p.tournament.player_program import PlayerProgram

TEXT: Final = """\
Without a name, it asks for what it needs, here and in a form on a web page.

Players see the tournament in the list of tables, or type its name: kimberley
join "Friday Cup". The referee pairs them, and they meet at tables of their
own. It watches, keeps the clocks, rules on time, silence and cheating, checks
every game, and signs the results. It sees no secret before a game is over.
You need not trust it to keep games fair. What does rest on its word, such as
the clocks, who was silent or did not show up, and what the organizer decided,
is listed by kimberley verify.

Everything is saved in the tournament’s folder. If the referee stops, start it
again with the tournament’s name alone. In the referee’s window you can type
commands such as start, next, pause, add, decide and replay; help lists them
all. --option, --seats and --adjust apply to every table. --status shows the
standings, from another window.

  kimberley referee "Friday Cup" --rounds 5 --clock 20m+10s
  kimberley referee "Land Cup" --game land --seats 4 --start 20:00 --web 8080
  kimberley referee "Bot Cup" --format round-robin --players 6 --linger 0
  kimberley referee --status ~/.local/share/kimberley/cups/friday-cup
"""


def add_options(parser: argparse.ArgumentParser, program: PlayerProgram) -> None:
    """Adds the options of the command."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the tournament’s name, which players look for")
    parser.add_argument("--status", type=path, metavar="DIR", help="show the state of the tournament in that folder")
    parser.add_argument(
        "--game", metavar="GAME", help=f"the game, such as land or mine (default: {program.usual_game})"
    )
    parser.set_defaults(usual_game=program.usual_game)
    parser.add_argument(
        "--format",
        choices=("swiss", "accelerated-swiss", "round-robin", "double-round-robin", "knockout", "arena"),
        metavar="FORMAT",
        help="format: %(choices)s (default: swiss)",
    )
    parser.add_argument(
        "--rounds", type=rounds, metavar="N", help="how many rounds (default: as many as the format needs)"
    )
    parser.add_argument("--minutes", type=count, metavar="N", help="how long an arena lasts (default: 60)")
    parser.add_argument("--boards", type=count, metavar="N", help="play in teams of N (default: no teams)")
    parser.add_argument(
        "--team",
        action="append",
        default=[],
        dest="teams",
        metavar="NAME:PLAYER,...",
        help="a team, in board order; repeat for each team (default: teams drawn at random)",
    )
    parser.add_argument(
        "--late-byes",
        type=count,
        metavar="N",
        help="in a Swiss, how many missed rounds give half a point to a player who joins late (default: none)",
    )
    parser.add_argument(
        "--clock", metavar="20m+10s", help="each player’s time per game, plus time per choice (default: no clocks)"
    )
    add_table_options(parser, seats="the fewest", otherwise="the game’s own")
    parser.add_argument(
        "--grace",
        type=whole,
        metavar="S",
        help=f"seconds until a player whose program is silent loses (default: {TOURNAMENT_GRACE_SECONDS})",
    )
    parser.add_argument("--players", type=players, metavar="N", help="start when N players have joined")
    parser.add_argument("--start", metavar="HH:MM", help="start at that time")
    parser.add_argument("--pause", type=whole, metavar="S", help="seconds between rounds (default: 15)")
    parser.add_argument(
        "--come",
        type=count,
        metavar="S",
        help="seconds for players to come to their table, and then to get ready (default: 180)",
    )
    parser.add_argument(
        "--port", type=port, metavar="N", help=f"TCP port (default: {DEFAULT_PORT}, or the next free one)"
    )
    parser.add_argument("--bind", metavar="ADDRESS", help="the only address to use, or all (default: all)")
    parser.add_argument(
        "--web", metavar="[HOST:]PORT", help=("show the tournament as a web page on that port (default: no page)")
    )
    parser.add_argument(
        "--web-name",
        action="append",
        metavar="NAME",
        help="another name of the page’s computer; repeat for more (default: the computer’s own names)",
    )
    parser.add_argument(
        "--data",
        type=path,
        dest="folder",
        metavar="DIR",
        help=(
            "the tournament’s folder (default: cups/NAME in your data folder; to change that folder, put --data "
            "before referee)"
        ),
    )
    parser.add_argument(
        "--linger",
        type=whole,
        metavar="S",
        help="seconds to keep running after the last result, or until everyone has left (default: until stopped)",
    )
    parser.add_argument("--json", action="store_true", help="with --status, print JSON, for programs")


def rounds(text: str) -> int:
    """Returns a number of rounds. Raises ArgumentTypeError."""
    from kimberley.p2p.tournament.settings import MOST_ROUNDS

    reason = f"a tournament has 1 to {MOST_ROUNDS} rounds; leave out --rounds to let the format decide"
    return within(text, 1, MOST_ROUNDS, reason)


def players(text: str) -> int:
    """Returns a number of players. Raises ArgumentTypeError."""
    from kimberley.p2p.tournament.settings import MOST_PLAYERS

    return within(text, 2, MOST_PLAYERS, f"a tournament starts with 2 to {MOST_PLAYERS} players")


def run(arguments: argparse.Namespace, program: PlayerProgram) -> int:
    """Runs a tournament, or shows one. Returns the exit status. Raises UserError."""
    from kimberley.p2p.base.extras import REFEREE, require
    from kimberley.p2p.sentences.options import known_game

    require(REFEREE, "A tournament")
    if arguments.status is not None:
        from kimberley.referee import status

        return status.run(arguments, program)
    from kimberley.referee import command

    if arguments.game is not None:
        known_game(arguments.game)
    if arguments.name is not None:
        return command.run(arguments, program)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print('kimberley: A tournament needs a name: kimberley referee "Friday Cup"', file=sys.stderr)
        return MISUSED
    return command.run_asked(arguments, program)


COMMANDS: Final = {"referee": (add_options, run, TEXT)}
