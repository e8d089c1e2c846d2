"""How long `kimberley verify` takes on the record of a whole game between two bots, process and all.

.venv/bin/python -m tests.benchmarks.bench_verify
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path

from kimberley.games.diamond_trust import GAME
from tests.benchmarks.common import KIMBERLEY, report, size, summary
from tests.support.tables import by_bots, played

RECORDS = size(4)
RUNS_EACH = size(5)


def main() -> None:
    times, sizes, envelopes = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for salt in range(RECORDS):
            record = played(GAME, salt=str(salt), choosers=by_bots(GAME, 2, salt=salt)).peers[0].record()
            path = Path(folder) / f"{salt}.kimberley"
            path.write_bytes(record.pack())
            sizes.append(path.stat().st_size)
            envelopes.append(len(record.envelopes))
            for _ in range(RUNS_EACH):
                start = time.perf_counter()
                subprocess.run((*KIMBERLEY, "verify", str(path)), check=True, stdout=subprocess.DEVNULL)
                times.append(time.perf_counter() - start)
    report({"verify": summary(times), "record_bytes": max(sizes), "envelopes": max(envelopes)})


if __name__ == "__main__":
    main()
