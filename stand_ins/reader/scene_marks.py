"""What somebody marks who knows the drawn scenes: the boxes that the words so far may still mean.

Every answer is true of the woman who is meant. So a woman may still be meant just when she is like
that one in the colour, which the first line names, and in all that was asked since.
"""

from collections.abc import Iterator, Sequence

from benchwright.boxes import Box
from benchwright.records import CandidateSet, Dialogue, SceneObject
from benchwright.workspace import Workspace
from builders.catalog import iterate_items
from labeling.dialogues.stored import read_drafts, record_id_of

_ASKED = {"print": "print", "how long": "garment length", "sleeves": "sleeve length"}
_NEAR = 1.0  # pixels: boxes are rounded on their way


def marks_of_scenes(workspace: Workspace) -> dict[str, tuple[str, ...]]:
    """Return the ids of the boxes to tick for each draft of a candidate set, by its id."""
    told = {
        dialogue.dialogue_id: (item.objects, dialogue)
        for item in iterate_items(workspace)
        for dialogue in item.dialogues
    }
    drafts = read_drafts(workspace, "candidate-set")
    return {
        record_id_of(draft): tuple(_still_meant(draft, *told[draft.dialogue_id]))
        for draft in drafts
    }


def _still_meant(
    draft: CandidateSet, women: Sequence[SceneObject], dialogue: Dialogue
) -> Iterator[str]:
    assert dialogue.target_box is not None
    target = dialogue.target_box
    (meant,) = (woman for woman in women if _is_near(woman.bbox, target))
    kinds = ["colour"]
    for question in dialogue.utterances[1 : 2 * draft.turn - 1 : 2]:
        kinds += [kind for word, kind in _ASKED.items() if word in question.text]
        if "from the left" in question.text:
            women = [meant]
    left = [one for one in women if all(_value(one, kind) == _value(meant, kind) for kind in kinds)]
    for box in draft.boxes:
        if any(_is_near(box.bbox, woman.bbox) for woman in left):
            yield box.box_id


def _value(woman: SceneObject, kind: str) -> str:
    return next(one.value for one in woman.attributes if one.type == kind)


def _is_near(one: Box, other: Box) -> bool:
    return all(abs(a - b) < _NEAR for a, b in zip(one, other, strict=True))
