from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.protocol.crypto import dleq, elgamal, shares
from kimberley.protocol.crypto.elgamal import BAG, MAILBOX, Pair, SeatKey
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.hashing import Context
from kimberley.protocol.crypto.ristretto import RISTRETTO
from tests.lab.counting_group import CountingGroup
from tests.support.groups import ADDITIVE, CONTEXT, ELSEWHERE, SEED, WITH_SLOW_ORACLE

G = RISTRETTO
KEYS = [SeatKey.derive(G, bytes([seat]) * 32, CONTEXT, BAG) for seat in range(3)]
MAILBOXES = [SeatKey.derive(G, bytes([seat]) * 32, CONTEXT, MAILBOX) for seat in range(3)]
KEY, BOX = KEYS[0], MAILBOXES[1]
X = elgamal.joint_key(G, [key.public for key in KEYS])


def masked(g: Group, joint: bytes, count: int) -> list[Pair]:
    """Returns pairs that hold 0, 1, 2... each behind its own mask."""
    return [elgamal.remask(g, joint, elgamal.known_item(g, joint, (value,))[0], 99 + value) for value in range(count)]


PAIRS = masked(G, X, 4)
TWO, OTHERS = PAIRS[:2], PAIRS[2:]
SHARE = shares.share(G, SEED, CONTEXT, KEY.secret, TWO)
MAIL = shares.mail(G, SEED, CONTEXT, KEY.secret, BOX.public, TWO)
POINTS = shares.open_share(G, KEY.secret, TWO)


def shown(sent: bytes, ctx: Context = CONTEXT, public: bytes = KEY.public, pairs: list[Pair] = TWO) -> object:
    return shares.verify_share(G, ctx, public, pairs, sent)


def mailed(
    sent: bytes,
    ctx: Context = CONTEXT,
    public: bytes = KEY.public,
    mailbox: bytes = BOX.public,
    pairs: list[Pair] = TWO,
) -> tuple[Pair, ...] | None:
    return shares.verify_mail(G, ctx, public, mailbox, pairs, sent)


@pytest.mark.parametrize("g", WITH_SLOW_ORACLE)
def test_parts_are_shown_to_one_seat_and_later_to_all(g: Group) -> None:
    keys = [SeatKey.derive(g, bytes([seat]) * 32, CONTEXT, BAG) for seat in range(3)]
    box = SeatKey.derive(g, SEED, CONTEXT, MAILBOX)
    joint = elgamal.joint_key(g, [key.public for key in keys])
    pairs, table = masked(g, joint, 2), elgamal.value_table(g, 0, range(2))

    received = [shares.open_share(g, keys[0].secret, pairs)]
    for key in keys[1:]:
        envelope = shares.mail(g, SEED, CONTEXT, key.secret, box.public, pairs)
        assert len(envelope) == shares.mail_size(2) == 2 * 64 + 96
        checked = shares.verify_mail(g, CONTEXT, key.public, box.public, pairs, envelope)
        assert checked is not None
        received.append(shares.read_mail(g, box.secret, checked))
    seen = [elgamal.plaintext(g, pair, column) for pair, *column in zip(pairs, *received, strict=True)]
    assert [table[point] for point in seen] == [0, 1]

    later, opened = replace(CONTEXT, step=9), []
    for key in keys:
        sent = shares.share(g, SEED, later, key.secret, pairs)
        assert len(sent) == shares.share_size(2) == 2 * 32 + 64
        points = shares.verify_share(g, later, key.public, pairs, sent)
        assert points == shares.open_share(g, key.secret, pairs)
        opened.append(points)
    assert opened == received


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 12))
def test_any_number_of_pairs(count: int) -> None:
    g = ADDITIVE
    key, box = (SeatKey.derive(g, SEED, CONTEXT, purpose) for purpose in (BAG, MAILBOX))
    pairs = masked(g, key.public, count)
    points = shares.open_share(g, key.secret, pairs)
    sent = shares.share(g, SEED, CONTEXT, key.secret, pairs)
    assert shares.verify_share(g, CONTEXT, key.public, pairs, sent) == points
    envelope = shares.mail(g, SEED, CONTEXT, key.secret, box.public, pairs)
    checked = shares.verify_mail(g, CONTEXT, key.public, box.public, pairs, envelope)
    assert checked is not None
    assert shares.read_mail(g, box.secret, checked) == points


def test_a_mail_holds_the_shares_for_its_receiver_alone() -> None:
    checked = mailed(MAIL)
    assert checked is not None
    assert shares.read_mail(G, BOX.secret, checked) == POINTS
    for box in (MAILBOXES[0], MAILBOXES[2]):
        assert not set(shares.read_mail(G, box.secret, checked)) & set(POINTS)
    parts = {MAIL[start : start + 32] for start in range(0, len(MAIL), 32)}
    assert len(parts) == 7
    assert not parts & set(POINTS)


def test_the_masks_of_a_mail_differ_by_item() -> None:
    checked = mailed(MAIL)
    assert checked is not None
    (_, first), (_, second) = checked
    assert G.sub(first, second) != G.sub(*POINTS)


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_shares_cannot_be_replayed_elsewhere(elsewhere: Context) -> None:
    assert shown(SHARE) == POINTS
    assert mailed(MAIL) is not None
    assert shown(SHARE, ctx=elsewhere) is None
    assert mailed(MAIL, ctx=elsewhere) is None


@pytest.mark.parametrize("pairs", [OTHERS, TWO[::-1], [TWO[0], OTHERS[0]], TWO[:1], [*TWO, OTHERS[0]], []])
def test_shares_serve_their_items_in_their_order(pairs: list[Pair]) -> None:
    assert shown(SHARE, pairs=pairs) is None
    assert mailed(MAIL, pairs=pairs) is None


def test_shares_serve_one_seat_and_one_mailbox() -> None:
    assert shown(SHARE, public=KEYS[1].public) is None
    assert mailed(MAIL, public=KEYS[1].public) is None
    for mailbox in (MAILBOXES[0].public, MAILBOXES[2].public, X):
        assert mailed(MAIL, mailbox=mailbox) is None


def test_a_share_under_another_secret_is_refused() -> None:
    for secret in (KEYS[1].secret, KEY.secret + 1, -KEY.secret):
        sent = shares.share(G, SEED, CONTEXT, secret, TWO)
        assert shown(sent) is None
        assert shown(sent[:64] + SHARE[64:]) is None
        envelope = shares.mail(G, SEED, CONTEXT, secret, BOX.public, TWO)
        assert mailed(envelope) is None
        assert mailed(envelope[:128] + MAIL[128:]) is None


def mail_of(points: tuple[bytes, ...], masks: tuple[int, ...], mailbox: bytes = BOX.public) -> bytes:
    """Returns what a seat would mail if it put these points and masks into its envelope, and proved as if they were
    right.
    """
    w, w_mask, bases = 11, 12, [a for a, _ in TWO]
    sent = [(G.base(k), G.add(point, G.mul(k, mailbox))) for k, point in zip(masks, points, strict=True)]
    envelope = b"".join(e + f for e, f in sent)
    weight = shares.weight_of(G, CONTEXT, KEY.public, BOX.public, bases, envelope)
    joint = G.add(G.mul(w, shares.blended(G, weight, bases)), G.mul(w_mask, BOX.public))
    firsts = (G.base(w), G.base(w_mask), joint)
    c = shares.challenge_of(G, CONTEXT, KEY.public, BOX.public, bases, envelope, firsts)
    responses = (c, w + c * KEY.secret, w_mask + c * (masks[0] + weight * masks[1]))
    return envelope + b"".join(map(G.encode_scalar, responses))


def test_a_mail_that_decrypts_to_something_else_is_refused_by_everybody() -> None:
    wrong = G.add(POINTS[1], G.base(1))
    assert mailed(mail_of(POINTS, (3, 4))) is not None
    assert mailed(mail_of((POINTS[0], wrong), (3, 4))) is None
    assert mailed(mail_of((wrong, POINTS[1]), (3, 4))) is None
    assert mailed(mail_of(POINTS[::-1], (3, 4))) is None
    assert mailed(mail_of(POINTS, (3, 4), mailbox=MAILBOXES[2].public)) is None
    # Errors that would cancel in a sum without weights.
    opposite = (G.add(POINTS[0], G.base(1)), G.sub(POINTS[1], G.base(1)))
    assert mailed(mail_of(opposite, (3, 4))) is None


def test_every_challenge_hangs_on_the_whole_statement() -> None:
    bases, envelope = [a for a, _ in TWO], MAIL[:128]
    firsts = (G.base(1), G.base(2), G.base(3))
    statements = [
        (CONTEXT, KEY.public, BOX.public, bases, envelope),
        *((elsewhere, KEY.public, BOX.public, bases, envelope) for elsewhere in ELSEWHERE),
        (CONTEXT, X, BOX.public, bases, envelope),
        (CONTEXT, KEY.public, X, bases, envelope),
        (CONTEXT, BOX.public, KEY.public, bases, envelope),
        (CONTEXT, KEY.public, BOX.public, bases[::-1], envelope),
        (CONTEXT, KEY.public, BOX.public, bases[:1], envelope),
        (CONTEXT, KEY.public, BOX.public, bases, envelope[:64]),
    ]
    weights = {shares.weight_of(G, *statement) for statement in statements}
    challenges = {shares.challenge_of(G, *statement, firsts) for statement in statements}
    challenges.add(shares.challenge_of(G, *statements[0], (firsts[1], firsts[0], firsts[2])))
    assert len(weights) == len(statements)
    assert len(challenges) == len(statements) + 1
    assert not weights & challenges


@pytest.mark.parametrize("sent", [b"", SHARE[:-1], SHARE[:-32], SHARE + b"\0", SHARE + SHARE[-32:], SHARE[:64]])
def test_a_share_has_one_length(sent: bytes) -> None:
    assert shown(sent) is None


@pytest.mark.parametrize("sent", [b"", MAIL[:-1], MAIL[:-32], MAIL + b"\0", MAIL + MAIL[-32:], MAIL[64:], MAIL * 2])
def test_a_mail_has_one_length(sent: bytes) -> None:
    assert mailed(sent) is None


@pytest.mark.parametrize("place", range(0, len(SHARE), 32))
def test_every_part_of_a_share_counts(place: int) -> None:
    for other in spoiled(SHARE, place, scalars=64):
        assert shown(other) is None


@pytest.mark.parametrize("place", range(0, len(MAIL), 32))
def test_every_part_of_a_mail_counts(place: int) -> None:
    for other in spoiled(MAIL, place, scalars=128):
        assert mailed(other) is None


def spoiled(sent: bytes, place: int, scalars: int) -> list[bytes]:
    """Returns `sent` with other bytes in one place: the identity, no point, a point, a scalar; from `scalars` on, the
    same scalar not reduced.
    """
    value = int.from_bytes(sent[place : place + 32], "little")
    others = [bytes(32), b"\xff" * 32, (value ^ 1).to_bytes(32, "little"), G.base(5), G.encode_scalar(5)]
    if place >= scalars:
        others.append((value + G.order).to_bytes(32, "little"))
    return [sent[:place] + other + sent[place + 32 :] for other in others]


def test_keys_that_are_no_points_are_refused() -> None:
    for bad in (b"", bytes(32), b"\xff" * 32, b"\x01" + bytes(31)):
        assert shown(SHARE, public=bad) is None
        assert mailed(MAIL, public=bad) is None
        assert mailed(MAIL, mailbox=bad) is None


def test_shares_that_are_the_identity_are_refused() -> None:
    sent = shares.share(G, SEED, CONTEXT, 0, TWO)
    assert sent[:64] == bytes(64)
    assert shown(sent, public=G.identity) is None
    envelope = shares.mail(G, SEED, CONTEXT, 0, BOX.public, TWO)
    assert mailed(envelope, public=G.identity) is None


@settings(deadline=None)
@given(st.binary(max_size=260), st.binary(max_size=40))
def test_verification_never_raises(data: bytes, key: bytes) -> None:
    for sent in (data, data[:128].ljust(128, b"\0"), SHARE[:64] + data[:64].ljust(64, b"\0")):
        for public in (key, KEY.public):
            assert shown(sent, public=public) is None
    for sent in (data, data[:224].ljust(224, b"\0"), MAIL[:128] + data[:96].ljust(96, b"\0")):
        for public, mailbox in ((key, BOX.public), (KEY.public, key), (KEY.public, BOX.public)):
            assert mailed(sent, public=public, mailbox=mailbox) is None


def test_there_must_be_something_to_mail() -> None:
    with pytest.raises(ValueError, match="nothing to mail"):
        shares.mail(G, SEED, CONTEXT, KEY.secret, BOX.public, [])


def test_shares_are_deterministic_and_share_no_randomness() -> None:
    assert shares.share(G, SEED, CONTEXT, KEY.secret, TWO) == SHARE
    assert shares.mail(G, SEED, CONTEXT, KEY.secret, BOX.public, TWO) == MAIL
    variants: list[tuple[bytes, Context, int, bytes, list[Pair]]] = [
        (SEED, CONTEXT, KEY.secret, BOX.public, TWO),
        (bytes(32), CONTEXT, KEY.secret, BOX.public, TWO),
        (SEED, CONTEXT, KEY.secret + 1, BOX.public, TWO),
        (SEED, CONTEXT, KEY.secret, MAILBOXES[2].public, TWO),
        (SEED, CONTEXT, KEY.secret, BOX.public, OTHERS),
        *((SEED, elsewhere, KEY.secret, BOX.public, TWO) for elsewhere in ELSEWHERE),
    ]
    masks, nonces = set[bytes](), set[int]()
    for seed, ctx, secret, mailbox, pairs in variants:
        sent = shares.mail(G, seed, ctx, secret, mailbox, pairs)
        masks |= {sent[:32], sent[64:96]}
        c, s = (int.from_bytes(sent[start : start + 32], "little") for start in (128, 160))
        nonces.add((s - c * secret) % G.order)
    assert len(masks) == 2 * len(variants)
    assert len(nonces) == len(variants)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_what_shares_cost(count: int) -> None:
    g = CountingGroup()
    pairs = (PAIRS * 2)[:count]
    sent = shares.share(g, SEED, CONTEXT, KEY.secret, pairs)
    assert g.counts == {"mul": 2 * count, "base": 2}
    g.reset()
    assert shares.verify_share(g, CONTEXT, KEY.public, pairs, sent)
    assert g.counts == {"mul": 2 * count + 1, "base": 1, "add": count + 1, "valid": count + 1}
    g.reset()
    envelope = shares.mail(g, SEED, CONTEXT, KEY.secret, BOX.public, pairs)
    assert g.counts == {"mul": 3 * count + 1, "base": count + 3, "add": 2 * count}
    g.reset()
    assert shares.verify_mail(g, CONTEXT, KEY.public, BOX.public, pairs, envelope)
    assert g.counts == {"mul": 3 * count + 2, "base": 2, "add": 3 * count + 1, "valid": 2 * count + 2}


def test_a_share_is_proven_like_the_coin() -> None:
    assert dleq.verify(G, CONTEXT, shares.SHARE, KEY.public, [a for a, _ in TWO], POINTS, SHARE[64:])
