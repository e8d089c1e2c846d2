"""The sector, the map, the players and what can be done, for a player, a spectator and a replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from kimberley.client.boards.land import help_text
from kimberley.client.boards.land.accounts import AccountScreen
from kimberley.client.boards.land.events import GameEvent, TurnPlayed, river_losses
from kimberley.client.boards.land.form_turn import Cursor, TurnForm
from kimberley.client.boards.land.layout import Layout
from kimberley.client.boards.land.ledger import draw_portrait_ledger
from kimberley.client.boards.land.overview import MODES
from kimberley.client.boards.land.overview_screen import OverviewScreen
from kimberley.client.boards.land.pacing import ALARMING, BLINK, FRAME, OWN_ROLL, TUMBLE
from kimberley.client.boards.land.parcel_style import mark
from kimberley.client.boards.land.phrases import (
    bought_from,
    ending,
    loss_sentence,
    place,
    rolling,
    round_of,
    sentence,
    why_out,
)
from kimberley.client.boards.land.picture import Picture, Stepper, draw_picture, draw_tall_picture, signs
from kimberley.client.boards.land.portrait import draw_body
from kimberley.client.boards.land.position import LandPosition, TurnShown
from kimberley.client.boards.land.words import DRAWING, ROLLING_MAP, bankruptcy
from kimberley.client.boards.report import NOBODY_PLAYED
from kimberley.client.boards.standings import departed, outcome, resignation
from kimberley.client.boards.subject import subject
from kimberley.client.boards.view import STILL, BoardView
from kimberley.client.session.participants import short_name
from kimberley.client.ui.bars import first_fitting, sentence_room
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.glyphs import cell_width
from kimberley.client.ui.keys import Hint
from kimberley.client.ui.screen import LANDSCAPE, Help, MenuItem, Ui
from kimberley.games.land.money import price
from kimberley.games.land.rules import BANKRUPT, State
from kimberley.games.phrases import count_of
from kimberley.p2p.sentences.notices import RESIGNED

NAME_ROOM: Final = 14
MOST_TOLD: Final = 67
"""The columns that the strip has on the smallest screen for the last event, if everything beside it gives way."""


class LandView(BoardView[State, GameEvent]):
    """The sector at the left with what can be done in it, the map and the players at the right."""

    def __init__(self, names: Sequence[str], you: int | None) -> None:
        super().__init__(names, you)
        self.cursor = Cursor()
        self._mode = MODES[0]
        self._where: Layout | None = None
        self._width = LANDSCAPE.columns
        self._turn: TurnForm | None = None
        self._rolled_at = -STILL
        self._rolls = False

    def draw(self, canvas: Canvas, shown: TurnShown) -> None:
        self._width = canvas.width
        if shown.state.map is not None:
            # The portrait screen has tabs for what the map shows; here the board has one map.
            self._where = draw_picture(canvas, replace(self._picture(shown), mode=MODES[0]))

    portrait = True

    def draw_portrait(self, header: Canvas, body: Canvas, shown: TurnShown) -> None:
        self._width = body.width
        if shown.state.map is not None:
            picture = self._picture(shown)
            draw_portrait_ledger(header, picture.ledger)
            draw_body(body, picture, self.note(shown))

    tall_rows = 36

    def draw_tall(self, canvas: Canvas, shown: TurnShown) -> None:
        if shown.state.map is not None:
            draw_tall_picture(canvas, self._picture(shown))

    def tick(self, shown: TurnShown) -> None:
        """Rolls the dice of the player's own turn when it begins, but not when the screen opens in the middle of it."""
        turn = self._position(shown).form
        if turn is not None and turn is not self._turn:
            self._turn, self._rolled_at = turn, shown.now if shown.since < STILL else -STILL
        self._rolls = turn is not None and shown.now < self._rolled_at + OWN_ROLL

    def next_frame(self, shown: TurnShown) -> float | None:
        position = self._position(shown)
        if position.form is not None and shown.now < self._rolled_at + OWN_ROLL:
            return shown.now + FRAME
        if shown.since < TUMBLE + ALARMING and self._position(replace(shown, since=STILL)).cut_off():
            return shown.now + BLINK / 2
        return None

    @property
    def modal(self) -> bool:
        """Whether the dice of the player's own turn still roll: no key may deal in a sector that is not known yet."""
        return self._rolls

    def _position(self, shown: TurnShown) -> LandPosition:
        return LandPosition(shown, self.names, self.you, self._rolled_at)

    def _picture(self, shown: TurnShown) -> Picture:
        position = self._position(shown)
        form, state = position.form, position.state
        assert state.map is not None
        play, cursor = position.in_play(), self.cursor
        here = cursor.parcel if cursor.roams or (form is not None and not self._rolls) else None
        sector = play.sector or (0, 0)
        if form is not None:
            form.boxed = self._width >= LANDSCAPE.columns
        return Picture(
            map=state.map,
            land=state.land,
            ledger=position.ledger(),
            mode=self._mode,
            sector=play.sector,
            shown=sector if here is None else state.map.sector_of(here),
            dice=play.dice,
            cursor=here,
            lit=position.cut_off(),
            marks=form.marks if form is not None else frozenset(),
            signs=signs(play.dealt),
            drafted=form.summary() if form is not None else "",
            stepper=_stepper(form) if form is not None and (form.pricing or not form.boxed) else None,
            openings=position.openings(),
            message=position.message(),
            log=position.log(),
            buttons=form.buttons() if form is not None and not self._rolls else (),
            rolling=self._rolls,
            over=shown.result is not None,
            taxed=position.taxed,
        )

    # -- in words ------------------------------------------------------------------------------------------------------

    def news(self, events: Sequence[GameEvent]) -> tuple[str, bool]:
        own = [loss for event in events for loss in river_losses(event) if loss.seat == self.you]
        return (loss_sentence(own[-1], self.names, self.you), True) if own else ("", False)

    def note(self, shown: TurnShown) -> str:
        state, last = shown.state, shown.last
        number = last.number if isinstance(last, TurnPlayed) and not self._position(shown).turn_runs else state.turn
        return round_of(number, state.limit)

    def strip(self, shown: TurnShown, room: int) -> tuple[str, str]:
        state, last = shown.state, shown.last
        if state.map is None:
            return "START", ROLLING_MAP if shown.result is None else NOBODY_PLAYED
        if shown.result is not None:
            solvent = [seat for seat in range(state.seats) if dict(state.gone).get(seat) != BANKRUPT]
            text = resignation(state, solvent, shown.result, self.names, self.you)
            text = text or bankruptcy(state, shown.result, self.names, self.you)
            why = outcome(self.names, shown.result, self.you, sentence_room(room, "THE END"))
            gone = [seat for seat in range(state.seats) if why_out(state, seat) == RESIGNED]
            if RESIGNED in why and state.gone and state.gone[-1][0] in gone:
                # The reason for the end names the last one already.
                gone.remove(state.gone[-1][0])
            return "THE END", text or " ".join((why, *departed(self.names, gone, self.you, why)))
        if shown.form is not None and self._rolls:
            return "ROLL", rolling(state.map)
        if shown.form is not None:
            form = shown.form
            text = form.sentence(sentence_room(room, form.phase))
            return form.phase, " ".join((*self._sold(shown), text))
        if shown.live and state.first is None:
            return "START", DRAWING
        if shown.live and self.you is not None and not shown.stepping:
            return self._waiting(state, self.you)
        if last is None:
            return "START", "The government owns all the land."
        phase = f"ROUND {last.number}" if isinstance(last, TurnPlayed) else "LEFT"
        if shown.playing:
            phase = mark(last.seat)
        return phase, self._happened(shown, last, sentence_room(room, phase))

    def _sold(self, shown: TurnShown) -> Sequence[str]:
        """Says what others bought from the player since the player's last turn, until a deal begins and unless there
        is something more urgent to say.
        """
        form = shown.form
        if not isinstance(form, TurnForm) or self.you is None or form.phase == "DEBT":
            return ()
        if form.draft.begun or form.marks or form.said or form.refusal:
            return ()
        others = list(takewhile(lambda event: event.seat != self.you, reversed(shown.past)))[::-1]
        return bought_from(self.you, others, self.names)

    def _happened(self, shown: TurnShown, last: GameEvent, room: int) -> str:
        """Returns what happened last, in full if there is room."""
        position, who = self._position(shown), subject(self.names, last.seat, self.you)
        if position.rolls:
            return f"{who} {who.does('rolls')} the dice."
        deals = first_fitting(room, sentence(last, self.names, self.you), position.told(last, room))
        if not isinstance(last, TurnPlayed) or not last.dealt or cell_width(deals) <= max(room, MOST_TOLD):
            return deals
        ends = f" and {ends}" if (ends := ending(last, who)) else ""
        return f"{who} {who.does('makes')} {count_of(len(last.dealt), 'deal')} in sector {place(last.sector)}{ends}."

    def _waiting(self, state: State, you: int) -> tuple[str, str]:
        """Returns the text for a player with nothing to do."""
        whose = short_name(self.names, state.seat, NAME_ROOM)
        if not state.alive(you):
            return "OUT", f"It is {whose}’s turn; you are out."
        if state.seat == you:
            return "ROLL", "Your turn: rolling the dice."
        where = f" in sector {place(state.sector)}" if state.sector else ""
        return "WAIT", f"It is {whose}’s turn{where}."

    # -- keys and the mouse --------------------------------------------------------------------------------------------

    def hints(self, shown: TurnShown) -> Sequence[Hint]:
        hints = [Hint("t", "ledger")]
        if self._width >= LANDSCAPE.columns:
            # On a portrait screen, all that the map can show stands beside it.
            hints.insert(0, Hint("o", "overview"))
        if shown.form is not None or shown.stepping:
            return hints
        return [Hint("← → ↑ ↓", "look around", "nothing"), *hints]

    def key(self, name: str, shown: TurnShown, ui: Ui) -> bool:
        if shown.state.map is None:
            return False
        if self._rolls and shown.now < self._rolled_at + OWN_ROLL:
            self._rolled_at = -STILL
            return len(name) == 1 or name == "enter"
        match name:
            case "up" | "down" | "left" | "right" if not shown.stepping:
                self._walk(name, shown)
            case "esc" if self.cursor.roams:
                self._come_back(shown)
            case "home" | "esc" if not shown.stepping:
                self._come_back(shown)
            case "o":
                self._open_overview(shown, ui)
            case "t":
                self._open_ledger(shown, ui)
            case _:
                return False
        return True

    def _open_overview(self, shown: TurnShown, ui: Ui) -> None:
        """Opens the map as large as it can be. A click there looks at that place."""
        ui.push(OverviewScreen(ui, self._picture(shown), lambda parcel: self._point(parcel, shown)))

    def _open_ledger(self, shown: TurnShown, ui: Ui) -> None:
        """Opens what everybody has, and what the land of a seat costs and brings, parcel by parcel."""
        if shown.state.map is not None:
            ui.push(AccountScreen(ui, self._picture(shown)))

    def _walk(self, way: str, shown: TurnShown) -> None:
        """Moves the cursor; outside the player's own turn, the first key only shows it in the sector in play."""
        assert shown.state.map is not None
        if self._position(shown).form is None and not self.cursor.roams:
            sector = self._position(shown).in_play().sector or (0, 0)
            self.cursor.parcel, self.cursor.roams = shown.state.map.parcels(*sector)[0], True
        else:
            self.cursor.walk(way, shown.state.map.side)

    def _come_back(self, shown: TurnShown) -> None:
        """Goes back to the sector in play."""
        form = self._position(shown).form
        self.cursor.roams = False
        if form is not None and self.cursor.parcel not in form.space.parcels:
            self.cursor.parcel = form.space.parcels[0]

    def click(self, action: Action, x: int, y: int, shown: TurnShown) -> bool:
        match action:
            case ("map",) if self._where is not None:
                self._point(self._where.scale.at(x - self._where.map.left, y - self._where.map.top), shown)
            case ("dice",):
                self._come_back(shown)
            case ("parcel", int(parcel)):
                self._point(parcel, shown)
            case ("sector", int(row), int(column)):
                self._look_at((row, column), shown)
            case ("mode", str(mode)):
                self._mode = mode
            case _:
                return False
        return True

    def _point(self, parcel: int, shown: TurnShown) -> None:
        self.cursor.parcel, self.cursor.roams = parcel, self._position(shown).form is None

    def _look_at(self, sector: tuple[int, int], shown: TurnShown) -> None:
        """Shows a sector that was touched. Touching the one in play leads back to it."""
        assert shown.state.map is not None
        if sector == self._position(shown).in_play().sector:
            self._come_back(shown)
        else:
            self._point(shown.state.map.parcels(*sector)[0], shown)

    def menu(self, shown: TurnShown, ui: Ui) -> list[MenuItem]:
        items = [MenuItem("Ledger, tax and revenue", "t", lambda: self._open_ledger(shown, ui))]
        if self._width >= LANDSCAPE.columns:
            items.insert(0, MenuItem("Overview", "o", lambda: self._open_overview(shown, ui)))
        return items

    def on_position_changed(self) -> None:
        # A player goes on looking around while others take their turns.
        if self.you is None:
            self.cursor.roams = False

    def help(self, shown: TurnShown) -> Help:
        out = self.you is not None and not shown.state.alive(self.you)
        form = self._position(shown).form
        # While the dice of the player's own turn are rolled, there is no form yet.
        rolls = shown.live and shown.state.first is not None and shown.state.seat == self.you
        mine = form is not None or rolls
        return help_text.for_turn(mine, out, debt=form is not None and form.now.cash < 0)


def _stepper(form: TurnForm) -> Stepper:
    return Stepper(form.entry.text or price(form.pending), bool(form.entry.text), form.chosen, form.price_tax())
