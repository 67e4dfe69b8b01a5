"""Any model of open_clip as an embedder."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

import numpy as np
from PIL import Image

from benchwright.clip.choosing import INSTALL, Choice, choose
from benchwright.clip.embedder import Vectors, unit_rows
from benchwright.errors import UsageError

R = TypeVar("R")

BATCH = 32
TEXTS = 256  # captions that are embedded at once
# among any number of rows that is a multiple of this a row comes out the same, mostly to the last
# bit: not so among odd numbers, for which the kernels that multiply matrices go other ways
_ROWS = 8


def load_open_clip(
    model: str,
    pretrained: str | None = None,
    *,
    device: str = "cpu",
    batch: int = BATCH,
    instead: str = "",
) -> "OpenClip":
    """Return a model of open_clip with its weights; float32 on the device named.

    ``device`` is one of torch's (cpu, cuda, cuda:1, mps), or auto: a GPU where there is one.
    ``instead`` ends the message where the extra is missing. A file of weights is read as weights
    only: what else is pickled in it is refused, never run.

    Raises UsageError when the extra clip is not installed, and when the model, its weights or the
    device cannot be had.
    """
    open_clip, torch = open_clip_and_torch(instead)
    choice = choose(open_clip, model, pretrained)
    placed = _device(torch, device)
    try:
        network = open_clip.create_model(
            choice.model,
            pretrained=choice.pretrained,
            precision="fp32",
            force_quick_gelu=choice.quick_gelu,
            require_pretrained=True,
            weights_only=True,
        )
        merges = {} if choice.merges is None else {"bpe_path": str(choice.merges)}
        tokenizer = open_clip.get_tokenizer(choice.model, **merges)
        return OpenClip(open_clip, torch, network, tokenizer, choice, placed, batch)
    except Exception as error:  # a stranger's config and weights make the loaders raise anything
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise UsageError(
            f"the CLIP model {choice.name} cannot be loaded ({said[:300]}); check its config and"
            " weights, or name another one"
        ) from error


class OpenClip:
    """A loaded model; a ``TestableEmbedder``.

    On one kind of CPU a picture or text gives the same bytes, whatever else is in its batch.
    """

    def __init__(
        self,
        open_clip: Any,
        torch: Any,
        network: Any,
        tokenizer: Any,
        choice: Choice,
        device: Any,
        batch: int,
    ) -> None:
        self.name = choice.name
        self.batch = batch
        self.recorded = choice.recorded
        preprocessing = dict(network.visual.preprocess_cfg)
        self.mean = _three(preprocessing["mean"])
        self.std = _three(preprocessing["std"])
        self.identity = _identity(network, preprocessing)
        self._torch, self._tokenizer, self._device = torch, tokenizer, device
        self._quick = open_clip.transformer.QuickGELU
        cfg = open_clip.transform.PreprocessCfg(**preprocessing)
        self._prepare = open_clip.transform.image_transform_v2(cfg, is_train=False)
        self._network = network.eval().to(device)

    def pictures(self, images: Iterable[Image.Image]) -> Vectors:
        """Return (n, d); see ``Embedder``."""
        rows = []
        source = iter(images)
        while prepared := [self._prepare(image) for image in islice(source, self.batch)]:
            with self._torch.inference_mode():
                stacked = self._torch.stack(_filled_up(prepared)).to(self._device)
                encoded = self._network.encode_image(stacked)[: len(prepared)]
                rows.append(encoded.float().cpu().numpy())
        return self._joined(rows)

    def texts(self, texts: Sequence[str]) -> Vectors:
        """Return (n, d); see ``Embedder``."""
        rows = []
        for start in range(0, len(texts), TEXTS):
            some = list(texts[start : start + TEXTS])
            tokens = self._tokenizer(_filled_up(some)).to(self._device)
            with self._torch.inference_mode():
                encoded = self._network.encode_text(tokens)[: len(some)]
                rows.append(encoded.float().cpu().numpy())
        return self._joined(rows)

    def prepared(self, image: Image.Image) -> Vectors:
        """Return what the network is given; see ``TestableEmbedder``."""
        return np.asarray(self._prepare(image).numpy(), np.float32)

    @contextmanager
    def other_activation(self) -> Iterator[bool]:
        """Swap the activations; see ``TestableEmbedder``."""
        plain = self._torch.nn.GELU
        swapped = []
        for parent in self._network.modules():
            for name, child in parent.named_children():
                if type(child) in (plain, self._quick):
                    other = self._quick() if type(child) is plain else plain()
                    setattr(parent, name, other)
                    swapped.append((parent, name, child))
        try:
            yield bool(swapped)
        finally:
            for parent, name, child in swapped:
                setattr(parent, name, child)

    def _joined(self, rows: list[np.ndarray]) -> Vectors:
        return unit_rows(np.concatenate(rows)) if rows else np.zeros((0, 0), np.float32)


def _filled_up(rows: list[R]) -> list[R]:
    return rows + rows[-1:] * (-len(rows) % _ROWS)


def open_clip_and_torch(instead: str = "") -> tuple[Any, Any]:
    """Return the two packages; raise UsageError, which says what to install, where they are not.

    ``instead`` ends the message with what does without them.
    """
    try:
        import open_clip  # noqa: PLC0415
        import torch  # noqa: PLC0415
    except ImportError as error:
        other = f", or {instead}" if instead else ""
        raise UsageError(
            "CLIP needs open_clip and torch, which are not installed or do not import"
            f" ({error}); run {INSTALL}{other}"
        ) from error
    return open_clip, torch


def _device(torch: Any, device: str) -> Any:
    if device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        placed = torch.device(device)
        torch.zeros(1).to(placed)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise UsageError(
            f"device {device!r}: torch cannot use it here; take cpu, or one of cuda, cuda:1, mps"
            " that this machine has"
        ) from error
    return placed


def _three(values: Any) -> tuple[float, float, float]:
    if isinstance(values, int | float):
        return (float(values),) * 3
    red, green, blue = values
    return float(red), float(green), float(blue)


def _identity(network: Any, preprocessing: dict[str, Any]) -> str:
    """Return the hash of a network in whatever file it came: its modules, weights, preprocessing.

    The texts' tower is part of it: thresholds hang on it.
    """
    digest = hashlib.sha256(repr(network).encode())
    heads = [getattr(module, "num_heads", None) for module in network.modules()]  # not in repr
    said = [heads, preprocessing]
    digest.update(json.dumps(said, sort_keys=True, default=str).encode())
    for name, values in sorted(network.state_dict().items()):
        digest.update(f"{name} {tuple(values.shape)} {values.dtype}\0".encode())
        digest.update(values.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()
