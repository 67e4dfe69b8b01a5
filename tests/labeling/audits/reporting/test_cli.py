"""review-labels report, as a user runs it: what it prints and writes, and what it refuses."""

import base64
import io
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from benchwright.decisions.journal import append_decisions, journal_path
from benchwright.workspace import Workspace
from builders.catalog import iterate_items

FILES = ("agreement.json", "report.md", "report.html")


def report(run: Any, workspace: Workspace, *options: str, code: int = 0) -> Any:
    ran = run("review-labels", "report", "--draws", "100", *options, "--workspace", workspace.root)
    assert ran.code == code, (ran.out, ran.err)
    return ran


def files_of(workspace: Workspace) -> dict[str, bytes]:
    return {name: (workspace.audits / name).read_bytes() for name in FILES}


def figures_of(workspace: Workspace) -> dict[str, Any]:
    said: dict[str, Any] = json.loads((workspace.audits / "agreement.json").read_text("utf-8"))
    return said


def test_a_whole_report(audited: Callable[..., Any], run: Any, kit: SimpleNamespace) -> None:
    shop = audited()
    made = shop.judge(errs=lambda item, name: name == "bo" and item.value == "gold")
    ran = report(run, shop.workspace)
    lines = ran.out.splitlines()
    assert lines[0] == f"{len(made)} judgements of {len(shop.plan.items)} things by 2 auditors"
    assert lines[1].startswith("Of the ")
    assert "are right (95% interval" in lines[1]
    assert "biased" in lines[3]
    assert any(line.startswith("agreement of 2 auditors on ") for line in lines)
    assert "Voters that say yes of what is yes, and no of what is no:" in lines
    assert lines[-3:] == [
        f"figures: {shop.workspace.audits / 'agreement.json'}",
        f"text: {shop.workspace.audits / 'report.md'}",
        f"page: {shop.workspace.audits / 'report.html'}",
    ]
    found = files_of(shop.workspace)
    for name in ("report.md", "report.html"):
        text = found[name].decode()
        for part in ("cloth: gold", "AC1", "Light 1971", "0.00-", "good", "ana"):
            assert part in text, (name, part)
        assert str(shop.workspace.root) not in text


def test_neither_order_of_lines_nor_hash_seed_changes_a_byte(
    audited: Callable[..., Any], run: Any
) -> None:
    shop = audited()
    shop.judge(errs=lambda item, name: name == "bo" and item.value == "gold")
    report(run, shop.workspace)
    first = files_of(shop.workspace)
    path = journal_path(shop.workspace)
    lines = path.read_bytes().splitlines(keepends=True)
    random.Random(1).shuffle(lines)
    path.write_bytes(b"".join(lines))
    code = "from labeling.audits.reporting.cli import report_command; report_command()"
    arguments = ["--draws", "100", "--workspace", str(shop.workspace.root)]
    subprocess.run(
        [sys.executable, "-c", code, *arguments],
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
        stdout=subprocess.DEVNULL,
    )
    assert files_of(shop.workspace) == first


@pytest.mark.parametrize(("has_plan", "wanted"), [(False, "review-labels plan"), (True, " open ")])
def test_while_nothing_is_decided_one_line_says_what_to_run(
    audited: Callable[..., Any], run: Any, tmp_path: Path, has_plan: bool, wanted: str
) -> None:
    workspace = audited().workspace if has_plan else Workspace(tmp_path / "none")
    ran = report(run, workspace, code=1)
    assert ran.err.count("\n") == 1
    assert "nothing is decided yet" in ran.err
    assert wanted in ran.err
    assert ("review-labels plan" in ran.err) is not has_plan
    assert not (workspace.audits / "report.md").exists()


def test_withdrawn_decisions_are_none(kit: SimpleNamespace, run: Any, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    late = kit.decision(1, None, verdict="withdrawn", at="2026-03-02T12:00:00+00:00")
    append_decisions(workspace, [kit.decision(1), late])
    assert "nothing is decided yet" in report(run, workspace, code=1).err


def test_without_a_plan_it_is_agreement_alone(
    kit: SimpleNamespace, run: Any, tmp_path: Path
) -> None:
    workspace = Workspace(tmp_path)
    made = [kit.decision(n, auditor=name) for n in range(12) for name in ("ana", "bo")]
    append_decisions(workspace, [*made, kit.decision(99, "no")])
    ran = report(run, workspace)
    assert "There is no plan, so that nothing is said of how many labels" in ran.out
    assert "agreement of 2 auditors on 12 labels that two judged: exact 100.0%" in ran.out
    said = figures_of(workspace)
    assert (said["accuracy"], said["confusion"], said["lowest"]) == (None, None, None)
    assert said["agreement"]["labels"]["answers"]["overall"]["left_out"] == 1
    assert said["agreement"]["labels"]["weighted"] is None


def test_of_records_alone_nothing_is_said_of_labels(
    kit: SimpleNamespace, run: Any, tmp_path: Path
) -> None:
    workspace = Workspace(tmp_path)
    made = [
        kit.decision(image_id=None, record_id=f"d{n}", field="dialogue", auditor=name, after="{}")
        for n in range(3)
        for name in ("ana", "bo")
    ]
    append_decisions(workspace, made)
    ran = report(run, workspace)
    assert "label" not in ran.out
    assert "dialogue, 3 judged by two or more: exact 100.0%" in ran.out


def test_bad_lines_are_counted_and_named(kit: SimpleNamespace, run: Any, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    append_decisions(workspace, [kit.decision(1)])
    with journal_path(workspace).open("ab") as stream:
        stream.write(b'\x1b[31m\n{"image')
    ran = report(run, workspace)
    assert "2 lines are no decision and are left aside, such as line 2" in ran.out
    assert "\x1b" not in ran.out
    assert [each["number"] for each in figures_of(workspace)["decisions"]["bad_lines"]] == [2, 3]
    for name in ("report.md", "report.html"):
        assert "Lines of the journal that are no decision" in files_of(workspace)[name].decode()


def test_what_went_missing_is_said_and_stops_nothing(audited: Callable[..., Any], run: Any) -> None:
    shop = audited()
    shop.judge(errs=lambda item, _: item.value == "gold")
    for path in shop.workspace.images.rglob("*.*"):
        path.unlink()
    report(run, shop.workspace)
    page = files_of(shop.workspace)["report.html"].decode()
    assert "no picture here" in page
    assert "<img" not in page
    shop.shop.do("decide", "--catalog", "ignore", "--margin", "0.3")
    assert "The labels were decided anew since the plan was made" in report(run, shop.workspace).out
    (shop.workspace.votes / "manifest.json").unlink()
    ran = report(run, shop.workspace)
    assert "No votes stand here, so that nothing is said of voters." in ran.out
    assert figures_of(shop.workspace)["confusion"]["voters"] == []


def test_wrong_labels_are_shown_with_their_pictures(audited: Callable[..., Any], run: Any) -> None:
    shop = audited(good=1.0)
    shop.judge(errs=lambda item, _: item.value in ("gold", "lace"))
    report(run, shop.workspace)
    page = files_of(shop.workspace)["report.html"].decode()
    assert page.count('<img src="data:image/jpeg;base64,') == 6  # three of a value at most
    wrong = figures_of(shop.workspace)["wrong_labels"]
    assert {item["value"] for item in wrong} == {"gold", "lace"}


def test_of_an_object_its_part_of_the_picture_is_shown(
    audited: Callable[..., Any], scenes: Any, run: Any
) -> None:
    shop = audited(of=scenes, subjects="objects", good=1.0)
    shop.judge(errs=lambda item, _: item.value == "gold")
    report(run, shop.workspace)
    page = files_of(shop.workspace)["report.html"].decode()
    sizes = [
        Image.open(io.BytesIO(base64.b64decode(each))).size
        for each in re.findall(r"data:image/jpeg;base64,([^\"]+)", page)
    ]
    boxes = {
        thing.object_id: thing.bbox
        for item in iterate_items(shop.workspace)
        for thing in item.objects
    }
    wrong = figures_of(shop.workspace)["wrong_labels"]
    assert len(sizes) == len(wrong) > 0
    for (width, height), label in zip(sizes, wrong, strict=True):
        _, _, wide, high = boxes[label["object_id"]]
        # the whole scene is wider than high, an object stands upright
        assert width / height == pytest.approx(wide / high, rel=0.5)
        assert width < height


def test_an_unreadable_plan_is_one_line(kit: SimpleNamespace, run: Any, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    append_decisions(workspace, [kit.decision(1)])
    (workspace.audits / "plan.json").write_text("{", "utf-8")
    ran = report(run, workspace, code=1)
    assert ran.err.count("\n") == 1
    assert "run review-labels plan again" in ran.err


@pytest.mark.parametrize(
    "options",
    [
        ("--confidence", "nan"),
        ("--confidence", "1"),
        ("--confidence", "0"),
        ("--draws", "10"),
        ("--seed", "-1"),
    ],
)
def test_what_cannot_be_reported_is_refused(
    run: Any, tmp_path: Path, options: tuple[str, ...]
) -> None:
    ran = run("review-labels", "report", *options, "--workspace", tmp_path)
    assert (ran.code != 0, ran.err.count("\n")) == (True, 1)
    assert ran.err.startswith("error: ")


def test_confidence_is_that_of_the_plan_unless_it_is_named(
    audited: Callable[..., Any], run: Any
) -> None:
    shop = audited()
    shop.judge()
    run("review-labels", "plan", "--confidence", "0.8", "--workspace", shop.workspace.root)
    assert "(80% interval" in report(run, shop.workspace).out
    narrow = figures_of(shop.workspace)["accuracy"]["overall"]["estimate"]
    assert "(99% interval" in report(run, shop.workspace, "--confidence", "0.99").out
    wide = figures_of(shop.workspace)["accuracy"]["overall"]["estimate"]
    assert wide["low"] < narrow["low"]
