"""Makes the files of a release that every later version reads (docs/compatibility.md).

    .venv/bin/python -m tests.tools.kept

They are in tests/data/kept, in a folder named like the release: a record of each game, the data folders of two players
in the middle of a game, a tournament file, and the copy of the program that a friend gets. They are read, and the copy
played with, in `tests/docs/test_compatibility.py`. Once the release has its tag, they are never made again: a later
release that writes something in another way has a folder of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest import mock

from kimberley.client.cli.main import main as kimberley
from kimberley.client.session.settings import FILE, Settings
from kimberley.games import lookup
from kimberley.games.mine import GAME as MINE
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.installation import SHARED_FILE
from kimberley.p2p.sharing.archive import build_archive
from kimberley.p2p.storage.identity import Identity, KnownKeys
from kimberley.p2p.table.terms import make_terms
from tests.support.asyncs import run
from tests.support.comeback import die, to_answer
from tests.support.paths import DATA, ROOT
from tests.support.seated import QUICK, circle_of_tables, play
from tests.support.tables import Wire, at_once, at_random, peer_of, signed_roster
from tests.support.told import honest_cup

RELEASE: Final = "1.0.0"
KEPT: Final = DATA / "kept"
SUMS: Final = "SHA256SUMS"
VERDICTS: Final = "verdicts.json"
PLAYERS: Final = ("ana", "ben")
"""The players of the saved game, and their data folders."""
BUNDLE: Final = "evening.cup"
NAMES: Final = ("ana", "ben", "cleo")
ENOUGH: Final[Mapping[str, int]] = {"diamond-trust": 12, "piecepack": 40}
"""After how many asks all but one resign, where a whole game would be large."""
SAVED_AFTER: Final = 40
"""How many answers the saved game has."""
SENTENCES: Final = ("reason", "checked")
"""What `verify --json` says in sentences."""
CHOSEN: Final = Settings(
    nickname="ana", colours="8-bit", theme="high-contrast", glyphs="ascii", calm=True, quiet=True, audio="off",
    music_volume=3, sound_volume=9, notices="never", level=7, game="land", seats=4, adjust="20", adjust_alone="30",
    grace=600, mailbox="ws://mail.example:4000/v1", relay="tcp:relay.example:4001",
    options={"land": {"map": "small", "turns": "25"}}, guided=["diamond", "mine"],
)  # fmt: skip
"""Settings, none of which is the default."""


def make(folder: Path) -> None:
    """Fills an empty folder."""
    for game in map(lookup.find, lookup.ids()):
        (folder / f"{game.id}.kdt").write_bytes(record_of(game))
    honest_cup().write(folder / BUNDLE)
    run(save_a_game(folder), 120)
    ana, ben = (folder / name for name in PLAYERS)
    KnownKeys(ana).remember({Identity.load_or_create(ben).public: ben.name}, verified=True)
    CHOSEN.path = ana / FILE
    CHOSEN.save()
    verdicts = {path.name: verdict_on(path) for path in sorted(folder.glob("*.*"))}
    (folder / VERDICTS).write_text(json.dumps(verdicts, indent=1, sort_keys=True) + "\n", "utf-8")
    (folder / SHARED_FILE).write_bytes(build_archive().data)
    (folder / SUMS).write_text(sums_of(folder), "utf-8")


def record_of(game: Game) -> bytes:
    """Returns the record of a game with the fewest players, to its end or until all but one have had enough."""
    seats = min(game.seats)
    options: dict[str, Plain] = {option.name: option.values[0][0] for option in game.options} | dict(game.quick)
    table = signed_roster(game, seats, "kept", dict(make_terms(game, options, seats).options), names=NAMES[:seats])
    peers = [peer_of(game, table, seat, "kept") for seat in range(seats)]
    at_will = [at_random(Random(f"kept {seat}")) for seat in range(seats)]
    wire = Wire(peers, at_once(game, seats) if game.id == "land" else at_will)
    wire.start()
    wire.run(lambda: len(peers[0].story) >= ENOUGH.get(game.id, sys.maxsize))
    for peer in peers[:-1]:
        if peer.result is None:
            peer.resign()
    wire.run()
    return peers[0].record().pack()


async def save_a_game(folder: Path) -> None:
    """Kills two programs in the middle of a game. Their data folders stay."""
    with tempfile.TemporaryDirectory() as work, mock.patch.dict(os.environ, XDG_STATE_HOME=work):
        async with circle_of_tables(Path(work) / "tables", MINE) as circle:
            await circle.seat(len(PLAYERS), {**QUICK, **dict(MINE.quick)})
            circle.tables[0].chat.say("well met")
            playing = [asyncio.create_task(play(table, Random(n))) for n, table in enumerate(circle.tables)]
            await to_answer(circle.tables[1], SAVED_AFTER)
            for table in circle.tables:
                await die(table)
            await asyncio.gather(*playing)
            for name in PLAYERS:
                shutil.copytree(Path(work) / "tables" / name, folder / name)


def verdict_on(path: Path) -> dict[str, Any]:
    """Returns what `kimberley verify` says of a file in data, and its status."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        status = kimberley(["verify", str(path), "--json"])
    return {"status": status, "says": without_sentences(json.loads(printed.getvalue()))}


def without_sentences(said: Any) -> Any:
    """Returns data without what later versions can put in other words."""
    if isinstance(said, dict):
        return {name: without_sentences(value) for name, value in said.items() if name not in SENTENCES}
    return [without_sentences(one) for one in said] if isinstance(said, list) else said


def sums_of(folder: Path) -> str:
    """Returns a line for each file except the list itself, as `sha256sum` writes them."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    lines = (
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}" for path in files
    )
    return "".join(f"{line}\n" for line in lines)


def main() -> int:
    argparse.ArgumentParser(
        prog="python -m tests.tools.kept", description=(__doc__ or "").partition("\n")[0]
    ).parse_args()
    tag = subprocess.run(["git", "tag", "--list", f"v{RELEASE}"], cwd=ROOT, check=True, capture_output=True, text=True)
    if tag.stdout.strip():
        print(f"{RELEASE} is released: its files stay as they are.", file=sys.stderr)
        return 1
    folder = KEPT / RELEASE
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    make(folder)
    print((folder / SUMS).read_text("utf-8"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
