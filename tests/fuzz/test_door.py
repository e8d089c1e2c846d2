"""A crowd at the doors of a table of whole programs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.fuzz.door import besieged


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc, and 127.0.1.1 is of this machine")
@pytest.mark.nightly
def test_a_table_plays_on_while_a_crowd_is_at_its_doors(tmp_path: Path) -> None:
    found = besieged(3000, tmp_path)
    assert (found.verdict, found.taken) == ("fair", 3000)
    assert found.log_lines < 600
    # Each connection that is served has a buffer of 256 KiB, and 32 are served at a time.
    assert found.most_memory_mib - found.memory_mib < 50
