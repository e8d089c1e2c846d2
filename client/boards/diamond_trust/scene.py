"""The lower screen: the map with all that stands on it, drawn from a `Scene`.

A scene says what is where, and nothing about phases or input; the game, its animations and the replay all make scenes.
The areas that can be clicked are laid out here: ("agent", seat, agent), what is noted about one as ("tag", seat, agent,
place), ("region", region), ("home", seat), ("inspector",).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from kimberley.client.boards.diamond_trust.map_background import LIGHTS, MapBackground, ground
from kimberley.client.boards.diamond_trust.map_geometry import BADGE_ROOM, CellSpot, MapPlaces, places
from kimberley.client.ui.canvas import Action, Canvas
from kimberley.client.ui.geometry import Area
from kimberley.client.ui.glyphs import cell_width as cells_of
from kimberley.client.ui.palette import Color, Depth
from kimberley.client.ui.spans import Span, Spans
from kimberley.games.diamond_trust.angola import HOME, HOMES, REGIONS

SIDES: Final = ("london", "antwerp")
SIDE_TEXTS: Final = ("london_text", "antwerp_text")


def badge(seat: int, agent: int | None) -> str:
    """Returns an agent's badge, its shape by its side: [1] or (1). Without a number it is the side's own mark."""
    number = " " if agent is None else str(agent + 1)
    return f"({number})" if seat else f"[{number}]"


def on_side(seat: int, text: str) -> Span:
    """Returns text on the badge color of a side."""
    return Span(text, SIDE_TEXTS[seat], True, SIDES[seat])


@dataclass(frozen=True, slots=True)
class Piece:
    """An agent on the map. `chosen` puts ▸ ◂ around it; `faded` is how an agent looks while its badge flies.

    The diamonds that it `carries` stand beside its head.
    """

    seat: int
    agent: int
    place: int
    waving: bool = False
    heart: bool = False
    chosen: bool = False
    faded: bool = False
    carries: int = 0


class Where(Enum):
    """Where a tag is put if there is room: in the free slot of its side, right of its agent's badge, or below it.

    INSPECTOR is the Inspector's slot.
    """

    SLOT = "slot"
    BESIDE = "beside"
    BELOW = "below"
    INSPECTOR = "inspector"


@dataclass(frozen=True, slots=True)
class Tag:
    """Something noted at a place about an agent: a plan, a payment."""

    seat: int
    agent: int
    place: int
    parts: Spans
    where: Where


class LineStyle(Enum):
    """How a trip is drawn: a side's own dashes or dots, or a plan told by a turned agent."""

    LONDON = 0
    ANTWERP = 1
    TOLD = 2


@dataclass(frozen=True, slots=True)
class Trip:
    """A line from one place to another, drawn as far as `progress` (0 to 1); `rider` moves at its head.

    If it is the Inspector's, he is at its head unless `planned`.
    """

    line: LineStyle
    seat: int
    agent: int
    start: int
    end: int
    progress: float = 1.0
    rider: Span | None = None
    inspector: bool = False
    planned: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """All that stands on the map. `dark` holds the regions that cannot be chosen, `focus` the one under the cursor."""

    stocks: tuple[int, ...]
    vaults: tuple[int | None, ...]
    inspector: int
    pieces: tuple[Piece, ...] = ()
    tags: tuple[Tag, ...] = ()
    trips: tuple[Trip, ...] = ()
    dark: frozenset[int] = frozenset()
    focus: int | None = None
    frame: int = 0
    inspector_chosen: bool = False


class _Pen:
    """Draws one scene on a canvas, and knows which cells are taken."""

    def __init__(self, canvas: Canvas, scene: Scene) -> None:
        self.canvas = canvas
        self.scene = scene
        self.layout: MapPlaces = places(canvas.width, canvas.height)
        self.ground: MapBackground = ground(canvas.width, canvas.height, canvas.palette, canvas.ascii_only, scene.dark)
        self.taken: set[CellSpot] = {
            CellSpot(column, row)
            for box in self.layout.buttons
            for row in range(box.top, box.bottom)
            for column in range(box.left, box.right)
        }
        self.plates = canvas.palette.depth is Depth.BASIC

    def write(self, spot: CellSpot, parts: Iterable[Span]) -> None:
        """Writes text over the map; what has no ground of its own gets the flat ground of each cell."""
        column = spot.column
        for part in parts:
            if part.bg is not None:
                end = self.canvas.put(column, spot.row, part.text, part.fg, part.bg, part.bold)
            else:
                end = column
                for character in part.text:
                    flat = self.ground.flat(end, spot.row)
                    end = self.canvas.put(end, spot.row, character, part.fg, flat, part.bold)
            self.take(CellSpot(column, spot.row), end - column)
            column = end

    def take(self, spot: CellSpot, room: int) -> None:
        self.taken.update(CellSpot(column, spot.row) for column in range(spot.column, spot.column + room))

    def free(self, spot: CellSpot, room: int) -> bool:
        return -1 <= spot.column <= self.canvas.width + 1 - room and not any(
            CellSpot(column, spot.row) in self.taken for column in range(spot.column, spot.column + room)
        )

    # -- what never moves --------------------------------------------------------------------------------------------

    def names(self) -> None:
        for region, where in enumerate(self.layout.regions):
            name = REGIONS[region]
            bg: Color = "ink" if self.plates else self.ground.color(region)
            if region in self.scene.dark:
                parts = (Span(f"({name})", "soft", False, bg),)
                self.write(CellSpot(where.name.column - 1, where.name.row), parts)
            elif region == self.scene.focus:
                self.write(CellSpot(where.name.column - 1, where.name.row), (Span(f"▸{name}◂", "ink", True, "paper"),))
            else:
                self.write(where.name, (Span(name, "bright", True, bg),))
            self.stock(region, where.stock)

    def stock(self, region: int, spot: CellSpot) -> None:
        stock = self.scene.stocks[region]
        frozen = region == self.scene.inspector
        fg = "soft" if frozen or not stock else "ice"
        self.write(spot, (Span(f" {'✗' if frozen else '◆'}{stock} ", fg, True, "border"),))

    def atlantic(self) -> None:
        spot = self.layout.atlantic
        text = "ATLANTIC" if self.canvas.width < 100 else "A T L A N T I C"
        for shift, letter in enumerate(text):
            column = spot.column + shift
            self.canvas.put(column, spot.row, letter, "line", self.ground.flat(column, spot.row))

    def homes(self) -> None:
        for seat, inset in enumerate(self.layout.insets):
            vault = self.scene.vaults[seat]
            text = f" ◆ {'?' if vault is None else vault} "
            self.canvas.right(inset.right - 2, inset.bottom - 1, text, "ice", "border", bold=True)
            if self.scene.focus == HOME + seat:
                self.canvas.put(inset.left + 2, inset.top, f"▸{HOMES[seat].upper()}◂", "ink", "paper", bold=True)

    # -- agents ------------------------------------------------------------------------------------------------------

    def inspector(self) -> None:
        travels = any(trip.inspector and not trip.planned for trip in self.scene.trips)
        if travels or not 0 <= self.scene.inspector < len(REGIONS):
            return
        spot = self.layout.regions[self.scene.inspector].slots[2]
        self.figure(spot, Span(" UN ", "ink", True, "paper"), "ice", 4)
        if self.scene.inspector_chosen:
            self.write(CellSpot(spot.column - 1, spot.row), (Span("▸", "bright", True),))
            self.write(CellSpot(spot.column + 4, spot.row), (Span("◂", "bright", True),))
        self.hit(spot, 4, ("inspector",))

    def figure(self, spot: CellSpot, body: Span, light: Color, room: int) -> None:
        """Draws a head, a badge and, where there is room, legs."""
        head = "▄" * (room - 2)
        self.write(CellSpot(spot.column + 1, spot.row - 1), (Span(head, light),))
        self.write(spot, (body,))
        if self.layout.legs:
            assert body.bg is not None
            self.take(CellSpot(spot.column, spot.row + 1), room)
            self.write(CellSpot(spot.column, spot.row + 1), (Span("▀", body.bg),))
            self.write(CellSpot(spot.column + room - 1, spot.row + 1), (Span("▀", body.bg),))

    def piece(self, piece: Piece) -> None:
        spot = self.layout.slot(piece.seat, piece.agent, piece.place)
        if piece.faded:
            self.write(spot, (Span(badge(piece.seat, piece.agent), LIGHTS[piece.seat]),))
            return
        self.figure(spot, on_side(piece.seat, badge(piece.seat, piece.agent)), LIGHTS[piece.seat], 3)
        if piece.waving:
            arms = ("─", "─") if self.scene.frame % 2 else ("\\", "/")
            self.write(CellSpot(spot.column, spot.row - 1), (Span(arms[0], "bright", True),))
            self.write(CellSpot(spot.column + 2, spot.row - 1), (Span(arms[1], "bright", True),))
        if piece.carries:
            self.write(CellSpot(spot.column + 3, spot.row - 1), (Span(f"◆{piece.carries}", "ice", True),))
        end = spot.column + 3
        if piece.heart:
            self.write(CellSpot(end, spot.row), (Span("♥", "heart", True, "border"),))
            end += 1
        if piece.chosen:
            self.write(CellSpot(spot.column - 1, spot.row), (Span("▸", "bright", True),))
            # After a heart, the sign would lie over the frame of the home.
            if piece.place != HOME or end < self.layout.insets[piece.seat].right - 1:
                self.write(CellSpot(end, spot.row), (Span("◂", "bright", True),))
        room = end - spot.column
        self.hit(spot, room, ("agent", piece.seat, piece.agent))

    def hit(self, spot: CellSpot, room: int, action: Action) -> None:
        """Makes a figure an area to click: on a phone as large as a finger needs, up to the next figure."""
        if self.canvas.portrait:
            self.canvas.hit(spot.column, spot.row - 1, BADGE_ROOM, 3, action)
        else:
            self.canvas.hit(spot.column, spot.row - 1, room, 2 + self.layout.legs, action)

    # -- tags ----------------------------------------------------------------------------------------------------------

    def tag(self, tag: Tag) -> None:
        room = sum(cells_of(part.text) for part in tag.parts)
        wanted = self.spots(tag, room)
        # A cell of the map stays between a tag and its neighbors.
        spot = next((spot for spot in wanted if self.free(CellSpot(spot.column - 1, spot.row), room + 2)), wanted[0])
        spot = CellSpot(max(0, min(spot.column, self.canvas.width - room)), spot.row)
        self.write(spot, tag.parts)
        # On a phone a finger cannot tell it from its agent.
        agent = ("agent", tag.seat, tag.agent)
        meant: Action = agent if self.canvas.portrait else ("tag", tag.seat, tag.agent, tag.place)
        self.canvas.hit(spot.column, spot.row, room, 1, meant)

    def spots(self, tag: Tag, room: int) -> list[CellSpot]:
        """Returns where the tag may go, the best place first."""
        slot = self.layout.slot(tag.seat, tag.agent, tag.place)
        below = slot.row + 1 + self.layout.legs
        if tag.place == HOME:
            inset = self.layout.insets[tag.seat]
            middle = max(inset.left + 1, min(slot.column + (3 - room) // 2, inset.right - 1 - room))
            first, then = (slot.row - 2, below) if tag.where is Where.SLOT else (below, slot.row - 2)
            columns = (middle, *range(inset.left + 1, inset.right - room))
            return [CellSpot(column, row) for row in (first, then, slot.row - 1) for column in columns]
        where = self.layout.regions[tag.place]
        aside = where.tags[tag.seat]
        rows = (aside.row, aside.row + 1, where.name.row - 1)
        shifts = (*range(14), *range(-1, -25, -1))
        rest = [CellSpot(aside.column + shift, row) for row in rows for shift in shifts]
        match tag.where:
            case Where.SLOT:
                return [slot, *rest]
            case Where.BESIDE:
                return [CellSpot(slot.column + 4, slot.row), CellSpot(slot.column + 5, slot.row), *rest]
            case Where.BELOW:
                return [CellSpot(slot.column, below), *rest]
            case Where.INSPECTOR:
                return [where.slots[2], *rest]

    # -- trips ---------------------------------------------------------------------------------------------------------

    def heart_of(self, seat: int, agent: int, place: int, inspector: bool) -> tuple[float, float]:
        """Returns the pixel in the middle of a badge's head."""
        spot = self.layout.regions[place].slots[2] if inspector else self.layout.slot(seat, agent, place)
        return spot.column + (2.0 if inspector else 1.5), 2 * spot.row - 0.5

    def trip(self, trip: Trip) -> None:
        x0, y0 = self.heart_of(trip.seat, trip.agent, trip.start, trip.inspector)
        x1, y1 = self.heart_of(trip.seat, trip.agent, trip.end, trip.inspector)
        steps = max(round(abs(x1 - x0)), round(abs(y1 - y0)), 1)
        color: Color = "heart" if trip.line is LineStyle.TOLD else LIGHTS[trip.line.value]
        reached = round(steps * trip.progress)
        points = []
        for step in range(3, min(reached, steps - 1) + 1):
            drawn = step % 5 < 3 if trip.line is LineStyle.LONDON else step % 3 == 0
            if drawn:
                points.append((int(x0 + (x1 - x0) * step / steps), int(y0 + (y1 - y0) * step / steps)))
        self.dots(points, color, trip.line)
        if trip.rider is not None:
            x, y = x0 + (x1 - x0) * trip.progress, y0 + (y1 - y0) * trip.progress
            room = cells_of(trip.rider.text)
            column = max(0, min(round(x - room / 2), self.canvas.width - room))
            self.figure(CellSpot(column, round((y + 0.5) / 2)), trip.rider, "ice" if trip.inspector else color, room)

    def dots(self, points: Iterable[tuple[int, int]], color: Color, line: LineStyle) -> None:
        """Draws pixels of a line, or characters: those of what was told, and all where cells cannot be halved."""
        halves: dict[tuple[int, int], set[int]] = {}
        for x, y in points:
            if 0 <= x < self.canvas.width and 0 <= y < 2 * self.canvas.height:
                halves.setdefault((x, y // 2), set()).add(y % 2)
        for (column, row), pixels in halves.items():
            if self.canvas.ascii_only:
                mark = {LineStyle.LONDON: "=", LineStyle.ANTWERP: ":", LineStyle.TOLD: "v"}[line]
                self.canvas.put(column, row, mark, color, bold=True)
            elif line is LineStyle.TOLD:
                self.canvas.put(column, row, "•", color)
            elif pixels == {0, 1}:
                self.canvas.put(column, row, "█", color)
            else:
                half = pixels.pop()
                rest = self.ground.pixel(column, 2 * row + 1 - half)
                self.canvas.put(column, row, "▄" if half else "▀", color, rest)


def draw_scene(canvas: Canvas, scene: Scene, kept: Area | None = None) -> None:
    """Draws the map with all that stands on it over the whole of a canvas (see `map_geometry.places`). No tag stands in
    the area that is `kept`.
    """
    pen = _Pen(canvas, scene)
    if kept is not None:
        for row in range(kept.top, kept.bottom):
            pen.take(CellSpot(kept.left, row), kept.width)
    canvas.blit(0, 0, pen.ground.canvas)
    pen.atlantic()
    for trip in scene.trips:
        if trip.rider is None:
            pen.trip(trip)
    pen.names()
    pen.homes()
    pen.inspector()
    for piece in scene.pieces:
        pen.piece(piece)
    for tag in scene.tags:
        pen.tag(tag)
    for trip in scene.trips:
        if trip.rider is not None:
            pen.trip(trip)
