"""Score rows: each names the run, its release and all that answered; and the files they make."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from typing import Any

import pyarrow.parquet as pq

from benchwright.plain_text import excerpt
from benchwright.rows import to_table
from benchwright.run_records import Build, ScoreRow, Trajectory
from evaluation.running.about import summed
from evaluation.scoring.figures import Figure
from evaluation.scoring.played import Played

SCORES = "scores.json"
TABLE = "scores.parquet"
_ROUTE = 40  # characters of the name of a route that somebody else gave


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredOn:
    """What a run was scored on; ``digest`` is that of the rows of the release that it takes."""

    release: str
    commit: str | None
    digest: str
    config: str


def score_rows(played: Played, on: ScoredOn, figures: Iterable[Figure]) -> list[ScoreRow]:
    """Return a row for each figure."""
    builds = _builds(played.finished)
    models = sorted({each.model for each in builds if each.part == "player" and each.model})
    return [
        ScoreRow(
            run=played.name,
            release=on.release,
            release_commit=on.commit,
            release_digest=on.digest,
            config=on.config,
            player=played.player,
            model=", ".join(models) or None,
            builds=builds,
            prompt=played.prompt,
            detector=played.detector,
            oracle=played.oracle,
            verifier=played.verifier,
            parse_route=parse_route(played.finished),
            metric=figure.key.metric,
            by=figure.key.by,
            of=figure.key.of,
            value=figure.value,
            low=figure.low,
            high=figure.high,
            n=figure.n,
            coverage=played.coverage,
        )
        for figure in figures
    ]


def parse_route(episodes: Sequence[Trajectory]) -> str:
    """Return how replies were read and questions mapped: the routes with their shares."""
    turns = [turn for played in episodes for turn in played.turns]
    routes = {
        "read": Counter(turn.read_by for turn in turns),
        "mapped": Counter(turn.mapped_by for turn in turns if turn.question is not None),
        "guess": Counter(played.guessed_by for played in episodes if played.guessed_by),
    }
    return "; ".join(f"{what}: {_shares(found)}" for what, found in routes.items() if found)


def score_files(rows: Sequence[ScoreRow], facts: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the files of a score by their names: JSON with the facts of the run, and a table."""
    whole = {**facts, "rows": [asdict(row) for row in rows]}
    text = json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    stream = BytesIO()
    pq.write_table(to_table(rows, ScoreRow), stream, compression="zstd")
    return {SCORES: f"{text}\n".encode(), TABLE: stream.getvalue()}


def _builds(episodes: Iterable[Trajectory]) -> tuple[Build, ...]:
    return tuple(summed(build for played in episodes for build in played.builds))


def _shares(found: Counter[str]) -> str:
    total = found.total()
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{excerpt(name, _ROUTE)} {count / total:.1%}" for name, count in ordered)
