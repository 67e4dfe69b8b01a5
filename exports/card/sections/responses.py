"""Whose responses a release holds, and who played its episodes."""

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


def trajectories(facts: Facts) -> Iterator[str]:
    """Yield how many episodes each player played in each run; nothing where nobody did."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for one in facts.making.written:
        for path in one.paths if one.config == "trajectories" else ():
            found = pq.read_table(facts.making.folder / path, columns=["player", "run", "config"])
            counts.update(zip(*(column.to_pylist() for column in found.columns), strict=True))
    if not counts:
        return
    yield from ("## Episodes as they were played", "")
    yield (
        "What players asked and were told, what was left after each turn, and what they guessed;"
        " `feasible` follows from the labels that the run was played by. They are no scores: a run"
        " may be of some episodes only."
    )
    yield ""
    rows = [
        (text(player), text(run), f"`{config}`", f"{count:,}")
        for (player, run, config), count in sorted(counts.items())
    ]
    yield from table(("player", "run", "config", "episodes"), rows, 3)
