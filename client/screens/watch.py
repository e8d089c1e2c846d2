"""Watching a table: its game live and from the start, as everyone may see it, and the dossier at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.live_context import KEYS, LiveContext, names_of
from kimberley.client.boards.playhead import Playhead
from kimberley.client.boards.stepping import SteppingScreen
from kimberley.client.boards.story import StoryUI
from kimberley.client.boards.view import BoardView, Shown
from kimberley.client.boards.watching import GameProof, GameWatcher, verdict_sentence
from kimberley.client.screens.audit_screen import KEY_LINES, AuditScreen, FinishedGame, home_short
from kimberley.client.screens.connecting import ConnectingScreen
from kimberley.client.screens.shell import Shell
from kimberley.client.session.interfaces import SpectatorLike
from kimberley.client.session.services import ListedTable
from kimberley.client.ui.bars import key_bar
from kimberley.client.ui.buttons import right_button
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.glyphs import cell_width, wrap
from kimberley.client.ui.keys import LOG_KEY, Hint
from kimberley.client.ui.layout import stage
from kimberley.client.ui.panels import panel, paragraph
from kimberley.client.ui.screen import Help, MenuItem, Section
from kimberley.client.ui.touch import touch_bar

if TYPE_CHECKING:
    from pathlib import Path

    from kimberley.protocol.audit import AuditedGame

MOST_BEHIND: Final = 6
"""Up to this many new moments are shown one after another. If there are more, the latest is shown at once."""
ROOMY: Final = 100
HIGH: Final = 30
"""From this many columns and rows on there is room for more text."""
END_SECONDS: Final = 4.0
"""How long the last moment stays before the dossier opens."""
NOT_BEGUN: Final = "The game has not begun."
STILL_JOINING: Final = "The players are still joining or comparing words. The game appears as soon as it begins."
LOST: Final = "The table does not answer any more. Kimberley keeps trying."
SECRETS: Final = "You see what is public, as it happens. Secrets stay hidden until the game is over."
NO_SECRETS: Final = "You see the game as it happens."
LIVE: Final = (
    "● live means you are at the latest moment; you can step back while the game goes on, and press End to return."
)
CHECKED: Final = "After the game your own program checks the record, so you need not trust anyone."


def open_watch(shell: Shell, where: ListedTable | str) -> None:
    """Looks for a table, shows a screen meanwhile, and watches that table."""
    name = where if isinstance(where, str) else f"{where.host}’s table"
    opening = partial(shell.services.spectate, where)
    shell.push(ConnectingScreen(shell, "Watch a table", f"Looking for {name}.", opening, _watches(shell)))


def _watches(shell: Shell) -> Callable[[SpectatorLike], None]:
    return lambda spectator: shell.replace(WatchScreen(shell, spectator))


class NotBegunView(BoardView[Any, Any]):
    """A table where no game has begun, or that cannot be watched: then `problem` says why."""

    problem = ""
    lost = False
    """Whether the connection is lost, so that nobody knows what happens at the table."""

    def strip(self, shown: Shown[Any, Any], room: int) -> tuple[str, str]:
        return ("STOP", "There is nothing to see here.") if self.problem else ("WAIT", NOT_BEGUN)

    def draw(self, canvas: Canvas, shown: Shown[Any, Any]) -> None:
        inside = panel(stage(canvas), 14, 4, 52, 8, "You are watching this table")
        text = LOST if self.lost else STILL_JOINING
        paragraph(inside, 1, 1, wrap(self.problem or text, inside.width - 2))

    def help(self, shown: Shown[Any, Any]) -> Help:
        return Help("Watching", ())


class NotBegunUI(StoryUI):
    """What stands for a game at a table where none has begun."""

    def __init__(self) -> None:
        super().__init__("A table")
        self.stepping_help = Help("Watching", ())

    def view(self, names: Sequence[str], you: int | None) -> NotBegunView:
        return NotBegunView(names, you)

    def describe(self, state: Any, names: Sequence[str], you: int | None) -> list[str]:
        return [NOT_BEGUN]


class WatchScreen(SteppingScreen):
    """A table that the user watches. At the latest moment the screen follows the game; stepping back stops that."""

    kind = "watching"
    stops = False

    def __init__(self, shell: Shell, open_watch: SpectatorLike) -> None:
        self.spectating = GameWatcher(open_watch)
        super().__init__(GameTimeline(NotBegunUI(), None, ()), shell)
        self.shell, self._watch = shell, open_watch
        self.head.playing = self._follows = True
        self._dossier: WatchedDossierScreen | None = None
        self._ended_at: float | None = None
        self._stop: Callable[[], None] = lambda: None
        self._room = 0
        self._closed = False
        self._follow()

    def opened(self) -> None:
        self._stop = self._watch.subscribe(self._on_watch_event)
        self._follow()

    def closed(self) -> None:
        self._stop()
        self.ui.start(self._watch.close(), finish=True)

    # -- following the table -------------------------------------------------------------------------------------------

    @property
    def _begun(self) -> bool:
        """Whether a game has begun at this table."""
        return not isinstance(self.timeline.view, NotBegunView)

    @property
    def live(self) -> bool:
        """Returns whether the latest moment is shown and the next one will follow."""
        return self.head.playing and self.at == len(self.timeline.steps)

    def _on_watch_event(self, event: Any) -> None:
        from kimberley.client.session.chat import speaker_name
        from kimberley.p2p.sentences.table_events import notice_of
        from kimberley.p2p.table.events import ChatLine

        self._follow()
        names = self.spectating.names
        match event:
            case ChatLine():
                self.ui.toast(f"{speaker_name(names, event)}: {event.text}")
            case _ if (notice := notice_of(event, names)) is not None:
                self.ui.toast(notice.text, bad=notice.bad)
        self.ui.redraw()

    def _follow(self) -> None:
        """Shows what is new at the table."""
        at_end = self.at == len(self.timeline.steps)
        begun = self.spectating.follow()
        if begun:
            self._begin()
        behind = len(self.timeline.steps) - self.at
        if self._follows and (begun or behind > MOST_BEHIND):
            self.head.show(self.head.last)
        elif self._follows and at_end and behind:
            # A live moment is not late: it starts now, not when the previous one ended.
            self.head.show(self.at + 1, self.ui.now())
        if self.spectating.due():
            self.ui.start(self._audit())
        problem, view = self._watch.problem, self.timeline.view
        if isinstance(view, NotBegunView):
            view.lost = self._watch.away_since is not None
        if problem is not None and not self._closed:
            self._closed = True
            if isinstance(view, NotBegunView):
                view.problem = problem
            else:
                self.ui.toast(problem, bad=True)

    def _begin(self) -> None:
        """Begins to show a game, which may be a rematch."""
        assert self.spectating.timeline is not None
        again, before = self.spectating.timeline is not self.timeline and self._begun, self.timeline.title
        self.head, self._ended_at = Playhead(self.spectating.timeline, self.ui, playing=True), None
        self._follows = True
        if again:
            if self._dossier is not None:
                self.ui.pop(self._dossier)
            title = self.timeline.title
            self.ui.toast("They are playing a rematch." if title == before else f"They are playing {title}.")
        self._dossier = None

    async def _audit(self) -> None:
        proof = await self.spectating.audit()
        if proof is not None and proof is self.spectating.proof:
            self._ended_at = self.ui.now()
            self.ui.redraw()
        elif proof is not None:
            self.ui.toast(f"Previous game: {verdict_sentence(proof)}", bad=proof.audited.verdict.code != "fair")

    # -- time ----------------------------------------------------------------------------------------------------------

    def skip(self, now: float) -> bool:
        # Keys take effect at once, even during an animation.
        return False

    def next_frame(self, now: float) -> float | None:
        due = [super().next_frame(now), self.spectating.next_frame(now)]
        if self._ended_at is not None and self.live:
            due.append(max(self._ended_at + END_SECONDS, self.head.since + self.head.stays()))
        return min((when for when in due if when is not None), default=None)

    def tick(self, now: float) -> None:
        super().tick(now)
        self._follows = self._follows or self.live
        settled = now >= self.head.since + self.head.stays()
        if self._ended_at is not None and self.live and settled and now >= self._ended_at + END_SECONDS:
            self._ended_at = None
            self.ui.start(self._open())

    # -- drawing -------------------------------------------------------------------------------------------------------

    def draw(self, canvas: Canvas, now: float) -> None:
        self._room = 44 if canvas.width >= ROOMY and canvas.height >= HIGH else 28
        super().draw(canvas, now)
        note = self.timeline.note(self.at)
        if note and canvas.width >= ROOMY:
            mark = self._note()[0]
            canvas.right(canvas.width - 23 - cell_width(mark) - 3, 0, note, "soft")

    def _around(self, now: float) -> LiveContext:
        spectating = self.spectating
        trouble = spectating.watch.away_since is not None and spectating.proof is None
        if self.at < len(self.timeline.steps) and not trouble:
            return LiveContext(aside=self._where())
        aside, fg = (self._where(), "soft") if self._typed else spectating.aside(now, self._room)
        live = self.at == len(self.timeline.steps) and not spectating.over
        return LiveContext(live, spectating.waiting, aside, fg)

    def _note(self) -> tuple[str, str]:
        if not self._begun:
            return "", "soft"
        behind = len(self.timeline.steps) - self.at
        if self.spectating.watch.away_since is not None and self.spectating.proof is None:
            mark, fg = "× lost", "warning"
        elif behind:
            mark, fg = f"○ {behind} behind", "money"
        elif self.spectating.over:
            mark, fg = "the end", "soft"
        else:
            mark, fg = ("● live", "ok") if self.head.playing else ("○ paused", "money")
        return mark, fg

    def _hints(self) -> list[Hint]:
        if not self._begun:
            return [Hint("Esc", "stop watching")]
        if self.timeline.view.modal:
            return self._modal_hints()
        on, backward = self.timeline.leaps
        dossier = [Hint("d", self._called)] if self.spectating.proof is not None else []
        newest, over = self.at == len(self.timeline.steps), self.spectating.over
        forward = [] if newest else [Hint("→", "on"), Hint("End", "end" if over else "live")]
        play = [] if newest and over else [Hint("Space", "pause" if self.head.playing else "play")]
        further = [Hint("PgUp", backward), *([Hint("PgDn", on)] if forward else [])]
        return [
            *dossier, Hint("←", "back"), *forward, *play,
            Hint("Esc", "leave"), Hint(LOG_KEY, "log"), *further, *self.timeline.hints(),
        ]  # fmt: skip

    # -- keys ----------------------------------------------------------------------------------------------------------

    def key(self, name: str) -> bool:
        if name == "d" and self.spectating.proof is not None:
            self.ui.start(self._open())
            return True
        return super().key(name)

    def go(self, at: int) -> None:
        super().go(at)
        # At the latest position the screen follows the game again.
        self.head.playing = self._follows = self.at == self.head.last

    def _play(self) -> None:
        self.head.playing = not self.head.playing
        self._follows = self.live
        if self.head.playing and not self._follows:
            self.head.show(self.at, self.ui.now())

    async def _open(self) -> None:
        """Opens the dossier. It runs as a task, because no screen may be pushed while one is being drawn."""
        proof = self.spectating.proof
        if proof is None:
            return
        self._ended_at = None
        if self._dossier is None:
            self._dossier = WatchedDossierScreen(self.shell, proof)
        if self._dossier not in self.shell.stack and self in self.shell.stack:
            self.ui.push(self._dossier)

    def game_id(self) -> str | None:
        return None if self._watch.game is None else self._watch.game.id

    def help(self) -> Help:
        if not self._begun:
            return Help("Watching", (Section("Watching", f"{NO_SECRETS} {CHECKED}"),))
        seen = SECRETS if self.timeline.game.hides else NO_SECRETS
        watching = Section("Watching", CHECKED if self.spectating.over else f"{seen} {LIVE} {CHECKED}")
        return Help(self.timeline.help().title, (watching, KEYS, *self.timeline.help().sections))

    def menu(self) -> list[MenuItem]:
        leave = MenuItem("Stop watching", "q", lambda: self.ui.pop(self), inside=True)
        if self.spectating.proof is None:
            return [leave]
        return [MenuItem(f"The {self._called}", "d", lambda: self.ui.start(self._open())), leave]

    @property
    def _called(self) -> str:
        """What the game calls its dossier."""
        proof = self.spectating.proof
        return proof.dossier.called if proof is not None and proof.dossier is not None else "dossier"


class WatchedDossierScreen(AuditScreen):
    """The dossier of a game that the user watched. The user can keep its record."""

    def __init__(self, shell: Shell, proof: GameProof) -> None:
        super().__init__(shell, proof.dossier)
        self._proof = proof
        self._path: Path | None = None

    @property
    def finished(self) -> FinishedGame:
        from kimberley.games import lookup

        audited = self._proof.audited
        roster, verdict = audited.record.table.roster, audited.verdict
        return FinishedGame(
            lookup.find(roster.game),
            names_of(roster),
            None,
            verdict.result,
            audited.departed,
            verdict,
            None,
            self._path,
        )

    @property
    def audited(self) -> AuditedGame:
        return self._proof.audited

    def draw(self, canvas: Canvas, now: float) -> None:
        super().draw(canvas, now)
        keep_it = [Hint("k", "save record", primary=True)] if self._path is None else []
        if canvas.portrait:
            touch_bar(canvas, self.upright_hints(*keep_it, Hint("Esc", "back")), KEY_LINES)
            return
        y = canvas.height - 3
        if self._path is None:
            advice = "Your own program has checked what it saw. Save the record to show it to anyone."
            back = right_button(canvas, canvas.width - 2, y, "Back", "Esc")
            x = right_button(canvas, back - 1, y, "Save the record", "k", primary=True)
            paragraph(canvas, 1, y, wrap(advice, x - 3, 2))
        else:
            right_button(canvas, canvas.width - 2, y, "Back", "Esc", primary=True)
        key_bar(canvas, self.hints(*keep_it, Hint("Esc", "back")))

    def key(self, name: str) -> bool:
        match name:
            case "esc" | "q" if name == "q" or not self.over_picture:
                self.ui.pop(self)
            case "k" if self._path is None:
                self.ui.start(self._keep())
            case _:
                return super().key(name)
        return True

    async def _keep(self) -> None:
        self._path = await self.shell.services.keep(self.finished.names, self._proof.audited.record.pack())
        self.ui.toast(f"Saved: {home_short(self._path)}")

    def help(self) -> Help:
        return Help(f"The {self._called}", self.about)
