"""On what terms things are released."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """On what terms things are released.

    ``why_not`` says of pictures that may not be shared why (a licence, a takedown): no sample that
    shows one of them is kept. ``withdrawn`` are samples that were found wrong, by config and id.
    With an ``answer_key`` the answers of samples are held back, with ``keep_metadata`` pictures
    keep their EXIF and the like. Of runs in ``without_runs``, by their names, nothing goes out.
    """

    canary: str
    why_not: Mapping[str, str] = field(default_factory=dict)
    withdrawn: frozenset[tuple[str, str]] = frozenset()
    answer_key: bytes | None = None
    keep_metadata: bool = False
    without_runs: frozenset[str] = frozenset()
