"""Score rows: each names the run, its release and all that answered; and the files they make."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from io import BytesIO
from typing import Any

import pyarrow.parquet as pq

from benchwright.records import Part, ScoreRow
from benchwright.rows import to_table
from evaluation.running.about import summed
from evaluation.scoring.figures import Figure
from evaluation.scoring.opened import ScoredOn
from evaluation.scoring.protocol import Tally

SCORES = "scores.json"
TABLE = "scores.parquet"


def score_rows(tally: Tally, on: ScoredOn, figures: Iterable[Figure]) -> list[ScoreRow]:
    """Return a row for each figure."""
    who, builds = tally.identity, tuple(summed(tally.builds))
    models = sorted({each.model for each in builds if each.part == "player" and each.model})
    return [
        ScoreRow(
            run=who.name,
            release=on.release,
            release_commit=on.commit,
            release_digest=on.digest,
            config=on.config,
            player=who.player,
            model=", ".join(models) or None,
            builds=builds,
            prompt=who.prompt,
            parts=tuple(Part(part=part, name=name) for part, name in who.parts.items()),
            parse_route=tally.parse_route,
            metric=figure.key.metric,
            by=figure.key.by,
            of=figure.key.of,
            value=figure.value,
            low=figure.low,
            high=figure.high,
            n=figure.n,
            coverage=tally.coverage,
        )
        for figure in figures
    ]


def score_files(rows: Sequence[ScoreRow], facts: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the files of a score by their names: JSON with the facts of the run, and a table."""
    whole = {**facts, "rows": [asdict(row) for row in rows]}
    stream = BytesIO()
    pq.write_table(to_table(rows, ScoreRow), stream, compression="zstd")
    return {SCORES: json_bytes(whole), TABLE: stream.getvalue()}


def json_bytes(whole: Mapping[str, Any]) -> bytes:
    """Return the bytes of a JSON file; raise ValueError for what is no number."""
    text = json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()
