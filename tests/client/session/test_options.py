"""The options of a game: typed, told, remembered, and settled on the screen before a table is opened."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from kimberley.client.cli.main import main
from kimberley.client.screens.app import App
from kimberley.client.screens.join import JoinScreen
from kimberley.client.screens.lobby import LobbyScreen
from kimberley.client.screens.setup import SetupScreen
from kimberley.client.screens.title import TitleScreen
from kimberley.client.screens.waiting import WaitingScreen
from kimberley.client.session.options import for_other_game, for_people, for_table, remember, remembered
from kimberley.client.session.settings import Settings, load
from kimberley.client.ui.palette import Depth, Palette
from kimberley.games.diamond import GAME as DIAMOND
from kimberley.games.diamond_trust import GAME as TRUST
from kimberley.games.land import GAME as LAND
from kimberley.games.lookup import find, ids
from kimberley.games.options import format_value
from kimberley.games.table import Game, Plain
from kimberley.p2p.sentences.options import in_short, option_lines, read_option, read_options, refusal
from kimberley.p2p.table.common_options import GRACE, GRACE_SECONDS
from kimberley.protocol.play import NotAllowed
from tests.support.asyncs import settled, until
from tests.support.cards import CARDS
from tests.support.choosy import CHOOSY, OPTIONS
from tests.support.pretend import (
    PretendServices,
    PretendTable,
    listed,
    open_table,
    press,
    pretend_app,
    set_up,
    shown,
    touch,
)

SIZES = ((80, 24), (100, 34), (120, 28), (200, 60))


def running(test: Callable[[App, PretendServices], Awaitable[None]], services: PretendServices | None = None) -> None:
    """Runs a test over the title screen, with nothing real behind it."""

    async def story() -> None:
        given = services or PretendServices(PretendTable(phase="open", names=("ana",)))
        app = pretend_app(given)
        app.push(TitleScreen(app))
        await test(app, given)
        await settled()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    asyncio.run(story())


def everywhere(app: App, *texts: str) -> None:
    """Asserts that the texts are shown whole on the screen, at every size and with every palette."""
    for ascii_only in (False, True):
        for depth in Depth:
            app.palette, app.ascii_only = Palette(depth), ascii_only
            for columns, rows in SIZES:
                painted = shown(app, columns, rows)
                for text in texts:
                    assert text in painted, f"{text!r} at {columns} x {rows}:\n{painted}"
    app.palette, app.ascii_only = Palette(Depth.TRUE), False


# -- typed and remembered ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "here", "seats"), [("mine", 1, 2), ("mine", 3, 4), ("mine", 5, 2), ("diamond", 3, 2), ("piecepack", 2, 5)]
)
def test_another_game_has_a_seat_for_everybody_who_is_there_if_it_can(game: str, here: int, seats: int) -> None:
    assert for_other_game(Settings(seats=5), find(game), here, GRACE_SECONDS)[0] == seats


def test_every_value_is_typed_as_it_is_spelled() -> None:
    for game in (CHOOSY, *map(find, ids())):
        for option in game.options:
            typed = [format_value(value) for value, _ in option.values]
            assert len(set(typed)) == len(typed)
            for value, label in option.values:
                assert read_option(game, f"{option.name}={format_value(value)}") == (option.name, value)
                assert read_option(game, f" {option.name} = {label.upper()}") == (option.name, value)
    assert type(read_options(CHOOSY, ["fifth=yes", "turns=25"])["fifth"]) is bool
    assert read_options(CHOOSY, ["turns=25", "turns=100"]) == {"turns": 100}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("deck=huge", 'Option "deck" can be small or large, not "huge".'),
        ("turns=1", 'Option "turns" can be 0, 25 or 100, not "1".'),
        ("fifth=1", 'Option "fifth" can be no or yes, not "1".'),
        ("map=small", 'Choosy Cards has no option "map". Options: deck=small or large; turns=0, 25 or 100; '),
        ("deck", 'Option "deck" needs a value: deck=small or large.'),
    ],
)
def test_what_is_not_there_is_answered_with_what_is(typed: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"Deck|Length|Flawless|Choosy|Option") as found:
        read_option(CHOOSY, typed)
    assert str(found.value).startswith(said)


def test_what_was_chosen_is_offered_again(tmp_path: Path) -> None:
    settings = Settings(path=tmp_path / "settings.json", adjust="20")
    assert remembered(settings, CHOOSY) == {"deck": "small", "turns": 0, "fifth": False, "first": "lot"}
    remember(settings, CHOOSY, {"deck": "large", "fifth": True, "last_look": 6})
    remember(settings, TRUST, {"last_look": 6})
    settings.save()
    kept = load(tmp_path)
    assert remembered(kept, CHOOSY) == {"deck": "large", "turns": 0, "fifth": True, "first": "lot"}
    assert remembered(kept, TRUST) == {"last_look": 6}
    remember(kept, TRUST, {"last_look": 40, "quiet_time": 5})
    assert remembered(kept, TRUST) == {"last_look": 40, "quiet_time": 5}
    assert for_table(kept, TRUST, 2, {"last_look": 12}) == (2, {"last_look": 12})
    assert remembered(kept, DIAMOND) == {}
    first = Settings()
    assert remembered(first, LAND) == {"map": "small", "turns": 25}
    remember(first, LAND, {"map": "kimberley", "turns": 0})
    assert remembered(first, LAND) == {"map": "kimberley", "turns": 0}
    # Too few for what was chosen last: the defaults. What is asked for now stands, whatever it leads to.
    assert for_table(kept, CHOOSY, 4) == (4, remembered(kept, CHOOSY))
    assert for_table(kept, CHOOSY, 2, {"turns": 25}) == (2, {"turns": 25})
    assert for_table(kept, CHOOSY, 2, {"fifth": True}) == (2, {"fifth": True})
    assert refusal(CHOOSY, 2, {"fifth": True}) == "A fifth suit is for 3 and more."


@pytest.mark.parametrize("kept", [{"choosy": {"deck": 1}}, {"choosy": []}, {"choosy": {"deck": "huge"}}, [1], "x"])
def test_options_that_make_no_sense_are_not_remembered(tmp_path: Path, kept: object) -> None:
    (tmp_path / "settings.json").write_text(json.dumps({"options": kept, "level": 9}))
    found = load(tmp_path)
    assert found.level == 9
    assert remembered(found, CHOOSY)["deck"] == "small"


def test_only_games_that_have_last_looks_speak_of_them() -> None:
    when = "once plans are made"
    assert option_lines(TRUST, {"last_look": 12}) == [("Adjust time", f"12 s for both, {when}")]
    until_done = option_lines(TRUST, {"last_look": 40, "quiet_time": 5})
    assert until_done == [("Adjust time", f"5 to 40 s for both, {when}")]
    no_limit = f"no limit, {when}; a long wait gives you away"
    assert option_lines(TRUST, {"last_look": 0}) == [("Adjust time", no_limit)]
    assert option_lines(DIAMOND, {"last_look": 0}) == []
    assert option_lines(CHOOSY, {"fifth": True})[2] == ("Flawless gems", "a fifth color, worth triple")


@pytest.mark.parametrize("command", [("host",), ("alone",), ("bot", "host"), ("demo",)])
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("diamond", "--option", "map=small"), 'Diamond has no option "map".'),
        (("diamond", "--adjust", "6"), "Plans cannot be adjusted in Diamond: leave out --adjust."),
        (("diamond", "--seats", "3"), "Diamond is for 2 players, not 3."),
        (("diamond", "--seats", "0"), "Diamond is for 2 players, not 0."),
        (("diamond", "--level", "21"), "Diamond has levels 1 to 20, not 21."),
        (("--level", "12"), "Diamond Trust of London has levels 1 to 11, not 12."),
    ],
)
def test_commands_refuse_what_a_game_does_not_have(
    command: tuple[str, ...], typed: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([*command, *typed, "--data", str(tmp_path)]) == 1
    assert capsys.readouterr().err == f"kimberley: {said}\n"


# -- on the screen -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["host", "alone"])
def test_many_options_stand_on_every_screen(kind: Any) -> None:
    async def test(app: App, services: PretendServices) -> None:
        app.push(set_up(app, CHOOSY, kind))
        labels = [option.label for option in OPTIONS]
        button = "Play Enter" if kind == "alone" else "Done Enter"
        everywhere(app, "Seats", "2 players", *labels, "to the last card", "rolled by the table", button)
        press(app, *["down"] * (2 if kind == "alone" else 1))
        everywhere(app, "How many cards there are.")

    running(test)


def test_options_are_chosen_by_keys_alone() -> None:
    async def test(app: App, services: PretendServices) -> None:
        app.push(set_up(app, CHOOSY, "alone"))
        # Three players, level 6, a large deck, 25 turns, the fifth suit.
        press(app, "right", "down", "right", "down", "right", "down", "right", "tab", " ", "enter")

    services = PretendServices(PretendTable(phase="open", names=("ana",)))
    running(test, services)
    chosen = {"deck": "large", "turns": 25, "fifth": True, "first": "lot"}
    assert services.asked == [("alone", "choosy", chosen, 3, 2)]


def test_a_level_is_shown_by_its_number_its_name_and_how_it_plays() -> None:
    async def test(app: App, services: PretendServices) -> None:
        app.push(set_up(app, TRUST, "alone"))
        everywhere(app, "1  First-timer", "Level 1 takes")
        press(app, "right", "right")
        everywhere(app, "3  Apprentice", "Level 3 uses what double agents")
        assert "3  Apprentice" in shown(app, 40, 40)
        assert "Level 3 uses" in shown(app, 40, 40)
        press(app, "down")
        assert "Level 3 uses" not in shown(app)

    running(test)


@pytest.mark.parametrize(("kept", "offered"), [(20, "11  Grandmaster"), (11, "11  Grandmaster"), (4, "4  Regular")])
def test_a_kept_level_above_the_highest_is_the_highest(kept: int, offered: str) -> None:
    async def test(app: App, services: PretendServices) -> None:
        app.settings.level = kept
        app.push(set_up(app, TRUST, "alone"))
        assert offered in shown(app)

    running(test)


def test_options_are_chosen_by_the_mouse_alone_and_remembered(tmp_path: Path) -> None:
    def arrow(app: App, label: str) -> None:
        rows = app.draw(80, 24).lines()
        y = next(number for number, row in enumerate(rows) if f" {label} " in row)
        app.touch(rows[y].index("▸", rows[y].index("◂")), y, "left")

    async def test(app: App, services: PretendServices) -> None:
        app.settings.path = tmp_path / "settings.json"
        app.push(set_up(app, CHOOSY, table))
        for label in ("Seats", "Seats", "Length", "First to act", "Time to return"):
            arrow(app, label)
        assert len(table.done) == 5, "each change counts at once"
        touch(app, "Done Enter")

    table = open_table(CHOOSY)
    running(test)
    chosen = {"deck": "small", "turns": 25, "fifth": False, "first": "host", "grace": 300}
    assert table.done[-1] == ("options", chosen, 4)
    kept = load(tmp_path)
    assert kept.grace == 300
    assert (kept.seats, kept.game, remembered(kept, CHOOSY)["turns"]) == (4, "choosy", 25)


def test_what_the_rules_refuse_is_said_and_changes_no_table() -> None:
    async def test(app: App, services: PretendServices) -> None:
        app.push(set_up(app, CHOOSY, table))
        press(app, *("down",) * 3, "right")
        everywhere(app, "A fifth suit is for 3 and more.")
        assert not table.done
        press(app, "up", "up", "up", "right")
        assert "A fifth suit" not in shown(app)

    table = open_table(CHOOSY)
    running(test)
    assert [done[2] for done in table.done] == [3]
    assert table.occupants.options["fifth"]


def test_there_are_as_many_seats_as_players_at_least_and_bots_have_a_level_once_they_are_there() -> None:
    async def test(app: App, services: PretendServices) -> None:
        app.settings.level = 1
        app.push(set_up(app, CARDS, table))
        everywhere(app, "Bot level", "ben sees them.")
        press(app, "down", "right", "enter")
        await settled()

    table = open_table(CARDS, seats=3, names=("ana", "ben", "Orlov"), acquaintance=("you", "new", "bot"))
    services = PretendServices(table)
    running(test, services)
    assert table.occupants.seats == 3
    assert table.done[-1] == ("away", 2)
    assert services.asked == [("bot", 2)], "it was put in the other's place"


@pytest.mark.parametrize(("row", "steps"), [("Seats", ("left",)), ("Game", ())])
def test_a_bot_makes_room_where_the_choice_has_a_seat_less(row: str, steps: tuple[str, ...]) -> None:
    async def test(app: App, services: PretendServices) -> None:
        screen = set_up(app, game, table)
        app.push(screen)
        if row == "Game":
            press(app, "up")
            choose_game(app, screen, TRUST)
        else:
            press(app, *steps)
        assert "Changes take effect at once" in shown(app)
        press(app, "enter")
        assert "Orlov left the table." in shown(app)

    game = LAND if row == "Game" else CARDS
    table = open_table(game, seats=3, names=("ana", "ben", "Orlov"), acquaintance=("you", "new", "bot"))
    running(test)
    assert table.occupants.names == ("ana", "ben")
    assert table.occupants.seats == 2
    assert table.game is (TRUST if row == "Game" else CARDS)


def test_a_bot_that_made_room_for_a_moment_has_its_seat_again() -> None:
    async def test(app: App, services: PretendServices) -> None:
        app.push(set_up(app, CARDS, table))
        press(app, "left", "right", "enter")
        await settled()

    table = open_table(CARDS, seats=3, names=("ana", "ben", "Orlov"), acquaintance=("you", "new", "bot"))
    services = PretendServices(table)
    running(test, services)
    assert services.asked == [("bot", Settings().level)]


def choose_game(app: App, screen: SetupScreen, game: Game) -> None:
    """Steps through the games until one is chosen."""
    for _ in ids():
        if screen.game.id == game.id:
            return
        press(app, "right")
    raise AssertionError(f"{game.title} is not offered")


def test_the_time_to_return_stays_when_another_game_is_chosen() -> None:
    async def test(app: App, services: PretendServices) -> None:
        del services
        screen = set_up(app, LAND, table)

        def asked_grace() -> Plain:
            row = screen.rows[screen.names().index(GRACE)]
            return row.values[screen.at[GRACE]][0]

        app.push(screen)
        screen.change(GRACE, 1)
        kept = asked_grace()
        assert kept != GRACE_SECONDS
        screen.focus = 0
        choose_game(app, screen, TRUST)
        assert asked_grace() == kept
        assert "The time to return is the same for all games." in " ".join(shown(app).replace("│", "").split())

    table = open_table(LAND, seats=2, names=("ana", "ben"), acquaintance=("you", "new"))
    running(test, PretendServices(table))


@pytest.mark.parametrize("leaves", ["removed", "gone"])
def test_people_never_make_room_unasked_and_done_is_refused_until_one_is_removed(leaves: str) -> None:
    refusal = "Diamond Trust of London is for 2 players. Remove a player, or choose another game."

    async def test(app: App, services: PretendServices) -> None:
        screen = set_up(app, LAND, table)
        app.push(screen)
        press(app, "up")
        choose_game(app, screen, TRUST)
        for size in SIZES:
            text = app.draw(*size).lines()
            assert text[0].startswith(f" ◆ {table.game.title}"), "the title is that of the game that is played"
            assert refusal in " ".join(" ".join(text).replace("│", "").split())
            assert "Changes take effect at once" not in "\n".join(text)
            assert "Done" not in "\n".join(text)
        press(app, "enter")
        assert app.stack[-1] is screen
        assert table.game is not TRUST
        if leaves == "removed":
            touch(app, "Remove x")
            everywhere(app, "Remove a player")
            press(app, "2", "x")
        else:
            table.change(names=("ana", "cleo"), acquaintance=("you", "new"), readiness=(False, False))
        assert "Changes take effect at once" in shown(app)
        touch(app, "Done Enter")
        assert app.stack[-1] is not screen

    table = open_table(LAND, seats=3, names=("ana", "ben", "cleo"), acquaintance=("you", "new", "new"))
    running(test)
    assert table.occupants.names == ("ana", "cleo")
    assert table.game is TRUST


def test_who_goes_back_from_a_refused_game_reads_which_one_is_played() -> None:
    async def test(app: App, services: PretendServices) -> None:
        screen = set_up(app, LAND, table)
        app.push(screen)
        press(app, "up")
        choose_game(app, screen, TRUST)
        touch(app, "Back Esc")
        assert app.stack[-1] is not screen
        assert f"The game is {table.game.title}." in shown(app)

    table = open_table(LAND, seats=3, names=("ana", "ben", "cleo"), acquaintance=("you", "new", "new"))
    running(test)
    assert table.game is not TRUST
    assert len(table.occupants.names) == 3


def test_the_host_of_a_table_that_has_begun_changes_nothing() -> None:
    class Begun(PretendTable):
        def change_options(self, options: Mapping[str, Plain], seats: int, game: Game | None = None) -> None:
            raise NotAllowed("only while the table is open")

    async def test(app: App, services: PretendServices) -> None:
        app.push(set_up(app, CHOOSY, Begun(game=CHOOSY, phase="open", names=("ana",), options={})))
        press(app, "right", "esc")

    running(test)


def test_a_game_without_last_looks_is_set_up_without_one() -> None:
    async def test(app: App, services: PretendServices) -> None:
        for game, kind in ((CARDS, "host"), (CARDS, "alone"), (DIAMOND, "alone")):
            app.push(set_up(app, game, kind))
            everywhere(app, "Level" if kind == "alone" else "Time to return")
            assert ("Level" in shown(app)) == (kind == "alone"), "no bot plays"
            assert "ook" not in shown(app)
            app.home()

    running(test)


def test_how_long_is_waited_is_settled_for_every_table_of_people() -> None:
    async def test(app: App, services: PretendServices) -> None:
        app.push(set_up(app, DIAMOND, table))
        everywhere(app, "Time to return", "2 min", "Default: 2 min. How long the others wait")
        # Before the shortest time comes the longest.
        press(app, *("left",) * 3, "enter")
        assert app.settings.grace == 86400

    table = open_table(DIAMOND)
    running(test)
    assert table.done[-1] == ("options", {"grace": 86400}, 2)


@pytest.mark.parametrize(
    ("seconds", "said"), [(30, "30 s"), (60, "1 min"), (90, "90 s"), (900, "15 min"), (3600, "1 h"), (86400, "1 d")]
)
def test_how_long_is_waited_is_told_in_its_largest_unit_and_kept_for_the_tables_of_people(
    tmp_path: Path, seconds: int, said: str
) -> None:
    settings = load(tmp_path)
    assert for_people(settings, {"last_look": 6}) == {"last_look": 6}
    remember(settings, TRUST, {"grace": seconds})
    settings.save()
    kept = load(tmp_path)
    assert for_people(kept, {"last_look": 6}) == {"grace": seconds, "last_look": 6}
    assert for_people(kept, {"grace": 5}) == {"grace": 5}
    assert option_lines(DIAMOND, {"grace": seconds}) == [("Time to return", said)]


@pytest.mark.parametrize("seconds", [4, 86401, "30", True, None])
def test_a_wait_that_no_table_has_is_not_taken_from_the_settings(tmp_path: Path, seconds: object) -> None:
    (tmp_path / "settings.json").write_text(json.dumps({"grace": seconds}))
    assert load(tmp_path).grace == 120


CHOSEN = {"deck": "large", "turns": 100, "fifth": True, "first": "host", "last_look": 0}


def seated(game: Game, **values: Any) -> PretendTable:
    """Returns an open table of five at which three players sit."""
    given: dict[str, Any] = {
        "game": game, "phase": "open", "seats": 5, "names": ("ana", "farid", "gita"), "readiness": (False,) * 3,
        "acquaintance": ("you", "new", "new"), "agreed": (False,) * 3, "asks_ready": True, "options": CHOSEN,
    }  # fmt: skip
    return PretendTable(**(given | values))


@pytest.mark.parametrize("host", [True, False])
def test_all_options_of_a_table_are_told_to_all_who_sit_there(host: bool) -> None:
    async def test(app: App, services: PretendServices) -> None:
        from kimberley.client.screens.table_flow import TableFlow

        table = seated(CHOOSY, host=host, seat=0 if host else 1)
        flow = TableFlow(app, table)
        for screen in (WaitingScreen, LobbyScreen):
            app.push(screen(app, table, flow))
            everywhere(app, "Deck", "large and long", "a fifth color, worth triple", "100 turns each", "who opened")
            assert "ook" not in shown(app).replace("look at", "")
            app.home()

    running(test)


def test_the_list_tells_what_a_table_plays_and_who_sits_there() -> None:
    async def test(app: App, services: PretendServices) -> None:
        app.push(JoinScreen(app))
        await until(lambda: services.watchers)
        services.watchers[-1]()
        everywhere(app, "3 of 5: carla, farid, gita", "large and long, 25 turns each")

    options = (("Deck", "large and long"), ("Length", "25 turns each"))
    table = listed("carla", title="Choosy", total=5, taken=3, options=options, names=("carla", "farid", "gita"))
    running(test, PretendServices(tables=(table,)))


def test_options_that_do_not_fit_beside_the_title_go_on_below() -> None:
    async def test(app: App, services: PretendServices) -> None:
        app.push(JoinScreen(app))
        await until(lambda: services.watchers)
        services.watchers[-1]()
        box = shown(app, 80, 24).split("carla’s table")[1]
        assert "Horseshoe, 12 by 12, 25 turns each" in box
        assert "…" not in box.split("╰")[0]
        assert "each, time to return 60 minutes in the rest Seated 1 of 5" in " ".join(box.replace("│", " ").split())

    away = ("Time to return", "60 minutes in the rest")
    options = (("Map", "Horseshoe, 12 by 12"), ("Length", "25 turns each"), away)
    title = "Blood Diamonds: Land"
    running(test, PretendServices(tables=(listed("carla", title=title, total=5, taken=1, options=options),)))


def test_a_table_where_fewer_play_than_it_seats_counts_nobody_who_is_not_there() -> None:
    """Once the game has begun no seat is free, whatever the number of players."""

    async def test(app: App, services: PretendServices) -> None:
        app.push(JoinScreen(app))
        await until(lambda: services.watchers)
        services.watchers[-1]()
        everywhere(app, "Seated ben, Cullinan", "full")
        assert "3 of 3" not in shown(app)

    running(test, PretendServices(tables=(listed("ben", total=3, taken=3, names=("ben", "Cullinan")),)))


def test_in_short_a_time_says_what_it_is_for() -> None:
    assert in_short(option_lines(TRUST, {"last_look": 12, "grace": 120})) == "adjust time 12 s, time to return 2 min"
    until_done = option_lines(TRUST, {"last_look": 40, "quiet_time": 5})
    assert in_short(until_done) == "adjust time 5 to 40 s"
    assert in_short(option_lines(TRUST, {"last_look": 0})) == "adjust time no limit"
    assert in_short([("Map", "Two Rivers, 24 by 24")]) == "Two Rivers, 24 by 24"
    mine = find("mine")
    assert in_short(option_lines(mine, {"flawless": False})) == "no fifth color", "true of a table of four as well"
