"""The vectors of client/conformance/vectors/, against which a peer in another language checks itself.

    python -m tests.support.vectors            says which files differ from what the code gives
    python -m tests.support.vectors --write    writes them anew

Each file holds tests of some functions of `tests.support.vector_functions`, `vector_table_functions` and
`vector_wire_functions`. SPEC.md, "Vectors", says how values are written.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from tests.support.vector_asks import books as asks
from tests.support.vector_audits import books as audits
from tests.support.vector_bags import books as bags
from tests.support.vector_book import schema
from tests.support.vector_cases import books as cases
from tests.support.vector_games import books as games
from tests.support.vector_tables import books as tables
from tests.support.vector_wire import books as wire

FOLDER: Final = Path(__file__).parents[2] / "client" / "conformance" / "vectors"


def files() -> dict[str, str]:
    """The text of every file, by its name."""
    books = (*cases(), *bags(), *tables(), *asks(), *audits(), *games(), *wire())
    written = {f"{book.name}.json": book.render() for book in books}
    return {"schema.json": schema(), **written}


def main() -> None:
    for name, text in files().items():
        path = FOLDER / name
        if "--write" in sys.argv[1:]:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.stdout.write(f"{name} differs\n")


if __name__ == "__main__":
    main()
