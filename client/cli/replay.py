"""`kimberley replay FILE`: a record step by step, on its board or as text; or a game that was written as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from client.board import ReadsText, find_board
from client.moments import names_of
from client.settings import Settings
from client.story import in_text, kind, topic
from client.verify import MOST_SHOWN, ask_for_patience, judge
from games import lookup
from games.table import HIDDEN, NOTHING, Answer, Ask, Game, Item
from p2p.text import clean
from p2p.trouble import Trouble
from protocol import audit
from protocol.record import Record

MOST_TEXT: Final = 1 << 20
"""Bytes of a game that is written as text."""


@dataclass(frozen=True, slots=True)
class Step:
    """An ask of a finished game with its answer: nothing is HIDDEN in it but what no seat has published."""

    number: int
    ask: Ask
    answer: Answer


def run(path: Path, settings: Settings, *, plain: bool, as_json: bool, step: int | None) -> int:
    """Shows the record, or the written game. Raises Trouble for a file that holds no game that can be shown."""
    if (text := _text_of(path)) is not None:
        return _run_written(path, text, settings, plain=plain, as_json=as_json, step=step)
    ask_for_patience(path)
    verdict = judge(path)
    if verdict.code in (audit.DAMAGED, audit.UNKNOWN):
        raise Trouble(f"{path} cannot be replayed: {clean(verdict.reason, MOST_SHOWN)}.")
    record = Record.unpack(path.read_bytes())
    game = lookup.find(record.table.roster.game)
    names = names_of(record.table.roster)
    if not (plain or as_json):
        if verdict.result is None:
            raise Trouble(f"{path} holds no whole game: with --plain its steps can be read.")
        from client import app

        return app.run(settings, start=app.Replay(record, names, step))
    for line in steps(game, record, fair=verdict.code != audit.UNFAIR):
        if as_json:
            print(json.dumps(as_plain(line)))
        else:
            print(f"{line.number:4}  {kind(line.ask)} {topic(line.ask)}: {in_text(line.answer)}")
    if plain and verdict.code == audit.FAIR:
        print("\n".join(("", *find_board(game.id).dossier(record, names, None).lines)))
    return 0


def _text_of(path: Path) -> str | None:
    """What a text file says; None for any other file, a record among them."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_TEXT + 1)
        text = data.decode()
    except (OSError, UnicodeDecodeError):
        return None
    return text if len(data) <= MOST_TEXT and text.replace("\n", " ").replace("\t", " ").isprintable() else None


def _run_written(path: Path, text: str, settings: Settings, *, plain: bool, as_json: bool, step: int | None) -> int:
    """Shows a game that was written as text. Raises Trouble."""
    if as_json:
        raise Trouble(f"{path} is text: --json is for records.")
    why = []
    for name in lookup.ids():
        board = find_board(name)
        if isinstance(board, ReadsText):
            try:
                written = board.written(text)
            except ValueError as error:
                why.append(f"as {lookup.find(name).title}: {clean(str(error), MOST_SHOWN)}")
                continue
            if plain:
                print("\n".join(written.lines))
                return 0
            from client import app

            return app.run(settings, start=app.ReplayWritten(written, step))
    raise Trouble(f"{path} cannot be replayed: it is no record, and no game written as text ({'; '.join(why)}).")


def steps(game: Game, record: Record, *, fair: bool) -> Iterator[Step]:
    """Every complete step of a record that holds together, with all that its seats published.

    Where one of them deviated (not `fair`) only what all saw is told: what it published proves nothing.
    """
    onlooker, _ = audit.replay(game, record)
    story = onlooker.truth() if fair and onlooker.shown else onlooker.story
    for number, (ask, answer) in enumerate(story):
        yield Step(number, ask, answer)


def as_plain(step: Step) -> Mapping[str, Any]:
    """A step for a program: bytes in hexadecimal, {"hidden": true} for the unknown, {"nothing": true} for no tell,
    {"item": its number, "parts": what is known of it} for what was shuffled.
    """
    return {"step": step.number, "ask": kind(step.ask), "topic": topic(step.ask), "answer": _json(step.answer)}


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
