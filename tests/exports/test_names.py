"""Names of releases, versions and configs: what is taken, and what is refused before any file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from exports.building.shards import write_shards
from exports.contents.records import VOCABULARY
from exports.names import Version, checked_config, checked_name, release_folder, versions_of

REFUSED_NAMES = [
    "",
    "..",
    "../x",  # out of the releases
    "/etc",
    "a/b",
    "a\\b",
    "A",  # the Hub tells capitals apart, some disks do not
    "a b",
    "a--b",  # the Hub refuses it
    "a..b",
    "-a",  # an option
    ".a",  # hidden
    "a.",
    "a.git",  # the Hub refuses it
    "a\n",
    "a\0b",
    "kleider-é",
    "<b>",
    "[2m]",
    "$(x)",
    "a" * 81,
]
REFUSED_VERSIONS = [
    "",
    "1",
    "1.0",
    "1.0.0.0",
    "v1.0.0",
    "1.0.0-rc1",
    "01.0.0",
    "1.0.0\n",
    " 1.0.0",
    "1.0.٣",  # a digit, not one of ours
    "-1.0.0",
    "1.0.1000000",
    "../1.0.0",
]


@pytest.mark.parametrize("name", REFUSED_NAMES)
def test_names_that_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match="a release wants a name"):
        checked_name(name)


@pytest.mark.parametrize("name", ["a", "dresses", "9", "look-alike_dresses.v2", "a" * 80])
def test_names_that_are_taken(name: str) -> None:
    assert checked_name(name) == name


@pytest.mark.parametrize("text", REFUSED_VERSIONS)
def test_versions_that_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"three numbers such as 1\.0\.0"):
        Version.of(text)


@given(st.tuples(*[st.integers(0, 999_999)] * 3))
def test_a_version_is_what_it_says(numbers: tuple[int, int, int]) -> None:
    version = Version.of(".".join(map(str, numbers)))
    assert (version.major, version.minor, version.patch) == numbers
    assert Version.of(str(version)) == version
    assert version.tag == f"v{version}"


def test_versions_go_by_numbers() -> None:
    texts = ["1.10.0", "1.9.9", "0.0.1", "1.10.1", "10.0.0"]
    assert [str(one) for one in sorted(map(Version.of, texts))] == [
        *("0.0.1", "1.9.9", "1.10.0", "1.10.1", "10.0.0")
    ]


def test_only_finished_versions_count(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    for name, is_whole in {
        "1.9.0": True,
        "1.10.0": True,
        "2.0.0": False,  # it has no lock
        ".3.0.0.partial": True,  # somebody makes it just now
        "latest": True,
    }.items():
        folder = release_folder(workspace, "x", Version(0, 0, 0)).with_name(name)
        folder.mkdir(parents=True)
        if is_whole:
            (folder / "release.lock.json").write_text("{}")
    (workspace.releases / "x" / "4.0.0").write_text("a file")
    assert [str(one) for one in versions_of(workspace, "x")] == ["1.9.0", "1.10.0"]
    assert versions_of(workspace, "y") == []


@pytest.mark.parametrize(
    "name", ["", "test-*", "random_10k [2m]", "../x", "a/b", "A", "hidden target", "a\n", "a-"]
)
def test_configs_that_datasets_or_a_disk_refuses(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no name of a config"):
        checked_config(name)
    with pytest.raises(ValueError, match="no name of a config"):
        write_shards(tmp_path, name, VOCABULARY, [])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "arguments",
    [
        *(("build", name, "--version", "1.0.0") for name in ("../x", "A", "a b", "a.git", "")),
        *(("build", "x", "--version", text) for text in ("v1.0.0", "../1.0.0", "1.0", "01.0.0")),
    ],
)
def test_a_hostile_name_writes_nothing(
    arguments: tuple[str, ...], tmp_path: Path, run: Callable[..., Any]
) -> None:
    ran = run("push-release", *arguments, "--workspace", tmp_path / "w")
    assert ran.code == 1
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1
    assert not list(tmp_path.iterdir())
