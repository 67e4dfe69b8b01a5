"""Names: of voters made of models' names, and of runs, which are folders."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import UsageError
from evaluation.running.naming import Named, checked_name, name_from, run_name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Qwen2.5-VL-7B-Instruct", "Qwen2.5-VL-7B-Instruct"),
        ("user/things@v1.0.0", "user-things-v1.0.0"),
        ("a b\n\x1b[31m", "a-b-31m"),
        ("../../etc", "etc"),
        ("…", "model"),
        ("", "model"),
        ("x" * 300, "x" * 80),
    ],
)
def test_a_name_is_made_of_any_text(text: str, expected: str) -> None:
    assert name_from(text, "model") == expected


@given(st.text(), st.text(), st.text())
def test_a_run_that_is_named_for_the_user_has_a_name_that_a_user_could_give(
    player: str, config: str, release: str
) -> None:
    name = run_name(name_from(player, "model"), config or "c", release or "r")
    assert "/" not in name
    assert name == name_from(name, "run")[: len(name)] or len(name) > 80


@given(st.text())
def test_a_model_of_any_name_is_a_voter(model: str) -> None:
    if model:
        named = Named(model=model, base_url="http://localhost:8000/v1")
        assert named.player(None, ()).model == model  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", ".pictures", "-x", "a b", "x" * 161])
def test_what_is_no_name_of_a_folder_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="wants letters, digits, dots"):
        checked_name(name)


@pytest.mark.parametrize("name", ["a", "Qwen2.5-VL.tau-0.6", "x" * 160])
def test_a_name_is_taken_as_it_is(name: str) -> None:
    assert checked_name(name) == name
