import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.dialogues.question_chain.distracting.styling import form_of, styled


@pytest.mark.parametrize(
    ("text", "true", "wanted"),
    [
        ("The red car.", "the blue car", "the red car"),
        ("the red car", "The blue car.", "The red car."),
        ("is it wet", "What is it?", "Is it wet?"),
        ("Is it wet?!", "name the colour", "is it wet"),
        ("Est-il rouge?", "Qui est-ce ?", "Est-il rouge ?"),
        ("BMW", "the blue car", "BMW"),  # no word with one large letter
        ("Paris", "in London", "Paris"),  # where names are about, they keep theirs
        ("iPhone", "Phone", "iPhone"),
        ("3rd", "The first", "3rd"),
        ("...", "red", "..."),  # there is nothing to style
        ("", "red", ""),
    ],
)
def test_styled(text: str, true: str, wanted: str) -> None:
    assert styled(text, true) == wanted


TEXTS = st.text(max_size=12).map(lambda text: " ".join(text.split()))  # as texts of chains are


@given(TEXTS, TEXTS)
def test_a_style_once_taken_stays(text: str, true: str) -> None:
    once = styled(text, true)
    assert styled(once, true) == once
    assert styled(true, true) == true


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("What is it?", "open"),
        ("In which lane does it drive?", "open"),
        ("Of what are the chairs made?", "open"),
        ("Is it wet or dry?", "closed"),
        ("Does what he holds shine?", "closed"),
        ("Name the colour of the sky.", "imperative"),
        ("The colour of the sky is what?", "imperative"),
        ("", "imperative"),
    ],
)
def test_forms(question: str, form: str) -> None:
    assert form_of(question) == form
