"""The demo, with seats that only say what real ones may say."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from kimberley.client.cli import demo
from kimberley.p2p.base.errors import UserError

DONE = {"event": "done", "clock": 4.0, "verdict": None, "envelopes": 0, "record": None, "bytes": 9}
GONE = {"event": "gone", "clock": 5.0, "seat": 1}


def test_a_game_without_a_record_ends_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "\n".join(json.dumps(event) for event in (DONE, GONE))

    async def start(*_arguments: str) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        return await asyncio.create_subprocess_exec(sys.executable, "-c", f"print({said!r})", stdout=pipe, stderr=pipe)

    monkeypatch.setattr(demo, "start_program", start)
    with pytest.raises(UserError, match="the host saved no record"):
        demo.run("land", seats=None, options={}, seed=1, level=1, data=tmp_path, as_json=False)
