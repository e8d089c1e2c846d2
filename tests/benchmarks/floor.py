"""The least that a screen of text costs: prompt_toolkit on asyncio, and nothing else. Keys move a mark."""

from prompt_toolkit import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

keys, marked = KeyBindings(), [0]


def rows() -> StyleAndTextTuples:
    size = app.output.get_size()
    text = ("floor " * size.columns)[: size.columns - 1]
    return [("reverse" if row == marked[0] else "", f"{text}\n") for row in range(size.rows)]


@keys.add("down")
def _down(_: KeyPressEvent) -> None:
    marked[0] += 1


@keys.add("up")
def _up(_: KeyPressEvent) -> None:
    marked[0] -= 1


app: Application[None] = Application(Layout(Window(FormattedTextControl(rows))), key_bindings=keys, full_screen=True)
app.run()
