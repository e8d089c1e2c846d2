"""Commands of rooms that are installed separately: for organizers, and for those who write programs. A player's program
knows only their names, so that it can say what to install; the rest is in the room's module `commands`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from kimberley.client.cli.lent import LentProgram

NO_PREFIX: Final = "\0"
OptionsOf = Callable[[argparse.ArgumentParser], None]
Run = Callable[[argparse.Namespace], int]
PartsOfRoom = tuple[Callable[[argparse.ArgumentParser, Any], None], Callable[[argparse.Namespace, Any], int], str]
"""The first two are given this program, for what the room needs from it."""


@dataclass(frozen=True, slots=True)
class RoomCommand:
    """A command's name, its room, what the list of commands says about it, and for whom it is."""

    name: str
    room: str
    summary: str
    for_makers: bool = True
    has_screen: bool = False

    def parts(self) -> tuple[OptionsOf, Run, str]:
        """Returns what adds its options, what runs it, and the text of its help. If the room is missing, running it
        says what to install.
        """
        try:
            module = import_module(f"kimberley.{self.room}.commands")
        except ModuleNotFoundError:
            return _take_anything, self._refuse, ""
        commands: Mapping[str, PartsOfRoom] = module.COMMANDS
        add_options, run, text = commands[self.name]
        program = LentProgram()
        return lambda parser: add_options(parser, program), lambda arguments: run(arguments, program), text

    def _refuse(self, _arguments: argparse.Namespace) -> int:
        from kimberley.p2p.base.extras import missing_room

        raise missing_room(self.room, f"kimberley {self.name}")


def _take_anything(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("anything", nargs="*", help=argparse.SUPPRESS)
    # Whatever is typed, even --help, leads to the same sentence.
    parser.prefix_chars = NO_PREFIX


ROOM_COMMANDS: Final = (
    RoomCommand("referee", "referee", "run a tournament", for_makers=False, has_screen=True),
    RoomCommand("conform", "conformance", "test whether a peer speaks the protocol"),
    RoomCommand("peer", "conformance", "play a peer for conform, driven by lines of JSON"),
)
