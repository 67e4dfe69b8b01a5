"""The digest of a vocabulary: of what it says of labels, not of how it is written."""

from pathlib import Path

import pytest

from benchwright.vocabulary_digest import vocabulary_digest, vocabulary_text_digest


def of(value: str) -> str:
    """Return a vocabulary whose one value says this."""
    return f"types: {{t: {{values: {{v: {value}}}}}}}\n"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a: 1\nb: 2\n", "b: 2\na: 1\n", True),  # the order of keys
        ("a: 1\n", "# why\na:   1\n", True),  # comments and blanks
        ("a: 1\n", "a: 2\n", False),
        ("a: 2026-11-29\n", "a: 2026-11-30\n", False),  # a date, which JSON does not have
        (of("{templates: [x]}"), of("{templates: [y]}"), True),  # wordings decide no label
        (of("{templates: [x]}"), of("''"), True),  # an entry without anything else is empty
        (of("{aliases: [x]}"), of("{aliases: [y]}"), False),
        (of("{templates: [x], aliases: [z]}"), of("{aliases: [z]}"), True),
        # a type or a value of that name is one like others
        ("types: {t: {values: {templates: {aliases: [x]}}}}", "types: {t: {values: {}}}", False),
        ("types: {templates: {values: {v: ''}}}", "types: {}", False),
        ("types: [1]", "types: [2]", False),  # no vocabulary
    ],
)
def test_the_digest_is_of_what_is_said(tmp_path: Path, one: str, other: str, same: bool) -> None:
    path = tmp_path / "vocabulary.yaml"
    path.write_text(one, "utf-8")
    assert (vocabulary_digest(path) == vocabulary_text_digest(other)) is same
