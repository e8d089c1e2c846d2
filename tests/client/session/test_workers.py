"""Worker processes, which must leave nothing behind."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import pytest

PATIENCE: Final = 60.0
WORKING: Final = """\
from kimberley.client.session.workers import workers

with workers(3, None) as executor:
    print(list(executor.map(str, range(9))), flush=True)
    input()
"""


@pytest.mark.slow
def test_workers_end_with_the_program_that_is_killed() -> None:
    """They have its standard output, too, which ends with the last of them."""
    program = subprocess.Popen(
        [sys.executable, "-c", WORKING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None
    assert "'8'" in program.stdout.readline()
    program.kill()
    said, _ = program.communicate(timeout=PATIENCE)
    assert said == ""
