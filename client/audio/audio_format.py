"""The format of everything that is rendered, mixed and played."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

RATE: Final = 44_100
"""Frames in a second."""
CHANNELS: Final = 2
BLOCK: Final = 1024
"""Frames that are rendered at a time: 23 ms."""

Block: TypeAlias = NDArray[np.float32]
"""Frames by channels."""
