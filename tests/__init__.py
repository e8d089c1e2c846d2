"""Tests, and the scripts beside them, keep the marks of seats (`storage.high_water_mark`) in a folder of their own, and
so do all programs that they start. Tests that run side by side share none.
"""

import os
import tempfile

_PREFIX = "kimberley-state-"

if _PREFIX not in os.environ.get("XDG_STATE_HOME", ""):
    _folder = tempfile.TemporaryDirectory(prefix=_PREFIX)
    os.environ["XDG_STATE_HOME"] = _folder.name
_worker = os.environ.get("PYTEST_XDIST_WORKER", "")
if _worker and os.path.basename(os.environ["XDG_STATE_HOME"]) != _worker:
    os.environ["XDG_STATE_HOME"] = os.path.join(os.environ["XDG_STATE_HOME"], _worker)
