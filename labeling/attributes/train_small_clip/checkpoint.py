"""The files of the small CLIP: what open_clip loads as ``local-dir:``."""

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
FIGURES = "figures.json"


def write_checkpoint(
    folder: Path, network: Any, config: dict[str, Any], merges: Iterable[Merge], texts: list[str]
) -> None:
    """Write the weights in half precision with their config, tokenizer and known embeddings.

    ``texts`` are those whose embeddings are recorded. What was recorded or measured of another
    checkpoint in the folder goes first. Raises UsageError when what was written
    cannot be loaded again.
    """
    import torch  # noqa: PLC0415
    from safetensors.torch import save  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    for made_of_others in (KNOWN, FIGURES):
        (folder / made_of_others).unlink(missing_ok=True)
    weights = {
        name: (values.half() if values.is_floating_point() else values).contiguous()
        for name, values in network.state_dict().items()
    }
    files.write_bytes(folder / WEIGHTS, save(weights, metadata={"format": "pt"}))
    files.write_json(folder / CONFIG, config)
    write_merges(folder / MERGES, merges)
    with torch.inference_mode():
        write_recorded(folder / KNOWN, load_open_clip(f"local-dir:{folder}"), texts)
