"""The audit of responses: what is drawn, what stays hidden, what decisions it gives."""

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright import store
from benchwright.decisions.journal import append_decisions
from benchwright.errors import BenchwrightError, SourceError, UsageError, WorkspaceError
from benchwright.plain_text import printable
from benchwright.records import Response
from benchwright.rows import to_table
from benchwright.workspace import Workspace
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.responses import KIND, in_parts, run_name
from labeling.audits.tasks.task import AuditSettings, Slot, Task
from stand_ins.auditors import key_of
from stand_ins.chains import chain, drafted_chains
from stand_ins.responses_of_a_run import response, write_run

CLASSES = ("identity", "attribute", "location")
MODELS = {"gpt/4": 9, "llava": 6, "tiny": 2}  # responses of each class


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A catalog with the picture d0."""
    workspace = Workspace(tmp_path / "workspace")
    drafted_chains(workspace, chain())
    return workspace


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Three models; and responses to correct turns, which are not drawn."""
    rows = [
        response(number, response_id=f"{model}-{name}-{number}", model=model, premise_class=name)
        for model, count in MODELS.items()
        for name in CLASSES
        for number in range(count)
    ]
    correct = [
        response(number, response_id=f"correct-{number}", has_false_premise=False)
        for number in range(5)
    ]
    folder = write_run(tmp_path / "run", rows[:20])
    return write_run(folder, [*rows[20:], *correct], "00001")


def tasks_of(workspace: Workspace, run: Path, **more: Any) -> list[Task]:
    return list(KIND.tasks(workspace, AuditSettings(run=run, **more)))


def slot(verdict: str = "confirmed", **more: Any) -> Slot:
    return Slot(auditor="ana", verdict=verdict, at="2026-03-01T12:00:00+00:00", **more)  # type: ignore[arg-type]


def test_it_is_found_by_its_name() -> None:
    assert kind_of("responses") is KIND
    assert KIND.name == "responses"


@pytest.mark.parametrize(
    ("limit", "drawn"),
    [
        (None, {"gpt/4": 6, "llava": 6, "tiny": 2}),  # six of each, as in the paper
        (2, {"gpt/4": 2, "llava": 2, "tiny": 2}),
        (100, MODELS),
    ],
)
def test_so_many_of_each_model_and_class_are_drawn(
    workspace: Workspace, run: Path, limit: int | None, drawn: dict[str, int]
) -> None:
    tasks = tasks_of(workspace, run, limit=limit)
    of_cells = Counter(task.stratum for task in tasks)
    called = run_name(run)
    assert of_cells == {
        f"{called}/{name}/{model}": drawn[model] for model in MODELS for name in CLASSES
    }
    for task in tasks:
        model = (task.stratum or "").split("/", maxsplit=2)[2]
        assert task.probability == pytest.approx(drawn[model] / MODELS[model])
        assert not (task.thing.record_id or "").startswith(f"{called}/correct")
    assert len({task.task_id for task in tasks}) == len(tasks)


def test_the_sample_grows_and_does_not_hang_on_files_or_order(
    workspace: Workspace, run: Path, tmp_path: Path
) -> None:
    def ids(folder: Path, **more: Any) -> set[str]:
        return {task.task_id for task in tasks_of(workspace, folder, **more)}

    assert ids(run, limit=2) < ids(run, limit=3) < ids(run, limit=9)
    assert ids(run, limit=3) != ids(run, limit=3, seed=1)
    table = pa.concat_tables(pq.read_table(path) for path in sorted(run.iterdir()))
    copied = tmp_path / "other" / run.name
    copied.mkdir(parents=True)
    turned = table.take(list(range(table.num_rows))[::-1])
    pq.write_table(turned, copied / "responses-all.parquet")
    assert tasks_of(workspace, copied) == tasks_of(workspace, run)


def test_two_runs_never_mix(workspace: Workspace, tmp_path: Path) -> None:
    """The same ids in another folder, and other answers in one of the same name."""
    rows = [response(number) for number in range(3)]
    runs = [
        write_run(tmp_path / "first", rows),
        write_run(tmp_path / "second", rows),
        write_run(tmp_path / "again" / "first", [replace(rows[0], response="Yes."), *rows[1:]]),
    ]
    tasks = [tasks_of(workspace, run) for run in runs]
    for told_apart in ("task_id", "thing", "stratum"):
        found = [{getattr(task, told_apart) for task in each} for each in tasks]
        assert len(set.union(*found)) == sum(map(len, found))
    assert len({run_name(run) for run in runs}) == 3
    assert tasks[0][0].thing.record_id == f"{run_name(runs[0])}/secret-model/0"


def test_detectors_that_look_again_make_no_other_run(tmp_path: Path) -> None:
    before = write_run(tmp_path / "before" / "run", [response(labels=("yes",))])
    after = write_run(tmp_path / "after" / "run", [response(labels=("no", "no"))])
    assert run_name(before) == run_name(after)


@pytest.mark.parametrize(
    ("folder", "called"),
    [
        ("GPT 4o_mini", "gpt-4o-mini"),
        ("..run..", "run"),
        ("李", "run"),  # no letter of it can stand in a name of a dataset
        ("$a{b}\n", "a-b"),
        ("a" * 39 + "-b", "a" * 39),
    ],
)
def test_a_run_is_called_by_its_folder(tmp_path: Path, folder: str, called: str) -> None:
    name = run_name(write_run(tmp_path / folder, [response()]))
    assert re.fullmatch(rf"{called}-[0-9a-f]{{8}}", name)


def test_half_an_audit_is_half_of_each_cell(workspace: Workspace, run: Path) -> None:
    tasks = tasks_of(workspace, run, limit=2)
    first = Counter(task.stratum for task in tasks[: len(tasks) // 2])
    assert set(first.values()) == {1}
    assert len(first) == 9
    assert [task.stratum for task in tasks[:9]] != sorted(first)  # models do not take turns


def test_the_same_inclusion_for_all_of_a_cell(workspace: Workspace, tmp_path: Path) -> None:
    """Over many seeds each of six responses is drawn about as often: 2 of 6."""
    run = write_run(tmp_path / "run", [response(number) for number in range(6)])
    times = Counter(
        task.thing.record_id
        for seed in range(300)
        for task in tasks_of(workspace, run, limit=2, seed=seed)
    )
    assert len(times) == 6
    assert all(70 <= count <= 130 for count in times.values())  # 100 expected, deviation 8


def test_a_share_is_seen_twice(workspace: Workspace, run: Path) -> None:
    looks = Counter(task.looks for task in tasks_of(workspace, run, overlap=0.5))
    assert 13 <= looks[2] <= 29  # of 42 about half
    assert {task.looks for task in tasks_of(workspace, run, overlap=1)} == {2}


def test_model_detector_and_run_are_nowhere_on_the_screen(
    workspace: Workspace, tmp_path: Path
) -> None:
    run = write_run(tmp_path / "run", [response()])
    (task,) = tasks_of(workspace, run)
    seen = json.dumps([task.task_id, task.facets, task.shown, task.image_id, list(task.boxes)])
    assert "secret" not in seen
    assert task.thing == (None, None, f"{run_name(run)}/secret-model/0", "corrected")
    assert task.shown["question"] == ["Is ", "the brown cat", " asleep on chair 0?"]
    assert task.shown["response"].startswith("There is no cat here")
    assert task.shown["picture"] == "aa/d0.png"


@pytest.mark.parametrize(
    ("question", "false", "parts"),
    [
        # at the front, in another case; at the end; not there; nothing false
        ("The cat sleeps?", "the cat", ["", "The cat", " sleeps?"]),
        ("Who sees the cat", "the cat", ["Who sees ", "the cat", ""]),
        ("Who sleeps?", "the cat", ["Who sleeps?", "", ""]),
        ("Who sleeps?", "", ["Who sleeps?", "", ""]),
        # a letter that grows when it is made small
        ("İs the cat here?", "the cat", ["İs the cat here?", "", ""]),
        # what would steer a terminal
        ("\x1b[2Jthe cat\x07?", "the cat", [" [2J", "the cat", " ?"]),
    ],
)
def test_the_false_part_of_a_question_is_marked(
    workspace: Workspace, tmp_path: Path, question: str, false: str, parts: list[str]
) -> None:
    run = write_run(tmp_path / "run", [response(question=question, false_description=false)])
    (task,) = tasks_of(workspace, run)
    assert task.shown["question"] == parts


@pytest.mark.parametrize(
    ("labels", "before"),
    [
        (("yes", "yes"), "yes"),
        (("no", "no", "yes"), "no"),
        (("yes", "no"), None),  # as many
        (("yes", None), "yes"),  # one detector failed
        ((None, None), None),
        ((), None),
    ],
)
def test_what_most_detectors_say_is_what_was_held_before(
    workspace: Workspace, tmp_path: Path, labels: tuple[Any, ...], before: str | None
) -> None:
    run = write_run(tmp_path / "run", [response(labels=labels)])
    (task,) = tasks_of(workspace, run)
    assert task.before == before


@pytest.mark.parametrize(
    ("before", "said", "verdict", "after"),
    [
        ("yes", {"value": "yes"}, "confirmed", "yes"),
        ("yes", {"value": "no"}, "corrected", "no"),
        ("no", {"verdict": "corrected", "value": "no"}, "confirmed", "no"),  # screens are blind
        (None, {"value": "no"}, "confirmed", "no"),
        ("yes", {"verdict": "unsure"}, "unsure", None),
        ("yes", {"verdict": "withdrawn", "value": "no"}, "withdrawn", None),
    ],
)
def test_a_slot_becomes_one_decision(
    workspace: Workspace,
    run: Path,
    before: str | None,
    said: dict[str, Any],
    verdict: str,
    after: str | None,
) -> None:
    task = replace(key_of(tasks_of(workspace, run)[0]), before=before)
    assert KIND.refusal(workspace, {}, slot(**said)) is None
    (decision,) = KIND.decisions(task, slot(**said))
    assert (decision.record_id, decision.field) == (task.thing.record_id, "corrected")
    assert (decision.before, decision.verdict, decision.after) == (before, verdict, after)
    assert (decision.stratum, decision.probability) == (task.stratum, task.probability)
    assert append_decisions(workspace, [decision]) == 1  # the journal takes it


@pytest.mark.parametrize("said", [{}, {"value": "maybe"}, {"verdict": "rejected", "value": "no"}])
def test_what_is_neither_yes_nor_no_is_refused(
    workspace: Workspace, run: Path, said: dict[str, Any]
) -> None:
    refused = KIND.refusal(workspace, {}, slot(**said))
    assert refused == "say whether the model corrected the premise: yes, no or unsure"
    if said.get("verdict") is None:
        with pytest.raises(ValueError, match="is yes or no, not"):
            KIND.decisions(key_of(tasks_of(workspace, run)[0]), slot(**said))


def test_a_response_without_end_is_cut_and_says_so(workspace: Workspace, tmp_path: Path) -> None:
    rows = [response(0, response="a" * 100_000), response(1, response="a" * 100_001)]
    tasks = tasks_of(workspace, write_run(tmp_path / "run", rows))
    assert {task.shown["is_cut"] for task in tasks} == {True, False}
    assert {len(task.shown["response"]) for task in tasks} == {100_000}


def of(*rows: Response) -> pa.Table:
    return to_table(rows, Response)


def answering(column: pa.Array) -> pa.Table:
    return of(response()).drop_columns(["response"]).append_column("response", column)


@pytest.mark.parametrize(
    ("held", "kind", "reason"),
    [
        # no file, no table, a column less
        (None, UsageError, "has no responses-*.parquet; name the folder of a finished run"),
        (b"<html>", SourceError, "cannot be read"),
        (of(response()).drop_columns(["turn"]), SourceError, "row 1: turn: "),
        # values that are none
        (of(response(premise_class="colour")), SourceError, "row 1: premise_class: "),
        (of(response(labels=("maybe",))), SourceError, "row 1: detectors.0.label: "),  # type: ignore[arg-type]
        (answering(pa.array([None], pa.string())), SourceError, "row 1: response: "),
        (answering(pa.array([b"\xff"]).view(pa.string())), SourceError, "cannot be read"),
        # ids that are the same, or none
        (of(response(), response()), SourceError, "row 2: response_id 'secret-model/0' is empty"),
        (of(response(response_id="")), SourceError, "row 1: response_id '' is empty"),
        # nothing to judge
        (of(response(has_false_premise=False)), UsageError, "no response to a false premise"),
    ],
)
def test_a_run_that_cannot_be_audited_is_one_line(
    workspace: Workspace,
    tmp_path: Path,
    held: pa.Table | bytes | None,
    kind: type[BenchwrightError],
    reason: str,
) -> None:
    path = tmp_path / "responses-00000.parquet"
    if isinstance(held, bytes):
        path.write_bytes(held)
    elif held is not None:
        pq.write_table(held, path)
    with pytest.raises(kind) as refused:
        tasks_of(workspace, tmp_path)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("played", "failed", "is_refused"),
    [
        (3, 0, True),  # one waits: with it the run is called otherwise
        (3, 1, False),  # none waits
        (4, 0, False),
    ],
)
def test_a_part_of_a_run_is_not_judged(
    workspace: Workspace, tmp_path: Path, played: int, failed: int, is_refused: bool
) -> None:
    plan = store.Plan(stage="run", inputs={}, settings={})
    with store.writing(tmp_path / "run", plan, configs={}) as writer:
        writer.counts = {"episodes": 4, "played": played, "failed": failed}
    run = write_run(tmp_path / "run", [response()])
    if is_refused:
        with pytest.raises(UsageError, match="1 of 4 dialogues wait to be played"):
            tasks_of(workspace, run)
    else:
        assert len(tasks_of(workspace, run)) == 1


def test_without_a_run_or_pictures_it_says_what_to_do(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="wants the folder of a run: --run RUN"):
        KIND.tasks(workspace, AuditSettings())
    run = write_run(tmp_path / "run", [response(image_id="e" * 16)])
    with pytest.raises(WorkspaceError, match=r"has no picture e{16}.*\(1 in all\)"):
        tasks_of(workspace, run)


@given(st.text(max_size=30), st.text(max_size=8), st.text(max_size=30))
def test_the_parts_of_a_question_are_the_question(before: str, false: str, after: str) -> None:
    whole = before + false + after
    assert "".join(in_parts(whole, false)) == printable(whole)
