"""What an organizer can type: one list for the terminal, the page and the docs."""

from __future__ import annotations

import re

from kimberley.client.cli.referee_console import OWN_COMMANDS
from kimberley.client.session.organizer_commands import COMMANDS
from tests.support.paths import ROOT


def test_the_docs_list_the_commands_of_the_page_and_then_those_of_the_terminal() -> None:
    text = (ROOT / "docs" / "referee.md").read_text("utf-8")
    table = text.split("| Command | What it does |")[1].split("\n\n")[0]
    typed = [word for row in table.splitlines()[2:] for word in re.findall(r"`([a-z]+)[^`]*`", row)]
    words = list(dict.fromkeys(word for word in typed if word in {*COMMANDS, *OWN_COMMANDS}))
    assert words == [*COMMANDS, *OWN_COMMANDS]
