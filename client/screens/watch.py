"""Watching a table: its game live and from the start, as everybody may see it, to the dossier at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from client.canvas import Canvas
from client.glyphs import clean, width, wrapped
from client.moments import KEYS, STILL, Around, Moments, names_of
from client.onlooking import Onlooking, Proof, WatchLike, judged
from client.screen import Help, MenuItem, Section
from client.screens.connecting import ConnectingScreen
from client.screens.proven import ABOUT, Finished, ProvenScreen
from client.screens.shell import Shell
from client.screens.stage import stage
from client.screens.stepping import SteppingScreen
from client.services import Listed
from client.widgets import Hint, button, button_width, key_bar, panel, paragraph, phase_strip
from games.table import Answer, Ask

if TYPE_CHECKING:
    from pathlib import Path

    from protocol.record import Record

MOST_BEHIND: Final = 6
"""Moments that are shown one after another when they come; from more on, the latest at once."""
ROOMY: Final = 100
HIGH: Final = 30
"""Columns and rows from which on there is room to say more."""
END_SECONDS: Final = 4.0
"""How long the last moment stays before the dossier opens."""
WATCHING: Final = Section(
    "Watching",
    "You see what everybody may see, as it happens: what is hidden from all is hidden from you, until the game is "
    "over. ● live says that you are at the latest moment; step back while the game goes on, and End brings you back to "
    "it. When the game is over your own program checks the record: you need not believe anybody.",
)


def watch(shell: Shell, where: Listed | str) -> None:
    """Looks for a table, with a screen that says so, and watches it."""
    name = where if isinstance(where, str) else f"{where.host}’s table"
    opening = shell.services.onlook(where)
    shell.push(ConnectingScreen(shell, "Watch a table", f"Looking for {name}.", opening, _watches(shell)))


def _watches(shell: Shell) -> Callable[[WatchLike], None]:
    return lambda found: shell.replace(WatchScreen(shell, found))


class NotBegun(Moments):
    """A table at which no game has begun yet, or that shows none: then `problem` says why."""

    title = "A table"
    problem = ""

    def add(self, story: Sequence[tuple[Ask, Answer]], first: int) -> None:
        raise AssertionError("where nothing has begun nothing is told")

    @property
    def steps(self) -> Sequence[int]:
        return ()

    def told(self, at: int) -> str:
        raise IndexError(at)

    def describe(self) -> list[str]:
        return ["The game has not begun."]

    def draw(self, canvas: Canvas, at: int, since: float, around: Around) -> None:
        del at, since
        phase, said = ("STOP", "Nothing is to be seen here.") if self.problem else ("WAIT", "The game has not begun.")
        phase_strip(canvas, 1, phase, said, around.aside, around.aside_fg)
        inside = panel(stage(canvas), 14, 4, 52, 8, "You watch this table")
        text = "Its players are still sitting down, or comparing words. You see the game as soon as it begins."
        paragraph(inside, 1, 1, wrapped(self.problem or text, inside.width - 2))

    def help(self) -> Help:
        return Help("Watching", ())


class WatchScreen(SteppingScreen):
    """A table that is watched. Once it has come to the latest moment it follows the game; stepping back ends that."""

    kind = "watching"
    stops = False

    def __init__(self, shell: Shell, watch: WatchLike) -> None:
        self.onlooking = Onlooking(watch)
        super().__init__(NotBegun(()), shell)
        self.shell, self._watch = shell, watch
        self.playing = self._follows = True
        self._dossier: WatchedDossier | None = None
        self._ended_at: float | None = None
        self._stop: Callable[[], None] = lambda: None
        self._room = 0
        self._closed = False
        self._follow()

    def opened(self) -> None:
        self._stop = self._watch.subscribe(self._told)
        self._follow()

    def closed(self) -> None:
        self._stop()
        self.ui.start(self._watch.close(), finish=True)

    # -- following the table -------------------------------------------------------------------------------------------

    @property
    def live(self) -> bool:
        """Whether the latest moment is shown, and the next one will be."""
        return self.playing and self.at == len(self.moments.steps)

    def _told(self, event: Any) -> None:
        from protocol.events import Caught, Gone, Said

        self._follow()
        names = self.onlooking.names
        match event:
            case Said(seat, text):
                self.ui.toast(f"{names[seat]}: {clean(text)}")
            case Gone(seat=seat):
                self.ui.toast(f"{names[seat]} has left the game; it goes on without them.")
            case Caught(seat):
                self.ui.toast(f"{names[seat]} was caught cheating: {clean(event.reason)}", bad=True)
        self.ui.redraw()

    def _follow(self) -> None:
        """Takes up what the table has told."""
        at_end = self.at == len(self.moments.steps)
        begun = self.onlooking.follow()
        if begun:
            self._begin()
        behind = len(self.moments.steps) - self.at
        if self._follows and (begun or behind > MOST_BEHIND):
            self._show(len(self.moments.steps), -STILL)
        elif self._follows and at_end and behind:
            # What happens now is not to be taken for late: it begins when it is told.
            self._show(self.at + 1, self.ui.now())
        if self.onlooking.due():
            self.ui.start(self._judge())
        problem = self._watch.problem
        if problem is not None and not self._closed:
            self._closed = True
            if isinstance(self.moments, NotBegun):
                self.moments.problem = problem
            else:
                self.ui.toast(problem, bad=True)

    def _begin(self) -> None:
        """A game begins, perhaps another one than before."""
        assert self.onlooking.moments is not None
        again = self.onlooking.moments is not self.moments and not isinstance(self.moments, NotBegun)
        self.moments, self.at, self._ended_at = self.onlooking.moments, 0, None
        self.playing = self._follows = True
        if again:
            if self._dossier is not None:
                self.ui.pop(self._dossier)
            self.ui.toast("They play again.")
        self._dossier = None

    async def _judge(self) -> None:
        proof = await self.onlooking.judge()
        if proof is not None and proof is self.onlooking.proof:
            self._ended_at = self.ui.now()
            self.ui.redraw()
        elif proof is not None:
            self.ui.toast(f"The game before. {judged(proof)}", bad=proof.verdict.code != "fair")

    # -- time ----------------------------------------------------------------------------------------------------------

    def skip(self, now: float) -> bool:
        # While it follows the game, keys go back in it at once.
        return False

    def next_frame(self, now: float) -> float | None:
        due = [super().next_frame(now), self.onlooking.next_frame(now)]
        if self._ended_at is not None and self.live:
            due.append(max(self._ended_at + END_SECONDS, self._since + self._stays()))
        return min((when for when in due if when is not None), default=None)

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        self._room = 44 if canvas.width >= ROOMY and canvas.height >= HIGH else 28
        super().draw(canvas, now)
        note = self.moments.note(self.at)
        if note and canvas.width >= ROOMY:
            mark = self._note()[0]
            canvas.right(canvas.width - 23 - width(mark) - 3, 0, note, "soft")
        shown = now >= self._since + self._stays()
        if self._ended_at is not None and self.live and shown and now >= self._ended_at + END_SECONDS:
            self._ended_at = None
            self.ui.start(self._open())

    def _around(self, now: float) -> Around:
        onlooking = self.onlooking
        trouble = onlooking.watch.away_since is not None and onlooking.proof is None
        if self.at < len(self.moments.steps) and not trouble:
            return Around(aside=self._where())
        said, fg = (self._where(), "soft") if self._typed else onlooking.aside(now, self._room)
        live = self.at == len(self.moments.steps) and not onlooking.over
        return Around(live, onlooking.waiting, said, fg)

    def _note(self) -> tuple[str, str]:
        if isinstance(self.moments, NotBegun):
            return "", "soft"
        behind = len(self.moments.steps) - self.at
        if self.onlooking.watch.away_since is not None and self.onlooking.proof is None:
            mark, fg = "× lost", "warning"
        elif behind:
            mark, fg = f"○ {behind} behind", "money"
        elif not self.playing:
            mark, fg = "○ paused", "money"
        else:
            mark, fg = ("the end", "soft") if self.onlooking.over else ("● live", "ok")
        return mark, fg

    def _hints(self) -> list[Hint]:
        if isinstance(self.moments, NotBegun):
            return [Hint("Esc", "stop watching"), Hint("F1", "help")]
        on, back = self.moments.leaps
        dossier = [Hint("d", "dossier")] if self.onlooking.proof is not None else []
        forward = [] if self.at == len(self.moments.steps) else [Hint("→", "on"), Hint("End", "live")]
        further = [Hint("PgUp", back), *([Hint("PgDn", on)] if forward else [])]
        return [
            *dossier, Hint("←", "back"), *forward, Hint("Space", "pause" if self.playing else "play"),
            Hint("l", "all"), Hint("Esc", "leave"), *further, *self.moments.hints(),
        ]  # fmt: skip

    # -- keys ----------------------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if name == "d" and self.onlooking.proof is not None:
            self.ui.start(self._open())
            return True
        return super().key(name)

    def go(self, at: int) -> None:
        super().go(at)
        self.playing = self._follows = self.at == len(self.moments.steps)

    def _play(self) -> None:
        self.playing = not self.playing
        self._follows = self.live
        if self.playing and not self._follows:
            self._show(self.at, self.ui.now())

    def _advance(self, now: float) -> None:
        super()._advance(now)
        self._follows = self._follows or self.live

    async def _open(self) -> None:
        """Opens the dossier; later than now, since no screen is put over one that is being drawn."""
        proof = self.onlooking.proof
        if proof is None:
            return
        self._ended_at = None
        if self._dossier is None:
            self._dossier = WatchedDossier(self.shell, proof)
        if self._dossier not in self.shell.stack and self in self.shell.stack:
            self.ui.push(self._dossier)

    def help(self) -> Help:
        return Help(self.moments.help().title, (WATCHING, KEYS, *self.moments.help().sections))

    def menu(self) -> list[MenuItem]:
        leave = MenuItem("Stop watching", "l", lambda: self.ui.pop(self))
        if self.onlooking.proof is None:
            return [leave]
        return [MenuItem("The dossier", "d", lambda: self.ui.start(self._open())), leave]


class WatchedDossier(ProvenScreen):
    """The dossier of a game that was watched. Its record can be kept."""

    def __init__(self, shell: Shell, proof: Proof) -> None:
        super().__init__(shell, proof.dossier)
        self._proof = proof
        self._path: Path | None = None

    @property
    def finished(self) -> Finished:
        from games import lookup

        proof = self._proof
        roster, verdict = proof.record.table.roster, proof.verdict
        names = names_of(roster)
        return Finished(lookup.find(roster.game), names, None, verdict.result, proof.gone, verdict, None, self._path)

    def record(self) -> Record:
        return self._proof.record

    def draw(self, canvas: Canvas, now: float) -> None:
        super().draw(canvas, now)
        y = canvas.height - 3
        if self._path is None:
            said = "Your own program has checked what it saw. Keep the record to show it to anybody."
            keep = button_width("Keep the record", "k")
            x = canvas.width - keep - button_width("Back", "Esc") - 3
            paragraph(canvas, 1, y, wrapped(said, x - 3)[:2])
            after = button(canvas, x, y, "Keep the record", "k", primary=True)
            button(canvas, after + 1, y, "Back", "Esc")
        else:
            button(canvas, canvas.width - button_width("Back", "Esc") - 2, y, "Back", "Esc", primary=True)
        key_bar(canvas, [
            Hint("↑ ↓", "scroll"), Hint("Enter", "show that round"),
            Hint("k", "keep the record") if self._path is None else Hint("y", "copy the path"),
            Hint("Esc", "back"), Hint("F1", "help"),
        ])  # fmt: skip

    def key(self, name: str) -> bool:
        match name:
            case "esc" | "q":
                self.ui.pop(self)
            case "k" if self._path is None:
                self.ui.start(self._keep())
            case _:
                return super().key(name)
        return True

    async def _keep(self) -> None:
        self._path = await self.shell.services.keep(self.finished.names, self._proof.packed)
        self.ui.redraw()

    def help(self) -> Help:
        return Help("The dossier", ABOUT)
