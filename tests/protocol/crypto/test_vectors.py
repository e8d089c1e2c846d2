"""Every construction gives the bytes in tests/data/crypto.json, which a second implementation can be held to."""

import json
from typing import Any

import pytest

from kimberley.games.table import Plain
from kimberley.protocol.crypto import coin, disclosure, ranges, signatures
from kimberley.protocol.crypto.commitments import commit_choice, pedersen
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.hashing import (
    Context,
    challenge,
    derive,
    derive_scalar,
    derive_stream,
    digest,
    message,
    wide,
)
from kimberley.protocol.crypto.pure import PURE
from kimberley.protocol.crypto.ristretto import RISTRETTO
from tests.support.paths import DATA

VECTORS: dict[str, Any] = json.loads((DATA / "crypto.json").read_text())
SEED, GAME, KEY, NONCE = (bytes([value]) * 32 for value in (1, 2, 3, 4))
CONTEXT = Context(game=GAME, step=300, stage=1, seat=2)
PARTS: tuple[Plain, ...] = ("text", b"bytes", -5, True, None, (1, ()))
b, r, s, t = 2, 2**200 + 3, 1, 2**220 + 5


def computed(g: Group) -> dict[str, object]:
    R, S = pedersen(g, b, r), pedersen(g, s, t)
    key = coin.CoinKey.derive(g, SEED, CONTEXT)
    share = coin.share(g, SEED, CONTEXT, key.secret, 7)
    material = coin.combine(g, [share[:32], g.base(9)])
    return {
        "message": message("label", *PARTS).hex(),
        "digest": digest("label", *PARTS).hex(),
        "wide": wide("label", *PARTS).hex(),
        "challenge": g.encode_scalar(challenge(g, "label", CONTEXT, *PARTS)).hex(),
        "derive": derive(SEED, "label", CONTEXT, 7, *PARTS).hex(),
        "derive_stream": derive_stream(SEED, "label", CONTEXT, 7, 80, *PARTS).hex(),
        "derive_scalar": g.encode_scalar(derive_scalar(g, SEED, "label", CONTEXT, 7, *PARTS)).hex(),
        "H": g.H.hex(),
        "pedersen": R.hex(),
        "commit_choice": commit_choice(CONTEXT, NONCE, PARTS).hex(),
        "range_proof": ranges.prove(g, SEED, CONTEXT, "pay", 3, b, r, 7).hex(),
        "offer": disclosure.offer(g, SEED, CONTEXT, "tell", 2, R, S, s, KEY).hex(),
        "sealed_payload": disclosure.seal_payload(KEY, "tell", CONTEXT, 7, b"payload", 16).hex(),
        "coin_public": key.public.hex(),
        "coin_proof": key.proof.hex(),
        "coin_share": share.hex(),
        "coin_material": material.hex(),
        "dice": list(coin.dice(material, (6, 52, 2**63 + 1, 2**63 + 1, 1, 2**64))),
        "signature": signatures.sign(SEED, "purpose", b"message").hex(),
    }


@pytest.mark.parametrize("g", [RISTRETTO, PURE], ids=["libsodium", "pure"])
def test_vectors(g: Group) -> None:
    assert computed(g) == VECTORS


def test_what_the_vectors_hold_verifies() -> None:
    g = RISTRETTO
    data = {name: bytes.fromhex(value) for name, value in VECTORS.items() if isinstance(value, str)}
    R, S = data["pedersen"], pedersen(g, s, t)
    assert ranges.verify(g, CONTEXT, "pay", 3, R, data["range_proof"])
    assert disclosure.accept(g, CONTEXT, "tell", 2, R, S, b, r, data["offer"]) == KEY
    assert disclosure.open_payload(KEY, "tell", CONTEXT, 7, data["sealed_payload"], 16) == b"payload"
    assert coin.verify_key(g, CONTEXT, coin.COIN, data["coin_public"], data["coin_proof"])
    assert coin.verify_share(g, CONTEXT, data["coin_public"], 7, data["coin_share"]) == data["coin_share"][:32]
    assert signatures.verify(signatures.public(SEED), "purpose", b"message", data["signature"])
