"""The map, the sector in play, the ledger and the notes, for a player, a spectator and a replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from kimberley.client.boards.land import help_text
from kimberley.client.boards.land.accounts import AccountScreen
from kimberley.client.boards.land.events import GameEvent, TurnPlayed, river_losses
from kimberley.client.boards.land.form_turn import WHY_BUY, Cursor, TurnForm
from kimberley.client.boards.land.layout import MAP_X, MAP_Y, Layout
from kimberley.client.boards.land.ledger import Ledger, draw_portrait_ledger
from kimberley.client.boards.land.overview import MODES
from kimberley.client.boards.land.pacing import ALARMING, BLINK, FRAME, TUMBLE, tumbling
from kimberley.client.boards.land.parcel_style import mark
from kimberley.client.boards.land.phrases import in_short, loss_sentence, place, rolling, round_of, sentence
from kimberley.client.boards.land.picture import Picture, Stepper, draw_picture, draw_tall_picture, entries, signs
from kimberley.client.boards.land.portrait import draw_body
from kimberley.client.boards.land.words import DRAWING, ROLLING_MAP
from kimberley.client.boards.subject import subject
from kimberley.client.boards.view import STILL, BoardView, Shown
from kimberley.client.session.notices import as_sentence
from kimberley.client.session.participants import short_name
from kimberley.client.ui.bars import sentence_room
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.hints import Hint
from kimberley.client.ui.palette import Color
from kimberley.client.ui.screen import LANDSCAPE, Help, MenuItem, Ui
from kimberley.games.land.accounts import TurnOpening
from kimberley.games.land.deals import DealMade
from kimberley.games.land.money import price
from kimberley.games.land.rules import State

TurnShown = Shown[State, GameEvent]

GOAL_TEXT: Final = "1000K at the start or end of a turn wins; ending below 0 loses."
LOGGED: Final = 24
ROOMY: Final = 100
NAME_ROOM: Final = 14


class InPlay(NamedTuple):
    """The sector in play, or the one that was; its dice; what was dealt in it; and whether the dice still tumble."""

    sector: tuple[int, int] | None = None
    dice: tuple[int, int] | None = None
    dealt: tuple[DealMade, ...] = ()
    rolling: bool = False


def form_of(shown: TurnShown) -> TurnForm | None:
    return shown.form if isinstance(shown.form, TurnForm) else None


def refused(rule: str) -> str:
    """Says why something is not possible, as the strip says it."""
    return f"! {as_sentence(rule)}"


class LandView(BoardView[State, GameEvent]):
    """The map at the left, the sector at the right, the ledger below."""

    def __init__(self, names: Sequence[str], you: int | None) -> None:
        super().__init__(names, you)
        self.cursor = Cursor()
        self._mode = 0
        self._seat: int | None = None
        self._where: Layout | None = None
        self._width = LANDSCAPE.columns
        self._turn: TurnForm | None = None
        self._rolled_at = -STILL
        self._tumbles = False

    def draw(self, canvas: Canvas, shown: TurnShown) -> None:
        self._watch_dice(shown)
        self._width = canvas.width
        if shown.state.map is not None:
            self._where = draw_picture(canvas, self._picture(shown))

    portrait = True

    def draw_portrait(self, header: Canvas, body: Canvas, shown: TurnShown) -> None:
        self._watch_dice(shown)
        self._width = body.width
        if shown.state.map is not None:
            picture = self._picture(shown)
            draw_portrait_ledger(header, picture.ledger)
            draw_body(body, picture, self.note(shown))

    tall_rows = 36

    def draw_tall(self, canvas: Canvas, shown: TurnShown) -> None:
        if shown.state.map is not None:
            draw_tall_picture(canvas, self._picture(shown))

    def _watch_dice(self, shown: TurnShown) -> None:
        """Lets the dice of one's own turn tumble when it comes, but not when the screen opens in the middle of it."""
        turn = form_of(shown)
        if turn is not None and turn is not self._turn:
            self._turn, self._rolled_at = turn, shown.now if shown.since < STILL else -STILL
        self._tumbles = turn is not None and shown.now < self._rolled_at + TUMBLE

    def next_frame(self, shown: TurnShown) -> float | None:
        if form_of(shown) is not None and shown.now < self._rolled_at + TUMBLE:
            return shown.now + FRAME
        if shown.since < TUMBLE + ALARMING and self._cut_off(replace(shown, since=STILL)):
            return shown.now + BLINK / 2
        return None

    @property
    def modal(self) -> bool:
        """While the dice of one's own turn tumble, no key deals in a sector that is not known yet."""
        return self._tumbles

    def _picture(self, shown: TurnShown) -> Picture:
        form, state = form_of(shown), self._seen(shown)
        assert state.map is not None
        play, cursor = self._in_play(shown), self.cursor
        here = cursor.parcel if cursor.roams or (form is not None and not play.rolling) else None
        sector = play.sector or (0, 0)
        ledger = Ledger(entries(state), self.names, self.you, self._active(shown), self._account_seat(shown))
        return Picture(
            map=state.map,
            land=state.land,
            ledger=ledger,
            mode=MODES[self._mode],
            sector=play.sector,
            shown=sector if here is None else state.map.sector_of(here),
            dice=play.dice,
            cursor=here,
            lit=self._cut_off(shown),
            marks=form.marks if form is not None else frozenset(),
            signs=signs(play.dealt),
            drafted=form.summary() if form is not None else "",
            stepper=_stepper(form) if form is not None else None,
            openings=self._openings(shown),
            message=self._message(shown),
            log=[(each.seat, self._logged(each)) for each in self._past(shown)[-LOGGED:]],
            buttons=form.buttons() if form is not None else (),
        )

    # -- what is told of a position ------------------------------------------------------------------------------------

    def _seen(self, shown: TurnShown) -> State:
        """The state to draw: with what is drafted in one's own turn, and without what follows the dice that tumble."""
        form, last = form_of(shown), shown.last
        if form is not None:
            return form.drafted
        return last.before if last is not None and self._rolls(shown) else shown.state

    def _in_play(self, shown: TurnShown) -> InPlay:
        state, form, last = shown.state, form_of(shown), shown.last
        assert state.map is not None
        turn = next((each for each in reversed(shown.past) if isinstance(each, TurnPlayed)), None)
        if shown.live and state.sector is not None:
            play = InPlay(state.sector, state.dice, form.now.dealt if form is not None else ())
            number, since = len(shown.past), shown.now - self._rolled_at if form is not None else STILL
        elif turn is not None:
            fresh = turn is last
            play = InPlay(turn.sector, turn.before.dice, turn.dealt if fresh else ())
            number, since = turn.step, shown.since if fresh else STILL
        else:
            return InPlay()
        faces = tumbling(number, since)
        return play if faces is None else InPlay(state.map.rolled(*faces), faces, rolling=True)

    def _cut_off(self, shown: TurnShown) -> frozenset[int]:
        """The player's parcels that others have cut off from the river since the player's last turn; a spectator sees
        what the last turn cut off. They blink when it is new.
        """
        fresh, lit = shown.since - TUMBLE, frozenset[int]()
        if self._rolls(shown) or (fresh < ALARMING and int(fresh / BLINK) % 2):
            return lit
        for each in reversed(shown.past):
            if self.you is not None and each.seat == self.you:
                break
            lit = lit.union(*(loss.parcels for loss in river_losses(each) if self.you in (None, loss.seat)))
            if self.you is None:
                break
        return lit

    def news(self, events: Sequence[GameEvent]) -> tuple[str, bool]:
        own = [loss for each in events for loss in river_losses(each) if loss.seat == self.you]
        return (loss_sentence(own[-1], self.names, self.you), True) if own else ("", False)

    def _active(self, shown: TurnShown) -> int | None:
        """The seat that has the turn, or had it."""
        if shown.live:
            return shown.state.seat if shown.state.first is not None else None
        return shown.last.seat if shown.last is not None and shown.result is None else None

    def _account_seat(self, shown: TurnShown) -> int | None:
        """The seat whose account is explained: the one that was chosen, else one's own, else that of the turn."""
        at_end = shown.at == len(shown.events)
        if shown.playing and shown.last is not None:
            return shown.last.seat
        if self._seat is not None:
            return self._seat
        if self.you is not None and at_end:
            return self.you
        if shown.live or (at_end and "start of a turn" in (shown.state.over or "")):
            return shown.state.seat
        return shown.last.seat if shown.last is not None else None

    def _openings(self, shown: TurnShown) -> dict[int, TurnOpening]:
        """How the latest turn of every seat began."""
        begun = [each.before.opening for each in shown.past]
        if shown.live or (shown.at == len(shown.events) and shown.state.over is not None):
            begun.append(shown.state.opening)
        return {opening.seat: opening for opening in begun if opening is not None}

    def _message(self, shown: TurnShown) -> tuple[str, Color]:
        """What the last key did, else what happened last."""
        form = form_of(shown)
        if form is not None and form.refusal:
            return refused(form.refusal), "warning"
        if form is not None and form.said:
            return form.said, "ok"
        own = self.you if shown.live else None
        last = next((each for each in reversed(self._past(shown)) if each.seat != own), None)
        if form is not None and shown.state.turn == 1 and last is None:
            return WHY_BUY, "text"
        return (self._told(last) if last is not None else GOAL_TEXT), "soft"

    def _past(self, shown: TurnShown) -> Sequence[GameEvent]:
        """What may be told: not yet the turn whose dice tumble."""
        return shown.past[:-1] if self._rolls(shown) else shown.past

    def _told(self, event: GameEvent, room: int | None = None) -> str:
        who = str(subject(self.names, event.seat, self.you))
        room = None if room is None else room - cell_width(who) - 2
        return f"{who} {in_short(event, self.names, self.you, room)}."

    def _logged(self, event: GameEvent) -> str:
        """What the log says after the mark of a seat."""
        return self._told(event) if event.seat == self.you else f"{in_short(event, self.names, self.you)}."

    def _rolls(self, shown: TurnShown) -> bool:
        """Whether the dice of the last turn still tumble."""
        return isinstance(shown.last, TurnPlayed) and not shown.live and 0 <= shown.since < TUMBLE

    def note(self, shown: TurnShown) -> str:
        state, last = shown.state, shown.last
        number = last.number if isinstance(last, TurnPlayed) and not shown.live else state.turn
        return round_of(number, state.limit)

    def strip(self, shown: TurnShown, room: int) -> tuple[str, str]:
        state, last = shown.state, shown.last
        if state.map is None:
            return "START", ROLLING_MAP if shown.result is None else "The game ended before it began."
        if shown.result is not None:
            return "THE END", as_sentence(shown.result.reason_for(self.names), self.names)
        if shown.form is not None:
            return ("ROLL", rolling(state.map)) if self._tumbles else (shown.form.phase, shown.form.sentence(room))
        if shown.live and state.first is None:
            return "START", DRAWING
        if shown.live and self.you is not None and not shown.stepping:
            return self._waiting(state, self.you)
        if last is None:
            return "START", "The government owns all the land."
        phase = f"ROUND {last.number}" if isinstance(last, TurnPlayed) else "LEFT"
        if shown.playing:
            phase = mark(last.seat)
        elif shown.live and self.you is None:
            phase = f"ROUND {state.turn}"
        return phase, self._happened(shown, last, sentence_room(room, phase))

    def _happened(self, shown: TurnShown, last: GameEvent, room: int) -> str:
        """What happened last, in full if there is room."""
        if self._rolls(shown):
            who = subject(self.names, last.seat, self.you)
            return f"{who} {who.does('rolls')} the dice."
        said = sentence(last, self.names, self.you)
        return said if cell_width(said) <= room else self._told(last, room)

    def _waiting(self, state: State, you: int) -> tuple[str, str]:
        """What a player with nothing to do reads."""
        whose = short_name(self.names, state.seat, NAME_ROOM)
        if not state.alive(you):
            return "OUT", f"{whose} is playing; you are out."
        if state.seat == you:
            return "ROLL", "Your turn: rolling the dice."
        where = f" in sector {place(state.sector)}" if state.sector else ""
        return "WAIT", f"{whose} is playing{where}."

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def hints(self, shown: TurnShown) -> Sequence[Hint]:
        found = [Hint("Tab", "player"), Hint("t", "taxes")]
        if self._width >= LANDSCAPE.columns:
            # On a portrait screen, all that the map can show stands beside it.
            found.insert(0, Hint("o", "overview"))
        if shown.form is not None:
            # In a narrow row the keys of the turn leave room for the log alone.
            return found if self._width >= ROOMY else ()
        return found if shown.stepping else [Hint("← → ↑ ↓", "look around", "nothing"), *found]

    def key(self, name: str, shown: TurnShown, ui: Ui) -> bool:
        if shown.state.map is None:
            return False
        if self._tumbles and shown.now < self._rolled_at + TUMBLE:
            return len(name) == 1 or name == "enter"
        match name:
            case "up" | "down" | "left" | "right" if not shown.stepping:
                self._walk(name, shown)
            case "esc" if self.cursor.roams:
                self._come_back(shown)
            case "home" | "esc" if not shown.stepping:
                self._come_back(shown)
            case "o":
                self._turn_overview()
            case "tab" | "s-tab":
                here = self._account_seat(shown)
                self._seat = ((here if here is not None else -1) + (1 if name == "tab" else -1)) % len(self.names)
            case "t":
                self._explain(shown, ui)
            case _:
                return False
        return True

    def _turn_overview(self) -> None:
        """Shows the next of the overviews."""
        self._mode = (self._mode + 1) % len(MODES)

    def _walk(self, way: str, shown: TurnShown) -> None:
        """Moves the cursor; without a turn of one's own, the first key only shows it in the sector in play."""
        assert shown.state.map is not None
        if form_of(shown) is None and not self.cursor.roams:
            sector = self._in_play(shown).sector or (0, 0)
            self.cursor.parcel, self.cursor.roams = shown.state.map.parcels(*sector)[0], True
        else:
            self.cursor.walk(way, shown.state.map.side)

    def _come_back(self, shown: TurnShown) -> None:
        """Back to the sector in play."""
        form = form_of(shown)
        self.cursor.roams = False
        if form is not None and self.cursor.parcel not in form.space.parcels:
            self.cursor.parcel = form.space.parcels[0]

    def _explain(self, shown: TurnShown, ui: Ui) -> None:
        """Opens what the land of the seat that is looked at costs and brings, parcel by parcel."""
        state = self._seen(shown)
        if state.map is not None:
            ui.push(AccountScreen(ui, state.map, state.land, self.names, self._account_seat(shown) or 0))

    def click(self, action: Action, x: int, y: int, shown: TurnShown) -> bool:
        match action:
            case ("map",) if self._where is not None:
                self._point(self._where.scale.at(x - MAP_X, y - MAP_Y), shown)
            case ("parcel", int(parcel)):
                self._point(parcel, shown)
            case ("sector", int(row), int(column)):
                self._look_at((row, column), shown)
            case ("mode", str(mode)):
                self._mode = MODES.index(mode)
            case ("seat", int(seat)):
                self._seat = seat
            case _:
                return False
        return True

    def _point(self, parcel: int, shown: TurnShown) -> None:
        self.cursor.parcel, self.cursor.roams = parcel, form_of(shown) is None

    def _look_at(self, sector: tuple[int, int], shown: TurnShown) -> None:
        """Shows a sector that was touched. Touching the one in play leads back to it."""
        assert shown.state.map is not None
        if sector == self._in_play(shown).sector:
            self._come_back(shown)
        else:
            self._point(shown.state.map.parcels(*sector)[0], shown)

    def wheel(self, action: Action | None, steps: int, shown: TurnShown) -> bool:
        if action != ("map",):
            return False
        self._mode = (self._mode + steps) % len(MODES)
        return True

    def menu(self, shown: TurnShown, ui: Ui) -> list[MenuItem]:
        overview = [MenuItem("Overview", "o", self._turn_overview)] if self._width >= LANDSCAPE.columns else []
        return [*overview, MenuItem("Tax and revenue", "t", lambda: self._explain(shown, ui))]

    def on_position_changed(self) -> None:
        self._seat = None
        # A player goes on looking around while others take their turns.
        if self.you is None:
            self.cursor.roams = False

    def help(self, shown: TurnShown) -> Help:
        return help_text.for_turn(form_of(shown) is not None)


def _stepper(form: TurnForm) -> Stepper:
    return Stepper(form.entry.text or price(form.pending), bool(form.entry.text), max(1, len(form.marks)))
