"""The files of the small CLIP: what open_clip loads as ``local-dir:``."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchwright import files
from benchwright.clip.choosing import KNOWN
from benchwright.clip.open_clip_model import load_open_clip
from benchwright.clip.recorded import write_recorded
from labeling.attributes.train_small_clip.merges import Merge, write_merges

CONFIG, WEIGHTS = "open_clip_config.json", "open_clip_model.safetensors"
MERGES = "bpe_merges.txt.gz"
MOST_BYTES = 8_000_000


def write_checkpoint(
    folder: Path, network: Any, config: dict[str, Any], merges: Iterable[Merge], texts: list[str]
) -> None:
    """Write the weights in half precision with their config, tokenizer and known embeddings.

    ``texts`` are those whose embeddings are recorded. Raises UsageError when what was written
    cannot be loaded again.
    """
    import torch  # noqa: PLC0415
    from safetensors.torch import save  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    weights = {
        name: (values.half() if values.is_floating_point() else values).contiguous()
        for name, values in network.state_dict().items()
    }
    files.write_bytes(folder / WEIGHTS, save(weights, metadata={"format": "pt"}))
    files.write_bytes(folder / CONFIG, json.dumps(config, indent=2, sort_keys=True).encode())
    write_merges(folder / MERGES, merges)
    with torch.inference_mode():
        write_recorded(folder / KNOWN, load_open_clip(f"local-dir:{folder}"), texts)
