import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright import files
from benchwright.decisions.journal import append_decisions, read_journal
from benchwright.decisions.standing import Thing, standing
from benchwright.decisions.taking_in import take_in
from benchwright.errors import SourceError, UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.sheets.keys import add_keys, key_of, keys_path
from labeling.audits.sheets.reading import SheetRead, read_sheet
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.task import Task
from stand_ins.auditors import decision

SAVED = 1_772_366_400  # 2026-03-01T12:00:00+00:00
COLUMNS = "task_id,kind,verdict,value,boxes,failed,note,auditor,judged at,seconds"
OTHERS = [{"key": "1", "value": "blue"}, {"key": None, "value": "Dark, Red"}]


def label_task(task_id: str = "i/colour/red", **more: Any) -> Task:
    said: dict[str, Any] = {
        "task_id": task_id,
        "kind": "attributes",
        "image_id": "i",
        "thing": Thing("i", None, None, "colour/red"),
        "before": "yes",
        "stratum": "colour low",
        "probability": 0.25,
        "shown": {"question": "red?", "type": "colour", "value": "red", "others": OTHERS},
    }
    return Task(**{**said, **more})


def turn_task() -> Task:
    return Task(
        task_id="d/1",
        kind="candidate-set",
        image_id="i",
        thing=Thing(None, None, "d/1", "candidates"),
        before=None,
        shown={"boxes": [{"id": name} for name in ("1", "2", "10")]},
    )


def gallery_task() -> Task:
    return Task(
        task_id="tau-0.6/e",
        kind="galleries",
        image_id="i",
        thing=Thing(None, None, "tau-0.6/e", "gallery"),
        before="good",
        shown={"checklist": ["target cannot be told", "a telling value is wrong"]},
    )


@pytest.fixture
def asked(tmp_path: Path) -> Workspace:
    """A workspace of which only the keys of sheets are there."""
    workspace = Workspace(tmp_path / "asked")
    for task in (label_task(), turn_task(), gallery_task()):
        add_keys(workspace, task.kind, [key_of(task)])
    return workspace


@pytest.fixture
def read(asked: Workspace, tmp_path: Path) -> Callable[..., SheetRead]:
    def read_rows(
        *rows: str, auditor: str | None = None, columns: str = COLUMNS, saved: int = SAVED
    ) -> SheetRead:
        path = tmp_path / "filled.csv"
        path.write_text("\r\n".join((columns, *rows)), "utf-8")
        os.utime(path, (saved, saved))
        return read_sheet(asked, path, auditor)

    return read_rows


def label_row(verdict: str, value: str = "", note: str = "", **more: str) -> str:
    cells = {"task": "i/colour/red", "auditor": "ana", "at": "", "seconds": "", **more}
    ends = f"{note},{cells['auditor']},{cells['at']},{cells['seconds']}"
    return f'{cells["task"]},attributes,{verdict},"{value}",,,{ends}'


@pytest.mark.parametrize(
    ("verdict", "held"),
    [
        ("yes", ("confirmed", "yes")),
        ("no", ("confirmed", "no")),
        ("Withdrawn", ("withdrawn", None)),  # takes back what was synced
        (" Y ", ("confirmed", "yes")),
        ("N", ("confirmed", "no")),
        ("TRUE", ("confirmed", "yes")),  # as Excel spells it
        ("False", ("confirmed", "no")),
        ("1", ("confirmed", "yes")),
        ("0", ("confirmed", "no")),
        ("Unsure", ("unsure", None)),
        ("?", ("unsure", None)),
    ],
)
def test_words_for_yes_and_no(
    verdict: str, held: tuple[str, str | None], read: Callable[..., SheetRead]
) -> None:
    ((task, slot),) = read(label_row(verdict)).rows
    assert (slot.verdict, slot.value) == held
    assert (task.before, task.stratum, task.probability) == ("yes", "colour low", 0.25)
    assert (slot.auditor, slot.at) == ("ana", "2026-03-01T12:00:00+00:00")
    assert (slot.text, slot.note, slot.seconds) == (None, None, None)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (label_row("ja"), "no_verdict"),  # other languages are guesses
        (label_row("confirmed"), "no_verdict"),  # of what? the question wants yes or no
        (label_row("", value="blue"), "no_verdict"),  # a correction alone is no judgement
        (label_row("no", value="pink"), "no_value"),  # the type has no such value
        (label_row("no", value="red"), "no_value"),  # the one that was asked
        (label_row("yes", value="blue"), "contradiction"),
        (label_row("yes", task="other"), "unknown_task"),
        ("d/1,candidate-set,yes,,7,,,ana,,", "no_boxes"),
        ("d/1,candidate-set,yes,,,,,ana,,", "refused"),  # by the kind: no box at all
        ("d/1,candidate-set,yes,blue,1,,,ana,,", "no_value"),  # there are no values
        ("tau-0.6/e,galleries,no,,,ugly,,ana,,", "no_failed"),
        ("tau-0.6/e,galleries,no,,,,,ana,,", "refused"),  # by the kind: nothing ticked
        ("tau-0.6/e,galleries,corrected,,,,,ana,,", "no_verdict"),
        (f"{label_row('yes')},,,x", "unreadable"),  # a comma that was not quoted
    ],
)
def test_rows_that_are_no_judgement(row: str, reason: str, read: Callable[..., SheetRead]) -> None:
    found = read(row, "tau-0.6/e,galleries,unsure,,,,,ana,,")
    assert found.reasons() == {reason: 1}
    (reject,) = found.rejects
    assert (reject.row, reject.reason) == (2, reason)
    assert reject.task_id in row
    assert reject.message.isprintable()
    assert [slot.verdict for _, slot in found.rows] == ["unsure"]  # no other row is lost


@pytest.mark.parametrize(
    ("cell", "value"),
    [("blue", "blue"), (" BLUE", "blue"), ("dark,  red", "Dark, Red")],
)
def test_a_correction_is_spelled_as_the_vocabulary_does(
    cell: str, value: str, read: Callable[..., SheetRead]
) -> None:
    ((task, slot),) = read(label_row("no", value=cell)).rows
    label, other = kind_of("attributes").decisions(task, slot)
    assert (label.field, label.after) == ("colour/red", "no")
    assert (other.field, other.after) == (f"colour/{value}", "yes")


@pytest.mark.parametrize(
    ("row", "held"),
    [
        ('d/1,candidate-set,confirmed,,"10, 1",,,ana,,', {"boxes": ("1", "10")}),
        ("d/1,candidate-set,y,,1 | 2,,,ana,,", {"boxes": ("1", "2")}),
        ("d/1,candidate-set,rejected,,1,,,ana,,", {"boxes": (), "verdict": "rejected"}),
        ("d/1,candidate-set,withdrawn,,9,,,ana,,", {"boxes": (), "verdict": "withdrawn"}),
        ("tau-0.6/e,galleries,withdrawn,,,,,ana,,", {"verdict": "withdrawn"}),
        (
            "tau-0.6/e,galleries,n,,,Target cannot  be told,,ana,,",
            {"failed": ("target cannot be told",), "verdict": "rejected"},
        ),
    ],
)
def test_boxes_and_checklists(
    row: str, held: Mapping[str, Any], read: Callable[..., SheetRead]
) -> None:
    ((_, slot),) = read(row).rows
    assert {name: getattr(slot, name) for name in held} == held


def test_rows_without_a_verdict_are_not_judged(read: Callable[..., SheetRead]) -> None:
    found = read(label_row("", note="later"), "d/1,candidate-set,,,,,,ana,,")
    assert (found.rows, found.rejects, found.blank) == ([], (), 2)


@pytest.mark.parametrize(
    ("cell", "at"),
    [
        ("UTC 2026-02-28T10:00:00.250", "2026-02-28T10:00:00.250000+00:00"),  # of the page
        ("2026-02-28T10:00:00+01:00", "2026-02-28T09:00:00+00:00"),
        ("2026-02-28T10:00:00Z", "2026-02-28T10:00:00+00:00"),
        ("28.02.2026 10:00", "2026-03-01T12:00:00+00:00"),  # a spreadsheet's: that of the file
        ("2026-02-28 10:00", "2026-03-01T12:00:00+00:00"),  # nobody knows where
        ("9999-12-31T23:59:59Z", "2026-03-01T12:00:00+00:00"),  # it would stand for ever
        ("0001-01-01T00:00:00+23:00", "2026-03-01T12:00:00+00:00"),  # before all time
    ],
)
def test_times(cell: str, at: str, read: Callable[..., SheetRead]) -> None:
    ((_, slot),) = read(label_row("yes", at=cell)).rows
    assert slot.at == at


@pytest.mark.parametrize(
    ("cell", "seconds"), [("4", 4.0), ("2.5", 2.5), ("", None), ("nan", None), ("-1", None)]
)
def test_seconds(cell: str, seconds: float | None, read: Callable[..., SheetRead]) -> None:
    ((_, slot),) = read(label_row("yes", seconds=cell)).rows
    assert slot.seconds == seconds


def test_one_task_twice(read: Callable[..., SheetRead]) -> None:
    # the same judgement: one, the later
    early, late = (label_row("yes", at=f"UTC 2026-02-28T1{hour}:00:00") for hour in (1, 2))
    found = read(late, early)
    assert [slot.at for _, slot in found.rows] == ["2026-02-28T12:00:00+00:00"]
    assert not found.rejects
    # another answer: neither
    found = read(label_row("yes"), label_row("no"))
    assert (found.rows, found.reasons()) == ([], {"two_answers": 2})
    assert "rows 2, 3" in found.rejects[0].message
    # one that is not filled in says nothing
    assert len(read(label_row("yes"), label_row("")).rows) == 1
    # another auditor's is another judgement
    assert len(read(label_row("yes"), label_row("no", auditor="ben")).rows) == 2


def test_who_judged(read: Callable[..., SheetRead]) -> None:
    assert read(label_row("yes", auditor=""), auditor="ben").rows[0][1].auditor == "ben"
    assert read(label_row("yes"), auditor="ana").rows[0][1].auditor == "ana"
    with pytest.raises(UsageError, match=r"row 2: was judged by ana, not by ben"):
        read(label_row("yes"), auditor="ben")
    with pytest.raises(UsageError, match=r"filled\.csv: nobody says who judged"):
        read(label_row("yes", auditor=""))
    # by the rule of the App
    assert read(label_row("yes", auditor=" ana "), auditor="ana ").rows[0][1].auditor == "ana"
    with pytest.raises(UsageError, match="1 to 64 printable characters"):
        read(label_row("yes"), auditor="a" * 65)


@pytest.mark.parametrize(
    ("auditor", "message"),
    [("", "fill in the column auditor"), ("a" * 65, "1 to 64 printable characters")],
)
def test_a_row_by_nobody_spoils_no_other(
    auditor: str, message: str, read: Callable[..., SheetRead]
) -> None:
    found = read(label_row("yes", auditor=auditor), "tau-0.6/e,galleries,unsure,,,,,ana,,")
    assert [slot.auditor for _, slot in found.rows] == ["ana"]
    (reject,) = found.rejects
    assert (reject.row, reject.reason) == (2, "no_auditor")
    assert message in reject.message


def test_another_spelling_of_a_name_is_warned_of(
    asked: Workspace, read: Callable[..., SheetRead], caplog: pytest.LogCaptureFixture
) -> None:
    append_decisions(asked, [decision(auditor="Ana B")])
    read(label_row("yes", auditor="ana  b"), "tau-0.6/e,galleries,unsure,,,,,ana  b,,")
    (line,) = caplog.messages
    assert "'ana  b'" in line
    assert "'Ana B'" in line
    caplog.clear()
    read(label_row("yes", auditor="Ana B"))
    assert not caplog.messages


def test_a_row_is_found_by_its_key_when_a_spreadsheet_spoilt_its_task_id(
    asked: Workspace, tmp_path: Path
) -> None:
    task = label_task("0000123e45", thing=Thing("j", None, None, "colour/red"))
    add_keys(asked, "attributes", [key_of(task)])
    path = tmp_path / "filled.csv"

    def write(task_id: str) -> None:
        path.write_text(f"key,task_id,verdict,auditor\n{key_of(task).key},{task_id},yes,ana\n")

    write("1.23E+47")
    ((found, _),) = read_sheet(asked, path, None).rows
    assert found.task_id == "0000123e45"
    write("i/colour/red")  # of another row: somebody sorted a column by itself
    assert read_sheet(asked, path, None).reasons() == {"mixed_up": 1}


def test_keys_are_added_by_one_process_at_a_time(asked: Workspace) -> None:
    path = keys_path(asked, "attributes")
    before = path.read_bytes()
    new = key_of(label_task("another"))
    with (
        files.locked(path.parent, "writing sheets"),
        pytest.raises(WorkspaceError, match="another process is writing sheets; wait"),
    ):
        add_keys(asked, "attributes", [new])
    assert path.read_bytes() == before
    add_keys(asked, "attributes", [new])
    assert path.read_bytes().startswith(before)


def test_an_old_sheet_is_read_by_what_it_asked(asked: Workspace, tmp_path: Path) -> None:
    old, new = label_task(), label_task(before="no", shown={**label_task().shown, "others": []})
    add_keys(asked, "attributes", [key_of(new)])
    path = tmp_path / "filled.csv"
    path.write_text(f"key,verdict,auditor\n{key_of(old).key},no,ana\n{key_of(new).key},no,ben\n")
    assert [task.before for task, _ in read_sheet(asked, path, None).rows] == ["yes", "no"]
    path.write_text("task_id,verdict,auditor\ni/colour/red,no,ana\n")  # the newest
    assert [task.before for task, _ in read_sheet(asked, path, None).rows] == ["no"]


def test_a_value_that_holds_no_longer_is_taken_back(
    asked: Workspace, read: Callable[..., SheetRead]
) -> None:
    kind = kind_of("attributes")
    first = label_row("no", value="blue", at="UTC 2026-02-28T11:00:00")
    ((task, slot),) = read(first).rows
    append_decisions(asked, kind.decisions(task, slot))
    assert read(first).rows == [(task, slot)]  # read twice it says the same
    ((task, slot),) = read(label_row("yes")).rows
    assert [(each.field, each.verdict) for each in kind.decisions(task, slot)] == [
        ("colour/red", "confirmed"),
        ("colour/blue", "withdrawn"),
    ]


def test_a_row_that_is_withdrawn_takes_back_the_value_that_it_named(
    asked: Workspace, read: Callable[..., SheetRead]
) -> None:
    kind = kind_of("attributes")
    ((task, slot),) = read(label_row("no", value="blue", at="UTC 2026-02-28T11:00:00")).rows
    append_decisions(asked, kind.decisions(task, slot))
    ((task, slot),) = read(label_row("withdrawn", value="blue")).rows
    append_decisions(asked, kind.decisions(task, slot))
    assert not standing(read_journal(asked).decisions)


def test_a_value_that_another_row_named_is_not_taken_back(
    asked: Workspace, read: Callable[..., SheetRead]
) -> None:
    shown = {**label_task().shown, "value": "Dark, Red"}
    other = label_task("i/colour/dark", thing=Thing("i", None, None, "colour/dark"), shown=shown)
    add_keys(asked, "attributes", [key_of(other)])
    rows = label_row("no"), label_row("no", value="blue", task="i/colour/dark")
    for _ in range(2):  # synced twice
        for task, slot in read(*rows).rows:
            append_decisions(asked, kind_of("attributes").decisions(task, slot))
    assert {each.verdict for each in read_journal(asked).decisions} == {"corrected"}
    assert len(read_journal(asked).decisions) == 3


@pytest.mark.parametrize(
    ("rounds", "times"),
    [
        # (what the row says, when the file was saved), and the time that the judgement has
        ([("yes", 1), ("yes", 2)], [1, 1]),  # a copy with a newer time
        ([("yes", 1), ("no", 2)], [1, 2]),  # thought better of
        ([("yes", 1), ("no", 2), ("no", 3)], [1, 2, 2]),  # a copy of that
        ([("yes", 1), ("no", 2), ("yes", 3)], [1, 2, 3]),  # changed back: not lost
        ([("yes", 1), ("no", 2), ("yes", 1)], [1, 2, 1]),  # the old file, found again
        ([("yes", 1), ("withdrawn", 2), ("withdrawn", 3)], [1, 2, 2]),
        ([("no,blue", 1), ("no,blue", 2)], [1, 1]),  # with another value
        ([("no,blue", 1), ("no", 2), ("no", 3)], [1, 2, 2]),  # which is named no more
        ([("no,blue", 1), ("no,dark red", 2)], [1, 2]),
    ],
)
def test_a_sheet_with_another_time_is_the_same_sheet(
    rounds: Sequence[tuple[str, int]],
    times: Sequence[int],
    asked: Workspace,
    read: Callable[..., SheetRead],
) -> None:
    found = []
    for said, day in rounds:
        verdict, _, value = said.partition(",")
        value = {"dark red": "Dark, Red"}.get(value, value)
        ((task, slot),) = read(label_row(verdict, value), saved=SAVED + day * 86_400).rows
        take_in(asked, kind_of("attributes").decisions(task, slot))
        found.append(datetime.fromisoformat(slot.at).day - 1)
    assert found == list(times)


def test_what_was_decided_since_in_the_app_stays(
    asked: Workspace, read: Callable[..., SheetRead]
) -> None:
    kind = kind_of("attributes")
    ((task, slot),) = read(label_row("no", value="blue")).rows
    take_in(asked, kind.decisions(task, slot))
    at = "2026-03-02T12:00:00+00:00"
    said = json.dumps({"value": "Dark, Red", "no_longer": ["blue"]})
    take_in(asked, kind.decisions(task, replace(slot, text=said, seconds=4.5, at=at)))
    held = read_journal(asked).decisions
    ((task, slot),) = read(label_row("no", value="blue"), saved=SAVED + 5 * 86_400).rows
    assert take_in(asked, kind.decisions(task, slot)).new == 0
    assert read_journal(asked).decisions == held
    stand = {thing.field: by["ana"].after for thing, by in standing(held).items()}
    assert stand == {"colour/red": "no", "colour/Dark, Red": "yes"}


def test_a_label_that_flipped_makes_no_judgement_a_new_one(
    asked: Workspace, read: Callable[..., SheetRead]
) -> None:
    kind = kind_of("attributes")
    row = label_row("yes", at="UTC 2026-02-28T11:00:00", seconds="3")
    for before in ("yes", "no"):
        add_keys(asked, "attributes", [key_of(label_task(before=before))])
        ((task, slot),) = read(row).rows
        take_in(asked, kind.decisions(task, slot))
    (only,) = read_journal(asked).decisions
    assert (only.before, only.verdict) == ("yes", "confirmed")


def test_a_chain_is_approved_as_it_was_shown(
    asked: Workspace,
    tmp_path: Path,
    made: SimpleNamespace,
    kinds: Callable[[Any], None],
) -> None:
    kinds(made.StandIn(name="question-chain"))
    task = Task(
        task_id="c/chain/1",
        kind="question-chain",
        image_id="i",
        thing=Thing(None, None, "c", "chain"),
        before=None,
        shown={"stage": "chain", "chain": {"steps": []}},
    )
    add_keys(asked, "question-chain", [key_of(task)])
    path = tmp_path / "filled.csv"
    path.write_text("task_id,verdict,auditor\nc/chain/1,confirmed,ana\n")
    ((_, slot),) = read_sheet(asked, path, None).rows
    assert (slot.verdict, slot.text) == ("confirmed", '{"steps": []}')


CHAIN = {
    "category": "deduction",
    "scenario": "fashion",
    "question": "For which season?",
    "steps": [
        {
            "question": "Which fabric?",
            "answer": "wool",
            "uses": [],
            "question_options": [
                {"text": "Which fabric?", "answer": "wool", "origin": "true", "generator": None},
                {"text": "Which colour?", "answer": None, "origin": "step", "generator": "m"},
            ],
            "answer_options": ["linen", "wool"],
        }
    ],
}


@pytest.mark.parametrize(
    ("stage", "row", "after"),
    [
        ("distractors", "yes,1/q2 | 1/a1,", '["1/a1", "1/q2"]'),  # both are no good
        ("distractors", "confirmed,,", "[]"),  # all are good
        ("distractors", "yes,1/a2,", "no_failed"),  # that is the true answer
        ("distractors", "no,1/q2,", "refused"),  # they are judged one by one
        ("round-1", "confirmed,,", "valid"),
        ("round-1", "rejected,,step 1 is wrong", "invalid"),
        ("round-1", "rejected,,", "refused"),  # it wants a note
    ],
)
def test_stages_of_a_chain(
    stage: str, row: str, after: str, asked: Workspace, tmp_path: Path
) -> None:
    task = Task(
        task_id="c/1",
        kind="question-chain",
        image_id="i",
        thing=Thing(None, None, "c", stage),
        before="digest",
        shown={"stage": stage, "chain": CHAIN, "owner": None, "barred": ["ben"], "checks": []},
    )
    add_keys(asked, "question-chain", [key_of(task)])
    path = tmp_path / "filled.csv"
    path.write_text(f"task_id,auditor,verdict,failed,note\nc/1,ana,{row}\n")
    read = read_sheet(asked, path, None)
    found = [
        decision.after
        for key, slot in read.rows
        for decision in kind_of("question-chain").decisions(key, slot)
    ]
    assert [*found, *read.reasons()] == [after]


def test_a_response(asked: Workspace, tmp_path: Path) -> None:
    task = Task(
        task_id="r",
        kind="responses",
        image_id="i",
        thing=Thing(None, None, "run/r", "corrected"),
        before="yes",
        shown={"question": ["Has the ", "blue dress", " a belt?"], "response": "It is green."},
    )
    add_keys(asked, "responses", [key_of(task)])
    path = tmp_path / "filled.csv"
    path.write_text("task_id,verdict,auditor\nr,N,ana\n")
    ((key, slot),) = read_sheet(asked, path, None).rows
    (decision,) = kind_of("responses").decisions(key, slot)
    assert (decision.verdict, decision.after) == ("corrected", "no")


def test_without_keys_or_a_file(asked: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "filled.csv"
    with pytest.raises(SourceError, match="cannot be read"):
        read_sheet(asked, path, None)
    path.write_text("key,verdict\n")
    with pytest.raises(UsageError, match="no sheet was ever written"):
        read_sheet(Workspace(tmp_path / "other"), path, None)


def test_keys_that_are_none(asked: Workspace, tmp_path: Path) -> None:
    with keys_path(asked, "galleries").open("ab") as stream:
        stream.write(b'{"key": 3}\n')
    path = tmp_path / "filled.csv"
    path.write_text("key,verdict\n")
    with pytest.raises(Exception, match=r"galleries.keys.jsonl, line 2: wanted the key of a task"):
        read_sheet(asked, path, None)
