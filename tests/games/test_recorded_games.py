"""Games that the original program played, replayed state for state; KIMBERLEY_GAMES names files with more of them."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.effort import spread
from tests.support.paths import DATA
from tests.support.recorded import Line, Mismatch, Replay, lines

BUNDLED = DATA / "diamond_trust_games.jsonl.gz"


def more() -> list[Path]:
    """Returns the files that KIMBERLEY_GAMES names."""
    return [Path(name) for name in os.environ.get("KIMBERLEY_GAMES", "").split(os.pathsep) if name]


def every_line() -> list[Line]:
    """Returns the games to replay; a file that cannot be read counts as one line, so that it fails by name."""
    found = lines(BUNDLED)
    for file in more():
        try:
            found += lines(file)
        except (OSError, UnicodeDecodeError) as error:
            found.append(Line(file, 0, f"Cannot read {file}, named by KIMBERLEY_GAMES,: {error}"))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("line", spread(12, every_line()), ids=str)
def test_replays_state_for_state(line: Line) -> None:
    assert line.number, line.text
    Replay(line).run()


@pytest.mark.slow
@pytest.mark.nightly
def test_whoever_adjusted_had_the_right() -> None:
    """The replay refuses an adjustment without the right, so all of these had it; older knowledge gave none."""
    adjusted = []
    for line in lines(BUNDLED):
        replay = Replay(line)
        replay.run()
        adjusted.append(replay.adjusted)
    assert sum(each.moves for each in adjusted) == 573
    assert sum(each.sales for each in adjusted) == 151
    assert sum(each.without_move for each in adjusted) == 46
    assert sum(each.without_sale for each in adjusted) == 19


def test_an_adjustment_without_the_right_is_refused() -> None:
    record = json.loads(lines(BUNDLED)[0].text)
    record["steps"][1]["orders"][0][0][1] += 1
    with pytest.raises(Mismatch, match=r"games\.jsonl:7, step 2 \(move\): .*your orders stand"):
        Replay(Line(Path("games.jsonl"), 7, json.dumps(record))).run()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda r: r["steps"][1]["after"]["regions"].update(Huila=9), r"step 2 \(move\): regions\.Huila: 0 .* 9"),
        (lambda r: r["steps"][0]["after"]["agents"][1][2].update(salary=6), r"step 1 \(pay\): agents\[1\]\[2\]\.sal"),
        (lambda r: r["steps"][1].update(inspector_mover=1), r"step 2 \(move\): inspector_mover: None"),
        (lambda r: r["steps"][0]["bribes"].__setitem__(0, [1, 0, 0]), r"step 1 \(pay\): .* cannot be paid"),
        (lambda r: r["steps"].pop(), r"final: phase"),
        (lambda r: r["steps"].pop(1), r"step 2 \(sell\): phase"),
        (lambda r: r["final"].update(money=[1, 0]), r"final: money\[0\]: 0 by the rules, 1 in the record"),
        (lambda r: r["steps"][2].pop("sold"), r"step 3 \(sell\): not as a record should be: KeyError\('sold'\)"),
    ],
)
def test_a_wrong_record_is_named_by_file_line_step_and_field(spoil: Any, message: str) -> None:
    record = json.loads(lines(BUNDLED)[0].text)
    spoil(record)
    with pytest.raises(Mismatch, match=r"other\.jsonl:3, " + message):
        Replay(Line(Path("other.jsonl"), 3, json.dumps(record))).run()


def test_further_files_are_read_plain_and_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(line.text for line in lines(BUNDLED)[:2])
    plain, packed, missing = tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz", tmp_path / "c.jsonl"
    plain.write_text(text + "\n\n", "utf-8")
    packed.write_bytes(gzip.compress(text.encode()))
    monkeypatch.setenv("KIMBERLEY_GAMES", os.pathsep.join(map(str, (plain, packed, missing))))
    found = [line for line in every_line() if line.file != BUNDLED]
    assert [(line.file.name, line.number) for line in found] == [
        ("a.jsonl", 1),
        ("a.jsonl", 2),
        ("b.jsonl.gz", 1),
        ("b.jsonl.gz", 2),
        ("c.jsonl", 0),
    ]
    assert "c.jsonl, named by KIMBERLEY_GAMES" in found[-1].text
    with pytest.raises(Mismatch, match=r"^x:1: not JSON"):
        Replay(Line(Path("x"), 1, "{"))
