"""Judging: slots, what comes next, taking back, progress; on a real mongod."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.errors import UsageError

pytest.importorskip("pymongo", reason="pymongo IS NOT INSTALLED: NOBODY JUDGED IN THIS RUN")

from labeling.audits.app.judging import (
    Progress,
    judge,
    load,
    next_task,
    previous_task,
    progress,
    stored_sample,
    undo,
)
from labeling.audits.app.reading import read_slots

Fill = Callable[..., Any]


def _ids(audit: Any) -> list[str]:
    return [str(each["_id"]) for each in audit.samples.find().sort("rank", 1)]


def _walk(audit: Any, kit: SimpleNamespace, auditor: str, **more: Any) -> list[int]:
    """Judge all that is offered; return the ranks in their order."""
    ranks: list[int] = []
    after = -1
    while (sample_id := next_task(audit, auditor, after=after)) is not None:
        judge(audit, sample_id, kit.slot(auditor, **more))
        after = stored_sample(audit, sample_id)["rank"]
        ranks.append(after)
    return ranks


def test_tasks_come_in_order_and_once(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled(app_kit.task(n, looks=2 if n == 1 else 1) for n in range(5)).audit
    assert _walk(audit, app_kit, "ana") == [0, 1, 2, 3, 4]
    assert _walk(audit, app_kit, "bo") == [1]
    assert _walk(audit, app_kit, "cy") == []


def test_what_was_skipped_comes_again_at_the_end(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled(app_kit.task(n) for n in range(3)).audit
    ids = _ids(audit)
    assert next_task(audit, "ana", after=0) == ids[1]
    judge(audit, ids[1], app_kit.slot("ana"))
    judge(audit, ids[2], app_kit.slot("ana"))
    assert next_task(audit, "ana", after=2) == ids[0]


def test_a_claim_keeps_others_away_for_ten_minutes(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled(app_kit.task(n) for n in range(2)).audit
    ids = _ids(audit)
    load(audit, ids[0], "ana")
    assert next_task(audit, "bo") == ids[1]
    assert next_task(audit, "ana") == ids[0]
    load(audit, ids[0], "bo")  # bo may look, the claim stays ana's
    assert stored_sample(audit, ids[0])["claim"]["auditor"] == "ana"
    old = (datetime.now(UTC) - timedelta(minutes=10, seconds=1)).isoformat(timespec="milliseconds")
    audit.samples.update_one({"rank": 0}, {"$set": {"claim.at": old}})
    assert next_task(audit, "bo") == ids[0]
    load(audit, ids[0], "bo")
    assert next_task(audit, "ana") == ids[1]
    judge(audit, ids[0], app_kit.slot("bo"))
    assert stored_sample(audit, ids[0])["claim"] is None


def test_turns_of_a_dialogue_go_to_one_auditor(filled: Fill, app_kit: SimpleNamespace) -> None:
    # a, a, b, b: who marks a turn carries the marks to the next
    audit = filled(
        app_kit.task(n, kind="candidate-set", facets={"dialogue_id": "aabb"[n]}) for n in range(4)
    ).audit
    ids = _ids(audit)
    load(audit, ids[0], "ana")
    assert next_task(audit, "bo") == ids[2]
    load(audit, ids[2], "bo")
    judge(audit, ids[0], app_kit.slot("ana"))
    assert next_task(audit, "ana", after=0) == ids[1]
    judge(audit, ids[1], app_kit.slot("ana"))
    assert next_task(audit, "ana", after=1) is None


@pytest.mark.parametrize(
    ("one", "other", "is_disputed"),
    [
        ({"verdict": "confirmed"}, {"verdict": "confirmed"}, False),
        ({"verdict": "confirmed"}, {"verdict": "corrected", "value": "no"}, True),
        # both correct it, to different values
        ({"verdict": "corrected", "value": "a"}, {"verdict": "corrected", "value": "b"}, True),
        # a text is a wording of a record, or a further value, on which nobody has to agree
        ({"verdict": "corrected", "text": "{}"}, {"verdict": "corrected", "text": "[]"}, False),
        ({"verdict": "confirmed"}, {"verdict": "rejected"}, True),
        # who cannot tell has no voice
        ({"verdict": "confirmed"}, {"verdict": "unsure"}, False),
        ({"verdict": "unsure"}, {"verdict": "unsure"}, False),
        # boxes in another order are the same boxes
        (
            {"verdict": "confirmed", "boxes": ("a", "b")},
            {"verdict": "confirmed", "boxes": ("b", "a")},
            False,
        ),
        ({"verdict": "confirmed", "boxes": ("a",)}, {"verdict": "confirmed", "boxes": ()}, True),
        # notes and failed checks are no answers
        (
            {"verdict": "rejected", "failed": ("grounding",), "note": "x"},
            {"verdict": "rejected"},
            False,
        ),
    ],
)
def test_disputed(
    filled: Fill, app_kit: SimpleNamespace, one: Any, other: Any, is_disputed: bool
) -> None:
    audit = filled([app_kit.task(1, looks=2)]).audit
    (sample_id,) = _ids(audit)
    judge(audit, sample_id, app_kit.slot("ana", **one))
    assert not stored_sample(audit, sample_id)["disputed"]
    judge(audit, sample_id, app_kit.slot("bo", **other))
    assert stored_sample(audit, sample_id)["disputed"] == is_disputed
    undo(audit, "bo")
    assert not stored_sample(audit, sample_id)["disputed"]


def test_other_wordings_of_a_record_are_disputed(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled([app_kit.task(1, looks=2, kind="false-premise")]).audit
    (sample_id,) = _ids(audit)
    for auditor, text in (("ana", "{}"), ("bo", "[]")):
        judge(audit, sample_id, app_kit.slot(auditor, "corrected", text=text))
    assert stored_sample(audit, sample_id)["disputed"]


def test_a_second_auditor_never_overwrites_the_first(
    filled: Fill, app_kit: SimpleNamespace
) -> None:
    audit = filled([app_kit.task(1, looks=1)]).audit
    (sample_id,) = _ids(audit)
    judge(audit, sample_id, app_kit.slot("ana", note="first"))
    judge(audit, sample_id, app_kit.slot("bo", note="second"))
    judge(audit, sample_id, app_kit.slot("ana", "unsure", note="again"))  # her own
    sample = stored_sample(audit, sample_id)
    assert [sample[name]["note"] for name in ("slot_1", "slot_2")] == ["again", "second"]
    with pytest.raises(UsageError, match="ana and bo judged this already; go on with the next"):
        judge(audit, sample_id, app_kit.slot("cy"))


def test_a_slot_that_was_withdrawn_is_taken_and_what_was_withdrawn_is_kept(
    filled: Fill, app_kit: SimpleNamespace
) -> None:
    audit = filled([app_kit.task(1, looks=1)]).audit
    (sample_id,) = _ids(audit)
    for auditor in ("ana", "bo"):
        judge(audit, sample_id, app_kit.slot(auditor, value="yes"))
        undo(audit, auditor)
    assert next_task(audit, "cy") == sample_id
    judge(audit, sample_id, app_kit.slot("cy", value="no"))
    sample = stored_sample(audit, sample_id)
    assert [sample[name]["auditor"] for name in ("slot_1", "slot_2")] == ["cy", "bo"]
    assert (sample["open"], sample["auditors"]) == (0, ["cy"])
    judge(audit, sample_id, app_kit.slot("cy", value="yes"))  # her own, again
    said = [
        (slot.auditor, slot.verdict, slot.value)
        for _, slot in read_slots(audit.database, audit.name)
    ]
    assert said == [
        ("cy", "confirmed", "yes"),
        ("ana", "withdrawn", "yes"),
        ("bo", "withdrawn", "yes"),
    ]
    judge(audit, sample_id, app_kit.slot("ana", value="no"))  # thinks better of it again
    assert [slot.verdict for _, slot in read_slots(audit.database, audit.name)] == [
        "confirmed", "withdrawn", "confirmed", "withdrawn",
    ]  # fmt: skip
    with pytest.raises(UsageError, match="cy and ana judged this already"):
        judge(audit, sample_id, app_kit.slot("bo"))


def test_who_cannot_tell_leaves_a_chain_to_others(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled([app_kit.task(1, kind="question-chain"), app_kit.task(2)]).audit
    chain, label = _ids(audit)
    for sample_id in (chain, label):
        judge(audit, sample_id, app_kit.slot("ana", "unsure"))
    assert [stored_sample(audit, each)["open"] for each in (chain, label)] == [1, 0]
    assert next_task(audit, "ana") is None
    assert next_task(audit, "bo") == chain
    judge(audit, chain, app_kit.slot("bo", "unsure"))
    assert next_task(audit, "bo") is None
    judge(audit, chain, app_kit.slot("bo"))
    assert stored_sample(audit, chain)["open"] == 0


def test_who_is_barred_is_offered_nothing(filled: Fill, app_kit: SimpleNamespace) -> None:
    mine = {"stage": "chain", "owner": "ana"}  # to mend
    audit = filled(
        [
            app_kit.task(
                1, kind="question-chain", barred=("ana",), facets={**mine, "stage": "round-1"}
            ),
            app_kit.task(2, kind="question-chain", facets=mine),
            app_kit.task(3, kind="question-chain", facets={"stage": "round-1", "dealt_to": "ana"}),
        ]
    ).audit
    ids = _ids(audit)
    assert _walk(audit, app_kit, "ana") == [1, 2]
    assert _walk(audit, app_kit, "bo") == [0]
    with pytest.raises(UsageError, match="ana judged this before or had a part in it"):
        judge(audit, ids[0], app_kit.slot("ana"))


def test_two_auditors_at_once_on_each_item(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled(app_kit.task(n, looks=2) for n in range(30)).audit
    ids = _ids(audit)
    start = threading.Barrier(2)

    def work(auditor: str) -> None:
        for sample_id in ids:
            start.wait()
            judge(audit, sample_id, app_kit.slot(auditor))

    threads = [threading.Thread(target=work, args=(name,)) for name in ("ana", "bo")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for sample in audit.samples.find():
        assert {sample[name]["auditor"] for name in ("slot_1", "slot_2")} == {"ana", "bo"}
        assert (sample["open"], sample["seen_by"]) == (0, None)


def test_undo_goes_back_one_by_one(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled(app_kit.task(n) for n in range(3)).audit
    ids = _ids(audit)
    for number, sample_id in enumerate(ids):
        at = f"2026-03-01T12:00:0{number}.000+00:00"
        judge(audit, sample_id, app_kit.slot("ana", at=at))
    judge(audit, ids[0], app_kit.slot("bo", at="2026-03-01T12:00:09.000+00:00"))
    assert undo(audit, "ana") == ids[2]
    assert undo(audit, "ana") == ids[1]
    sample = stored_sample(audit, ids[1])
    assert (sample["slot_1"]["verdict"], sample["open"]) == ("withdrawn", 1)
    assert next_task(audit, "ana") == ids[1]  # it has to be judged again, by anybody
    assert next_task(audit, "cy") == ids[1]
    judge(audit, ids[1], app_kit.slot("ana", "unsure"))
    assert stored_sample(audit, ids[1])["slot_1"]["verdict"] == "unsure"
    assert [undo(audit, "ana") for _ in range(3)] == [ids[1], ids[0], None]
    assert stored_sample(audit, ids[0])["slot_2"]["verdict"] == "confirmed"


def test_previous_is_what_one_judged_or_is_offered(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled(app_kit.task(n) for n in range(4)).audit
    ids = _ids(audit)
    judge(audit, ids[0], app_kit.slot("ana"))
    judge(audit, ids[2], app_kit.slot("bo"))
    assert previous_task(audit, "ana", before=3) == ids[1]  # not what bo has done
    assert previous_task(audit, "ana", before=1) == ids[0]
    assert previous_task(audit, "ana", before=0) is None
    judge(audit, ids[1], app_kit.slot("bo"))
    assert previous_task(audit, "ana", before=3) == ids[0]


def test_load_tells_all_that_a_screen_shows(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled(app_kit.task(n) for n in range(3)).audit
    ids = _ids(audit)
    judge(audit, ids[1], app_kit.slot("ana", "corrected", value="blue"))
    judge(audit, ids[1], app_kit.slot("bo"))
    loaded = load(audit, ids[1], "ana")
    assert (loaded.task_id, loaded.kind) == ("task-1", "attributes")
    assert loaded.shown == {"question": "Is it red?"}
    assert loaded.facets == {"margin": 0.01, "type": "colour", "value": "red"}
    assert loaded.mine is not None
    assert (loaded.mine.verdict, loaded.mine.value) == ("corrected", "blue")
    assert (loaded.previous, loaded.next) == (ids[0], ids[2])
    assert load(audit, ids[1], "cy").mine is None


def test_progress(filled: Fill, app_kit: SimpleNamespace) -> None:
    audit = filled(app_kit.task(n, looks=1 + n % 2) for n in range(6)).audit
    ids = _ids(audit)
    assert progress(audit, "ana") == Progress(mine=0, done=0, total=6, per_hour=None)
    minutes = (0, 1, 2, 40, 41)  # a break of 38 minutes does not count
    for sample_id, minute in zip(ids, minutes, strict=False):
        at = f"2026-03-01T12:{minute:02d}:00.000+00:00"
        judge(audit, sample_id, app_kit.slot("ana", at=at))
    assert progress(audit, "ana") == Progress(mine=5, done=3, total=6, per_hour=60)
    assert progress(audit, "bo") == Progress(mine=0, done=3, total=6, per_hour=None)
    undo(audit, "ana")
    assert progress(audit, "ana").mine == 4
    assert progress(audit, "ana").done == 2


@pytest.mark.parametrize(
    ("sample_id", "message"),
    [
        ("0" * 24, "is not in the audit attributes"),
        ("nonsense", "'nonsense' is no id of a sample"),
        ({"$gt": ""}, "is no id of a sample"),
    ],
)
def test_samples_that_are_none(
    filled: Fill, app_kit: SimpleNamespace, sample_id: Any, message: str
) -> None:
    audit = filled([app_kit.task(1)]).audit
    for refused in (
        lambda: load(audit, sample_id, "ana"),
        lambda: judge(audit, sample_id, app_kit.slot("ana")),
    ):
        with pytest.raises(UsageError, match=message):
            refused()


@pytest.mark.parametrize("text", ["$slot_2", "$$ROOT", "{$ne: 1}", "a\x00b", "é\n\U0001f600"])
def test_texts_of_auditors_are_only_texts(
    filled: Fill, app_kit: SimpleNamespace, text: str
) -> None:
    audit = filled([app_kit.task(1)]).audit
    (sample_id,) = _ids(audit)
    judge(audit, sample_id, app_kit.slot(text, note=text, text=text, value=text))
    loaded = load(audit, sample_id, text)
    assert loaded.mine is not None
    assert [loaded.mine.note, loaded.mine.text, loaded.mine.value] == [text] * 3
    assert undo(audit, text) == sample_id


def test_half_a_surrogate_is_stored_as_a_question_mark(
    filled: Fill, app_kit: SimpleNamespace
) -> None:
    audit = filled([app_kit.task(1)]).audit
    (sample_id,) = _ids(audit)
    judge(audit, sample_id, app_kit.slot("ana", note="cut \ud83d"))
    assert stored_sample(audit, sample_id)["slot_1"]["note"] == "cut ?"


def test_what_is_asked_with_each_judgement_reads_few_samples(
    filled: Fill, app_kit: SimpleNamespace
) -> None:
    audit = filled(app_kit.task(n, looks=2) for n in range(3000)).audit
    ids = _ids(audit)
    judge(audit, ids[0], app_kit.slot("ana"))
    slot = stored_sample(audit, ids[0])["slot_1"]
    # she is nearly through, and each wants another look
    audit.samples.update_many(
        {"rank": {"$lt": 2990}}, {"$set": {"slot_1": slot, "open": 1, "seen_by": "ana"}}
    )
    database = audit.database
    database.command("profile", 2)
    try:
        load(audit, ids[5], "ana")
        judge(audit, ids[2995], app_kit.slot("ana"))
        next_task(audit, "ana", after=2)
        progress(audit, "ana")
        undo(audit, "ana")
    finally:
        database.command("profile", 0)
    asked = list(database["system.profile"].find({"ns": {"$regex": "samples"}}))
    assert len(asked) > 10
    assert [each for each in asked if "COLLSCAN" in each.get("planSummary", "")] == []
    assert max(each.get("docsExamined", 0) for each in asked) <= 20
