"""The bodies and envelopes that SPEC.md forbids to sign, as data. Three drivers sign them:

- the cases of the suite, at a table with the target (`conformance/cases/forged.py`, `forged_envelopes.py`),
- tables in memory, for all seats and a spectator (`test_forgeries.py`, `test_forged_envelopes.py` in
  `tests/conformance`),
- tables in virtual time, with real games and in any weather (`tricks_bodies.py`, `tricks_envelopes.py` in
  `tests/simulation`).

What takes more than one moment is elsewhere: choices that a player may not make, envelopes that are too many or not the
same for all, silence (the suite's sections 11 to 13, `tests/protocol`, `tests/simulation`), random bytes
(`tests/fuzz`), failing networks and programs, doors, files and crowds (`tests/attacks`, `tests/chaos`), and errors in
our own code (`tests/conformance`, `tests/simulation/faults.py`).
"""

from __future__ import annotations

from typing import Final

from kimberley.conformance.forgeries.choices import AMOUNTS_AND_TELLS, CHOICES, KEYS_AND_ROLLS, SHAPES, TOTALS
from kimberley.conformance.forgeries.envelopes import ENVELOPES, DueEnvelope, EnvelopeForgery
from kimberley.conformance.forgeries.forgery import CHEAT, MOMENTS, Forgery, SigningMoment
from kimberley.conformance.forgeries.items import CLOSINGS, LEAVES, SHOWS, SHUFFLES

BODIES: Final = (*KEYS_AND_ROLLS, *CHOICES, *AMOUNTS_AND_TELLS, *TOTALS, *SHAPES, *SHUFFLES, *SHOWS)
FORGERIES: Final = (*BODIES, *LEAVES, *CLOSINGS)

__all__ = ["CHEAT", "ENVELOPES", "FORGERIES", "MOMENTS", "DueEnvelope", "EnvelopeForgery", "Forgery", "SigningMoment"]
