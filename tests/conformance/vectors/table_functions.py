"""What the vectors of whole tables call: rosters, envelopes, chains, asks, audits, records and whole games."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Final

from kimberley.conformance.script import SCRIPT
from kimberley.games.diamond import GAME as DIAMOND
from kimberley.games.diamond_trust import GAME as TRUST
from kimberley.games.land import GAME as LAND
from kimberley.games.mine import GAME as MINE
from kimberley.games.piecepack import GAME as PIECEPACK
from kimberley.games.table import HIDDEN, NOTHING, Answer, Game, Item, Leave, Plain, Result
from kimberley.protocol.attestation import Attestation
from kimberley.protocol.audit import Verdict, verify
from kimberley.protocol.closing import SHOW, Closing, earliest
from kimberley.protocol.crypto import signatures
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.encoding import Malformed, pack, unpack
from kimberley.protocol.envelope import CLOSING, STAGE, Envelope, first_head, next_head
from kimberley.protocol.events import AuditDue, Dropped, Send
from kimberley.protocol.log import StageLog, reexecute
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import NotAllowed, Play, ProtocolViolation
from kimberley.protocol.record import Record
from kimberley.protocol.roster import BadRoster, Roster, SignedRoster
from tests.conformance.vectors.functions import Given, Played, Values, function
from tests.conformance.vectors.wire_functions import FUNCTIONS

__all__ = ["FUNCTIONS", "GAMES"]

OWED: Final = (STAGE, CLOSING)
GAMES: Final[Mapping[str, Game]] = {game.id: game for game in (DIAMOND, LAND, MINE, PIECEPACK, SCRIPT, TRUST)}


# -- rosters, envelopes, chains ----------------------------------------------------------------------------------------


@function("roster:bytes signatures:list nonces:list", "game:bytes words:text")
def seat_table(g: Group, v: Values) -> Given:
    try:
        table = SignedRoster(Roster.unpack(v["roster"]), tuple(v["signatures"]), tuple(v["nonces"]))
        table.check()
    except (Malformed, BadRoster):
        return None
    return {"game": table.game_id, "words": " ".join(table.phrase)}


@function("identity:bytes envelope:bytes", "fields:plain hash:bytes")
def read_envelope(g: Group, v: Values) -> Given:
    try:
        envelope = Envelope.unpack(v["envelope"])
    except Malformed:
        return None
    if not envelope.signed_by(v["identity"]):
        return None
    return {"fields": unpack(envelope.unsigned), "hash": envelope.hash}


@function("game:bytes stages:plain", "heads:list")
def heads(g: Group, v: Values) -> Given:
    found = [first_head(v["game"])]
    for step, stage, hashed in v["stages"]:
        found.append(next_head(found[-1], step, stage, hashed))
    return {"heads": found}


@function("table:plain envelopes:list", "reactions:plain guilty:plain slot:plain head:bytes")
def follow(g: Group, v: Values) -> Given:
    """Returns what a spectator does with each envelope that arrives, and where it is then."""
    table = SignedRoster.read(v["table"])
    peer = Peer(GAMES[table.roster.game], table, None, group=g)
    peer.start()
    reactions: list[Plain] = []
    known: set[bytes] = set()
    for data in v["envelopes"]:
        peer.receive(data)
        dropped = any(isinstance(event, Dropped) for event in peer.take())
        reactions.append("guilt" if peer.caught else "drop" if dropped else "ignore" if data in known else "take")
        known.add(data)
    guilty = (peer.caught.step, peer.caught.stage, peer.caught.seat) if peer.caught else None
    return {"reactions": tuple(reactions), "guilty": guilty, "slot": peer.slot, "head": peer.head}


# -- asks and audits ---------------------------------------------------------------------------------------------------


def followed(g: Group, past: Played, seat: int | None, seed: bytes = b"", choices: tuple[Plain, ...] = ()) -> Play:
    """Returns a seat, or a spectator, after the stages given. Raises NotAllowed for a choice that it must not make."""
    table = SignedRoster.read(past.table)
    play = Play(GAMES[table.roster.game], table, seat, seed, g)
    left = list(choices)
    for _, _, bodies, leaves in past.stages:
        if play.wants is not None and seat in bodies:
            play.choose(left.pop(0))
        if set(play.owing) == {*bodies, *leaves}:
            play.complete(bodies, leaves)
    if play.wants is not None and left:
        play.choose(left.pop(0))
    return play


@function("past:past seat:integer seed:bytes choices:plain", "slot:plain body:bytes")
def give(g: Group, v: Values) -> Given:
    """Returns the body that a seat owes to the stage after those given."""
    try:
        play = followed(g, v["past"], v["seat"], v["seed"], v["choices"])
    except NotAllowed:
        return None
    assert v["seat"] in play.owing
    return {"slot": (play.step, play.stage), "body": pack(play.body())}


@function("past:past seat:integer seed:bytes choices:plain", "slot:plain body:bytes")
def leave(g: Group, v: Values) -> Given:
    """Returns the body with which a seat leaves instead."""
    play = followed(g, v["past"], v["seat"], v["seed"], v["choices"])
    return {"slot": (play.step, play.stage), "body": pack(play.leave_body())}


@function("past:past seat:integer body:bytes", "")
def accept(g: Group, v: Values) -> Given:
    """Returns whether everybody takes the body that a seat gave to the stage after those given."""
    play = followed(g, v["past"], None)
    try:
        play.check(v["seat"], unpack(v["body"]))
    except ProtocolViolation:
        return None
    return {}


@function("past:past seat:integer body:bytes", "")
def accept_leave(g: Group, v: Values) -> Given:
    """Returns whether everybody takes the body with which a seat left instead."""
    play = followed(g, v["past"], None)
    try:
        play.check_leave(v["seat"], unpack(v["body"]))
    except ProtocolViolation:
        return None
    return {}


def known(answer: Answer) -> Plain:
    """Returns an answer with "hidden" and "nothing" for what is not known, and an item's handle for the item."""
    if isinstance(answer, tuple):
        return tuple(map(known, answer))
    if answer is HIDDEN or answer is NOTHING:
        return "hidden" if answer is HIDDEN else "nothing"
    plain: Plain = answer.handle if isinstance(answer, Item) else answer
    return plain


@function("past:past seat:plain seed:bytes choices:plain", "answer:plain")
def learn(g: Group, v: Values) -> Given:
    """Returns the answer to the last ask as a seat sees it, or a spectator where the seat is nil."""
    play = followed(g, v["past"], v["seat"], v["seed"], v["choices"])
    return {"answer": known(next(answer for ask, answer in reversed(play.story) if not isinstance(ask, Leave)))}


@function("past:past shown:plain", "deviations:plain absent:plain")
def audit(g: Group, v: Values) -> Given:
    """Returns what the audit of these stages finds, given what the seats have shown: (seat, seed, choices)."""
    table = SignedRoster.read(v["past"].table)
    spectator = followed(g, v["past"], None)
    closing = Closing(table, spectator.step, Result((), (), ""), spectator.crypto.present)
    closing.stage = SHOW
    for seat, seed, choices in v["shown"]:
        closing.deliver(seat, (seed, choices))
    closing.recover(spectator.crypto, spectator.departed)
    game, log = GAMES[table.roster.game], [StageLog(*stage) for stage in v["past"].stages]
    shown = closing.shown.items()
    found = [reexecute(game, table, log, seat, seed, choices, g).deviation for seat, (seed, choices) in shown]
    decisive = earliest([*closing.spoiled, *(deviation for deviation in found if deviation is not None)])
    return {"deviations": tuple((one.step, one.stage, one.seat) for one in decisive), "absent": closing.absent}


# -- records and attestations ------------------------------------------------------------------------------------------


@function("record:bytes", "verdict:text seats:plain slot:plain result:plain")
def judge(g: Group, v: Values) -> Given:
    """Returns what a record proves: `slot` is where the seats named deviated, or are waited for; (0, 0) where none
    is.
    """
    verdict = _judged(v["record"], g)
    result = (verdict.result.places, verdict.result.scores) if verdict.result else None
    slot = (verdict.step, verdict.stage)
    return {"verdict": verdict.code, "seats": verdict.seats, "slot": slot, "result": result}


@function("secret:bytes game:bytes step:integer stage:integer head:bytes absent:plain", "attestation:plain")
def attest(g: Group, v: Values) -> Given:
    made = Attestation(signatures.public(v["secret"]), v["step"], v["stage"], v["head"], v["absent"])
    return {"attestation": made.signed(v["game"], partial(signatures.sign, v["secret"])).plain()}


@function("game:bytes attestation:plain", "")
def read_attestation(g: Group, v: Values) -> Given:
    try:
        return {} if Attestation.read(v["attestation"]).holds(v["game"]) else None
    except Malformed:
        return None


# -- whole games -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def played(
    plain: Plain,
    secrets: tuple[bytes, ...],
    seeds: tuple[bytes, ...],
    choices: tuple[tuple[Plain, ...], ...],
    goes: tuple[tuple[int, int], ...],
) -> Peer | None:
    """Returns seat 0 after a game in which the seats make these choices, and go, by (seat, step), as soon as the step
    is at hand; None where a choice is forbidden. Nobody chooses, or goes, before everybody waits for it. Played with
    libsodium: whole games take too long in pure Python.
    """
    table = SignedRoster.read(plain)
    game = GAMES[table.roster.game]
    peers = [
        Peer(game, table, seat, seed, partial(signatures.sign, secret))
        for seat, (seed, secret) in enumerate(zip(seeds, secrets, strict=True))
    ]
    for peer in peers:
        peer.start()
    left = [list(own) for own in choices]
    going = set(goes)
    while not all(peer.finished for peer in peers):
        carry(peers)
        now = {(seat, peer.play.step) for seat, peer in enumerate(peers)} & going
        going -= now
        for seat, _ in now:
            peers[seat].resign()
        if not now:
            try:
                for peer, own in zip(peers, left, strict=True):
                    if peer.asked is not None:
                        peer.choose(own.pop(0))
            except NotAllowed:
                return None
    return peers[0]


def carry(peers: list[Peer]) -> None:
    """Brings what peers send to all others, until everybody waits for a player. Nobody finds anything at the audit."""
    moved = True
    while moved:
        moved = False
        for peer in peers:
            for event in peer.take():
                if isinstance(event, Send):
                    moved = True
                    for other in peers:
                        if other is not peer:
                            other.receive(event.envelope)
                elif isinstance(event, AuditDue) and not peer.gone:
                    moved = True
                    peer.findings = ()
                    peer.advance()


def _played(v: Values) -> Peer | None:
    return played(v["table"], tuple(v["secrets"]), tuple(v["seeds"]), v["choices"], v["goes"])


PLAYED: Final = "table:plain secrets:list seeds:list choices:plain goes:plain"


@function(PLAYED, "envelopes:list head:bytes places:plain scores:plain record:bytes verdict:text")
def play(g: Group, v: Values) -> Given:
    """Plays a whole game. Returns the hashes of all envelopes, the head after them, the result, the record's
    SHA-256.
    """
    peer = _played(v)
    if peer is None:
        return None
    record, result = peer.record().pack(), peer.result
    assert result is not None
    return {
        "envelopes": [envelope.hash for envelope in peer.transcript],
        "head": peer.head,
        "places": result.places,
        "scores": result.scores,
        "record": hashlib.sha256(record).digest(),
        "verdict": _judged(record, g).code,
    }


@function(f"{PLAYED} at:plain body:bytes", "record:bytes verdict:text seats:plain slot:plain")
def spoil(g: Group, v: Values) -> Given:
    """Returns the record of a game up to an envelope, `at` (step, stage, seat), which its seat signs with another
    body.
    """
    peer = _played(v)
    assert peer is not None
    owed = next(e for e in peer.transcript if (*e.slot, e.seat) == v["at"] and e.kind in OWED)
    before = peer.transcript[: peer.transcript.index(owed)]
    fields = {name: getattr(owed, name) for name in ("game", "seat", "number", "previous", "step", "stage", "head")}
    other = Envelope(**fields, kind=owed.kind, body=unpack(v["body"]))
    other = other.signed(partial(signatures.sign, v["secrets"][owed.seat]))
    record = Record(peer.table, (*before, other)).pack()
    verdict = _judged(record, g)
    slot = (verdict.step, verdict.stage)
    digest = hashlib.sha256(record).digest()
    return {"record": digest, "verdict": verdict.code, "seats": verdict.seats, "slot": slot}


def _judged(record: bytes, g: Group) -> Verdict:
    return verify(record, GAMES.__getitem__, g)
