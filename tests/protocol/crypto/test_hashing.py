from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kimberley.games.table import Plain
from kimberley.protocol.crypto.commitments import commit_choice, pedersen
from kimberley.protocol.crypto.hashing import (
    Context,
    challenge,
    derive,
    derive_scalar,
    derive_scalars,
    derive_stream,
    digest,
    wide,
)
from kimberley.protocol.crypto.ristretto import RISTRETTO
from tests.support.groups import CONTEXT, ELSEWHERE, SEED, Additive
from tests.support.plain import PLAIN

PARTS = st.lists(PLAIN, max_size=4).map(tuple)
NONCE = b"\x55" * 32


def test_sizes() -> None:
    assert len(digest("x", 1)) == len(derive(SEED, "x", CONTEXT, 0)) == 32
    assert len(wide("x", 1)) == 64
    assert len(derive_stream(SEED, "x", CONTEXT, 0, 1000)) == 1000


@pytest.mark.slow
@given(PARTS, PARTS)
def test_other_parts_have_another_digest(left: tuple[Plain, ...], right: tuple[Plain, ...]) -> None:
    same = repr(left) == repr(right)
    assert (digest("x", *left) == digest("x", *right)) == same
    assert (wide("x", *left) == wide("x", *right)) == same
    assert (derive(SEED, "x", CONTEXT, 0, *left) == derive(SEED, "x", CONTEXT, 0, *right)) == same


def test_nothing_moves_between_neighbours() -> None:
    assert len({digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("ab", ("c",)), digest("ab", b"c")}) == 5


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
def test_contexts_part_challenges_and_secrets(elsewhere: Context) -> None:
    assert challenge(RISTRETTO, "x", CONTEXT, 1) != challenge(RISTRETTO, "x", elsewhere, 1)
    assert derive(SEED, "x", CONTEXT, 0) != derive(SEED, "x", elsewhere, 0)


def test_every_use_has_its_own_secret() -> None:
    uses = [
        derive(SEED, "x", CONTEXT, 0, b"statement"),
        derive(bytes(32), "x", CONTEXT, 0, b"statement"),
        derive(SEED, "y", CONTEXT, 0, b"statement"),
        derive(SEED, "x", CONTEXT, 1, b"statement"),
        derive(SEED, "x", CONTEXT, 0, b"another"),
        derive(SEED, "x", CONTEXT, 0),
    ]
    assert len(set(uses)) == len(uses)
    assert uses[0] == derive(SEED, "x", replace(CONTEXT), 0, b"statement")


def test_scalars_are_never_zero_and_fill_the_range() -> None:
    class Three(Additive):
        order = 3

    drawn = [derive_scalar(Three(), SEED, "x", CONTEXT, index) for index in range(100)]
    assert set(drawn) == {1, 2}
    scalars = derive_scalars(RISTRETTO, SEED, "x", CONTEXT, 0, 5)
    assert len(set(scalars)) == 5
    assert scalars[0] == derive_scalar(RISTRETTO, SEED, "x", CONTEXT, 0)
    assert all(0 < s < RISTRETTO.order for s in scalars)


def test_sums_commit_to_sums() -> None:
    g = RISTRETTO
    assert g.add(pedersen(g, 5, 77), pedersen(g, 8, 99)) == pedersen(g, 13, 176)
    assert g.sub(pedersen(g, 5, 77), pedersen(g, 8, 99)) == pedersen(g, -3, -22)
    assert g.sub(pedersen(g, 5, 77), pedersen(g, 5, 77)) == pedersen(g, 0, 0) == g.identity
    assert pedersen(g, 5, 77) != pedersen(g, 77, 5)


def test_a_choice_is_opened_in_a_later_stage_and_nowhere_else() -> None:
    commitment = commit_choice(CONTEXT, NONCE, ("bid", 3))
    assert commitment == commit_choice(replace(CONTEXT, stage=2), NONCE, ("bid", 3))
    places = [elsewhere for elsewhere in ELSEWHERE if elsewhere.stage == CONTEXT.stage]
    others = [commit_choice(place, NONCE, ("bid", 3)) for place in places]
    others += [commit_choice(CONTEXT, bytes(32), ("bid", 3)), commit_choice(CONTEXT, NONCE, ("bid", 4))]
    assert len(commitment) == 32
    assert len({commitment, *others}) == 6
