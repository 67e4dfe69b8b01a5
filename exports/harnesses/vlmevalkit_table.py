"""Steps of question chains as a TSV of VLMEvalKit."""

import base64
from collections.abc import Iterator
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from benchwright import files
from benchwright.protocols.question_chain import following_truth, steps_that_count
from benchwright.release_loading import load_config


def write_rows(release: Path, path: Path) -> None:
    """Write the steps that count of all chains, with the columns of a multiple-choice set.

    A picture stands, as base64, in the first row that shows it; the others name that row.
    """
    import pandas as pd  # noqa: PLC0415  # takes half a second

    table = pd.DataFrame(_rows(release))
    with files.atomic(path) as stream:
        table.to_csv(stream, sep="\t", index=False, lineterminator="\n")


def _rows(release: Path) -> Iterator[dict[str, Any]]:
    from datasets import Image  # noqa: PLC0415  # takes seconds

    images = load_config(release, "images").cast_column("image", Image(decode=False))
    places = {name: at for at, name in enumerate(images["image_id"])}
    first: dict[str, str] = {}  # row that holds each picture
    number = 0
    for chain in load_config(release, "question-chain"):
        for step, now in enumerate(steps_that_count(chain)):
            shown = chain["image_id"]
            index = str(number)
            known = first.setdefault(shown, index)
            data = images[places[shown]]["image"]["bytes"] if known == index else b""
            yield {
                "index": index,
                "image": base64.b64encode(data).decode() or known,
                "hint": _hint(chain, step),
                "question": now["question"],
                **dict(zip(ascii_uppercase, now["answer_options"], strict=False)),
                "answer": ascii_uppercase[following_truth(chain, step)],
                "category": chain["category"],
                "chain_id": chain["chain_id"],
                "step": step + 1,
            }
            number += 1


def _hint(chain: dict[str, Any], step: int) -> str:
    history = [f"{one['question']} {one['answer']}" for one in chain["steps"][:step]]
    return "\n".join([f"In the end this is to be answered: {chain['question']}", *history])
