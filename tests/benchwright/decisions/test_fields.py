import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.decisions.fields import label_field, label_of


@pytest.mark.parametrize(
    ("type_name", "value", "field"),
    [
        ("colour", "red", "colour/red"),
        ("size", "38/40", "size/38~140"),  # a slash of the value
        ("a/b", "c", "a~1b/c"),  # not the same as the type a with the value b/c
        ("~1", "~", "~01/~0"),  # what looks escaped already
        ("", "", "/"),
    ],
)
def test_a_field_names_one_label(type_name: str, value: str, field: str) -> None:
    assert label_field(type_name, value) == field
    assert label_of(field) == (type_name, value)


def test_the_name_of_a_check_is_no_label() -> None:
    assert label_of("naturalness") is None


@given(st.text(), st.text())
def test_every_label_is_read_back(type_name: str, value: str) -> None:
    assert label_of(label_field(type_name, value)) == (type_name, value)
