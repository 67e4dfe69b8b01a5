"""Names of auditors."""

import logging

import pytest

from benchwright.decisions.auditors import (
    auditor_name,
    spelled_otherwise,
    warn_if_spelled_otherwise,
)
from benchwright.errors import UsageError
from stand_ins.auditors import decision


@pytest.mark.parametrize(
    ("given", "name"), [("ana", "ana"), ("  Bo B. ", "Bo B."), ("李", "李"), ("a" * 64, "a" * 64)]
)
def test_names_of_auditors(given: str, name: str) -> None:
    assert auditor_name(given) == name


@pytest.mark.parametrize("given", ["", "  ", "a" * 65, "a\nb", "a\x1bb", "a\u202eb", "\ud800"])
def test_names_that_are_refused(given: str) -> None:
    with pytest.raises(UsageError, match="1 to 64 printable characters") as caught:
        auditor_name(given)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ana", "ana"),  # case
        ("bo  b.", "Bo B."),  # inner blanks, and case
        ("BoB.", "Bo B."),
        ("ana", None),  # the very same
        ("anna", None),
        ("José", None),  # nobody of the name
    ],
)
def test_two_spellings_of_a_name(name: str, other: str | None) -> None:
    held = [decision(auditor=each) for each in ("Bo B.", "ana")]
    assert spelled_otherwise(name, held) == other


def test_one_line_names_both_spellings(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        warn_if_spelled_otherwise(["Ana", "Ana", "cy"], [decision(auditor="ana")])
    (line,) = caplog.messages
    assert "'Ana'" in line
    assert "'ana'" in line
