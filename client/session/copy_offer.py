"""What a friend without a copy of the program must be shown to get one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kimberley.p2p.sharing.one_line import CommandShell


@dataclass(frozen=True, slots=True)
class SharedTable:
    """The table at which a friend who gets a copy sits down.

    Args:
        port: The port of its listener.
        title: The title of its game.
        numbers: How many players it can start with, in ascending order.
        picture: What the page shows of the game, as SVG of this program's own making; empty for nothing.

    """

    port: int
    title: str
    numbers: tuple[int, ...]
    picture: str = ""


@dataclass(frozen=True, slots=True)
class CopyOffer:
    """What to show to a friend without a copy.

    Args:
        host: The nickname of the person who shares.
        site: The page's address, without a slash at its end, such as "http://192.168.1.7:7480".
        lines: The one line to type, for each shell.
        digits: The first 88 bits of the file's SHA-256 in hexadecimal, as they stand in the lines.
        words: The same as eight words, to be read aloud.
        size: The size of the file, in bytes.
        pip: The line that installs it for good, with the hash that pip then requires of it. None if this copy was
            shared itself, and so is not the whole package.
        table: The table that the lines join. None if they open the title screen.
        play: The link for joining the table in a browser, with digits that stand for the program that it starts and for
            the host's key. None if nobody can.
        without: Why nobody can join in a browser, with the line to type; empty if that is not because something is
            missing on this machine.
        install: That line; empty if nothing is missing, or nothing can be installed here.

    """

    host: str
    site: str
    lines: Mapping[CommandShell, str]
    digits: str
    words: tuple[str, ...]
    size: int
    pip: str | None
    table: SharedTable | None
    play: str | None = None
    without: str = ""
    install: str = ""

    @property
    def page_digits(self) -> str:
        """The digits in the link, which the page also shows; empty if nobody can join there."""
        return "" if self.play is None else self.play.partition("#")[2]

    @property
    def firewall(self) -> str:
        """Returns what a firewall of this machine must let in."""
        page = self.site.rpartition(":")[2]
        return f"allow TCP {page}" if self.table is None else f"allow TCP {page} and {self.table.port}"
