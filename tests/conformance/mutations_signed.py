"""Mutants that sign something nearly right: other labels, other nonces, other widths, at another time."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from kimberley.games.table import Disclose, Open, Show, Together
from kimberley.protocol import closing, peer
from kimberley.protocol.asks import MACHINES, seal, together
from kimberley.protocol.crypto import (
    coin,
    commitments,
    disclosure,
    dleq,
    elgamal,
    escrow,
    ranges,
    shares,
    shuffle,
    signatures,
)
from kimberley.protocol.envelope import CLOSING
from tests.conformance.mutant import Mutant


def _label(wrong: Callable[[str], str], at: int = 1) -> Callable[[Any], Any]:
    """A hash or a derivation with another label; `at` is the label's place among the arguments."""

    def make(right: Any) -> Any:
        return lambda *args: right(*args[:at], wrong(args[at]), *args[at + 1 :])

    return make


def _without_statement(right: Any) -> Any:
    """One nonce for all statements of a context."""
    return lambda g, seed, label, ctx, index, *rest: right(g, seed, label, ctx, index)


def _without_step(right: Any) -> Any:
    """What is derived does not depend on the step."""

    def derive(g: Any, seed: bytes, label: str, ctx: Any, *rest: Any) -> Any:
        return right(g, seed, label, replace(ctx, step=0), *rest)

    return derive


def _drawn(right: Any) -> Any:
    """Entropy in place of the seed."""
    return lambda g, seed, *rest: right(g, os.urandom(32), *rest)


def _drawn_bytes(right: Any) -> Any:
    """The same, where no group is named."""
    return lambda seed, *rest: right(os.urandom(32), *rest)


def _one_blinding(right: Any) -> Any:
    """All slots of a seal are blinded by one scalar."""
    return lambda g, seed, label, ctx, index, *rest: right(g, seed, label, ctx, 0, "", 0, 0)


def _at_the_threshold(right: Any) -> Any:
    """The key lies above the threshold, and on it."""

    def offer(
        g: Any, seed: bytes, ctx: Any, label: str, bits: int, more: bytes, than: bytes, s: int, key: bytes
    ) -> Any:
        return right(g, seed, ctx, label, bits, more, than, max(s - 1, 0), key)

    return offer


def _below(right: Any) -> Any:
    """The key lies below the threshold: the wrong way round."""

    def xor(left: Any, hidden: bytes) -> bytes:
        rows = [hidden[at : at + 32] for at in range(0, len(hidden), 32)]
        return bytes(right(left, b"".join(rows[::-1]) if len(rows) > 1 else hidden))

    return xor


def _open_decoys(right: Any) -> Any:
    """Pads below the threshold hold zeros."""
    return lambda seed, label, ctx, index, size, *rest: bytes(size)


def _own_width(right: Any) -> Any:
    """A payload is as long as what it says."""
    return lambda key, label, ctx, index, payload, size: right(key, label, ctx, index, payload, len(payload))


def _own_padding(right: Any) -> Any:
    """What is left behind is as long as the secret."""
    return lambda secret: len(secret).to_bytes(4, "big") + secret


def _always_zeros(right: Any) -> Any:
    """Zeros follow what is left behind even where it fills its last block, which makes one block more."""

    def padded(secret: bytes) -> bytes:
        plain = len(secret).to_bytes(4, "big") + secret
        return plain + bytes(escrow.BLOCK_SIZE - len(plain) % escrow.BLOCK_SIZE)

    return padded


def _always_new_pads(right: Any) -> Any:
    """Every tell carries pads, even where the earlier ones still stand."""

    def make(self: Any, crypto: Any, step: int, ask: Any, own: Any) -> None:
        right(self, crypto, step, ask, own)
        self.padded = (True,) * len(self.tells)

    return make


def _never_new_pads(right: Any) -> Any:
    """The first pads of a pair stand for good."""

    def make(self: Any, crypto: Any, step: int, ask: Any, own: Any) -> None:
        right(self, crypto, step, ask, own)
        self.padded = tuple((tell.more, tell.than) not in crypto.padded for tell in self.tells)

    return make


def _in_order(right: Any) -> Any:
    """Items stay where they are; only their masks change."""

    def shuffled(g: Any, seed: bytes, ctx: Any, label: str, key: bytes, items: Any) -> Any:
        made = right(g, seed, ctx, label, key, items)
        moved = tuple(
            tuple(elgamal.remask(g, key, pair, mask) for pair, mask in zip(item, row, strict=True))
            for item, row in zip(items, made.masks, strict=True)
        )
        return shuffle.Shuffled(moved, tuple(range(len(items))), made.masks)

    return shuffled


def _biased(right: Any) -> Any:
    """A word is never passed over."""
    return lambda material, sides: tuple(word % n for word, n in zip(coin._words(material), sides, strict=False))


def _little_endian(right: Any) -> Any:
    """Words of dice are read from their other end."""

    def words(material: bytes) -> Any:
        return (int.from_bytes(word.to_bytes(8, "big"), "little") for word in right(material))

    return words


def _one_key(right: Any) -> Any:
    """The bag key is the coin key."""
    return classmethod(lambda cls, g, seed, ctx, purpose: right.__func__(cls, g, seed, ctx, coin.COIN))


def _opens_at_once(right: Any) -> Any:
    """It opens its choice right after its own commitment, whether or not the others have committed."""

    def complete(self: Any) -> Any:
        machine, stage = self.play.machine, self.play.stage
        if self.seat is None or not isinstance(self.play.ask, Together) or stage != together.COMMIT:
            return right(self)
        if self.chains[self.seat].given is None or all(self.chains[seat].given for seat in self.play.owing):
            return right(self)
        self.play.stage = together.OPEN
        try:
            self.sign_next(0, machine.body(together.OPEN, self.play.choices[-1]))
        finally:
            self.play.stage = together.COMMIT
        return False

    return complete


def _seed_with_the_result(right: Any) -> Any:
    """It shows its seed with its result, before the others have signed theirs."""

    def body(self: Any, at: Any) -> Any:
        if at.stage == closing.CLOSE and not self.chains[self.seat].queue:
            self.sign_next(CLOSING, (self.seed, tuple(self.play.choices)))
        return right(self, at)

    return body


def _of_a_roster(right: Any) -> Any:
    """Envelopes are signed as if they were rosters."""
    return lambda secret, purpose, data: right(secret, "roster" if purpose == "envelope" else purpose, data)


def _backwards(right: Any) -> Any:
    """Heads take the envelopes of a stage from the last seat to the first."""
    return lambda head, step, stage, hashes: right(head, step, stage, hashes[::-1])


def _other_choices(right: Any) -> Any:
    """It shows its choices in another order."""

    def body(self: Any, at: Any) -> Any:
        due = right(self, at)
        return (due[0], due[1][::-1]) if at.stage == closing.SHOW else due

    return body


def _one_mask(right: Any) -> Any:
    """All shares that are mailed are masked by one scalar."""

    def derive(*args: Any) -> list[int]:
        w, w_mask, *masks = right(*args)
        return [w, w_mask, *[masks[0] for _ in masks]]

    return derive


def _itself_mailed(right: Any) -> Any:
    """It mails its share to itself, too."""

    def body(self: Any, stage: int, choice: Any) -> Any:
        to_all, mail = right(self, stage, choice)
        me = self.crypto.seat
        if self.pairs(me):
            own = self.crypto.public_keys[me].mailbox
            context = self.context(stage, me)
            sent = shares.mail(
                self.crypto.group, self.crypto.seed, context, self.crypto.bag_key.secret, own, self.pairs(me)
            )
            mail = tuple(sorted((*mail, (me, sent))))
        return to_all, mail

    return body


def _not_reduced(right: Any) -> Any:
    """It opens its blindings as scalars that are not reduced."""

    def body(self: Any, stage: int, choice: Any) -> Any:
        order = self.crypto.group.order
        return tuple(
            (total, (int.from_bytes(b, "little") + order).to_bytes(32, "little"))
            for total, b in right(self, stage, choice)
        )

    return body


SIGNED: Final[dict[str, Mutant]] = {
    "roll: one point for all rolls": Mutant(
        coin, "roll_point", lambda right: lambda g, ctx, index: right(g, replace(ctx, step=0), index), "15-18"
    ),
    "roll: another label of its proof": Mutant(
        dleq, "challenge", _label(lambda label: label.replace("share", "part")), "15-18"
    ),
    "roll: a nonce for all its proofs": Mutant(dleq, "derive_scalar", _without_statement, "15-18"),
    "roll: a nonce that forgets the step": Mutant(dleq, "derive_scalar", _without_step, "15-18"),
    "roll: a nonce of the moment": Mutant(dleq, "derive_scalar", _drawn, "15-18"),
    "roll: no word is passed over": Mutant(coin, "dice", _biased, "14-61"),
    "roll: words little-endian": Mutant(coin, "_words", _little_endian, "15-17"),
    "keys: one secret for coin and bag": Mutant(elgamal.SeatKey, "derive", _one_key, "15-08"),
    "choices: a nonce without the choice": Mutant(
        together,
        "derive",
        lambda right: lambda seed, label, ctx, index, choice: right(seed, label, ctx, index),
        "15-08",
    ),
    "choices: a nonce of the moment": Mutant(together, "derive", _drawn_bytes, "15-08"),
    "choices: a commitment without the seat": Mutant(
        commitments,
        "digest",
        lambda right: lambda label, game, step, seat, *rest: right(label, game, step, *rest),
        "15-08",
    ),
    "choices: opened before all have committed": Mutant(peer.Peer, "complete", _opens_at_once, "15-08"),
    "amounts: one blinding for all slots": Mutant(seal, "derive_scalar", _one_blinding, "15-11"),
    "amounts: another label of the range proof": Mutant(
        ranges, "challenge", _label(lambda label: label + "s"), "15-11"
    ),
    "amounts: range proofs whose nonces forget what they prove": Mutant(
        ranges,
        "derive_scalars",
        lambda right: lambda g, seed, label, ctx, index, count, *rest: right(g, seed, label, ctx, index, count),
        "15-11",
    ),
    "amounts: a blinding beyond the order": Mutant(MACHINES[Open], "body", _not_reduced, "15-11"),
    "tells: the key at the threshold too": Mutant(disclosure, "offer", _at_the_threshold, "15-12"),
    "tells: the key below the threshold": Mutant(disclosure, "_xor", _below, "15-12"),
    "tells: zeros for decoys": Mutant(disclosure, "derive_stream", _open_decoys, "15-14"),
    "tells: a payload as long as what it says": Mutant(disclosure, "seal_payload", _own_width, "15-14"),
    "tells: new pads each time": Mutant(MACHINES[Disclose], "__init__", _always_new_pads, "15-14"),
    "tells: the first pads for good": Mutant(MACHINES[Disclose], "__init__", _never_new_pads, "15-14"),
    "items: the order stays": Mutant(shuffle, "shuffle", _in_order, "15-20"),
    "items: masks of the moment": Mutant(shuffle, "derive_scalars", _drawn, "14-63"),
    "items: another label of the shuffle's proof": Mutant(
        shuffle, "wide", _label(lambda label: label.replace("statement", "items"), 0), "14-63"
    ),
    "items: mail whose masks are one": Mutant(shares, "derive_scalars", _one_mask, "14-63"),
    "items: mail to itself": Mutant(MACHINES[Show], "body", _itself_mailed, "15-15"),
    "closing: the seed with the result": Mutant(peer.Peer, "closing_body", _seed_with_the_result, "16-10"),
    "closing: choices in another order": Mutant(peer.Peer, "closing_body", _other_choices, "15-14"),
    "heads: envelopes in another order": Mutant(peer, "next_head", _backwards, "15-08"),
    "leaving: a secret that is not padded": Mutant(escrow, "_padded", _own_padding, "13-11"),
    "leaving: a block of zeros behind a full one": Mutant(escrow, "_padded", _always_zeros, "13-42"),
    "signatures: of another purpose": Mutant(signatures, "sign", _of_a_roster, "15-08"),
}
