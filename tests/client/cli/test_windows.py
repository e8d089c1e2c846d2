"""Commands on Windows."""

import sys
from types import SimpleNamespace

import pytest

from kimberley.client.cli import doctor
from kimberley.client.session.settings import login_name
from tests.support.windows import on_windows


def test_windows_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = SimpleNamespace(isatty=lambda: True, encoding="utf-8")
    with on_windows(), monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", stream)
        patch.setattr(sys, "stdout", stream)
        found = {one.what: one.found for one in doctor.check_terminal()}
    assert found["terminal mouse"] == "not reported"


def test_on_windows_a_login_without_a_name_is_a_player(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    with on_windows():
        assert login_name() == "player"
        monkeypatch.setenv("USERNAME", "Ana")
        assert login_name() == "Ana"
