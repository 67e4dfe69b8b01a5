"""The journal loses nothing: not to a kill, a full disk, a second process or a bad line."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.decisions.journal import append_decisions, journal_path, read_journal
from benchwright.records import Decision
from benchwright.workspace import Workspace
from stand_ins.auditors import decision


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


def test_no_journal_is_no_decision(workspace: Workspace) -> None:
    assert read_journal(workspace).decisions == ()
    assert not workspace.audits.exists()


def test_decisions_are_read_back_in_their_order(workspace: Workspace) -> None:
    first, second = decision(2, auditor="bo"), decision(1, "no")
    check = decision(
        image_id=None, record_id="d1", field="naturalness", after=None, verdict="rejected"
    )
    assert append_decisions(workspace, [first, second]) == 2
    before = journal_path(workspace).read_bytes()
    assert append_decisions(workspace, [check]) == 1
    assert journal_path(workspace).read_bytes().startswith(before)  # only ever added to
    journal = read_journal(workspace)
    assert journal.decisions == (first, second, check)
    assert journal.bad_lines == ()


def test_older_lines_say_nothing_of_named_values(workspace: Workspace) -> None:
    named = decision(1, named_for="colour/blue")
    append_decisions(workspace, [named, decision(2)])
    path = journal_path(workspace)
    older = {**json.loads(path.read_bytes().splitlines()[1]), "image_id": f"{3:016x}"}
    del older["named_for"]
    path.write_bytes(path.read_bytes() + json.dumps(older).encode())
    assert read_journal(workspace).decisions == (named, decision(2), decision(3))


def test_the_same_decision_twice_is_one(workspace: Workspace) -> None:
    one, other = decision(1), decision(2)
    assert append_decisions(workspace, [one, one]) == 1
    assert append_decisions(workspace, [one, other]) == 1  # a sync that is done again
    assert len(journal_path(workspace).read_bytes().splitlines()) == 2
    with journal_path(workspace).open("ab") as stream:  # two journals put together by hand
        stream.write(journal_path(workspace).read_bytes())
    assert read_journal(workspace).decisions == (one, other)


@given(
    texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=3),
    seconds=st.none() | st.floats(0, 1e9),
)
def test_any_text_is_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[str],
    seconds: float | None,
) -> None:
    workspace = Workspace(tmp_path_factory.mktemp("any"))
    field, auditor, before, *_ = texts
    made = decision(field=field, auditor=auditor, before=before, seconds=seconds)
    append_decisions(workspace, [made])
    journal = read_journal(workspace)
    assert (journal.decisions, journal.bad_lines) == ((made,), ())


@pytest.mark.parametrize("torn", [b'{"image_id": "00', b"\xff\xfe", b"{}"])
def test_a_torn_last_line_stays_a_line_by_itself(workspace: Workspace, torn: bytes) -> None:
    append_decisions(workspace, [decision(1)])
    with journal_path(workspace).open("ab") as stream:
        stream.write(torn)
    append_decisions(workspace, [decision(2)])
    journal = read_journal(workspace)
    assert journal.decisions == (decision(1), decision(2))
    assert [line.number for line in journal.bad_lines] == [2]


def test_a_whole_last_line_without_its_end_is_a_decision(workspace: Workspace) -> None:
    append_decisions(workspace, [decision(1)])
    path = journal_path(workspace)
    path.write_bytes(path.read_bytes()[:-1])
    append_decisions(workspace, [decision(2)])
    assert read_journal(workspace).decisions == (decision(1), decision(2))


def spoilt(made: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**made, **more}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"auditor": ""}, "auditor"),
        ({"auditor": None}, "auditor"),
        ({"verdict": "maybe"}, "verdict"),
        ({"image_id": None}, "either image_id or record_id"),  # of nothing
        ({"record_id": "d1"}, "either image_id or record_id"),  # of two things
        ({"image_id": None, "record_id": "d1", "object_id": "7"}, "object_id"),
        ({"after": None}, "after"),  # confirmed, and nothing held
        ({"verdict": "withdrawn"}, "after"),  # withdrawn, and something held
        ({"probability": 0}, "probability"),
        ({"probability": 1.5}, "probability"),
        ({"seconds": -1}, "seconds"),
        ({"at": "yesterday"}, "time"),
        ({"at": "2026-03-01T12:00:00"}, "offset"),  # whose noon?
        ({"more": 1}, "more"),
        ({"named_for": ""}, "named_for"),
        ({"named_for": "colour/red"}, "another label"),  # in the place of itself
    ],
)
def test_a_line_that_is_no_decision_is_listed(
    workspace: Workspace, change: dict[str, Any], reason: str
) -> None:
    append_decisions(workspace, [decision(1)])
    path = journal_path(workspace)
    line = {**json.loads(path.read_text("utf-8")), **change}
    path.write_text(f"\n[1]\nnull\n{json.dumps(line)}\n" + path.read_text("utf-8"), "utf-8")
    journal = read_journal(workspace)
    assert journal.decisions == (decision(1),)
    assert [line.number for line in journal.bad_lines] == [2, 3, 4]  # a blank line is none
    assert reason in journal.bad_lines[2].reason


def test_what_is_no_decision_is_not_added(workspace: Workspace) -> None:
    for bad in (decision(auditor=""), decision(seconds=float("nan"))):
        with pytest.raises(ValueError, match="decision"):
            append_decisions(workspace, [decision(1), bad])
    assert read_journal(workspace).decisions == ()


def test_a_full_disk_leaves_the_journal_as_it_was(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_decisions(workspace, [decision(1)])
    before = journal_path(workspace).read_bytes()
    write = os.write

    def full(handle: int, data: bytes) -> int:
        if len(data) < 50:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, data[:-49])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space") as caught:
        append_decisions(workspace, [decision(2)])
    assert caught.value.filename == str(journal_path(workspace))
    assert journal_path(workspace).read_bytes() == before


_APPEND = """
import sys
from pathlib import Path
from benchwright.records import Decision
from benchwright.workspace import Workspace
from benchwright.decisions.journal import append_decisions
root, auditor, count = sys.argv[1:]
for number in range(int(count)):
    made = Decision(
        image_id=f"{number:016x}", object_id=None, record_id=None, field="colour/red",
        auditor=auditor, before="yes", after="yes", verdict="confirmed", seconds=1.0,
        at="2026-03-01T12:00:00+00:00", stratum=None, probability=None,
    )
    append_decisions(Workspace(Path(root)), [made])
    print(number, flush=True)
"""


def _start(workspace: Workspace, auditor: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _APPEND, str(workspace.root), auditor, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _made_by(journal: tuple[Decision, ...], auditor: str) -> list[str | None]:
    return [each.image_id for each in journal if each.auditor == auditor]


def test_processes_that_add_at_once_lose_nothing(workspace: Workspace) -> None:
    auditors = ("ana", "bo", "cy")
    running = [_start(workspace, auditor, 40) for auditor in auditors]
    for process in running:
        process.communicate(timeout=60)
        assert process.returncode == 0
    journal = read_journal(workspace)
    assert journal.bad_lines == ()
    for auditor in auditors:
        assert _made_by(journal.decisions, auditor) == [f"{number:016x}" for number in range(40)]


def test_what_was_added_is_there_after_a_kill(workspace: Workspace) -> None:
    process = _start(workspace, "ana", 100_000)
    assert process.stdout is not None
    confirmed = [int(process.stdout.readline()) for _ in range(20)]
    process.kill()
    process.communicate(timeout=60)
    journal = read_journal(workspace)
    assert len(journal.decisions) >= len(confirmed)
    assert append_decisions(workspace, journal.decisions) == 0  # and the lock died with it
