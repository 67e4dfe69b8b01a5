"""The figures of a report against loops over the votes and decisions."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchwright.decisions.journal import append_decisions
from benchwright.decisions.standing import standing
from labeling.audits.accuracy import label_accuracy
from labeling.audits.reporting.report import Findings, Report, make_report
from labeling.audits.reporting.report_file import report_json


def findings_of(report: Report) -> Findings:
    assert report.findings is not None
    return report.findings


def weights_of(audited: Any) -> dict[tuple[str, str, str], float]:
    """Return for how many labels each judged one stands: all were judged, and all could be told."""
    sizes = {stratum.name: stratum.size / stratum.planned for stratum in audited.plan.strata}
    return {
        (item.image_id, item.type, item.value): sizes[item.stratum] for item in audited.plan.items
    }


def most(answers: Counter[str]) -> str:
    lead = answers["yes"] - answers["no"]
    return "yes" if lead > 0 else "no" if lead < 0 else "abstained"


def test_confusions_are_those_that_can_be_counted(audited: Callable[..., Any]) -> None:
    shop = audited()
    shop.judge()
    found = findings_of(make_report(shop.workspace, draws=100))
    weights = weights_of(shop)
    said: dict[str, dict[Any, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for vote in shop.shop.votes():
        said[vote.voter][vote.image_id, vote.type, vote.value][vote.answer or ""] += 1
    truth = {cell[:1] + cell[2:]: answer for cell, answer in shop.shop.right().items()}
    assert [each.name for each in found.voters] == ["fair", "good", "poor"]
    for confusion in found.voters:
        table: Counter[tuple[str, str]] = Counter()
        for cell, weight in weights.items():
            table[truth[cell], most(said[confusion.name][cell])] += weight  # type: ignore[assignment]
        assert (confusion.labels, confusion.left_out) == (len(weights), 0)
        for held, part in (("yes", confusion.are_yes), ("no", confusion.are_no)):
            for answer in ("yes", "no", "abstained"):
                assert getattr(part, answer) == pytest.approx(table[held, answer])
        answered = table["yes", "yes"] + table["yes", "no"]
        assert confusion.sensitivity.share == pytest.approx(table["yes", "yes"] / answered)
        assert confusion.right_no.share == pytest.approx(
            table["no", "no"] / (table["no", "no"] + table["yes", "no"])
        )
        assert confusion.sensitivity.low < confusion.sensitivity.share <= confusion.sensitivity.high


def test_the_confusion_of_labels_comes_to_their_accuracy(audited: Callable[..., Any]) -> None:
    shop = audited()
    made = shop.judge(errs=lambda item, name: name == "bo" and item.value == "gold")
    found = findings_of(make_report(shop.workspace, draws=100))
    accuracy = label_accuracy(shop.plan, standing(made))
    assert found.accuracy == accuracy
    assert accuracy.overall.estimate is not None
    # what two hold different answers of is undecided, and no part of it
    assert accuracy.overall.undecided == sum(
        item.twice and item.value == "gold" for item in shop.plan.items
    )
    labels = found.labels
    right = labels.are_yes.yes + labels.are_no.no
    whole = labels.are_yes.total + labels.are_no.total
    assert right / whole == pytest.approx(accuracy.overall.estimate.share)
    assert labels.labels == accuracy.overall.told


def test_answers_that_an_early_stop_selected_are_left_out(audited: Callable[..., Any]) -> None:
    shop = audited(full=0.3, good=0.9, poor=0.7, fair=0.8)
    shop.judge()
    found = findings_of(make_report(shop.workspace, draws=100))
    votes = shop.shop.votes()
    cells = {cell[:1] + cell[2:] for cell in shop.shop.right()}
    planned = 3 * 3 * len({vote.view for vote in votes})
    asked = Counter((vote.image_id, vote.type, vote.value) for vote in votes)
    assert min(asked.values()) < planned  # some were stopped
    by_question = Counter(
        (vote.voter, vote.template, vote.view, vote.type, vote.value) for vote in votes
    )
    pictures = len({cell[0] for cell in cells})
    judged = [(item.image_id, item.type, item.value) for item in shop.plan.items]
    for confusion in found.voters:
        never_stopped = {
            kind
            for kind in {cell[1:] for cell in cells}
            if all(
                count == pictures
                for key, count in by_question.items()
                if key[0] == confusion.name and key[3:] == kind
            )
        }
        # what is counted beyond those values is of pictures that were asked in full
        sure = sum(cell[1:] in never_stopped for cell in judged)
        full = sum(asked[cell] == planned for cell in judged if cell[1:] not in never_stopped)
        assert sure <= confusion.labels <= sure + full
        assert confusion.labels + confusion.left_out == len(judged)
    assert any(each.left_out for each in found.voters)


def test_lowest_stand_by_upper_bound(audited: Callable[..., Any]) -> None:
    shop = audited()
    shop.judge()
    found = findings_of(make_report(shop.workspace, draws=100)).lowest
    for parts in (found.types, found.values, found.templates, found.views, found.voters):
        assert parts
        highs = [part.right.high for part in parts]
        assert highs == sorted(highs)
    assert [part.name for part in found.voters] == [("poor",), ("fair",), ("good",)]
    truth = {cell[:1] + cell[2:]: answer for cell, answer in shop.shop.right().items()}
    judged = {(item.image_id, item.type, item.value) for item in shop.plan.items}
    for part in found.templates:
        answers = [
            (vote.answer, truth[cell])
            for vote in shop.shop.votes()
            if (cell := (vote.image_id, vote.type, vote.value)) in judged
            and (vote.template,) == part.name
        ]
        assert part.judged == len(answers)
        assert part.wrong == sum(said != held for said, held in answers)


def test_one_wrong_of_one_is_not_put_before_many_wrong(
    audited: Callable[..., Any],
) -> None:
    shop = audited(good=1.0)
    labels: dict[str, Counter[str]] = {}

    def errs(item: Any, _name: str) -> bool:
        count = labels.setdefault(item.value, Counter())
        count[item.image_id] += 1
        # of bow a single label seems wrong, of lace most
        return item.value == "lace" or (item.value == "bow" and len(count) == 1)

    shop.judge(errs=errs)
    values = findings_of(make_report(shop.workspace, draws=100)).lowest.values
    assert [part.name[1] for part in values][:2] == ["lace", "bow"]


def test_auditors_are_told_by_name(audited: Callable[..., Any], kit: Any) -> None:
    shop = audited()
    shop.judge(errs=lambda item, name: name == "bo" and item.value == "gold")
    ana, bo = make_report(shop.workspace, draws=100).auditors
    twice = [item for item in shop.plan.items if item.twice]
    assert (ana.name, ana.judged, ana.seconds) == ("ana", {"labels": len(shop.plan.items)}, 2.0)
    assert (bo.name, bo.total, bo.seconds) == ("bo", len(twice), 3.0)
    # of two who differ neither is the majority, so two alone are never held against it
    assert [(each.shared, each.against) for each in (ana, bo)] == [(0, 0)] * 2
    append_decisions(shop.workspace, [kit.judged(item, item.answer, "cy") for item in twice])
    _, bo, _ = make_report(shop.workspace, draws=100).auditors
    gold = sum(item.value == "gold" for item in twice)
    assert gold
    assert (bo.shared, bo.against) == (len(twice), gold)


def test_values_that_were_only_named_are_in_no_figure(
    audited: Callable[..., Any], kit: Any
) -> None:
    shop = audited()
    shop.judge(errs=lambda item, name: name == "bo" and item.value == "gold")
    before = make_report(shop.workspace, draws=100)
    append_decisions(
        shop.workspace,
        [
            kit.judged(
                item, "no", name, probability=None, named_for="cloth/x", at="2026-04-01T00:00:00Z"
            )
            for item in shop.plan.items
            for name in ("ana", "bo", "chi")
        ],
    )
    after = make_report(shop.workspace, draws=100)
    assert (after.findings, after.labels) == (before.findings, before.labels)
    assert after.third_looks == 0
    once = sum(not item.twice for item in shop.plan.items)
    assert after.named == len(shop.plan.items) + once  # where bo was not asked, and chi never
    ana, bo, chi = after.auditors
    assert ana == before.auditors[0]
    assert bo.judged == {**before.auditors[1].judged, "values named in place": once}
    assert (bo.shared, bo.against) == (before.auditors[1].shared, 0)
    assert chi.judged == {"values named in place": len(shop.plan.items)}


def test_the_file_holds_plain_values(audited: Callable[..., Any]) -> None:
    shop = audited()
    shop.judge()
    said = report_json(make_report(shop.workspace, confidence=0.9, seed=3, draws=100))
    assert said["settings"] == {"confidence": 0.9, "seed": 3, "draws": 100}
    assert said["accuracy"]["overall"]["estimate"]["share"] > 0.5
    assert {"type", "estimate", "unweighted"} <= set(said["accuracy"]["types"][0])
    assert set(said["lowest"]["values"][0]) == {"type", "value", "right", "judged", "wrong"}
    assert said["agreement"]["labels"]["answers"]["overall"]["exact"]["value"] == 1.0
    assert said["decisions"]["things"] == len(shop.plan.items)


def test_the_page_on_reports_names_every_key(audited: Callable[..., Any]) -> None:
    shop = audited()
    shop.judge()
    page = (Path(__file__).parents[4] / "docs" / "audit-report.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    told = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    assert told == set(report_json(make_report(shop.workspace, draws=100)))
