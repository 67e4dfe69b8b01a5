"""What the user says of pictures, whatever the source: copies, placeholders, dead links."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from benchwright.errors import PictureError, UsageError
from benchwright.pictures import read_picture
from benchwright.store import Plan, digest_of

_DIGEST = re.compile(r"[0-9a-f]{64}", re.IGNORECASE)
_MOST_BYTES = 64 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureRules:
    """How pictures get into a catalog.

    With ``link`` files that can stay as they are stay where they are: the catalog holds symbolic
    links to them, and their hashes. ``placeholders`` are the sha256 of what links give in place
    of a picture. ``most_dead``: the share of links without a picture, 0 to 1, above which the
    run fails; null for no limit.
    """

    link: bool = False
    placeholders: frozenset[str] = frozenset()
    most_dead: float | None = None

    def __post_init__(self) -> None:
        """Refuse a share that is none; what is no number compares with nothing."""
        if self.most_dead is not None and not 0 <= self.most_dead <= 1:
            raise UsageError(f"--max-dead-links wants a share from 0 to 1; got {self.most_dead}")

    def within(self, plan: Plan) -> Plan:
        """Return the plan with what of this decides the output."""
        if self.link:
            plan = replace(plan, settings={**plan.settings, "link": True})
        if self.placeholders:
            digest = digest_of(sorted(self.placeholders))
            plan = replace(plan, inputs={**plan.inputs, "placeholders": digest})
        return plan


DEFAULT_RULES = PictureRules()


def placeholders_in(paths: Iterable[Path]) -> frozenset[str]:
    """Return the sha256 of placeholders: of each picture file, or those that a text lists.

    A line of a text begins with a sha256, as sha256sum writes it; blank lines and what follows a
    '#' say nothing. Raises UsageError for a file that is neither.
    """
    return frozenset(digest for path in paths for digest in _placeholders(path))


def _placeholders(path: Path) -> list[str]:
    try:
        with path.open("rb") as stream:
            data = stream.read(_MOST_BYTES)
    except OSError as error:
        raise UsageError(
            f"{path}: {error.strerror}; --placeholder wants a picture, or a text with a sha256 a "
            "line"
        ) from error
    try:
        read_picture(data)
    except PictureError as error:
        return _listed(path, data, error)
    return [hashlib.sha256(data).hexdigest()]


def _listed(path: Path, data: bytes, error: PictureError) -> list[str]:
    wanted = "a picture, or a text with a sha256 a line, was wanted"
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise UsageError(f"{path}: no picture ({error}) and no text; {wanted}") from None
    found: list[str] = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if not _DIGEST.fullmatch(words[0]):
            raise UsageError(f"{path}, line {number}: {words[0][:80]!r} is no sha256; {wanted}")
        found.append(words[0].lower())
    if not found:
        raise UsageError(f"{path}: no sha256 in it; {wanted}")
    return found
