"""A friend with only Python types the line that `kimberley share` shows, and comes to the title or to the table."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.friend import Friend

pytestmark = pytest.mark.e2e

OWN: Final = (sys.executable, "-P", "-m", "kimberley.client.cli.main")


@pytest.fixture
def friend(tmp_path: Path) -> Friend:
    return Friend(tmp_path / "friend")


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Shares, and hosts a game of Diamond Trust. Yields what is shared, and the address of the table."""
    with ExitStack() as ends:

        def start(*arguments: str) -> dict[str, Any]:
            data = ("--data", str(tmp_path / arguments[0]), "--nickname", "ana")
            process = subprocess.Popen(
                [*OWN, *arguments, "--bind", "127.0.0.1", "--json", *data], stdout=subprocess.PIPE
            )
            ends.callback(process.communicate)
            ends.callback(process.kill)
            assert process.stdout is not None
            found: dict[str, Any] = json.loads(process.stdout.readline())
            return found

        shared = start("share")
        table = start("bot", "host", "diamond-trust", "--adjust", "0", "--level", "1")
        yield {"line": shared["lines"]["sh"], "table": f"127.0.0.1:{table['port']}"}


@pytest.mark.nightly
def test_one_line_leads_to_the_title_and_the_file_stays(friend: Friend, owner: dict[str, Any]) -> None:
    with friend.types(owner["line"]) as terminal:
        terminal.wait("Host h")
        assert "a shared copy" in terminal.text
        terminal.press("c-c")
        terminal.wait("Kimberley is saved here. To play without the host, type:")
    with friend.types(f"python3 {friend.copy}") as terminal:
        terminal.wait("Host h")


def test_one_line_leads_to_the_first_choice_at_the_table(friend: Friend, owner: dict[str, Any]) -> None:
    with friend.types(f"{owner['line']} join {owner['table']}") as terminal:
        terminal.wait("Same y")
        terminal.press("y")
        terminal.wait("PAY")
