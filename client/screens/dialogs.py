"""Dialogs over a screen: confirmation, the menu, and what F1 shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final, NamedTuple

from kimberley.client.boards import take_back as taking_back
from kimberley.client.boards.registry import find_board
from kimberley.client.screens.chat import ChatBox
from kimberley.client.screens.help_pager import HelpPager
from kimberley.client.session.banners import NOT_RECEIVED, is_deserted, saved_choices
from kimberley.client.session.bots import is_aided, is_practice
from kimberley.client.session.chat import can_talk
from kimberley.client.session.interfaces import AtTable
from kimberley.client.session.participants import (
    OTHERS_SAVE,
    bots_need_you,
    can_resign,
    continues_without_you,
    departed_seats,
    has_left,
    leaving_saves,
    lost_by_leaving,
    names_with_you,
    only_bots,
    others_play_on,
    people_here,
    removable_seats,
    waiting_people,
    waits_for_you,
    without_you,
)
from kimberley.client.session.rematches import can_rematch
from kimberley.client.ui.bars import key_bar
from kimberley.client.ui.buttons import button, button_width
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width, wrap
from kimberley.client.ui.keys import (
    CHAT_KEY,
    CHAT_LETTER,
    DANGER_KEY,
    HELP_KEY,
    LID_KEY,
    MENU_KEY,
    MUTE_KEY,
    MUTE_LETTER,
    Hint,
    key_name,
)
from kimberley.client.ui.lists import LEAST_ROWS, Scroll
from kimberley.client.ui.panels import dialog
from kimberley.client.ui.screen import Help, MenuItem, Screen, Section, Ui
from kimberley.client.ui.touch import bar_rows, touch_answers
from kimberley.games.phrases import join_names
from kimberley.p2p.sentences.notices import not_possible
from kimberley.p2p.sentences.options import duration
from kimberley.p2p.sentences.tournaments import what_is_kept
from kimberley.p2p.tournament.settings import KNOCKOUT

if TYPE_CHECKING:
    from kimberley.client.screens.shell import Shell
    from kimberley.p2p.table.table import Table


LINE: Final = 44
"""The most columns of a question."""
BESIDE: Final = 8
"""The columns that a dialog takes beyond its text. It leaves one more free at each side."""
SAVE_FIRST: Final = "If you save the game, you can resume it later. If you leave for good, you cannot come back to it."
"""Asked of somebody who leaves a solo game."""
WITHOUT_YOU: Final = "If you leave, a rematch is only possible without you."
TOO_FEW_WITHOUT_YOU: Final = "If you leave, too few players are left for a rematch."
TABLE_CLOSES: Final = "If you leave, the table closes."
CLOSING: Final = "Nobody can join once it is closed. Close it?"
CHOOSE_SAVE: Final = "choose Save for later in the menu"
TAKE_BACK_KEY: Final = taking_back.KEY
WIDEST_MENU: Final = 48
"""The most columns of a menu for fingers."""


class AnswerButton(NamedTuple):
    """An answer to a question: its button, the key that presses it, and what it does; None to go back."""

    label: str
    key: str
    then: Callable[[], None] | None = None


class Question(Screen):
    """Asks a question. Enter presses the button that has the focus, Esc goes back."""

    overlay = True

    def __init__(self, ui: Ui, title: str, text: str, answers: Sequence[AnswerButton], *, danger: bool = False) -> None:
        """Puts the focus on the first answer. With `danger` the last one has it."""
        super().__init__(ui)
        self.title, self.text = title, text
        self.answers = tuple(answers)
        self.danger = danger
        self.now: Callable[[], str] | None = None
        """Returns the question for the table as it is now; "" if there is nothing left to ask."""
        self.focus = len(self.answers) - 1 if danger else 0

    def renew(self) -> None:
        """Updates the question after something has happened at the table. Closes it if nothing is left to ask."""
        if self.now is None:
            return
        if text := self.now():
            self.text = text
        else:
            self.ui.pop(self)

    def draw(self, canvas: Canvas, now: float) -> None:
        lines = wrap(self.text, min(LINE, canvas.width - BESIDE - 2))
        buttons = 0 if canvas.touch else sum(button_width(label, key) + 1 for label, key, _ in self.answers)
        room = max(max(map(cell_width, lines)), buttons)
        inside = dialog(canvas, room + BESIDE, len(lines) + (4 if canvas.touch else 7), self.title)
        for number, line in enumerate(lines):
            inside.put(1, 1 + number, line)
        if canvas.touch:
            touch_answers(canvas, [Hint(key, label, primary=number == self.focus)
                                   for number, (label, key, _) in enumerate(self.answers)])  # fmt: skip
            return
        x = 1
        for number, (label, key, _) in enumerate(self.answers):
            primary = number == 0 and not self.danger
            x = 1 + button(inside, x, len(lines) + 3, label, key, primary=primary, focused=self.focus == number,
                           fill=None if primary else "line")  # fmt: skip
        hints = [Hint(key, label.lower()) for label, key, _ in self.answers]
        key_bar(canvas, hints if any(key == "Esc" for _, key, _ in self.answers) else [*hints, Hint("Esc", "back")])

    def key(self, name: str) -> bool:
        match name:
            case "left" | "up" | "s-tab":
                self.focus = (self.focus - 1) % len(self.answers)
            case "right" | "down" | "tab":
                self.focus = (self.focus + 1) % len(self.answers)
            case "enter":
                self._give(self.answers[self.focus])
            case "esc":
                self.ui.pop(self)
            case _ if (answer := next((option for option in self.answers if option.key == name), None)) is not None:
                self._give(answer)
            case "n" if self.answers[-1].then is None:
                self.ui.pop(self)
            case _:
                return False
        return True

    def _give(self, answer: AnswerButton) -> None:
        self.ui.pop(self)
        if answer.then is not None:
            answer.then()


class Confirm(Question):
    """Asks for confirmation."""

    def __init__(
        self,
        ui: Ui,
        title: str,
        text: str,
        yes: str,
        no: str,
        then: Callable[[], None],
        *,
        danger: bool = False,
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """Takes `then`, which the first button calls. It has the focus. With `danger` the second one has it, and
        `DANGER_KEY` presses the first. The second button is Esc and does nothing, unless `otherwise` is given: then
        it is `n` and calls that, and Esc goes back.
        """
        answers = (
            AnswerButton(yes, DANGER_KEY if danger else "y", then),
            AnswerButton(no, "n" if otherwise else "Esc", otherwise),
        )
        super().__init__(ui, title, text, answers, danger=danger)


def renew(shell: Shell) -> None:
    """Renews the open questions whose text depends on who is at the table, after something has happened there."""
    for screen in tuple(shell.stack):
        if isinstance(screen, Question):
            screen.renew()


def lettered(items: Sequence[MenuItem]) -> list[MenuItem]:
    """Returns the lines of a menu, no two with the same letter. A line whose letter works only in the menu gives it up
    to another, and takes the first free letter of its label.
    """
    taken = {item.key for item in items if not item.inside}
    keeps = []
    for item in items:
        keeps.append(not item.inside or item.key not in taken)
        taken.add(item.key)
    lines = []
    for item, kept in zip(items, keeps, strict=True):
        letters = (letter for letter in (*item.label.lower(), *ascii_lowercase) if letter in ascii_lowercase)
        key = item.key if kept else next((letter for letter in letters if letter not in taken), "")
        taken.add(key)
        lines.append(item._replace(key=key))
    return lines


class Menu(Screen):
    """A list of actions: the menu (F10), or another one with its own title."""

    overlay = True

    def __init__(self, ui: Ui, items: Sequence[MenuItem], title: str = "Menu") -> None:
        super().__init__(ui)
        self.title = title
        self._offered = lettered(items)
        self.items: Sequence[MenuItem] = self._offered
        """The lines that are shown. Where the way back is a button, it is not one of them."""
        self.scroll = Scroll()

    def draw(self, canvas: Canvas, now: float) -> None:
        if canvas.touch:
            self.items = self._offered
            self._draw_large(canvas)
            return
        self.items = [*self._offered, MenuItem("Back", "esc", lambda: None)]
        rows = min(len(self.items), canvas.height - 6)
        inside = dialog(canvas, 40, rows + 4, self.title)
        start = 5 if any(item.inside for item in self.items) else 3
        for y, number in enumerate(self.scroll.shown(len(self.items), rows), 1):
            item, focused = self.items[number], number == self.scroll.focus
            if focused:
                inside.fill(0, y, inside.width, 1, "paper")
                inside.put(1, y, "▸", "ink", bold=True)
            key, fg = item.key.capitalize() if len(item.key) > 1 else item.key, "ink" if focused else "soft"
            if item.inside:
                inside.put(3, y, key, fg)
            else:
                inside.right(inside.width - 1, y, key, fg)
            inside.put(start, y, item.label, "ink" if focused else "text", bold=focused)
            inside.hit(0, y, inside.width, 1, number)
        key_bar(canvas, [Hint("↑ ↓", "move"), Hint("Enter", "choose"), Hint("Esc", "back")])

    def _draw_large(self, canvas: Canvas) -> None:
        """Draws it for a finger: three rows a line, the label in their middle, or two if there is no room for more."""
        room = canvas.height - bar_rows(canvas) - 3
        pitch = LEAST_ROWS + 1 if (LEAST_ROWS + 1) * len(self.items) <= room else LEAST_ROWS
        rows = room // pitch
        height = pitch * min(rows, len(self.items)) + 2
        inside = dialog(canvas, min(canvas.width - 2, WIDEST_MENU), height, self.title)
        for line, number in enumerate(self.scroll.shown(len(self.items), rows)):
            item, focused, y = self.items[number], number == self.scroll.focus, pitch * line
            inside.fill(0, y, inside.width, pitch, "paper" if focused else "line" if number % 2 else "raised")
            inside.put(1, y + (pitch - 1) // 2, item.label, "ink" if focused else "text", bold=True)
            inside.hit(0, y, inside.width, pitch, number)
        more = [Hint("PgDn", "scroll"), Hint("PgUp", "up")] if len(self.items) > rows else []
        key_bar(canvas, [Hint("Esc", "back", primary=True), *more])

    def key(self, name: str) -> bool:
        if self.scroll.key(name, len(self.items)):
            return True
        if name in ("esc", key_name(MENU_KEY)):
            self.ui.pop(self)
            return True
        if name == "enter":
            self._run(self.items[self.scroll.focus])
            return True
        chosen = next((item for item in self.items if item.key == name), None)
        if chosen:
            self._run(chosen)
        return chosen is not None

    def click(self, action: Action, x: int, y: int, button: str) -> bool:
        if isinstance(action, int):
            self._run(self.items[action])
            return True
        return False

    def wheel(self, action: Action | None, x: int, y: int, steps: int) -> bool:
        return self.scroll.wheel(steps, len(self.items))

    def _run(self, item: MenuItem) -> None:
        self.ui.pop(self)
        item.run()


CONTROLS: Final = Help(
    "Controls",
    (
        Section("Mouse", "Click anything that lights up, or a key in the last row. The wheel changes amounts and "
                         "scrolls lists. A click outside a box closes it. Right-click cancels.",
                by_touch=Section("Touch", "Tap anything that lights up, or a button below. A tap outside a box closes "
                                          "it; a long press cancels. Drag with one finger to scroll, with two to "
                                          "zoom.")),
        Section("Keys", "Tab moves to the next thing, arrows move around and change values, Enter confirms, and Esc "
                        "goes back. The letter on a button presses it. Answer questions with y; if something would "
                        f"be lost for good, {DANGER_KEY} confirms and Enter keeps it.",
                by_touch=Section("Text", "Tap a field to type in it.")),
        Section("Always", f"{HELP_KEY} shows help for this screen, and the rules. {MENU_KEY} opens the menu, with "
                          f"everything the letter keys do. At a table, {CHAT_KEY} opens the chat (so does "
                          f"{CHAT_LETTER}, unless you are typing); {MUTE_LETTER} mutes ({MUTE_KEY} while typing). "
                          "Ctrl-L redraws the screen, and Ctrl-C quits.",
                by_touch=Section("Always", "The menu has help, the rules, the chat, and everything that has no "
                                           "button.")),
        Section("Symbols", f"? stands for what you cannot know. {HELP_KEY} explains a game’s other symbols. "
                         "During playback, Enter skips to the end and Space pauses.",
                by_touch=Section("Symbols", "? stands for what you cannot know. Help explains a game’s other symbols. "
                                          "Tap to skip playback.")),
    ),
)  # fmt: skip


def menu(shell: Shell, screen: Screen) -> Menu:
    """Returns the menu over a screen: help, controls, settings, the screen's own items, and what you can do at its
    table.
    """
    from kimberley.client.screens.lid import LidScreen
    from kimberley.client.screens.settings import SettingsScreen

    items: list[MenuItem] = []
    if screen.help() is not None:
        items.append(MenuItem("Help", key_name(HELP_KEY), lambda: show_help(shell, screen)))
    items.append(MenuItem("Controls", "k", lambda: shell.push(HelpPager(shell, CONTROLS)), inside=True))
    if not isinstance(screen, SettingsScreen):
        items.append(MenuItem("Settings", "s", lambda: shell.push(SettingsScreen(shell)), inside=True))
    if not shell.audio.silence:
        items.append(MenuItem("Dark screen", LID_KEY, lambda: shell.push(LidScreen(shell)), inside=True))
    table = table_of(screen)
    if table is not None and (can_talk(table) or table.chat.lines):
        items.append(MenuItem("Chat", "c", lambda: open_chat(shell, table)))
    items += screen.menu()
    if table is not None:
        items.append(MenuItem("Players", "w", lambda: show_people(shell), inside=True))
        if not shell.audio.silence and not only_bots(table):
            items.append(MenuItem(*_one_room(shell, table), inside=True))
        if is_aided(table) and table.phase == "playing":
            items.append(MenuItem("Take back", TAKE_BACK_KEY, partial(take_back, shell, table), inside=True))
        items += ending_items(shell, table)
        if can_resign(table):
            items.append(MenuItem("Resign", "r", lambda: resign(shell, table), inside=True))
        leave = "Close the table" if table.host and table.phase == "open" else "Leave the table"
        items.append(MenuItem(leave, "q", lambda: leave_table(shell, table), inside=True))
    more = [item for item in shell.left_out if not any(map(item.is_same, items)) and not _is_leaving(item, table)]
    return Menu(shell, [*items, *more] if shell.window.has_keys else [*more, *items])


def _is_leaving(item: MenuItem, table: Table | None) -> bool:
    """Returns whether a button for which there was no room leaves a table, as a line of the menu does."""
    return table is not None and item.label == "Leave"


def _one_room(shell: Shell, table: Table) -> tuple[str, str, Callable[[], None]]:
    """Returns the line of the menu for two machines in one room."""
    label = "Not in the same room" if shell.audio.one_room else "Same room"
    return label, "o", lambda: shell.toast(shell.audio.toggle_room(host=table.host))


def ending_items(shell: Shell, table: Table) -> list[MenuItem]:
    """Returns the ways to end a game early, other than leaving it."""
    items: list[MenuItem] = []
    if (
        table.adjournment.can_adjourn
        and table.occupants.seat not in table.adjournment.adjourn_from
        and table.occupants.seat not in departed_seats(table)
    ):
        items.append(MenuItem("Save for later", "p", partial(put_aside, shell, table), inside=True))
    if table.abandonment.absent and table.occupants.seat not in table.abandonment.abandon_from:
        items.append(MenuItem("Stop waiting", "g", partial(give_up, shell, table), inside=True))
    return items


def take_back(shell: Shell, table: Table) -> None:
    """Takes back the player's last choice in a solo game. Asks for confirmation unless the game is practice already."""
    board = find_board(table.game.id)
    choices = taking_back.choices_to_keep(board.game, table)
    flow = shell.table_flow
    if choices is None or flow is None:
        shell.toast(taking_back.NOTHING)
    elif is_practice(table):
        flow.take_back(choices)
    else:
        shell.confirm(taking_back.TITLE, taking_back.warning(board.game), "Take back", "Keep playing",
                      partial(flow.take_back, choices), danger=True)  # fmt: skip


def put_aside(shell: Shell, table: Table) -> None:
    """Asks for confirmation, then asks the others to put the game aside; if nobody else is there, puts it aside."""
    flow = shell.table_flow
    if is_deserted(table) and flow is not None:
        text = f"The table closes and you can resume later. {saved_choices(table)}"
        shell.confirm(
            "Save the game for later", text, "Save", "Keep playing", partial(_save_alone, table, flow.stop_here)
        )
        return
    wanted = table.adjournment.adjourn_from
    asked = f"{names_with_you(table, [next(iter(wanted))])[0]} asked to save the game. " if wanted else ""
    undecided = set(waiting_people(table)) - {table.occupants.names[seat] for seat in wanted}
    agreed = "If everyone agrees, the table closes" if undecided else "The table closes"
    text = f"{asked}{agreed} and you can resume later. {saved_choices(table)}"
    shell.confirm("Save the game for later", text, "Save", "Keep playing", partial(table.adjournment.vote, True))


def _save_alone(table: Table, stop_here: Callable[[], None]) -> None:
    """Closes the table, unless somebody came back while the question was open: then they are asked, too."""
    if is_deserted(table):
        stop_here()
    else:
        table.adjournment.vote(True)


def give_up(shell: Shell, table: Table) -> None:
    """Asks for confirmation, then gives up waiting for the players who are absent."""
    then = partial(_give_up, shell, table)
    question = Confirm(shell, "Stop waiting", _who_is_missing(table), "Stop waiting", "Keep waiting", then, danger=True)
    question.now = partial(_who_is_missing, table)
    shell.push(question)


def _who_is_missing(table: Table) -> str:
    """Returns what becomes of the game without those who are absent; "" if nobody is."""
    if not table.abandonment.absent:
        return ""
    names = join_names(names_with_you(table, list(table.abandonment.absent)))
    away = {table.occupants.names[seat] for seat in (*table.abandonment.absent, *table.reconnection.away)}
    agreed = " once everyone still here agrees" if set(waiting_people(table)) - away else ""
    text = f"{names} did not come back. The game ends without a result{agreed}. "
    return f"{text}The record then says who was missing, and you sign it."


def _give_up(shell: Shell, table: Table) -> None:
    from kimberley.protocol.play import NotAllowed

    try:
        table.abandonment.declare()
    except NotAllowed as error:
        # Somebody came back while the question was open.
        shell.toast(not_possible(error), bad=True)


def open_chat(shell: Shell, table: Table) -> None:
    """Opens the chat of a table. What was unread counts as read."""
    shell.push(ChatBox(shell, table, shell.table_flow.chat if shell.table_flow is not None else None))


def show_help(shell: Shell, screen: Screen) -> None:
    """Shows the help of a screen, or the general controls if it has none, and the rules of the game."""
    from kimberley.client.boards.rules_page import rules_of

    game = game_of(shell)
    shell.push(HelpPager(shell, screen.help() or CONTROLS, None if game is None else rules_of(game)))


def game_of(shell: Shell) -> str | None:
    """Returns the id of the game that the top screen is about, or else the nearest screen below it, or else the whole
    program.
    """
    for opened in reversed(shell.stack):
        table = table_of(opened)
        game = opened.game_id() if table is None else table.game.id
        if game is not None:
            return game
    return shell.game


def show_people(shell: Shell) -> None:
    """Shows who sits at the player's table."""
    from kimberley.client.screens.people import PeopleDialog

    if shell.table_flow is not None:
        shell.push(PeopleDialog(shell, shell.table_flow.table, shell.table_flow.waits))


def table_of(screen: Screen) -> Table | None:
    """Returns the table of a screen, or None if it has none."""
    return screen.table if isinstance(screen, AtTable) else None


def resign(ui: Ui, table: Table) -> None:
    """Asks for confirmation, then resigns. With three or more seats the others play on, if the game allows it."""
    if continues_without_you(table):
        after = OTHERS_SAVE if leaving_saves(table) else f"{others_play_on(table)} You can stay and watch."
        text = f"You will be out of the game and cannot rejoin it. {after}"
        ui.confirm("Resign", text, "Resign", "Keep playing", table.play.resign, danger=True)
        return
    gone = departed_seats(table) | {table.occupants.seat}
    others = [name for seat, name in enumerate(table.occupants.names) if seat not in gone]
    wins = "wins" if len(others) == 1 else "win"
    back = "they are back" if len(others) == 1 else "everyone is back"
    when = f"as soon as {back}" if table.reconnection.away.keys() - gone else "at once"
    fair = "" if is_practice(table) else " The game so far can still be proven fair."
    text = f"{join_names(others)} {wins} {when}.{fair}"
    ui.confirm("Resign", text, "Resign", "Keep playing", table.play.resign, danger=True)


def leave_table(shell: Shell, table: Table) -> None:
    """Leaves a table. During a game, and where others stay for another one, asks for confirmation first."""
    flow = shell.table_flow
    if flow is None:
        shell.home()
    elif flow.counts and (table.phase == "words" or waits_for_you(table)):
        tournament = shell.tournament_flow
        out = tournament is not None and tournament.client.tournament.settings.format == KNOCKOUT
        stays = "" if out else " You stay in the tournament."
        shell.confirm("Leave the table", "This game counts for the tournament. If you leave, the referee will count it "
                      f"as a loss.{stays}", "Leave", "Keep playing", flow.leave, danger=True)  # fmt: skip
    elif only_bots(table) and table.adjournment.can_adjourn:
        save = AnswerButton("Save", "y", partial(table.adjournment.vote, True))
        leave = AnswerButton("Leave for good", DANGER_KEY, flow.leave)
        answers = (save, leave, AnswerButton("Stay", "Esc"))
        shell.push(Question(shell, "Leave the table", SAVE_FIRST, answers))
    elif leaving_saves(table):
        put_aside(shell, table)
    elif table.phase == "playing" and continues_without_you(table):
        watch = "" if table.play.resigning else " To stay and watch, resign instead."
        shell.confirm("Leave the table", f"{without_you(table)}{watch}", "Leave", "Stay", flow.leave, danger=True)
    elif waits_for_you(table):
        shell.confirm("Leave the table", without_you(table), "Leave", "Stay", flow.leave, danger=True)
    elif needed := bots_need_you(table):
        shell.confirm("Leave the table", needed, "Leave", "Stay", flow.leave, danger=True)
    elif table.phase == "open" and not flow.counts and (removable_seats(table) or flow.sharing.is_asked):
        shell.confirm("Close the table", CLOSING, "Close", "Keep it open", flow.leave, danger=True)
    elif table.phase == "words":
        shell.confirm("Leave the table", lost_by_leaving(table), "Leave", "Stay", flow.leave, danger=True)
    elif table.phase == "done" and not flow.counts and (others := _who_stays(table)):
        question = Confirm(shell, "Leave the table", others, "Leave", "Stay", flow.leave)
        question.now = partial(_who_stays, table)
        shell.push(question)
    else:
        flow.leave()


def _who_stays(table: Table) -> str:
    """Returns what is lost by leaving after a game; "" if nothing is, or nobody else is here any more."""
    others = people_here(table) if table.phase == "done" else []
    if not others:
        return ""
    verb = "is" if len(others) == 1 else "are"
    left = len(table.rematch.partners)
    # The table stays open for those who are left, if its host and another player are.
    if table.host or left < 2:
        lost = TABLE_CLOSES
    elif left in table.occupants.numbers:
        lost = WITHOUT_YOU
    else:
        lost = TOO_FEW_WITHOUT_YOU if can_rematch(table) else ""
    return f"{join_names(others)} {verb} still here. {lost}" if lost else ""


def confirm_quit(shell: Shell, top: Screen) -> None:
    """Reacts to Ctrl-C: at a table, asks for confirmation; elsewhere, ends the program. A second Ctrl-C always ends it,
    and loses nothing that can be kept.
    """
    flow = shell.table_flow
    if isinstance(top, Question):
        shell.quit()
    elif shell.tournament_flow is not None and not shell.tournament_flow.over:
        client = shell.tournament_flow.client
        kept = what_is_kept(client.tournament, client.identity, left=has_left(client.table))
        text = f"{kept} Join again to come back."
        shell.confirm("Leave Kimberley", text, "Leave", "Stay", shell.quit, danger=True)
    elif flow is None or shell.tournament_flow is not None:
        quit_elsewhere(shell, shell.quit)
    elif waits_for_you(flow.table):
        leave = AnswerButton("Leave for good", DANGER_KEY, partial(_leave_and_quit, shell))
        leaves = () if leaving_saves(flow.table) else (leave,)
        answers = (AnswerButton("Quit", "y", shell.quit), *leaves, AnswerButton("Stay", "Esc"))
        shell.push(Question(shell, "Quit Kimberley", _kept(shell, flow.table), answers))
    else:
        text = f"{lost_by_leaving(flow.table)} Leave the table and quit?"
        shell.confirm("Quit Kimberley", text, "Leave", "Stay", shell.quit, danger=True)


def quit_elsewhere(shell: Shell, end: Callable[[], None]) -> None:
    """Ends the program with `end` where no table is open; asks first if a table that the player has left needs it."""
    if text := shell.still_needed:
        shell.confirm("Quit Kimberley", text, "Quit", "Stay", end, danger=True)
    else:
        end()


def _kept(shell: Shell, table: Table) -> str:
    """Returns what becomes of a running game when the program ends, and what would be lost by leaving it for good."""
    way = "with kimberley resume" if shell.window.has_shell else "by reloading this page"
    text = f"Your game is saved. Resume it from the title screen, or {way}. "
    if table.play.unsaved:
        text += f"{NOT_RECEIVED} "
    away = {table.occupants.names[seat] for seat in table.reconnection.away}
    if others := [name for name in waiting_people(table) if name not in away]:
        text += f"{join_names(others)} can stop waiting after {duration(table.abandonment.grace)}. "
        how = f"press {MENU_KEY} and choose Save for later" if shell.window.has_keys else CHOOSE_SAVE
        text += f"To take a break together, {how}. " if table.phase == "playing" else ""
    if leaving_saves(table):
        return text.rstrip()
    if continues_without_you(table) and not only_bots(table):
        return f"{text}If you leave for good, the others play on without you."
    if table.phase == "closing":
        return f"{text}If you leave for good, the game cannot be proven fair."
    return f"{text}If you leave for good, the game ends without a result."


def _leave_and_quit(shell: Shell) -> None:
    if shell.table_flow is not None:
        shell.table_flow.leave()
    quit_elsewhere(shell, shell.quit)
