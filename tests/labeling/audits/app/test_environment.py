"""What FiftyOne finds in its environment, and which FiftyOne is taken."""

import os
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from labeling.audits.app.database import Address
from labeling.audits.app.environment import (
    Drafter,
    check_fiftyone,
    fiftyone_environment,
)

_VERSION = "labeling.audits.app.environment.version"


@pytest.mark.parametrize("found", ["1.22.0", "1.22.1", "1.22.10rc1"])
def test_versions_that_were_tried(monkeypatch: pytest.MonkeyPatch, found: str) -> None:
    monkeypatch.setattr(_VERSION, lambda _: found)
    check_fiftyone()


@pytest.mark.parametrize("found", ["1.21.4", "1.23.0", "2.22.1", "0.25", "1", "", "\x1b[31mbad"])
def test_versions_out_of_range(monkeypatch: pytest.MonkeyPatch, found: str) -> None:
    monkeypatch.setattr(_VERSION, lambda _: found)
    with pytest.raises(UsageError, match=r"wants FiftyOne 1\.22.*pip install") as caught:
        check_fiftyone()
    assert str(caught.value).isprintable()


def test_no_fiftyone(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(_VERSION, none)
    with pytest.raises(UsageError, match=r"not installed; run pip install 'benchwright\[review\]'"):
        check_fiftyone()


def test_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FIFTYONE_PRIVATE_DATABASE_PORT", "1")  # of a session in a notebook
    monkeypatch.setenv("FIFTYONE_PLUGINS_DIR", "/elsewhere")
    monkeypatch.chdir(tmp_path)
    address = Address(uri="mongodb://127.0.0.1:1", name="n")
    made = fiftyone_environment(address, Workspace(Path("w")), "ana", dataset="galleries")
    assert "FIFTYONE_PRIVATE_DATABASE_PORT" not in made
    assert made["PATH"] == os.environ["PATH"]
    assert made["BENCHWRIGHT_WORKSPACE"] == str(tmp_path / "w")
    assert made["BENCHWRIGHT_AUDITOR"] == "ana"
    assert made["BENCHWRIGHT_DATASET"] == "galleries"
    assert (Path(made["FIFTYONE_PLUGINS_DIR"]) / "fiftyone.yml").is_file()
    assert made["FIFTYONE_DO_NOT_TRACK"] == "true"
    assert (made["FIFTYONE_DATABASE_URI"], made["FIFTYONE_DATABASE_NAME"]) == (address.uri, "n")


def test_an_address_keeps_its_password() -> None:
    assert "hunter2" not in repr(Address(uri="mongodb://me:hunter2@host", name="n"))


VOTERS = """
voters:
  - {name: one, model: small, base_url: "http://127.0.0.1:1/v1"}
  - {name: two, model: large, base_url: "http://127.0.0.1:1/v1"}
"""


@pytest.mark.parametrize(
    ("named", "chosen"),
    [
        (None, "one"),  # the first of the file
        ("two", "two"),
    ],
)
def test_the_model_for_drafts_goes_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str | None, chosen: str
) -> None:
    file = tmp_path / "voters.yaml"
    file.write_text(VOTERS, "utf-8")
    drafter = Drafter.chosen(file, named)
    address = Address(uri="mongodb://127.0.0.1:1", name="benchwright")
    workspace = Workspace(tmp_path)
    made = fiftyone_environment(address, workspace, "ana", dataset="d", drafter=drafter)
    for name in ("BENCHWRIGHT_VOTERS", "BENCHWRIGHT_DRAFTER"):
        monkeypatch.setenv(name, made[name])
    found = Drafter.of_environment()
    assert found == drafter
    assert found.voter().name == chosen
    # an audit that was opened without one has none, whatever this process was started with
    assert "BENCHWRIGHT_DRAFTER" not in fiftyone_environment(address, workspace, "ana", dataset="d")


def test_a_model_for_drafts_that_is_not_in_the_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "voters.yaml"
    file.write_text(VOTERS, "utf-8")
    with pytest.raises(UsageError, match="has no voter three; it names one, two"):
        Drafter.chosen(file, "three")
