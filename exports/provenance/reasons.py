"""Why something was declared, in the words of who declared it."""

from typing import Annotated

from pydantic import Field

from benchwright.errors import UsageError
from benchwright.plain_text import plain

_LONGEST = 1000
Reason = Annotated[str, Field(min_length=1, max_length=_LONGEST)]


def checked_reason(text: str) -> str:
    """Return a reason as one line without what would steer a terminal.

    Raises UsageError for an empty one, a long one, or one that is no text.
    """
    reason = plain(text).strip()
    if not reason or len(reason) > _LONGEST:
        raise UsageError(
            f"--reason wants a line of 1 to {_LONGEST:,} characters, got {len(reason):,}"
        )
    return reason
