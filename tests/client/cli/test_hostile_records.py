"""Records whose seats were all in one hostile hand: signed as they should be, and holding anything at all."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest

from kimberley.client.cli import replay, verify
from kimberley.client.session.settings import Settings
from kimberley.client.session.verdicts import verify_file
from kimberley.games import lookup
from kimberley.games.table import Plain
from kimberley.p2p.base.errors import UserError
from kimberley.p2p.sentences.verdicts import EXIT
from kimberley.protocol import record as record_files
from kimberley.protocol.audit import DAMAGED, FAIR, INCOMPLETE, UNFAIR, UNKNOWN
from kimberley.protocol.crypto import signatures
from kimberley.protocol.encoding import pack
from kimberley.protocol.envelope import REVISION, Envelope
from kimberley.protocol.record import Damaged, Record, sealed
from kimberley.protocol.roster import Roster, RosterSeat, SignedRoster, nonce_commitment, seed_hash
from tests.fuzz.target import STRANGE, mangled
from tests.support.cheats import Cheat
from tests.support.effort import each_once, spread
from tests.support.stones import STONES
from tests.support.tables import Wire, at_random, identity, peer_of, played, secret, seed, signed_roster

CODES = (FAIR, UNFAIR, DAMAGED, INCOMPLETE, UNKNOWN)
STRANGE_NAME = "\x1b[2J\u202e" + "\u0301" * 20
SPOILER = 1


def read_by_all(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Returns what the commands that take a record say of a file. They fail with a Trouble or not at all."""
    said = ""
    for as_json in (False, True):
        assert verify.run([path], as_json=as_json) in EXIT.values()
        with suppress(UserError):
            replay.run(path, Settings(), plain=True, as_json=as_json, step=None)
        told = capsys.readouterr().out
        # What programs read holds names as they are; JSON itself has no control characters.
        assert "\x1b" not in told
        assert as_json or "\u202e" not in told
        said += told
    return said


def spoiled(id: str, salt: int, most: int) -> Record:
    """Returns a game whose second seat signs one body with something else in it, as a spectator has it."""
    game, rng = lookup.find(id), Random(salt)
    moment = rng.randrange(25)

    class Spoiler(Cheat):
        def sign_next(self, kind: int, body: Plain) -> None:
            chosen = self.chains[SPOILER].number == moment
            super().sign_next(kind, mangled(body, rng) if chosen else body)

    seats = min(game.seats)
    table = signed_roster(game, seats, "", dict(game.quick))
    kinds = {SPOILER: Spoiler}
    peers = [peer_of(game, table, seat, "", kinds.get(seat, Cheat)) for seat in range(seats)]
    wire = Wire([*peers, peer_of(game, table, None)], [at_random(rng)] * seats)
    wire.start()
    wire.run(lambda: len(wire.sent) > most)
    return wire.peers[-1].record()


@pytest.mark.slow
@pytest.mark.parametrize("id", spread(2, lookup.ids()))
def test_a_record_of_a_game_that_a_seat_spoiled_is_read_without_an_error(
    id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.kimberley"
    for salt in range(4):
        path.write_bytes(spoiled(id, salt, 60).pack())
        assert read_by_all(path, capsys)


def signed(game: Plain, options: Plain, nickname: str, rules: Plain = 1, begins: Plain = None) -> SignedRoster:
    """Returns a roster that both its seats signed, whatever it says."""
    nonces = tuple(secret(f"nonce {seat}") for seat in range(2))
    places = tuple(
        RosterSeat(
            signatures.public(identity(n)), nickname[:23] + str(n), nonce_commitment(nonces[n]), seed_hash(seed(n))
        )
        for n in range(2)
    )
    roster = Roster(game, rules, options, places, begins)  # type: ignore[arg-type]
    signs = tuple(roster.signature(partial(signatures.sign, identity(seat))) for seat in range(2))
    return SignedRoster(roster, signs, nonces)


@pytest.mark.parametrize(("id", "value"), each_once(lookup.ids(), STRANGE), ids=lambda value: repr(value)[:12])
def test_a_roster_of_any_options_that_all_signed_is_judged(
    id: str, value: Plain, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = lookup.find(id)
    options = tuple((option.name, value) for option in sorted(game.options, key=lambda option: option.name))
    for table in (
        signed(id, (*options, ("zzz", value)), STRANGE_NAME, game.revision),
        signed(
            id, (("last_look", value), *((name, v) for name, v in options if name > "last_look")), "x", game.revision
        ),
        signed(id + STRANGE_NAME, (), "ana"),
        signed(id, (), "ana", game.revision, 1),
    ):
        path = tmp_path / "a.kimberley"
        path.write_bytes(Record(table, ()).pack())
        read_by_all(path, capsys)


@pytest.mark.slow
def test_envelopes_of_any_body_that_a_seat_signed_are_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = lookup.find("diamond")
    table = signed_roster(game)
    path = tmp_path / "a.kimberley"
    for kind in range(5):
        for number, body in enumerate((*STRANGE, STRANGE_NAME)):
            envelope = Envelope(table.game_id, number % 2, 0, bytes(32), 0, 0, table.game_id, kind, body)
            loose = envelope.signed(partial(signatures.sign, identity(envelope.seat)))
            path.write_bytes(Record(table, (loose, loose), (loose,)).pack())
            read_by_all(path, capsys)


@pytest.mark.slow
def test_a_record_whose_envelopes_stand_in_another_order_within_a_stage_is_of_the_same_game(
    tmp_path: Path,
) -> None:
    """The order in which the envelopes of one stage arrived says nothing: the transcript has an order of its own."""
    record = played(lookup.find("diamond-trust")).peers[0].record()
    first, second, *others = record.envelopes
    assert first.slot == second.slot
    path = tmp_path / "a.kimberley"
    path.write_bytes(Record(record.table, (second, first, *others)).pack())
    swapped = verify_file(path)
    path.write_bytes(record.pack())
    as_played = verify_file(path)
    assert as_played.code == FAIR
    assert swapped == as_played


@pytest.mark.slow
def test_a_replay_for_a_program_tells_items_with_their_parts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """JSON has no value for what was in a bag."""
    kept = tmp_path / "mine.kdt"
    wire = played(lookup.find("mine"), seats=2)
    kept.write_bytes(wire.peers[0].record().pack())
    assert replay.run(kept, Settings(), plain=True, as_json=True, step=None) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    items = [one for line in told if line["ask"] == "shuffle" for one in line["answer"]]
    assert items
    assert all(set(item) == {"item", "parts"} for item in items)
    assert {type(item["item"]) for item in items} == {int}


def test_the_values_of_a_record_are_counted_over_all_its_envelopes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_files, "MOST_VALUES", 1 << 17)
    table = signed_roster(STONES)
    body = ((None,) * 8_100,)
    loose = Envelope(table.game_id, 0, 0, bytes(32), 0, 0, bytes(32), 0, body, bytes(64)).pack()
    assert len(Record.unpack(filed(table, (loose,) * 15)).envelopes) == 15
    with pytest.raises(Damaged, match=r"^envelope 17: .*more than"):
        Record.unpack(filed(table, (loose,) * 17))


def filed(table: SignedRoster, envelopes: tuple[bytes, ...]) -> bytes:
    return sealed(pack((REVISION, table.plain(), envelopes, ())))
