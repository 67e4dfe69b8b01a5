"""Runs made elsewhere: what a row may leave out, and rows that cannot be read."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import UsageError
from benchwright.records import Asked, Build, Trajectory
from evaluation.hidden_target.metrics.replaying import replayed
from evaluation.hidden_target.running.material import Material
from evaluation.hidden_target.scoring.foreign_rows import read_told
from evaluation.hidden_target.scoring.foreign_runs import read_foreign_run
from evaluation.hidden_target.scoring.played import Played
from stand_ins.trajectories import asks, played, skips

Write = Callable[[Iterable[Any]], Path]


def row_of(material: Material, **more: Any) -> dict[str, Any]:
    """Return the least that a row needs, with more or other things."""
    return {"episode_id": material.galleries[0].episode_id, "turns": [], "guess": 1, **more}


def read(write: Write, material: Material, *rows: Any) -> Played:
    return read_foreign_run(write(rows), material)


def only(found: Played) -> Trajectory:
    assert not found.refused
    (one,) = found.trajectories
    return one


def test_the_least_that_a_row_needs(write: Write, material: Material) -> None:
    turns = [
        {"text": "**Is the dress a wrap-front dress?**", "told": "No."},
        {"question": "Does the dress have a tiered skirt?", "told": "Unsure"},
        {"text": "Is it picture 3?", "told": "Skip Rule 6: index"},
        {"text": "", "told": "skip"},
    ]
    one = only(read(write, material, row_of(material, turns=turns, guess="My guess: #2")))
    assert [turn.told for turn in one.turns] == ["no", "unsure", "skip", "skip"]
    wrap, tiered = (
        (Asked(type="front", value="wrap front", is_negated=False),),
        (Asked(type="skirt", value="tiered", is_negated=False),),
    )
    assert [turn.asked for turn in one.turns[:2]] == [wrap, tiered]
    assert one.turns[0].question == "Is the dress a wrap-front dress?"
    assert (one.turns[1].read_by, one.turns[3].question) == ("given", None)
    assert one.turns[0].truth == "no"
    assert (one.guess, one.guess_text, one.end) == (2, "My guess: #2", "guess")
    assert (one.run, one.player, one.uploads) == ("elsewhere", "elsewhere", ())
    # what follows from the labels stands there as if it had been recorded
    again = replayed(material.galleries[0], one, is_by_labels=True)
    assert again.differing == 0
    assert again.trajectory == one


def test_our_own_trajectories_are_read_as_they_are(write: Write, material: Material) -> None:
    gallery = material.galleries[0]
    kind = gallery.board.values[0]
    heard = asks(f"{kind.type} {kind.value}", "yes", truth="no", noise="flip")
    own = played(
        gallery,
        skips("index"),
        replace(heard, unread=("oracle",)),
        guess=2,
        uploads=("echo", "question"),
        builds=[Build(part="player", voter="hand", model="m", build="b", answers=3)],
    )
    assert only(read(write, material, own)) == own


GUESSES = [
    (3, 3, "guess"),
    ("3", 3, "guess"),
    ("My guess: #3", 3, "guess"),
    # a table without whole numbers
    (3.0, 3, "guess"),
    (None, None, "out_of_turns"),
    (float("nan"), None, "out_of_turns"),
    # a guess all the same, if of no picture
    (99, 99, "guess"),
    (0, 0, "guess"),
    # nothing that could be read
    ("I give up.", None, "out_of_turns"),
    ("", None, "out_of_turns"),
]


@pytest.mark.parametrize(("said", "guess", "end"), GUESSES)
def test_guesses(write: Write, material: Material, said: Any, guess: int | None, end: str) -> None:
    one = only(read(write, material, row_of(material, guess=said)))
    assert (one.guess, one.end) == (guess, end)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        *(("yes", "yes"), ("Yes.", "yes"), ("**No**", "no"), ("Unsure", "unsure")),
        *(("SKIP", "skip"), ("skip (rule 4: colour)", "skip"), ("I cannot tell", "unsure")),
        # in more words, or in fewer
        *(("Yes, it is.", "yes"), ("n", "no"), ("maybe", "unsure"), ("not sure", "unsure")),
        # what is none of the four is left for the row to be refused
        *(("Skippy", "Skippy"), ("purple rain", "purple rain")),
    ],
)
def test_what_was_told(said: str, told: str) -> None:
    assert read_told(said) == told


def test_uploads_are_judged_where_nobody_did(write: Write, material: Material) -> None:
    uploads = ["Seen.", "Does the dress have a bow?", {"text": "x", "kind": "echo"}]
    one = only(read(write, material, row_of(material, uploads=uploads)))
    assert [upload.kind for upload in one.uploads] == ["acknowledged", "question", "echo"]


NOISE = [
    ({"told": "yes", "truth": "no"}, "flip"),
    ({"told": "no", "truth": "unsure"}, "blur"),
    ({"told": "unsure", "truth": "no"}, "blur"),
    ({"told": "yes", "truth": "yes"}, None),
    ({"told": "yes"}, None),
    ({"told": "skip", "truth": "no"}, None),
]


@pytest.mark.parametrize(("turn", "noise"), NOISE)
def test_noise_is_what_parts_the_told_from_the_truth(
    write: Write, material: Material, turn: dict[str, str], noise: str | None
) -> None:
    one = only(read(write, material, row_of(material, turns=[{"text": "Is it red?", **turn}])))
    assert one.turns[0].noise == noise


def test_a_verifier_that_is_named_is_believed(write: Write, material: Material) -> None:
    gallery = material.galleries[0]
    fits = "y" + "n" * (len(gallery) - 1)
    judge = {"part": "verifier", "voter": "judge", "model": None, "build": None, "answers": 1}
    turn = {"text": "Is it nice?", "told": "yes", "fits": fits}
    found = read(write, material, row_of(material, turns=[turn], builds=[judge]))
    assert found.verifier == "judge"
    assert only(found).turns[0].feasible == (1,)


def test_a_recorded_set_is_kept_to_be_compared(write: Write, material: Material) -> None:
    turn = {"text": "Is it nice?", "told": "yes", "feasible": [2]}
    one = only(read(write, material, row_of(material, turns=[turn])))
    assert replayed(material.galleries[0], one, is_by_labels=True).differing == 1


def _refusals(material: Material) -> list[tuple[Any, str, str]]:
    """Rows with the reason for which they are refused and a part of the detail."""
    turn = {"text": "Is it red?", "told": "yes"}

    def with_turn(**more: Any) -> dict[str, Any]:
        return row_of(material, turns=[turn, {**turn, **more}])

    fewer = row_of(material)
    del fewer["guess"]
    return [
        (b"{", "not_json", "JSON"),
        (b"[1]", "not_json", "object"),
        (b"\xff\xfe{}", "not_json", "JSON"),
        (b"[" * 100_000, "not_json", "JSON"),
        (b'{"episode_id": ' + b"9" * 5_000 + b"}", "not_json", "JSON"),
        (row_of(material, episode_id="nowhere"), "unknown_episode", "nowhere"),
        (row_of(material, episode_id=7), "malformed", "episode_id"),
        (fewer, "malformed", "guess"),
        (row_of(material, guess=True), "malformed", "guess"),
        (row_of(material, guess=2.5), "malformed", "guess"),
        (row_of(material, guess=[1]), "malformed", "guess"),
        (row_of(material, turns=None), "malformed", "turns"),
        (with_turn(told="purple"), "malformed", "turns.1.told"),
        (with_turn(told=None), "malformed", "turns.1.told"),
        # an oracle answers; to skip is the judge's, and of no label
        (with_turn(truth="skip"), "malformed", "turns.1.truth"),
        (with_turn(fits="yn"), "fits", "turn 2: fits has 2 letters"),
        (with_turn(asked=[{"type": "no", "value": "such"}]), "unknown_value", "turn 2"),
        (row_of(material, episode_id="\ud800\x1b[31m"), "unknown_episode", "no episode"),
    ]


def test_a_row_that_cannot_be_read_is_kept_with_the_reason(
    write: Write, material: Material
) -> None:
    cases = _refusals(material)
    good = row_of(material)
    found = read(write, material, *(row for row, _, _ in cases), b"", b"  ", good)
    assert len(found.trajectories) == 1
    assert [row.line for row in found.refused] == list(range(1, len(cases) + 1))
    for refused, (row, reason, detail) in zip(found.refused, cases, strict=True):
        assert refused.reason == reason, row
        assert detail in refused.detail
        assert refused.detail.isprintable()
    # what is missing is counted, whatever was refused
    assert found.planned == len(material.galleries)


def test_hostile_names_can_be_written(write: Write, material: Material) -> None:
    named = row_of(material, player="\ud800\x1b[2Jevil\n", run="a\u202eb")
    found = read(write, material, named)
    (found.player + found.name).encode()
    assert found.player.isprintable()


def test_rows_of_the_same_episode(write: Write, material: Material) -> None:
    good = row_of(material)
    other = {**good, "guess": 2}
    alone = {**good, "episode_id": material.galleries[1].episode_id}
    found = read(write, material, good, alone, other)
    assert [one.episode_id for one in found.trajectories] == [alone["episode_id"]]
    assert [(row.line, row.reason) for row in found.refused] == [(1, "twice"), (3, "twice")]
    # the same row again says nothing else
    assert only(read(write, material, good, good)).guess == 1


def test_the_order_of_the_rows_is_nobodys_business(write: Write, material: Material) -> None:
    rows = [row_of(material, episode_id=each.episode_id) for each in material.galleries]
    assert read(write, material, *rows) == read(write, material, *rows[::-1])


def test_a_byte_order_mark_and_foreign_line_ends(write: Write, material: Material) -> None:
    line = b"\xef\xbb\xbf" + json.dumps(row_of(material)).encode() + b"\r"
    assert only(read(write, material, line)).guess == 1


def test_failed_episodes_are_no_part_of_the_score(write: Write, material: Material) -> None:
    found = read(write, material, row_of(material, end="failed"))
    assert (found.finished, len(found.trajectories)) == ([], 1)


def test_a_file_that_is_not_there(tmp_path: Path, material: Material) -> None:
    with pytest.raises(UsageError, match="no such file"):
        read_foreign_run(tmp_path / "nothing.jsonl", material)


def test_names_that_differ_give_way_to_that_of_the_file(write: Write, material: Material) -> None:
    first = row_of(material, player="one", run="same")
    second = {**first, "player": "two", "episode_id": material.galleries[1].episode_id}
    found = read(write, material, first, second)
    assert (found.player, found.name) == ("elsewhere", "same")
