"""Retry-After: seconds or a date, whatever a server writes there."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from benchwright.retry_after import retry_after


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),  # no header
        ("7", 7.0),  # seconds
        ("0.5", 0.5),  # some servers send fractions
        ("86400", 86400.0),  # a day is a day
        ("-3", 0.0),  # the moment has passed
        ("nan", None),  # no number to wait for
        ("inf", None),  # nobody waits for ever
        ("soon", None),  # no date either
        ("", None),
        ("Mon, 01 Jan 1990 00:00:00 GMT", 0.0),  # a date that has passed
        ("Mon, 99 Jan 1990 00:00:00 GMT", None),  # no such day
    ],
)
def test_header(value: str | None, seconds: float | None) -> None:
    assert retry_after(value) == seconds


def test_date_to_come() -> None:
    moment = datetime.now(UTC) + timedelta(minutes=5)
    found = retry_after(format_datetime(moment, usegmt=True))
    assert found is not None
    assert 290 < found <= 300
