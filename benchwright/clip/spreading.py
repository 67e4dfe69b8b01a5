"""Embedding on the nodes of a Ray cluster, each with the same model, loaded once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from PIL import Image

from benchwright.clip.embedder import Embedder, Vectors
from benchwright.errors import UsageError
from benchwright.workers import Workers

Pixels = Callable[[], Image.Image]

_MODELS = 4  # that a process keeps: an ensemble may have several

_loaded: dict[str, Embedder] = {}  # the models of this process, by their identities


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Workers, one for each node, that embed; ``load`` must give the model of this identity."""

    workers: Workers
    load: Callable[[], Embedder]
    identity: str

    def vectors(self, batches: Iterable[Sequence[Pixels]]) -> Iterator[Vectors]:
        """Yield the embeddings of each batch of pictures, in their order.

        Raises UsageError where a node has another model under the same name.
        """
        work = partial(_vectors, self.load, self.identity)
        return self.workers.map_ordered(work, batches)


def _vectors(load: Callable[[], Embedder], identity: str, batch: Sequence[Pixels]) -> Vectors:
    if identity not in _loaded:
        embedder = load()
        if embedder.identity != identity:
            raise UsageError(
                f"the model {embedder.name} of a node of the Ray cluster is not that of this"
                " machine: install the same weights and packages on all nodes"
            )
        if len(_loaded) >= _MODELS:
            _loaded.pop(next(iter(_loaded)))
        _loaded[identity] = embedder
    return _loaded[identity].pictures(pixels() for pixels in batch)
