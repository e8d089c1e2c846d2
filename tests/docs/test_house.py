"""How the code is laid out: no circles, one meaning for each class name, nothing loose, and a picture that is true."""

from __future__ import annotations

from tests.tools import house


def test_no_file_leads_back_to_itself_by_its_imports() -> None:
    assert house.circles(house.import_graph()) == []


def test_a_class_name_means_one_thing() -> None:
    assert house.shared_names() == {}


def test_no_module_lies_outside_of_a_room() -> None:
    assert house.loose() == []


def test_only_an_ask_itself_its_registries_and_games_name_a_type_of_ask() -> None:
    """What is true of an ask, its class says. So nothing else has to change for a new ask."""
    assert house.ask_users() == []


def test_the_picture_of_the_rooms_is_drawn_from_the_code() -> None:
    rooms = house.room_graph(house.import_graph())
    drawn = house.PICTURE.search(house.PAGE.read_text("utf-8"))
    assert drawn is not None
    assert drawn.group() == house.picture(rooms), "python -m tests.tools.house --write draws it anew"
