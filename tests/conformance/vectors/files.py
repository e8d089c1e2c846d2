"""The files of conformance/vectors/, against which a peer in another language checks itself.

Each file tests some of the functions in `functions`, `table_functions` and `wire_functions`. SPEC.md, section 27, says
how values are written.
"""

from __future__ import annotations

import json
from typing import Any, Final

from tests.conformance.vectors.asks import asks
from tests.conformance.vectors.attestations import attestations
from tests.conformance.vectors.audits import audits
from tests.conformance.vectors.book import schema
from tests.conformance.vectors.chains import chains
from tests.conformance.vectors.commitments import commitments
from tests.conformance.vectors.disclosures import disclosures
from tests.conformance.vectors.encoding import encoding
from tests.conformance.vectors.envelopes import envelopes
from tests.conformance.vectors.escrows import escrows
from tests.conformance.vectors.frames import frames
from tests.conformance.vectors.games import games
from tests.conformance.vectors.group import group
from tests.conformance.vectors.hashing import hashing
from tests.conformance.vectors.hello import hellos
from tests.conformance.vectors.keys import keys
from tests.conformance.vectors.ranges import ranges
from tests.conformance.vectors.records import records
from tests.conformance.vectors.rolls import rolls
from tests.conformance.vectors.rosters import rosters
from tests.conformance.vectors.shares import shares
from tests.conformance.vectors.shuffles import shuffles
from tests.conformance.vectors.signatures import signing
from tests.support.paths import ROOT

FOLDER: Final = ROOT / "conformance" / "vectors"
BOOKS: Final[dict[str, dict[str, Any]]] = {
    path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json")) if path.stem != "schema"
}
"""What the files hold, by name."""
MAKERS: Final = (
    asks,
    attestations,
    audits,
    chains,
    commitments,
    disclosures,
    encoding,
    envelopes,
    escrows,
    frames,
    games,
    group,
    hashing,
    hellos,
    keys,
    ranges,
    records,
    rolls,
    rosters,
    shares,
    shuffles,
    signing,
)
"""What makes the files, each in a module with the name of its file."""


def files() -> dict[str, str]:
    """Returns the text of every file, by its name."""
    books = [make() for make in MAKERS]
    written = {f"{book.name}.json": book.render() for book in books}
    return {"schema.json": schema(), **written}
