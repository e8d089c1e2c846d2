"""`kimberley replay FILE`: shows a record, or a game written as text, step by step on its board or in lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from kimberley.client.boards.game_board import WrittenGame
from kimberley.client.boards.live_context import names_of
from kimberley.client.boards.registry import find_board, timeline_of
from kimberley.client.session.settings import Settings
from kimberley.client.session.verdicts import ask_for_patience, game_in
from kimberley.client.ui.screen import Screen, Ui
from kimberley.games import lookup
from kimberley.games.table import HIDDEN, NOTHING, Answer, Ask, Item
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.base.terminal import fitted
from kimberley.p2p.base.text import clean
from kimberley.p2p.sentences.verdicts import MOST_SHOWN, verdict_lines
from kimberley.p2p.storage.files import read_file
from kimberley.protocol.audit import DAMAGED, FAIR, AuditedGame

MOST_TEXT: Final = 1 << 20
"""The most bytes of a game written as text."""
INDENT: Final = " " * 6
"""Before the further rows of a line that a terminal breaks: below its words, after its number."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """An ask of a finished game with its answer. HIDDEN stands only for what no seat has published."""

    number: int
    ask: Ask
    answer: Answer


def run(path: Path, settings: Settings, *, plain: bool, as_json: bool, step: int | None) -> int:
    """Shows a record or a written game. Raises UserError if the file has no game that can be shown."""
    if (text := _text_of(path)) is not None:
        return _run_written(path, text, settings, plain=plain, as_json=as_json, step=step)
    ask_for_patience(path)
    audited = _game(path)
    roster = audited.record.table.roster
    names = names_of(roster)
    if not (plain or as_json):
        if audited.verdict.result is None:
            raise UserError(f"{path} holds no game with a result. To read its moves, add --plain.")
        from kimberley.client.cli import play

        return play.show(settings, lambda app: find_board(roster.game).replay(audited, names, app, step), roster.game)
    lines = [json.dumps(as_plain(line)) for line in steps(audited)] if as_json else _in_sentences(audited)
    if lines:
        print("\n".join(lines if as_json else (fitted(line, INDENT) for line in lines)))
    if plain:
        # The dossier tells everything, which is known only for a fair game.
        fair = audited.verdict.code == FAIR
        told = find_board(roster.game).dossier(audited, names, None).lines if fair else verdict_lines(audited.verdict)
        print("\n".join((*([""] if lines else []), *map(fitted, told))))
    return 0


def draw(path: Path) -> int:
    """Writes the picture of the end of a game beside its record. Raises UserError."""
    from kimberley.client.boards.end_picture import save_picture

    if _text_of(path) is not None:
        raise UserError(f"{path} is text: --picture is for records.")
    ask_for_patience(path)
    audited = _game(path)
    print(save_picture(audited, names_of(audited.record.table.roster), path))
    return 0


def _in_sentences(audited: AuditedGame) -> list[str]:
    """Returns everything that happened, numbered as on the board, under the headings of the log."""
    roster = audited.record.table.roster
    timeline = timeline_of(roster.game, roster)
    timeline.refresh(audited.story, audited.result)
    lines, before = [], ""
    for at in range(1, len(timeline.steps) + 1):
        if (heading := timeline.heading(at)) != before:
            lines.append(heading)
            before = heading
        lines += [
            f"{at if not number else '':>4}  {sentence}" for number, sentence in enumerate(timeline.sentences(at))
        ]
    return lines


def _game(path: Path) -> AuditedGame:
    return game_in(path, "replayed", lambda game: game.verdict.code != DAMAGED)


def _text_of(path: Path) -> str | None:
    """Returns the text of a text file; None for any other file, such as a record or an empty one."""
    try:
        text = read_file(path, MOST_TEXT).decode()
    except (OSError, UnicodeDecodeError):
        return None
    return text if text.strip() and text.replace("\n", " ").replace("\t", " ").isprintable() else None


def _run_written(path: Path, text: str, settings: Settings, *, plain: bool, as_json: bool, step: int | None) -> int:
    """Shows a game that was written as text. Raises UserError."""
    if as_json:
        raise UserError(f"{path} is text: --json is for records.")
    why = []
    for name in lookup.ids():
        try:
            written = find_board(name).read_text(text)
        except ValueError as error:
            why.append(f"As {lookup.find(name).title}, {clean(str(error), MOST_SHOWN)}.")
            continue
        if written is None:
            continue
        if plain:
            print("\n".join(written.lines))
            return 0
        from kimberley.client.cli import play

        return play.show(settings, partial(_opened, written, step), name)
    refused = f"{path} cannot be replayed: it is neither a record nor a game written as text."
    raise UserError(" ".join((refused, *why)))


def _opened(written: WrittenGame, step: int | None, ui: Ui) -> Screen:
    return written.replay(ui, step)


def steps(audited: AuditedGame) -> Iterator[ReplayStep]:
    """Yields every complete step of a game, with all that its audit could prove."""
    for number, (ask, answer) in enumerate(audited.story):
        yield ReplayStep(number, ask, answer)


def as_plain(step: ReplayStep) -> Mapping[str, Any]:
    """Returns a step as plain data, for a program.

    Bytes are in hexadecimal. {"hidden": true} stands for something unknown, {"nothing": true} for a disclosure that the
    receiver could not read, and {"item": its number, "parts": what is known about it} for an item of a bag.
    """
    return {"step": step.number, "ask": step.ask.kind, "topic": step.ask.details, "answer": _json(step.answer)}


def _json(answer: Answer) -> Any:
    if answer is HIDDEN:
        return {"hidden": True}
    if answer is NOTHING:
        return {"nothing": True}
    if isinstance(answer, tuple):
        return [_json(part) for part in answer]
    if isinstance(answer, Item):
        return {"item": answer.handle, "parts": [_json(part) for part in answer.parts]}
    return answer.hex() if isinstance(answer, bytes) else answer
