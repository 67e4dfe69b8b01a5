"""Candidate-set dialogues in the viewer: each turn that was played, with the boxes of both."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from math import isfinite

from benchwright.boxes import Box
from benchwright.protocols.candidate_set import MOST_BOXES
from benchwright.records import CandidateSet, Grounding
from evaluation.candidate_set.metrics.answered import Answered
from evaluation.candidate_set.playing.playing import is_failed
from evaluation.candidate_set.playing.running import TABLE
from evaluation.releases.records import read_records
from evaluation.report.viewing.shown import Drawn, Item, Step, Words, said
from evaluation.scoring.protocol import KeptRun
from evaluation.scoring.spelling import share


def items_of(run: KeptRun, chosen: Callable[[Collection[str]], Collection[str]]) -> list[Item]:
    """Return the chosen of the dialogues of which turns were played."""
    samples = read_records(run.release, run.about.config, CandidateSet)
    sample_of = {(one.dialogue_id, one.turn): one for one in samples}
    is_given = bool(run.settings["given"])
    of_dialogue: dict[str, list[Answered]] = defaultdict(list)
    for row in run.records(TABLE, Grounding):
        if not is_failed(row):
            sample = sample_of[row.dialogue_id, row.turn]
            of_dialogue[row.dialogue_id].append(Answered.of(sample, row, is_given=is_given))
    return [
        _item(name, sorted(of_dialogue[name], key=lambda one: one.sample.turn))
        for name in chosen(of_dialogue.keys())
    ]


def _item(name: str, turns: Sequence[Answered]) -> Item:
    sample = turns[0].sample
    boxes = len(sample.boxes)
    return Item(
        title=f"dialogue {name}",
        facts=f"{boxes:,} {'box' if boxes == 1 else 'boxes'} in the picture",
        image_ids=[sample.image_id],
        steps=[_step(one, turns[at - 1].sample if at else None) for at, one in enumerate(turns)],
    )


def _step(one: Answered, before: CandidateSet | None) -> Step:
    sample, outcome = one.sample, one.outcome
    heard = len(before.context) if before else 0
    if one.meant == "several":
        note = f"precision {share(outcome.precision)}, recall {share(outcome.recall)}"
        is_right = outcome.f1 == 1
    elif one.meant == "one":
        is_right = outcome.is_one_right
        note = "the one that is meant" if is_right else "not the one box that is meant"
    else:
        is_right = one.is_nothing
        note = "nothing is meant"
    return Step(
        title=f"turn {sample.turn}",
        words=[
            *(said(each.speaker, each.text) for each in sample.context[heard:]),
            _answer(one),
        ],
        drawn=_drawn(one),
        note=f"{outcome.predicted} predicted, {outcome.true} true; {note}",
        verdict="right" if is_right else "wrong",
    )


def _answer(one: Answered) -> Words:
    chosen = ", ".join(one.grounding.chosen)
    return said("player", one.grounding.text or chosen, is_player=True)


def _drawn(one: Answered) -> list[Drawn]:
    box_of = {box.box_id: box.bbox for box in one.sample.boxes}
    true = [box_of[name] for name in one.sample.candidate_ids]
    predicted: list[Box] = [*one.grounding.boxes]
    predicted += [box_of[name] for name in one.grounding.chosen if name in box_of]
    return [
        *(Drawn(box=box, kind="true") for box in true),
        *(
            Drawn(box=box, kind="predicted")
            for box in predicted[:MOST_BOXES]
            if all(map(isfinite, box))
        ),
    ]
