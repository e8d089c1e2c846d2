"""Mutants that take from others what they must refuse, or blame them for what they may do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from kimberley.games.table import Disclose, Open, Seal, Show, Together
from kimberley.protocol import chain, closing, peer, play, resignations
from kimberley.protocol.asks import MACHINES, decide, keys, seal, together
from kimberley.protocol.crypto import backend, coin, disclosure, escrow, group, ranges, shares, shuffle, signatures
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.envelope import STAGE, Envelope
from tests.conformance.mutant import Mutant
from tests.support.wrong import (
    always,
    another_blamed,
    any_mail_passes,
    any_shuffle_passes,
    finds_nothing,
    out_of_stage_passes,
    second_passes,
)


def _identity_passes(right: Any) -> Any:
    """The identity is a point of the wire like another."""

    def decode_point(self: Any, data: bytes) -> bytes:
        return data if data == self.identity else bytes(right(self, data))

    return decode_point


def _any_spelling_passes(right: Any) -> Any:
    """The top bit of a point is passed over."""
    return lambda self, data: right(self, data[:31] + bytes([data[31] & 0x7F]) if len(data) == 32 else data)


def _any_scalar_passes(right: Any) -> Any:
    """Scalars are taken modulo the order."""
    return lambda self, data: int.from_bytes(data, "little") % self.order if len(data) == 32 else right(self, data)


def _resigns_at_once(right: Any) -> Any:
    """In step 0 nobody can leave, so seats resign there."""
    return lambda self, slot: slot[0] > 0 and right(self, slot)


def _signs_before_it_looks(right: Any) -> Any:
    """What a seat can do at a stage is done in one go, before queues are taken in again."""

    def begin_closing(self: Any) -> bool:
        began = bool(right(self))
        if began:
            self.give()
        return began

    return begin_closing


def _pads_for_each(right: Any) -> Any:
    """Each of two tells of one pair in an ask carries pads."""

    def made(self: Any, crypto: Any, step: int, ask: Any, own: Any) -> None:
        right(self, crypto, step, ask, own)
        new = {(tell.more, tell.than) for tell, pads in zip(self.tells, self.padded, strict=True) if pads}
        self.padded = tuple((tell.more, tell.than) in new for tell in self.tells)

    return made


def _no_defaults(right: Any) -> Any:
    """A game with an option that its roster does not name is not known."""

    def made(self: Any, game: Any, table: Any, *args: Any) -> None:
        named = {name for name, _ in table.roster.options}
        if any(option.name not in named for option in game.options):
            raise ValueError("an option is missing")
        right(self, game, table, *args)

    return made


def _any_opening_passes(right: Any) -> Any:
    """The choice is judged, and not whether it was committed to."""

    def check(self: Any, stage: int, seat: int, body: Any) -> None:
        if stage == together.OPEN and isinstance(body, tuple) and len(body) == 3:
            decide.check_choice(self.ask.spaces[seat], body[1])
        else:
            right(self, stage, seat, body)

    return check


def _unasked_proofs_pass(right: Any) -> Any:
    """A proof is judged only where one is asked for."""

    def check(self: Any, stage: int, seat: int, body: Any) -> None:
        if stage == together.OPEN and self._within(seat) is None and isinstance(body, tuple):
            body = (*body[:2], None)
        right(self, stage, seat, body)

    return check


def _pads_pass(right: Any) -> Any:
    """Pads are taken as they come, even where the earlier ones still stand."""

    def check(self: Any, stage: int, seat: int, body: Any) -> None:
        if isinstance(body, tuple) and len(body) == len(self.tells_of(seat)):
            offered = [offer for offer, _ in body if isinstance(offer, bytes)]
            kept, self.padded = self.padded, tuple(bool(offer) for offer in offered) + (False,) * len(self.padded)
            try:
                right(self, stage, seat, body)
            finally:
                self.padded = kept
        else:
            right(self, stage, seat, body)

    return check


def _late(right: Any) -> Any:
    """Proofs of sealed amounts are looked at when the amounts are opened, and not before."""

    def check(self: Any, stage: int, seat: int, body: Any) -> None:
        if not isinstance(body, tuple) or len(body) != 3:
            right(self, stage, seat, body)

    return check


def _payloads_of_any_width_pass(right: Any) -> Any:
    """Payloads are cut or filled to their width."""

    def check(self: Any, stage: int, seat: int, body: Any) -> None:
        if isinstance(body, tuple):
            tells = [tell for tell in self.tells if tell.owner == seat]
            body = tuple(
                (told[0], told[1][: disclosure.sealed_size(tell.size)].ljust(disclosure.sealed_size(tell.size), b"\0"))
                for tell, told in zip(tells, body, strict=False)
            )
        right(self, stage, seat, body)

    return check


def _any_padding(right: Any) -> Any:
    """What follows a payload is not looked at."""

    def open_payload(key: bytes, label: str, ctx: Any, index: int, sealed: bytes, size: int) -> bytes | None:
        subkey, associated = disclosure.subkey_of(key, label, ctx, index, size)
        plain = backend.primitives().decrypt(subkey, disclosure.NONCE, sealed, associated)
        return None if plain is None else plain[4 : 4 + int.from_bytes(plain[:4], "big")]

    return open_payload


def _anything_told(right: Any) -> Any:
    """What a payload says is taken even if its space forbids it."""

    def read(self: Any, index: int, tell: Any, offer: bytes, sealed: bytes) -> Any:
        kept, self.spaces = self.spaces, tuple(_Anything() for _ in self.spaces)
        try:
            return right(self, index, tell, offer, sealed)
        finally:
            self.spaces = kept

    return read


class _Anything:
    """A space that forbids nothing."""

    def read(self, plain: Any) -> Any:
        return plain

    def violation(self, choice: Any) -> None:
        return None


def _a_truth_is_a_number(right: Any) -> Any:
    """True opens a total of 1."""

    def check(self: Any, stage: int, seat: int, body: Any) -> None:
        if isinstance(body, tuple) and all(isinstance(one, tuple) and isinstance(one[0], int) for one in body):
            body = tuple((int(total), *rest) for total, *rest in body)
        right(self, stage, seat, body)

    return check


def _mail_in_any_order(right: Any) -> Any:
    """Mail is sorted by its receivers first."""

    def check(self: Any, stage: int, seat: int, body: Any) -> None:
        if isinstance(body, tuple) and len(body) == 2 and isinstance(body[1], tuple):
            body = body[0], tuple(sorted(body[1], key=lambda entry: entry[0]))
        right(self, stage, seat, body)

    return check


def _any_head_passes(right: Any) -> Any:
    """Heads are not compared."""
    return lambda self, chain, envelope: True


def _any_previous_passes(right: Any) -> Any:
    """The hash of the envelope before is not compared."""
    return lambda self, envelope: None


def _signature_first(right: Any) -> Any:
    """A second signature over the same bytes is held against its seat."""

    def receive(self: Any, data: bytes) -> bool:
        try:
            envelope = Envelope.unpack(data)
        except Malformed:
            return bool(right(self, data))
        known = self.chains[envelope.seat].known.get(envelope.number) if envelope.seat < len(self.chains) else None
        if known is not None and known.hash == envelope.hash and known.signature != envelope.signature:
            self.catch(envelope, "it signed twice")
            return True
        return bool(right(self, data))

    return receive


def _malformed_is_guilt(right: Any) -> Any:
    """The seat whose name is on bytes that are no envelope is blamed for them."""

    def receive(self: Any, data: bytes) -> bool:
        try:
            Envelope.unpack(data)
        except Malformed:
            other = next(seat for seat in range(len(self.chains)) if seat != self.seat)
            step, stage = self.slot
            self.catch(
                Envelope(self.table.game_id, other, 0, bytes(32), step, stage, self.head, 0, None), "no envelope"
            )
            return True
        return bool(right(self, data))

    return receive


def _gaps_pass(right: Any) -> Any:
    """An envelope ahead of its chain is linked at once."""

    def receive(self: Any, data: bytes) -> bool:
        try:
            envelope = Envelope.unpack(data)
        except Malformed:
            return bool(right(self, data))
        if envelope.seat < len(self.chains) and envelope.seat != self.seat:
            chain_ = self.chains[envelope.seat]
            if envelope.number > chain_.number:
                chain_.number, chain_.previous = envelope.number, envelope.previous
        return bool(right(self, data))

    return receive


def _early_dropped(right: Any) -> Any:
    """What comes before the envelope it follows is dropped."""

    def receive(self: Any, data: bytes) -> bool:
        try:
            envelope = Envelope.unpack(data)
        except Malformed:
            return bool(right(self, data))
        if envelope.seat < len(self.chains) and envelope.number > self.chains[envelope.seat].number:
            return False
        return bool(right(self, data))

    return receive


def _goes_on(right: Any) -> Any:
    """A seat that has found guilt plays on."""

    def catch(self: Any, envelope: Any, reason: str) -> None:
        right(self, envelope, reason)
        if self.seat is not None:
            self.sign_next(STAGE, ())

    return catch


def _any_result_passes(right: Any) -> Any:
    """A seat that closes may sign any result."""

    def check(self: Any, seat: int, body: Any) -> None:
        if self.stage != closing.CLOSE:
            right(self, seat, body)

    return check


def _any_seed_passes(right: Any) -> Any:
    """Any seed may be shown."""

    def check(self: Any, seat: int, body: Any) -> None:
        if self.stage != closing.SHOW:
            right(self, seat, body)

    return check


def _latest(right: Any) -> Any:
    """The last deviations decide."""

    def earliest(findings: Any) -> Any:
        ordered = sorted(findings)
        return tuple(one for one in ordered if (one.step, one.stage) == (ordered[-1].step, ordered[-1].stage))

    return earliest


def _choices_only(right: Any) -> Any:
    """The audit compares choices, and no nonce."""

    def reexecute(game: Any, table: Any, log: Any, seat: int, seed: bytes, choices: Any, *group: Any) -> Any:
        found = right(game, table, log, seat, seed, choices, *group)
        kept = found.deviation is not None and "at the audit" in found.deviation.reason
        return found if kept else replace(found, deviation=None)

    return reexecute


def _any_purpose(right: Any) -> Any:
    """A signature for whatever purpose will do."""

    def verify(public: bytes, purpose: str, message: bytes, signature: bytes) -> bool:
        purposes = purpose, "envelope", "roster", "hello", "frame"
        return any(right(public, one, message, signature) for one in purposes)

    return verify


JUDGED: Final[dict[str, Mutant]] = {
    "points: the identity passes": Mutant(group.Group, "decode_point", _identity_passes, "15-79"),
    "points: the top bit is passed over": Mutant(group.Group, "decode_point", _any_spelling_passes, "14-60"),
    "scalars: taken modulo the order": Mutant(group.Group, "decode_scalar", _any_scalar_passes, "14-07"),
    "keys: no proof of possession is looked at": Mutant(keys, "verify_key", always(value=True), "14-05"),
    "roll: any share passes": Mutant(
        coin, "verify_share", lambda right: lambda g, ctx, public, index, share: share[:32], "15-89"
    ),
    "choices: any choice passes": Mutant(decide, "check_choice", lambda right: lambda space, choice: choice, "15-51"),
    "choices: any opening passes": Mutant(MACHINES[Together], "check", _any_opening_passes, "15-55"),
    "choices: a proof that nobody asked for passes": Mutant(MACHINES[Together], "check", _unasked_proofs_pass, "15-58"),
    "amounts: any range proof passes": Mutant(ranges, "verify", always(value=True), "15-63"),
    "amounts: proofs are looked at late": Mutant(MACHINES[Seal], "check", _late, "15-73"),
    "amounts: no limit is kept": Mutant(seal, "check_within", always(None), "15-65"),
    "amounts: no limit of a cost is kept": Mutant(together, "check_within", always(None), "15-61"),
    "amounts: any total passes": Mutant(MACHINES[Open], "check", always(None), "15-82"),
    "amounts: True is 1": Mutant(MACHINES[Open], "check", _a_truth_is_a_number, "03-61"),
    "tells: pads for each of a pair": Mutant(MACHINES[Disclose], "__init__", _pads_for_each, "14-64"),
    "tells: pads wherever they come": Mutant(MACHINES[Disclose], "check", _pads_pass, "15-77"),
    "tells: payloads of any width": Mutant(MACHINES[Disclose], "check", _payloads_of_any_width_pass, "15-80"),
    "tells: any padding": Mutant(disclosure, "open_payload", _any_padding, "14-62"),
    "tells: anything that is said": Mutant(MACHINES[Disclose], "_open", _anything_told, "14-62"),
    "items: any shuffle passes": Mutant(shuffle, "verify", any_shuffle_passes, "15-94"),
    "items: any share passes": Mutant(shares, "verify_share", always(value=True), "14-15"),
    "items: any mail passes": Mutant(shares, "verify_mail", any_mail_passes, "14-16"),
    "items: mail in any order": Mutant(MACHINES[Show], "check", _mail_in_any_order, "14-22"),
    "leaving: any keys pass": Mutant(
        play, "published_key", lambda right: lambda g, public, data: int.from_bytes(data, "little"), "13-17"
    ),
    "leaving: anything may be left behind": Mutant(escrow, "well_formed", always(value=True), "13-20"),
    "leaving: at a table of two": Mutant(play, "LEAST_TO_LEAVE", lambda right: 1, "13-23"),
    "leaving: a resignation in step 0": Mutant(resignations.Resignations, "can_leave", _resigns_at_once, "13-36"),
    "leaving: CLOSE is signed before another one that waits is judged": Mutant(
        peer.Peer, "_begin_closing", _signs_before_it_looks, "13-43"
    ),
    "leaving: a resignation where one could leave": Mutant(
        resignations.Resignations, "can_leave", always(value=False), "13-31"
    ),
    "heads: any head passes": Mutant(peer.Peer, "names_head", _any_head_passes, "12-06"),
    "chains: any previous hash passes": Mutant(chain.Chain, "refusal", _any_previous_passes, "11-20"),
    "chains: a second envelope passes": Mutant(peer.Peer, "receive", second_passes, "11-22"),
    "chains: a second signature is guilt": Mutant(peer.Peer, "receive", _signature_first, "11-21"),
    "chains: no envelope is guilt": Mutant(peer.Peer, "receive", _malformed_is_guilt, "11-01"),
    "chains: gaps pass": Mutant(peer.Peer, "receive", _gaps_pass, "11-24"),
    "chains: what comes early is dropped": Mutant(peer.Peer, "receive", _early_dropped, "11-23"),
    "chains: played on after the end": Mutant(chain, "PLAYED", lambda right: (), "13-32"),
    "stages: what is out of its stage passes": Mutant(peer.Peer, "catch", out_of_stage_passes, "12-08"),
    "stages: it signs on after guilt": Mutant(peer.Peer, "catch", _goes_on, "12-11"),
    "signatures: any passes": Mutant(signatures, "verify", always(value=True), "11-05"),
    "signatures: of any purpose": Mutant(signatures, "verify", _any_purpose, "11-06"),
    "signatures: keys of small order": Mutant(signatures, "SMALL_ORDER", lambda right: frozenset(), "05-01"),
    "closing: any result passes": Mutant(closing.Closing, "check", _any_result_passes, "16-01"),
    "closing: any seed passes": Mutant(closing.Closing, "check", _any_seed_passes, "16-05"),
    "audit: finds nothing": Mutant(peer, "reexecute", finds_nothing, "17-03"),
    "audit: compares choices only": Mutant(peer, "reexecute", _choices_only, "17-03"),
    "audit: names another": Mutant(peer, "earliest", another_blamed, "17-04"),
    "audit: the latest decides": Mutant(peer, "earliest", _latest, "17-60"),
    "audit: forgets who left": Mutant(closing.Closing, "recover", always(None), "13-15"),
    "audit: every option has to be named": Mutant(play.Play, "__init__", _no_defaults, "18-52"),
}
