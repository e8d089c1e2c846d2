"""Makes the program that finds this on its path run as on Windows (`tests/support/windows.py`)."""

import runpy
from contextlib import suppress
from importlib import import_module
from pathlib import Path

# What is imported here stays as it is on this system: its own modules for Windows need Windows.
for name in (
    "asyncio", "concurrent.futures.process", "ctypes.util", "getpass", "http.client", "ifaddr", "logging.handlers",
    "multiprocessing.spawn", "platform", "platformdirs", "shutil", "sqlite3", "ssl", "subprocess", "tempfile", "uuid",
    "webbrowser", "zoneinfo",
):  # fmt: skip
    import_module(name)
with suppress(ImportError):  # Players do not have it: the page of a tournament needs it.
    import_module("click")

# Not by its name: the package of the tests has a folder for state of its own.
fake = runpy.run_path(str(Path(__file__).parents[1] / "windows.py"))
fake["install"]()
