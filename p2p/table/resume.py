"""Restores a seat from its journal, as it was when its process ended, for whatever reason.

The Peer is given all its inputs again. It must sign the very envelopes that the journal holds; otherwise the journal
must not be continued. `due` inputs are those that the Peer's own program owed when it ended.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kimberley.games.phrases import join_names
from kimberley.games.table import Game, Plain
from kimberley.p2p.base.errors import NotRetryable, UserError
from kimberley.p2p.base.text import clean, quoted
from kimberley.p2p.storage.files import StorageError
from kimberley.p2p.storage.high_water_mark import StaleJournal, old_copy, read_high_water_mark
from kimberley.p2p.storage.identity import Identity
from kimberley.p2p.storage.journal import (
    DamagedJournal,
    Entry,
    Journal,
    JournalContents,
    in_use,
    is_open_here,
    list_journals,
    read_journal,
)
from kimberley.p2p.table.common_options import TOURNAMENT_MARK
from kimberley.p2p.table.peer_addresses import PeerAddresses
from kimberley.p2p.table.runner import apply
from kimberley.protocol.encoding import Malformed
from kimberley.protocol.envelope import LEAVE, Envelope
from kimberley.protocol.events import AuditDue, Event, OutdatedState, Send
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import NotAllowed
from kimberley.protocol.roster import BadRoster, seed_hash

log = logging.getLogger(__name__)

MOST_PERIOD: Final = 24
"""The most letters that say how far a game is."""
GIVEN_UP: Final = "This game was ended ({reason}). Its record holds what was played."
IN_A_TOURNAMENT: Final = (
    "This game belongs to a tournament. Join it again: it takes you back to your game if it is still open."
)
STRANGE: Final = (
    "{path} does not match the messages your seat has signed. Another version of the program may have written it: use "
    "that version, or put back a copy of the saved game. It cannot be used as it is: your program might contradict "
    "what it has signed, which counts as cheating."
)


@dataclass(frozen=True)
class RestoredSeat:
    """A seat as restored from its journal. `journal` is open for this process; None for a seat that needs none."""

    journal: Journal | None
    contents: JournalContents
    game: Game
    peer: Peer
    talk: tuple[tuple[bytes, str], ...]
    """The speakers and their lines, as this seat heard them."""
    due: tuple[Entry, ...]
    places: PeerAddresses

    def release(self) -> None:
        """Releases the journal."""
        if self.journal is not None:
            self.journal.close()


def restore_seat(path: Path, find: Callable[[str], Game], identity: Identity) -> RestoredSeat:
    """Restores the seat of a journal for this process. Takes as long as checking the game once.

    Raises:
        UserError: With what to do: another process plays the seat; the journal is damaged, old, given up, or of another
            identity; or its game is not installed.

    """
    journal, contents = Journal.resume(path)
    try:
        return _rebuilt(journal, contents, find, identity)
    except UserError:
        journal.close()
        raise
    except Exception as error:
        journal.close()
        log.exception("%s could not be taken up", path)
        raise DamagedJournal(STRANGE.format(path=path)) from error


def _rebuilt(
    journal: Journal, contents: JournalContents, find: Callable[[str], Game], identity: Identity
) -> RestoredSeat:
    """Raises UserError; any other exception if the journal makes no sense."""
    path, table = journal.path, contents.table
    if (reason := refusal(contents, identity.public)) is not None:
        raise NotRetryable(reason)
    try:
        table.check()
    except BadRoster as error:
        raise DamagedJournal(f"{path} has a table that was not signed ({error}). Move it away.") from None
    if seed_hash(contents.seed) != table.roster.seats[contents.seat].seed_hash:
        raise DamagedJournal(f"{path} has a different seed from the one its seat signed. Move it away.")
    game = _game(find, table.roster.game, table.roster.rules)
    peer = Peer(game, table, contents.seat, contents.seed, identity.sign)
    events = replay_entries(peer, contents.entries, path)
    kinds = [entry[0] for entry in contents.entries]
    due: list[Entry] = [] if "started" in kinds else [("started",)]
    if any(isinstance(event, AuditDue) for event in events) and "concluded" not in kinds:
        due.append(("concluded",))
    journal.mark()
    places = PeerAddresses.read(contents.entries, table)
    return RestoredSeat(journal, contents, game, peer, heard_lines(contents.entries), tuple(due), places)


def heard_lines(entries: Iterable[Entry]) -> tuple[tuple[bytes, str], ...]:
    """Returns the chat of a journal: (speaker, text) of each line."""
    lines = []
    for entry in entries:
        match entry:
            case ("heard", bytes() as speaker, str() as text):
                lines.append((speaker, text))
    return tuple(lines)


def replay_entries(peer: Peer, entries: Iterable[Entry], path: Path) -> list[Event]:
    """Gives a new Peer the entries of a journal. Returns all its events. Raises DamagedJournal, StaleJournal."""
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
                except NotAllowed as error:
                    raise DamagedJournal(STRANGE.format(path=path)) from error
                new = peer.take()
                signed += [event.envelope for event in new if isinstance(event, Send)]
                events += new
    for event in events:
        if isinstance(event, OutdatedState):
            raise StaleJournal(old_copy(path, event.number + 1))
    if signed != written:
        raise DamagedJournal(STRANGE.format(path=path))
    return events


def refusal(contents: JournalContents, identity: bytes) -> str | None:
    """Returns why the seat of a journal cannot be resumed; None if it can."""
    if contents.closed is not None:
        return GIVEN_UP.format(reason=clean(contents.closed, 200).rstrip(".") or "no reason was saved")
    if contents.table.roster.seats[contents.seat].identity != identity:
        return (
            "This saved game belongs to a different identity. Put that identity back, or name its folder with --data."
        )
    return None


def _game(find: Callable[[str], Game], name: str, rules: int) -> Game:
    """Raises UserError."""
    try:
        game = find(name)
    except LookupError:
        raise NotRetryable(
            f"This game needs {quoted(name)}, which you have not installed. Install it and resume again."
        ) from None
    if game.revision != rules:
        raise NotRetryable(
            f"This game began with revision {rules} of the rules of {game.title}; you have {game.revision}. Use the "
            "version it began with."
        )
    return game


@dataclass(frozen=True, slots=True)
class ResumableGame:
    """An unfinished game in the journals. `people` are the nicknames by seat, and `keys` the identities; `seat` is
    this player's; `choices` counts those made so far; `period` says how far the game is, if the game counts that;
    `written` is in seconds since 1970. `problem` says why it cannot be resumed; None if it can. `alone` is what
    `played_bots` says. `left` are the seats that have left for good.
    """

    path: Path
    game: str = ""
    game_id: bytes = b""
    people: tuple[str, ...] = ()
    seat: int = 0
    choices: int = 0
    written: float = 0.0
    problem: str | None = None
    keys: tuple[bytes, ...] = ()
    period: str = ""
    alone: bool = False
    left: frozenset[int] = frozenset()

    @property
    def others(self) -> tuple[str, ...]:
        """Returns the nicknames of those who still play."""
        return tuple(name for seat, name in enumerate(self.people) if seat != self.seat and seat not in self.left)


def list_resumable_games(data: Path, identity: bytes) -> tuple[ResumableGame, ...]:
    """Returns the games of an identity that are neither finished nor given up, the latest first, including those with a
    problem. A game that this process plays, or is just leaving, is not among them.
    """
    games = []
    for path in list_journals(data):
        # Asked before the journal is read: a game that is closed in between has noted that by then.
        if is_open_here(path):
            continue
        try:
            contents = read_journal(path)
            written = path.stat().st_mtime
            taken = in_use(path)
        except (StorageError, OSError) as error:
            games.append(ResumableGame(path, problem=str(error)))
            continue
        roster = contents.table.roster
        if contents.closed is not None or roster.seats[contents.seat].identity != identity:
            continue
        people = tuple(clean(place.nickname) or "player" for place in roster.seats)
        choices = sum(entry[0] == "chose" for entry in contents.entries)
        problem = "It is open in another program." if taken else _forgets(contents, path)
        if problem is None and roster.option(TOURNAMENT_MARK) is not None:
            problem = IN_A_TOURNAMENT
        games.append(
            ResumableGame(
                path,
                roster.game,
                contents.table.game_id,
                people,
                contents.seat,
                choices,
                written,
                problem,
                tuple(place.identity for place in roster.seats),
                _period(contents.entries),
                played_bots(contents),
                _left(contents),
            )
        )
    return tuple(games)


def played_alone(contents: JournalContents) -> bool:
    """Returns whether the player of a journal plays alone: against bots, at a table that did not listen."""
    return played_bots(contents) and not PeerAddresses.read(contents.entries, contents.table).port


def played_bots(contents: JournalContents) -> bool:
    """Returns whether all others in the game of a journal are bots of this program."""
    others = {place.identity for seat, place in enumerate(contents.table.roster.seats) if seat != contents.seat}
    return others <= PeerAddresses.read(contents.entries, contents.table).bots


def _left(contents: JournalContents) -> frozenset[int]:
    """Returns the seats that have left the game of a journal while the others play on; none if only one plays on."""
    left = set()
    for entry in contents.entries:
        match entry:
            case ("received", bytes() as data):
                with contextlib.suppress(Malformed):
                    envelope = Envelope.unpack(data)
                    left |= {envelope.seat} if envelope.kind == LEAVE else set()
    return frozenset(left) if len(left) + 1 < len(contents.table.roster.seats) else frozenset()


def _period(entries: Iterable[Entry]) -> str:
    periods = [entry[1] for entry in entries if entry[0] == "period" and len(entry) == 2]
    return clean(periods[-1], MOST_PERIOD) if periods and isinstance(periods[-1], str) else ""


def _forgets(contents: JournalContents, path: Path) -> str | None:
    """Returns what to do about a journal that lacks envelopes signed on this machine; None if it is the latest."""
    try:
        read_high_water_mark(contents.table.game_id, contents.seat).check(contents.sent, path)
    except StaleJournal as error:
        return str(error)
    return None


@dataclass(frozen=True, slots=True)
class FormerBot:
    """A bot that played in this program, and the note that says how it plays."""

    path: Path
    identity: Identity
    note: Plain


def former_bots(data: Path, game_id: bytes) -> list[FormerBot]:
    """Returns the bots of one game."""
    bots = []
    for path in list_journals(data):
        if not path.name.startswith(game_id.hex()[:16]):
            continue
        try:
            contents = read_journal(path)
        except StorageError:
            continue
        match contents.entries[:1]:
            case (("bot", bytes() as secret, note),) if len(secret) == 32 and contents.table.game_id == game_id:
                bots.append(FormerBot(path, Identity.of(secret), note))
    return bots


def choose_game(games: Sequence[ResumableGame], wanted: str | None) -> ResumableGame:
    """Returns the wanted game: by its id, by the beginning of the journal's name, or by another player's nickname; None
    for the only one, or the latest. Raises UserError, also for a nickname that several people have.
    """
    if not games:
        raise NotRetryable("No game to resume here. If it is in another folder, name that with --data.")
    if wanted is None:
        return next((game for game in games if game.problem is None), games[0])
    name = clean(wanted).casefold()
    with_them = [game for game in games if name in map(str.casefold, game.others)]
    fitting = (
        [game for game in games if name == game.game.casefold()]
        or [game for game in games if len(name) > 3 and game.path.name.startswith(name)]
        or with_them
    )
    if not fitting:
        listed = (f"{quoted(game.game)} against {join_names(game.others)}" for game in games if game.game)
        known = "; ".join(dict.fromkeys(listed))
        raise NotRetryable(f"No game called {quoted(wanted)} to resume here. Games: {known}.")
    if fitting is with_them and len({key for game in fitting for key in _keys_of(game, name)}) > 1:
        files = "; ".join(
            f"{game.path.name[:8]} ({quoted(game.game)} against {join_names(game.others)})" for game in fitting
        )
        raise NotRetryable(f"You play against several people called {clean(wanted, 40)}. Type one of these: {files}.")
    return next((game for game in fitting if game.problem is None), fitting[0])


def _keys_of(game: ResumableGame, name: str) -> list[bytes]:
    """Returns the keys of the others with this nickname in a game."""
    people = zip(game.keys, game.people, strict=True)
    return [key for seat, (key, called) in enumerate(people) if seat != game.seat and called.casefold() == name]
