"""What helps where the filter kept no dialogue."""

from collections.abc import Mapping

from labeling.dialogues.candidate_set.choosing.rules import Reason

_THRESHOLDS = "filter again with other thresholds: build-dialogues candidate-set filter --help"
_REMEDIES: Mapping[Reason, str] = {
    "no_picture": "build the catalog with pictures: build-catalog invig SOURCE --images DIR",
    "no_line": "build the catalog of dialogues that have lines",
    "no_target": "build the catalog of dialogues that have a target's box",
    "no_candidate_boxes": (
        "build the catalog of rows that list all boxes of the picture (raw_anns, or bboxes of the"
        " official files; see docs/dialogues.md, Sources of dialogues), for these have no box but"
        " the target's, and no threshold helps"
    ),
}


def remedy(reasons: Mapping[str, int]) -> str:
    """Return what to do about the most frequent of the reasons of a filter, without a full stop."""
    most = max(reasons, key=lambda reason: reasons[reason], default=None)
    return next((text for reason, text in _REMEDIES.items() if reason == most), _THRESHOLDS)
