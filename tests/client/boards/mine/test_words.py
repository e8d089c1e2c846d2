"""What the client tells of a game of Diamond Mine besides the field: sentences, dossier, replay."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kimberley.client.boards.form import FormContext, Reply
from kimberley.client.boards.game_timeline import GameTimeline
from kimberley.client.boards.line_mode import LineMode
from kimberley.client.boards.mine.advice import advise
from kimberley.client.boards.mine.board import MineUI
from kimberley.client.boards.mine.events import GameEvent, describe_event, describe_trip, gem_events, passed_on
from kimberley.client.boards.mine.stones import stone
from kimberley.client.boards.report import Dossier
from kimberley.client.boards.stepping import ReplayScreen
from kimberley.client.session.notices import not_possible
from kimberley.client.ui.canvas import Canvas
from kimberley.client.ui.lists import StyledText
from kimberley.games.arena import Arena, SeatedArena
from kimberley.games.mine import GAME
from kimberley.games.mine.rules import QUIET, State
from kimberley.games.mine.spaces import CardSpace, NestSpace, PawnMoveSpace, TakeSpace
from kimberley.games.mine.squares import name, square
from kimberley.games.table import Answer, Ask, Leave, Plain, Result, Show, evolve, space_for
from kimberley.protocol.events import Answered, SeatDeparted
from kimberley.protocol.play import NotAllowed
from tests.support.angola import PretendUi
from tests.support.arena_table import ArenaPeer
from tests.support.mine import BLUE, GREEN, PURPLE, RED, medium, move, position, shown, small
from tests.support.mine_table import NAMES, MineTable

Story = list[tuple[Ask, Answer]]
UI = MineUI()


class WholeGame(NamedTuple):
    """The first state of a game, its story, and how it ended, if it did."""

    start: State
    story: Story
    result: Result | None

    @property
    def timeline(self) -> GameTimeline:
        """The whole game, as a replay has it."""
        timeline = GameTimeline(UI, self.start, NAMES[: self.start.seats])
        timeline.refresh(self.story, self.result)
        return timeline

    def dossier(self, seat: int | None = None) -> Dossier:
        timeline = GameTimeline(UI, self.start, NAMES[: self.start.seats], seat)
        timeline.refresh(self.story, self.result)
        return UI.report(timeline.shown(len(timeline.events)))


def random_story(
    seed: int, seats: int = 2, *, begins: int | None = None, fifth: bool = False, leaves: bool = False
) -> WholeGame:
    """A whole game at random, with everything known."""
    rng = Random(seed)
    start = GAME.start(seats, {"flawless": fifth}, begins)
    arena, story = Arena(start, rng), Story()
    while not isinstance(ask := arena.truth.ask(), Result):
        state = arena.truth
        assert isinstance(state, State)
        going = rng.randrange(seats)
        if leaves and not isinstance(ask, Show) and state.present[going] and rng.random() < 0.01:
            story.append((Leave(going), None))
            arena.truth = state.leave(going)
            continue
        choices = {seat: space.pick(rng) for seat in ask.choosers if (space := space_for(ask, seat)) is not None}
        story.append((ask, arena.advance(choices)))
    return WholeGame(start, story, ask)


def steps(state: State, *answers: Plain) -> list[GameEvent]:
    """What happens when asks are answered so; what is shown is shown as it is."""
    events: list[GameEvent] = []
    left = list(answers)
    while left:
        ask = state.ask()
        assert not isinstance(ask, Result)
        answer = tuple((state.items[gem].parts[0],) for gem in ask.items) if isinstance(ask, Show) else left.pop(0)
        after = state.apply(answer)
        events += UI.read(len(events), state, ask, answer, after)
        state = after
    return events


def said(events: list[GameEvent]) -> list[str]:
    return [line for event in events for line in describe_event(event, NAMES)]


def advised(state: State, choice: Plain) -> str:
    """What seat 0 is told when it is advised to choose so."""
    ask = state.ask()
    assert not isinstance(ask, Result)
    return UI.advise(state, ask, 0, choice, NAMES)


def both(a: int, b: int) -> Plain:
    return (a, False), (b, False)


# -- advice ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "to", "said"),
    [
        # A newcomer was told that a2 is nearer to a1 than b2.
        (position(pawns="b2 g7", carried={0: (small(RED), medium(RED))}), "a2", "your home is 1 turn from there"),
        (position(pawns="b2 g7", carried={0: (small(RED), medium(RED))}), "a1",
         "you bring home a medium red and a small red"),
        (position(pawns="f6 h8", carried={0: (small(RED), medium(RED))}), "d4",
         "you come nearer to your home, 1 turn from there"),
        # On an empty board d4 is one turn from home.
        (position(pawns="f6 h8", carried={0: (small(RED), medium(RED))}, veins="c3", inside={"c3": ()}), "d4",
         "you come nearer to your home, 2 turns from there"),
    ],
    ids=["as near as before", "home", "nearer", "nearer around what is in the way"],
)  # fmt: skip
def test_the_reason_for_a_move_holds_on_the_field_as_it_stands(state: State, to: str, said: str) -> None:
    card = {"a2": 1, "a1": 1, "d4": 2}[to]
    assert advised(shown(state, card, 1), move(to)) == f"Go to {to}: {said}."


def test_a_card_is_said_to_lead_nearer_only_if_a_square_of_it_does() -> None:
    full = {0: (small(RED), medium(RED))}
    state = position(pawns="b2 g7", carried=full)
    told = [advised(state, (card, False)) for card in (1, 3)]
    assert told == ["Choose card 1: it leads to a1 your home.", "Choose card 3: it leads to b5, e5 and e2."]
    away = position(pawns="e4 h8", carried=full)
    assert advised(away, (1, False)) == "Choose card 1: it leads to d4, nearer to your home."


def test_an_end_is_advised_by_the_rounds_in_which_nothing_was_gained() -> None:
    state = position(pawns="b2 g7", quiet=6)
    assert advised(state, (1, True)).endswith(
        "Agree to end the game: for 6 rounds nobody has taken a gem or brought one home."
    )


# -- what happened, in words -------------------------------------------------------------------------------------------


def test_moves_and_veins_are_told_in_words() -> None:
    state = position(2, veins="d6", pawns="d4 g7", carried={1: (medium(PURPLE),)}, loose={"d5": small(PURPLE)})
    told_so = said(steps(state, both(2, 1), move("d6", "d5"), (0,)))
    assert told_so == [
        "Cards: ana 2, ben 1.",
        "ana goes 2 to d6 and picks up a small purple on d5.",
        "The vein on d6 holds a medium red and a small red.",
        "ana takes a small red.",
    ]
    events = steps(position(2, pawns="d4 g7", carried={1: (medium(PURPLE),)}), both(1, 1), move("d5"), move("h8"))
    assert said(events)[-1] == "ben goes 1 to h8 and brings home a medium purple for 6."
    assert describe_trip(events[-1], NAMES) == "ben goes 1 to h8 and brings 1 home for 6."
    assert [UI.gain(event, NAMES, 0) for event in events] == [None, None, StyledText("+6", "money", True)]
    assert [UI.chapter(event) for event in events] == ["Round 1"] * 3


def test_drops_and_those_who_would_end_it_are_told() -> None:
    state = position(2, pawns="d4 g7", carried={0: (small(GREEN), medium(BLUE, 3))})
    events = steps(state, ((3, True), (1, False)), move("a4", dropped={"c4": small(GREEN), "b4": medium(BLUE, 3)}))
    assert said(events) == [
        "Cards: ana 3, ben 1.",
        "ana would end the game.",
        "ana goes 3 to a4, drops a small green on c4 and drops a medium blue on b4.",
    ]


def test_who_can_go_nowhere_is_told_to_stay() -> None:
    walls = "b1 b2 a2 d1 d4 a4 c1 c3 a3"
    state = position(2, veins=walls, inside={each: () for each in walls.split() if each in ("d1", "d4", "a4")})
    (event,) = steps(state, both(3, 1))
    assert event.stays == (0,)
    assert said([event]) == ["Cards: ana 3, ben 1.", "ana has nowhere to go with card 3, and stays."]


def test_the_lots_are_told() -> None:
    tale = random_story(3, 4, fifth=True)
    lines = said(tale.timeline.events[:1])
    assert lines[0].endswith(" begins.")
    assert lines[-1] == "White is flawless."
    assert len(lines) == 6


FOLLOWED: list[Plain] = [
    both(2, 2), move("e7"), move("d6", dropped={"d5": small(GREEN)}), (),
    both(1, 1), move("c6"), move("d6"), (20,),
    both(1, 1), move("d5", "d5"), move("b6"),
]  # fmt: skip
"""Ana drops a gem on her way to a vein that she opens; ben takes of the vein, then picks up the gem."""


def followed() -> State:
    return position(2, veins="d6", pawns="d4 g5", carried={0: (small(GREEN),)}, first=1)


def test_gems_are_followed_from_one_player_to_another() -> None:
    events = steps(followed(), *FOLLOWED)
    passed = [(gem, how.done, how.seat, whom) for gem, how, whom in passed_on(events)]
    assert passed == [(20, "took", 1, 0), (small(GREEN), "picked", 1, 0)]
    assert [(each.done, each.seat) for each in gem_events(events)[20]] == [("saw", 0), ("took", 1)]


# -- the dossier -------------------------------------------------------------------------------------------------------


def rows(tale: WholeGame, seat: int | None = 0, width: int = 78) -> list[str]:
    columns, made = tale.dossier(seat).build(width)
    assert all(column.x + column.room <= width for column in columns)
    return [" | ".join("".join(span.text for span in cell) for cell in row.cells) for row in made]


def test_the_dossier_tells_what_lay_in_each_nest_and_what_each_did() -> None:
    tale = random_story(7, 2)
    final = tale.timeline.latest
    assert isinstance(final, State)
    found = rows(tale)
    nests = [row for row in found if "nest on" in row]
    assert len(nests) == 10
    assert not any("?" in row for row in found)
    assert sum("never opened" in row for row in nests) == final.mine.opened.count(False)
    moved = [row for row in found if "→" in row]
    assert len(moved) == sum(ask.topic == "move" for ask, _ in tale.story if hasattr(ask, "topic"))
    assert "in no nest" in found[-1]


def test_the_head_of_the_dossier_reckons_the_points() -> None:
    tale = random_story(11, 4, fifth=True)
    found = tale.dossier(2)
    for width in (80, 120):
        canvas = Canvas(width, 3)
        found.head(canvas)
        text = "\n".join(canvas.lines())
        assert all(each in text for each in NAMES)
        assert tale.result is not None
        assert tale.result.reason[:20] in text


def test_the_dossier_names_who_had_found_or_dropped_what_another_took() -> None:
    events = steps(followed(), *FOLLOWED)
    tale = WholeGame(followed(), [(each.before.ask(), each.answer) for each in events], None)  # type: ignore[misc]
    found = rows(tale)
    assert any("e7 → d6, takes ▲r out of the vein that ana opened | ▲r" in row for row in found)
    assert any("d6 → d5, picks up ▴g that ana dropped | ▲r ▴g" in row for row in found)
    lines = tale.dossier().lines
    assert "In round 2 ben took the medium red from the vein on d6, which ana had opened." in lines
    assert "In round 3 ben picked up the small green on d5, which ana had dropped." in lines


def test_a_game_that_was_given_up_early_is_told() -> None:
    tale = random_story(2)
    for length in (0, 1, 3, 5, 20):
        part = WholeGame(tale.start, tale.story[:length], None)
        found = part.dossier(0)
        assert found.lines[0] == "Not finished."
        rows(part)
        found.head(Canvas(80, 3))


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([(2, False), (4, False), (4, True)]))
def test_every_game_can_be_told(seed: int, kind: tuple[int, bool]) -> None:
    tale = random_story(seed, kind[0], fifth=kind[1], leaves=kind[0] == 4)
    found = tale.dossier()
    assert len(found.lines) > len(tale.story) // 4
    for width in (78, 98):
        assert rows(tale, None, width)
    assert found.lines[-1].startswith("The end: ")


# -- the replay --------------------------------------------------------------------------------------------------------


def replayed(tale: WholeGame, ui: PretendUi, step: int | None = None) -> ReplayScreen:
    return ReplayScreen(tale.timeline, tale.story, tale.result, ui, step)


def text_of(screen: ReplayScreen, columns: int = 80, rows: int = 24) -> str:
    canvas = Canvas(columns, rows)
    screen.draw(canvas, screen.ui.now())
    return "\n".join(canvas.lines())


def test_a_game_is_stepped_through_by_keys_and_by_the_mouse() -> None:
    tale, ui = random_story(4, 4), PretendUi()
    screen = replayed(tale, ui)
    assert "An empty field." in text_of(screen)
    screen.key("right")
    assert "begins." in text_of(screen)
    screen.key("pagedown")
    assert "Cards: " in text_of(screen).splitlines()[1]
    screen.key("pageup")
    assert "0 of" in text_of(screen)
    screen.key("end")
    text = text_of(screen)
    assert "THE END" in text
    assert "1st" in text
    screen.wheel(None, 0, 0, -1)
    assert "THE END" not in text_of(screen)
    screen.click(("square", square("a1")), 0, 0, "left")
    assert "a1: ana’s home" in text_of(screen)
    screen.key("esc")
    assert ui.popped == []
    screen.key("esc")
    assert ui.popped == [screen]


def test_the_replay_knows_what_nobody_had_seen_yet() -> None:
    tale = random_story(4, 2)
    screen = replayed(tale, PretendUi())
    screen.key("pagedown")
    assert isinstance(screen.timeline, GameTimeline)
    nest = screen.timeline.state(screen.at).mine.veins[0]
    screen.click(("square", nest), 0, 0, "left")
    text = text_of(screen)
    assert "an unopened vein" in text
    assert "It holds" in text


@pytest.mark.slow
def test_it_begins_at_a_step_and_draws_a_whole_game() -> None:
    tale = random_story(6, 4, fifth=True)
    step = next(number for number, (ask, _) in enumerate(tale.story) if getattr(ask, "topic", "") == "move")
    assert "MOVE" in text_of(replayed(tale, PretendUi(), step))
    screen = replayed(tale, PretendUi())
    seen = set()
    for _ in range(len(tale.story)):
        seen.add(text_of(screen, 120, 40).splitlines()[1].split()[0])
        screen.key("right")
    assert {"START", "NESTS", "CARD", "MOVE", "VEIN", "THE"} <= seen | {"THE"}
    assert "THE END" in text_of(screen, 120, 40)


# -- in sentences ------------------------------------------------------------------------------------------------------


def typed(game: LineMode, table: MineTable, text: str) -> list[str]:
    """Types an order; a completed choice goes to the table."""
    reply = game.submit(text)
    if reply.done:
        try:
            table.choose(reply.choice)
        except NotAllowed as error:
            return [*reply.lines, not_possible(error)]
    return list(reply.lines)


def news(game: LineMode, table: MineTable) -> list[str]:
    return game.on_event(Answered(0, table.truth.ask(), None, table.state))  # type: ignore[arg-type]


def test_nests_are_placed_by_typing() -> None:
    table = MineTable()
    game = LineMode(UI, table)
    assert game.prompt()[0].startswith("Nest 1 of 10: place it outside your quarter.")
    assert typed(game, table, "b2") == ["Not possible: place your nests outside your own quarter of the board."]
    assert typed(game, table, "z9") == ["Not possible: 'z9' is not a square: write a1 to h8."]
    assert typed(game, table, "place e5") == []
    assert table.chosen == [square("e5")]
    assert "You put a nest on e5." in news(game, table)


def test_cards_are_played_by_typing() -> None:
    table = MineTable(state=position(2, veins="c3", pawns="b2 g7"), slow=True)
    game = LineMode(UI, table)
    lines = game.prompt()
    assert lines[0] == "Round 1: choose a card."
    assert lines[1].startswith("1 leads to a1 your home, a2, a3")
    assert "c3 an unopened vein" in lines[1]
    assert typed(game, table, "4")[0].startswith("Not possible: type 1, 2 or 3")
    assert typed(game, table, "card 2 end") == []
    assert table.chosen == [(2, True)]


def test_the_prompt_says_who_would_end_the_game() -> None:
    state = evolve(position(4), willing=(True, True, False, True))
    lines = LineMode(UI, MineTable(state=state)).prompt()
    assert lines[-2].startswith("ben and dmitri would end the game: to agree, type end after your card")
    assert lines[-1] == "Type 1, 2 or 3."


def test_a_move_is_typed_with_what_is_done_on_the_way() -> None:
    state = shown(position(2, pawns="d4 g7", carried={0: (medium(GREEN),)}, loose={"d5": small(PURPLE)}), 3, 1)
    table = MineTable(state=state)
    game = LineMode(UI, table)
    assert "You carry 2 of 3 pips (a small gem 1, a medium one 2): room for a small." in " ".join(game.prompt())
    for wrong, reason in (
        ("d6", "a move goes 3 squares in a straight line"),
        ("d7 drop sr d5", "there is no gem 'sr' here"),
        ("d7 drop mg", "say where to drop it"),
        ("d7 drop mg c4", "on the squares of the way only"),
        ("d7 fly", "'fly' is nothing that can be done"),
        ("d7 drop mg d5", "there is already a gem on d5"),
        ("e6", "a move goes 3 squares in a straight line"),
    ):
        (line,) = typed(game, table, wrong)
        assert line.startswith("Not possible: "), line
        assert reason in line, line
    assert typed(game, table, "go d7 pick up d5 drop medium green on d6") == []
    assert table.chosen == [move("d7", "d5", {"d6": medium(GREEN)})]


@pytest.mark.parametrize(
    ("text", "taken"), [("take all", (0, 20)), ("take mr", (20,)), ("sr", (0,)), ("take small red and mr", (0, 20)),
                        ("nothing", ())],
)  # fmt: skip
def test_gems_are_taken_by_typing(text: str, taken: tuple[int, ...]) -> None:
    table = MineTable(state=shown(position(2, veins="d5", pawns="d4 g7"), 1, 1))
    game = LineMode(UI, table)
    typed(game, table, "d5")
    lines = game.prompt()
    assert lines[0] == "You are at the vein on d5."
    assert "A medium red is worth 4 to you, own ×2." in lines
    assert typed(game, table, text) == []
    assert table.chosen[-1] == taken


def test_everything_can_be_asked_for() -> None:
    state = position(4, veins="d6 b2", inside={"b2": ()}, pawns="d4 b7 g7 f1", carried={0: (medium(GREEN),)},
                     loose={"c5": small(PURPLE)}, stored={1: (small(BLUE, 3),)})  # fmt: skip
    game = LineMode(UI, MineTable(state=state))
    lines = game.describe()
    assert lines[0] == "Round 1. The order of play is you, ben, carla and dmitri."
    assert "You collect red, stand on d4, carry a medium green; 0 points at home on a1." in lines
    assert "ben collects blue, stands on b7, carries nothing; 2 points at home on a8." in lines
    assert "A small purple lies on c5." in lines
    assert any("Exhausted: b2; b2 can be crossed, next to a home." in line for line in lines)
    assert lines[-1] == (
        f"The game ends after 7 more exhausted veins, or after {QUIET} rounds in a row in which nobody takes a gem or "
        "brings one home: 0 so far."
    )
    assert game.submit("look d6").lines[0] == "d6: an unopened vein."
    assert game.submit("look c5").lines[1] == "A small purple is worth 1 to you."
    assert game.submit("look q1").lines == ("The field has no square q1.",)
    assert game.submit("left").lines[0].startswith("Small gems that nobody has seen: ")
    assert game.submit("players").lines[0] == lines[1]
    assert game.submit("field").lines[0].startswith("Unopened veins: d6")
    assert game.submit("where").lines[0].startswith("1 leads to ")
    assert game.submit("log").lines == ("Nothing has happened yet.",)
    assert game.submit("look").lines == tuple(lines)
    assert game.help()


def test_what_others_do_is_said() -> None:
    table = MineTable(0, state=position(4))
    game = LineMode(UI, table)
    assert news(game, table) == []
    table.leave_seat(2)
    # The table itself says that carla has left.
    assert game.on_event(SeatDeparted(1, 2, table.state)) == []
    assert game.submit("log").lines[-1] == "carla leaves the game."


def test_what_is_lost_with_a_seat_that_leaves_is_said() -> None:
    table = MineTable(0, state=position(4, pawns="a1 d6 h8 h1", carried={1: (small(RED, 1),)}))
    game = LineMode(UI, table)
    assert news(game, table) == []
    table.leave_seat(1)
    assert game.on_event(SeatDeparted(1, 1, table.state)) == ["What ben carried is lost: a small red."]


def test_before_the_lots_and_after_the_end_there_is_something_to_say() -> None:
    table = MineTable()
    table.peer = ArenaPeer(SeatedArena(GAME, 2, Random(1)), 0)
    game = LineMode(UI, table)
    assert game.describe() == ["Lots decide the colors, and who begins."]
    assert game.prompt() == []
    assert game.submit("d5").lines == ("There is nothing for you to do now.",)
    assert game.submit("look d5").lines == tuple(game.describe())


def spelled(state: State, ask: Ask, seat: int, choice: Any) -> str:
    """A choice as a player types it."""
    space = space_for(ask, seat)
    match space:
        case NestSpace():
            return name(choice)
        case CardSpace():
            return f"{choice[0]} end" if choice[1] else str(choice[0])
        case TakeSpace(gems=gems):
            return "take " + (" and ".join(spelled_gem(state, gem, gems) for gem in choice) or "nothing")
    assert isinstance(space, PawnMoveSpace)
    to, picked, dropped = choice
    held = [*state.mine.carried[seat], *(gem for at, gem in state.mine.loose if at in space.way(to))]
    text = f"go {name(to)}" + "".join(f" pick {name(at)}" for at in picked)
    for at, gem in dropped:
        text += f" drop {spelled_gem(state, gem, held)} on {name(at)}"
        held.remove(gem)
    return text


def spelled_gem(state: State, gem: int, among: Sequence[int]) -> str:
    """A gem, and which one it is among those that look like it."""
    alike = [each for each in among if stone(state, each) == stone(state, gem)]
    return f"{stone(state, gem).name}{alike.index(gem) + 1}"


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([2, 4]))
def test_whatever_keys_and_clicks_can_choose_can_be_typed(seed: int, seats: int) -> None:
    rng = Random(seed)
    arena = Arena(GAME.start(seats, {}, None), rng)
    while not isinstance(ask := arena.truth.ask(), Result):
        state, choices = arena.truth, {}
        assert isinstance(state, State)
        for seat in ask.choosers:
            space = space_for(ask, seat)
            assert space is not None
            choices[seat] = space.pick(rng)
            context = FormContext(state, ask, space, seat, NAMES, {}, unused, unused, unused, unused)
            reply = UI.form(context, UI.view(NAMES, seat)).type(spelled(state, ask, seat, choices[seat]))
            assert reply == Reply((), choices[seat], True)
        arena.advance(choices)


def unused(*_: object, **__: object) -> None:
    raise AssertionError("typing needs no screen")


def test_one_of_several_gems_that_look_alike_is_named_by_its_number() -> None:
    state = shown(position(2, pawns="d4 g7", carried={0: (small(GREEN), small(GREEN, 1))}), 3, 1)
    table = MineTable(state=state)
    game = LineMode(UI, table)
    assert "there is no gem 'sg3' here" in typed(game, table, "d7 drop sg3 d5")[0]
    assert typed(game, table, "d7 drop sg2 d5") == []
    assert table.chosen == [move("d7", dropped={"d5": small(GREEN, 1)})]


@given(st.text(max_size=20), st.sampled_from(["place", "card", "move", "take"]))
def test_nothing_that_is_typed_raises(text: str, kind: str) -> None:
    state = {"place": None, "card": position(2), "move": shown(position(2, veins="d5", pawns="d4 g7"), 1, 1),
             "take": None}[kind]  # fmt: skip
    table = MineTable(state=state)
    game = LineMode(UI, table)
    reply = game.submit(text)
    assert reply.done or reply.lines


@given(
    st.lists(
        st.sampled_from(["go", "d5", "d6", "pick", "drop", "mg", "small", "green", "on", "up", "1", "end", "take"])
    )
)
def test_no_order_of_known_words_raises(words: list[str]) -> None:
    state = shown(position(2, pawns="d4 g7", carried={0: (medium(GREEN),)}, loose={"d5": small(RED, 3)}), 2, 1)
    reply = LineMode(UI, MineTable(state=state)).submit(" ".join(words))
    assert reply.done or reply.lines


# -- advice ------------------------------------------------------------------------------------------------------------


def test_advice_counts_turns_around_exhausted_veins() -> None:
    def advised(*shut: str) -> str:
        held = {"h3": (small(RED, 0),), **dict.fromkeys(("b4", "b6", "c7", "d5", "e2", "f7", *shut), ())}
        state = shown(position(4, veins=" ".join(held), inside=held, pawns="g6 a8 h8 h1"), 1, 1, 1, 1)
        return advise(state, 0, move("h6"))

    assert advised("a2") == "Go to h6: you come nearer to h3, 1 turn from there."
    assert advised("h4") == "Go to h6: h3 is 2 turns from there."


def test_advice_promises_nothing_where_no_way_leads_anywhere() -> None:
    held = dict.fromkeys(("a4", "b4", "c4", "c5", "c6", "b6", "a6"), ())
    state = shown(
        position(4, veins=" ".join(held), inside=held, pawns="a5 a8 h8 h1", carried={0: (small(RED),)}), 1, 1, 1, 1
    )
    assert advise(state, 0, move("b5")) == "Go to b5: nothing that you could take is within your reach now."
