"""Folders of tasks: what is written, what they are pinned to, what is refused."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import datasets
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from click.testing import CliRunner

from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from exports.harnesses.cli import task_command
from exports.harnesses.writing import write_task
from exports.locking.lock import read_lock
from stand_ins.hub import HubServer
from stand_ins.hub.serving import TOKEN

OFFERED = [
    ("inspect", "question-chain", ["following", "planning"]),
    ("inspect", "candidate-set", ["single", "several"]),
    ("inspect", "false-premise", ["false_premise"]),
    ("lmms-eval", "question-chain", ["talk_1_0_0_following", "talk_1_0_0_planning"]),
    ("lmms-eval", "candidate-set", ["talk_1_0_0_single", "talk_1_0_0_several"]),
    ("vlmevalkit", "question-chain", ["talk_1_0_0_following"]),
]


class _Loader(yaml.SafeLoader):
    pass


_Loader.add_constructor("!function", lambda _loader, node: str(node.value))


@pytest.mark.parametrize(("harness", "config", "tasks"), OFFERED)
def test_a_folder_stands_alone(
    talks: Path, tmp_path: Path, harness: str, config: str, tasks: list[str]
) -> None:
    written = write_task(str(talks), harness, config, tmp_path / "task")

    assert list(written.tasks) == tasks
    # it imports nothing of the package whose folder it was copied from, and finds what it imports
    beside = {path.stem for path in written.folder.glob("*.py")}
    for path in written.folder.glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not [name for name in imported if str(name).startswith("exports")], path
        assert {name for name in imported if str(name).startswith("benchwright_")} <= beside
    pin = json.loads((written.folder / "release.json").read_text("utf-8"))
    lock = read_lock(talks)
    assert lock is not None
    assert pin == {
        "release": "talk",
        "version": "1.0.0",
        "config": config,
        "digest": lock.configs[config].digest,
        "path": str(talks),
        "revision": None,
    }


def test_task_files_of_lmms_eval_name_functions_that_are_there(talks: Path, tmp_path: Path) -> None:
    for config in ("question-chain", "candidate-set"):
        written = write_task(str(talks), "lmms-eval", config, tmp_path / config)
        tree = ast.parse((written.folder / "utils.py").read_text("utf-8"))
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        for task in written.tasks:
            said = yaml.load((written.folder / f"{task}.yaml").read_text("utf-8"), _Loader)
            assert (said["task"], said["dataset_path"]) == (task, str(talks))
            named = [said[f"doc_to_{what}"] for what in ("visual", "text")]
            named += [said["process_docs"], said["process_results"]]
            named += [one["aggregation"] for one in said["metric_list"]]
            assert {name.removeprefix("utils.") for name in named} <= functions


# the kind of all turns of a release, and the only task there is then
@pytest.mark.parametrize(("kind", "name"), [("single", "single"), ("set", "several")])
def test_a_task_without_rows_is_none(
    talks: Path, tmp_path: Path, kind: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the card stays as it is, by which a cache would know the rows
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    alike = Path(shutil.copytree(talks, tmp_path / "alike"))
    path = alike / "data/candidate-set/test-00000-of-00001.parquet"
    table = pq.read_table(path)
    at = table.schema.get_field_index("kind")
    kinds = pa.array([kind] * table.num_rows)
    pq.write_table(table.set_column(at, table.schema.field(at), kinds), path)

    inspect = write_task(str(alike), "inspect", "candidate-set", tmp_path / "inspect")
    lmms = write_task(str(alike), "lmms-eval", "candidate-set", tmp_path / "lmms")

    assert (inspect.tasks, lmms.tasks) == ((name,), (f"talk_1_0_0_{name}",))
    assert [one.stem for one in lmms.folder.glob("*.yaml")] == [f"talk_1_0_0_{name}"]


def test_the_table_of_vlmevalkit(talks: Path, tmp_path: Path) -> None:
    written = write_task(str(talks), "vlmevalkit", "question-chain", tmp_path / "task")

    rows = pd.read_csv(
        written.folder / "talk_1_0_0_following.tsv",
        sep="\t",
        dtype=str,
        keep_default_na=False,
        na_values=[""],
    )
    assert list(rows["chain_id"]) == ["c1"] * 2 + ["c2"] * 3 + ["c3"] * 2
    # a picture stands once, the other rows name the one that has it
    assert [len(one) > 64 for one in rows["image"]] == [True] + 4 * [False] + [True, False]
    assert list(rows["image"][1:5]) == ["0"] * 4
    # the history holds true answers; what reads None is text
    assert [row[row["answer"]] for _, row in rows.iterrows()][:3] == ["None", "east", "up"]
    assert "What does sign 1 of c1 say? None" in rows["hint"][1]
    assert "What does sign 2 of c1 say?" not in rows["hint"][1]


@pytest.mark.parametrize(
    ("harness", "config", "said"),
    [
        # a game against an oracle
        (
            "inspect",
            "hidden-target",
            "candidate-set, false-premise of a release, not hidden-target",
        ),
        # nobody tried boxes there
        ("vlmevalkit", "candidate-set", "runs question-chain of a release, not candidate-set"),
        # nobody judges the responses there
        ("lmms-eval", "false-premise", "question-chain, candidate-set of a release"),
        ("helm", "question-chain", "helm runs nothing of a release"),
    ],
)
def test_refuses_what_is_not_offered(
    talks: Path, tmp_path: Path, harness: str, config: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        write_task(str(talks), harness, config, tmp_path / "task")
    assert not (tmp_path / "task").exists()


def test_refuses_a_folder_in_use_and_what_is_no_release(talks: Path, tmp_path: Path) -> None:
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "mine").touch()
    with pytest.raises(UsageError, match="is there already"):
        write_task(str(talks), "inspect", "question-chain", tmp_path / "task")
    with pytest.raises(UsageError, match=r"release\.lock\.json"):
        write_task(str(tmp_path / "task"), "inspect", "question-chain", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_refuses_answers_that_are_held_back(
    whole: Workspace, release: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_ANSWER_KEY", "k" * 32)
    held = release(whole, "1.0.1", private_answers=True)

    for config in ("question-chain", "candidate-set"):
        with pytest.raises(UsageError, match="holds back the answers"):
            write_task(str(held), "inspect", config, tmp_path / "task")


def test_a_folder_that_failed_is_not_there(
    talks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "task"

    def fails(_release: Path, path: Path) -> None:
        path.write_bytes(b"half a table")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("exports.harnesses.writing.write_rows", fails)
        with pytest.raises(OSError, match="No space"):
            write_task(str(talks), "vlmevalkit", "question-chain", out)
    assert list(tmp_path.iterdir()) == []
    # what a killed run left is no part of the next
    (tmp_path / ".task.partial").mkdir()
    (tmp_path / ".task.partial" / "half").touch()
    write_task(str(talks), "vlmevalkit", "question-chain", out)
    assert list(tmp_path.iterdir()) == [out]
    assert not (out / "half").exists()


def test_fills_the_empty_folder_in_which_one_stands(
    talks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")

    write_task(str(talks), "inspect", "question-chain", Path())

    assert Path("task.py").is_file()
    assert [one.name for one in tmp_path.iterdir()] == ["here"]


@pytest.mark.parametrize("are_off", [False, True])
def test_shows_no_bars_of_datasets(
    talks: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    are_off: bool,
) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    were_off = datasets.are_progress_bars_disabled()
    (datasets.disable_progress_bars if are_off else datasets.enable_progress_bars)()
    try:
        write_task(str(talks), "vlmevalkit", "question-chain", tmp_path / "task")
        assert datasets.are_progress_bars_disabled() == are_off
    finally:
        (datasets.disable_progress_bars if were_off else datasets.enable_progress_bars)()
    assert capfd.readouterr().err == ""


def test_the_command_says_how_to_run_it(talks: Path, tmp_path: Path) -> None:
    out = tmp_path / "task"

    ran = CliRunner().invoke(
        task_command, ["inspect", str(talks), "--config", "question-chain", "--out", str(out)]
    )

    assert ran.exit_code == 0
    assert f"inspect eval {out}/task.py@following --model MODEL" in ran.output


_ON_THE_HUB = """
import json, sys
from pathlib import Path
from huggingface_hub import HfApi
from exports.pushing.push import push_release
from exports.harnesses.writing import write_task
from exports.harnesses.tasks.benchwright_rows import picture_bytes, rows_of
release, out = map(Path, sys.argv[1:])
pushed = push_release(release, "ana/talk", private=False, api=HfApi())
written = write_task("ana/talk@v1.0.0", "inspect", "question-chain", out)
HfApi().upload_file(
    path_or_fileobj=b"another commit", path_in_repo="note.txt", repo_id="ana/talk",
    repo_type="dataset",
)
rows = rows_of(out, "question-chain")
picture = picture_bytes(out, rows[0]["image_id"])
print(json.dumps([pushed.commit, written.pin.revision, len(rows), len(picture)]))
"""


def test_is_pinned_to_the_commit_on_the_hub(talks: Path, tmp_path: Path) -> None:
    with HubServer() as hub:
        ran = subprocess.run(
            [sys.executable, "-c", _ON_THE_HUB, talks, tmp_path / "task"],
            env={
                **os.environ,
                "HF_ENDPOINT": hub.address,
                "HF_TOKEN": TOKEN,
                "HF_HOME": str(tmp_path / "home"),
                "HF_HUB_DISABLE_XET": "1",
            },
            capture_output=True,
            text=True,
            check=False,
        )

    assert ran.returncode == 0, ran.stderr[-3000:]
    commit, revision, rows, size = json.loads(ran.stdout.splitlines()[-1])
    assert revision == commit
    pin = json.loads((tmp_path / "task" / "release.json").read_text("utf-8"))
    assert (pin["path"], pin["revision"]) == ("ana/talk", commit)
    assert rows == 3
    assert size > 1000
