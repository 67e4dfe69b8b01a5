"""Another draft, written by a model behind a real server, in the App's own operator."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from benchwright.asking.voters import Voter
from benchwright.errors import UsageError, WorkspaceError
from benchwright.workspace import Workspace
from labeling.audits.tasks.false_premise import KIND
from labeling.audits.tasks.task import AuditSettings
from labeling.dialogues.false_premise.redrafting import redraft
from stand_ins.false_premises import false_premise, store_false_premises
from stand_ins.models import Model, Question, Script, ScriptedServer, Turn

Asked = list[Question]
Serve = Callable[..., tuple[Voter, Asked]]


@pytest.fixture
def coco(run: Any, tmp_path: Path) -> Workspace:
    """The pictures that the drafts are about, and the drafts."""
    data = Path("tests/data/coco")
    root = tmp_path / "coco"
    instances = data / "annotations" / "instances_val2017.json"
    ran = run("build-catalog", "coco", instances, "--images", data / "val2017", "--workspace", root)
    assert ran.code == 0, ran.err
    store_false_premises(Workspace(root))
    return Workspace(root)


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as stack:

        def start(*replies: str) -> tuple[Voter, Asked]:
            asked: Asked = []

            def brain(question: Question) -> Turn:
                asked.append(question)
                return Turn(text=replies[min(len(asked), len(replies)) - 1])

            script = Script(models=[Model(name="writer")])
            server = stack.enter_context(ScriptedServer(script, brain=brain))
            return Voter(name="writer", model="writer", base_url=server.base_url), asked

        yield start


def reply(text: str) -> str:
    return json.dumps({"false_description": text})


def text_of(question: Question) -> str:
    parts = question.messages[0]["content"]
    return " ".join(part["text"] for part in parts if part["type"] == "text")


def test_a_model_is_shown_the_framed_picture_and_what_was_tried(
    coco: Workspace, serve: Serve
) -> None:
    voter, asked = serve(reply("the  brown dog on the blue carpet "))
    record = false_premise("dog")
    made = redraft(coco, record, voter, ["the grey dog on the blue carpet"])
    assert made == "the brown dog on the blue carpet"
    said = text_of(asked[0])
    for text in (record.true_description, record.false_description, "the grey dog"):
        assert text in said
    kinds = [part["type"] for part in asked[0].messages[0]["content"]]
    assert kinds.count("image_url") == 1


def test_the_same_draft_is_not_bought_twice_and_another_one_is_asked_for(
    coco: Workspace, serve: Serve
) -> None:
    voter, asked = serve(reply("one"), reply("two"))
    record = false_premise("dog")
    assert [redraft(coco, record, voter, []) for _ in range(2)] == ["one", "one"]
    assert len(asked) == 1
    assert redraft(coco, record, voter, ["one"]) == "two"
    assert len(asked) == 2


def test_no_json_is_asked_for_again_once_and_then_said_in_one_line(
    coco: Workspace, serve: Serve
) -> None:
    voter, asked = serve("I would rather not")
    with pytest.raises(WorkspaceError, match=r"^writer sent no draft for fp-dog .*ask again"):
        redraft(coco, false_premise("dog"), voter, [])
    assert len(asked) == 2


def test_a_picture_that_is_not_in_the_catalog_is_named(coco: Workspace, serve: Serve) -> None:
    voter, _ = serve(reply("never"))
    record = false_premise("dog", image_id="0" * 16)
    with pytest.raises(WorkspaceError, match="has no picture 0000000000000000 of dialogue fp-dog"):
        redraft(coco, record, voter, [])


def test_the_audit_looks_its_draft_up_by_id(coco: Workspace, serve: Serve) -> None:
    voter, _ = serve(reply("the brown dog on the blue carpet"))
    tasks = {task.task_id: task for task in KIND.tasks(coco, AuditSettings())}
    made = KIND.redraft(coco, tasks["fp-dog"].shown, voter, ())
    assert made == {"false_description": "the brown dog on the blue carpet"}
    with pytest.raises(UsageError, match="gone is no draft any more"):
        KIND.redraft(coco, {"dialogue_id": "gone"}, voter, ())


def test_the_key_of_the_model_is_in_no_file(
    coco: Workspace, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    voter, _ = serve(reply("one"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    redraft(coco, false_premise("dog"), voter, [])
    held = [path.read_bytes() for path in coco.root.rglob("*") if path.is_file()]
    assert not [data for data in held if b"sk-very-secret" in data]
