"""Candidate sets for lmms-eval: ``lmms-eval --include_path FOLDER --tasks …_several``.

Scoring imports ``benchwright``, which may be installed without what it depends on.
"""

import io
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))  # lmms-eval loads this file by its path alone

from benchwright.protocols.candidate_set import (  # noqa: E402
    prompt,
    score_several,
    score_single,
)
from exports.harnesses.tasks.benchwright_rows import picture_bytes  # noqa: E402

Doc = dict[str, Any]


def single(rows: Any) -> Any:
    """Return the turns after which one object is left."""
    return rows.filter(lambda row: row["kind"] == "single")


def several(rows: Any) -> Any:
    """Return the turns after which several objects are left."""
    return rows.filter(lambda row: row["kind"] == "set")


def picture(doc: Doc) -> list[Any]:
    """Return the picture that is talked about."""
    from PIL import Image  # noqa: PLC0415

    return [Image.open(io.BytesIO(picture_bytes(FOLDER, doc["image_id"]))).convert("RGB")]


def turn_prompt(doc: Doc, lmms_eval_specific_kwargs: Any = None) -> str:  # noqa: ARG001
    """Return what is asked of a turn."""
    return prompt(doc)


def single_result(doc: Doc, results: list[str]) -> dict[str, float]:
    """Return Acc@0.5 of a turn."""
    return score_single(_sized(doc), results[0])


def several_result(doc: Doc, results: list[str]) -> dict[str, float]:
    """Return precision, recall and F1 of a turn."""
    return score_several(_sized(doc), results[0])


def mean(results: list[float]) -> float:
    """Return the mean over turns."""
    return sum(results) / len(results)


def _sized(doc: Doc) -> Doc:
    width, height = picture(doc)[0].size
    return {**doc, "width": width, "height": height}
