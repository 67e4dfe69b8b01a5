import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.dialogues.question_chain.distracting.sifting import (
    Draft,
    SaidAnswers,
    SaidQuestion,
    SaidQuestions,
    gives_away,
    sift_answers,
    sift_questions,
)
from stand_ins.chains import chain, step, with_step


def questions(*pairs: tuple[str, str]) -> SaidQuestions:
    return SaidQuestions(questions=[SaidQuestion(question=q, answer=a) for q, a in pairs])


def test_the_first_good_ones_are_taken_and_the_bad_are_named() -> None:
    said = questions(
        ("Who  laughs?", "nobody\n"),
        ("Who is to blame for the crash?", "he"),  # the question of the chain
        ("who laughs", "a child"),
        ("How tall is the fence?", "as a man"),
        ("Is it raining?", "no"),
    )
    sifted = sift_questions(said, chain(), 2, taken=["IS it raining here?", "is it RAINING"])
    assert sifted.good == (
        Draft(text="Who laughs?", answer="nobody"),
        Draft(text="How tall is the fence?", answer="as a man"),
    )
    assert [bad.fault for bad in sifted.bad] == [
        "asks what the chain asks",
        "asks what another asks",
        "asks what another asks",
    ]
    assert sifted.lack(2) is None
    assert sifted.lack(3) == (
        "2 of 3 can stand; 'Who is to blame for the crash?' asks what"
        " 'Who is to blame for the crash?' asks; 'who laughs' asks what 'Who laughs?' asks;"
        " 'Is it raining?' asks what 'is it RAINING' asks"
    )


@pytest.mark.parametrize(
    ("text", "answer", "final", "away"),
    [
        ("Is it the driver who reversed?", "yes", "the driver who reversed", True),
        ("Who stands there?", "The driver who reversed.", "the driver who reversed", True),
        ("Who stands there?", "the driver", "the driver who reversed", False),
        ("How many are there?", "2", "two", True),  # spelled otherwise
        ("How many are there?", "22", "two", False),
        ("Is it wet?", "no", "no", False),  # half of all questions have that answer
        ("Is there no sign?", "yes", "no", True),
        ("Is it wet?", None, "no", False),
    ],
)
def test_what_gives_the_final_answer_away(
    text: str, answer: str | None, final: str, away: bool
) -> None:
    found = with_step(chain(), 3, answer=final)
    assert gives_away(Draft(text=text, answer=answer), found) == away


def test_wrong_answers() -> None:
    said = SaidAnswers(answers=["red", "the Red", "BLUE.", "blue", "x" * 201, "", "dark red", "2"])
    sifted = sift_answers(said, step("What colour?", "red"), 3, taken=["two"])
    assert [draft.text for draft in sifted.good] == ["BLUE."]
    assert [bad.fault for bad in sifted.bad] == [
        "may mean the true answer",
        "may mean the true answer",
        "means what another means",
        "too long",
        "empty",
        "may mean the true answer",
        "means what another means",
    ]
    assert sifted.lack(3) is not None


@given(
    st.lists(st.tuples(st.text(max_size=400), st.text(max_size=300)), max_size=9), st.integers(1, 4)
)
def test_whatever_is_said_can_be_stored_and_edited(
    pairs: list[tuple[str, str]], wanted: int
) -> None:
    sifted = sift_questions(questions(*pairs), chain(), wanted)
    assert len(sifted.good) <= wanted
    for draft in sifted.good:
        assert 0 < len(draft.text) <= 300
        assert 0 < len(draft.answer or "") <= 200
        for text in (draft.text, draft.answer or ""):
            assert text.isprintable()
            assert text == " ".join(text.split())
    lack = sifted.lack(wanted + 1)
    assert lack is not None
    assert len(lack) < 1200
    assert lack.isprintable()


def test_no_more_is_looked_at_than_could_be_of_use() -> None:
    many = questions(*[("x" * 100_000, "y")] * 10_000)
    assert len(sift_questions(many, chain(), 2).bad) == 8
    assert len(sift_answers(SaidAnswers(answers=["red"] * 10_000), step("?", "red"), 2).bad) == 8
