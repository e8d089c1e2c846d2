"""The audit of a record: was this game fair, and what happened in it? (SPEC.md, "Audit and verdicts")

Anyone can run it; the file is all it needs. A spectator's Peer receives the record's envelopes, with every check that
live peers make. Then each seat is re-executed from the seed and the choices that it published, and every byte that it
signed is compared. There is no second set of rules.

The same re-executions say what each seat knew. An `AuditedGame` has all of it, and is made once, for everything that
shows a finished game. A Peer that was at the table, or watched it, has made the checks already when the envelopes
arrived (`AuditedGame.by`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kimberley.games.phrases import join_names
from kimberley.games.table import Answer, Ask, Game, Leave, Result, State, SupportsPeriod
from kimberley.protocol.closing import SHOW, earliest
from kimberley.protocol.crypto.group import Group
from kimberley.protocol.crypto.ristretto import RISTRETTO
from kimberley.protocol.envelope import LEAVE, OtherRevision
from kimberley.protocol.events import Dropped
from kimberley.protocol.log import Deviation, full_story
from kimberley.protocol.peer import Peer
from kimberley.protocol.play import Play
from kimberley.protocol.record import Damaged, NotARecord, Record
from kimberley.protocol.roster import BadRoster

FAIR, UNFAIR, DAMAGED, INCOMPLETE, UNKNOWN = "fair", "unfair", "damaged", "incomplete", "unknown"


@dataclass(frozen=True)
class Verdict:
    """The result of the audit of a record.

    `code` is "fair"; "unfair" (`deviations` name the seats, the earliest stage decides); "damaged" (it blames nobody);
    "incomplete" (`absent` are the seats whose step is missing, as the others claim); "unknown" (the record has a
    revision that cannot be judged). A `result` that follows from complete stages stands, whatever is missing after
    them.
    """

    code: str
    reason: str
    deviations: tuple[Deviation, ...] = ()
    absent: tuple[int, ...] = ()
    step: int = 0
    stage: int = 0
    result: Result | None = None
    names: tuple[str, ...] = ()
    envelopes: int = 0
    attested: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """(absent seat, its witnesses): nicknames of seats, or "spectator" with a fingerprint."""
    left: tuple[tuple[int, str], ...] = ()
    """(seat that left while others could play on, when): "turn 11"; empty where the game does not count."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that the verdict names, as cheats or as absent."""
        return tuple(deviation.seat for deviation in self.deviations) or self.absent

    @property
    def gone(self) -> tuple[int, ...]:
        """The seats that left while others could play on."""
        return tuple(seat for seat, _ in self.left)


@dataclass(frozen=True)
class AuditedGame:
    """A game and what its audit found.

    `start` is its first state. `story` has all asks with their answers: everything that any seat knew, or, if seats
    deviated, what everybody saw, because what they published proves nothing then. `result` is how the game ended, if
    complete stages determine it; an unfair verdict has none.
    """

    record: Record
    start: State
    story: tuple[tuple[Ask, Answer], ...]
    result: Result | None
    verdict: Verdict

    @classmethod
    def by(cls, peer: Peer, record: Record) -> AuditedGame:
        """Returns the audit of a record by a Peer of its game, which has made every check of the others' envelopes as
        they arrived.

        A seat's own envelopes are those that its own re-execution gives. Where the game is unfinished, or not fair, or
        the record is not what the Peer knows, the record is audited from its beginning, as by a stranger.
        """
        if peer.finished and record == peer.record():
            verdict = _verdict(peer, record)
            if verdict.code == FAIR:
                return _audited(peer, record, verdict)
        return _audit(peer.game, record, peer.play.crypto.group)

    @property
    def departed(self) -> tuple[int, ...]:
        """The seats that left before the end."""
        return tuple(sorted(ask.seat for ask, _ in self.story if isinstance(ask, Leave)))


class CannotBeAudited(Exception):
    """The bytes are not a record, or not one that can be judged here. `verdict` says why."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict


def verify(data: bytes, find: Callable[[str], Game], group: Group = RISTRETTO) -> Verdict:
    """Judges the bytes of a file. `find` gives the game with an id, or raises LookupError. Never raises."""
    try:
        return _verify(*_read(data, find, group), group)[1]
    except CannotBeAudited as error:
        return error.verdict


def audit(data: bytes, find: Callable[[str], Game], group: Group = RISTRETTO) -> AuditedGame:
    """Audits the bytes of a file: `verify`, and what happened in the game. Raises CannotBeAudited."""
    game, record = _read(data, find, group)
    return _audit(game, record, group)


def _audit(game: Game, record: Record, group: Group) -> AuditedGame:
    peer, verdict = _verify(game, record, group)
    return _audited(peer, record, verdict)


def _audited(peer: Peer, record: Record, verdict: Verdict) -> AuditedGame:
    return AuditedGame(record, peer.play.start, _story(peer, verdict), peer.result, verdict)


def _story(peer: Peer, verdict: Verdict) -> tuple[tuple[Ask, Answer], ...]:
    proven = verdict.code in (FAIR, INCOMPLETE) or (peer.caught is None and not peer.deviations(peer.shown))
    if verdict.code == DAMAGED or not peer.shown or not proven:
        return peer.story
    return full_story([peer.reexecution(seat).play for seat in sorted(peer.shown)])


def _read(data: bytes, find: Callable[[str], Game], group: Group) -> tuple[Game, Record]:
    """Returns a record with a checked roster, and its game. Raises CannotBeAudited."""
    try:
        record = Record.unpack(data)
    except NotARecord as error:
        raise CannotBeAudited(Verdict(DAMAGED, str(error))) from None
    except Damaged as error:
        reason = f"the record was changed or cut after it was written ({error})"
        raise CannotBeAudited(Verdict(DAMAGED, reason)) from None
    except OtherRevision as error:
        raise CannotBeAudited(Verdict(UNKNOWN, str(error))) from None
    try:
        record.table.check()
    except BadRoster as error:
        raise CannotBeAudited(Verdict(DAMAGED, f"the record was changed after it was signed ({error})")) from None
    roster = record.table.roster
    try:
        game = find(roster.game)
    except LookupError:
        reason = f"no game {roster.game!r} is installed here, so its record cannot be checked"
        raise CannotBeAudited(Verdict(UNKNOWN, reason)) from None
    if game.revision != roster.rules:
        reason = (
            f"the record is of revision {roster.rules} of the rules of {game.title}; this program has {game.revision}"
        )
        raise CannotBeAudited(Verdict(UNKNOWN, reason))
    if len(roster.seats) not in game.seats:
        raise CannotBeAudited(Verdict(UNKNOWN, f"{game.title} cannot be played by {len(roster.seats)} seats"))
    try:
        Play(game, record.table, None, b"", group)
    except ValueError as error:
        raise CannotBeAudited(Verdict(UNKNOWN, f"the game does not start with these options: {error}")) from None
    return game, record


def _verify(game: Game, record: Record, group: Group) -> tuple[Peer, Verdict]:
    """Returns a spectator's Peer after the envelopes of a record whose roster is already checked, and the verdict."""
    peer, damage = replay(game, record, group)
    return peer, _verdict(peer, record, damage)


def _verdict(peer: Peer, record: Record, damage: str | None = None) -> Verdict:
    """Returns the verdict on a record whose envelopes the Peer has received; `damage` is the first inconsistency in
    it.
    """
    names = tuple(place.nickname for place in record.table.roster.seats)
    count = len(record.envelopes)
    left = _left(peer)

    def verdict(code: str, reason: str, **more: object) -> Verdict:
        result = more.pop("result", peer.result)
        return Verdict(code, reason, result=result, names=names, envelopes=count, left=left, **more)  # type: ignore[arg-type]

    if peer.caught is not None:
        caught = peer.caught
        deviation = Deviation(caught.step, caught.stage, caught.seat, caught.reason)
        return _unfair(verdict, (deviation,), names)
    if damage:
        return verdict(DAMAGED, f"the record was changed after it was signed ({damage})")
    deviations = earliest((*peer.deviations(peer.shown), *_false_verdicts(peer)))
    if deviations:
        return _unfair(verdict, deviations, names)
    if peer.finished and peer.closing is not None and peer.closing.absent:
        absent = peer.closing.absent
        missing = join_names([f"seat {seat + 1} ({names[seat]})" for seat in absent])
        reason = f"{missing} left, and their moves cannot be replayed"
        return verdict(INCOMPLETE, reason, absent=absent, step=peer.closing.step, stage=SHOW)
    if peer.finished:
        return verdict(FAIR, f"every seat was run again from its seed, and all {count} signed messages agree")
    step, stage = peer.slot_owed
    missing = join_names([f"seat {seat + 1} ({names[seat]})" for seat in peer.waiting])
    what = "game" if peer.closing is None and not peer.resigners() else "fairness check"
    attested = _attested(peer, record)
    if left and not attested:
        # The record can be that of a seat that left: only the others know whether the game stopped.
        gone = join_names([f"seat {seat + 1} ({names[seat]}) left{within(when)}" for seat, when in left])
        reason = f"{gone}. This record breaks off while the {what} was waiting for {missing}"
    else:
        # Where everyone still had to play, nobody waited. With two players, no record can show who left.
        present = {*peer.play.crypto.present}
        idle = what == "game" and not attested and ((len(present) == 2 and stage == 0) or {*peer.waiting} >= present)
        reason = f"the {what} stopped while waiting for {missing}"
        if idle:
            reason = f"the {what} stopped before it was finished; {missing} still had to play"
    reason += "".join(f"; {_said(peer, names, seat, who)}" for seat, who in attested)
    return verdict(INCOMPLETE, reason, absent=peer.waiting, step=step, stage=stage, attested=attested)


def _left(peer: Peer) -> tuple[tuple[int, str], ...]:
    """Returns the seats that left, the first one first, each with when. A seat has left once it has signed that, even
    if the stage is unfinished.
    """
    leaves = [(departure.seat, departure.state) for departure in peer.play.departed]
    given = [chain.given for chain in peer.chains if chain.given is not None]
    leaves += [(envelope.seat, peer.public) for envelope in given if envelope.kind == LEAVE]
    return tuple((seat, state.period() if isinstance(state, SupportsPeriod) else "") for seat, state in leaves)


def within(period: str) -> str:
    """Returns a period as it follows what happened in it: " in month 4 of 9", " on turn 2"; empty if there is none."""
    return f" {'on' if period.startswith('turn ') else 'in'} {period}" if period else ""


def _attested(peer: Peer, record: Record) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Returns the witnesses of each absent seat. An attestation counts only if it names the place where the record
    ends, and does not name its own witness as absent.
    """
    seats = {place.identity: seat for seat, place in enumerate(record.table.roster.seats)}
    fitting = [one for one in record.attestations if one.slot == peer.slot and one.head == peer.head]
    attested = []
    for seat in peer.waiting:
        who = [one.witness for one in fitting if seat in one.absent and seats.get(one.witness) not in one.absent]
        if who:
            attested.append((seat, tuple(_witness(record, seats, key) for key in who)))
    return tuple(attested)


def _witness(record: Record, seats: Mapping[bytes, int], key: bytes) -> str:
    return record.table.roster.seats[seats[key]].nickname if key in seats else witness_name(key)


def witness_name(key: bytes) -> str:
    """Returns what a verdict calls a spectator who attests to something."""
    return f"spectator {key.hex()[:16]}"


def _said(peer: Peer, names: tuple[str, ...], seat: int, who: tuple[str, ...]) -> str:
    """Returns a sentence for people about the worth of the attestations."""
    several = join_names(who)
    others = tuple(names[other] for other in peer.play.crypto.present if other != seat)
    if len(others) > 1 or who != others:
        attest = "attest" if len(who) > 1 else "attests"
        return f"{several} {attest} that {names[seat]} was silent"
    return f"{several} says that {names[seat]} was silent; neither can prove it"


def replay(game: Game, record: Record, group: Group = RISTRETTO) -> tuple[Peer, str | None]:
    """Returns a spectator's Peer after the envelopes of a record, and the first inconsistency or None.

    The Peer receives later envelopes, too: two envelopes for one place are evidence wherever they are.
    """
    peer = Peer(game, record.table, None, group=group)
    peer.start()
    damage: str | None = None
    hashes: set[bytes] = set()
    for number, envelope in enumerate((*record.envelopes, *record.evidence), 1):
        if envelope.hash in hashes:
            damage = damage or f"envelope {number} appears twice"
        hashes.add(envelope.hash)
        peer.receive(envelope.pack())
        dropped = [event.reason for event in peer.take() if isinstance(event, Dropped)]
        if dropped:
            damage = damage or f"envelope {number}: {dropped[0]}"
    if peer.gaps and damage is None:
        damage = f"envelopes of seat {peer.gaps[0] + 1} are missing before later ones of its own"
    return peer, damage


def who_cheated(deviations: Sequence[Deviation], names: Sequence[str]) -> str:
    """Says who cheated, when and how, without a period. `names` by seat."""
    return "; ".join(f"in move {one.step}, {names[one.seat]} cheated ({one.reason})" for one in deviations)


def _unfair(verdict: Callable[..., Verdict], deviations: tuple[Deviation, ...], names: tuple[str, ...]) -> Verdict:
    return verdict(
        UNFAIR,
        who_cheated(deviations, names),
        deviations=deviations,
        step=deviations[0].step,
        stage=deviations[0].stage,
        result=None,
    )


def _false_verdicts(peer: Peer) -> list[Deviation]:
    """Returns seats that signed a verdict with deviations although there are none. Counts only if nothing earlier was
    found.
    """
    if not peer.finished or peer.closing is None:
        return []
    step, stage = peer.closing.step, peer.closing.stage - 1
    return [
        Deviation(step, stage, seat, "they signed a verdict that the record does not bear out")
        for seat, body in sorted(peer.verdicts.items())
        if body != ("fair", ())
    ]
