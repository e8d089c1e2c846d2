"""`kimberley verify FILE`: what a record proves. For folders, tournament files and several files, see
`client.cli.verify_all`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from kimberley.client.session.verdicts import (
    ask_for_patience,
    is_bundle,
    require_readable,
    verdict_as_plain,
    verify_file,
)
from kimberley.p2p.base.terminal import fitted
from kimberley.p2p.sentences.verdicts import EXIT, verdict_lines


def run(given: Sequence[Path], *, as_json: bool, dask: str | None = None) -> int:
    """Prints the verdicts on files and folders. Returns the exit status that the help lists. Raises NoCluster, and
    UserError for a file that cannot be read, about which nothing is known.
    """
    path, *more = given
    for place in given:
        if not place.is_dir():
            require_readable(place)
    if more or path.is_dir() or is_bundle(path):
        from kimberley.client.cli import verify_all

        if more or path.is_dir():
            return verify_all.run_many(given, as_json=as_json, dask=dask)
        return verify_all.run_bundle(path, as_json=as_json, dask=dask)
    ask_for_patience(path)
    verdict = verify_file(path)
    if as_json:
        print(json.dumps(verdict_as_plain(verdict), indent=1))
    else:
        print("\n".join(map(fitted, verdict_lines(verdict))))
    return EXIT[verdict.code]
