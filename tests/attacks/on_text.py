"""Attacks by text: nicknames that look like another's, and output that controls the terminal."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from kimberley.client.cli.verify import run as verify
from kimberley.games.diamond import GAME
from kimberley.p2p.storage.identity import KnownKeys, nickname_from
from tests.attacks.attack import Attack, Outcome
from tests.support.tables import peer_of, renamed, signed_roster

FRIEND, MARCO, STRANGER = b"f" * 32, b"m" * 32, b"s" * 32
INVISIBLE: Final = "\u3164\uffa0\u1160\u115f\u034f\ufe00\ufe0f\u180b\u17b4\U000e0100\u2800\u2d7f\U00016fe4\U0001d159"
LOOKALIKES: Final = (
    "\u0430na",
    "an\u0430",
    "\u0430n\u0430",
    "\u237ana",
    "\u0251na",
    "\U0001d41ana",
    "mar\u03f2o",
)


def impersonate() -> Outcome:
    """Has a stranger take the nickname "ana" with invisible or lookalike characters. The real ana is a friend."""
    names = [nickname_from(name) for one in INVISIBLE for name in (f"an{one}a", f"ana{one}", f"{one}ana")]
    names += [nickname_from(name) for name in LOOKALIKES]
    with tempfile.TemporaryDirectory() as folder:
        known = KnownKeys(Path(folder))
        known.remember({FRIEND: "ana", MARCO: "marco"}, verified=True)
        unwarned = sum(known.status_of(name, STRANGER) != "changed" for name in names)
    return Outcome(unwarned == 0, f"{unwarned} of {len(names)} lookalike nicknames bring no warning")


def control_the_terminal() -> Outcome:
    """Runs `verify --json` on a record whose nicknames hold C1 and direction controls."""
    hostile = peer_of(GAME, renamed(signed_roster(GAME), "a\x9b2J\u202eb"), None).record()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.kimberley"
        path.write_bytes(hostile.pack())
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            verify([path], as_json=True)
    json.loads(out.getvalue())
    raw = sum(ord(one) in (0x9B, 0x202E) for one in out.getvalue())
    return Outcome(raw == 0, f"{raw} control characters reach the terminal raw")


def plant_a_module() -> Outcome:
    """Runs a demo in a folder that holds a planted client.py."""
    with tempfile.TemporaryDirectory() as folder:
        planted = Path(folder)
        (planted / "client.py").write_text("import pathlib\npathlib.Path(__file__).with_name('run').touch()\n")
        kimberley = Path(sys.executable).with_name("kimberley")
        command = [str(kimberley), "demo", "diamond", "--data", str(planted / "data")]
        done = subprocess.run(command, cwd=planted, capture_output=True, timeout=120, check=False)
        was_run = (planted / "run").exists()
    return Outcome(not was_run and done.returncode == 0, f"the planted module {'was' if was_run else 'was not'} run")


ATTACKS: Final = (
    Attack("lookalike-nicknames", "A stranger takes a friend's nickname, with other characters", impersonate),
    Attack("terminal-controls", "A record's nicknames drive the terminal that verifies it", control_the_terminal),
    Attack("planted-module", "A module in the current folder has the name of one of ours", plant_a_module),
)
