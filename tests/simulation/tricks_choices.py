"""Tricks with keys, rolls, choices and sealed amounts: forbidden bodies of asks without items."""

from __future__ import annotations

from typing import Any, Final

from kimberley.games.table import Amounts, Plain, Space, Together, Unreadable
from kimberley.protocol.asks.base import Machine
from kimberley.protocol.asks.decide import DecideMachine
from kimberley.protocol.asks.disclose import DiscloseMachine
from kimberley.protocol.asks.open import OpenMachine
from kimberley.protocol.asks.roll import RollMachine
from kimberley.protocol.asks.seal import SealMachine
from kimberley.protocol.asks.together import COMMIT, OPEN, TogetherMachine, choice_nonce
from kimberley.protocol.crypto import coin, disclosure, ranges
from kimberley.protocol.crypto.coin import CoinKey
from kimberley.protocol.crypto.commitments import commit_choice, pedersen
from kimberley.protocol.crypto.hashing import Context
from tests.simulation.cheating import AUDITED, REFUSED, Bent, Cheater, Trick
from tests.support.cheats import mangled, with_opening

OTHER_SEED: Final = b"\x5a" * 32
AMOUNTS: Final = ("diamond-trust",)
"""The games in which amounts are sealed, disclosed and opened."""
AT_ONCE: Final = ("diamond-trust", "mine")
"""The games in which several seats choose at once."""
NOT_OF_ITS_SEED: Final = "is not what their seed and choices give"


def here(peer: Cheater, step: int = 0, stage: int = 0, seat: int = 0) -> Context:
    """The context in which this seat signs now, or one at an offset from it."""
    at_step, at_stage = peer.slot
    assert peer.seat is not None
    return peer.play.crypto.context(at_step + step, at_stage + stage, (peer.seat + seat) % peer.play.crypto.seats)


def _machine(peer: Cheater) -> Machine | None:
    return peer.play.machine


# -- keys and rolls ------------------------------------------------------------------------------------------------


def unknown_secret(peer: Cheater, body: Any) -> Bent:
    if peer.play.step:
        return body
    which = peer.rng.randrange(3)
    return tuple((peer.group.base(5), key[1]) if place == which else key for place, key in enumerate(body))


def identity_key(peer: Cheater, body: Any) -> Bent:
    return body if peer.play.step else ((peer.group.identity, body[0][1]), *body[1:])


def exchanged_keys(peer: Cheater, body: Any) -> Bent:
    return body if peer.play.step else (body[1], body[0], body[2])


def key_of_another_seed(peer: Cheater, body: Any) -> Bent:
    def make() -> Plain:
        crypto = peer.play.crypto
        crypto.__dict__["coin_key"] = CoinKey.derive(peer.group, OTHER_SEED, here(peer))
        return peer.play.body()

    return body if peer.play.step else make


def _share(peer: Cheater, body: Any, key: int = 0, seed: bytes = OTHER_SEED, **where: int) -> Bent:
    if not isinstance(_machine(peer), RollMachine):
        return body
    return (coin.share(peer.group, seed, here(peer, **where), peer.play.crypto.coin_key.secret + key, 0),)


def share_of_another_key(peer: Cheater, body: Any) -> Bent:
    return _share(peer, body, key=1)


def share_of_an_earlier_roll(peer: Cheater, body: Any) -> Bent:
    return _share(peer, body, step=-1)


def share_of_another_seat(peer: Cheater, body: Any) -> Bent:
    return _share(peer, body, seat=1)


def share_of_another_nonce(peer: Cheater, body: Any) -> Bent:
    return _share(peer, body)


def scalar_above_the_order(peer: Cheater, body: Any) -> Bent:
    """The same share, with the order added to its response."""
    if not isinstance(_machine(peer), RollMachine):
        return body
    share = body[0]
    response = int.from_bytes(share[64:], "little") + peer.group.order
    return (share[:64] + response.to_bytes(32, "little"),)


# -- choices -------------------------------------------------------------------------------------------------------


def forbidden(space: Space, choice: Plain, peer: Cheater) -> Plain:
    """A value near a choice that its space does not allow; the choice itself if none is found."""
    for _ in range(30):
        near = mangled(choice, peer.rng)
        try:
            if space.violation(space.read(near)):
                return near
        except Unreadable:
            return near
    return choice


def illegal_decision(peer: Cheater, body: Any) -> Bent:
    machine = _machine(peer)
    return (forbidden(machine.ask.space, body[0], peer),) if isinstance(machine, DecideMachine) else body


def two_decisions(peer: Cheater, body: Any) -> Bent:
    return (*body, *body) if isinstance(_machine(peer), DecideMachine) else body


def short_commitment(peer: Cheater, body: Any) -> Bent:
    machine = _machine(peer)
    commits = isinstance(machine, TogetherMachine) and peer.play.stage == COMMIT
    return (body[0][:31],) if commits else body


def _opens(peer: Cheater) -> TogetherMachine | None:
    machine = _machine(peer)
    return machine if isinstance(machine, TogetherMachine) and peer.play.stage == OPEN else None


def other_opening(peer: Cheater, body: Any) -> Bent:
    return (body[0], mangled(body[1], peer.rng), body[2]) if _opens(peer) else body


def other_nonce(peer: Cheater, body: Any) -> Bent:
    return (bytes(32), *body[1:]) if _opens(peer) else body


def no_proof(peer: Cheater, body: Any) -> Bent:
    return (*body[:2], None) if _opens(peer) else body


def unasked_proof(peer: Cheater, body: Any) -> Bent:
    return (*body[:2], bytes(1024)) if _opens(peer) and body[2] is None else body


def commits_to_what_is_illegal(peer: Cheater, choice: Plain) -> Plain:
    machine = _machine(peer)
    if not isinstance(machine, TogetherMachine) or (machine.ask.within and any(machine.ask.within)):
        return choice
    space = machine.ask.spaces[peer.seat or 0]
    return choice if space is None else forbidden(space, choice, peer)


def without_the_right(peer: Cheater, choice: Plain) -> Plain:
    """A choice that the public state allows and only the seat's own state forbids."""
    machine, own = _machine(peer), peer.asked
    if not isinstance(machine, TogetherMachine) or own is None:
        return choice
    space = machine.ask.spaces[peer.seat or 0]
    for _ in range(40 if space is not None else 0):
        assert space is not None
        other = space.pick(peer.rng)
        if own.space.violation(other) is not None and space.cost(other) == 0:
            return other
    return choice


# -- sealed amounts ------------------------------------------------------------------------------------------------


def _slots(peer: Cheater) -> Amounts | None:
    machine = _machine(peer)
    space = machine.ask.spaces[peer.seat or 0] if isinstance(machine, SealMachine) else None
    return space if isinstance(space, Amounts) else None


def sealed_instead(peer: Cheater, space: Amounts, amounts: list[int]) -> Plain:
    """A seal of other amounts, with the best proofs that a cheat can make."""
    g, blinding = peer.group, 7
    commitments = tuple(pedersen(g, amount, blinding) for amount in amounts)
    proofs = tuple(
        ranges.prove(g, OTHER_SEED, here(peer), "amount", slot.bits, max(amount, 0), blinding, index)
        for index, (slot, amount) in enumerate(zip(space.slots, amounts, strict=True))
    )
    within = ranges.prove(g, OTHER_SEED, here(peer), "within", space.within.tally.bits, 0, -7 * len(amounts), 0)
    return commitments, proofs, within


def more_than_it_has(peer: Cheater, body: Any) -> Bent:
    space = _slots(peer)
    if space is None or space.within.limit >= 255:
        return body
    return sealed_instead(peer, space, [space.within.limit + 1] + [0] * (len(space.slots) - 1))


def less_than_nothing(peer: Cheater, body: Any) -> Bent:
    space = _slots(peer)
    return body if space is None else sealed_instead(peer, space, [-5] * len(space.slots))


def an_amount_too_few(peer: Cheater, body: Any) -> Bent:
    return body if _slots(peer) is None else (body[0][1:], body[1][1:], body[2])


def nothing_for_a_commitment(peer: Cheater, body: Any) -> Bent:
    return body if _slots(peer) is None else ((peer.group.identity, *body[0][1:]), *body[1:])


def proofs_in_another_order(peer: Cheater, body: Any) -> Bent:
    return body if _slots(peer) is None or len(body[1]) < 2 else (body[0], body[1][::-1], body[2])


def a_proof_without_end(peer: Cheater, body: Any) -> Bent:
    return body if _slots(peer) is None else (body[0], (body[1][0] + bytes(32), *body[1][1:]), body[2])


def another_plan_sealed(peer: Cheater, body: Any) -> Bent:
    machine = _machine(peer)
    if not isinstance(machine, SealMachine) or _slots(peer) is not None:
        return body
    other = mangled(peer.play.choices[-1], peer.rng)
    return (commit_choice(here(peer), choice_nonce(machine, other), other),)


def another_nonce_sealed(peer: Cheater, body: Any) -> Bent:
    sealing = isinstance(_machine(peer), SealMachine) and _slots(peer) is None
    return (commit_choice(here(peer), bytes(32), peer.play.choices[-1]),) if sealing else body


# -- disclosures ---------------------------------------------------------------------------------------------------


def _tells(peer: Cheater) -> DiscloseMachine | None:
    machine = _machine(peer)
    return machine if isinstance(machine, DiscloseMachine) and machine.tells_of(peer.seat or 0) else None


def another_thing_told(peer: Cheater, body: Any) -> Bent:
    machine = _tells(peer)
    if machine is None:
        return body
    says = list(machine.says)
    for index, _ in machine.tells_of(peer.seat or 0):
        picked = (machine.spaces[index].pick(peer.rng) for _ in range(20))
        says[index] = next((other for other in picked if other != says[index]), says[index])
    if says == list(machine.says):
        return body  # Nothing else can be told here.

    def make() -> Plain:
        machine.says = tuple(says)
        return peer.play.body()

    return make


def garbage_for_pads(peer: Cheater, body: Any) -> Bent:
    if _tells(peer) is None or not any(offer for offer, _ in body):
        return body
    return tuple((offer[:32] + bytes(len(offer) - 32) if offer else b"", sealed) for offer, sealed in body)


def another_threshold(peer: Cheater, body: Any) -> Bent:
    machine = _tells(peer)
    if machine is None or not body[0][0]:
        return body
    tally = machine.tells_of(peer.seat or 0)[0][1].than
    total, blinding = peer.play.crypto.opening(tally)
    return with_opening(peer, tally, (total + 1, blinding))


def garbage_for_a_payload(peer: Cheater, body: Any) -> Bent:
    return body if _tells(peer) is None else tuple((offer, bytes(len(sealed))) for offer, sealed in body)


def a_payload_of_another_width(peer: Cheater, body: Any) -> Bent:
    return body if _tells(peer) is None else ((body[0][0], body[0][1] + b"\0"), *body[1:])


def a_tell_too_few(peer: Cheater, body: Any) -> Bent:
    return body if _tells(peer) is None else body[1:]


def no_pads(peer: Cheater, body: Any) -> Bent:
    return body if _tells(peer) is None or not body[0][0] else ((b"", body[0][1]), *body[1:])


def pads_that_are_not_due(peer: Cheater, body: Any) -> Bent:
    if _tells(peer) is None or body[0][0]:
        return body
    return (peer.group.base(3) + bytes(disclosure.offer_size(8) - 32), body[0][1]), *body[1:]


def other_total(peer: Cheater, body: Any) -> Bent:
    return ((body[0][0] ^ 1, body[0][1]), *body[1:]) if isinstance(_machine(peer), OpenMachine) else body


def a_total_that_is_no_number(peer: Cheater, body: Any) -> Bent:
    return (("1", body[0][1]), *body[1:]) if isinstance(_machine(peer), OpenMachine) else body


def _is_within(ask: object) -> bool:
    return isinstance(ask, Together) and any(ask.within or ())


BAD_SHARE: Final = "their share of the roll"
BAD_KEY: Final = "do not prove that they know their"
CHOICES: Final = (
    Trick("a key whose secret it does not know", "M-KEY-1", REFUSED, BAD_KEY, body=unknown_secret),
    Trick("the identity for a key", "M-GRP-1", REFUSED, "the identity must not travel", body=identity_key),
    Trick("its bag key for its coin key", "M-KEY-1", REFUSED, BAD_KEY, body=exchanged_keys),
    Trick("a key that is not of its seed", "14.7", AUDITED, NOT_OF_ITS_SEED, body=key_of_another_seed),
    Trick("a share of another key", "M-ROL-1", REFUSED, BAD_SHARE, body=share_of_another_key),
    Trick("a share of an earlier roll", "M-ROL-2", REFUSED, BAD_SHARE, body=share_of_an_earlier_roll),
    Trick("a share proven for another seat", "M-ROL-1", REFUSED, BAD_SHARE, body=share_of_another_seat),
    Trick("a share with another nonce", "14.4", AUDITED, NOT_OF_ITS_SEED, body=share_of_another_nonce),
    Trick("a scalar with the order added", "M-GRP-2", REFUSED, BAD_SHARE, body=scalar_above_the_order),
    Trick("a choice that breaks a rule", "M-DEC-1", REFUSED, "their choice", body=illegal_decision),
    Trick("two choices for one", "M-ASK-1", REFUSED, "it is not one choice", body=two_decisions),
    Trick("a commitment that is too short", "M-ASK-1", REFUSED, "not a commitment", AT_ONCE, body=short_commitment),
    Trick("an opening of another choice", "M-TOG-1", REFUSED, "does not match the commit", AT_ONCE, body=other_opening),
    Trick("an opening with another nonce", "M-TOG-1", REFUSED, "does not match the commit", AT_ONCE, body=other_nonce),
    Trick("no proof of being within a limit", "M-TOG-2", REFUSED, "within its limit", AMOUNTS, body=no_proof),
    Trick("a proof that nobody asked for", "M-TOG-2", REFUSED, "nobody asked for", AT_ONCE, body=unasked_proof),
    Trick("a commitment to what is forbidden", "M-TOG-1", REFUSED, "", ("mine",), choose=commits_to_what_is_illegal),
    Trick("a choice without the right to it", "15.9", AUDITED, "no right to", AMOUNTS, choose=without_the_right),
    Trick("more than it has", "M-SEL-1", REFUSED, "within its limit", AMOUNTS, body=more_than_it_has),
    Trick("less than nothing", "M-SEL-1", REFUSED, "is not proven to be from 0", AMOUNTS, body=less_than_nothing),
    Trick("an amount too few", "M-SEL-2", REFUSED, "sealed amounts with their", AMOUNTS, body=an_amount_too_few),
    Trick("the identity sealed", "M-SEL-1", REFUSED, "the identity must not", AMOUNTS, body=nothing_for_a_commitment),
    Trick("range proofs exchanged", "M-SEL-1", REFUSED, "is not proven", AMOUNTS, body=proofs_in_another_order),
    Trick("a range proof of another length", "M-RNG-1", REFUSED, "is not proven", AMOUNTS, body=a_proof_without_end),
    Trick("another plan sealed", "15.9", AUDITED, "they sealed a different choice", AMOUNTS, body=another_plan_sealed),
    Trick(
        "a plan sealed with another nonce",
        "14.3",
        AUDITED,
        "they sealed a different choice",
        AMOUNTS,
        body=another_nonce_sealed,
    ),
    Trick("another thing told", "15.9", AUDITED, "is not what they sealed", AMOUNTS, body=another_thing_told),
    Trick("garbage for pads", "M-DIS-1", AUDITED, "the pads of tell", AMOUNTS, body=garbage_for_pads),
    Trick("the key at another threshold", "14.6", AUDITED, "the pads of tell", AMOUNTS, body=another_threshold),
    Trick("garbage for a payload", "M-DIS-2", AUDITED, "is not what they sealed", AMOUNTS, body=garbage_for_a_payload),
    Trick(
        "a payload too wide",
        "M-TEL-1",
        REFUSED,
        "does not consist of pads and a pay",
        AMOUNTS,
        body=a_payload_of_another_width,
    ),
    Trick("a tell too few", "M-TEL-2", REFUSED, "it does not disclose", AMOUNTS, body=a_tell_too_few),
    Trick("no pads where they are due", "M-TEL-1", REFUSED, "are not well formed", AMOUNTS, body=no_pads),
    Trick("pads where none are due", "M-TEL-1", REFUSED, "carries pads", AMOUNTS, body=pads_that_are_not_due),
    Trick("another total", "M-OPN-1", REFUSED, "does not match what was sealed", AMOUNTS, body=other_total),
    Trick("a total that is no number", "M-OPN-1", REFUSED, "is not a total", AMOUNTS, body=a_total_that_is_no_number),
)
