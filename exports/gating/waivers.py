"""Failures that whoever makes a release lets pass, each with a reason that the card shows."""

from collections.abc import Iterable, Sequence

from benchwright.errors import UsageError
from benchwright.plain_text import excerpt, plain
from exports.gating.check import CHECKS, Check

Waivers = tuple[tuple[str, str], ...]  # check and reason
_LONGEST = 500  # characters of a reason


def waivers_of(checks: Sequence[str], reasons: Sequence[str]) -> Waivers:
    """Return the waivers of the options --waive and --reason, by check.

    Raises UsageError for a check that there is not, or twice, and for one without a reason.
    """
    if len(checks) != len(reasons):
        raise UsageError(
            f"--waive wants one --reason each: got {len(checks)} and {len(reasons)}; give both as"
            " often, in the same order"
        )
    found: dict[str, str] = {}
    for check, reason in zip(checks, reasons, strict=True):
        said = plain(reason).strip()
        if check not in CHECKS:
            raise UsageError(
                f"--waive {excerpt(check)}: there is no such check; there are {', '.join(CHECKS)}"
            )
        if check in found:
            raise UsageError(f"--waive {check}: given twice; one reason is enough")
        if not 0 < len(said) <= _LONGEST:
            raise UsageError(
                f"--waive {check}: wants a --reason of 1 to {_LONGEST} characters, got {len(said)};"
                " it stands on the card"
            )
        found[check] = said
    return tuple(sorted(found.items()))


def unneeded(waivers: Iterable[Sequence[str]], checks: Iterable[Check]) -> list[str]:
    """Return the waived checks that let nothing pass: they do not fail, or were not made."""
    used = {check.name for check in checks if check.outcome == "waived"}
    return [name for name, _ in waivers if name not in used]


def with_waivers(checks: Iterable[Check], waivers: Waivers) -> list[Check]:
    """Return the checks; those that fail and were waived have the reason."""
    reasons = dict(waivers)
    return [
        check
        if check.passed or check.name not in reasons
        else check.model_copy(update={"waived": reasons[check.name]})
        for check in checks
    ]
