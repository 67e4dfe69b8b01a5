"""The notebooks run on nothing but what is installed, and show what they are committed with."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from notebooks import write
from notebooks.write import first_picture, normal, notebooks

LARGEST = 400_000  # bytes of a notebook
LARGEST_PICTURE = 150_000  # characters of one output, base64


def outputs_of(notebook: NotebookNode) -> list[list[Any]]:
    """Return of each code cell what it says, and which kinds of pictures it shows.

    Bytes of pictures are left out, for they hang on the fonts of a machine.
    """
    return [
        [said(output) for output in cell.outputs if not only_waits(output)]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def only_waits(output: NotebookNode) -> bool:
    """Tell whether it says no more than that a voter was asked again, on a busy machine."""
    return output.output_type == "stream" and all(
        re.fullmatch(r"note: voter \w+: \w+; goes on in .*", line)
        for line in output.text.splitlines()
    )


def said(output: NotebookNode) -> Any:
    if output.output_type == "stream":
        # the App is named where FiftyOne is installed
        return output.name, re.sub(r"(?m)^next: review-labels .*$", "next: review", output.text)
    return {kind: "" if kind.startswith("image/") else text for kind, text in output.data.items()}


def written(notebook: Path, folder: Path) -> NotebookNode:
    """Return the notebook as the script writes it into a folder.

    It runs in a process of its own, for the client of a kernel leaves sockets open.
    """
    script = [sys.executable, str(write.__file__), str(notebook), "--into", str(folder)]
    done = subprocess.run(script, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return nbformat.read(folder / notebook.name, as_version=4)


@pytest.fixture(params=notebooks(), ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_there_is_one_for_each_kind_and_one_on_labels() -> None:
    names = {path.stem for path in notebooks()}
    assert names == {
        "hidden-target",
        "false-premise",
        "candidate-set",
        "question-chain",
        "labels",
    }


def test_the_readme_names_each(notebook: Path) -> None:
    assert f"]({notebook.name})" in (notebook.parent / "README.md").read_text("utf-8")


@pytest.mark.parametrize(("name", "picture"), write.SHOWN.items())
def test_the_pictures_of_the_readme_are_those_of_the_notebooks(name: str, picture: Path) -> None:
    found = nbformat.read(write.FOLDER / name, as_version=4)
    assert picture.read_bytes() == first_picture(found)
    assert f"]({picture.name})" in (write.FOLDER / "README.md").read_text("utf-8")


@pytest.mark.heavy
@pytest.mark.timeout(600)
def test_it_runs_and_says_what_is_committed(notebook: Path, tmp_path: Path) -> None:
    committed = nbformat.read(notebook, as_version=4)
    assert outputs_of(written(notebook, tmp_path)) == outputs_of(committed), (
        f"run python notebooks/write.py notebooks/{notebook.name} and look at what changed"
    )


def test_it_is_committed_in_normal_form(notebook: Path) -> None:
    text = notebook.read_text("utf-8")
    found = nbformat.reads(text, as_version=4)
    nbformat.validate(found)
    assert nbformat.writes(normal(found)) == text.rstrip("\n"), "run python notebooks/write.py"
    counts = [cell.execution_count for cell in found.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


def test_it_is_small(notebook: Path) -> None:
    assert notebook.stat().st_size < LARGEST
    found = nbformat.read(notebook, as_version=4)
    for cell in found.cells:
        for output in cell.get("outputs", []):
            assert max(map(len, output.get("data", {"": ""}).values())) < LARGEST_PICTURE


def test_it_shows_a_picture_and_no_warning(notebook: Path) -> None:
    shown = outputs_of(nbformat.read(notebook, as_version=4))
    every = [output for outputs in shown for output in outputs]
    pictures = {"image/png", "image/jpeg"}
    assert any(pictures & output.keys() for output in every if isinstance(output, dict))
    assert not [output for output in every if "Warning" in str(output)]
    assert not [output for output in every if "error:" in str(output)]


def test_it_names_no_place_of_a_machine_and_no_time(notebook: Path) -> None:
    found = nbformat.read(notebook, as_version=4)
    texts, sources = repr(outputs_of(found)), "".join(cell.source for cell in found.cells)
    assert not re.findall(r"/(?:tmp|home|root|Users|private|var|work)/[^'\" ]*", texts)
    times = re.findall(r"20\d\d-\d\d-\d\d|\d\d:\d\d:\d\d", texts)
    assert [time for time in times if time not in sources] == []  # it may set one itself
    assert str(Path.home()) not in texts


def test_it_says_first_what_one_will_see(notebook: Path) -> None:
    first = nbformat.read(notebook, as_version=4).cells[0]
    assert first.cell_type == "markdown"
    title, empty, *lines = first.source.splitlines()
    assert title.startswith("# ")
    assert empty == ""
    assert 2 <= len(lines) <= 4


def test_a_run_starts_from_nothing_and_is_written_in_normal_form(tmp_path: Path) -> None:
    code = "import os, sys\nprint(os.listdir())\nsys.stdout.flush()\nprint(sys.executable)"
    cell = nbformat.v4.new_code_cell(code)
    cell.metadata["editor"] = "of somebody"
    made = nbformat.v4.new_notebook(cells=[cell], metadata={"editor": "of somebody"})
    nbformat.write(made, tmp_path / "made.ipynb")
    folder = tmp_path / "written"
    folder.mkdir()
    found = written(tmp_path / "made.ipynb", folder)
    assert [output.text for output in found.cells[0].outputs] == [f"[]\n{sys.executable}\n"]
    assert "somebody" not in nbformat.writes(found)


def test_a_cell_that_fails_fails_the_script(tmp_path: Path) -> None:
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("%%bash -e\nfalse\ntrue")])
    nbformat.write(made, tmp_path / "made.ipynb")
    with pytest.raises(AssertionError, match="CellExecutionError"):
        written(tmp_path / "made.ipynb", tmp_path)
