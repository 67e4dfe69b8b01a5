"""Agreement on labels and records, in small journals with figures by hand."""

from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.decisions.standing import Standing, Thing, standing, thing_of
from labeling.audits.reporting.agreement import Agreement, board_agreement, label_agreement
from labeling.audits.reporting.board import clusters_of, label_board, verdict_boards
from labeling.audits.reporting.settings import ReportSettings

SETTINGS = ReportSettings(draws=50)


def journal(kit: SimpleNamespace, rows: dict[str, str], **more: Any) -> Standing:
    """Return decisions by auditor: a word of y, n, ? and - for the labels in order."""
    answers = {"y": "yes", "n": "no", "?": None}
    return standing(
        kit.decision(number, answers[letter], auditor=name, **more)
        for name, letters in rows.items()
        for number, letter in enumerate(letters)
        if letter != "-"
    )


def overall(decisions: Standing, *, told: bool = False) -> Agreement:
    board = label_board(decisions)
    assert board is not None
    found = label_agreement(board, None, SETTINGS)
    return (found.yes_or_no if told else found.answers).overall


@pytest.mark.parametrize(
    ("rows", "judged", "left_out", "exact", "kappa", "alpha", "ac1"),
    [
        # 8 of 10 alike; yes 5 and 5 of 10: p_e = ½, κ = (.8 - .5) / .5
        # α = 1 - .2 / (2 · 10 · 10 / (20 · 19)); AC1: p_e = (½·½ + ½·½) / 2 = ¼ of three codes
        ({"ana": "yyyyynnnnn", "bo": "yyyynynnnn"}, 10, 0, 0.8, 0.6, 1 - 0.2 * 1.9, 11 / 15),
        # the expected agreement is 1: kappa and alpha are null, AC1 is 1
        ({"ana": "yyyy", "bo": "yyyy"}, 4, 0, 1.0, None, None, 1.0),
        # what one did not judge is counted; nobody judged anything twice
        ({"ana": "yy--", "bo": "--nn"}, 0, 4, None, None, None, None),
        # unsure is an answer: 2 of 4 alike; ana y3 ?1, bo y2 n1 ?1: p_e = 6/16 + 1/16
        # D_e: 5 y, 1 n, 2 ? of 8: (5·3 + 1·7 + 2·6) / 56; AC1: (15 + 7 + 12) / 64 / 2
        ({"ana": "yyy?", "bo": "yyn?"}, 4, 0, 0.75, 5 / 9, 1 - 0.25 * 56 / 34, 31 / 47),
        # one auditor alone
        ({"ana": "yny"}, 0, 3, None, None, None, None),
    ],
)
def test_by_hand(
    kit: SimpleNamespace,
    rows: dict[str, str],
    judged: int,
    left_out: int,
    exact: float | None,
    kappa: float | None,
    alpha: float | None,
    ac1: float | None,
) -> None:
    found = overall(journal(kit, rows))
    assert (found.judged, found.left_out) == (judged, left_out)
    figures = [each.value for each in (found.exact, found.kappa, found.alpha, found.ac1)]
    wanted = [exact, kappa, alpha, ac1]
    assert figures == [None if each is None else pytest.approx(each) for each in wanted]


def test_yes_and_no_alone(kit: SimpleNamespace) -> None:
    found = overall(journal(kit, {"ana": "yyn?", "bo": "yn?n"}), told=True)
    assert (found.judged, found.left_out, found.exact.value) == (2, 2, 0.5)


def test_pairs_types_and_values(kit: SimpleNamespace) -> None:
    colour = journal(kit, {"ana": "y" * 12, "bo": "y" * 11 + "n", "chi": "-" * 11 + "n"})
    trim = journal(kit, {"ana": "yn", "dee": "yn"}, field="trim/a~1b")
    board = label_board({**colour, **trim})
    assert board is not None
    found = label_agreement(board, None, SETTINGS)
    pairs = {(pair.first, pair.second): pair.agreement for pair in found.answers.pairs}
    assert {pair: each.exact.value for pair, each in pairs.items()} == {
        ("ana", "bo"): pytest.approx(11 / 12),
        ("ana", "chi"): 0.0,
        ("ana", "dee"): 1.0,
        ("bo", "chi"): 1.0,  # pairs that share nothing are not there
    }
    assert pairs["ana", "dee"].left_out == 12
    assert {name: each.judged for name, each in found.types.items()} == {"colour": 12, "trim": 2}
    assert list(found.values) == [("colour", "red")]  # of a/b too few were judged twice
    assert found.weighted is None


def test_weights_stand_for_what_was_not_drawn(kit: SimpleNamespace) -> None:
    decisions = journal(kit, {"ana": "yyyn", "bo": "yynn"})
    board = label_board(decisions)
    assert board is not None
    things = [thing_of(kit.decision(number)) for number in range(4)]
    # the second is no part of the plan, the third, on which they differ, stands for six
    found = label_agreement(board, {things[0]: 1.0, things[2]: 6.0, things[3]: 1.0}, SETTINGS)
    assert found.weighted is not None
    assert found.weighted.exact.value == pytest.approx(2 / 8)
    assert found.weighted.judged == 3


def test_verdicts_of_records(kit: SimpleNamespace) -> None:
    def record(number: int, auditor: str, verdict: str, field: str, after: str | None) -> Any:
        return kit.decision(
            record_id=f"r{number}",
            image_id=None,
            auditor=auditor,
            verdict=verdict,
            field=field,
            after=after,
        )

    made = [
        *(record(n, "ana", "confirmed", "dialogue", "{}") for n in range(4)),
        *(record(n, "bo", "confirmed", "dialogue", "{}") for n in range(3)),
        record(3, "bo", "rejected", "dialogue", None),
        # a response is corrected or not, whatever the detector held
        record(1, "ana", "confirmed", "corrected", "yes"),
        record(1, "bo", "confirmed", "corrected", "no"),
        # a set of boxes is no verdict
        record(1, "ana", "confirmed", "candidates", "[]"),
    ]
    boards = verdict_boards(standing(made))
    assert list(boards) == ["corrected", "dialogue"]
    dialogue = board_agreement(boards["dialogue"], SETTINGS).overall
    assert (dialogue.judged, dialogue.exact.value) == (4, 0.75)
    # of four verdicts: 7 of 8 confirmed, 1 rejected
    assert dialogue.ac1.value == pytest.approx(1 - 0.25 / (1 - 2 * 7 / 64 / 3))
    assert board_agreement(boards["corrected"], SETTINGS).overall.exact.value == 0.0


def test_things_are_drawn_by_picture_or_record() -> None:
    things = [
        Thing("b", "1", None, "colour/red"),
        Thing("a", None, None, "colour/red"),
        Thing("b", None, None, "trim/bow"),
        Thing(None, None, "d/1", "candidates"),
        Thing(None, None, "d/2", "candidates"),  # a turn of the same dialogue
        Thing(None, None, "tau-0.6/e", "gallery"),
        Thing(None, None, "tau-0.6/f", "gallery"),
    ]
    assert clusters_of(things) == [1, 0, 1, 2, 2, 3, 4]
