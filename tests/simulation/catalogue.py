"""Every trick that simulated seats know, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.simulation.cheating import Trick
from tests.simulation.tricks_bodies import BODIES
from tests.simulation.tricks_envelopes import ENVELOPES
from tests.simulation.tricks_random import RANDOM

TRICKS: Final = (*BODIES, *ENVELOPES, *RANDOM)
CATALOGUE: Final[Mapping[str, Trick]] = {trick.name: trick for trick in TRICKS}
"""One trick for each thing that SPEC.md forbids to a signer, and some random ones."""
