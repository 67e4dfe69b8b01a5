"""Score rows: what each names, and by which routes replies were read."""

import json
from collections import Counter
from dataclasses import replace
from io import BytesIO

import pyarrow.parquet as pq

from benchwright.records import Build, Part, ScoreRow
from benchwright.rows import from_table
from evaluation.scoring.figures import NOTHING, Figure, Key
from evaluation.scoring.opened import ScoredOn
from evaluation.scoring.parse_route import parse_route
from evaluation.scoring.protocol import Identity, Item, Tally
from evaluation.scoring.score_rows import score_files, score_rows

ON = ScoredOn(release="me/things@v1.0.0", commit="c0ffee", digest="d1", config="c")
KEY = Key("turns", "outcome", "verified")
FIGURE = Figure(key=KEY, value=None, low=None, high=None, n=0)


def build(part: str, model: str | None, fingerprint: str, answers: int) -> Build:
    return Build(part=part, voter="v", model=model, build=fingerprint, answers=answers)


TALLY = Tally(
    identity=Identity(name="run", player="v", prompt="p1", parts={"oracle": "judge"}),
    planned=4,
    failed=1,
    items={name: Item(picture="p", amounts={KEY: NOTHING}) for name in ("e1", "e2")},
    builds=[
        build("player", "m", "b1", 3),
        build("player", "m", "b1", 2),
        build("oracle", "judge", "b2", 1),
    ],
    parse_route="read: json 100.0%",
    lines=lambda figures: (),
    compared=(),
)


def test_a_row_names_all_that_was_measured() -> None:
    (row,) = score_rows(TALLY, ON, [FIGURE])
    assert row == ScoreRow(
        run="run",
        release="me/things@v1.0.0",
        release_commit="c0ffee",
        release_digest="d1",
        config="c",
        player="v",
        model="m",
        builds=(build("oracle", "judge", "b2", 1), build("player", "m", "b1", 5)),
        prompt="p1",
        parts=(Part(part="oracle", name="judge"),),
        parse_route="read: json 100.0%",
        metric="turns",
        by="outcome",
        of="verified",
        value=None,
        low=None,
        high=None,
        n=0,
        coverage=2 / 4,
    )


def test_routes_come_with_their_shares() -> None:
    # the most frequent first, then by name; what was never read is not said
    routes = {"read": Counter(b=1, a=1, c=2), "mapped": Counter[str](), "guess": Counter(x=1)}
    assert parse_route(routes) == "read: c 50.0%, a 25.0%, b 25.0%; guess: x 100.0%"
    assert parse_route({}) == ""


def test_the_name_of_a_route_made_elsewhere_cannot_spoil_the_line() -> None:
    route = parse_route({"read": Counter({"\x1b[31m" + "x" * 500: 1})})
    assert route.isprintable()
    assert len(route) < 100


def test_files_hold_the_same_rows() -> None:
    rows = score_rows(TALLY, ON, [FIGURE, replace(FIGURE, value=2.5)])
    made = score_files(rows, {"coverage": 0.5})
    assert list(from_table(pq.read_table(BytesIO(made["scores.parquet"])), ScoreRow)) == rows
    whole = json.loads(made["scores.json"])
    assert whole["coverage"] == 0.5
    assert [row["value"] for row in whole["rows"]] == [None, 2.5]
