"""What contests share: the machine that they are held on, and their lines printed as they come."""

import importlib.util
import os
import platform
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("numpy", "numba", "scipy", "pandas", "faiss-cpu", "SetSimilaritySearch")


def held(lines: Iterable[str]) -> int:
    """Print the machine and the lines of a contest; return 1 where contestants differ, else 0."""
    print(machine(), end="\n\n", flush=True)
    try:
        for line in lines:
            print(line, flush=True)
    except AssertionError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def machine() -> str:
    """Return CPU and versions in one line."""
    info = Path("/proc/cpuinfo")
    fields = (
        dict(line.split(":", 1) for line in info.read_text().splitlines() if ":" in line)
        if info.exists()
        else {}
    )
    named = {key.strip(): value.strip() for key, value in fields.items()}
    cpu = named.get("model name", platform.processor())
    family = f"family {named.get('cpu family', '?')}, model {named.get('model', '?')}"
    packages = [f"{name} {version(name)}" for name in PACKAGES if _has(name)]
    cores = os.cpu_count()
    return f"{cpu} ({family}), {cores} cores; Python {platform.python_version()}, " + ", ".join(
        packages
    )


def _has(package: str) -> bool:
    return importlib.util.find_spec({"faiss-cpu": "faiss"}.get(package, package)) is not None
