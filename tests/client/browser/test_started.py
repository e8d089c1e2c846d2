"""What a page keeps of its started program holds no randomness that a reload would repeat, and no open file."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import ROOT

WORKER: Final = (ROOT / "client" / "browser" / "page" / "worker.js").read_text()
SOURCES: Final = """
import gc, random, tempfile
apart = random._inst, tempfile._get_candidate_names().rng
print([each for each in gc.get_objects() if type(each) is random.Random and each not in apart])
"""
"""Names of temporary files, which are secret nowhere, are in the memory of the page alone."""
OPEN: Final = """
import io
print([each for each in gc.get_objects() if isinstance(each, io.FileIO) and not each.closed and each.fileno() > 2])
"""


def imports_of_the_page() -> list[str]:
    found = re.search(r"const IMPORTS = `(.*?)`", WORKER, re.DOTALL)
    assert found is not None
    return found[1].splitlines()


def run(*lines: str) -> list[str]:
    """Runs these lines in another Python. Returns what they print."""
    command = [sys.executable, "-c", "\n".join(lines)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.mark.slow
def test_only_the_generator_that_a_reload_seeds_anew_is_in_the_memory_that_is_kept() -> None:
    imports = imports_of_the_page()
    assert any("kimberley.p2p.table.table" in line for line in imports)
    assert run(*imports, SOURCES) == ["[]"]
    assert 'NEW_CHANCE = "import random; random.seed()"' in WORKER


@pytest.mark.slow
def test_no_file_is_open_in_the_memory_that_is_kept(tmp_path: Path) -> None:
    library = tmp_path / "library.zip"
    with zipfile.ZipFile(library, "w") as archive:
        archive.writestr("nothing.py", "")
    # The page has Python's own library in such an archive.
    search = f"import sys; sys.path.append({str(library)!r})"
    imports = imports_of_the_page()
    assert run(search, "import gc", *imports, OPEN) == ["[]"]
