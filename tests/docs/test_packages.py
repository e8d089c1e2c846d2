"""The packages of systems are of this version, ask for what pyproject.toml does, and show what is installed."""

from __future__ import annotations

import configparser
import re
import shutil
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.paths import ROOT
from tests.tools import version

PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DEBIAN: Final = ROOT / "packages" / "debian"
SHARE: Final = ROOT / "share"
DAY: Final = datetime(2030, 1, 2, tzinfo=UTC)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Returns a copy of the files that have the version, with something that is not released yet."""
    for name in {name for name, _ in version.PLACES}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / version.CHANGES).write_text("# Changes\n\n## Unreleased\n\nMore.\n\n## 0.0.1 - 2020-01-01\n", "utf-8")
    return tmp_path


def test_every_place_has_this_version(copied: Path) -> None:
    dated = {copied / name for name, _, _ in version.DATED}
    for path, text in version.changed(PROJECT["version"], DAY, copied).items():
        assert path in dated or text == path.read_text("utf-8"), path
    assert (DEBIAN / "changelog").read_text("utf-8").startswith(f"kimberley ({PROJECT['version']}-1) ")


def test_one_command_sets_the_version_and_what_is_unreleased_has_it(copied: Path) -> None:
    found = version.changed("9.8.7", DAY, copied)
    for path, text in found.items():
        path.write_text(text, "utf-8")
    assert {tomllib.loads(found[path])["project"]["version"] for path in copied.rglob("pyproject.toml")} == {"9.8.7"}
    assert "/download/v9.8.7/kimberley-9.8.7.tar.gz" in found[copied / "packages/homebrew/kimberley.rb"]
    changes = found[copied / "packages/debian/changelog"]
    assert changes.startswith("kimberley (9.8.7-1) ")
    assert changes.endswith("  Wed, 02 Jan 2030 00:00:00 +0000\n")
    assert found[copied / version.CHANGES].splitlines()[2::4] == ["## 9.8.7 - 2030-01-02", "## 0.0.1 - 2020-01-01"]
    assert version.changed("9.8.7", DAY, copied) == found
    with pytest.raises(ValueError, match="has 0 places"):
        version.changed("9.9.0", DAY, copied)


def test_debian_asks_for_what_pip_asks_for() -> None:
    paragraph = (DEBIAN / "control").read_text("utf-8").partition("\nPackage: kimberley\n")[2]
    asked = set(re.findall(r"^ python3-([a-z-]+),$", paragraph, re.MULTILINE))
    wanted = {canonicalize_name(Requirement(line).name) for line in PROJECT["dependencies"]}
    # Debian has no rbcl, which brings the same libsodium as this.
    assert wanted - {"rbcl"} == asked
    assert " libsodium23,\n" in paragraph


def test_debian_names_the_license_whole() -> None:
    text = (ROOT / "LICENSE").read_text("utf-8").partition("\n\nPermission")[2]
    named = (DEBIAN / "copyright").read_text("utf-8").replace("\n .\n", "\n\n")
    assert text.split() == named.partition("Permission")[2].split()


def test_software_centers_know_the_entry_of_the_desktop_and_its_icon() -> None:
    about = ElementTree.parse(SHARE / "metainfo/kimberley.metainfo.xml")
    assert about.findtext("project_license") == PROJECT["license"]
    assert about.findtext("provides/binary") in PROJECT["scripts"]
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(SHARE / "applications" / (about.findtext("launchable") or ""), "utf-8")
    assert (SHARE / f"icons/hicolor/scalable/apps/{entry['Desktop Entry']['Icon']}.svg").is_file()
