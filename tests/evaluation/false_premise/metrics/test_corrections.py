"""Responses of a run as arrays: what is whole, what lacks, what cannot be."""

from dataclasses import replace

import pytest

from benchwright.records import PlayedResponse
from evaluation.false_premise.metrics.corrections import read_corrections
from stand_ins.corrections import Label, answered, dialogue, turns

ONE, OTHER = dialogue(1), dialogue(2, "location")


def said(*labels: tuple[int, str, Label]) -> list[PlayedResponse]:
    """Both dialogues, with no of all detectors but for these turns of the first."""
    told = {(turn, name): label for turn, name, label in labels}
    first = answered(ONE, lambda turn, name: told.get((turn, name), "no"))
    return [*first, *answered(OTHER, lambda turn, name: "no")]


def test_codes_stand_by_dialogue_turn_and_detector() -> None:
    rows = said((1, "nose", "yes"), (10, "ear", "yes"))
    read = read_corrections(rows[::-1], [OTHER, ONE])
    found = read.corrections
    assert read.missing == ()
    assert found.dialogues == (ONE, OTHER)  # by their ids, in whatever order they come
    assert set(found.detectors) == {"ear", "nose"}
    assert found.codes.shape == (2, 10, 2)
    ear, nose = (found.detectors.index(name) for name in ("ear", "nose"))
    assert found.codes[0, 0, nose] == found.codes[0, 9, ear] == 1
    assert found.codes.sum() == 2
    assert (found.true_turns, found.false_turns) == ([1, 2, 3], [4, 5, 6, 7, 8, 9, 10])
    assert found.classes == ["identity", "location"]


def test_what_a_dialogue_does_not_have_counts_as_nothing() -> None:
    short = dialogue(3, turns=turns(5, first_false=2))
    rows = [*said(), *answered(short, lambda turn, name: "yes")]
    found = read_corrections(rows, [ONE, OTHER, short]).corrections
    assert (found.codes[2, 5:] == -1).all()
    assert found.is_false[2].tolist() == [False, True, True, True, True, *[False] * 5]
    assert found.is_true[2].tolist() == [True, *[False] * 9]
    assert found.up_to(3).sum(axis=1).tolist() == [0, 0, 2]


@pytest.mark.parametrize(
    ("rows", "lost", "unread"),
    [
        # a detector could not be read once
        (said((6, "nose", None)), (), {"nose": (6,)}),
        # both, at different turns
        (said((6, "nose", None), (2, "ear", None)), (), {"nose": (6,), "ear": (2,)}),
        # the model did not answer from turn 9 on
        (said()[:8] + said()[10:], (9, 10), {}),
        # one response was labelled by one detector alone
        (
            [replace(said()[0], detectors=said()[0].detectors[:1]), *said()[1:]],
            (),
            {"nose": (1,)},
        ),
    ],
)
def test_a_dialogue_that_lacks_something_is_left_out(
    rows: list[PlayedResponse], lost: tuple[int, ...], unread: dict[str, tuple[int, ...]]
) -> None:
    read = read_corrections(rows, [ONE, OTHER])
    assert [one.dialogue_id for one in read.corrections.dialogues] == [OTHER.dialogue_id]
    (missing,) = read.missing
    assert (missing.dialogue_id, missing.turns) == (ONE.dialogue_id, lost)
    assert missing.labels == unread


def test_without_detectors_nothing_is_whole() -> None:
    rows = list(answered(ONE, lambda turn, name: "no", detectors=()))
    read = read_corrections(rows, [ONE])
    assert (read.corrections.dialogues, read.corrections.detectors) == ((), ())
    assert len(read.missing) == 1


def test_what_was_not_played_is_neither_whole_nor_lacking() -> None:
    read = read_corrections(said()[:10], [ONE, OTHER])
    assert [one.dialogue_id for one in read.corrections.dialogues] == [ONE.dialogue_id]
    assert read.missing == ()
    nothing = read_corrections([], [ONE])
    assert (nothing.corrections.codes.shape, nothing.missing) == ((0, 0, 0), ())


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([replace(said()[0], dialogue_id="fp-x")], "has no such turn"),
        ([replace(said()[0], turn=11)], "has no such turn"),
        ([said()[0], said()[0]], "another response to the same turn"),
    ],
)
def test_what_cannot_be(rows: list[PlayedResponse], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_corrections(rows, [ONE, OTHER])


def test_the_release_says_which_premises_are_false() -> None:
    rows = [replace(row, has_false_premise=not row.has_false_premise) for row in said()]
    assert read_corrections(rows, [ONE, OTHER]).corrections.true_turns == [1, 2, 3]
