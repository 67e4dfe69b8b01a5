"""Rows of one picture each with all its dialogues in ``ref_list``, as on the Hub today.

``ref_list`` is a list of dicts or, written by other versions of ``datasets``, a dict of lists.
The pairs of a dialogue are a human's line and the agent's reply to it. There are no candidate
boxes. Boxes were seen as shares of the picture; larger numbers are taken for pixels.
"""

from collections.abc import Mapping
from typing import Any

from builders.invig.draft import Draft, Language, PictureName, Reading, Refused, Unfit, attempt
from builders.invig.fields import (
    canonical_id,
    decoded,
    dicts,
    is_relative,
    readable_id,
    shown,
    size_of,
    target_in,
)
from builders.invig.naming import picture_of
from builders.invig.per_dialogue import dialogue_in
from builders.invig.turns import utterances_of


def has_ref_list(row: Mapping[str, Any]) -> bool:
    """Tell rows of this layout."""
    return "ref_list" in row


def read_ref_list(row: Mapping[str, Any], language: Language) -> Reading:
    """Return the dialogues of a row."""
    try:
        refs = dicts(row["ref_list"], "ref_list")
        info = decoded(row.get("image_info"), "image_info")
        if info is not None and not isinstance(info, Mapping):
            raise Unfit("no_picture", f"image_info is {shown(info)} where a dict was wanted")
        picture = _picture(row, info or {})
    except Unfit as error:
        return [Refused(dialogue_id=None, reason=error.reason, message=str(error))]
    if not refs:
        message = f"the ref_list of picture {picture.source_id} is empty"
        return [Refused(dialogue_id=None, reason="no_dialogue", message=message)]
    size = size_of(info or {})
    return [attempt(readable_id(ref), _dialogue, ref, language, picture, size) for ref in refs]


def _picture(row: Mapping[str, Any], info: Mapping[str, Any]) -> PictureName:
    return picture_of(
        ids=[row.get("global_image_id"), info.get("id"), row.get("image_id")],
        names=[info.get("file_name")],
        image=row.get("image"),
        url=info.get("url"),
    )


def _dialogue(
    ref: Mapping[str, Any],
    language: Language,
    picture: PictureName,
    size: tuple[int, int] | None,
) -> Draft:
    name = canonical_id(ref.get("id"), "the id")
    spoken = utterances_of(dialogue_in(ref, language), "human_first")
    target = target_in(ref)
    return Draft(
        dialogue_id=name,
        picture=picture,
        utterances=spoken,
        target=target,
        is_relative=is_relative(target),
        size=size,
    )
