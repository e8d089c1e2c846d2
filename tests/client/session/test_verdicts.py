"""What screens and commands call the verdicts."""

from __future__ import annotations

from kimberley.client.screens.audit_screen import VERDICTS
from kimberley.client.session.services import VERDICT_LABELS
from kimberley.p2p.sentences.verdicts import VERDICT_WORDS


def test_a_verdict_is_called_the_same_everywhere() -> None:
    assert {code: label[2:] for code, label in VERDICT_LABELS.items()} == VERDICT_WORDS
    assert {code: sign.strip(" \u2713\u00d7").lower() for code, (sign, _, _) in VERDICTS.items()} == VERDICT_WORDS
