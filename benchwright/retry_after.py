"""The header Retry-After, which is seconds or a date."""

import math
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after(value: str | None) -> float | None:
    """Return how many seconds a header asks to wait, at least 0; null where it says nothing."""
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        return _until(value)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _until(value: str) -> float | None:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    left = moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)
    return max(0.0, left.total_seconds())
