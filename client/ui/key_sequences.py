"""The keys that control sequences stand for, as terminals, multiplexers and keyboards send them.

These are the sequences of xterm with its modifyOtherKeys, of kitty's keyboard protocol in all its forms ("CSI u"), of
rxvt, of the Linux console, of the keypad in application mode, and of the console of Windows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from kimberley.p2p.base.keyboard import with_ctrl


class Key(NamedTuple):
    """A key by its name (`client.ui.screen`), and the character at its place on QWERTY, if the terminal tells it."""

    name: str
    latin: str = ""


CONTROLS: Final[Mapping[str, str]] = {
    **{chr(code): f"c-{chr(code + 0x60)}" for code in range(1, 27)},
    "\t": "tab", "\n": "enter", "\r": "enter", "\x08": "backspace", "\x7f": "backspace", "\x1b": "esc",
}  # fmt: skip
"""The keys of control characters."""
_BY_LETTER: Final = {
    "A": "up", "B": "down", "C": "right", "D": "left", "F": "end", "H": "home", "P": "f1", "Q": "f2", "R": "f3",
    "S": "f4", "Z": "s-tab", "a": "up", "b": "down", "c": "right", "d": "left",
    **{f"[{letter}": f"f{number}" for number, letter in enumerate("ABCDE", 1)},
}  # fmt: skip
"""By the letter that ends the sequence. Lowercase ones are rxvt's with Shift, those after a bracket the Linux
console's.
"""
_KEYPAD: Final = {
    **{letter: _BY_LETTER[letter] for letter in "ABCDFHPQRS"}, "I": "tab", "M": "enter", "X": "=", " ": " ",
    **{chr(ord(sign) + 0x40): sign for sign in "*+,-./0123456789"},
}  # fmt: skip
"""By the letter after SS3."""
_BY_NUMBER: Final = {
    1: "home", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end",
    **{number: f"f{key}" for key, number in enumerate((*range(11, 16), *range(17, 22), 23, 24), 1)},
}  # fmt: skip
"""By the number before a tilde."""
_FUNCTIONAL: Final = range(57344, 63744)
_BY_FUNCTION: Final = {
    **{57399 + digit: str(digit) for digit in range(10)},
    **dict(enumerate("./*-+", 57409)), 57414: "enter", 57415: "=", 57416: ",",
    **dict(enumerate(("left", "right", "up", "down", "pageup", "pagedown", "home", "end"), 57417)), 57426: "delete",
}  # fmt: skip
"""The keypad by kitty's numbers, which are private characters of Unicode. Other such keys have no meaning here."""
_BY_WINDOWS: Final = {
    **dict(enumerate(("pageup", "pagedown", "end", "home", "left", "up", "right", "down"), 33)), 46: "delete",
    **{111 + number: f"f{number}" for number in range(1, 13)},
}  # fmt: skip
"""Keys without a character by the numbers of Windows."""

_SHIFT, _CTRL, _CAPS_LOCK, _NUM_LOCK = 1, 4, 64, 128
"""Modifiers. A sequence has one more than their sum. A key with any other one, such as Alt, has no meaning here."""
_RELEASED: Final = 3
_WITH_CTRL: Final = frozenset({"enter", "tab", "backspace", "esc"})
"""Keys that terminals also send without such sequences, and then Ctrl changes nothing."""


def csi_keys(parameters: str, final: str) -> tuple[Key, ...]:
    """Returns the keys of a control sequence, by its parameters and what ends it; none if it means nothing here."""
    numbers = _numbers(parameters)
    first, *more = [parts[0] for parts in numbers]
    modifiers = numbers[1] if len(numbers) > 1 else [1]
    match final:
        case "u" if parameters:
            return _typed(*numbers[:3])
        case "~" if first == 27 and len(more) == 2:
            return _typed([more[1]], [more[0]])
        case "~":
            return _pressed(_BY_NUMBER.get(first, ""), modifiers)
        case "_" if len(more) == 5:
            return _on_windows(first, *more[1:])
        case "R" if more == [1] and len(modifiers) == 1:
            return ()  # Where the cursor is, which nobody has asked for.
        case _ if first <= 1:
            return _pressed(_BY_LETTER.get(final, ""), modifiers)
    return ()


def keypad_keys(parameters: str, final: str) -> tuple[Key, ...]:
    """Returns the keys of a sequence that SS3 begins."""
    return _pressed(_KEYPAD.get(final, ""), _numbers(parameters)[-1])


def _numbers(parameters: str) -> list[list[int]]:
    """Returns the parameters, each with its parts. What is left out is 0."""
    return [[int(part[:7]) if part else 0 for part in parameter.split(":")] for parameter in parameters.split(";")]


def _character(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 else ""


def _typed(codes: Sequence[int], modifiers: Sequence[int] = (1,), text: Sequence[int] = (0,)) -> tuple[Key, ...]:
    """Returns the keys for a Unicode character, given with those for Shift and on QWERTY, and for the text it types."""
    code, shifted, place = (*codes, 0, 0)[:3]
    bits = max(0, modifiers[0] - 1)
    if text[0] and not bits & _CTRL:
        return () if _RELEASED in modifiers[1:2] else tuple(Key(_character(point), _character(place)) for point in text)
    name = _BY_FUNCTION.get(code, "") if code in _FUNCTIONAL else _character(code)
    if len(name) == 1 and not bits & _CTRL:
        name = (_character(shifted) or name.upper()[:1]) if bits & _SHIFT else name
        name = name.swapcase()[:1] if bits & _CAPS_LOCK else name
    return _pressed(CONTROLS.get(name, name), modifiers, _character(place))


def _on_windows(number: int, code: int, down: int, state: int, repeats: int) -> tuple[Key, ...]:
    """Returns the keys of an event of the console of Windows."""
    shift, ctrl, alt = state & 0x10, state & 0xC, state & 3
    if not down or (alt and not ctrl):
        return ()
    # Both together are AltGr, with which a key types another character.
    character = _character(code)
    name = CONTROLS.get(character, character) or ("" if ctrl else _BY_WINDOWS.get(number, ""))
    return _pressed(name, [1 + _SHIFT * bool(shift)]) * min(max(1, repeats), 100)


def _pressed(name: str, modifiers: Sequence[int], latin: str = "") -> tuple[Key, ...]:
    """Returns a key with its modifiers and what happens to it; none if that has no meaning here."""
    bits = max(0, modifiers[0] - 1)
    if not name or _RELEASED in modifiers[1:2] or bits & ~(_SHIFT | _CTRL | _CAPS_LOCK | _NUM_LOCK):
        return ()
    if bits & _CTRL and name not in _WITH_CTRL:
        if (meant := with_ctrl(name, latin)) is None:
            return ()
        # With Ctrl, some letters are other keys, as on terminals without such sequences.
        return (Key(CONTROLS[chr(ord(meant[-1]) - 0x60)]),)
    return (Key("s-tab" if name == "tab" and bits & _SHIFT else name, latin),)
