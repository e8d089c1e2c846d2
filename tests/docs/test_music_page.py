"""docs/music.md: the bars that it names are those of the recorded game, and its example is a suite."""

from __future__ import annotations

import re
from typing import Final

import pytest

from kimberley.client.audio.arranger import Arranger
from tests.support.paths import ROOT
from tests.support.spectrogram import performed

PAGE: Final = (ROOT / "docs" / "music.md").read_text("utf-8")


@pytest.mark.slow
def test_it_names_the_bars_in_which_the_inspector_strikes_and_the_end_is_near() -> None:
    bars = list(iter(performed().next_bar, None))
    struck = [number for number, bar in enumerate(bars, 1) if bar is not None and bar.motif == "confiscated"]
    ends = [number for number, bar in enumerate(bars, 1) if bar is not None and bar.passage == "endgame"]
    assert f"strikes in bars {struck[0]} and {struck[1]}" in PAGE
    assert len(struck) == 2
    assert f"near from bar {ends[0]} on" in PAGE


def test_its_example_can_be_played() -> None:
    found = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    names: dict[str, object] = {}
    exec(found[1], names)
    suite = names["SUITE"]
    arranger = Arranger(suite)  # type: ignore[arg-type]
    assert len(arranger.next_bar().notes) > 10
