"""A folder that loads as a release of question chains and nothing else, for tests."""

import hashlib
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

from benchwright.records import ChainStep, QuestionChain, QuestionOption
from benchwright.rows import content_digest, to_table

_CARD = """---
configs:
- config_name: images
  data_files:
  - split: test
    path: data/images.parquet
- config_name: question-chain
  data_files:
  - split: test
    path: data/chains.parquet
  description: content {digest}
---
"""
SHAPES = {  # of each chain the category, the scenario, the picture and the number of steps
    "c1": ("deduction", "pattern", 1, 3),
    "c2": ("deduction", "pattern", 1, 4),
    "c3": ("deduction", "flowchart", 2, 3),
    "c4": ("guessing", "location", 3, 2),
    "c5": ("guessing", "time", 4, 3),
}


def five_chains() -> list[QuestionChain]:
    """Return chains of two categories, two of them about one picture; no text stands twice."""
    return [_chain(name, *shape) for name, shape in SHAPES.items()]


def write_chain_release(folder: Path, chains: Sequence[QuestionChain]) -> Path:
    """Write a release of chains, with a picture of one colour for each that they name."""
    (folder / "data").mkdir(parents=True)
    rows = to_table(chains, QuestionChain)
    # ``datasets`` keeps what it read by the card
    card = _CARD.format(digest=content_digest([rows]))
    (folder / "README.md").write_text(card, "utf-8")
    pq.write_table(rows, folder / "data" / "chains.parquet")
    ids = sorted({chain.image_id for chain in chains})
    pictures = [_picture(number) for number in range(len(ids))]
    columns = {
        "image_id": ids,
        "sha256": [hashlib.sha256(data).hexdigest() for data in pictures],
        "width": [32] * len(ids),
        "height": [24] * len(ids),
        "category": [None] * len(ids),
        "image": [{"bytes": data, "path": None} for data in pictures],
    }
    image = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    types = {"width": pa.int32(), "height": pa.int32(), "image": image}
    table = pa.table({n: pa.array(v, types.get(n, pa.string())) for n, v in columns.items()})
    pq.write_table(table, folder / "data" / "images.parquet")
    return folder


def _chain(name: str, category: str, scenario: str, picture: int, length: int) -> QuestionChain:
    steps = tuple(_step(name, number) for number in range(1, length + 1))
    last = replace(steps[-1], question_options=())  # everybody asks it
    return QuestionChain(
        chain_id=name,
        image_id=f"{picture:016x}",
        category=category,
        scenario=scenario,
        question=last.question,
        steps=(*steps[:-1], last),
        rounds=(),
        author="ana",
    )


def _step(chain: str, number: int) -> ChainStep:
    """Return a step; the true option stands in another place at each, and is never the longest."""
    question, answer = f"What is at place {number} of {chain}?", f"thing {number} of {chain}"
    options = [
        QuestionOption(
            text=f"Is anything strange about side {letter} at {number} of {chain}?",
            answer=f"nothing strange {letter}",
            origin="step",
            generator="m",
        )
        for letter in "xy"
    ]
    true = QuestionOption(text=question, answer=answer, origin="true", generator=None)
    options.insert(number % 3, true)
    answers = [f"some wrong thing {letter} {number} of {chain}" for letter in "xyz"]
    answers.insert(number % 4, answer)
    return ChainStep(
        question=question,
        answer=answer,
        uses=(number - 1,) if number > 1 else (),
        question_options=tuple(options),
        answer_options=tuple(answers),
    )


def _picture(number: int) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (32, 24), (40 * number, 90, 200)).save(stream, "PNG")
    return stream.getvalue()
