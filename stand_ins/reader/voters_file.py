"""Files that name scripted models as pages name real ones."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

# by the names that pages give them: what their servers call them
MODELS = {
    "qwen": "Qwen/Qwen2.5-VL-7B-Instruct",
    "mini": "gpt-4.1-mini",
    "intern": "OpenGVLab/InternVL3-8B",
    "judge": "keen",
    "one": "gpt-4o",
    "two": "qwen2-vl",
    "three": "gemini-2.5",
}
NAMED = ("NAME", "MODEL")  # where a page leaves the name to its reader
_MEASURED = ("one",)  # who gives probabilities
_PATIENCE = 15  # seconds: a server whose brain fails would be waited for


def write_voters(
    path: Path, base_url: str, names: Sequence[str] = tuple(MODELS), **more: Any
) -> None:
    """Write a voters' file, or with ``more`` an ensemble, of models behind one server."""
    voters = [
        {
            "name": name,
            "model": MODELS[name],
            "base_url": base_url,
            "patience": _PATIENCE,
            "logprobs": 5 if name in _MEASURED else 0,
        }
        for name in names
    ]
    path.write_text(yaml.safe_dump({"voters": voters, **more}), "utf-8")
