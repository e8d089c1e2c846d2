"""Two people on a network where every computer has only the address that it gave itself."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.at_the_lan import player
from tests.support.lan import Lan


def test_the_host_shows_what_others_must_add_and_they_are_told_if_they_do_not(tmp_path: Path) -> None:
    with Lan(2) as lan:
        lan.run(*(f"ip -n h{host} addr flush dev eth0 scope global" for host in (1, 2)))
        with player(lan, 1, "ana", tmp_path) as ana, player(lan, 2, "ben", tmp_path) as ben:
            ana.press("h")
            shown = ana.wait("For INTERFACE, others type their own")
            # The address takes the rest of its row, and of the next one as much as it needs.
            found = re.search(r"kimberley join (fe80::[0-9a-f:]*)(?:\s*\n.*\s([0-9a-f:]*))?%INTERFACE", shown)
            assert found is not None, shown
            address = f"{found[1]}{found[2] or ''}"
            for typed in (address, f"{address}%INTERFACE"):
                ben.wait("Host h")
                ben.press("j", "/")
                ben.send(f"{typed}\r")
                told = " ".join(ben.wait(f"{address}%eth0.").replace("│", " ").split())
                assert ("has no network interface called INTERFACE" in told) == ("%" in typed)
                ben.press("esc")
                ben.wait("or type an address")
                ben.press("esc", "esc")  # The first leaves the field.
            ben.wait("Host h")
            ben.press("j", "/")
            ben.send(f"{address}%eth0\r")
            ben.wait("Same y")
