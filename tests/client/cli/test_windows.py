"""Commands on Windows."""

import sys
from types import SimpleNamespace

import pytest

from kimberley.client.cli import doctor
from tests.support.windows import on_windows


def test_windows_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = SimpleNamespace(isatty=lambda: True, encoding="utf-8")
    with on_windows(), monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", stream)
        patch.setattr(sys, "stdout", stream)
        found = {one.what: one.found for one in doctor.check_terminal()}
    assert found["terminal mouse"] == "not reported"
