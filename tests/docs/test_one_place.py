"""What p2p/ and client/ ask for in one place only: tasks, delays between attempts, and what a platform brings.

The conformance suite has a network of its own, so it is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.paths import ROOT
from tests.tools.house import parsed, statements

FOLDERS: Final = ("p2p", "client", "referee")
APART: Final = ROOT / "conformance"

TASKS: Final = {"create_task", "ensure_future", "run_coroutine_threadsafe"}
PLATFORM: Final = {
    "asyncio.Runner",
    "asyncio.run",
    "asyncio.to_thread",
    "datetime.date.today",
    "datetime.datetime.now",
    "datetime.datetime.utcnow",
    "os.fdatasync",
    "os.fsync",
    "os.urandom",
    *(f"random.{name}" for name in ("choice", "randint", "random", "randrange", "sample", "shuffle", "uniform")),
    "socket.create_server",
    "socket.socket",
    "time.monotonic",
    "time.time",
}
"""By their full names. What a name means is taken from the imports of its module."""
PLATFORM_METHODS: Final = {"run_in_executor", "create_server", "create_connection", "create_datagram_endpoint"}
PLATFORM_MODULES: Final = {"concurrent.futures.thread", "platformdirs", "secrets", "threading", "uuid"}
PLATFORM_NAMES: Final = {
    "concurrent.futures.ThreadPoolExecutor",
    "random.SystemRandom",
    "zeroconf.asyncio.AsyncZeroconf",
}
PURE_MODULES: Final = PLATFORM_MODULES | {"asyncio", "socket", "ssl", "tempfile"}
"""What the rules and the protocol do without, too."""

ALLOWED: Final = {
    "p2p/base/tasks.py": TASKS,
    "p2p/base/platform.py": PLATFORM | PLATFORM_METHODS | PLATFORM_MODULES | PLATFORM_NAMES,
    # A part of the platform's event loop.
    "p2p/base/endings.py": {"threading"},
    "p2p/base/outlet.py": {"threading"},
    # Sockets that send nothing: they ask the system which addresses are its own.
    "p2p/transport/address.py": {"socket.socket"},
    "p2p/discovery/mdns.py": {"socket.socket", "zeroconf.asyncio.AsyncZeroconf"},  # the latter as the name of a type
    # The doctor tries what sockets can do.
    "p2p/discovery/network_checkup.py": {"socket.socket"},
    # A process of its own, on the reactor of another library.
    "p2p/far/pipe.py": {"socket.socket"},
    # uvicorn serves the page in a process of its own.
    "referee/pages/serve.py": {"create_server", "socket.create_server", "socket.socket"},
}


def modules(*folders: str) -> list[Path]:
    return [
        path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")) if not path.is_relative_to(APART)
    ]


ESCAPES: Final = {
    "client/ui/attention.py",
    "client/ui/key_sequences.py",
    "client/ui/qr_code.py",
    "client/ui/terminal_input.py",
    "client/ui/terminal_modes.py",
    "client/ui/terminal_window.py",
    "client/ui/theme.py",
    "p2p/base/terminal.py",
}
"""What writes or reads escape sequences. Only terminals get any: they ask `terminal.takes_escapes`, or are used
by `terminal_window`.
"""


def imported(tree: ast.Module) -> dict[str, str]:
    """Returns the full name of each imported name."""
    found = {}
    for node in statements(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def full_name(node: ast.expr, names: dict[str, str]) -> str:
    """Returns a name such as "datetime.datetime.now"; empty for what is not a chain of names."""
    if isinstance(node, ast.Name):
        return names.get(node.id, "")
    if isinstance(node, ast.Attribute) and (owner := full_name(node.value, names)):
        return f"{owner}.{node.attr}"
    return ""


def uses(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yields everything in a module that only one place may use, and the line."""
    names = imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            name = full_name(node, names)
            if name in PLATFORM | PLATFORM_NAMES:
                yield name, node.lineno
        if isinstance(node, ast.Attribute) and node.attr in TASKS | PLATFORM_METHODS:
            yield node.attr, node.lineno
        if isinstance(node, ast.Call) and any(word.arg == "return_exceptions" for word in node.keywords):
            yield "return_exceptions", node.lineno
        if isinstance(node, ast.Import | ast.ImportFrom):
            sources = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            yield from ((source, node.lineno) for source in sources if source in PLATFORM_MODULES)


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_tasks_and_what_a_platform_brings_are_asked_for_in_one_place(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in modules(folder)
        for name, line in uses(parsed(path))
        if name not in ALLOWED.get(str(path.relative_to(ROOT)), set())
    ]
    assert found == [], "use kimberley.p2p.base.tasks and kimberley.p2p.base.platform"


@pytest.mark.slow
def test_escape_sequences_are_in_few_places() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in modules(*FOLDERS)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and has_escape(node.value)
    }
    assert found == ESCAPES


def has_escape(text: str | bytes) -> bool:
    return ("\x1b" in text or "\a" in text) if isinstance(text, str) else b"\x1b" in text


@pytest.mark.slow
def test_rules_and_protocol_need_nothing_of_a_platform() -> None:
    found = []
    for path in modules("games", "protocol"):
        tree = parsed(path)
        sources = {name.partition(".")[0] for name in imported(tree).values()}
        found += [f"{path.relative_to(ROOT)}: {source}" for source in sources & PURE_MODULES]
        found += [f"{path.relative_to(ROOT)}:{line}: {name}" for name, line in uses(tree)]
    assert found == []


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import asyncio\nasyncio.create_task(work())", "create_task"),
        ("loop.create_task(work())", "create_task"),
        ("import asyncio\nasyncio.gather(*tasks, return_exceptions=True)", "return_exceptions"),
        ("import asyncio as a\nawait_ = a.to_thread", "asyncio.to_thread"),
        ("from asyncio import to_thread\nto_thread(work)", "asyncio.to_thread"),
        ("from datetime import datetime\ndatetime.now()", "datetime.datetime.now"),
        ("import datetime\ndatetime.date.today()", "datetime.date.today"),
        ("from time import time\ntime()", "time.time"),
        ("import secrets", "secrets"),
        ("from threading import Thread", "threading"),
        ("import random\nrandom.SystemRandom()", "random.SystemRandom"),
        ("import random\nrandom.uniform(1, 2)", "random.uniform"),
        ("from socket import socket\nsocket()", "socket.socket"),
    ],
)
def test_the_search_finds_it(source: str, name: str) -> None:
    assert name in {found for found, _ in uses(ast.parse(source))}
