"""Every id leads from the score to the source row; what lacks or changed on the way is said."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchwright import store
from benchwright.decisions.journal import append_decisions
from benchwright.trace.trace import trace
from benchwright.workspace import Workspace
from labeling.attributes.labels.decide import DecideSettings, decide
from stand_ins.whole_workspace import pictures_of, ruled

Said = Callable[..., list[str]]
KEY = hashlib.sha256(b"1").hexdigest()  # of the answer behind the first vote
WHOLE = "whole: followed back to the source, every file as it was recorded"


def episode_of(workspace: Workspace, source_id: str) -> dict[str, Any]:
    """Return the episode whose target the source calls so."""
    (image_id,) = (one.image_id for one in pictures_of(workspace) if one.source_id == source_id)
    rows = pq.read_table(workspace.galleries / "tau-0.3" / "episodes.parquet").to_pylist()
    return next(row for row in rows if row["target_id"] == image_id)


def test_an_episode_is_followed_from_the_score_to_the_row(
    played_once: Workspace, said: Said
) -> None:
    episode = episode_of(played_once, "p17")
    trajectories = pq.read_table(played_once.runs / "greedy" / "trajectories-00000.parquet")
    (row,) = (one for one in trajectories.to_pylist() if one["episode_id"] == episode["episode_id"])
    left = len(row["turns"][-1]["feasible"])
    lines = said(played_once, episode["episode_id"])
    shown = len(episode["image_ids"])
    assert lines[:2] == [f"hidden-target:{episode['episode_id']}", "score greedy in greedy"]
    assert lines[2].startswith("overall 0.472, verified 0.083, ")
    assert lines[3:7] == [
        f"answer guessed picture {row['guess']} after {len(row['turns'])} turns, 0 skips;"
        f" the target is {episode['target_index']}: random guess",
        f"{left} of {shown} pictures were left",
        lines[5],
        lines[6],
    ]
    assert lines[5].startswith("release things 1.0.0: 1 row of hidden-target-tau-0.3, content ")
    assert lines[6] == (
        f"record episode {episode['episode_id']} at τ 0.3: {shown} pictures, pool of"
        f" {episode['pool_size']}, can be solved"
    )
    tail = lines[lines.index(f"picture {episode['target_id']}, 24 x 32: table p17") :]
    assert tail[1].startswith("catalog/images/")
    assert tail[2:] == [
        "title The teal square one",
        "labels 10 labels: 7 no, 3 yes; 10 voted",
        "yes: cloth teal, shape square, trim lace",
        "votes 30 votes of 3 voters",
        "one, template 1, whole: 7 no, 3 yes",
        "three, template 1, whole: 7 no, 3 yes",
        "two, template 1, whole: 7 no, 3 yes",
        tail[9],
        "source table p17, found by its column id, in things.csv (sha256 "
        + _table_digest(played_once)
        + "…)",
        WHOLE,
    ]
    assert tail[9].startswith("answers one: 10 ok; keys ")
    assert tail[9].endswith("… and 7 more")


def _table_digest(workspace: Workspace) -> str:
    manifest = json.loads((workspace.catalog / "manifest.json").read_text("utf-8"))
    return str(manifest["plan"]["inputs"]["things.csv"])[:8]


# an id, and lines that its way holds, in this order
WAYS: dict[str, tuple[str, ...]] = {
    # five of seven false premises come after turn 5; the true ones are the first three
    "fp-dog": (
        "run guesser in premises",
        "not scored yet; 1 of 1 played",
        "answer 7 false premises answered; corrected: keen reads 5",
        "3 true premises answered; corrected: keen reads 0",
        "answered by player guesser",
        "record false-premise:fp-dog stands",
        "draft dialogues/false-premise/drafts: 1 row by m",
        "ana confirmed dialogue: a2968880fc43a0ba",
        "source table p28, found by its column id, in things.csv (sha256 {digest}…)",
    ),
    # one response of it: turn 6 has a false premise, and was read as a correction
    "premises/6": (
        "answer 1 false premise answered; corrected: keen reads 1",
        "record false-premise:fp-dog stands",
    ),
    # precision 1/2, recall 1/2 at the first turn; all right at the second
    "v1": (
        "answer turn 1: 2 boxes by json, 2 plausible; F1 0.50",
        "turn 2: 1 box by json, 1 plausible; F1 1.00",
        "record candidate-set:v1 stands",
        "turn 1: 2 of 3 boxes plausible",
        "turn 2: 1 of 3 boxes plausible",
        'ana corrected candidates of v1/1: ["1", "2"]',
    ),
    # as decisions name a turn
    "v1/2": (
        "answer turn 2: 1 box by json, 1 plausible; F1 1.00",
        "record candidate-set:v1/2 stands",
        "turn 2: 1 of 3 boxes plausible",
        'ana corrected candidates: ["2"]',
    ),
    "c1": (
        "answer planning 1 of 2 right, following 2 of 2 right, final 0 of 1 right",
        "record question-chain:c1 stands",
        "3 steps to: Who is to blame for the crash?",
        "cy confirmed round-2: valid",
    ),
    # the picture of the source's row p28, whose label a person corrected
    "p28": (
        "false-premise: fp-dog",
        "question-chain: c1",
        "in releases/things/1.0.0",
        "picture {p28}, 24 x 32: table p28",
        "labels 10 labels: 7 no, 3 yes; 3 audited, 7 voted",
        "audited: trim bow is yes, trim lace is no, trim plain is no",
        "ana corrected trim/bow: yes",
    ),
    # the same by the beginning of its image id
    "{prefix}": ("picture {p28}, 24 x 32: table p28",),
    "picture:{p28}": ("picture {p28}, 24 x 32: table p28",),
    # the first vote of the first picture, by the key of its answer
    KEY: (
        "votes 1 vote of 1 voter",
        "answers one: 1 ok; keys 6b86b273ff34…",
        "picture {p28}, 24 x 32: table p28",
    ),
    "things/1.0.0": ("source in things.csv (sha256 {digest}…)",),
    "greedy": ("score greedy in greedy", "source in things.csv (sha256 {digest}…)"),
    "runs/boxes": ("run guesser in boxes", "source in things.csv (sha256 {digest}…)"),
}


@pytest.mark.parametrize("asked", WAYS)
def test_each_kind_of_id_is_followed_to_the_source(
    asked: str, played_once: Workspace, said: Said
) -> None:
    (p28,) = (one.image_id for one in pictures_of(played_once) if one.source_id == "p28")
    named = {"digest": _table_digest(played_once), "p28": p28, "prefix": p28[:6]}
    lines = iter(said(played_once, asked.format(**named)))
    for wanted in WAYS[asked]:
        assert wanted.format(**named) in lines, wanted  # consumes the lines before it
    assert [*lines][-1:] in ([WHOLE], [])


def test_an_audited_gallery_is_found_as_decisions_name_it(
    played_once: Workspace, said: Said
) -> None:
    name = episode_of(played_once, "p17")["episode_id"]
    assert said(played_once, f"tau-0.3/{name}") == said(played_once, name)


def test_a_row_that_was_left_out_says_why(dresses: Path, said: Said) -> None:
    rejects = pq.read_table(dresses / "catalog" / "rejects.parquet").to_pylist()
    first = rejects[0]
    lines = said(Workspace(dresses), f"reject:{first['source_id']}")
    same = [one for one in rejects if one["source_id"] == first["source_id"]]
    assert lines[1].startswith(
        f"reject picture {first['source_id']} of table, left out: {first['reason']} ("
    )
    assert lines[2] == f"it stands in {first['path']}, row {first['row']}"
    assert sum(line.startswith("reject ") for line in lines) == len(same)
    assert lines[-2].startswith(f"source table {first['source_id']}, found by its column ")
    assert lines[-1] == WHOLE


def test_what_changed_since_is_said(played: Workspace, said: Said) -> None:
    name = episode_of(played, "p17")["episode_id"]
    (first,) = (one for one in pictures_of(played) if one.source_id == "p17")
    append_decisions(played, [ruled(first, "trim", "bow", "yes", auditor="bo")])
    decide(played, DecideSettings())
    lines = said(played, name)
    assert "! stale: labels changed since" in lines  # of the release and of the gallery
    assert "bo corrected trim/bow: yes" in lines
    assert lines[-1] == ("not whole: 2 steps no longer fit; benchwright status says what is stale")


def test_a_file_that_is_not_as_recorded_is_named(
    played: Workspace, run: Callable[..., Any]
) -> None:
    shard = played.votes / "votes-00000.parquet"
    pq.write_table(pq.read_table(shard), shard)  # the same rows in other bytes
    ran = run("benchwright", "trace", "p17", "--workspace", played.root)
    assert "read in labels/votes/votes-00000.parquet, CHANGED since" in ran.out
    assert ran.out.splitlines()[-1].startswith("not whole: 1 step no longer fit")


@pytest.mark.parametrize(
    ("change", "said_of_it"),
    [
        (Path.unlink, "its picture is gone"),
        # of the same size, so that nothing but the bytes can tell
        (lambda path: path.write_bytes(bytes(path.stat().st_size)), "its picture is another one"),
    ],
)
def test_a_picture_that_is_not_as_recorded_is_told(
    played: Workspace, said: Said, change: Callable[[Path], Any], said_of_it: str
) -> None:
    (first,) = (one for one in pictures_of(played) if one.source_id == "p17")
    assert first.image is not None
    change(played.images / first.image)
    lines = said(played, "p17")
    assert f"! {said_of_it}" in lines
    assert lines[-1].startswith("not whole: 1 step no longer fit")


def test_rows_that_are_not_those_that_were_played_are_told(played: Workspace, said: Said) -> None:
    path = played.runs / "chained" / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["plan"]["inputs"]["release"] = "0" * 64
    path.write_text(json.dumps(manifest), "utf-8")
    assert "! its rows are not those that the run played" in said(played, "c1")


def test_a_run_elsewhere_ends_at_its_release_and_goes_on_where_that_is_named(
    played: Workspace, tmp_path: Path, said: Said
) -> None:
    alone = Workspace(tmp_path / "alone")
    shutil.copytree(played.runs, alone.runs)
    lines = said(alone, "c1")
    end = (
        "end the way ends here: things/1.0.0 (releases/things/1.0.0) is not in this workspace;"
        " name its folder by --release"
    )
    assert end in lines
    assert lines[-1] == "not whole: no step leads on to a source"
    release = str(played.releases / "things" / "1.0.0")
    told = said(alone, "c1", "--release", release)
    assert "answer planning 1 of 2 right, following 2 of 2 right, final 0 of 1 right" in told
    assert any(line.endswith(": table p28") for line in told)  # as the release tells of it
    assert "end the way ends here: the catalog is that of another workspace" in told


# where the command is run from in the workspace, and how a release of it is spelled there
SPELLINGS = [
    (".", "releases/things/1.0.0"),
    (".", "{root}/releases/things/1.0.0"),
    ("releases/things/1.0.0", "."),
    ("releases/things", "../things/1.0.0"),
]


@pytest.mark.parametrize(("here", "spelled"), SPELLINGS)
def test_a_release_of_the_workspace_is_known_however_it_is_spelled(
    here: str,
    spelled: str,
    played: Workspace,
    run: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (first,) = (one for one in pictures_of(played) if one.source_id == "p17")
    append_decisions(played, [ruled(first, "trim", "bow", "yes", auditor="bo")])
    decide(played, DecideSettings())
    monkeypatch.chdir(played.root / here)
    root, folder = os.path.relpath(played.root), spelled.format(root=played.root)
    ran = run("benchwright", "trace", "c1", "--release", folder, "--workspace", root)
    lines = [line.strip() for line in ran.out.splitlines()]
    assert "read in releases/things/1.0.0/release.lock.json" in lines
    at = lines.index("read in releases/things/1.0.0/release.lock.json")
    assert lines[at + 1] == "! stale: labels changed since"


def test_one_run_of_several_can_be_chosen(played: Workspace, said: Said, run: Any) -> None:
    shutil.copytree(played.runs / "chained", played.runs / "again")
    assert [line for line in said(played, "c1") if line.startswith("run ")] == [
        "run guesser in again",
        "run guesser in chained",
    ]
    chosen = said(played, "c1", "--run", "again")
    assert [line for line in chosen if line.startswith("run ")] == ["run guesser in again"]
    ran = run("benchwright", "trace", "c1", "--run", "none", "--workspace", played.root)
    assert ran.err == (
        "error: --run none: no such run; there are: again, boxes, chained, greedy, premises\n"
    )


# an id that names nothing, and what is said of it; 117 ids are there
UNKNOWN: dict[str, str] = {
    "p2888": "p2888: no id of {ids} in catalog, dialogues, galleries, releases, runs,"
    " answers.sqlite; near it: p28",
    "": ": no id of {ids} in catalog, dialogues, galleries, releases, runs, answers.sqlite, whole"
    " or by 6 letters or more",
    # nobody steers a terminal
    "\x1b[31m\n~~~~": "[31m ~~~~: no id of {ids} in catalog, dialogues, galleries, releases, runs,"
    " answers.sqlite, whole or by 6 letters or more",
    "../../etc/passwd": "../../etc/passwd: no id of {ids} in catalog, dialogues, galleries,"
    " releases, runs, answers.sqlite, whole or by 6 letters or more",
    # too short to stand for anything
    "00000": "00000: no id of {ids} in catalog, dialogues, galleries, releases, runs,"
    " answers.sqlite, whole or by 6 letters or more",
    # of another kind
    "reject:p28": "reject:p28: no id of {ids} in catalog, dialogues, galleries, releases, runs,"
    " answers.sqlite; near it: ",
    "v1/9": "v1/9: no id of",
}


@pytest.mark.parametrize("asked", UNKNOWN)
def test_an_unknown_id_is_one_line_with_what_is_near(
    asked: str, played_once: Workspace, run: Callable[..., Any]
) -> None:
    ran = run("benchwright", "trace", "--workspace", played_once.root, "--", asked)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.count("\n") == 1
    said = ran.err.removeprefix("error: ").strip()
    ids = said.partition("no id of ")[2].partition(" ")[0]
    assert int(ids) > 100
    assert said.startswith(UNKNOWN[asked].format(ids=ids).strip())


def test_an_id_of_several_things_lists_them(
    played: Workspace, run: Callable[..., Any], said: Said
) -> None:
    shutil.copytree(played.runs / "chained", played.runs / "c1")
    ran = run("benchwright", "trace", "c1", "--workspace", played.root)
    assert ran.err == "error: c1: names 2 things; trace question-chain:c1, run:c1\n"
    assert said(played, "run:c1")[1] == "run guesser in c1"


def test_nothing_of_what_models_were_told_is_printed(
    played_once: Workspace, run: Callable[..., Any]
) -> None:
    ran = run("benchwright", "trace", KEY, "--json", "--workspace", played_once.root)
    assert ran.code == 0
    assert "secret prompt" not in ran.out
    assert "Yes." not in ran.out


def test_an_empty_workspace_says_so(tmp_path: Path, run: Callable[..., Any]) -> None:
    ran = run("benchwright", "trace", "x", "--workspace", tmp_path)
    assert ran.err == f"error: x: nothing to trace in {tmp_path}; name a workspace by --workspace\n"


@pytest.mark.parametrize("asked", ["fp-dog", "v1/2", "p17", "greedy", KEY])
def test_json_holds_the_same_way(
    asked: str, played_once: Workspace, run: Callable[..., Any]
) -> None:
    ran = run("benchwright", "trace", asked, "--json", "--workspace", played_once.root)
    told = json.loads(ran.out)
    way = trace(played_once, asked)
    assert told == json.loads(json.dumps(way.as_json()))
    keys = [node["key"] for node in told["nodes"]]
    assert len(set(keys)) == len(keys)
    assert {end for edge in told["edges"] for end in edge.values()} <= set(keys)
    assert told["is_whole"]
    earlier = {edge["earlier"] for edge in told["edges"]}
    sources = {node["key"] for node in told["nodes"] if node["step"] == "source"}
    assert sources <= earlier  # each is what something was made of


def test_a_step_of_drafting_may_have_tables_of_other_things(played: Workspace, said: Said) -> None:
    folder = played.root / "dialogues" / "false-premise" / "plan"
    plan = store.Plan(stage="dialogues/false-premise/plan", inputs={}, settings={})
    with store.writing(folder, plan, configs={"plan": "plan.parquet"}) as out:
        out.table("plan", pa.table({"dialogue_id": ["fp-dog", "fp-cat"]}))
        out.table("cells", pa.table({"category": ["animal"]}))
    lines = said(played, "fp-dog")
    assert "draft dialogues/false-premise/plan: 1 row" in lines
    assert lines[-1] == WHOLE


def test_a_file_that_is_gone_is_one_line(played: Workspace, run: Callable[..., Any]) -> None:
    (played.labels / "labels.parquet").unlink()
    ran = run("benchwright", "trace", "p17", "--workspace", played.root)
    assert ran.code == 1
    assert ran.err.startswith(f"error: {played.labels / 'labels.parquet'}: is missing; ")
