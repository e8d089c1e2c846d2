"""docs/sounds.md names every sound, with what the screen shows."""

from __future__ import annotations

import re

from kimberley.client.audio.sound import Sound
from tests.support.paths import ROOT

ROW = re.compile(r"^\| ([a-z ]+): [^|]+\| [^|]+ \| [^|]+ \|$", re.MULTILINE)


def test_each_sound_has_a_row_with_what_the_screen_shows() -> None:
    rows = ROW.findall((ROOT / "docs/sounds.md").read_text("utf-8"))
    assert rows == [sound.value for sound in Sound]
