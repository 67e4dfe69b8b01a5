"""The official files: one dialogue a line with all candidate boxes, everything in pixels."""

from collections.abc import Mapping
from typing import Any

from builders.invig.draft import Draft, Language, Reading, Unfit, attempt
from builders.invig.fields import (
    candidates,
    canonical_id,
    corners,
    decoded,
    readable_id,
    shown,
    size_of,
)
from builders.invig.naming import picture_of
from builders.invig.per_dialogue import further_targets
from builders.invig.turns import alternating


def has_ann(row: Mapping[str, Any]) -> bool:
    """Tell rows of this layout."""
    return "ann" in row and "filename" in row


def read_ann(row: Mapping[str, Any], _language: Language) -> Reading:
    """Return the dialogue of a row; it is in one language, which the row does not name."""
    return [attempt(readable_id(row), _dialogue, row)]


def _dialogue(row: Mapping[str, Any]) -> Draft:
    ann = decoded(row["ann"], "ann")
    if not isinstance(ann, Mapping):
        raise Unfit("bad_dialogue", f"ann is {shown(ann)} where a dict was wanted")
    questions, answers = (_lines(ann, field) for field in ("questions", "answers"))
    if len(questions) != len(answers):
        raise Unfit("unequal_turns", f"{len(questions)} questions and {len(answers)} answers")
    pairs = zip(questions, answers, strict=True)
    spoken = alternating([ann.get("ref_exp"), *(line for pair in pairs for line in pair)])
    targets = ann.get("ref_bboxes") or []
    if not isinstance(targets, list):
        raise Unfit("bad_box", f"ref_bboxes is {shown(targets)} where a list was wanted")
    if not targets:
        raise Unfit("no_target", "ref_bboxes is absent or empty")
    found, dropped = candidates(ann.get("bboxes"), "bboxes")
    return Draft(
        dialogue_id=canonical_id(row.get("id"), "the id"),
        picture=picture_of(names=[row["filename"]], image=row.get("image"), url=row.get("url")),
        utterances=spoken,
        target=corners(targets[0], "ref_bboxes[0]"),
        candidates=found,
        size=size_of(row),
        changes=(*further_targets(targets[1:]), *dropped),
    )


def _lines(ann: Mapping[str, Any], field: str) -> list[Any]:
    lines = ann.get(field)
    if lines is None:
        return []
    if not isinstance(lines, list):
        raise Unfit("bad_dialogue", f"{field} is {shown(lines)} where a list was wanted")
    return lines
