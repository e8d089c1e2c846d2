"""What a page keeps of its started program holds no chance that a reload would repeat."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Final

from tests.support.paths import ROOT

WORKER: Final = (ROOT / "client" / "browser" / "page" / "worker.js").read_text()
SOURCES: Final = """
import gc, random, tempfile
apart = random._inst, tempfile._get_candidate_names().rng
print([each for each in gc.get_objects() if type(each) is random.Random and each not in apart])
"""
"""Names of temporary files, which are secret nowhere, are in the memory of the page alone."""


def test_only_the_generator_that_a_reload_seeds_anew_is_in_the_memory_that_is_kept() -> None:
    found = re.search(r"const IMPORTS = `(.*?)`", WORKER, re.DOTALL)
    assert found is not None
    imports = found[1].splitlines()
    assert any("kimberley.p2p.table.table" in line for line in imports)
    told = subprocess.run(
        [sys.executable, "-c", "\n".join([*imports, SOURCES])], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert told == ["[]"]
    assert 'NEW_CHANCE = "import random; random.seed()"' in WORKER
