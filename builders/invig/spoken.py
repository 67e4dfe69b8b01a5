"""Dialogues as text with tags, or as lines with their speakers.

``<sep_a> opening <sep_q> question <sep_a> answer …`` may stand in any field of text. Lines with
speakers stand in ``utterances`` or ``transcript``, as (speaker, text), as dicts of these, or as
``Human: text``. The target is four location tokens ``<bin_k>`` in a field of text or in the
dialogue itself, four bins, or a box in shares or pixels. Lines with speakers may have
``raw_anns``, all boxes of the picture with their categories, in the unit of the target.
"""

from collections.abc import Mapping
from typing import Any

from builders.invig.draft import Corners, Draft, Language, Reading, Unfit, attempt
from builders.invig.fields import (
    canonical_id,
    corners,
    decoded,
    described,
    dicts,
    from_bins,
    is_relative,
    readable_id,
    relative_bins,
    shown,
    size_of,
)
from builders.invig.naming import picture_of
from builders.invig.turns import SPEAKERS, by_speaker, from_tagged, is_tagged

_LINES = ("utterances", "transcript")
_BINS = ("target_bins_xyxy", "bins")
_BOXES = ("bbox", "bbox_xyxy_px", "target_norm_xyxy", "box", "target", "region", "answer", "label")
_CHINESE = ("_cn", "_zh")


def has_tags(row: Mapping[str, Any]) -> bool:
    """Tell rows with tagged text and no objects beside it."""
    return row.get("raw_anns") is None and any(map(is_tagged, row.values()))


def has_lines(row: Mapping[str, Any]) -> bool:
    """Tell rows with lines and their speakers."""
    return any(field in row for field in _LINES)


def read_tags(row: Mapping[str, Any], language: Language) -> Reading:
    """Return the dialogue of a row with tagged text."""
    return [attempt(readable_id(row), _tagged, row, language)]


def read_lines(row: Mapping[str, Any], _language: Language) -> Reading:
    """Return the dialogue of a row with speakers; it is in one language, which no row names."""
    return [attempt(readable_id(row), _lines, row)]


def _tagged(row: Mapping[str, Any], language: Language) -> Draft:
    fields = [field for field in sorted(row) if is_tagged(row[field])]
    chinese = [field for field in fields if field.endswith(_CHINESE)]
    others = [field for field in fields if field not in chinese]
    wanted = others if language == "en" else chinese or others
    if not wanted:
        raise Unfit("no_language", f"tagged text in {', '.join(fields)} alone")
    text = row[wanted[0]]
    return _draft(row, from_tagged(text), text)


def _lines(row: Mapping[str, Any]) -> Draft:
    field = next(field for field in _LINES if field in row)
    lines = decoded(row[field], field)
    if not isinstance(lines, list):
        raise Unfit("bad_dialogue", f"{field} is {shown(lines)} where a list was wanted")
    return _draft(row, by_speaker([_turn(line) for line in lines]), "")


def _turn(line: Any) -> tuple[str, Any]:
    match line:
        case [speaker, text]:
            pass
        case {"speaker": speaker, "text": text}:
            pass
        case str():
            speaker, _, text = line.partition(":")
            text = text.strip()
        case _:
            raise Unfit("bad_dialogue", f"{shown(line)} is no line with its speaker")
    known = SPEAKERS.get(speaker.strip().lower()) if isinstance(speaker, str) else None
    if known is None:
        raise Unfit("unknown_speaker", f"{shown(speaker)} is neither human nor agent")
    return known, text


def _draft(row: Mapping[str, Any], spoken: Any, text: str) -> Draft:
    target, relative = _target(row, text)
    raw = [] if row.get("raw_anns") is None else dicts(row["raw_anns"], "raw_anns")
    found, categories, dropped = described(raw, "raw_anns bbox")
    if found and is_relative([value for box in found for value in box]) != relative:
        raise Unfit(
            "mixed_units",
            "of the target's box and raw_anns one is in pixels and one in shares of the picture",
        )
    return Draft(
        dialogue_id=canonical_id(row.get("id"), "the id"),
        picture=picture_of(
            ids=[row.get(field) for field in ("global_image_id", "openimages_id", "image_id")],
            names=[row.get(field) for field in ("image_path", "file_name", "filename")],
            image=row.get("image"),
            url=row.get("image_url"),
        ),
        utterances=spoken,
        target=target,
        candidates=found,
        categories=categories,
        is_relative=relative,
        size=size_of(row),
        changes=tuple(dropped),
    )


def _target(row: Mapping[str, Any], text: str) -> tuple[Corners, bool]:
    for field in _BINS:
        if row.get(field):
            return relative_bins(row[field], field), True
    for field in _BOXES:
        value = row.get(field)
        if isinstance(value, str) and "<bin_" in value and not is_tagged(value):
            return from_bins(value, field), True
        if isinstance(value, list) and value:
            box = corners(value, field)
            return box, is_relative(box)
    if "<bin_" in text:
        return from_bins(text, "the dialogue"), True
    raise Unfit("no_target", "no box and no location tokens")
