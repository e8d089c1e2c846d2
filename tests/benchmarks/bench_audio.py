"""What the music and the sounds of a whole game cost: CPU, memory and dropouts on a device that nobody hears.

    .venv/bin/python -m tests.benchmarks.bench_audio [RECORD] [--seconds 600]

Plays the cues of a game of Diamond Trust at the pace of two people, spread evenly over the time, with a sound for each.
The audio process is the one that a client starts. Its CPU time and memory are as the kernel reports them.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

from kimberley.client.audio.commands import GiveCue, PlayPiece, PlaySound, SetVolumes
from kimberley.client.audio.cue import Cue
from kimberley.client.audio.process import AudioProcess
from kimberley.client.audio.sound import Sound
from kimberley.client.boards.registry import find_board
from kimberley.client.boards.story_music import StoryMusic
from kimberley.client.session.verdicts import audit_file
from tests.benchmarks.common import report
from tests.benchmarks.terminal import TICKS
from tests.support.paths import ROOT

RECORD = ROOT / "tests/data/diamond-trust.kdt"


def cues_of(record: Path) -> tuple[PlayPiece, Sequence[Cue]]:
    """Returns what plays at the start of a recorded game, and its cues."""
    audited = audit_file(record)
    game = find_board(audited.record.table.roster.game).game
    music = game.music()
    assert music is not None
    story = StoryMusic(game, music, audited.start)
    story.refresh(audited.story, audited.result)
    return PlayPiece(music.suite), [timed.cue for timed in story.cues]


def used(pid: int) -> tuple[float, float]:
    """Returns the CPU seconds of a process so far, and the most memory that it has had, in MB."""
    stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return (int(stat[11]) + int(stat[12])) / TICKS, int(status["VmHWM"].split()[0]) / 1024


def play(record: Path, seconds: float, log: Path) -> dict[str, object]:
    piece, cues = cues_of(record)
    process, sounds = AudioProcess(f"null:{log}"), cycle(Sound)
    began, own = time.monotonic(), time.process_time()
    longest = 0.0
    for command in (SetVolumes(0.5, 0.7), piece):
        process.send(command)
    for number, cue in enumerate(cues, 1):
        time.sleep(max(0.0, began + seconds * number / (len(cues) + 1) - time.monotonic()))
        since = time.perf_counter()
        process.send(GiveCue(cue))
        process.send(PlaySound(next(sounds)))
        longest = max(longest, time.perf_counter() - since)
    time.sleep(max(0.0, began + seconds - time.monotonic()))
    assert process.pid is not None, "the audio process has ended"
    cpu, memory = used(process.pid)
    sender = time.process_time() - own
    process.close()
    while not process.ended:
        time.sleep(0.05)
    end = json.loads(log.read_text("utf-8").splitlines()[-1])
    return {
        "seconds": round(time.monotonic() - began),
        "cues": len(cues),
        "seconds_of_sound": end["at"],
        "dropouts": end["dropouts"],
        "cpu_seconds": cpu,
        "percent_of_a_core": round(100 * cpu / seconds, 2),
        "memory_mb": round(memory),
        "client_cpu_ms": round(1000 * sender, 1),
        "longest_send_ms": round(1000 * longest, 2),
        "client_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("record", nargs="?", type=Path, default=RECORD)
    parser.add_argument("--seconds", type=float, default=600.0)
    typed = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report(play(typed.record, typed.seconds, Path(folder, "heard.jsonl")))


if __name__ == "__main__":
    main()
