"""Audits by scripted auditors who know what is true: on sheets, or in the App with a browser."""

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchwright.boxes import Box
from benchwright.decisions.fields import label_of
from benchwright.records import Item
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from labeling.audits.sheets.keys import SheetKey, read_keys, sheets_folder
from labeling.audits.sheets.table import write_table
from stand_ins.whole_run.in_the_app import AUDIT, IsTrue, has_app, judge_in_the_app
from stand_ins.whole_run.places import Amounts, Places
from stand_ins.whole_run.steps import Steps, told

_ROUNDS = 6  # at most: of a chain four people decide one after the other
_AUDITORS = ("ana", "bo", "cy", "dee")
Answer = Mapping[str, str]  # the cells of a row that an auditor fills in
Judge = Callable[[SheetKey], Answer]


def audit(steps: Steps, places: Places, amounts: Amounts, *, with_app: bool) -> None:
    """Have all labels and dialogues judged that are to be, and take the decisions in."""
    root = places.dresses.root
    if not _done(steps, places.dresses, AUDIT).exists():  # a plan after a pilot is another plan
        steps.do("review-labels", "plan", "--pilot", amounts.judged, "--workspace", root)
    truth = _truth_of(places.dresses)
    if with_app and has_app():
        told("labels are judged in the App, dialogues on sheets")
        done = _done(steps, places.dresses, AUDIT)
        for auditor in () if done.exists() else _AUDITORS[:2]:
            if judge_in_the_app(steps, places.dresses, auditor, truth):
                steps.do("review-labels", "sync", "--workspace", root)
        done.touch()
    else:
        told("all is judged on sheets: the App is not asked for, or FiftyOne is not installed")
        _on_sheets(steps, places.dresses, AUDIT, _AUDITORS[:2], _of_labels(truth))
    steps.do("review-labels", "report", "--workspace", root)
    scenes, spoken = places.scenes, places.spoken
    _on_sheets(steps, scenes, "false-premise", _AUDITORS[:1], lambda _: {"verdict": "confirmed"})
    _on_sheets(steps, scenes, "question-chain", _AUDITORS, lambda _: {"verdict": "confirmed"})
    _on_sheets(steps, spoken, "candidate-set", _AUDITORS[:1], _of_boxes(spoken))
    for kind, workspace in (("false-premise", scenes), ("candidate-set", spoken)):
        steps.do("build-dialogues", kind, "funnel", "--workspace", workspace.root)


def _on_sheets(
    steps: Steps, workspace: Workspace, audit: str, auditors: Sequence[str], judge: Judge
) -> None:
    """Write sheets, fill them in and take them in, until nothing is left to be judged."""
    root, done = workspace.root, _done(steps, workspace, audit)
    for _ in range(_ROUNDS):
        if done.exists():
            return
        names = [part for name in auditors for part in ("--auditor", name)]
        steps.do("review-labels", "sheet", "--audit", audit, *names, "--workspace", root)
        keys = {one.key: one for one in read_keys(workspace)}
        sheets = [sheets_folder(workspace) / f"{audit}-{name}.csv" for name in auditors]
        filled = [path for path in sheets if path.is_file() and _fill(path, keys, judge)]
        if not filled:
            done.touch()
        for path in filled:
            steps.do("review-labels", "sync", "--sheet", path, "--workspace", root)
            path.unlink()


def _done(steps: Steps, workspace: Workspace, audit: str) -> Path:
    """Return the file that marks an audit in which nothing is left to be judged."""
    folder = steps.out / "judged"
    folder.mkdir(exist_ok=True)
    return folder / f"{workspace.root.name}-{audit}"


def _fill(path: Path, keys: Mapping[str, SheetKey], judge: Judge) -> int:
    """Fill in a sheet; return how many rows it has."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = [dict(row) for row in csv.DictReader(stream)]
    for row in rows:
        row.update(judge(keys[row["key"]]))
    write_table(path, (list(row.values()) for row in rows))
    return len(rows)


def _truth_of(workspace: Workspace) -> IsTrue:
    """Return what was drawn, as a function of a picture and the field of a label."""
    held = {
        item.image_id: {(one.type, one.value) for one in item.attributes}
        for item in iterate_items(workspace)
    }
    return lambda image_id, field: label_of(field) in held[image_id]


def _of_labels(is_true: IsTrue) -> Judge:
    """Return an auditor who knows what is true."""

    def judge(key: SheetKey) -> Answer:
        thing = key.task.thing
        return {"verdict": "yes" if is_true(str(thing.image_id), thing.field) else "no"}

    return judge


def _of_boxes(workspace: Workspace) -> Judge:
    """Return an auditor who follows a dialogue: the category, the half, the target."""
    meant: dict[str, tuple[Item, Box]] = {
        dialogue.dialogue_id: (item, dialogue.target_box)
        for item in iterate_items(workspace)
        for dialogue in item.dialogues
        if dialogue.target_box is not None
    }

    def judge(key: SheetKey) -> Answer:
        name, _, turn = str(key.task.thing.record_id).rpartition("/")
        item, target = meant[name]
        boxes = {str(box["id"]): box for box in key.shown["boxes"]}
        (true,) = (name for name, box in boxes.items() if _same(box["bbox"], target))
        category = boxes[true]["category"]
        plausible = [name for name, box in boxes.items() if box["category"] == category]
        if int(turn) == 2:
            half = _is_left(target, item)
            plausible = [name for name in plausible if _is_left(boxes[name]["bbox"], item) == half]
        chosen = [true] if int(turn) > 2 else plausible
        return {"verdict": "confirmed", "boxes": ", ".join(chosen)}

    return judge


def _same(box: Sequence[float], other: Sequence[float]) -> bool:
    return max(abs(one - two) for one, two in zip(box, other, strict=True)) < 0.5


def _is_left(box: Sequence[float], item: Item) -> bool:
    return 2 * box[0] + box[2] < (item.width or 0)
