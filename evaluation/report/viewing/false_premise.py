"""False-premise dialogues in the viewer."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence

from benchwright.records import FalsePremise, PlayedResponse
from evaluation.releases.records import read_records
from evaluation.report.viewing.shown import Drawn, Item, Step, Verdict, said
from evaluation.scoring.protocol import KeptRun
from evaluation.scoring.spelling import spoken

_SAYS = {"yes": "a correction", "no": "no correction", None: "no label"}


def items_of(run: KeptRun, chosen: Callable[[Collection[str]], Collection[str]]) -> list[Item]:
    """Return the chosen of the dialogues that have responses."""
    of_dialogue: dict[str, list[PlayedResponse]] = defaultdict(list)
    for one in run.records("responses", PlayedResponse):
        of_dialogue[one.dialogue_id].append(one)
    dialogues = {
        one.dialogue_id: one
        for one in read_records(run.release, run.about.config, FalsePremise)
        if one.dialogue_id in of_dialogue
    }
    return [_item(dialogues[name], of_dialogue[name]) for name in chosen(dialogues.keys())]


def _item(dialogue: FalsePremise, responses: Sequence[PlayedResponse]) -> Item:
    return Item(
        title=f"dialogue {dialogue.dialogue_id}",
        facts=(
            f"{spoken(dialogue.premise_class)}, {dialogue.complexity}, {dialogue.category};"
            f" true: “{dialogue.true_description}”, asked: “{dialogue.false_description}”"
        ),
        image_ids=[dialogue.image_id],
        steps=[
            _step(one, dialogue) for one in sorted(responses, key=lambda response: response.turn)
        ],
    )


def _step(one: PlayedResponse, dialogue: FalsePremise) -> Step:
    labels = [label.label for label in one.detectors]
    return Step(
        title=f"turn {one.turn}, {'false' if one.has_false_premise else 'true'} premise",
        words=[
            said("asked", one.question),
            said("player", one.response, is_player=True),
            *(said(f"detector {label.name}", _SAYS[label.label]) for label in one.detectors),
        ],
        drawn=[Drawn(box=dialogue.box, kind="target")],
        note="" if one.status == "ok" else spoken(one.status),
        verdict=_verdict(labels, has_false_premise=one.has_false_premise),
    )


def _verdict(labels: Sequence[str | None], *, has_false_premise: bool) -> Verdict | None:
    """Return what all detectors say that the answer is; null where they differ or are none."""
    if len(set(labels)) != 1 or labels[0] is None:
        return None
    return "right" if (labels[0] == "yes") == has_false_premise else "wrong"
