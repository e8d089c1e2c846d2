"""The words of a table: enough of them, told apart, and every bit of the digest counts."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from kimberley.protocol.words import WORDS, phrase


def test_the_list_is_2048_distinct_sorted_plain_words() -> None:
    assert len(WORDS) == 2048
    assert list(WORDS) == sorted(set(WORDS))
    assert [word for word in WORDS if not re.fullmatch("[a-z]{3,8}", word)] == []


def test_no_two_words_differ_in_one_letter() -> None:
    """Edit distance 2 at least: no word becomes another by one letter changed, added or left out."""
    near, known = defaultdict(set), {*WORDS}
    for word in WORDS:
        near[word].add(word)
        for at in range(len(word)):
            near[word[:at] + "?" + word[at + 1 :]].add(word)
            near[word[:at] + word[at + 1 :]].add(word)
    substituted = [words for pattern, words in near.items() if "?" in pattern and len(words) > 1]
    shortened = [words for pattern, words in near.items() if pattern in known and len(words) > 1]
    assert substituted == []
    assert shortened == []


@pytest.mark.slow
def test_no_word_is_another_with_a_common_ending() -> None:
    endings = ("s", "es", "er", "or", "y", "ing", "let")
    assert [word + end for word in WORDS for end in endings if word + end in WORDS] == []


def test_the_first_44_bits_make_the_words_in_order() -> None:
    assert phrase(bytes(32)) == (WORDS[0],) * 4
    assert phrase(b"\xff" * 32) == (WORDS[2047],) * 4
    indices = (1, 2, 3, 1029)
    bits = sum(index << shift for index, shift in zip(indices, (33, 22, 11, 0), strict=True))
    assert phrase((bits << 4).to_bytes(6, "big")) == tuple(WORDS[index] for index in indices)


def test_each_of_the_44_bits_changes_the_words_and_no_bit_after_them_does() -> None:
    zero = phrase(bytes(8))
    changed = [phrase((1 << 63 - bit).to_bytes(8, "big")) for bit in range(64)]
    assert len({zero, *changed[:44]}) == 45
    assert set(changed[44:]) == {zero}


def test_a_short_digest_is_refused() -> None:
    with pytest.raises(ValueError, match="6 bytes, not 5"):
        phrase(bytes(5))
