import csv
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.decisions.journal import append_decisions
from benchwright.errors import LostPicture, UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.sheets import page
from labeling.audits.sheets.keys import key_of, keys_path
from labeling.audits.sheets.pictures import Pictured, closeups
from labeling.audits.sheets.reading import read_sheet
from labeling.audits.sheets.writing import Sheet, write_sheets
from labeling.audits.tasks.kinds import kind_of
from labeling.audits.tasks.task import AuditSettings, TaskBox


class _Blocks(HTMLParser):
    """The blocks of a page, its tags and its addresses, as a browser finds them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tasks: list[Any] = []
        self.pictures: dict[str, str] = {}
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self._in: dict[str, str | None] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._in = dict(attrs)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        if "data-task" in self._in:
            self.tasks.append(json.loads(data))
        if "data-picture" in self._in:
            self.pictures[str(self._in["data-picture"])] = data
        self._in = {}


def blocks_of(path: Path) -> _Blocks:
    return _Blocks(path.read_text("utf-8"))


def rows_of(sheet: Sheet) -> list[dict[str, str]]:
    with sheet.table.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


ATTRIBUTES = kind_of("attributes")


def test_a_sheet_is_the_plan(workspace: Workspace) -> None:
    tasks = ATTRIBUTES.tasks(workspace, AuditSettings())
    (sheet,) = write_sheets(workspace, ATTRIBUTES, AuditSettings(), ["ana"])
    assert sheet.table == workspace.audits / "sheets" / "attributes-ana.csv"
    assert [one.path.name for one in sheet.pages] == ["attributes-ana.html"]
    rows = rows_of(sheet)
    assert [row["task_id"] for row in rows] == [task.task_id for task in tasks]
    assert [row["asked"] for row in rows] == [task.shown["question"] for task in tasks]
    assert [row["machine"] for row in rows] == [task.before for task in tasks]
    assert {row["auditor"] for row in rows} == {"ana"}
    assert {row["verdict"] for row in rows} == {""}
    blocks = blocks_of(sheet.pages[0].path)
    assert [one["row"][1] for one in blocks.tasks] == [task.task_id for task in tasks]
    assert all(uri.startswith("data:image/jpeg;base64,") for uri in blocks.pictures.values())
    # many tasks are of one picture, which stands there once
    assert {one["main"] for one in blocks.tasks} == set(blocks.pictures)
    assert len(blocks.pictures) == len({task.image_id for task in tasks})


def test_a_filled_sheet_comes_back(workspace: Workspace, made: SimpleNamespace) -> None:
    (sheet,) = write_sheets(workspace, ATTRIBUTES, AuditSettings(limit=4), ["ana"])
    first, second, third, fourth = (row["task_id"] for row in rows_of(sheet))
    other = blocks_of(sheet.pages[0].path).tasks[1]["values"][0]["value"]
    made.fill(
        sheet.table,
        {
            first: {"verdict": "yes", "note": "'=well seen"},
            second: {"verdict": "n", "value": other},
            third: {"verdict": "unsure"},
        },
    )
    read = read_sheet(workspace, sheet.table, None)
    assert [task.task_id for task, _ in read.rows] == [first, second, third]
    assert (read.blank, read.rejects) == (1, ())
    assert read.rows[0][1].note == "=well seen"
    planned = {task.task_id: task for task in ATTRIBUTES.tasks(workspace, AuditSettings())}
    for task, slot in read.rows:
        assert task.before == planned[task.task_id].before
        assert task.probability == planned[task.task_id].probability
        append_decisions(workspace, ATTRIBUTES.decisions(task, slot))
    # what was judged is not asked again
    (again,) = write_sheets(
        workspace, ATTRIBUTES, AuditSettings(limit=4), ["ana"], workspace.root / "again"
    )
    assert [row["task_id"] for row in rows_of(again)] == [fourth]


def test_a_blind_sheet_holds_nothing_of_the_machine(workspace: Workspace) -> None:
    out = workspace.root / "out"
    (sheet,) = write_sheets(workspace, ATTRIBUTES, AuditSettings(blind=True), ["ana"], out)
    assert sorted(path.name for path in out.iterdir()) == [
        "attributes-ana.csv",
        "attributes-ana.html",
    ]
    rows = rows_of(sheet)
    assert {row["machine"] for row in rows} == {""}
    for task in blocks_of(sheet.pages[0].path).tasks:
        assert task["shown"]["machine"] is None
        assert not {"before", "stratum", "probability"} & set(task)
    said = json.dumps(blocks_of(sheet.pages[0].path).tasks)
    assert not re.search("stratum|probability|margin", said)
    # the keys know, and stay in the workspace
    assert '"before": "no"' in keys_path(workspace, "attributes").read_text("utf-8")
    # nor can the machine's answer be guessed from the name of a task
    for task in ATTRIBUTES.tasks(workspace, AuditSettings(blind=True)):
        other = {"yes": "no", "no": "yes"}[str(task.before)]
        assert key_of(replace(task, before=other)).key == key_of(task).key


def test_the_same_audit_gives_the_same_bytes(workspace: Workspace) -> None:
    def written() -> dict[str, bytes]:
        write_sheets(workspace, ATTRIBUTES, AuditSettings(), ["ana", "ben"])
        folder = workspace.audits / "sheets"
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}

    first = written()
    assert len(first) == 5
    assert written() == first


def test_judgements_are_never_overwritten(workspace: Workspace, made: SimpleNamespace) -> None:
    sheets = write_sheets(workspace, ATTRIBUTES, AuditSettings(), ["ana", "ben"])
    made.fill(sheets[1].table, {rows_of(sheets[1])[0]["task_id"]: {"verdict": "yes"}})
    held = {sheet.table: sheet.table.read_bytes() for sheet in sheets}
    with pytest.raises(UsageError, match=r"attributes-ben\.csv: holds 1 judgements") as error:
        write_sheets(workspace, ATTRIBUTES, AuditSettings(), ["ana", "ben"])
    assert "sync --sheet" in str(error.value)
    assert {sheet.table: sheet.table.read_bytes() for sheet in sheets} == held
    sheets[1].table.write_bytes(b"PK\x03\x04 a workbook under the name of a CSV")
    with pytest.raises(UsageError, match="move the file away"):
        write_sheets(workspace, ATTRIBUTES, AuditSettings(), ["ana", "ben"])


def test_a_large_sheet_is_cut_into_pages(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "MOST_BYTES", 120_000)
    (sheet,) = write_sheets(workspace, ATTRIBUTES, AuditSettings(), ["ana"])
    assert len(sheet.pages) > 2
    assert [one.path.name for one in sheet.pages] == [
        f"attributes-ana-{number}.html" for number in range(1, len(sheet.pages) + 1)
    ]
    shell = 40_000  # style and script
    seen = []
    for one in sheet.pages:
        blocks = blocks_of(one.path)
        assert one.path.stat().st_size < 120_000 + shell + 3_000 * len(blocks.tasks)
        assert one.last - one.first + 1 == len(blocks.tasks)
        assert {task["main"] for task in blocks.tasks} == set(blocks.pictures)  # each by itself
        seen += [task["key"] for task in blocks.tasks]
    assert seen == [row["key"] for row in rows_of(sheet)]
    # fewer pages leave none of the old ones, and touch nobody else's
    (workspace.audits / "sheets" / "attributes-ana-maria.html").touch()
    monkeypatch.undo()
    write_sheets(workspace, ATTRIBUTES, AuditSettings(), ["ana"])
    assert sorted(path.name for path in (workspace.audits / "sheets").glob("*.html")) == [
        "attributes-ana-maria.html",
        "attributes-ana.html",
    ]


HOSTILE = "</div></script><script>alert(1)</script><img src=x onerror=alert(1)> \u2028 \0 & \" '"


def test_hostile_texts_stay_texts(
    workspace: Workspace, image_ids: list[str], made: SimpleNamespace
) -> None:
    task = made.task(
        image_ids[0],
        f"=cmd|{HOSTILE}",
        shown={"false_description": HOSTILE, "checklist": [HOSTILE]},
        boxes=(TaskBox(label=HOSTILE, bbox=(0, 0, 5, 5)),),
    )
    (sheet,) = write_sheets(workspace, made.StandIn(made=[task]), AuditSettings(), ["ana"])
    text = sheet.pages[0].path.read_text("utf-8")
    blocks = _Blocks(text)
    assert blocks.tags.count("script") == 1
    assert "img" not in blocks.tags
    assert blocks.addresses == []
    (found,) = blocks.tasks
    assert found["shown"]["false_description"] == HOSTILE
    assert found["boxes"][0]["label"] == HOSTILE
    assert rows_of(sheet)[0]["task_id"].startswith("'=cmd|")


def test_nothing_from_outside_is_allowed(workspace: Workspace) -> None:
    (sheet,) = write_sheets(workspace, ATTRIBUTES, AuditSettings(limit=1), ["ana"])
    text = sheet.pages[0].path.read_text("utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in policy[1]
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_a_picture_that_is_gone(workspace: Workspace, image_ids: list[str]) -> None:
    for path in workspace.images.rglob("*.jpg"):
        path.unlink()
    with pytest.raises(LostPicture, match="bring it back"):
        write_sheets(workspace, ATTRIBUTES, AuditSettings(), ["ana"])
    assert not list((workspace.audits / "sheets").glob("*.html*"))


def test_an_item_without_a_picture(workspace: Workspace, made: SimpleNamespace) -> None:
    kind = made.StandIn(made=[made.task("no such")])
    with pytest.raises(WorkspaceError, match="has no picture of no such"):
        write_sheets(workspace, kind, AuditSettings(), ["ana"])


def test_nothing_left_to_judge(workspace: Workspace, made: SimpleNamespace) -> None:
    (sheet,) = write_sheets(workspace, made.StandIn(), AuditSettings(), ["ana"])
    assert (sheet.tasks, sheet.pages) == (0, ())
    assert not sheet.table.exists()


@pytest.mark.parametrize(
    ("bbox", "crop"),
    [
        ((40, 50, 20, 10), (34, 44, 66, 66)),  # with a third of the longer side around
        ((0, 0, 10, 10), (0, 0, 13, 13)),  # at the edge
        ((0, 0, 90, 90), None),  # large enough already
        ((300, 300, 9, 9), None),  # outside
    ],
)
def test_a_small_target_is_shown_from_near(
    bbox: tuple[float, float, float, float], crop: tuple[int, int, int, int] | None
) -> None:
    picture = Pictured(image="a.jpg", width=200, height=100)
    boxes = [
        TaskBox(label="x", bbox=bbox, is_target=True),
        TaskBox(label="another", bbox=(1, 1, 2, 2)),
    ]
    assert [shot.crop for shot in closeups(picture, boxes)] == ([] if crop is None else [crop])
