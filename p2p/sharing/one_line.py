"""The line that a friend types: it fetches the file, checks it by a hash in the line itself, and only then runs it.

It needs nothing but Python. It means the same to sh, PowerShell and cmd, because nothing in its double quotes is
special to any of them; only the name of Python differs. Python is isolated (-I): a module in the folder where the
line is typed, or one that the environment names, would otherwise run before the check.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from kimberley.p2p.sharing.archive import BEGINNING_SIZE, SharedFile

PATH: Final = "/k"
"""Where the file is served. It is short because people type it."""
PATIENCE: Final = 9
"""Seconds after which a host that says nothing is given up."""
MOST_BYTES: Final = "9**8"
"""More bytes than the file will ever have: a server that sends more is not believed."""


class CommandShell(Enum):
    """The program that reads the line."""

    SH = "sh"
    POWERSHELL = "PowerShell"
    CMD = "cmd"


PYTHON: Final[Mapping[CommandShell, str]] = {
    CommandShell.SH: "python3",
    CommandShell.POWERSHELL: "py",
    CommandShell.CMD: "py",
}
"""The name of Python in each shell."""


def one_line(shell: CommandShell, site: str, file: SharedFile, *arguments: str) -> str:
    """Returns the line.

    Args:
        shell: Who reads it.
        site: Where the file is served, such as "http://192.168.1.7:7480".
        file: The file, whose hash is in the line.
        arguments: What the program is then started with, such as "join" and an address.

    """
    code = (
        f"import urllib.request as u,hashlib as h;d=u.urlopen('{site}{PATH}',None,{PATIENCE}).read({MOST_BYTES});"
        f"h.sha256(d).hexdigest()[:{len(file.digits)}]=='{file.digits}'or exit('changed: not run');"
        f"exec(d[:{BEGINNING_SIZE}])"
    )
    return " ".join([PYTHON[shell], "-Ic", f'"{code}"', *map(_quoted, arguments)])


def _quoted(argument: str) -> str:
    """Quotes an argument, since some shells take the brackets of an IPv6 address for a pattern."""
    return argument if argument.replace(".", "").replace(":", "").isalnum() else f'"{argument}"'
