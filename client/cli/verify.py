"""`kimberley verify FILE`: what a record proves. For folders and bundles, see `client.cli.verify_all`."""

from __future__ import annotations

import json
from pathlib import Path

from kimberley.client.session.verdicts import (
    EXIT,
    ask_for_patience,
    is_bundle,
    judge_file,
    verdict_as_plain,
    verdict_lines,
)


def run(path: Path, *, as_json: bool, dask: str | None = None) -> int:
    """Prints the verdict on a file or a folder. Returns the exit status that the help lists. Raises NoCluster."""
    if path.is_dir() or is_bundle(path):
        from kimberley.client.cli import verify_all

        judged = verify_all.run_folder if path.is_dir() else verify_all.run_bundle
        return judged(path, as_json=as_json, dask=dask)
    ask_for_patience(path)
    verdict = judge_file(path)
    if as_json:
        print(json.dumps(verdict_as_plain(verdict), indent=1))
    else:
        print("\n".join(verdict_lines(verdict)))
    return EXIT[verdict.code]
