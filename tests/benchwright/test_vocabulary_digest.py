"""The digest of a vocabulary: of what it says of labels, not of how it is written."""

from pathlib import Path

import pytest

from benchwright.vocabulary_digest import vocabulary_digest, vocabulary_text_digest


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a: 1\nb: 2\n", "b: 2\na: 1\n", True),  # the order of keys
        ("a: 1\n", "# why\na:   1\n", True),  # comments and blanks
        ("a: 1\n", "a: 2\n", False),
        ("a: 2026-11-29\n", "a: 2026-11-30\n", False),  # a date, which JSON does not have
        ("v: {templates: [x]}\n", "v: {templates: [y]}\n", True),  # wordings decide no label
        ("v: {templates: [x]}\n", "v:\n", True),  # an entry without anything else is an empty one
        ("v: {aliases: [x]}\n", "v: {aliases: [y]}\n", False),
        ("v: {templates: [x], aliases: [z]}\n", "v: {aliases: [z]}\n", True),
    ],
)
def test_the_digest_is_of_what_is_said(tmp_path: Path, one: str, other: str, same: bool) -> None:
    path = tmp_path / "vocabulary.yaml"
    path.write_text(one, "utf-8")
    assert (vocabulary_digest(path) == vocabulary_text_digest(other)) is same
