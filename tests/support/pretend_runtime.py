"""A runtime of one small file, in place of what seats in the browser run on."""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from pathlib import Path
from typing import Final

import pytest

from kimberley.p2p.sharing import page_program
from kimberley.p2p.sharing.page_program import LIST

PYTHON: Final = b"python"
FILE: Final = "python.wasm"


def pretend_runtime(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives pages this runtime from now on. It is in a new folder within this one."""
    package = folder / "pretend_runtime"
    (package / "files").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "files" / f"{FILE}.gz").write_bytes(gzip.compress(PYTHON))
    known = {FILE: {"sha256": hashlib.sha256(PYTHON).hexdigest(), "size": len(PYTHON)}}
    (package / "files" / LIST).write_text(json.dumps(known))
    monkeypatch.delitem(sys.modules, package.name, raising=False)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(page_program, "RUNTIME", package.name)
