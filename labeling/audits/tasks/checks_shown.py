"""Checks as a screen draws them."""

from collections.abc import Iterable
from typing import Any

from benchwright.records import Check


def checks_shown(checks: Iterable[Check]) -> list[dict[str, Any]]:
    """Return checks as JSON."""
    return [{"name": each.name, "passed": each.passed, "reason": each.reason} for each in checks]
