"""Operators as a screen calls them: a real mongod, without FiftyOne."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from benchwright.workspace import Workspace

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NO SCREEN WAS ANSWERED")

from labeling.audits.app.operators import OPERATORS, run
from labeling.audits.app.stored import TASKS

SHOWN = {
    "question": "Is the dress red?",
    "type": "colour",
    "others": [{"key": "1", "value": "blue"}],
}


class Screen:
    """A screen of an audit of three tasks, for one auditor."""

    def __init__(self, audit: Any, monkeypatch: pytest.MonkeyPatch, workspace: Workspace) -> None:
        self.audit = audit
        self.view: list[dict[str, Any]] = []
        self._patch = monkeypatch
        monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(workspace.root))
        monkeypatch.setenv("BENCHWRIGHT_DATASET", audit.name)
        self.sit("ana")

    def sit(self, auditor: str) -> None:
        """Let another auditor sit down."""
        self._patch.setenv("BENCHWRIGHT_AUDITOR", auditor)

    def ask(self, operator: str, **params: Any) -> dict[str, Any]:
        """Return what an operator answers, which is JSON."""
        answer = run(operator, self.audit.database, self.audit.name, params, self.view)
        return json.loads(json.dumps(dict(answer)))

    def samples(self) -> list[str]:
        """Return the ids of the samples in the order of judging."""
        return [str(each["_id"]) for each in self.audit.samples.find(sort=[("rank", 1)])]

    def held(self, sample: str) -> dict[str, Any]:
        """Return what the database holds of a sample."""
        return next(each for each in self.audit.samples.find() if str(each["_id"]) == sample)


@pytest.fixture
def screen(
    filled: Callable[..., Any],
    app_kit: Any,
    audit_workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
) -> Screen:
    tasks = [app_kit.task(number, shown=SHOWN) for number in range(3)]
    return Screen(filled(tasks).audit, monkeypatch, audit_workspace)


def test_a_task_is_loaded_with_all_that_the_frame_shows(screen: Screen) -> None:
    first, second, _ = screen.samples()
    loaded = screen.ask("load", sample_id=first)
    assert loaded["shown"] == SHOWN
    assert (loaded["kind"], loaded["task_id"], loaded["mine"]) == ("attributes", "task-0", None)
    assert (loaded["auditor"], loaded["blind"]) == ("ana", False)
    assert (loaded["previous"], loaded["next"]) == (None, second)
    assert loaded["progress"] == {"mine": 0, "done": 0, "total": 3, "per_hour": None}
    assert loaded["filepath"].startswith(loaded["images_root"])
    assert not {"before", "stratum", "probability"} & set(loaded)


def test_a_decision_is_stored_and_the_next_task_named(screen: Screen) -> None:
    first, second, _ = screen.samples()
    stored = screen.ask(
        "judge",
        sample_id=first,
        verdict="confirmed",
        value="no",
        text='{"value": "blue"}',
        failed=[],
        boxes=[],
        note="navy",
        seconds=1.5,
    )
    assert stored["next"] == second
    assert (stored["progress"]["mine"], stored["progress"]["done"]) == (1, 1)
    assert screen.held(first)["auditors"] == ["ana"]
    slot = screen.held(first)["slot_1"]
    assert (slot["auditor"], slot["verdict"], slot["value"]) == ("ana", "confirmed", "no")
    assert (slot["text"], slot["note"], slot["seconds"]) == ('{"value": "blue"}', "navy", 1.5)
    assert screen.ask("load", sample_id=first)["mine"]["value"] == "no"


def test_undo_goes_back_to_the_last_decision(screen: Screen) -> None:
    first, _, _ = screen.samples()
    assert "no decision of ana" in screen.ask("undo")["error"]
    screen.ask("judge", sample_id=first, verdict="unsure")
    assert screen.ask("undo") == {"sample_id": first}
    assert screen.held(first)["slot_1"]["verdict"] == "withdrawn"
    assert screen.held(first)["auditors"] == []
    assert "no decision of ana" in screen.ask("undo")["error"]


def test_two_auditors_keep_a_slot_each_and_a_third_is_told(screen: Screen) -> None:
    first, _, _ = screen.samples()
    for auditor, value in (("ana", "yes"), ("bo", "no")):
        screen.sit(auditor)
        assert "error" not in screen.ask("judge", sample_id=first, verdict="confirmed", value=value)
    screen.sit("cy")
    refused = screen.ask("judge", sample_id=first, verdict="confirmed", value="yes")
    assert "ana and bo judged this already" in refused["error"]
    held = screen.held(first)
    assert [held[name]["value"] for name in ("slot_1", "slot_2")] == ["yes", "no"]


VIEWS = (
    # stages, the ranks from task 1 on by "next", the rank before task 1
    ([], [2, 0], 0),
    ([{"$sort": {"rank": -1}}], [0, 2], 2),  # an order of its own
    ([{"$match": {"rank": {"$ne": 2}}}], [0], 0),  # what the App does not show is not offered
    ([{"$match": {"open": {"$gt": 0}}}], [2, 0], 0),  # what is judged leaves this view
    ([{"$match": {"rank": 1}}], [], None),
    ([{"$match": {"rank": 2}}], [2], None),  # the task itself is not in it
)


@pytest.mark.parametrize(("view", "following", "before"), VIEWS)
def test_next_and_previous_are_within_the_view(
    screen: Screen, view: list[dict[str, Any]], following: list[int], before: int | None
) -> None:
    samples = screen.samples()
    screen.view = view
    loaded = screen.ask("load", sample_id=samples[1])
    assert loaded["previous"] == (None if before is None else samples[before])
    assert loaded["next"] == (samples[following[0]] if following else None)
    here, gone_to = samples[1], []
    while here is not None:
        here = screen.ask("judge", sample_id=here, verdict="confirmed", value="yes")["next"]
        gone_to += [] if here is None else [samples.index(here)]
    assert gone_to == following


def test_previous_goes_back_to_what_was_judged(screen: Screen) -> None:
    first, second, _ = screen.samples()
    screen.ask("judge", sample_id=first, verdict="unsure")
    for view in ([], [{"$sort": {"rank": 1}}]):
        screen.view = view
        assert screen.ask("load", sample_id=second)["previous"] == first


def test_drafts_of_kinds_that_have_none(screen: Screen) -> None:
    first, _, _ = screen.samples()
    assert screen.ask("check", sample_id=first, draft={}) == {}
    assert "nothing is drafted" in screen.ask("redraft", sample_id=first)["error"]


@pytest.mark.parametrize(
    ("operator", "params", "what"),
    [
        ("load", {}, "sample_id"),
        ("load", {"sample_id": "5" * 24}, "not in the audit"),
        ("load", {"sample_id": "x"}, "no id"),
        ("load", {"sample_id": {"$ne": 1}}, "string"),
        ("judge", {"verdict": "perhaps"}, "verdict"),
        ("judge", {"verdict": "withdrawn"}, "verdict"),  # undo does that
        ("judge", {"verdict": "confirmed", "value": "maybe"}, "yes, no or unsure"),
        ("judge", {"verdict": "confirmed", "value": "no", "text": '{"value": "x"}'}, "no other"),
        ("judge", {"verdict": "unsure", "seconds": -1}, "seconds"),
        ("judge", {"verdict": "unsure", "seconds": float("nan")}, "seconds"),
        ("judge", {"verdict": "unsure", "auditor": "bo"}, "auditor"),  # nobody judges for another
        ("judge", {"verdict": "unsure", "note": "x" * 100_001}, "note"),
        ("check", {"draft": "text"}, "draft"),
    ],
)
def test_what_a_screen_should_not_send_is_one_line(
    screen: Screen, operator: str, params: dict[str, Any], what: str
) -> None:
    first, _, _ = screen.samples()
    named = {} if operator == "load" else {"sample_id": first}
    error = screen.ask(operator, **named, **params)["error"]
    assert what in error
    assert "\n" not in error
    assert screen.held(first)["slot_1"] is None


def test_a_task_without_its_key_is_not_judged(screen: Screen) -> None:
    first, _, _ = screen.samples()
    screen.audit.database[TASKS].delete_many({})
    assert "no longer a task" in screen.ask("judge", sample_id=first, verdict="unsure")["error"]
    assert screen.held(first)["slot_1"] is None


@pytest.mark.parametrize("dataset", ["attributes", "quickstart", "", None])
def test_another_audit_than_the_one_that_was_opened(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, dataset: str | None
) -> None:
    """Who judges blind does so nowhere else, although the App can show all datasets."""
    monkeypatch.setenv("BENCHWRIGHT_DATASET", "attributes-blind")
    sample = screen.samples()[0]
    named = {"sample_id": sample}
    calls = {
        "load": named,
        "judge": {**named, "verdict": "unsure"},
        "check": {**named, "draft": {}},
    }
    for operator in OPERATORS:
        said = run(operator, screen.audit.database, dataset, calls.get(operator, named))
        assert "opened for the audit attributes-blind" in said["error"]
    assert (screen.held(sample)["slot_1"], screen.held(sample)["claim"]) == (None, None)


def test_no_audit_and_no_auditor(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWRIGHT_DATASET", "quickstart")
    said = run("undo", screen.audit.database, "quickstart", {})
    assert "no audit 'quickstart'" in said["error"]
    monkeypatch.delenv("BENCHWRIGHT_DATASET")
    said = run("undo", screen.audit.database, screen.audit.name, {})
    assert "review-labels open" in said["error"]
    screen.sit("")
    assert "review-labels open" in screen.ask("undo")["error"]


def test_a_database_that_is_gone(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    from pymongo.errors import ServerSelectionTimeoutError  # noqa: PLC0415  # of an extra

    def gone(*_: Any) -> Any:
        raise ServerSelectionTimeoutError("127.0.0.1:1: refused,\n Timeout: 10s")

    monkeypatch.setitem(OPERATORS, "load", gone)
    error = screen.ask("load", sample_id=screen.samples()[0])["error"]
    assert "may be stored or not: load the page again" in error
    assert "\n" not in error
