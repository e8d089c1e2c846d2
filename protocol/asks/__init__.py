"""The machines of the asks: one module for each ask, and the registry of them all."""

from __future__ import annotations

from typing import Any, Final

from kimberley.games.table import Ask, Decide, Disclose, Open, Roll, Seal, Show, Shuffle, Together
from kimberley.protocol.asks.base import AskMachine, CryptoContext
from kimberley.protocol.asks.decide import DecideMachine
from kimberley.protocol.asks.disclose import DiscloseMachine
from kimberley.protocol.asks.open import OpenMachine
from kimberley.protocol.asks.roll import RollMachine
from kimberley.protocol.asks.seal import SealMachine
from kimberley.protocol.asks.show import ShowMachine
from kimberley.protocol.asks.shuffle import ShuffleMachine
from kimberley.protocol.asks.together import TogetherMachine

MACHINES: Final[dict[type[Ask], type[AskMachine[Any]]]] = {
    Decide: DecideMachine,
    Together: TogetherMachine,
    Seal: SealMachine,
    Disclose: DiscloseMachine,
    Open: OpenMachine,
    Roll: RollMachine,
    Shuffle: ShuffleMachine,
    Show: ShowMachine,
}
"""The machine that runs each type of ask."""


def machine_for(crypto: CryptoContext, step: int, ask: Ask, own: Ask) -> AskMachine[Any]:
    """Returns the machine of an ask: see AskMachine. Raises TypeError for what no table can be asked."""
    if type(ask) not in MACHINES:
        raise TypeError(f"a table cannot be asked {ask}")
    return MACHINES[type(ask)](crypto, step, ask, own)
