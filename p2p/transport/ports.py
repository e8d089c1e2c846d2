"""The ports of this program where nobody has chosen others."""

from __future__ import annotations

from typing import Final

DEFAULT_PORT: Final = 7411  # SPEC: default port
"""TCP, of a table or a tournament."""
PORTS_TRIED: Final = 20  # SPEC: ports tried
"""The number of ports to try, starting with the default one, before any free port is used."""
SHARE_PORT: Final = 7480
"""TCP, of the page that has the program and browser seats."""
PAGE_PORT: Final = 8080
"""TCP, of the page of a tournament."""
MDNS_PORT: Final = 5353
"""UDP, where tables are announced (RFC 6762)."""
