"""Makes a site of the pages, which stay plain Markdown, with links as a forge follows them (CONTRIBUTING.md)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

ROOT: Final = Path(__file__).parents[2]
CONTENTS: Final = "docs/index"

project = "Kimberley"
html_title = project
root_doc = CONTENTS
include_patterns = ["*.md", "docs/*.md", "tests/attacks/README.md"]
exclude_patterns = [path.name for path in ROOT.iterdir() if path.is_dir() and path.name not in ("docs", "tests")]
extensions = ["myst_parser", "sphinxcontrib.mermaid"]
myst_fence_as_directive = ["mermaid"]
myst_heading_anchors = 4
html_theme = "furo"
html_extra_path = ["extra"]
html_copy_source = False
html_show_copyright = html_show_sphinx = False


def _add_navigation(app: Sphinx, page: str, source: list[str]) -> None:
    """Makes the navigation from the lists of links in the contents, one part for each heading."""
    if page != CONTENTS:
        return
    for heading, links in re.findall(r"^## (.+)\n\n((?:(?:- \[|  ).+\n)+)", source[0], re.MULTILINE):
        entries = "".join(f"{title} <{target}>\n" for title, target in re.findall(r"- \[(.+?)\]\((.+?)\.md\)", links))
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{entries}```\n"


def setup(app: Sphinx) -> None:
    """Shows the blocks of code that no other program reads as plain text."""
    for kind in ("chart", "exchange", "kimberley", "small", "words"):
        app.add_lexer(kind, TextLexer)
    app.connect("source-read", _add_navigation)
