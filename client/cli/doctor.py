"""`kimberley doctor`: what may be wrong on this machine, on its network, or on the way to a host."""

from __future__ import annotations

import contextlib
import json
import platform as machine
import shutil
import sys
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final

from kimberley.client.session import settings
from kimberley.client.session.crypto_notice import PURE_NOTICE, crypto_in_use, pure_remedy, runs_pure_python
from kimberley.client.session.far import lead_far
from kimberley.client.session.find_table import find_table, is_no_name
from kimberley.client.session.settings import data_folder
from kimberley.client.ui.glyphs import needs_ascii
from kimberley.client.ui.keys import HELP_KEY, MENU_KEY
from kimberley.client.ui.palette import Depth, detect_depth
from kimberley.client.ui.screen import LANDSCAPE, PORTRAIT
from kimberley.client.ui.terminal_modes import reported_modes
from kimberley.p2p.base.endings import endings_raise
from kimberley.p2p.base.errors import NoHomeError, UserError
from kimberley.p2p.base.extras import FAR, MissingExtra, require
from kimberley.p2p.base.keyboard import keyboard_language
from kimberley.p2p.base.platform import random_bytes, run_loop, state_folder
from kimberley.p2p.base.terminal import fitted, is_dumb
from kimberley.p2p.base.text import clean
from kimberley.p2p.discovery.mdns import Browser
from kimberley.p2p.discovery.network_checkup import CheckResult, check_host, check_network
from kimberley.p2p.far.codes import read_code
from kimberley.p2p.storage.files import (
    StorageError,
    check_can_lock,
    create,
    make_folder,
    remove,
    temporary_folder,
)
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.transport.address import parse_address
from kimberley.protocol.crypto.backend import passed_over

MEGABYTE: Final = 1 << 20
LEAST_FREE: Final = 50 * MEGABYTE
"""Bytes that must be free for games: a journal and a record take a few megabytes."""
UNNOTICED: Final = "Without it, Kimberley cannot tell if you put back an old copy of a saved game."
INDENT: Final = " " * 6
SIGNS: Final = {True: "ok", None: "note", False: "BAD"}


def run(where: str | None, data: Path | None, *, as_json: bool) -> int:
    """Checks everything, and prints a line for each check. Returns 0 if all is well. Raises UserError for a wrong
    address.
    """
    if where is not None and is_no_name(where):
        parse_address(where)
    checks = [*check_program(), *check_terminal(), *check_folders(data)]
    if not as_json:
        print("\n".join(lines_of(checks)), flush=True)
    others = [check_far(), *run_loop(_check_others(where, data))]
    checks += others
    well = all(one.ok is not False for one in checks)
    if as_json:
        rows = [{"what": one.what, "ok": one.ok, "found": one.found, "advice": one.advice} for one in checks]
        print(json.dumps({"well": well, "findings": rows}, indent=1))
    else:
        print("\n".join(lines_of(others)))
        print("All good." if well else "Something is wrong: see the lines marked BAD.")
    return 0 if well else 1


async def _check_others(where: str | None, data: Path | None) -> list[CheckResult]:
    checks = await check_network()
    if where is not None and read_code(where) is not None:
        folder = data_folder(data)
        ways = lead_far(settings.load(folder), folder)
        try:
            checks += await _check_table(where)
        finally:
            ways.close()
    elif where is not None:
        checks += await _check_table(where)
    return checks


async def _check_table(where: str) -> list[CheckResult]:
    """Checks the way to the table that `join` would find."""
    try:
        table = await find_table(where, Browser())
    except UserError as error:
        return [CheckResult(where, False, "was not found.", str(error))]
    return await check_host(*parse_address(table if isinstance(table, str) else table.address))


def lines_of(checks: Sequence[CheckResult]) -> list[str]:
    """Returns a line for each finding, and below it what to do."""
    lines = []
    for one in checks:
        lines.append(fitted(f"{SIGNS[one.ok]:4}  {clean(one.what)}: {clean(one.found)}", INDENT))
        if one.advice:
            lines.append(fitted(f"{INDENT}{clean(one.advice)}"))
    return lines


def check_program() -> list[CheckResult]:
    """Returns the checks of Python and the cryptography in use."""
    python = f"{machine.python_implementation()} {machine.python_version()} on {machine.system()} {machine.machine()}"
    checks = [CheckResult("Python", True, python)]
    if runs_pure_python():
        return [*checks, CheckResult("cryptography", None, crypto_in_use(), f"{PURE_NOTICE} {pure_remedy()}")]
    if (reason := passed_over()) is not None:
        advice = f"The package cryptography is installed, but does not work: {clean(reason)}. Reinstall it."
        return [*checks, CheckResult("cryptography", None, crypto_in_use(), advice)]
    return [*checks, CheckResult("cryptography", True, crypto_in_use())]


def check_far() -> CheckResult:
    """Returns whether this computer can play with friends who are not on its network."""
    try:
        require(FAR, "Playing with a friend far away")
    except MissingExtra as missing:
        return CheckResult("friends far away", None, "not set up.", str(missing))
    return CheckResult("friends far away", True, "kimberley host --far shows a code for one friend.")


def check_terminal() -> list[CheckResult]:
    """Returns the terminal's size, colors and characters, and what it reports of itself."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return [
            CheckResult(
                "terminal",
                None,
                "none",
                "The full-screen program needs a terminal. Without one, use --plain or kimberley bot.",
            )
        ]
    if is_dumb():
        return [CheckResult("terminal", False, "This terminal (TERM) cannot show full screens.", "Use --plain.")]
    columns, rows = shutil.get_terminal_size()
    large = any(form.fits(columns, rows) for form in (LANDSCAPE, PORTRAIT))
    least = f"{LANDSCAPE.columns} by {LANDSCAPE.rows} or {PORTRAIT.columns} by {PORTRAIT.rows}"
    depth = detect_depth()
    simple = needs_ascii()
    checks = [
        CheckResult("terminal size", large, f"{columns} columns, {rows} rows",
                "" if large else f"Make it {least} or larger, or use --plain."),
        CheckResult("terminal colors", None if depth is Depth.NONE else True, depth.value,
                "If the terminal does show colors, try --colors 4-bit." if depth is Depth.NONE else ""),
        CheckResult("terminal characters", None if simple else True, "ASCII" if simple else "Unicode",
                "To see all board symbols, use a UTF-8 locale such as LANG=C.UTF-8." if simple else ""),
    ]  # fmt: skip
    if (language := keyboard_language()) is not None:
        advice = (
            f"If a letter does nothing, switch to Latin letters, or use arrows, Tab, Enter, Esc and {MENU_KEY} (menu)."
        )
        checks.append(CheckResult("keyboard", None, f"language {language}: letters work by their position.", advice))
    with endings_raise():
        modes = reported_modes()
    for what, known, without in (
        ("mouse", modes.mouse, f"If the mouse does not work, use the keys: {HELP_KEY} lists them."),
        ("synchronized output", modes.synchronized, "If it is missing, the screen may flicker: --calm helps."),
    ):
        answer = {True: "reported", False: "missing", None: "not reported"}[known]
        checks.append(CheckResult(f"terminal {what}", known or None, answer, "" if known else without))
    return checks


def check_folders(data: Path | None) -> list[CheckResult]:
    """Checks the data folder (`data`, if that was typed), and those for temporary files and for state."""
    try:
        checks = check_folder(data_folder(data))
    except NoHomeError as error:
        checks = [CheckResult("data folder", False, "none.", str(error))]
    try:
        temporary_folder()
    except StorageError as error:
        checks.append(CheckResult("temporary folder", False, "none.", str(error)))
    try:
        _try_folder(state_folder())
    except NoHomeError:
        checks.append(CheckResult("state folder", None, "none.", f"{UNNOTICED} To change that, set XDG_STATE_HOME."))
    except UserError as error:
        checks.append(CheckResult("state folder", None, "cannot be used.", f"{error} {UNNOTICED}"))
    return checks


def check_folder(folder: Path) -> list[CheckResult]:
    """Checks a data folder: whether files can be saved and locked there, how much room is left, and whether the
    identity is whole.
    """
    what = f"data folder {folder}"
    try:
        free = _try_folder(folder)
        Identity.load(folder)
    except UserError as error:
        return [CheckResult(what, False, "cannot be used.", str(error))]
    advice = "" if free >= LEAST_FREE else "Free some space: a game that cannot be saved stops."
    return [CheckResult(what, free >= LEAST_FREE, f"{free // MEGABYTE:,} MB free", advice)]


def _is_missing(path: Path) -> bool:
    try:
        return not path.exists()
    except OSError:
        return False


def _try_folder(folder: Path) -> int:
    """Does what games do with a file: writes, locks and deletes it. Removes any folder made for that. Returns how many
    bytes are free there. Raises UserError.
    """
    missing = list(takewhile(_is_missing, (folder, *folder.parents)))
    try:
        tried = make_folder(folder) / f".doctor-{random_bytes(4).hex()}"
        try:
            create(tried, b"content")
            check_can_lock(tried)
        except UserError:
            with contextlib.suppress(UserError):
                remove(tried)
            raise
        remove(tried)
        return shutil.disk_usage(folder).free
    finally:
        with contextlib.suppress(OSError):
            for path in missing:
                path.rmdir()
