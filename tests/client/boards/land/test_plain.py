"""What the client tells of a land game besides the board: dossier, replay, and the game in sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.land.board import LandUI
from kimberley.client.boards.land.dossier import account_sheet_lines
from kimberley.client.boards.land.events import TurnPlayed
from kimberley.client.boards.land.phrases import counted, in_short, sentence
from kimberley.client.boards.land.turn_draft import compact
from kimberley.client.boards.land.words import ROLLING_MAP, describe
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.boards.report import Dossier
from kimberley.client.boards.stepping import ReplayScreen
from kimberley.client.ui.canvas import Canvas
from kimberley.games.bots.levels import make_bot
from kimberley.games.land import GAME
from kimberley.games.land.account_sheet import read_sheet, sheet_from_story
from kimberley.games.land.deals import Deals
from kimberley.games.land.money import K
from kimberley.games.land.notation import write_deals
from kimberley.games.land.rules import SEAT_NAMES, DealSpace, State
from kimberley.games.table import Answer, Ask, Decide, Leave, Observation, Result, Roll, evolve, state_after
from kimberley.p2p.sentences.notices import as_sentence
from kimberley.protocol.events import Answered
from tests.support import land
from tests.support.angola import PretendUi
from tests.support.land_table import NAMES, LandTable

Story = tuple[tuple[Ask, Answer], ...]


@cache
def whole(seats: int = 3, salt: int = 1, leaves: int | None = None) -> tuple[State, Story, Result]:
    """Returns a short game between bots; `leaves` goes after the fifth turn."""
    start = GAME.start(seats, {"map": "small", "turns": 25})
    state, found, rng = start, list[tuple[Ask, Answer]](), Random(salt)
    bots = [make_bot(GAME, 3, salt + seat) for seat in range(seats)]
    while not isinstance(ask := state.ask(), Result):
        answer: Answer
        if leaves is not None and sum(state.played) == 5 and state.alive(leaves):
            ask, answer = Leave(leaves), None
        elif isinstance(ask, Roll):
            answer = tuple(rng.randrange(sides) for sides in ask.sides)
        else:
            assert isinstance(ask, Decide)
            answer = bots[ask.seat].choose(Observation(ask.seat, state, tuple(found)))
        found.append((ask, answer))
        new = state_after(state, ask, answer)
        assert isinstance(new, State)
        state = new
    return start, tuple(found), ask


def timeline(
    start: State, story: Sequence[tuple[Ask, Answer]], result: Result | None = None, names: Sequence[str] = NAMES[:3]
) -> GameTimeline:
    """Returns the timeline of a game whose story is known."""
    found = GameTimeline(LandUI(), start, names)
    found.refresh(story, result)
    return found


def dossier(
    start: State, story: Sequence[tuple[Ask, Answer]], result: Result | None, names: Sequence[str], you: int | None
) -> Dossier:
    known = GameTimeline(LandUI(), start, names, you)
    known.refresh(story, result)
    return LandUI().report(known.shown(len(known.events)))


def replay(
    start: State, story: Story, result: Result | None, names: Sequence[str], step: int | None = None
) -> ReplayScreen:
    return ReplayScreen(GameTimeline(LandUI(), start, names), story, result, PretendUi(), step)


# -- the course --------------------------------------------------------------------------------------------------------


def test_turns_are_told_by_what_was_paid_and_to_whom() -> None:
    state = GAME.start(3, {}, 0)
    assert isinstance(state, State)
    assert state.map is not None
    m17, m18, p18 = (state.map.parcel(name) for name in ("m17", "m18", "p18"))
    state = evolve(state, land=state.land.priced(m17, 1, 5000).priced(p18, 0, 100))
    story: list[tuple[Ask, Answer]] = []
    deals = (("buy", m17, 5000), ("buy", m18, 12000), ("sell", p18), ("price", m17, 900))
    here = state
    for answer in ((4, 3), deals):
        ask = here.ask()
        assert not isinstance(ask, Result)
        story.append((ask, answer))
        here = here.apply(answer)
    known = timeline(state, story, names=NAMES[:3])
    (turn,) = known.events
    assert isinstance(turn, TurnPlayed)
    assert known.latest == here
    brief = "buys a parcel for 100K, buys 1 from ben for 50K, sells 1 for 10K and prices 2 at 9K to 120K"
    full = (
        "buys a parcel for 100K, buys a parcel from ben for 50K, sells a parcel for 10K and prices 2 parcels"
        " at 9K to 120K in sector 5,4"
    )
    assert in_short(turn, NAMES) == in_short(turn, NAMES, room=len(full)) == full
    shorter = f"{brief} in sector 5,4"
    assert in_short(turn, NAMES, room=len(full) - 1) == in_short(turn, NAMES, room=len(shorter)) == shorter
    assert in_short(turn, NAMES, room=len(shorter) - 1) == f"{brief} in 5,4"
    assert in_short(turn, NAMES, room=len(brief) + 6) == brief
    assert sentence(turn, NAMES) == (
        "ana buys a parcel for 100K, buys a parcel from ben for 50K, sells a parcel for 10K and prices 2 parcels"
        " at 9K to 120K in sector 5,4, and has 360K."
    )
    assert "from you for 50K" in sentence(turn, NAMES, 1)
    assert turn.cash == 360 * K


@pytest.mark.parametrize(
    ("deals", "said"),
    [
        ((("buy", "m17", 5000),), "buys a parcel from you for 50K in sector 5,4"),
        ((("buy", "m17", 25000),), "buys a parcel from you for 50K and prices m17 at 250K in sector 5,4"),
        (
            (("buy", "m17", 25000), ("buy", "m18", 25000)),
            "buys a parcel for 100K, buys a parcel from you for 50K and prices 2 parcels at 250K each in sector 5,4",
        ),
        ((("buy", "m17", 25000), ("sell", "m17")), "buys a parcel from you for 50K and sells a parcel for 50K"),
    ],
    ids=["same price", "new price", "one price for two", "sold again"],
)
def test_who_buys_and_sets_a_new_price_is_told_to_do_both(deals: tuple[tuple[object, ...], ...], said: str) -> None:
    state = GAME.start(3, {}, 0)
    assert isinstance(state, State)
    assert state.map is not None
    here = evolve(state, land=state.land.priced(state.map.parcel("m17"), 1, 5000)).apply((4, 3))
    after = here.apply(tuple((verb, state.map.parcel(str(parcel)), *price) for verb, parcel, *price in deals))
    assert in_short(TurnPlayed(1, here, after), NAMES, 1).startswith(said)


def test_why_it_ended_is_said_with_names() -> None:
    def said(reason: str) -> str:
        return Result((1, 2), ((1,), (0,)), reason, (), SEAT_NAMES).reason_for(("Ana", "Ben"))

    assert said("A reached 1000K at the start of a turn") == "Ana reached 1000K at the start of a turn"
    assert said("B is the last player left") == "Ben is the last player left"
    assert said("A and B resigned") == "Ana and Ben resigned"
    assert said("most cash after 25 turns each") == "most cash after 25 turns each"


def test_a_turn_that_goes_bankrupt_says_so_in_little_room() -> None:
    before = land.roll(land.table({"a1": (0, "30"), "a2": (0, "30")}, (-40, 500)))
    for deals, few in (("sell a1; sell a2", "2 deals"), ("sell a1", "1 deal"), ("pass", "no deals")):
        turn = TurnPlayed(1, before, land.choose(before, deals))
        assert turn.ruined
        whole = counted(turn, NAMES, 80)
        assert whole.startswith(f"makes {few} in sector 1,1, ends at -")
        shorter = whole.replace("sector ", "")
        assert counted(turn, NAMES, len(whole) - 1) == shorter
        assert counted(turn, NAMES, len(shorter) - 1) == f"{few} in 1,1; goes bankrupt"


def test_a_turn_that_reaches_a_million_says_so_in_little_room() -> None:
    before = land.roll(land.table({"d1": (0, "30")}, (980, 500)))
    turn = TurnPlayed(1, before, land.choose(before, "sell d1"))
    assert counted(turn, NAMES, 34) == "1 deal in 1,1; has a million"


# -- the dossier -------------------------------------------------------------------------------------------------------


def test_the_dossier_has_a_line_for_every_turn_and_the_sheet() -> None:
    start, story, result = whole()
    found = dossier(start, story, result, NAMES[:3], 0)
    table, rows = found.build(78)
    turns = [step for step, (ask, _) in enumerate(story) if isinstance(ask, Decide)]
    assert [row.step for row in rows][: len(turns)] == turns
    assert max(place.end for place in table.places.values()) <= 78
    canvas = Canvas(80, 3)
    found.head(canvas)
    head = "\n".join(canvas.lines())
    assert "You have won: most cash after 25 turns each." in head
    assert re.findall(r"(\d)\. \S+ (\w+)", head) == [("1", "ana"), ("2", "carla"), ("3", "ben")]
    assert len(found.lines) == 4
    assert read_sheet("\n".join(account_sheet_lines(start, story, result))) == sheet_from_story(start, story)


def test_the_dossier_tells_who_left_and_who_resigned() -> None:
    start, story, result = whole(leaves=1)
    lines = dossier(start, story, result, NAMES[:3], None).lines
    assert any("B is ben: resigned" in line for line in lines)
    _, rows = dossier(start, story, result, NAMES[:3], None).build(78)
    told = ["".join(span.text for span in row.cells[3]) for row in rows]
    assert "resigns" in told, "the rest has no room"
    _, rows = dossier(start, story, result, NAMES[:3], None).build(118)
    assert "resigns; the government takes the land" in ["".join(span.text for span in row.cells[3]) for row in rows]
    events = timeline(start, story).events
    assert any(in_short(event, NAMES[:3], 1).startswith("resign") for event in events)
    assert any(sentence(event, NAMES[:3], 1).startswith("You resign") for event in events)
    start, story, _ = whole(2)
    resigned = GAME.resignation_result(timeline(start, story[:9]).latest, (1,))
    lines = dossier(start, story[:9], resigned, NAMES[:2], 0).lines
    assert lines[0] == "You have won: ben resigned."
    assert account_sheet_lines(start, story[:9], resigned)[-1] == "B resigns"


def test_the_places_name_as_resigned_whom_the_headline_names() -> None:
    start, story, _ = whole(leaves=1)
    last = next(number for number, (ask, _) in enumerate(story, 1) if isinstance(ask, Leave)) + 1
    final = timeline(start, story[:last]).latest
    result = GAME.resignation_result(final, (1, 2))
    found = dossier(start, story[:last], result, NAMES[:3], 0)
    assert found.lines[0] == "You have won: ben and carla resigned."
    canvas = Canvas(80, 3)
    found.head(canvas)
    head = "\n".join(canvas.lines())
    assert re.findall(r"(\w+) resigned(?!\.)", head) == ["ben", "carla"]
    assert sum(": resigned, after " in line for line in found.lines) == 2


@pytest.mark.parametrize(("seats", "ends"), [(2, ["A resigns"]), (3, ["B leaves", "A resigns"])])
def test_the_sheet_of_a_game_that_a_resignation_ended_says_so_and_can_be_read(seats: int, ends: list[str]) -> None:
    start = GAME.start(seats, {"map": "small", "turns": 25}, 0)
    assert isinstance(start, State)
    roll, rolled = start.ask(), start.apply((4, 3))
    before = rolled if seats == 2 else rolled.leave(1)
    result = before.leave(0).ask()
    assert isinstance(roll, Roll)
    assert isinstance(result, Result)
    story: Story = ((roll, (4, 3)), *((Leave(seat), None) for seat in range(1, seats - 1)))
    for told, end in ((story, ends), ((*story, (Leave(0), None)), [*ends[:-1], "A leaves"])):
        lines = account_sheet_lines(start, told, result)
        assert lines[-len(end) :] == end
        assert read_sheet("\n".join(lines)).seats == seats


def test_a_million_at_the_start_of_a_turn_has_a_line_of_its_own() -> None:
    start = GAME.start(2, {}, 0)
    assert isinstance(start, State)
    start = evolve(start, cash=(start.cash[0], 999 * K), due=(0, 2 * K))
    story: list[tuple[Ask, Answer]] = []
    state = start
    for answer in ((4, 3), ()):
        ask = state.ask()
        assert not isinstance(ask, Result)
        story.append((ask, answer))
        state = state.apply(answer)
    result = state.ask()
    assert isinstance(result, Result)
    _, rows = dossier(start, story, result, ("ana", "ben"), 0).build(78)
    assert [("".join(span.text for span in cell)) for cell in rows[-1].cells] == [
        "1", "■B ben", "+2", "starts the turn with a million", "1001K",
    ]  # fmt: skip
    last = replay(start, tuple(story), result, ("ana", "ben"), 99)
    assert "Before ben’s last turn: +2K sales." in shown(last)


# -- the replay --------------------------------------------------------------------------------------------------------


def shown(screen: ReplayScreen, columns: int = 80, rows: int = 24) -> str:
    canvas = Canvas(columns, rows)
    screen.draw(canvas, 0.0)
    return "\n".join(canvas.lines())


def test_a_game_is_stepped_through_by_keys_and_by_the_mouse() -> None:
    start, story, result = whole()
    ui = PretendUi()
    screen = ReplayScreen(GameTimeline(LandUI(), start, NAMES[:3]), story, result, ui)
    turns = sum(isinstance(ask, Decide) for ask, _ in story)
    assert f"turn 0 of {turns}" in shown(screen)
    places = [
        ("right", 1), ("right", 2), ("left", 1), ("pagedown", 4), ("pagedown", 7), ("pageup", 4), ("end", turns),
        ("home", 0),
    ]  # fmt: skip
    for key, place in places:
        assert screen.key(key)
        assert f"turn {place} of {turns}" in shown(screen)
    assert screen.wheel(None, 0, 0, 3)
    assert f"turn 3 of {turns}" in shown(screen)
    canvas = Canvas(80, 24)
    screen.draw(canvas, 0.0)
    action = canvas.touched(55, 4)
    assert action == ("map",)
    assert screen.click(action, 55, 4, "left")
    assert "Sector 1,1" in shown(screen)
    assert screen.key("esc")
    assert "Start of " in shown(screen)
    assert screen.key("t")
    assert screen.key("o")
    assert screen.key("l")
    assert not screen.key("z")
    assert screen.key("esc")
    assert ui.popped == [screen]


@pytest.mark.slow
def test_it_begins_at_a_step_and_draws_every_turn() -> None:
    start, story, result = whole(leaves=2)
    steps = [step for step, (ask, _) in enumerate(story) if isinstance(ask, Decide | Leave)]
    assert f"turn 4 of {len(steps)}" in shown(replay(start, story, result, NAMES[:3], steps[3]))
    screen = replay(start, story, result, NAMES[:3])
    for number in range(len(steps) + 1):
        assert f"turn {number} of {len(steps)}" in shown(screen, 120, 40)
        screen.key("right")
    assert "THE END" in shown(screen, 120, 40)


def test_a_game_that_never_began_can_be_replayed() -> None:
    start = GAME.start(2, {"map": "rolled"})
    assert isinstance(start, State)
    assert "ended before anyone had played" in shown(replay(start, (), GAME.resignation_result(start, (1,)), NAMES[:2]))


# -- in sentences ------------------------------------------------------------------------------------------------------


def seated(seats: int = 3, state: State | None = None, held: bool = False) -> tuple[LandTable, LineMode]:
    table = LandTable(seats, dice=[(4, 3)], replies=lambda _: (), state=state, held=held)
    return table, LineMode(LandUI(), table)


def typed(game: LineMode, table: LandTable, text: str) -> list[str]:
    """Types an order; a completed turn goes to the table."""
    reply = game.submit(text)
    if reply.done:
        table.play.choose(reply.choice)
    return list(reply.lines)


def test_a_turn_is_played_by_typing() -> None:
    table, game = seated()
    assert game.prompt() == [
        "Round 1: your turn begins with 500 + 0 sales - 0 tax + 0 revenue = 500K.",
        "Black 5, white 4: sector 5,4 is in play.",
        "Type look to hear the sector, or make deals, such as buy m17. Then type done.",
    ]
    assert typed(game, table, "buy m17 150") == ["1 deal done: 400K left."]
    assert typed(game, table, "buy m18; price m18 7.5") == ["2 deals done: 300K left."]
    assert typed(game, table, "undo") == ["Undone: 400K left."]
    assert typed(game, table, "pass") == ["You made deals this turn: type done, or undo them first."]
    assert typed(game, table, "land") == ["Connected to the river: m17 150.00K."]
    assert game.describe()[1].startswith(
        "You have 400K and 1 parcel, connected to the river. Each turn: tax 3K, revenue 10K."
    )
    assert typed(game, table, "done") == []
    assert table.chosen == [(("buy", table.state.map.parcel("m17"), 15000),)]  # type: ignore[union-attr]
    news = game.on_event(Answered(1, table.state.ask(), (), table.state))  # type: ignore[arg-type]
    assert news[0] == "You buy a parcel for 100K and price m17 at 150K in sector 5,4, and have 400K."
    assert news[1].startswith("carla makes no deals in sector ")
    assert news[2].startswith("ben makes no deals in sector ")


def test_a_turn_without_deals_ends_by_pass() -> None:
    table, game = seated()
    assert typed(game, table, "done") == ["You made no deals. To end your turn, type pass."]
    assert typed(game, table, "pass") == []
    assert table.chosen == [()]


def test_what_is_not_possible_is_said() -> None:
    table, game = seated()
    assert typed(game, table, "buy a1")[0].startswith("Not possible: a1 is outside the sector in play")
    assert typed(game, table, "sell m17") == ["Not possible. You cannot sell m17: it is the government’s."]
    assert typed(game, table, "fly")[0].startswith("Not possible. 'fly' is not a deal")
    assert typed(game, table, "undo") == ["Nothing to undo."]
    assert typed(game, table, "account zoe") == ["No player called zoe. Players: ana, ben and carla."]
    for no_sector in ("7,1", "0,1", "1,12"):
        assert typed(game, table, f"look {no_sector}") == ["The map has 6 rows and columns of sectors."]
    assert table.chosen == []


def test_taking_another_player_to_a_million_is_asked_twice() -> None:
    state = land.roll(land.table({"a1": (1, "600")}, (700, 500)))
    table, game = seated(seats=2, state=state, held=True)
    assert typed(game, table, "buy a1") == ["1 deal done: 100K left. That takes ben to a million."]
    assert typed(game, table, "done") == [
        "ben would start the next turn with 1100K, and win. To go ahead, type done anyway."
    ]
    assert typed(game, table, "done anyway") == []
    assert table.state.over is not None


def test_below_zero_done_is_asked_twice() -> None:
    state = GAME.start(3, {}, 0)
    assert isinstance(state, State)
    poor = evolve(state, cash=(-K, *state.cash[1:])).apply((4, 3))
    assert isinstance(poor, State)
    table, game = seated(state=poor, held=True)
    assert "Your cash is below zero" in game.prompt()[2]
    assert typed(game, table, "done") == ["With -1K you would be out. To go ahead, type done anyway."]
    assert typed(game, table, "done anyway") == []
    assert not table.state.alive(0)
    assert game.submit("buy m17").lines == ("Nothing for you to do now.",)
    assert "You are bankrupt." in game.describe()


def test_sectors_parcels_and_accounts_are_told() -> None:
    table, game = seated()
    typed(game, table, "buy m17; buy p18 30")
    assert game.submit("look").lines[0] == "Sector 5,4:"
    assert "m17: diamond field, yours, at 100.00K." in game.submit("look").lines
    assert game.submit("look 1 1").lines[0] == "Sector 1,1:"
    told = game.submit("look m17").lines
    assert told[0] == "m17 diamond field, yours, at 100.00K, in sector 5,4."
    assert "n17 river" in told[1]
    assert told[2].endswith("revenue 10K, 10% of the base price 100.00K.")
    assert game.submit("look z9").lines[0].startswith("'z9' is not a parcel")
    account = game.submit("account").lines
    assert account[-1] == "Total each turn: tax 2.6K, revenue 12K."
    assert game.submit("land ben").lines == game.submit("account ben").lines == ("ben owns no land.",)
    assert game.submit("log").lines == ("Nothing has happened yet.",)
    assert game.help()


def test_a_map_that_is_rolled_is_said_to_be_on_its_way() -> None:
    table = LandTable(2, options={"map": "rolled"}, held=True)
    table.own.state, table.own.story = GAME.start(2, {"map": "rolled"}), ()
    game = LineMode(LandUI(), table)
    assert game.describe() == [ROLLING_MAP]
    assert game.submit("look").lines == ("The game has not begun yet.",)
    assert game.prompt() == []


def test_sales_are_due_only_to_who_has_another_turn() -> None:
    table = LandTable(2, options={"turns": 25}, level=10)
    while not table.state.land.of(0):
        table.play.choose(table._bots[0].choose(Observation(0, table.state, table.own.story)))
    state = evolve(table.state, due=(6 * K, 6 * K))
    for played, told in (((23, 23), [True, True]), ((24, 23), [False, True]), ((24, 24), [False, True])):
        late = evolve(state, played=played)
        assert [" is due" in line for line in describe(late, NAMES, 0)[1:3]] == told
        assert ("Each turn" in describe(late, NAMES, 0)[1]) is told[0]


def test_a_whole_game_is_told() -> None:
    table = LandTable(3, options={"map": "small", "turns": 25}, level=1)
    game = LineMode(LandUI(), table)
    while table.own.asked is not None:
        game.prompt()
        reply = game.submit("pass")
        table.play.choose(reply.choice if reply.done else ())
    news = game.on_event(Answered(0, table.state.ask(), (), table.state))  # type: ignore[arg-type]
    result = table.state.ask()
    assert isinstance(result, Result)
    assert news[-1] == as_sentence(result.reason_for(NAMES))
    assert "connected to the river." in " ".join(game.describe())
    assert "Each turn" not in " ".join(game.describe()), "nobody has another one"
    assert " is due" not in " ".join(game.describe())


def test_the_land_of_who_leaves_is_told_and_the_parting_left_to_the_table() -> None:
    table = LandTable(3, level=10)
    game = LineMode(LandUI(), table)
    while not table.state.land.of(1):
        table.play.choose(())
    game.on_event(Answered(0, table.state.ask(), (), table.state))  # type: ignore[arg-type]
    before = table.state
    left = state_after(before, Leave(1), None)
    assert isinstance(left, State)
    table.own.state = left
    table.own.story += ((Leave(1), None),)
    news = game.on_event(Answered(0, Leave(1), None, table.state))
    assert news == [f"The government takes {NAMES[1]}’s land."]
    assert LandUI().remark(before, left, NAMES, 1) == ["The government takes your land."]


@settings(max_examples=50, deadline=None)
@given(
    st.one_of(st.text(max_size=12), st.sampled_from(["buy", "sell m17", "price", "look", "land", "account ben", "5"]))
)
def test_nothing_that_is_typed_raises(text: str) -> None:
    _, game = seated()
    reply = game.submit(text)
    assert reply.done or reply.lines


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 20))
def test_every_turn_can_be_typed(seed: int, turns: int) -> None:
    table = LandTable(3, options={"map": "small", "turns": 25}, level=1, salt=seed)
    for _ in range(turns):
        if table.own.asked is not None:
            table.play.choose(make_bot(GAME, 1, seed).choose(Observation(0, table.state, table.own.story)))
    if table.own.asked is None:
        return
    game, space = LineMode(LandUI(), table), table.own.asked.space
    assert isinstance(space, DealSpace)
    choice = compact(space, cast(Deals, space.pick(Random(seed))))
    text = write_deals(space.map, choice)
    if choice:
        # Deal by deal, or all in one line.
        for line in text.split("; ") if seed % 2 else [text]:
            assert not game.submit(line).done
    reply = game.submit("pass" if not choice else "done")
    if not reply.done:
        assert "done anyway" in " ".join(reply.lines)
        reply = game.submit("done anyway")
    assert reply.done
    assert reply.choice == choice
