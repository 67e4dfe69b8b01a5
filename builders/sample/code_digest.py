"""One hash of the code that draws: another drawing is another catalog."""

import hashlib
from pathlib import Path


def code_digest() -> str:
    """Return the sha256 of the names and texts of all modules in this folder and below it."""
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
