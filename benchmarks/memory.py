"""The resident memory of this process and its peak.

What this module imports is resident in every process that is measured: nothing but what Python
itself brings.
"""

import resource
from pathlib import Path

_CLEAR = Path("/proc/self/clear_refs")


def reset_peak() -> int:
    """Forget the peak where that is possible; return the resident memory, in bytes."""
    if not _CLEAR.exists():
        return peak()
    _CLEAR.write_text("5")
    return _status("VmRSS")


def peak() -> int:
    """Return the peak of the resident memory since it was last forgotten, in bytes."""
    if not _CLEAR.exists():  # not Linux: the peak since the start, in bytes on macOS
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return _status("VmHWM")


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise ValueError(f"/proc/self/status has no {field}")
