"""The files of conformance/vectors/, against which a peer in another language checks itself.

Each file tests some of the functions in `functions`, `table_functions` and `wire_functions`. SPEC.md, section 27, says
how values are written.
"""

from __future__ import annotations

import json
from typing import Any, Final

from tests.conformance.vectors.asks import books as asks
from tests.conformance.vectors.audits import books as audits
from tests.conformance.vectors.bags import books as bags
from tests.conformance.vectors.book import schema
from tests.conformance.vectors.games import books as games
from tests.conformance.vectors.primitives import books as cases
from tests.conformance.vectors.tables import books as tables
from tests.conformance.vectors.wire import books as wire
from tests.support.paths import ROOT

FOLDER: Final = ROOT / "conformance" / "vectors"
BOOKS: Final[dict[str, dict[str, Any]]] = {
    path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json")) if path.stem != "schema"
}
"""What the files hold, by name."""


def files() -> dict[str, str]:
    """The text of every file, by its name."""
    books = (*cases(), *bags(), *tables(), *asks(), *audits(), *games(), *wire())
    written = {f"{book.name}.json": book.render() for book in books}
    return {"schema.json": schema(), **written}
