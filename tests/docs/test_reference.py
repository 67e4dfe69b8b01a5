"""Pages and pictures that are written from the code are what the code says."""

import ast
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from benchwright.workspace import Workspace
from builders.cli import build_catalog
from labeling.attributes.vocabulary.vocabulary import load_vocabulary

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CODE = ("benchwright", "builders", "labeling", "galleries", "exports", "evaluation")
READ_BY_TESTS = ("tests", "benchmarks", "stand_ins")
_VARIABLE = re.compile(r"(BENCHWRIGHT|FIFTYONE|HF|RAY)_[A-Z_]*[A-Z]")


def written_by(script: str) -> dict[str, Any]:
    return runpy.run_path(str(DOCS / script))


def test_the_page_of_commands_is_what_the_commands_say() -> None:
    page = written_by("write_commands.py")["page"]()
    assert (DOCS / "commands.md").read_text("utf-8") == page, "run python docs/write_commands.py"


def test_every_option_has_help() -> None:
    commands = list(written_by("write_commands.py")["COMMANDS"].values())
    options = []
    while commands:
        command = commands.pop()
        commands += command.commands.values() if isinstance(command, click.Group) else []
        assert command.help, command.name
        options += [entry for entry in command.params if isinstance(entry, click.Option)]
    assert len(options) > 20
    assert [option.name for option in options if not option.help] == []


def test_the_page_of_records_is_what_the_schemas_say() -> None:
    page = written_by("write_records.py")["page"]()
    assert (DOCS / "reference" / "records.md").read_text("utf-8") == page, (
        "run python docs/write_records.py"
    )


def test_the_picture_of_the_way_of_the_data_is_up_to_date() -> None:
    picture = written_by("write_architecture.py")["picture"]()
    assert (DOCS / "images" / "architecture.svg").read_text("utf-8") == picture, (
        "run python docs/write_architecture.py"
    )


def test_a_stage_that_is_not_drawn_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    check = written_by("write_architecture.py")["check"]
    monkeypatch.setitem(check.__globals__, "PLACES", (*check.__globals__["PLACES"], "attic"))
    with pytest.raises(SystemExit, match="attic"):
        check()


def test_every_environment_variable_of_the_code_stands_on_the_page_of_configuration() -> None:
    page = (DOCS / "reference" / "configuration.md").read_text("utf-8")
    told = set(re.findall(r"`([A-Z][A-Z_]+)`", page))
    found = set(variables(CODE))
    assert {"BENCHWRIGHT_WORKSPACE", "BENCHWRIGHT_ANSWER_KEY", "RAY_ADDRESS"} <= found
    assert sorted(found - told) == []


def test_no_environment_variable_on_the_page_is_made_up() -> None:
    page = (DOCS / "reference" / "configuration.md").read_text("utf-8")
    told = {name for name in re.findall(r"`([A-Z][A-Z_]+)`", page) if "BENCHWRIGHT_" in name}
    assert sorted(told - set(variables((*CODE, *READ_BY_TESTS)))) == []


def test_the_page_of_input_formats_names_every_source() -> None:
    page = (DOCS / "reference" / "input-formats.md").read_text("utf-8")
    sources = set(build_catalog.commands) - {"dedup", "grid"}
    assert {name for name in sources if f"`build-catalog {name}" not in page} == set()


def test_the_page_of_files_names_every_place_of_a_workspace() -> None:
    page = (DOCS / "reference" / "workspace.md").read_text("utf-8")
    place = Workspace(Path("w"))
    named = [getattr(place, name) for name, one in vars(Workspace).items() if type(one) is property]
    assert len(named) > 10
    lost = [path.name for path in named if path.name not in page and path != place.batches]
    assert lost == []


def test_the_vocabulary_on_the_page_of_configuration_is_read(tmp_path: Path) -> None:
    page = (DOCS / "reference" / "configuration.md").read_text("utf-8")
    (written,) = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    path = tmp_path / "vocabulary.yaml"
    path.write_text(written, "utf-8")
    found = load_vocabulary(path)
    assert [one.value for one in found.values] == ["square", "v-neck"]
    assert [one.spelling for one in found.set_aside] == ["petite"]


def test_the_list_of_design_pages_is_whole_and_names_them_as_they_do() -> None:
    listed = {
        name: title
        for title, name in re.findall(
            r"^- \[(.+)\]\((.+)\)$", (DOCS / "design" / "index.md").read_text("utf-8"), re.MULTILINE
        )
    }
    pages = {path.name: path.read_text("utf-8") for path in (DOCS / "design").glob("*.md")}
    del pages["index.md"]
    assert listed == {
        name: text.partition("\n")[0].removeprefix("# ") for name, text in pages.items()
    }


def variables(folders: tuple[str, ...]) -> Iterator[str]:
    """Yield names of environment variables that stand as texts in the code."""
    for folder in folders:
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                value = node.value if isinstance(node, ast.Constant) else None
                if isinstance(value, str) and _VARIABLE.fullmatch(value):
                    yield value
