"""What the music of a whole game costs: the share of a core in real time, the longest block, and the memory.

.venv/bin/python -m tests.benchmarks.bench_music

A block is 1024 samples, 23 ms. Processor time is measured, so that what else runs counts little; only the
longest blocks are measured by the clock.
"""

from __future__ import annotations

import resource
import time

from kimberley.client.audio.audio_format import BLOCK, RATE
from kimberley.client.audio.performance import Performance
from kimberley.client.audio.renderer import Renderer
from tests.benchmarks.common import report, size, summary
from tests.support.music import GAMES, cues_of, music_of, played
from tests.support.spectrogram import performed

MEGABYTE_KB = 1024


def measured(performance: Performance) -> dict[str, object]:
    """Renders a performance to its end."""
    renderer, blocks = Renderer(performance), []
    began = time.process_time()
    while not renderer.over:
        start = time.perf_counter()
        renderer.block(BLOCK)
        blocks.append(time.perf_counter() - start)
    seconds = len(blocks) * BLOCK / RATE
    share = (time.process_time() - began) / seconds
    return {"seconds": round(seconds), "percent_of_a_core": round(100 * share, 2), "block": summary(blocks)}


def main() -> None:
    found: dict[str, object] = {"diamond-trust, nine months": measured(performed())}
    for game in GAMES[: size(len(GAMES), quick=0)]:
        random = played(game, 3)
        cues = cues_of(game, random.start, random.stories[0], random.result)
        found[f"{game}, at random"] = measured(Performance(music_of(game).suite, cues))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE_KB
    report({"games": found, "memory_mb": round(memory)})


if __name__ == "__main__":
    main()
