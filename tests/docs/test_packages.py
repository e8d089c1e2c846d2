"""The packages of systems are of this version, ask for what pyproject.toml does, and show what is installed."""

from __future__ import annotations

import configparser
import re
import tomllib
from typing import Any, Final
from xml.etree import ElementTree

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.paths import ROOT

PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DEBIAN: Final = ROOT / "packages" / "debian"
SHARE: Final = ROOT / "share"


def test_all_are_of_this_version() -> None:
    version = PROJECT["version"]
    changes = (DEBIAN / "changelog").read_text("utf-8")
    assert changes.startswith(f"kimberley ({version}-1) ")
    assert f"/v{version}/kimberley-{version}.tar.gz" in (ROOT / "packages/homebrew/kimberley.rb").read_text("utf-8")
    assert f"version={version}\n" in (ROOT / "packages/README.md").read_text("utf-8")


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
