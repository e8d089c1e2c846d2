"""The nickname and the other settings: colors, glyphs, motion, notices that it is the user's move, music and sounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from kimberley.client.screens.far_servers import FarServersDialog
from kimberley.client.screens.rows import RowsScreen
from kimberley.client.screens.shell import Shell
from kimberley.client.session.audio import NEEDS_PACKAGES
from kimberley.client.session.crypto_notice import PURE_NOTICE, runs_pure_python
from kimberley.client.session.settings import (
    AUDIO,
    COLOURS,
    GLYPHS,
    MOST_VOLUME,
    NOTICES,
    login_name,
    nickname_form,
)
from kimberley.client.ui.bars import key_bar, phase_strip, title_bar
from kimberley.client.ui.buttons import button, stepper, touch_stepper
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import wrap
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.layout import stage
from kimberley.client.ui.lists import LEAST_ROWS
from kimberley.client.ui.panels import dialog, panel, paragraph
from kimberley.client.ui.screen import MenuItem, Screen
from kimberley.client.ui.text_field import TextField
from kimberley.client.ui.theme import THEME_NAMES
from kimberley.client.ui.touch import touch_button
from kimberley.p2p.base.extras import MUSIC, install_line
from kimberley.p2p.sentences.notices import renamed
from kimberley.protocol.roster import MOST_NICKNAME

GLYPH_WORDS: Final = {"auto": "automatic", "full": "full", "ascii": "ASCII only"}
COLOUR_WORDS: Final = {"auto": "automatic", "none": "no colors"}
THEME_WORDS: Final = {"auto": "automatic", "high-contrast": "high contrast"}
MOTIONS: Final = ((False, False), (True, False), (True, True))
"""Pairs of the settings `calm` and `quiet`, from the most motion to the least."""
MOTION_WORDS: Final = ("full", "off", "off, and no sound")
AUDIO_WORDS: Final = {"auto": "automatic", "on": "on", "off": "off"}
NOTICE_WORDS: Final = {"away": "notify me if I am away", "always": "always notify me", "never": "do not notify me"}
"""When the program rings the bell, says so in the window's title, and sends a notice to the desktop."""
FAR_WORDS: Final = {False: "the public servers", True: "servers of your own"}
NOTICE_ROOM: Final = 69
PANEL_ROWS: Final = 16
DIALOGS: Final = ("nickname", "far")
"""The rows that open a dialog."""
INSTALL_KEY: Final = "i"


def volume_words(volume: int) -> str:
    """Returns a volume as a row shows it."""
    return f"{volume} of {MOST_VOLUME}" if volume else "off"


def ask_name(shell: Shell, then: Callable[[], None]) -> None:
    """Calls `then`, which leads to a table with others, once the user has a name that tells them from others."""
    if shell.settings.has_name:
        then()
    else:
        shell.push(NicknameDialog(shell, then))


class NicknameDialog(Screen):
    """Asks for the user's nickname."""

    overlay = True
    typed = True

    def __init__(self, shell: Shell, then: Callable[[], None] | None = None) -> None:
        """Takes `then`, which is called once there is a name; without it, the user only wants to change it."""
        super().__init__(shell)
        self.shell, self._then = shell, then
        self.field = TextField(shell.settings.name if then is None else "", limit=MOST_NICKNAME, selected=True)

    @property
    def _done(self) -> str:
        return "Save" if self._then is None else "Continue"

    def draw(self, canvas: Canvas, now: float) -> None:
        title = "Your nickname" if self._then is None else "What do your friends call you?"
        inside = dialog(canvas, 54, 8 if canvas.touch else 12, title)
        inside.fill(1, 2, inside.width - 2, 1, "ink")
        self.field.draw(inside, 1, 2, inside.width - 2, True, ground="ink")
        if self.ui.window.has_shell:
            text = f"Leave blank to use your login name, {login_name()}."
            paragraph(inside, 1, 4, wrap(text, inside.width - 2, 2))
        if not canvas.touch:
            after = button(inside, 1, 7, self._done, "Enter", primary=True)
            button(inside, after + 1, 7, "Back", "Esc", fill="line")
        key_bar(canvas, [Hint("Enter", self._done.lower(), primary=True), Hint("Esc", "back")])

    def key(self, name: str) -> bool:
        match name:
            case "enter":
                kept, typed = self.shell.settings, self.field.text
                # A login name that was kept on purpose counts as chosen: the user is not asked again.
                kept.nickname = nickname_form(typed) or login_name()
                kept.save()
                self.ui.pop(self)
                if typed.strip():
                    self.ui.toast(" ".join(renamed(typed, kept.name, MOST_NICKNAME)))
                if self._then is not None:
                    self._then()
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
        return [name for group in self._groups() for name, _, _ in group]

    def _groups(self) -> list[list[tuple[str, str, str]]]:
        """Returns the rows, in groups: the name of each, its label, and its current value in words."""
        kept = self.shell.settings
        heard = [
            ("audio", "Audio", AUDIO_WORDS[kept.audio]),
            ("music_volume", "Music", volume_words(kept.music_volume)),
            ("sound_volume", "Sounds", volume_words(kept.sound_volume)),
        ]
        return [
            [("nickname", "Nickname", kept.name)],
            [
                ("colours", "Colors", COLOUR_WORDS.get(kept.colours, kept.colours)),
                ("theme", "Theme", THEME_WORDS.get(kept.theme, kept.theme)),
                ("glyphs", "Characters", GLYPH_WORDS[kept.glyphs]),
                ("calm", "Motion", MOTION_WORDS[self._motion]),
            ],
            [
                ("notices", "On your move", NOTICE_WORDS[kept.notices]),
                *([("far", "Far away", FAR_WORDS[bool(kept.mailbox or kept.relay)])] if self._has_far else []),
            ],
            *([heard] if self._has_sound else []),
        ]

    @property
    def _has_sound(self) -> bool:
        """Whether anything could be heard here: a page is silent."""
        return self.ui.window.has_shell

    @property
    def _has_far(self) -> bool:
        """Whether friends far away can be reached from here: a page reaches nobody else."""
        return self.ui.window.has_shell

    @property
    def _motion(self) -> int:
        """The index of the chosen entry of MOTIONS."""
        kept = self.shell.settings
        return 2 if kept.quiet else int(kept.calm)

    def draw(self, canvas: Canvas, now: float) -> None:
        title_bar(canvas, "Settings", self.shell.settings.name)
        phase_strip(canvas, 1, "SETTINGS", "Changes are saved.", f"colors now: {self.ui.palette.depth.value}")
        ground = stage(canvas)
        groups = self._groups()
        if canvas.touch:
            self._draw_upright(ground, groups)
            key_bar(canvas, [Hint("Esc", "back", primary=True)])
            return
        inside = panel(ground, 10, 1, 60, PANEL_ROWS, "Settings")
        y, focus = 1, self.names()[self.focus]
        for group in groups:
            for row in group:
                self._draw_row(inside, y, *row, focused=row[0] == focus)
                y += 1
            y += 1
        if self._has_sound and (silence := self.shell.audio.silence):
            why = f"Press {INSTALL_KEY} to see what to install." if silence == NEEDS_PACKAGES else silence
            top = y - len(groups[-1]) - 2
            after = inside.put(2, top, f"Silent. {why}", "soft")
            if silence == NEEDS_PACKAGES:
                inside.hit(2, top, after - 2, 1, f"key:{INSTALL_KEY}")
        for number, line in enumerate(self._notice):
            ground.put(10, PANEL_ROWS + 1 + number, line, "soft")
        self._draw_sample(ground, PANEL_ROWS + 3 + bool(self._notice))
        changes = [Hint("Enter", "change")] if focus in DIALOGS else [Hint("←", "previous"), Hint("→", "next")]
        key_bar(canvas, [Hint("↑ ↓", "choice"), *changes, Hint("Esc", "back")])

    def _draw_upright(self, ground: Canvas, groups: list[list[tuple[str, str, str]]]) -> None:
        """Draws the rows for a finger, and below them what else there is to say."""
        rows, focus = [row for group in groups for row in group], self.names()[self.focus]
        y, pitch = 0, LEAST_ROWS + (len(rows) * (LEAST_ROWS + 1) <= ground.height)
        for name, label, value in rows:
            if name in DIALOGS:
                touch_button(ground, 1, y, ground.width - 2, f"{label}: {value}", (name, 1), rows=LEAST_ROWS)
            else:
                touch_stepper(ground, 1, y, ground.width - 2, value, less=(name, -1), more=(name, 1),
                              select=(name, 0), label=label, focused=name == focus)  # fmt: skip
            y += pitch
        silence = [f"Silent. {self.shell.audio.silence}"] if self._has_sound and self.shell.audio.silence else []
        for text in (*silence, " ".join(self._notice)):
            y = paragraph(ground, 1, y, wrap(text, ground.width - 2, max(0, ground.height - y))) if text else y

    def _draw_row(self, inside: Canvas, y: int, name: str, label: str, value: str, *, focused: bool) -> None:
        if focused:
            inside.put(0, y, "▸", "text", bold=True)
        inside.put(2, y, label, "text" if focused else "soft", bold=focused)
        inside.hit(0, y, inside.width, 1, (name, 0))
        if name in DIALOGS:
            inside.fill(16, y, 34, 1, "raised")
            inside.put(17, y, value, "text", bold=name == "nickname")
            inside.hit(16, y, 34, 1, (name, 1))
        else:
            stepper(inside, 16, y, value, less=(name, -1), more=(name, 1), room=28, focused=focused)

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
            case "far":
                self.ui.push(FarServersDialog(self.shell))
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
                kept.calm, kept.quiet = MOTIONS[(self._motion + steps) % len(MOTIONS)]
            case "audio":
                kept.audio = AUDIO[(AUDIO.index(kept.audio) + steps) % len(AUDIO)]
            case "music_volume":
                kept.music_volume = (kept.music_volume + steps) % (MOST_VOLUME + 1)
            case "sound_volume":
                kept.sound_volume = (kept.sound_volume + steps) % (MOST_VOLUME + 1)
        kept.save()
        self.shell.apply_settings()

    def key(self, name: str) -> bool:
        if name == INSTALL_KEY and self._lacks_sound:
            self._say_what_to_install()
            return True
        return super().key("right" if name == "enter" else name)

    @property
    def _lacks_sound(self) -> bool:
        """Returns whether packages that play music and sounds can be installed."""
        return self._has_sound and self.shell.audio.silence == NEEDS_PACKAGES

    def menu(self) -> list[MenuItem]:
        what = "What to install for sound"
        return [MenuItem(what, INSTALL_KEY, self._say_what_to_install)] if self._lacks_sound else []

    def _say_what_to_install(self) -> None:
        """Shows the line that installs what plays music and sounds."""
        line = install_line(MUSIC)
        copy = partial(self._copy, line)
        needed = f"Music and sounds need more packages. Install them: {line}"
        self.ui.confirm("Music and sounds", needed, "Copy the line", "Back", copy)

    def _copy(self, line: str) -> None:
        self.ui.copy(line)
        self.ui.toast(self.ui.window.copied())
