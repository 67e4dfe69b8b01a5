"""The layouts in which InViG is found, each recognised by the fields of a row."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from builders.invig import accounts, official, per_dialogue, per_image, spoken
from builders.invig.draft import Language, Reading, Refused

_MOST_FIELDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One layout: its name as the commands print it, how it is told, how a row of it is read."""

    name: str
    matches: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Mapping[str, Any], Language], Reading]


# the first that matches; tagged text before the layouts whose dialogue has another form
LAYOUTS = (
    Layout(name="official annotations", matches=official.has_ann, read=official.read_ann),
    Layout(
        name="pictures with ref_list", matches=per_image.has_ref_list, read=per_image.read_ref_list
    ),
    Layout(name="lines of accounts", matches=accounts.has_accounts, read=accounts.read_accounts),
    Layout(name="tagged text", matches=spoken.has_tags, read=spoken.read_tags),
    Layout(
        name="dialogues with candidates",
        matches=per_dialogue.has_candidates,
        read=per_dialogue.read_with_candidates,
    ),
    Layout(name="lines with speakers", matches=spoken.has_lines, read=spoken.read_lines),
    Layout(
        name="dialogues with a target",
        matches=per_dialogue.has_target_only,
        read=per_dialogue.read_target_only,
    ),
)


def recognise(row: Mapping[str, Any]) -> Layout | None:
    """Return the layout of a row, None for an unknown one."""
    return next((layout for layout in LAYOUTS if layout.matches(row)), None)


def read_row(row: Mapping[str, Any], language: Language) -> tuple[str, Reading]:
    """Return the name of a row's layout and its dialogues; nothing in a row makes this raise."""
    layout = recognise(row)
    if layout is not None:
        return layout.name, layout.read(row, language)
    fields = ", ".join(sorted(row)[:_MOST_FIELDS]) or "none"
    message = f"no known layout has just these fields: {fields}"
    return "unknown", [Refused(dialogue_id=None, reason="unknown_layout", message=message)]
