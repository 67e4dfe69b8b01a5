"""What contests share: the machine, pictures of noise, lines, ratios, and how they fail."""

import hashlib
import importlib.util
import os
import platform
import statistics
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from PIL import Image

PACKAGES = ("numpy", "numba", "scipy", "pandas", "faiss-cpu", "SetSimilaritySearch")


class Disagreement(SystemExit):
    """Contestants did not come to the same: the bench says so on stderr and exits with 1."""


def held(lines: Iterable[str]) -> None:
    """Print the machine and the lines of a contest as they come."""
    print(machine(), end="\n\n", flush=True)
    for line in lines:
        print(line, flush=True)


def draw(folder: Path, count: int, size: tuple[int, int]) -> list[Path]:
    """Write pictures of noise as JPEG: some 40 kB each at 512 x 384, as a small view of a photo."""
    paths = []
    for number in range(count):
        seed = hashlib.sha256(str(number).encode()).digest()
        small = Image.frombytes("RGB", (36, 27), (seed * 100)[: 36 * 27 * 3])
        path = folder / f"{size[0]}-{number:02d}.jpg"
        small.resize(size, Image.Resampling.BICUBIC).save(path, quality=92)
        paths.append(path)
    return paths


def ratios(over: Iterable[float], under: Iterable[float]) -> str:
    """Return the median ratio of runs that were made in turns, with the least and the most."""
    found = sorted(one / other for one, other in zip(over, under, strict=True))
    return f"{statistics.median(found):.2f} ({found[0]:.2f}-{found[-1]:.2f})"


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
