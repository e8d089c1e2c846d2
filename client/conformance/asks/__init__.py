"""What the suite knows of the asks: a module for each, and the registry of them all."""

from __future__ import annotations

from typing import Final

from kimberley.client.conformance.asks.decide import DECIDE
from kimberley.client.conformance.asks.disclose import DISCLOSE
from kimberley.client.conformance.asks.open import OPEN
from kimberley.client.conformance.asks.roll import ROLL
from kimberley.client.conformance.asks.seal import SEAL
from kimberley.client.conformance.asks.show import SHOW
from kimberley.client.conformance.asks.shuffle import SHUFFLE
from kimberley.client.conformance.asks.suite_ask import SuiteAsk
from kimberley.client.conformance.asks.together import TOGETHER
from kimberley.games.table import Ask, Decide, Disclose, Open, Roll, Seal, Show, Shuffle, Together

ASKS: Final[dict[type[Ask], SuiteAsk]] = {
    Decide: DECIDE,
    Together: TOGETHER,
    Seal: SEAL,
    Disclose: DISCLOSE,
    Open: OPEN,
    Roll: ROLL,
    Shuffle: SHUFFLE,
    Show: SHOW,
}
"""What the suite knows of each type of ask."""
