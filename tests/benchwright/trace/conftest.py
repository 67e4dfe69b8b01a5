"""A workspace that was released and played in all four kinds, with answers behind its votes."""

import hashlib
import shutil
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from benchwright import store
from benchwright.asking.answers import AnswerStore
from benchwright.asking.replies import Reply
from benchwright.records import (
    Build,
    ChainAnswer,
    DetectorLabel,
    Grounding,
    PlayedResponse,
    Vote,
)
from benchwright.rows import from_table, to_table
from benchwright.workspace import Workspace
from evaluation.releases.release import open_release
from evaluation.running.about import About, PlayedRelease
from stand_ins.chains import chain
from stand_ins.false_premises import false_premises
from stand_ins.whole_workspace import decide_labels, make_release, store_galleries

BUILDS = (Build(part="player", voter="guesser", model="g", build="1", answers=1),)


@pytest.fixture(scope="session")
def played_once(
    tmp_path_factory: pytest.TempPathFactory, whole_once: Workspace, run: Callable[..., Any]
) -> Workspace:
    """The workspace ``whole`` with a run of each kind and an answer behind each vote of one."""
    root = tmp_path_factory.mktemp("traced") / "workspace"
    workspace = Workspace(Path(shutil.copytree(whole_once.root, root)))
    _answered(workspace)
    decide_labels(workspace)
    store_galleries(workspace)
    shutil.rmtree(workspace.releases)
    make_release(workspace)
    things = workspace.releases / "things" / "1.0.0"
    name = "greedy"
    for arguments in (
        (things, "--config", "hidden-target-tau-0.3", "--player", "greedy", "--run", name),
        ("score", name),
    ):
        ran = run("run-benchmark", *arguments, "--workspace", root)
        assert ran.code == 0, ran.err
    _write(workspace, "premises", "false-premise", "responses", PlayedResponse, _responses())
    _write(workspace, "boxes", "candidate-set", "groundings", Grounding, _groundings())
    _write(workspace, "chained", "question-chain", "answers", ChainAnswer, _chain_answers())
    return workspace


@pytest.fixture
def played(played_once: Workspace, tmp_path: Path) -> Workspace:
    """A copy of it that a test may change."""
    return Workspace(Path(shutil.copytree(played_once.root, tmp_path / "played")))


@pytest.fixture
def said(run: Callable[..., Any]) -> Callable[..., list[str]]:
    """Return what the command prints of an id, without the files."""

    def lines(workspace: Workspace, asked: str, *options: str) -> list[str]:
        ran = run("benchwright", "trace", asked, "--workspace", workspace.root, *options)
        assert ran.code == 0, ran.err
        return [" ".join(line.split()) for line in ran.out.splitlines() if "read in" not in line]

    return lines


def key_of(number: int) -> str:
    """Return the key of the answer behind a vote."""
    return hashlib.sha256(str(number).encode()).hexdigest()


def _answered(workspace: Workspace) -> None:
    """Give each vote of the voter one a stored answer, in the place of none."""
    manifest = store.require(workspace.votes, "label-attributes")
    table = store.read_table(workspace.votes, "votes-*.parquet")
    votes = [
        replace(vote, answer_key=key_of(number)) if vote.voter == "one" else vote
        for number, vote in enumerate(from_table(table, Vote), 1)
    ]
    plan = store.Plan(**asdict(manifest.plan))
    with store.writing(workspace.votes, plan, configs={"votes": "votes-*.parquet"}) as out:
        out.shards("votes", to_table(votes, Vote))
    with AnswerStore(workspace.answers) as answers:
        for vote in votes:
            if vote.answer_key is not None:
                reply = Reply(key=vote.answer_key, status="ok", text="Yes.", model="m", build="b1")
                answers.add(reply, '{"prompt": "secret prompt"}', "one")


def _write(
    workspace: Workspace, name: str, config: str, table: str, kind: type[Any], rows: Iterable[Any]
) -> None:
    """Write a run as run-benchmark leaves it."""
    release = open_release(str(workspace.releases / "things" / "1.0.0"))
    plan = store.Plan(
        stage=f"run {name}",
        inputs={"release": release.digest(config)},
        settings={"player": "guesser", "config": config},
        seed=0,
    )
    about = About(
        run=name,
        release=PlayedRelease(name="things/1.0.0", commit=None, place="releases/things/1.0.0"),
        config=config,
        player="guesser",
        parts={"player": "guesser"},
        prompts="0" * 64,
        builds=BUILDS,
    )
    folder = workspace.runs / name
    with store.writing(folder, plan, configs={table: f"{table}-*.parquet"}) as out:
        out.shards(table, to_table(rows, kind))
        out.json("run.json", about.as_json())
        out.counts.update(episodes=1, played=1, failed=0)


def _responses() -> list[PlayedResponse]:
    dialogue = false_premises()[0]
    return [
        PlayedResponse(
            response_id=f"premises/{turn.index}",
            run="premises",
            model="g",
            image_id=dialogue.image_id,
            dialogue_id=dialogue.dialogue_id,
            turn=turn.index,
            premise_class=dialogue.premise_class,
            has_false_premise=turn.has_false_premise,
            question=turn.asked_question,
            true_description=dialogue.true_description,
            false_description=dialogue.false_description,
            response="No.",
            detectors=(DetectorLabel(name="keen", label="yes" if turn.index > 5 else "no"),),
            status="ok",
            builds=BUILDS,
        )
        for turn in dialogue.turns
    ]


def _groundings() -> list[Grounding]:
    """Two boxes at turn 1, one of them right; the right one and no other at turn 2."""
    boxes = {1: ((5.0, 2.0, 4.0, 8.0), (90.0, 90.0, 4.0, 8.0)), 2: ((10.0, 2.0, 4.0, 8.0),)}
    return [
        Grounding(
            run="boxes",
            model="g",
            dialogue_id="v1",
            turn=turn,
            image_id="0" * 16,
            status="ok",
            text="",
            boxes=given,
            chosen=(),
            read_by="json",
            builds=BUILDS,
        )
        for turn, given in boxes.items()
    ]


def _chain_answers() -> list[ChainAnswer]:
    """Planning is right at the first of two steps, following at both, the last answer is not."""
    places = (
        ("planning", 1, 1),
        ("planning", 2, 1),
        ("following", 1, 1),
        ("following", 2, 0),
        ("final", 3, 0),
    )
    return [
        ChainAnswer(
            run="chained",
            model="g",
            chain_id=chain().chain_id,
            image_id="0" * 16,
            mode=mode,  # type: ignore[arg-type]
            step=step,
            rotation=0,
            order=(0, 1, 2),
            status="ok",
            text="",
            pick=pick,
            read_by="letter",
            builds=BUILDS,
        )
        for mode, step, pick in places
    ]
