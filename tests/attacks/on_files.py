"""Files that an attacker hands over, and files that an attacker makes grow."""

from __future__ import annotations

import hashlib
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgpack

from kimberley.client.cli.play import keep_log
from kimberley.client.session.review_file import review_file
from kimberley.p2p.storage import archive
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.identity import Identity
from kimberley.protocol.encoding import pack
from kimberley.protocol.record import MAGIC, MOST_BYTES
from tests.attacks.attack import Attack, Outcome
from tests.support.paths import ROOT
from tests.support.stones import STONES
from tests.support.tables import signed_roster

MOST_MIB: Final = 400
"""The most memory a program may use to refuse a file of 64 MiB."""
MOST_LOG: Final = 2 << 20
LINES: Final = 200_000
MOST_REVIEW: Final = 40 << 20
MOST_SECONDS: Final = 30.0
"""More than a command takes."""
MOST_IN_A_MESSAGE: Final = 1 << 17
DEEP: Final = b"\x91" * 12 + b"\x90"
"""13 values in 13 bytes, each an array: about 60 bytes of memory for each."""
MEASURED: Final = """
import resource, subprocess, sys
nothing = subprocess.DEVNULL
subprocess.run([sys.executable, *sys.argv[1:]], stdout=nothing, stderr=nothing)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Runs a program, and prints its peak memory in KiB."""


def peak(*command: str) -> int:
    """Runs a program to its end. Returns its peak memory in MiB."""
    # A process's peak includes the memory of the process that started it, which is small here.
    done = subprocess.run([sys.executable, "-c", MEASURED, *command], stdout=subprocess.PIPE, text=True, check=True)
    return int(done.stdout) >> 10


def sealed(fields: bytes) -> bytes:
    """Returns a record of these packed fields, with a correct checksum."""
    data = MAGIC + fields
    return data + hashlib.sha256(data).digest()


def array(entries: int, packed: bytes) -> bytes:
    header: bytes = msgpack.Packer().pack_array_header(entries)
    return header + packed


def of_nils() -> bytes:
    """Returns one array of nils, as long as a record may be."""
    entries = MOST_BYTES - len(MAGIC) - 5 - 32
    return sealed(array(entries, b"\xc0" * entries))


def of_envelopes() -> bytes:
    """Returns envelopes that each hold the most values a message may hold."""
    deep = (MOST_IN_A_MESSAGE - 20) // len(DEEP)
    head = b"".join(pack(field) for field in (2, bytes(32), 0, 0, bytes(32), 0, 0, bytes(32), 0))
    envelope = pack((b"\x9a" + head + array(deep, DEEP * deep), bytes(64)))
    packed = pack(envelope)
    count = (MOST_BYTES - 10_000) // len(packed)
    table = signed_roster(STONES).plain()
    return sealed(b"\x94\x02" + pack(table) + array(count, packed * count) + b"\x90")


def run_verify(make: Callable[[], bytes]) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hostile.kdt"
        path.write_bytes(make())
        most = peak("-m", "kimberley.client.cli.main", "verify", str(path))
        size = path.stat().st_size >> 20
    return Outcome(most <= MOST_MIB, f"{most} MiB at most to refuse {size} MiB")


def run_log() -> Outcome:
    """Counts the log lines that a stranger can cause by connecting."""
    log = logging.getLogger()
    before, level = list(log.handlers), log.level
    log.handlers.clear()
    with tempfile.TemporaryDirectory() as folder:
        keep_log(Path(folder))
        try:
            for _ in range(LINES):
                logging.getLogger("kimberley.p2p.transport.listener").info(
                    "192.168.1.7:50312 speaks something else: %s", "x" * 60
                )
        finally:
            for handler in log.handlers:
                handler.close()
            log.handlers[:], log.level = before, level
        files = [path.stat() for path in Path(folder).iterdir()]
    size, modes = sum(one.st_size for one in files), {one.st_mode & 0o777 for one in files}
    shown = ", ".join(f"{mode:o}" for mode in sorted(modes))
    return Outcome(size <= MOST_LOG and modes == {0o600}, f"{size >> 10} KiB after {LINES} lines, mode {shown}")


def run_names() -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        try:
            path = archive.save_record(Path(folder), ["\N{GOTHIC LETTER AHSA}" * 24] * 4, b"record")
        except StorageError as error:
            return Outcome(False, str(error).partition("(")[2].partition(")")[0])
        return Outcome(path.read_bytes() == b"record", f"saved, under a name of {len(os.fsencode(path.name))} bytes")


def run_review() -> Outcome:
    """Puts a review larger than any other next to its record: each value is 3 bytes, and takes 64 in memory."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "game.kdt"
        record.write_bytes((ROOT / "tests" / "data" / "diamond-trust.kdt").read_bytes())
        command = ("-m", "kimberley.client.cli.main", "review", str(record), "--level", "1")
        alone = peak(*command)
        review_file(record).unlink()
        with review_file(record).open("wb") as beside:  # In pieces: a new process begins with the memory of this one.
            beside.write(b"[")
            for _ in range(MOST_REVIEW >> 20):
                beside.write(b"[]," * ((1 << 20) // 3))
            beside.write(b"[]]")
        most = peak(*command)
    return Outcome(most <= 2 * alone, f"{most} MiB with a review of {MOST_REVIEW >> 20} MiB beside it, {alone} without")


def run_pipes() -> Outcome:
    """Runs commands on a folder in which pipes have the names of files."""
    hung = traces = 0
    with tempfile.TemporaryDirectory() as name:
        data = Path(name)
        Identity.load_or_create(data)
        record, journal = data / "records" / "a.kdt", data / "journals" / "a.journal"
        asked = [
            ("list", "--finished", "--data", name),
            ("verify", str(record)),
            ("replay", str(record)),
            ("review", str(record)),
            ("resume", str(journal), "--plain", "--data", name),
            ("resume", "--plain", "--data", name),
        ]
        for path in (record, journal):
            path.parent.mkdir()
            os.mkfifo(path)
        pipes: list[tuple[Path | None, tuple[str, ...]]] = [(None, typed) for typed in asked]
        pipes += [(data / file, ("--plain", "--data", name)) for file in ("settings.json", "findings.json", "log.txt")]
        for pipe, typed in pipes:
            if pipe is not None:
                os.mkfifo(pipe)
            try:
                ended = subprocess.run(
                    [sys.executable, "-m", "kimberley.client.cli.main", *typed],
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    timeout=MOST_SECONDS,
                )
                traces += "Traceback" in ended.stderr
            except subprocess.TimeoutExpired:
                hung += 1
            if pipe is not None:
                pipe.unlink(missing_ok=True)
    return Outcome(not hung and not traces, f"{hung} of {len(pipes)} commands hang, {traces} end with a traceback")


def _referee(state: str, *typed: str) -> str:
    """Returns what a referee that is stopped at once says. `state` is the state folder."""
    command = [sys.executable, "-m", "kimberley.client.cli.main", *typed, "--bind", "127.0.0.1"]
    environ = {**os.environ, "XDG_STATE_HOME": state, "XDG_DATA_HOME": state}
    done = subprocess.run(command, input="stop\n", capture_output=True, text=True, check=False, env=environ)
    return done.stdout + done.stderr


def run_folders() -> Outcome:
    """Runs tournaments with the same name, in folders that the organizer names."""
    with tempfile.TemporaryDirectory() as name:
        first = Path(name, "first")
        _referee(name, "--data", str(first), "referee", "Friday Cup", "--clock", "20m")
        kept = any(first.rglob("cup.sqlite"))
        said = _referee(name, "referee", "Friday Cup", "--data", str(Path(name, "second")))
    told = str(first) in said
    where = "in the folder that was named" if kept else "elsewhere"
    return Outcome(kept and told, f"the first one is {where}; the second one {'names it' if told else 'says nothing'}")


ATTACKS: Final = (
    Attack("record-of-nils", "Hands over a record of 64 MiB of nils, to fill the memory.", lambda: run_verify(of_nils)),
    Attack(
        "record-of-small-values",
        "Hands over a record of 64 MiB whose envelopes hold as many small values as they may.",
        lambda: run_verify(of_envelopes),
    ),
    Attack("long-names", "Sits down with names of 24 letters of 4 bytes, so that no record can be kept.", run_names),
    Attack("review-beside", "Hands over a record with a review of 40 MiB beside it.", run_review),
    Attack("pipes-as-files", "Gives named pipes the names of records, journals and settings.", run_pipes),
    Attack("second-folder", "An organizer names a folder, and then another one, for a tournament.", run_folders),
    Attack("log", "Knocks at the door until the log fills the disk, and reads it as another user.", run_log),
)
