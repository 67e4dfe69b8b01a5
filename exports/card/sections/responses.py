"""Whose responses a release holds, and who played its episodes."""

from collections.abc import Iterator
from pathlib import Path

from exports.card.facts import Facts
from exports.card.markdown import table, text
from exports.contents.by_run import rows_by


def responses(facts: Facts) -> Iterator[str]:
    """Yield how many responses there are by model and run; nothing where there are none."""
    counts = rows_by(_shards(facts, "responses"), ("model", "run"))
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
    counts = rows_by(_shards(facts, "trajectories"), ("player", "run", "config"))
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


def _shards(facts: Facts, config: str) -> Iterator[Path]:
    for one in facts.making.written:
        if one.config == config:
            yield from (facts.making.folder / path for path in one.paths)
