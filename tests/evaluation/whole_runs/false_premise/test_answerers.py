"""Each scripted answerer comes to just the responses and labels that it should."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchwright.records import FalsePremise
from stand_ins.answerers import errs
from stand_ins.answerers.cast import STAYS
from stand_ins.models.tokens import MEGABYTE

Play = Callable[..., Any]

FALSE, TRUE = range(4, 11), range(1, 4)
# at which turns each of them corrects
CORRECTS: dict[str, set[int]] = {
    "correcting": {*FALSE},
    "cooperating": set(),
    "weary": {turn for turn in FALSE if turn <= STAYS},
    "contrary": {*TRUE, *FALSE},
    "refusing": {5, 7, 9},
    "prose": {*FALSE},
    "rambling": set(),  # it is cut before it comes to that
    "chinese": {*FALSE},
    # what stands in thoughts is not said
    "thinking": {turn for turn in FALSE if turn <= STAYS},
    "reasoning-field": {turn for turn in FALSE if turn <= STAYS},
    "as-json": {*FALSE},
    "garbler": set(),
}


@pytest.mark.parametrize("model", CORRECTS)
def test_an_answerer_is_labelled_as_it_is(model: str, calm: Play) -> None:
    played = calm(model, "--detectors", "keen,chatty")
    assert len(played.rows) == 40
    wanted = {
        (row["dialogue_id"], row["turn"]): "yes" if row["turn"] in CORRECTS[model] else "no"
        for row in played.rows
    }
    assert played.labels("keen") == played.labels("chatty") == wanted


def test_a_run_is_scored_as_it_was_played(
    copied: Play, run: Callable[..., Any], release: Path
) -> None:
    """12 of 28 false premises are corrected: the first three of seven turns."""
    played = copied("weary", "--detectors", "keen,chatty")
    where = ("--release", release, "--workspace", played.folder.parent.parent)
    scored = run("run-benchmark", "score", "tried", *where)
    assert scored.code == 0, scored.err
    rows = pq.read_table(played.folder / "scores.parquet").to_pylist()
    found = {row["metric"]: row["value"] for row in rows if (row["by"], row["of"]) == ("all",) * 2}
    assert found["CorrTP@10"] == pytest.approx(12 / 28)
    assert found["TurnCorr@4"] == 1
    assert found["TurnCorr@10"] == 0
    assert found["CorrFP@3"] == 0


def test_a_run_that_nobody_read_has_no_score(
    copied: Play, run: Callable[..., Any], release: Path
) -> None:
    played = copied("weary")
    where = ("--release", release, "--workspace", played.folder.parent.parent)
    scored = run("run-benchmark", "score", "tried", *where)
    assert scored.code == 1
    assert "--detectors NAME,NAME" in scored.err


def test_a_response_says_what_was_asked(
    play: Play, behind: Any, dialogues: list[FalsePremise]
) -> None:
    played = play(behind(), "correcting", "--detectors", "keen")
    turns = [(one, turn) for one in dialogues for turn in one.turns]
    assert len(played.rows) == len(turns)
    for row, (dialogue, turn) in zip(played.rows, turns, strict=True):
        assert row["response_id"] == f"tried/{dialogue.dialogue_id}/{turn.index}"
        assert (row["run"], row["model"]) == ("tried", "correcting")
        assert row["question"] == turn.asked_question
        assert row["has_false_premise"] == turn.has_false_premise
        assert row["premise_class"] == dialogue.premise_class
        assert row["image_id"] == dialogue.image_id
        assert row["status"] == "ok"
        assert [(one["part"], one["voter"], one["answers"]) for one in row["builds"]] == [
            ("player", "correcting", 1),
            ("detector", "keen", 1),
        ]


def test_the_model_sees_the_picture_once_and_what_it_said(play: Play, behind: Any) -> None:
    served = behind()
    played = play(served, "thinking")
    assert len(served.brain.heard) == 40
    longest = [messages for messages in served.brain.heard if len(messages) == 19]
    assert len(longest) == 4
    for messages in longest:
        first, *later = messages
        assert [part["type"] for part in first["content"]] == ["image_url", "text"]
        assert all(isinstance(one["content"], str) for one in later)
        assert [one["role"] for one in messages] == ["user", "assistant"] * 9 + ["user"]
        said = [one["content"] for one in messages[1::2]]
        rows = {row["question"]: row["response"] for row in played.rows}
        asked = [first["content"][1]["text"], *(one["content"] for one in messages[2::2])]
        assert said == [rows[question] for question in asked[:-1]]
        assert not any("think" in one for one in said)


def test_an_empty_answer_is_one_and_is_not_sent_back_empty(play: Play, behind: Any) -> None:
    served = behind()
    played = play(served, "garbler")
    answers = {row["turn"]: row["response"] for row in played.rows}
    assert answers[6] == ""
    assert answers[4] == MEGABYTE
    said = [one["content"] for messages in served.brain.heard for one in messages[1::2]]
    assert said
    assert all(text.strip() for text in said)


def test_what_is_refused_is_a_response_with_its_text(calm: Play) -> None:
    played = calm("refusing", "--detectors", "keen,chatty")
    refused = [row for row in played.rows if row["status"] == "refused"]
    assert len(refused) == 20
    assert {row["response"] for row in refused} == {
        "I cannot help with questions about this picture."
    }
    assert "20 refused" in played.said


def test_what_is_cut_is_a_response_with_what_came(play: Play, behind: Any) -> None:
    served = behind()
    played = play(served, "rambling")
    assert {row["status"] for row in played.rows} == {"truncated"}
    assert all(row["response"].startswith("### What I see") for row in played.rows)
    assert (served.asked_again(), len(served.brain.heard)) == (0, 40)  # it said something


def test_detectors_see_texts_alone(play: Play, behind: Any) -> None:
    served = behind()
    play(served, "correcting", "--detectors", "keen")
    assert len(served.brain.read) == 40
    for question in served.brain.read:
        assert not question.pictures
        assert question.parameters["temperature"] == 0
        assert "correcting" not in str(question.messages)  # the name of the model


def test_a_detector_that_errs_errs_where_it_does(calm: Play) -> None:
    played = calm("weary", "--detectors", "keen,careless")
    right, found = played.labels("keen"), played.labels("careless")
    asked = {(row["dialogue_id"], row["turn"]): row for row in played.rows}
    wrong = {at for at in right if right[at] != found[at]}
    assert wrong == {at for at, row in asked.items() if errs(row["question"], row["response"])}
    assert 0 < len(wrong) < 20


def test_what_a_detector_does_not_say_readably_is_null(play: Play, behind: Any) -> None:
    played = play(behind(), "correcting", "--detectors", "mumbling", code=1)
    labels = played.labels("mumbling")
    assert {at: label for at, label in labels.items() if label is None}.keys() == {
        at for at in labels if at[1] in FALSE
    }
    assert "28 without a label" in played.said
    assert "not whole: 28 labels of mumbling missing" in played.said
    assert "next: run-benchmark score" not in played.said
