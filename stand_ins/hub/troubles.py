"""What a Hub does to a request instead of answering it."""

from dataclasses import dataclass
from typing import Literal


@dataclass(slots=True, kw_only=True)
class Trouble:
    """Befalls the requests whose method and path match, after ``after`` of them, ``times`` times.

    ``path`` is part of the path. ``status`` answers so, with ``retry_after`` seconds where given;
    ``cut`` resets the connection: ``in_upload`` after half of the body that comes, ``in_answer``
    after half of the one that goes, ``after_answer`` once all was done and before a word of it.
    ``stall`` never answers, until the client goes.
    """

    method: str
    path: str
    status: int | None = None
    retry_after: int | None = None
    cut: Literal["in_upload", "in_answer", "after_answer"] | None = None
    stall: bool = False
    after: int = 0
    times: int = 1

    def strikes(self, method: str, path: str) -> bool:
        """Tell whether a request meets this trouble, and count it."""
        if method != self.method or self.path not in path or self.times == 0:
            return False
        if self.after:
            self.after -= 1
            return False
        self.times -= 1
        return True
