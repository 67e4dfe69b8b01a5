"""What the packages offer to scripts and notebooks, and that a command waits for none of it."""

import inspect
import json
import subprocess
import sys
from importlib import import_module

import pytest

STAGES = ("benchwright", "builders", "labeling", "galleries", "exports", "evaluation")
OFFERING = (
    *STAGES,
    "benchwright.records",
    "benchwright.statistics",
    "benchwright.statistics.agreement",
)
COMMANDS = (
    "benchwright.cli",
    "builders.cli",
    "labeling.attributes.cli",
    "labeling.dialogues.cli",
    "labeling.audits.cli",
    "galleries.cli",
    "exports.cli",
    "evaluation.cli",
)
HEAVY = ("datasets", "httpx", "matplotlib", "numba", "numpy", "openai", "pandas", "PIL", "pyarrow")


@pytest.mark.parametrize("package", OFFERING)
def test_every_public_name_is_there(package: str) -> None:
    offered = import_module(package)
    assert offered.__all__
    for name in offered.__all__:
        assert getattr(offered, name) is not None
        assert name in dir(offered)
        assert not name.startswith("_")


@pytest.mark.parametrize("package", OFFERING)
def test_every_public_name_is_explained(package: str) -> None:
    offered = import_module(package)
    assert offered.__doc__
    for name in offered.__all__:
        entry = getattr(offered, name)
        if inspect.isclass(entry) or inspect.isroutine(entry):  # not a Literal, nor SCHEMAS
            assert entry.__doc__, name


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_says_what_it_does_in_a_few_lines(stage: str) -> None:
    said = (import_module(stage).__doc__ or "").strip().splitlines()
    assert 3 <= len(said) <= 5  # with the blank line after the first
    assert said[1] == ""


def test_no_command_waits_for_what_it_may_not_need() -> None:
    loaded = "import importlib, json, sys\n" + "\n".join(
        f"importlib.import_module({command!r})" for command in COMMANDS
    )
    asked = f"{loaded}\nprint(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == []


def test_a_name_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ImportError):
        from galleries import no_such_name  # type: ignore[attr-defined]  # noqa: F401, PLC0415
