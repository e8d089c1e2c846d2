"""What the players of a table are told about whom it waits for."""

from __future__ import annotations

from kimberley.p2p.tournament.messages import TableId
from kimberley.p2p.transport.frames import Frame
from kimberley.referee.readiness import COMPARING, ON_THE_WAY
from kimberley.referee.table_wait import TableWait
from kimberley.referee.wait_news import WaitNews


def test_players_are_told_only_what_is_new() -> None:
    sent: list[tuple[bytes, Frame]] = []
    news = WaitNews(TableId(2, 3), (b"ana", b"ben"), lambda player, frame: sent.append((player, frame)))

    def told(seats: tuple[int, ...], until: float, now: float, doing: str = COMPARING) -> list[Frame]:
        sent.clear()
        news.tell(TableWait(seats, doing, until), now)
        assert [player for player, _ in sent] in ([b"ana", b"ben"], [])
        return [frame for _, frame in sent[::2]]

    assert told((0, 1), 160.0, 100.0, ON_THE_WAY) == [("waits", 2, 3, (0, 1), 60000)]
    assert told((0, 1), 160.5, 130.0) == []
    assert told((1,), 160.5, 130.0) == [("waits", 2, 3, (1,), 30500)]
    # The organizer had paused the table.
    assert told((1,), 170.5, 140.0) == [("waits", 2, 3, (1,), 30500)]
    assert told((1,), 170.5, 180.0) == []
    news.forget()
    assert told((1,), 170.5, 180.0) == [("waits", 2, 3, (1,), 0)]
