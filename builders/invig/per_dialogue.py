"""Rows of one dialogue each, as on the Hugging Face Hub at first.

The first form has ``raw_anns`` (JSON text: all candidate objects, boxes in pixels), ``raw_target``
(places in it, from 0) and ``bbox`` in pixels; its dialogue is pairs of a question and its answer,
the opening being the answer to nothing. The second has no more than a dialogue, a box and a
picture, and says neither the order of the pairs nor the unit of the box.
"""

from collections.abc import Mapping
from typing import Any

from benchwright import boxes
from builders.invig.draft import Corners, Draft, Language, Reading, Unfit, attempt
from builders.invig.fields import (
    canonical_id,
    corners,
    described,
    dicts,
    indices,
    is_relative,
    pick,
    readable_id,
    shown,
    size_of,
    target_in,
)
from builders.invig.naming import picture_of
from builders.invig.turns import utterances_of

_SLACK = 1.0  # pixels by which two writings of one box may differ


def has_candidates(row: Mapping[str, Any]) -> bool:
    """Tell rows with all objects of the picture (the first form)."""
    return "dialog" in row and bool(row.keys() & {"raw_anns", "raw_target", "image_path"})


def has_target_only(row: Mapping[str, Any]) -> bool:
    """Tell rows with a dialogue, a box and a picture alone (the second form)."""
    return "dialog" in row and bool(row.keys() & {"image", "image_id", "global_image_id"})


def read_with_candidates(row: Mapping[str, Any], language: Language) -> Reading:
    """Return the dialogue of a row of the first form."""
    return [attempt(readable_id(row), _with_candidates, row, language)]


def read_target_only(row: Mapping[str, Any], language: Language) -> Reading:
    """Return the dialogue of a row of the second form."""
    return [attempt(readable_id(row), _target_only, row, language)]


def dialogue_in(row: Mapping[str, Any], language: Language) -> Any:
    """Return the dialogue in a language; raises Unfit (``no_language``) where there is none."""
    field = {"en": "dialog", "zh": "dialog_cn"}[language]
    if row.get(field) is None:
        raise Unfit("no_language", f"no dialogue in this language: {field} is absent or null")
    return row[field]


def _picture(row: Mapping[str, Any]) -> Any:
    return picture_of(
        ids=[row.get("global_image_id"), row.get("image_id")],
        names=[row.get("image_path")],
        image=row.get("image"),
        url=row.get("image_url"),
    )


def _with_candidates(row: Mapping[str, Any], language: Language) -> Draft:
    name = canonical_id(row.get("id"), "the id")
    picture = _picture(row)
    spoken = utterances_of(dialogue_in(row, language), "agent_first")
    raw = [] if row.get("raw_anns") is None else dicts(row["raw_anns"], "raw_anns")
    listed = [entry.get("bbox") for entry in raw]
    stated = row.get("bbox") or None
    chosen = indices(row.get("raw_target"), "raw_target")
    changes: list[tuple[str, str]] = []
    if chosen:
        target = corners(pick(listed, chosen, ("raw_target", "raw_anns")), "the target's bbox")
        changes += further_targets(chosen[1:]) + _compared(target, stated)
    elif stated is not None:
        target = corners(stated, "bbox")
    else:
        raise Unfit("no_target", "raw_target is empty, and so is bbox")
    found, categories, dropped = described(raw, "raw_anns bbox")
    return Draft(
        dialogue_id=name,
        picture=picture,
        utterances=spoken,
        target=target,
        candidates=found,
        categories=categories,
        size=size_of(row),
        changes=(*changes, *dropped),
    )


def further_targets(others: list[Any]) -> list[tuple[str, str]]:
    """Return the change of a dialogue that names more targets than the one kept."""
    if not others:
        return []
    return [("further_targets", f"the first target is kept; also named: {shown(others)}")]


def _compared(target: Corners, stated: Any) -> list[tuple[str, str]]:
    """Compare the chosen object with the box that the row states beside it."""
    if stated is None:
        return []
    other = corners(stated, "bbox")
    if max(abs(one - two) for one, two in zip(target, other, strict=True)) <= _SLACK:
        return []
    message = f"bbox {shown(list(other))} is not the chosen object {shown(list(target))}"
    if boxes.iou(boxes.from_corners(*target), boxes.from_corners(*other)) < 0.5:
        raise Unfit("target_differs", message)
    return [("target_differs", f"{message}, which is kept")]


def _target_only(row: Mapping[str, Any], language: Language) -> Draft:
    name = canonical_id(row.get("id"), "the id")
    picture = _picture(row)
    spoken = utterances_of(dialogue_in(row, language), None)
    target = target_in(row)
    return Draft(
        dialogue_id=name,
        picture=picture,
        utterances=spoken,
        target=target,
        is_relative=is_relative(target),
        size=size_of(row),
    )
