"""The gate of a whole release: kept, shown, waived, and in the way of a push."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import HfApi
from markdown_it import MarkdownIt

from benchwright import store
from benchwright.errors import UsageError, WorkspaceError
from benchwright.records import Episode
from benchwright.rows import from_table
from benchwright.statistics.intervals import estimate
from benchwright.workspace import Workspace
from exports.gating.check import CHECKS, Check, guess_check
from exports.gating.gate import discreet
from exports.gating.published import _stands
from exports.gating.report import GateReport, read_gate
from exports.gating.waivers import waivers_of
from exports.locking.lock import read_lock
from exports.pushing.push import push_release
from stand_ins.embedding import ColourEmbedder
from stand_ins.whole_workspace import store_galleries

Release = Callable[..., Path]
# what is made of private answers alone
PRIVATE = {"membership", "published"}
BY_ITSELF = {"label-error", "duplicates", "licences"}  # what fails of so small a thing


def test_every_check_is_one_that_can_be_waived(whole: Workspace, release: Release) -> None:
    report = read_gate(release(whole, "2.0.0", waived=()))
    names = {check.name for check in report.checks}
    assert names <= set(CHECKS)
    # without dedup there is nothing to say of twins, without an audit nothing of its effect
    assert set(CHECKS) - names == {"splits", "leaks", "label-effect", *PRIVATE}
    assert {check.name for check in report.failing} == BY_ITSELF


def test_two_builds_find_the_same(whole: Workspace, release: Release) -> None:
    first, second = (release(whole, version, waived=()) for version in ("2.0.0", "2.0.1"))
    assert (first / "gate.json").read_bytes() == (second / "gate.json").read_bytes()
    lock = read_lock(first)
    assert lock is not None
    assert "gate.json" in lock.files


def test_a_failing_gate_stops_the_push_and_says_which_rows(
    whole: Workspace, release: Release
) -> None:
    folder = release(whole, "2.0.0", waived=())
    nobody = HfApi(endpoint="http://127.0.0.1:9")  # it must not be asked
    with pytest.raises(UsageError) as stopped:
        push_release(folder, "ana/things", private=False, api=nobody)
    said = str(stopped.value)
    assert "\n" not in said
    assert "build-catalog dedup" in said
    assert re.search(r"licences of images \(36 of 36.* rows: [0-9a-f]{16}", said)


def test_what_was_waived_stands_in_gate_and_card(whole: Workspace, release: Release) -> None:
    reason = "drawn | by <b>me</b>"
    waived = waivers_of(sorted(BY_ITSELF), [reason] * len(BY_ITSELF))
    folder = release(whole, "2.0.0", waived=waived)
    report = read_gate(folder)
    assert not report.failing
    assert {one.name for one in report.checks if one.outcome == "waived"} == BY_ITSELF
    assert all(one.waived is None for one in report.checks if one.passed)
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(report.markdown())
    assert page.count("drawn | by &lt;b&gt;me&lt;/b&gt;") == len(BY_ITSELF)
    assert "drawn \\| by \\<b\\>me" in (folder / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("checks", "reasons", "said"),
    [
        (["position"], [], "one --reason each"),
        (["positions"], ["why"], "there are attribute-frequency"),
        (["position", "position"], ["a", "b"], "twice"),
        (["position"], [" \n"], "characters, got 0"),
        (["position"], ["x" * 501], "characters, got 501"),
    ],
)
def test_a_waiver_needs_a_check_and_a_reason(
    checks: list[str], reasons: list[str], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        waivers_of(checks, reasons)


def test_an_audit_after_a_build_is_another_release(
    whole: Workspace, release: Release, run: Any
) -> None:
    folder = release(whole, "2.0.0")
    assert release(whole, "2.0.0") == folder
    assert run("build-catalog", "dedup", "--workspace", whole.root).code == 0
    assert run("build-galleries", "--tau", "0.3", "--workspace", whole.root).code == 0
    with pytest.raises(UsageError, match="other inputs"):
        release(whole, "2.0.0")


def test_rows_that_tell_answers_are_held_back(
    whole: Workspace, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_ANSWER_KEY", "k" * 40)
    monkeypatch.setattr("exports.gating.candidate_sets.ALL_BOXES", -1.0)  # now it fails
    told = read_gate(release(whole, "2.0.0"))
    held = read_gate(release(whole, "2.0.1", private_answers=True))

    def rows(report: GateReport, name: str) -> tuple[str, ...]:
        return next(one.rows for one in report.checks if one.name == name)

    assert len(rows(held, "licences")) == 10
    shared = [one for one in held.checks if one.name not in PRIVATE]
    assert [one.passed for one in shared] == [one.passed for one in told.checks]
    assert all(not one.rows for one in held.checks if one.name == "candidate-set-guess")


def test_the_command_shows_it(whole: Workspace, release: Release, run: Any) -> None:
    release(whole, "2.0.0", waived=())
    ran = run("push-release", "gate", "things", "--version", "2.0.0", "--workspace", whole.root)
    assert ran.code == 1
    assert "   FAILS  duplicates, images" in ran.out
    assert ran.out.splitlines()[-1].endswith("checks fail")
    ran = run("push-release", "gate", "things", "--version", "1.0.0", "--workspace", whole.root)
    assert ran.code == 0
    assert "waived: a test" in ran.out
    assert ran.out.splitlines()[-1].startswith("next: push-release push things --version 1.0.0")
    ran = run("push-release", "gate", "things", "--version", "9.0.0", "--workspace", whole.root)
    assert ran.code == 1
    assert "gate.json: is not there" in ran.err


def test_a_model_that_is_named_looks_as_well(
    whole: Workspace, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = ColourEmbedder()
    monkeypatch.setattr("benchwright.clip.picture_files.load_open_clip", lambda *_, **__: one)
    found = read_gate(release(whole, "2.0.0", clip_model="embedded"))
    seen = [check.what for check in found.checks if check.name == "nearest-picture"]
    assert len(seen) == 3
    assert seen[1].endswith(f"by {one.name}")


@pytest.mark.parametrize("text", ["", "{}", '{"checks": 3}', '{"checks": [], "more": 1}'])
def test_what_is_no_gate_is_said_in_a_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "gate.json").write_text(text, "utf-8")
    with pytest.raises(WorkspaceError, match=r"is no gate\.json") as refused:
        read_gate(tmp_path)
    assert "\n" not in str(refused.value)


def test_gate_json_has_no_place_of_this_machine(whole: Workspace, release: Release) -> None:
    text = (release(whole, "2.0.0") / "gate.json").read_text("utf-8")
    assert str(whole.root) not in text
    assert json.loads(text)["format"] == 1


@pytest.mark.parametrize(
    ("name", "is_kept"),
    [
        ("question-chain-text", False),  # a word that true options alone have picks them out
        ("position", False),  # the place that most targets have
        ("label-error", True),
    ],
)
def test_no_word_or_place_tells_private_answers(name: str, is_kept: bool) -> None:
    told = "words of true questions alone: why"
    found = Check(name=name, of="x", what="y", figure=0.5, n=9, rows=("c1",), note=told)
    assert (discreet(found).note == told) == is_kept
    assert (discreet(found).rows == ("c1",)) == is_kept


def test_a_release_without_labels_says_nothing_of_them(whole: Workspace, release: Release) -> None:
    for stage in (whole.labels, whole.galleries):
        shutil.rmtree(stage)
    report = read_gate(release(whole, "2.0.0"))
    assert "label-error" not in {check.name for check in report.checks}


def test_answers_that_an_earlier_version_shows_are_private_no_more(
    whole: Workspace, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_ANSWER_KEY", "k" * 40)
    report = read_gate(release(whole, "2.0.0", private_answers=True))
    found = {one.of: one for one in report.checks if one.name == "published"}
    assert set(found) == {"candidate-set", "hidden-target-tau-0.3", "question-chain"}
    for one in found.values():
        assert (one.figure, one.n, one.outcome) == (one.n, one.n, "fails")
        assert one.what.endswith("their answers in version 1.0.0")
        assert "private no more" in one.advice
        assert not one.rows  # they would say which samples to look up there
    shutil.rmtree(whole.releases / "things" / "1.0.0")
    # what stood there with its answers held back tells nothing
    report = read_gate(release(whole, "2.0.1", private_answers=True))
    assert {one.figure for one in report.checks if one.name == "published"} == {0}


def test_a_gallery_is_found_again_by_target_and_half_of_its_pictures(
    whole: Workspace, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_ANSWER_KEY", "k" * 40)
    before = {one.target_id: set(one.image_ids) for one in _episodes(whole)}
    shutil.rmtree(whole.galleries)
    store_galleries(whole, "0.5", seed=7)
    now = _episodes(whole)
    again = sum(
        2 * len(before.get(one.target_id, set()).intersection(one.image_ids)) >= len(one.image_ids)
        for one in now
    )
    report = read_gate(release(whole, "2.0.0", private_answers=True))
    found = {one.of: one for one in report.checks if one.name == "published"}
    assert found["hidden-target-tau-0.5"].figure == again
    assert (found["hidden-target-tau-0.5"].n, again > 0) == (len(now), True)


@pytest.mark.parametrize(
    ("target", "pictures", "stands"),
    [
        ("a", "abcd", True),
        ("a", "abxy", True),  # half of it
        ("a", "axyz", False),
        ("b", "abcd", False),  # the same pictures and another target: the answer is another
    ],
)
def test_which_gallery_stands_in_an_earlier_version(
    target: str, pictures: str, stands: bool
) -> None:
    assert _stands((target, frozenset(pictures)), {"a": [frozenset("abcd")]}) == stands


def _episodes(workspace: Workspace) -> list[Episode]:
    (folder,) = workspace.galleries.iterdir()
    return list(from_table(store.read_table(folder, "episodes.parquet"), Episode))


def test_the_build_says_which_waivers_let_nothing_pass(whole: Workspace, run: Any) -> None:
    options = [("--waive", name, "--reason", "a test") for name in ("licences", "splits")]
    given = [word for option in options for word in option]
    at = ("--version", "2.0.0", "--workspace", whole.root)
    ran = run("push-release", "build", "things", *at, *given)
    assert ran.code == 0, ran.err
    assert "--waive splits let nothing pass" in ran.out
    assert "--waive licences" not in ran.out


def test_the_build_says_what_it_does_not_hold_back(
    whole: Workspace, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWRIGHT_ANSWER_KEY", "k" * 40)
    at = ("--version", "2.0.0", "--workspace", whole.root)
    ran = run("push-release", "build", "things", "--private-answers", *at)
    assert ran.code == 0, ran.err
    assert (
        "answers of hidden-target-tau-0.3, candidate-set, question-chain are held back" in ran.out
    )
    assert "of false-premise nothing is held back: what is false stands in the question" in ran.out


def test_what_few_samples_leave_open_does_not_pass() -> None:
    few, under, over = (
        guess_check("x", "y", "z", estimate(share, n), n=n, limit=0.433)
        for share, n in ((1.0, 1), (0.1, 400), (0.9, 400))
    )
    assert (few.outcome, under.outcome, over.outcome) == ("too few to tell", "passes", "fails")
    lines = GateReport(checks=(few,)).lines()
    assert lines[0].startswith(" too few  x, y")
    assert "| too few to tell |" in GateReport(checks=(few,)).markdown()


def test_how_labels_tell_targets_is_explained_where_answers_are_private() -> None:
    note = "what it means"
    kept = discreet(
        Check(name="nearest-picture", of="x", what="y", figure=0.5, n=9, rows=("e1",), note=note)
    )
    assert (kept.note, kept.rows) == (note, ())
