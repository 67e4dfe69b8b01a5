"""Question chains for lmms-eval: ``lmms-eval --include_path FOLDER --tasks …_following``.

Planning goes over several rounds, since what is asked next hangs on what was picked: it needs a
model of lmms-eval with ``generate_until_multi_round``, and ``--batch_size 1``.
"""

import io
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))  # lmms-eval loads this file by its path alone

from benchwright.protocols.question_chain import (  # noqa: E402
    chosen,
    following_prompt,
    following_truth,
    mean_of_categories,
    planning_prompt,
    planning_truth,
    steps_that_count,
)
from exports.harnesses.tasks.benchwright_rows import picture_bytes  # noqa: E402

Doc = dict[str, Any]


def chains(rows: Any) -> Any:
    """Return the chains with steps that count."""
    return rows.filter(lambda row: len(steps_that_count(row)) > 0)


def steps(rows: Any) -> Any:
    """Return a row for each step that counts, in place of one for each chain."""
    from datasets import Dataset  # noqa: PLC0415

    return Dataset.from_list(
        [
            {
                "chain_id": row["chain_id"],
                "category": row["category"],
                "image_id": row["image_id"],
                "prompt": following_prompt(row, step),
                "options": now["answer_options"],
                "truth": following_truth(row, step),
                "part": 1 / len(steps_that_count(row)),
            }
            for row in rows
            for step, now in enumerate(steps_that_count(row))
        ]
    )


def picture(doc: Doc) -> list[Any]:
    """Return the picture of a chain or a step."""
    from PIL import Image  # noqa: PLC0415

    return [Image.open(io.BytesIO(picture_bytes(FOLDER, doc["image_id"]))).convert("RGB")]


def step_prompt(doc: Doc, lmms_eval_specific_kwargs: Any = None) -> str:  # noqa: ARG001
    """Return the question of a step."""
    prompt: str = doc["prompt"]
    return prompt


def step_result(doc: Doc, results: list[str]) -> Doc:
    """Return whether a step is right, as the part of its chain that it is."""
    right = chosen(results[0], doc["options"]) == doc["truth"]
    return {"accuracy": {**_of(doc), "share": doc["part"] * right}}


def round_prompt(
    doc: Doc,
    lmms_eval_specific_kwargs: Any = None,  # noqa: ARG001
    previous_output: list[str] | None = None,
    round_idx: int | None = None,
    previous_round_info: Any = None,  # noqa: ARG001
) -> Any:
    """Return the question of a round, after the picks of those before it."""
    said = list(previous_output or [])
    if not round_idx:
        return planning_prompt(doc, [])
    if len(said) == len(steps_that_count(doc)):
        return None, None, True, said, None
    return picture(doc), planning_prompt(doc, _picks(doc, said)), False, said, None


def rounds_result(doc: Doc, results: list[Any]) -> Doc:
    """Return the share of the picks that are the true question."""
    said = results[0] if isinstance(results[0], (list, tuple)) else results
    picks = _picks(doc, list(said))
    right = [pick == planning_truth(doc, step) for step, pick in enumerate(picks)]
    return {"accuracy": {**_of(doc), "share": sum(right) / len(steps_that_count(doc))}}


def accuracy(results: list[Doc]) -> float:
    """Return the mean over categories of the mean share of their chains."""
    by_chain: dict[tuple[str, str], float] = {}
    for one in results:
        key = one["category"], one["chain_id"]
        by_chain[key] = by_chain.get(key, 0.0) + one["share"]
    return mean_of_categories((category, share) for (category, _), share in by_chain.items())


def _of(doc: Doc) -> Doc:
    return {"chain_id": doc["chain_id"], "category": doc["category"]}


def _picks(doc: Doc, said: list[str]) -> list[int | None]:
    return [
        chosen(text, [one["text"] for one in now["question_options"]])
        for text, now in zip(said, steps_that_count(doc), strict=False)
    ]
