"""What a key means to somebody whose keyboard does not type small Latin letters."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Collection, Mapping
from functools import cache
from typing import Final

from kimberley.p2p.base.text import narrow

QWERTY: Final = "`qwertyuiop[]asdfghjkl;'zxcvbnm,./"
LAYOUTS: Final[tuple[tuple[str, str], ...]] = (
    ("ru tg ky", "ёйцукенгшщзхъфывапролджэячсмитьбю."),
    ("kk", "(йцукенгшщзхъфывапролджэячсмитьбю№"),
    ("uk", "'йцукенгшщзхїфівапролджєячсмитьбю."),
    ("be", "ёйцукенгшўзх'фывапролджэячсмитьбю."),
    ("mn", "=фцужэнгшүзкъйыбөахролдпячёсмитьвю"),
    ("bg", "(,уеишщксдзц;ьяаожгтнвмчюйъэфхпрлб"),
    ("bg", "ючшертъуиопящасдфгхйкл;'зжцвбнм,./"),
    ("sr", "`љњертзуиопшђасдфгхјклчћѕџцвбнм,./"),
    ("mk", "`љњертѕуиопшѓасдфгхјклчќзџцвбнм,./"),
    ("el", "`;ςερτυθιοπ[]ασδφγηξκλ΄'ζχψωβνμ,./"),
    ("he iw", ";/'קראטוןםפ][שדגכעיחלךף,זסבהנמצתץ."),
    ("ar", "ذضصثقفغعهخحجدشسيبلاتنمكطئءؤر\0ىةوزظ"),
    ("fa", "\0ضصثقفغعهخحجچشسیبلاتنمکگظطزرذدپو./"),
    ("ko", "`ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ[]ㅁㄴㅇㄹㅎㅗㅓㅏㅣ;'ㅋㅌㅊㅍㅠㅜㅡ,./"),
    ("ka", "„ქწერტყუიოპ[]ასდფგჰჯკლ;'ზხცვბნმ,./"),
    ("th", "_ๆไำพะัีรนยบลฟหกดเ้่าสวงผปแอิืทมใฝ"),
    ("tr az", '"qwertyuıopğüasdfghjklşizxcvbnmöç.'),
)
"""Languages, and what the keys of QWERTY type on a common keyboard for them."""

WITH_CTRL: Final = frozenset("acdeluw")
"""The letters that mean something with Ctrl."""

TYPES_OTHERS: Final = "This keyboard types {letter}: use arrows, Enter and Tab, or switch to Latin."
TYPES_OTHER_WORDS: Final = "This keyboard types {letter}: switch to Latin."


def readings(key: str, latin: str = "") -> tuple[str, ...]:
    """Returns the keys that a key can be meant as, by their names (`client.ui.screen`), the likeliest first.

    The first is the key itself: where text is typed, it is what counts. For a letter the others do without Caps Lock,
    full-width forms and other scripts; `latin` is the character of its place on QWERTY, if that is known.
    """
    if len(key) != 1:
        return (key,)
    usual = narrow(key)
    if (digit := unicodedata.decimal(usual, None)) is not None:
        return tuple(dict.fromkeys((key, str(digit))))
    small = usual.lower()[:1]
    if is_foreign(key) and not small.isascii():
        small = latin or _in_place_of(small, _language(os.environ))
    return tuple(dict.fromkeys((key, usual, small)))


def is_foreign(key: str) -> bool:
    """Returns whether a key types a letter outside ASCII, in any script."""
    return len(key) == 1 and not narrow(key).isascii() and unicodedata.category(key)[0] in "LM"


def as_latin(text: str, kept: Collection[str] = ()) -> str:
    """Returns a typed command as it was meant: each character in its last reading, but words of `kept` unchanged."""
    names = {word.casefold() for name in kept for word in name.split()}
    words = text.split(" ")
    return " ".join(word if word.casefold() in names else "".join(map(_latin, word)) for word in words)


def split_command(line: str) -> tuple[str, str]:
    """Splits a typed line into its first word as it was meant, in small letters, and the rest as it was typed."""
    word, *rest = line.split(maxsplit=1) or [""]
    return as_latin(word).lower(), "".join(rest)


def keyboard_told(line: str, kept: Collection[str] = ()) -> list[str]:
    """Returns what to tell somebody whose command is unknown, if it has letters of another script."""
    letter = next(filter(is_foreign, as_latin(line, kept)), None)
    return [] if letter is None else [TYPES_OTHER_WORDS.format(letter=letter)]


def _latin(character: str) -> str:
    return character if character.isascii() else readings(character)[-1]


def keyboard_language(environ: Mapping[str, str] = os.environ) -> str | None:
    """Returns the computer's language if its keyboards type other letters; None if they type Latin ones."""
    language = _language(environ)
    return language if any(language in languages.split() for languages, _ in LAYOUTS) else None


def _language(environ: Mapping[str, str]) -> str:
    """Returns the language of the computer, "uk" for "uk_UA.UTF-8"."""
    named = next((value for name in ("LC_ALL", "LC_CTYPE", "LANG") if (value := environ.get(name))), "")
    return named.partition("_")[0].partition(".")[0].lower()


def with_ctrl(key: str, latin: str = "") -> str | None:
    """Returns the key for Ctrl with a letter, such as "c-c"; None if there is none. If keyboards have the letter in
    several places, the one that means something with Ctrl is meant.
    """
    if len(key) != 1:
        return None
    letters = [reading for reading in readings(key, latin) if "a" <= reading <= "z"]
    likely = {place for _, place in _places(key.lower()[:1]) if place in WITH_CTRL}
    letter = letters[0] if letters else likely.pop() if len(likely) == 1 else None
    return f"c-{letter}" if letter is not None else None


@cache
def _places(letter: str) -> tuple[tuple[str, str], ...]:
    """Returns where keyboards have a letter: their languages, and the character of the key on QWERTY."""
    return tuple((languages, QWERTY[row.index(letter)]) for languages, row in LAYOUTS if letter in row)


def _in_place_of(letter: str, language: str) -> str:
    """Returns the character of a letter's key on QWERTY, or the letter itself where keyboards disagree, as Russian and
    Serbian ones do. If keyboards of the computer's language have the letter, only they count.
    """
    own = {place for languages, place in _places(letter) if language in languages.split()}
    places = own or {place for _, place in _places(letter)}
    return places.pop() if len(places) == 1 else letter
