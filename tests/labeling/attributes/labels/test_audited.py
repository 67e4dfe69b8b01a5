"""labels.parquet heeds what people decided, and keeps what votes and catalog said."""

import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.decisions.cells import Cell
from benchwright.decisions.fields import label_field
from benchwright.decisions.journal import append_decisions, journal_path
from benchwright.records import Decision, Label
from benchwright.rows import from_table
from benchwright.workspace import Workspace
from labeling.attributes.calibrating.calibrate import calibrate_voters
from labeling.attributes.labels.audited import unaudited_labels
from labeling.attributes.labels.decide import DecideSettings, decide, read_votes
from labeling.attributes.labels.methods import METHODS
from labeling.attributes.labels.normalise import normalise
from labeling.attributes.labels.writing import UNAUDITED
from labeling.attributes.measuring.stored_labels import stored_labels
from stand_ins.auditors import decision
from stand_ins.models import ErrorRate, Model, ScriptedServer

CLOTHS, TRIMS = ("crimson", "gold", "navy", "teal"), ("bow", "lace", "pleats")
CELLS = (*(("cloth", name) for name in CLOTHS), *(("trim", name) for name in TRIMS))
WRONG = {"good": 0.2, "bad": 0.4, "odd": 0.4}
DECIDED = ("answer", "origin", "auditor")


@pytest.fixture(scope="module")
def voted(_coded: Path, tmp_path_factory: pytest.TempPathFactory, kit: Any, run: Any) -> Workspace:
    """A workspace with votes that often differ; everything was asked."""
    root = Path(shutil.copytree(_coded, tmp_path_factory.mktemp("audited") / "w"))
    models = [
        Model(name=name, errors=(ErrorRate(on_yes=share, on_no=share),), hedge=0.1)
        for name, share in WRONG.items()
    ]
    with ScriptedServer(kit.script(*models)) as server:
        said = {
            "views": {"whole": {}},
            "full": 1,
            "templates": 2,
            "voters": [kit.model(server, name) for name in WRONG],
        }
        (root / "e.yaml").write_text(yaml.safe_dump(said), "utf-8")
        ran = run(
            *("label-attributes", "ask", "--ensemble", root / "e.yaml", "--noun", "garment"),
            *("--no-probe", "--workspace", root),
        )
    assert ran.code == 0, ran.err
    return Workspace(root)


def labels_of(workspace: Workspace, name: str = "labels.parquet") -> dict[Cell, Label]:
    rows = from_table(pq.read_table(workspace.labels / name), Label)
    return {(row.image_id, row.object_id, row.type, row.value): row for row in rows}


def hold(workspace: Workspace, decisions: Iterable[Decision]) -> None:
    """Put decisions in the place of all that stand."""
    journal_path(workspace).unlink(missing_ok=True)
    append_decisions(workspace, decisions)


def on(image_id: str, type_name: str, value: str, after: str | None, **more: Any) -> Decision:
    field = label_field(type_name, value)
    return decision(after=after, image_id=image_id, field=field, **more)


def by_votes(workspace: Workspace) -> dict[Cell, tuple[str, Fraction]]:
    """Return label and score of each value by itself (definition 8), counted vote by vote."""
    ballots = read_votes(workspace).ballots
    found: dict[Cell, tuple[str, Fraction]] = {}
    for cell in range(len(ballots)):
        said = Counter(ballots.answers[:, cell].tolist())
        yes, no = said[1], said[2]
        score = Fraction(yes, yes + no) if yes + no else Fraction(1, 2)
        label = "unsure" if yes == no else "yes" if yes > no else "no"
        image_id = ballots.image_ids[int(ballots.subjects[cell])].as_py()
        value = ballots.values[ballots.columns[cell]]
        found[(image_id, None, value.type, value.value)] = (label, score)
    return found


def by_definition(
    alone: dict[Cell, tuple[str, Fraction]], held: dict[Cell, str]
) -> dict[Cell, str]:
    """Return the labels when people hold these answers, value by value, as docs/labels.md says."""
    labels = {cell: label for cell, (label, _) in alone.items()}
    for image_id in {cell[0] for cell in alone}:
        cloths: list[Cell] = [(image_id, None, "cloth", name) for name in CLOTHS]
        yes = [cell for cell in cloths if held.get(cell) == "yes"]
        if len(yes) > 1:  # a contradiction
            held = {cell: said for cell, said in held.items() if cell not in yes}
        runners = [cell for cell in cloths if held.get(cell) != "no"]
        best = [cell for cell in runners if alone[cell][0] == "yes"]
        if best:
            winner = max(best, key=lambda cell: (alone[cell][1], -CLOTHS.index(cell[3])))
            labels |= {cell: "yes" if cell == winner else "no" for cell in cloths}
        if len(yes) == 1:
            labels |= {cell: "yes" if cell == yes[0] else "no" for cell in cloths}
    return labels | {cell: said for cell, said in held.items() if cell in labels}


def held_by(decisions: Sequence[Decision]) -> dict[Cell, str]:
    """Return what most auditors hold, each by the latest decision; without undecided cells."""
    latest: dict[tuple[str, str], dict[str, Decision]] = defaultdict(dict)
    for each in sorted(decisions, key=lambda one: one.at):
        latest[(each.image_id or "", each.field)][each.auditor] = each
    found: dict[Cell, str] = {}
    for (image_id, field), by_auditor in latest.items():
        kind, value = field.split("/")
        standing = [one for one in by_auditor.values() if one.verdict != "withdrawn"]
        yes = sum(one.after == "yes" for one in standing)
        no = sum(one.after == "no" for one in standing)
        if standing and (yes != no or yes + no == 0):
            answer = "unsure" if yes + no == 0 else "yes" if yes > no else "no"
            found[(image_id, None, kind, value)] = answer
    return found


JUDGEMENTS = st.lists(
    st.tuples(
        st.integers(0, 2),  # few pictures, so that decisions meet
        st.sampled_from(CELLS),
        st.sampled_from(["ana", "bo", "cy"]),
        st.sampled_from(["yes", "yes", "no", "no", None, "withdrawn"]),
    ),
    max_size=24,
)


@settings(max_examples=60)
@given(judged=JUDGEMENTS, seed=st.randoms())
def test_labels_are_those_of_the_definition(voted: Workspace, judged: Any, seed: Any) -> None:
    hold(voted, ())
    decide(voted, DecideSettings())
    plain = labels_of(voted)
    pictures = sorted({cell[0] for cell in plain})
    decisions = [
        on(
            pictures[number],
            cell[0],
            cell[1],
            None if said == "withdrawn" else said,
            auditor=auditor,
            at=f"2026-03-01T12:{minute:02d}:00+00:00",
            **({"verdict": "withdrawn"} if said == "withdrawn" else {}),
        )
        for minute, (number, cell, auditor, said) in enumerate(judged)
    ]
    hold(voted, decisions)
    decide(voted, DecideSettings())
    found = labels_of(voted)
    held = held_by(decisions)
    assert {cell: row.answer for cell, row in found.items()} == by_definition(by_votes(voted), held)
    yes = Counter(
        cell[0] for cell, row in found.items() if (cell[2], row.answer) == ("cloth", "yes")
    )
    assert max(yes.values(), default=0) <= 1
    for cell, row in found.items():  # the figures of the votes stay
        assert (row.score, row.margin, row.votes_counted, row.votes_saved) == (
            (was := plain[cell]).score,
            was.margin,
            was.votes_counted,
            was.votes_saved,
        )
        assert (row.origin == "audited") is (row.auditor is not None)
    kept = unaudited_labels(voted).to_pylist()
    assert kept == from_rows(plain)
    data = (voted.labels / "labels.parquet").read_bytes()
    seed.shuffle(decisions)
    hold(voted, decisions)
    decide(voted, DecideSettings(), force=True)
    assert (voted.labels / "labels.parquet").read_bytes() == data


def from_rows(plain: dict[Cell, Label]) -> list[dict[str, Any]]:
    return [{name: getattr(row, name) for name in row.__slots__} for row in plain.values()]


@pytest.mark.parametrize("method", METHODS)
def test_a_winner_that_people_say_no_to_leaves_its_type_to_the_others(
    voted: Workspace, method: Any
) -> None:
    hold(voted, ())
    calibrate_voters(voted, "catalog")
    by = DecideSettings(method=method, weights=voted.weights if method == "log-odds" else None)
    decide(voted, by)
    plain = labels_of(voted)
    image_id, winner, runner_up = next(
        (cell[0], cell[3], others[0])
        for cell, row in sorted(plain.items())
        if row.type == "cloth" and row.answer == "yes"
        for others in [
            [n for n in CLOTHS if n != cell[3] and (plain[(*cell[:3], n)].score or 0) > 0.5]
        ]
        if len(others) == 1
    )
    hold(voted, [on(image_id, "cloth", winner, "no")])
    decide(voted, by)
    found = labels_of(voted)
    said = {name: found[(image_id, None, "cloth", name)] for name in CLOTHS}
    assert (said[winner].answer, said[winner].origin, said[winner].auditor) == (
        *("no", "audited", "ana"),
    )
    assert (said[runner_up].answer, said[runner_up].origin) == ("yes", "voted")
    assert sum(row.answer == "yes" for row in said.values()) == 1
    changed = {cell for cell, row in found.items() if row != plain[cell]}
    assert changed == {(image_id, None, "cloth", name) for name in (winner, runner_up)}


def test_the_manifest_says_what_people_changed_and_who_decides_again_does_nothing(
    voted: Workspace, verify: Any
) -> None:
    (one, two, three, four) = sorted({cell[0] for cell in by_votes(voted)})[:4]
    hold(
        voted,
        [
            on(one, "cloth", "navy", "yes"),  # and no to three others
            on(two, "trim", "bow", None),
            on(three, "trim", "bow", "yes"),
            on(three, "trim", "bow", "no", auditor="bo"),
            on(four, "cloth", "navy", "yes"),
            on(four, "cloth", "gold", "yes", auditor="bo"),
            on(four, "cloth", "puce", "yes"),
        ],
    )
    decided, done_before = decide(voted, DecideSettings())
    assert not done_before
    counts = decided.manifest.counts
    assert (counts["audited"], counts["undecided"], counts["contradictions"]) == (5, 1, 2)
    assert decided.manifest.reasons == {"decisions_not_in_vocabulary": 1}
    assert len(decided.rulings.contradictions) == 2
    verify(voted.root)
    assert decide(voted, DecideSettings())[1]
    # what is measured of the votes is as they have it
    measured = stored_labels(voted, read_votes(voted))
    assert (measured.answer == decided.outcome.answer).all()
    kept = labels_of(voted, UNAUDITED)
    assert {cell[0] for cell in kept} == {one, two}
    hold(voted, ())  # everything was withdrawn: nothing is left of it
    decided, done_before = decide(voted, DecideSettings())
    assert not done_before
    assert "decisions" not in decided.manifest.plan.inputs
    assert not (voted.labels / UNAUDITED).exists()
    assert {row.origin for row in labels_of(voted).values()} == {"voted"}


def test_what_people_decided_needs_no_more_votes(shop: Any, kit: Any, serve: Any) -> None:
    """Votes that stopped at a sure winner leave the others open, once it is taken out."""
    server = serve(kit.script(*(Model(name=name) for name in WRONG)))
    shop.ask(shop.ensemble(*(kit.model(server, name) for name in WRONG), templates=2))
    workspace = shop.workspace
    settled, _ = decide(workspace, DecideSettings())
    assert not len(settled.unsettled.cells)
    plain = labels_of(workspace)
    image_id, winner = next(
        (cell[0], cell[3]) for cell, row in plain.items() if row.answer == "yes"
    )
    other = next(name for name in CLOTHS if name != winner)
    append_decisions(workspace, [on(image_id, "cloth", winner, "no")])
    opened, _ = decide(workspace, DecideSettings())
    names = {opened.ballots.name(cell) for cell in opened.unsettled.cells.tolist()}
    assert names <= {f"{image_id} cloth: {name}" for name in CLOTHS if name != winner}
    assert names
    assert opened.manifest.counts["unsettled"] == len(names)
    append_decisions(workspace, [on(image_id, "cloth", other, "yes")])
    assert not len(decide(workspace, DecideSettings())[0].unsettled.cells)


def test_what_the_catalog_states_comes_back_when_people_say_no_to_the_votes(
    shop: Any, kit: Any, serve: Any
) -> None:
    """A value that came after the votes gives way to what they said yes to, while that stands."""
    workspace, whole = shop.workspace, shop.workspace.vocabulary.read_text("utf-8")
    said = yaml.safe_load(whole)
    del said["types"]["cloth"]["values"]["navy"]
    workspace.vocabulary.write_text(yaml.safe_dump(said, sort_keys=False), "utf-8")
    errors = (ErrorRate(type="cloth", on_yes=1.0, on_no=1.0),)
    shop.ask(shop.ensemble(kit.model(serve(kit.script(Model(name="m", errors=errors))))))
    workspace.vocabulary.write_text(whole, "utf-8")
    navy = next(
        cell for cell, answer in shop.right().items() if (cell[3], answer) == ("navy", "yes")
    )
    decide(workspace, DecideSettings())
    assert navy not in labels_of(workspace)  # ruled out by crimson, gold or teal
    append_decisions(
        workspace, [on(navy[0], "cloth", name, "no") for name in CLOTHS if name != "navy"]
    )
    decide(workspace, DecideSettings())
    assert (labels_of(workspace)[navy].answer, labels_of(workspace)[navy].origin) == (
        *("yes", "catalog"),
    )


def test_labels_of_the_catalog_heed_decisions_through_the_same_function(shop: Any) -> None:
    workspace = shop.workspace
    normalise(workspace)
    plain = labels_of(workspace)
    (one, two) = sorted({cell[0] for cell in plain})[:2]
    own = next(cell[3] for cell in plain if cell[:3] == (one, None, "cloth"))
    other = next(name for name in CLOTHS if name != own)
    absent = next(name for name in TRIMS if (two, None, "trim", name) not in plain)
    append_decisions(
        workspace,
        [
            on(one, "cloth", other, "yes"),  # nobody stated it, so it has no row yet
            on(two, "trim", absent, None, auditor="bo"),
            on(two, "trim", absent, "no", object_id="7"),
        ],
    )
    result = normalise(workspace)
    assert not result.done_before
    found = labels_of(workspace)
    said = {
        (cell[0], cell[1], cell[3]): tuple(getattr(row, name) for name in DECIDED)
        for cell, row in found.items()
        if row.origin != "catalog"
    }
    assert said == {
        (one, None, own): ("no", "audited", "ana"),
        (one, None, other): ("yes", "audited", "ana"),
        (two, None, absent): ("unsure", "audited", "bo"),
        (two, "7", absent): ("no", "audited", "ana"),
    }
    row = found[(one, None, "cloth", other)]
    assert (row.score, row.margin, row.votes_counted, row.votes_saved) == (None, None, 0, 0)
    assert list(found) == sorted(found, key=lambda cell: (cell[0], cell[1] or "", *cell[2:]))
    assert unaudited_labels(workspace).to_pylist() == from_rows(plain)
    assert normalise(workspace).done_before
    assert result.manifest.counts["audited"] == 4
