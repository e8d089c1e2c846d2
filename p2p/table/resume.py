"""Back from a journal: the seat as it was when its process ended, whatever ended it.

The Peer is rebuilt by giving it all its inputs again. It signs the very envelopes that the journal says were signed,
or the journal must not be continued. What is `due` are inputs of its own accord that the end came before.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from games.table import Game, Plain
from p2p.common_options import CUP
from p2p.files import StorageTrouble
from p2p.identity import Identity
from p2p.journal import Contents, DamagedJournal, Entry, Journal, busy, journals, read
from p2p.mark import OldJournal, signed_before
from p2p.places import Places
from p2p.runner import FORGOTTEN, apply
from p2p.text import clean
from p2p.trouble import Trouble
from protocol.events import AuditDue, Event, Forgot, Said, Send
from protocol.peer import Peer
from protocol.play import Refused
from protocol.roster import BadRoster, seed_hash

log = logging.getLogger(__name__)

GIVEN_UP: Final = "This game was given up ({reason}). What was played of it is among the records."
IN_A_CUP: Final = "This game belongs to a tournament: join that again, and you are led to it if it is still played."
STRANGE: Final = (
    "{path} does not lead to what it says was signed. It was written by another version of the program, perhaps: use "
    "that one, or put back a copy of the journal. This one is not continued, for your seat might contradict itself."
)


@dataclass(frozen=True)
class Rebuilt:
    """A seat as its journal gives it back. `mine` are its envelopes, in order; the journal is open for this process."""

    journal: Journal
    contents: Contents
    game: Game
    peer: Peer
    mine: tuple[bytes, ...]
    talk: tuple[Said, ...]
    due: tuple[Entry, ...]
    places: Places


def rebuild(path: Path, find: Callable[[str], Game], identity: Identity) -> Rebuilt:
    """The seat of a journal, which from now on is this process's. It takes as long as checking the game once.

    Raises Trouble, with what to do: where another process plays the seat, where the journal is damaged, old, given up,
    or of another identity, where its game is not installed.
    """
    journal, contents = Journal.resume(path)
    try:
        return _rebuilt(journal, contents, find, identity)
    except Trouble:
        journal.close()
        raise
    except Exception as error:
        journal.close()
        log.exception("%s could not be taken up", path)
        raise DamagedJournal(STRANGE.format(path=path)) from error


def _rebuilt(journal: Journal, contents: Contents, find: Callable[[str], Game], identity: Identity) -> Rebuilt:
    """Raises Trouble; anything else where the journal makes no sense."""
    path, table = journal.path, contents.table
    if (reason := refusal(contents, identity.public)) is not None:
        raise Trouble(reason)
    try:
        table.check()
    except BadRoster as error:
        raise DamagedJournal(f"{path} holds a table that was not signed ({error}). Move it away.") from None
    if seed_hash(contents.seed) != table.roster.seats[contents.seat].seed_hash:
        raise DamagedJournal(f"{path} holds another seed than its seat has signed for. Move it away.")
    game = _game(find, table.roster.game, table.roster.rules)
    peer = Peer(game, table, contents.seat, contents.seed, identity.sign)
    events = replay(peer, contents.entries, path)
    kinds = [entry[0] for entry in contents.entries]
    due: list[Entry] = [] if "started" in kinds else [("started",)]
    if any(isinstance(event, AuditDue) for event in events) and "concluded" not in kinds:
        due.append(("concluded",))
    mine = tuple(event.envelope for event in events if isinstance(event, Send))
    journal.mark()
    talk = tuple(event for event in events if isinstance(event, Said))
    return Rebuilt(journal, contents, game, peer, mine, talk, tuple(due), Places.read(contents.entries, table))


def replay(peer: Peer, entries: Iterable[Entry], path: Path) -> list[Event]:
    """Gives a new Peer the entries of a journal. Returns all its events. Raises DamagedJournal."""
    events: list[Event] = []
    signed: list[bytes] = []
    written: list[bytes] = []
    for entry in entries:
        match entry:
            case ("sent", bytes() as envelope):
                written.append(envelope)
            case _:
                try:
                    apply(peer, entry)
                except Refused as error:
                    raise DamagedJournal(STRANGE.format(path=path)) from error
                new = peer.take()
                signed += [event.envelope for event in new if isinstance(event, Send)]
                events += new
    if any(isinstance(event, Forgot) for event in events):
        raise DamagedJournal(FORGOTTEN)
    if signed != written:
        raise DamagedJournal(STRANGE.format(path=path))
    return events


def refusal(contents: Contents, identity: bytes) -> str | None:
    """Why the seat of a journal is not to be taken again; None if it is."""
    if contents.closed is not None:
        return GIVEN_UP.format(reason=clean(contents.closed, 200).rstrip(".") or "no reason was kept")
    if contents.table.roster.seats[contents.seat].identity != identity:
        return (
            "This journal is of another identity than the one in the data folder: put that one back, or name its folder"
            " with --data."
        )
    return None


def _game(find: Callable[[str], Game], name: str, rules: int) -> Game:
    """Raises Trouble."""
    shown = clean(name, 40)
    try:
        game = find(name)
    except LookupError:
        raise Trouble(
            f"This game is of {shown!r}, which is not installed here. Install it, and resume again."
        ) from None
    if game.revision != rules:
        raise Trouble(
            f"This game was begun with revision {rules} of the rules of {game.title}, you have {game.revision}: "
            "use the version of the program that it was begun with."
        )
    return game


@dataclass(frozen=True, slots=True)
class Kept:
    """A game that waits in the journals. `people` are the nicknames at its seats, `seat` is one's own; `choices` were
    made so far; `written` is when, in seconds since 1970. `problem` says why it cannot be resumed, None if it can.
    """

    path: Path
    game: str = ""
    game_id: bytes = b""
    people: tuple[str, ...] = ()
    seat: int = 0
    choices: int = 0
    written: float = 0.0
    problem: str | None = None

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(name for seat, name in enumerate(self.people) if seat != self.seat)


def kept(data: Path, identity: bytes) -> tuple[Kept, ...]:
    """The games of an identity that were not finished and not given up, the latest first; those that cannot be resumed
    as they are, too.
    """
    found = []
    for path in journals(data):
        try:
            contents = read(path)
            written = path.stat().st_mtime
            taken = busy(path)
        except (StorageTrouble, OSError) as error:
            found.append(Kept(path, problem=str(error)))
            continue
        roster = contents.table.roster
        if contents.closed is not None or roster.seats[contents.seat].identity != identity:
            continue
        people = tuple(clean(place.nickname) or "player" for place in roster.seats)
        choices = sum(entry[0] == "chose" for entry in contents.entries)
        problem = "It is being played now, in another window perhaps." if taken else _forgets(contents, path)
        if problem is None and roster.option(CUP) is not None:
            problem = IN_A_CUP
        found.append(Kept(path, roster.game, contents.table.game_id, people, contents.seat, choices, written, problem))
    return tuple(found)


def _forgets(contents: Contents, path: Path) -> str | None:
    """What to do about a journal that lacks what its seat has signed on this machine; None where it is the latest."""
    try:
        signed_before(contents.table.game_id, contents.seat).check(contents.sent, path)
    except OldJournal as error:
        return str(error)
    return None


@dataclass(frozen=True, slots=True)
class FormerBot:
    """A bot that played in the program whose journals these are, and the note that says how."""

    path: Path
    identity: Identity
    note: Plain


def bots_of(data: Path, game_id: bytes) -> list[FormerBot]:
    """The bots of one game."""
    found = []
    for path in journals(data):
        if not path.name.startswith(game_id.hex()[:16]):
            continue
        try:
            contents = read(path)
        except StorageTrouble:
            continue
        match contents.entries[:1]:
            case (("bot", bytes() as secret, note),) if len(secret) == 32 and contents.table.game_id == game_id:
                found.append(FormerBot(path, Identity.of(secret), note))
    return found


def choose(games: Sequence[Kept], wanted: str | None) -> Kept:
    """The one that is meant: by the game's id, the nickname of another seat, or the beginning of the journal's name;
    None for the only one, or the latest. Raises Trouble.
    """
    if not games:
        raise Trouble("No game waits to be resumed here. Is it in another folder? Name that one with --data.")
    if wanted is None:
        return next((game for game in games if game.problem is None), games[0])
    name = wanted.casefold()
    fitting = [
        game
        for game in games
        if name == game.game.casefold()
        or name in (other.casefold() for other in game.others)
        or (len(name) > 3 and game.path.name.startswith(name))
    ]
    if not fitting:
        known = "; ".join(f"{game.game} against {', '.join(game.others)}" for game in games if game.game)
        raise Trouble(f"No game of {clean(wanted, 40)!r} waits to be resumed here, but these: {known}.")
    return next((game for game in fitting if game.problem is None), fitting[0])
