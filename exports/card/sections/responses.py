"""Whose responses a release holds."""

from collections import Counter
from collections.abc import Iterator

import pyarrow.parquet as pq

from exports.card.facts import Facts
from exports.card.markdown import table, text


def responses(facts: Facts) -> Iterator[str]:
    """Yield how many responses there are by model and run; nothing where there are none."""
    counts: Counter[tuple[str, str]] = Counter()
    for one in facts.making.written:
        for path in one.paths if one.config == "responses" else ():
            found = pq.read_table(facts.making.folder / path, columns=["model", "run"])
            counts.update(zip(*(column.to_pylist() for column in found.columns), strict=True))
    if not counts:
        return
    yield from ("## Responses of models", "")
    yield (
        "What models answered to false-premise questions, and whether detectors read a correction"
        " in it. They are no scores: a run may be of some dialogues only."
    )
    yield ""
    rows = [
        (text(model), text(run), f"{count:,}") for (model, run), count in sorted(counts.items())
    ]
    yield from table(("model", "run", "responses"), rows, 2)
