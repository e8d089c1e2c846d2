"""The option `--target`: the cases run against any peer, as `kimberley conform` does."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--target", metavar="COMMAND", help="the peer that the cases of tests/conformance test")
