"""What runs of false premises come to, as ``run-benchmark score`` takes it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchwright.decisions.journal import read_journal
from benchwright.decisions.on_responses import judged_responses, run_called
from benchwright.errors import UsageError
from benchwright.records import FalsePremise, PlayedResponse
from benchwright.workspace import Workspace
from evaluation.false_premise.lost_labels import help_lines, lost_labels
from evaluation.false_premise.metrics.amounts import (
    CHANGE,
    CORR_FP,
    amounts_of,
    at,
    derived_of,
    key_of,
    last,
)
from evaluation.false_premise.metrics.corrections import (
    Corrections,
    Missing,
    read_corrections,
)
from evaluation.false_premise.metrics.own_detectors import own_detectors
from evaluation.false_premise.metrics.people import Judged
from evaluation.false_premise.metrics.studies import studied
from evaluation.false_premise.metrics.table import lacking, lines_of
from evaluation.releases.records import read_records
from evaluation.scoring.parse_route import parse_route
from evaluation.scoring.protocol import Compared, Identity, Item, KeptRun, Scoring, Tally

_TABLE = "responses"
_DETECTOR = "detector"


def tally_of(run: KeptRun) -> Tally:
    """Return what the dialogues of a run come to (definition 17).

    A dialogue counts where every turn has a response and every response a label of each detector.
    Raises UsageError for a run without any label or without those of a detector by which it is to
    be scored, CorruptShard for files that are not those of the manifest.
    """
    every = run.records(_TABLE, PlayedResponse)
    responses = _by_detectors(every, run.detectors, run.folder)
    dialogues = read_records(run.release, run.about.config, FalsePremise)
    read = read_corrections(responses, dialogues)
    corrections = read.corrections
    if responses and not corrections.detectors:
        raise UsageError(
            f"{run.folder}: no detector has read these answers; give the command that made the run"
            " again, with --detectors NAME,NAME"
        )
    names = {one.dialogue_id for one in corrections.dialogues}
    scored = [one for one in responses if one.dialogue_id in names]
    builds = [build for one in scored for build in one.builds]
    studies = studied(
        corrections,
        sorted(own_detectors(builds)),
        _judged(run.folder, responses),
        run.manifest.plan.seed or 0,
    )
    amounts = amounts_of(corrections)
    return Tally(
        identity=_identity(run),
        planned=run.planned,
        failed=len(read.missing),
        items={
            one.dialogue_id: Item(picture=one.image_id, amounts=adds)
            for one, adds in zip(corrections.dialogues, amounts, strict=True)
        },
        builds=builds,
        parse_route=parse_route({"answered": Counter(one.status for one in scored)}),
        lines=lambda figures: lines_of(corrections, read.missing, studies, figures),
        compared=_compared(corrections),
        derived=derived_of(corrections),
        facts={**studies.facts(), "lacking": _lacking(read.missing)},
        lacks=", ".join(lacking(read.missing)),
        remedy=_remedy(run, every),
    )


def _by_detectors(
    responses: Sequence[PlayedResponse], names: Sequence[str], folder: Path
) -> Sequence[PlayedResponse]:
    """Return responses as if these detectors alone had read them; without names, as they are."""
    if not names:
        return responses
    there = list(lost_labels(responses))
    if unknown := [name for name in names if name not in there]:
        raise UsageError(
            f"--detectors: {folder} has no labels of {', '.join(unknown)}, but of"
            f" {', '.join(there) or 'nobody'}"
        )
    return [
        replace(
            one,
            detectors=tuple(each for each in one.detectors if each.name in names),
            builds=tuple(
                each for each in one.builds if each.part != _DETECTOR or each.voter in names
            ),
        )
        for one in responses
    ]


def _identity(run: KeptRun) -> Identity:
    """Return what a run says of itself, with the detectors by which it is scored."""
    whole = Identity.of(run)
    if not run.detectors:
        return whole
    kept = [name for name in whole.parts.values() if name in run.detectors]
    settings = dict(whole.settings or {})
    settings["detectors"] = {name: settings["detectors"][name] for name in kept}
    parts = {f"{_DETECTOR} {at}": name for at, name in enumerate(kept, 1)}
    return replace(whole, parts=parts, settings=settings)


def _remedy(run: KeptRun, responses: Sequence[PlayedResponse]) -> str | None:
    """Return what helps where labels lack although all was played: to go on would do nothing."""
    if run.manifest.counts["played"] < run.planned:
        return None
    return "; or ".join(
        help_lines(lost_labels(responses), f"run-benchmark score {run.folder.name}")
    )


def _judged(folder: Path, responses: Sequence[PlayedResponse]) -> Judged:
    """Return what people say of the responses of a run in a workspace: the folder above runs."""
    workspace = Workspace(folder.resolve().parent.parent)
    found = judged_responses(read_journal(workspace).decisions, run_called(folder, responses))
    return {
        (one.dialogue_id, one.turn): found[one.response_id]
        for one in responses
        if one.response_id in found
    }


def _lacking(missing: Sequence[Missing]) -> list[dict[str, object]]:
    return [
        {"dialogue_id": one.dialogue_id, "turns": one.turns, "labels": one.labels}
        for one in missing
    ]


def _compared(corrections: Corrections) -> list[Compared]:
    whole = last(corrections)
    keys = [] if whole is None else [key_of(whole)]
    if whole is not None:
        keys += [key_of(whole, "premise_class", name) for name in corrections.classes]
    if len(corrections.false_turns) > 1:
        keys.append(key_of(CHANGE))
    keys += [key_of(at(CORR_FP, turn)) for turn in corrections.true_turns[-1:]]
    return [Compared(key=key) for key in keys]


SCORING = Scoring(
    noun="dialogue",
    page="docs/false-premise-scores.md",
    reads=(),
    conditions={
        "detectors": "--detectors",
        "sample": "--sample",
        "prompt": "prompt",
        "seed": "--seed",
    },
    tally=tally_of,
    has_detectors=True,
)
