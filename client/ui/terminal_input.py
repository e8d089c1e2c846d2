"""Reads what a terminal sends: keys, clicks, pasted text, reports of its focus, and answers to questions.

ECMA-48 says where a control sequence ends, whatever it means. So each is read whole: one that has a meaning here has
it, and all others, such as keys with Alt or answers that nobody waits for, are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from kimberley.client.ui.key_sequences import CONTROLS, Key, csi_keys, keypad_keys
from kimberley.p2p.base.sequences import BEGUN, WHOLE, without_sequences

if TYPE_CHECKING:
    from kimberley.client.ui.window import WindowOwner

ESC: Final = "\x1b"
INTRODUCERS: Final = tuple("[]OP_")
"""What follows an Escape that begins a sequence, rather than a key with Alt."""
PASTE_ENDS: Final = "\x1b[201~"
LONGEST_PASTE: Final = 1 << 16
"""Characters. No field of the program takes that many; the rest is dropped."""
LONGEST_SEQUENCE: Final = 4096
"""The middle of a longer one is dropped."""
MOST_WAITS: Final = 3
"""How many pauses a sequence may have. After that its end is lost, and keys are keys again."""


_KEY: Final = re.compile(r"[\d;:]*")
"""The parameters of a key. Other ones are those of an answer."""
_REPORTS: Final = frozenset({("", "I"), ("", "O"), ("200", "~")})
"""The focus has come or gone; a paste begins."""

BUTTONS: Final = ("left", "middle", "right")
_NO_BUTTON: Final = 3
_MOVES, _WHEEL, _FURTHER_BUTTONS = 32, 64, 128
"""Bits of a mouse report, beside the number of the button. Others are modifiers."""


class TerminalInput:
    """Hands what a terminal sends to the owner of its window, and its answers (OSC) to `on_answer`.

    It takes the place of prompt_toolkit's parser: `feed` reads what has come, and `flush` is called when for a moment
    nothing has.
    """

    def __init__(self, owner: WindowOwner, on_answer: Callable[[str], None]) -> None:
        self._owner, self._on_answer = owner, on_answer
        self._held = ""
        """A sequence whose end has not come."""
        self._waits = 0
        self._escaped = False
        """Whether the last key was Escape, after which nothing has come for a moment."""
        self._pasted: str | None = None
        """What has come of a text that is being pasted."""
        self.closed = False
        """Whether all that comes is ignored from now on."""

    def feed(self, data: str) -> None:
        """Reads what has come. Sequences may be cut anywhere."""
        if (
            self._escaped
            and data[:1] in INTRODUCERS
            and (WHOLE.match(ESC + data) or (len(data) > 1 and BEGUN.fullmatch(ESC + data)))
        ):
            # Nobody types all this at once: a slow network has cut it off from its Escape.
            data = ESC + data
        self._escaped = False
        data, self._held = self._held + data, ""
        while data and not self.closed:
            data = self._take_next(data) if self._pasted is None else self._take_paste(data, self._pasted)

    def flush(self) -> None:
        """Reads a lone Escape as the key."""
        if self._held.strip(ESC):
            self._waits += 1
            self._held = self._held if self._waits < MOST_WAITS else ""
            return
        escapes, self._held = len(self._held), ""
        self._escaped = escapes > 0
        for _ in range(escapes):
            self._owner.key("esc")

    # -- pieces --------------------------------------------------------------------------------------------------------

    def _take_next(self, data: str) -> str:
        """Handles a key or a sequence. Returns what follows."""
        if whole := WHOLE.match(data):
            self._waits = 0
            self._take_sequence(whole)
            return data[whole.end() :]
        begun = BEGUN.match(data)
        if begun is None:
            self._press(Key(CONTROLS.get(data[0], data[0])))
            return data[1:]
        if begun.end() == len(data):
            self._held = data if len(data) < LONGEST_SEQUENCE else data[:64] + data[-1]
        elif begun[0] == ESC:
            self._press(Key("esc"))
        return data[begun.end() :]

    def _take_paste(self, data: str, before: str) -> str:
        """Handles pasted text. Returns what follows. Ctrl-C alone ends a paste whose end is lost."""
        if data == "\x03":
            self._pasted = None
            return data
        text, end, rest = f"{before}{data}".partition(PASTE_ENDS)
        self._pasted = None if end else text[:LONGEST_PASTE] + text[LONGEST_PASTE:][1 - len(PASTE_ENDS) :]
        if end:
            self._owner.paste(without_sequences(text[:LONGEST_PASTE]))
        return rest

    def _take_sequence(self, whole: re.Match[str]) -> None:
        keys = _keys_of(whole)
        if keys is None:
            if whole["alt"]:
                # No key that Alt could go with: somebody has pressed Escape.
                self._press(Key("esc"))
            self._take_report(whole)
        elif not whole["alt"]:
            for key in keys:
                self._press(key)

    def _press(self, key: Key) -> None:
        if len(key.name) > 1 or key.name.isprintable():
            self._owner.key(*key)

    # -- reports -------------------------------------------------------------------------------------------------------

    def _take_report(self, whole: re.Match[str]) -> None:
        """Handles a sequence that is not a key."""
        parameters, final = whole["parameters"] or "", whole["final"] or ""
        if mouse := whole["mouse"]:
            # prompt_toolkit reads a byte that is not text as a surrogate.
            code, x, y = (ord(char) & 0xFF if ord(char) >= 0xDC00 else ord(char) for char in mouse)
            self._take_mouse(code - 32, x - 32, y - 32)
        elif final in "Mm" and len(numbers := re.findall(r"\d+", parameters)) == 3:
            code, x, y = map(int, numbers)
            self._take_mouse(code if parameters[0] == "<" else code - 32, x, y, released=final == "m")
        elif (parameters, final) in _REPORTS:
            if final == "~":
                self._pasted = ""
            else:
                self._owner.focus(final == "I")
        elif (string := whole["string"] or "").startswith((ESC + "]", "\x9d")):
            self._on_answer(string.lstrip(ESC + "]\x9d"))

    def _take_mouse(self, code: int, x: int, y: int, *, released: bool = False) -> None:
        """Handles a mouse report, by its code, and the column and row of the terminal from 1."""
        number = code & 3
        if released or code & (_MOVES | _FURTHER_BUTTONS):
            return
        if code & _WHEEL and number < 2:
            self._owner.wheel(x - 1, y - 1, 1 if number else -1)
        elif not code & _WHEEL and number != _NO_BUTTON:
            self._owner.touch(x - 1, y - 1, BUTTONS[number])


def _keys_of(whole: re.Match[str]) -> tuple[Key, ...] | None:
    """Returns the keys of a sequence: none if they have no meaning here. Returns None if it is no key at all."""
    parameters, final = whole["parameters"], whole["final"]
    if whole["with_alt"]:
        return ()
    if whole["keypad"]:
        return keypad_keys(whole["modifiers"], whole["keypad"])
    if whole["rxvt"]:
        return csi_keys(whole["rxvt"], "~")
    is_key = final and final not in "Mm" and not whole["between"] and _KEY.fullmatch(parameters)
    return csi_keys(parameters, final) if is_key and (parameters, final) not in _REPORTS else None
