"""Machine code that numba has cached: forgotten when any file it was made from has changed.

numba keeps the code of a function until the function's own file changes. What it took in from
other files may have changed as well, and would go on unseen: other galleries, without a word.
"""

import hashlib
import logging
from pathlib import Path

_log = logging.getLogger(__name__)
_STAMP = "kernels.sha256"


def forget_stale(folder: Path) -> None:
    """Remove the cached code of a package folder unless it was made from just these sources."""
    cache = folder / "__pycache__"
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    stamp = cache / _STAMP
    try:
        if stamp.is_file() and stamp.read_text("ascii") == digest.hexdigest():
            return
        for path in cache.glob("*.nb[ci]"):
            path.unlink(missing_ok=True)
        cache.mkdir(exist_ok=True)
        stamp.write_text(digest.hexdigest(), "ascii")
    except OSError as error:  # a package that nobody may write into does not change either
        _log.debug("the cache of compiled code stays as it is: %s", error)
