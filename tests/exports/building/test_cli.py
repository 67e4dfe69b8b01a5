"""The command push-release build: what it says, and what it refuses."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright.workspace import Workspace
from exports.names import Version, release_folder
from stand_ins.responses_of_a_run import response, write_run

Run = Callable[..., Any]


def test_what_the_command_says(whole: Workspace, run: Run) -> None:
    command = ("push-release", "build", "things", "--workspace", whole.root, "--version")
    ran = run(*command, "1.1.0")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("things 1.1.0: made (")
    assert any("images" in line and line.endswith(" 36 rows") for line in lines)
    assert any(line.startswith("  gate: ") for line in lines)
    assert lines[-1].startswith("next: push-release ")
    assert lines[-1].endswith(f" --workspace {whole.root}")
    assert run(*command, "1.1.0").out.startswith("things 1.1.0: stands already; nothing to do (")


def test_one_row_is_one_row(whole: Workspace, run: Run) -> None:
    command = ("push-release", "build", "things", "--workspace", whole.root, "--version", "1.1.0")
    lines = run(*command).out.splitlines()
    assert not [line for line in lines if line.endswith(" 1 rows")]
    assert [line for line in lines if line.endswith(" 1 row")]


def test_runs_that_go_out_are_listed(whole: Workspace, run: Run) -> None:
    held = pq.read_table(whole.root / "dialogues" / "false-premise" / "dialogues.parquet")
    first = held.slice(0, 1).to_pylist()[0]
    about = {"dialogue_id": first["dialogue_id"], "image_id": first["image_id"]}
    for name, count in (("whole", 3), ("part", 1)):
        said = [
            response(
                run=name,
                response_id=f"{turn['index']}",
                turn=turn["index"],
                question=turn["asked_question"],
                **about,
            )
            for turn in first["turns"][:count]
        ]
        write_run(whole.runs / name, said)
    release = release_folder(whole, "things", Version(1, 0, 0))
    greedy = ("--config", "hidden-target-tau-0.3", "--player", "greedy", "--episodes", "4")
    played = run("run-benchmark", release, *greedy, "--run", "greedy", "--workspace", whole.root)
    assert played.code == 0, played.err
    command = ("push-release", "build", "things", "--workspace", whole.root, "--version")
    for _ in range(2):  # as well where it stands
        lines = run(*command, "1.1.0").out.splitlines()
        at = {line.split()[0]: number for number, line in enumerate(lines)}
        assert lines[at["responses"]].endswith(" 4 rows")
        below = at["responses"] + 1
        assert lines[below : below + 2] == ["    1 of the run part", "    3 of the run whole"]
        assert lines[at["trajectories"] + 1] == "    4 of the run greedy"


TITLED = ("--title", "Things & more", "--author", "Ana", "--author", "Bo")


def test_title_and_authors_outlive_a_version(whole: Workspace, run: Run) -> None:
    command = ("push-release", "build", "things", "--workspace", whole.root, "--version")
    assert "none are given" not in run(*command, "1.1.0", *TITLED).out
    ran = run(*command, "1.2.0")
    assert "  title and authors as in 1.1.0, since none are given" in ran.out.splitlines()
    text = (release_folder(whole, "things", Version(1, 2, 0)) / "README.md").read_text()
    assert "pretty_name: Things & more" in text
    assert "author = {Ana and Bo}" in text
    # made again by the same words it is the same version
    assert run(*command, "1.2.0").out.startswith("things 1.2.0: stands already")
    # one that is given is taken, the other stays
    ran = run(*command, "1.3.0", "--title", "Others")
    assert "  authors as in 1.2.0, since none are given" in ran.out.splitlines()
    assert (
        "title = {Others}"
        in (release_folder(whole, "things", Version(1, 3, 0)) / "README.md").read_text()
    )
    # of an earlier one, not of a later
    assert "none are given" not in run(*command, "1.0.5").out


def test_a_card_that_nobody_wrote_is_said(whole: Workspace, run: Run) -> None:
    command = ("push-release", "build", "things", "--workspace", whole.root, "--version")
    ran = run(*command, "1.1.0")
    own = whole.releases / "things" / "README.md"
    (line,) = [line for line in ran.out.splitlines() if "the card's own text" in line]
    assert str(release_folder(whole, "things", Version(1, 1, 0)) / "README.md") in line
    assert str(own) in line
    own.write_text(re.sub("<!-- Write here.*-->", "For all.", own.read_text("utf-8")))
    assert "the card's own text" not in run(*command, "1.2.0").out


# the files of a run, whether a release would take them: else to leave it out does nothing
@pytest.mark.parametrize(
    ("name", "is_warned"),
    [
        ("responses-00000.parquet", False),
        ("false-premise/responses-00000.parquet", False),
        ("trajectories-00000.parquet", False),
        ("groundings-00000.parquet", True),
        ("answers-00000.parquet", True),
    ],
)
def test_a_run_of_which_nothing_goes_out_anyway(
    name: str, is_warned: bool, tmp_path: Path, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    path = Workspace(tmp_path).runs / "trial" / name
    path.parent.mkdir(parents=True)
    path.touch()
    run(
        "push-release",
        "build",
        "things",
        "--version",
        "1.1.0",
        "--without-run",
        "trial",
        "--workspace",
        tmp_path,
    )
    said = "--without-run trial: holds no responses or trajectories, and a release takes nothing"
    assert (said in caplog.text) == is_warned


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--private-answers",), "BENCHWRIGHT_ANSWER_KEY"),
        (("--waive", "position"), "--waive wants one --reason each"),
        (("--waive", "tides", "--reason", "x"), "there is no such check"),
        (("--licences", "of-nobody"), "no picture has it"),
        # an empty variable of a script must not mean all
        (("--licences", ""), "--licences wants names"),
        (("--licences", " , "), "--licences wants names"),
        (("--without-run", "nobody"), "runs has no such run"),
        (("--without-run", "../runs"), "runs has no such run"),
    ],
)
def test_options_that_cannot_be(
    arguments: tuple[str, ...],
    said: str,
    whole: Workspace,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("BENCHWRIGHT_ANSWER_KEY", raising=False)
    command = ("push-release", "build", "things", "--version", "1.1.0", "--workspace", whole.root)
    ran = run(*command, *arguments)
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert said in ran.err
    assert not release_folder(whole, "things", Version(1, 1, 0)).exists()
