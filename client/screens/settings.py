"""The nickname and the other settings: colors, glyphs, motion, what tells that it is the user's move."""

from __future__ import annotations

from typing import Final

from kimberley.client.screens.rows import RowsScreen
from kimberley.client.screens.shell import Shell
from kimberley.client.session.crypto_notice import PURE_NOTICE, runs_pure_python
from kimberley.client.session.settings import COLOURS, GLYPHS, NICKNAME_LIMIT, NOTICES, clean_nickname, login_name
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import truncate, wrap
from kimberley.client.ui.layout import stage
from kimberley.client.ui.screen import Screen
from kimberley.client.ui.theme import THEME_NAMES
from kimberley.client.ui.widgets import Hint, TextField, button, dialog, key_bar, panel, phase_strip, stepper, title_bar

GLYPH_WORDS: Final = {"auto": "automatic", "full": "full", "ascii": "ASCII only"}
COLOUR_WORDS: Final = {"auto": "automatic", "none": "no colors"}
THEME_WORDS: Final = {"auto": "automatic", "high-contrast": "high contrast"}
MOTION_WORDS: Final = {True: "calm: nothing moves", False: "full"}
NOTICE_WORDS: Final = {"away": "tell me if I look away", "always": "always tell me", "never": "do not tell me"}
"""Whether the program rings, says so in the window's title, and sends a notice to the desktop."""
NOTICE_ROOM: Final = 69


class NicknameDialog(Screen):
    """Asks for the user's nickname."""

    overlay = True

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.shell = shell
        self.field = TextField(shell.settings.name, limit=NICKNAME_LIMIT)

    def draw(self, canvas: Canvas, now: float) -> None:
        inside = dialog(canvas, 54, 11, "Your nickname")
        inside.fill(1, 2, inside.width - 2, 1, "ink")
        self.field.draw(inside, 1, 2, inside.width - 2, True, ground="ink")
        inside.put(1, 4, truncate(f"Empty: your login name, {login_name()}.", inside.width - 2), "soft")
        after = button(inside, 1, 7, "Save", "Enter", primary=True)
        button(inside, after + 1, 7, "Back", "Esc", fill="line")
        key_bar(canvas, [Hint("Enter", "save"), Hint("Esc", "back")])

    def key(self, name: str) -> bool:
        match name:
            case "enter":
                self.shell.settings.nickname = clean_nickname(self.field.text)
                self.shell.settings.save()
                self.ui.pop(self)
            case "esc":
                self.ui.pop(self)
            case _:
                return self.field.key(name)
        return True

    def paste(self, text: str) -> bool:
        self.field.paste(text)
        return True


class SettingsScreen(RowsScreen):
    """Rows that left and right change. Each change takes effect at once."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self._notice = wrap(f"Cryptography: {PURE_NOTICE}", NOTICE_ROOM) if runs_pure_python() else []

    def names(self) -> list[str]:
        return [name for name, _, _ in self._rows()]

    def _rows(self) -> list[tuple[str, str, str]]:
        """The name of each row, its label, and its current value in words."""
        kept = self.shell.settings
        return [
            ("nickname", "Nickname", kept.name),
            ("colours", "Colors", COLOUR_WORDS.get(kept.colours, kept.colours)),
            ("theme", "Theme", THEME_WORDS.get(kept.theme, kept.theme)),
            ("glyphs", "Glyphs", GLYPH_WORDS[kept.glyphs]),
            ("calm", "Motion", MOTION_WORDS[kept.calm]),
            ("notices", "Your move", NOTICE_WORDS[kept.notices]),
        ]

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, "Settings", self.shell.settings.name)
        phase_strip(canvas, 1, "SETTINGS", "What you choose here is saved.", f"now: {self.ui.palette.depth.value}")
        ground = stage(canvas)
        rows = self._rows()
        inside = panel(ground, 10, 1, 60, 2 * len(rows) + 3, "Settings")
        for number, (name, label, value) in enumerate(rows):
            y, focused = 1 + 2 * number, number == self.focus
            if focused:
                inside.put(0, y, "▸", "text", bold=True)
            inside.put(2, y, label, "text" if focused else "soft", bold=focused)
            if name == "nickname":
                inside.fill(16, y, 34, 1, "raised")
                inside.put(17, y, value, "text", bold=True)
                inside.hit(16, y, 34, 1, (name, 1))
            else:
                stepper(inside, 16, y, value, less=(name, -1), more=(name, 1), room=28, focused=focused)
        for number, line in enumerate(self._notice):
            ground.put(10, 2 * len(rows) + 4 + number, line, "soft")
        self._draw_sample(ground, 2 * len(rows) + 6 + bool(self._notice))
        key_bar(canvas, [
            Hint("↑ ↓", "choice"), Hint("←", "before"), Hint("→", "next"), Hint("Esc", "back"),
        ])  # fmt: skip

    def _draw_sample(self, ground: Canvas, y: int) -> None:
        """Draws samples of the colors."""
        x = 10
        for text, fg, bg in (
            (" [1] ", "london_text", "london"), (" (2) ", "antwerp_text", "antwerp"), (" ◆ 3 ", "ice", "panel"),
            (" $ 7 ", "money", "panel"), (" ♥ ", "heart", "panel"), (" ✓ ", "ink", "ok"), (" ! ", "warning", "panel"),
        ):  # fmt: skip
            x = ground.put(x, y, text, fg, bg, bold=True) + 1
        button(ground, 59, y, "Back", "Esc")

    def change(self, name: str, steps: int) -> None:
        kept = self.shell.settings
        match name:
            case "nickname":
                self.ui.push(NicknameDialog(self.shell))
                return
            case "colours":
                kept.colours = COLOURS[(COLOURS.index(kept.colours) + steps) % len(COLOURS)]
            case "theme":
                kept.theme = THEME_NAMES[(THEME_NAMES.index(kept.theme) + steps) % len(THEME_NAMES)]
            case "glyphs":
                kept.glyphs = GLYPHS[(GLYPHS.index(kept.glyphs) + steps) % len(GLYPHS)]
            case "notices":
                kept.notices = NOTICES[(NOTICES.index(kept.notices) + steps) % len(NOTICES)]
            case "calm":
                kept.calm = not kept.calm
        kept.save()
        self.shell.apply_settings()

    def key(self, name: str) -> bool:
        return super().key("right" if name == "enter" else name)
