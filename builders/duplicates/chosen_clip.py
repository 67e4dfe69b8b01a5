"""The CLIP of a run of dedup, on this machine or on every node of a cluster."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from benchwright.clip.embedder import Embedder
from benchwright.clip.spreading import Spread
from benchwright.engines.engine_workers import one_a_node
from benchwright.workers import Here, Workers
from builders.duplicates.clip import clip_embedder
from builders.duplicates.settings import DedupSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """The model of this machine, and what gives the same one on others."""

    embedder: Embedder
    load: Callable[[], Embedder]

    def spread(self, workers: Workers) -> Spread | None:
        """Return how pictures are embedded by these workers; null: on this machine."""
        nodes = one_a_node(workers)
        if nodes is None:
            return None
        return Spread(workers=nodes, load=self.load, identity=self.embedder.identity)


def chosen_clip(settings: DedupSettings, given: Embedder | None) -> Clip | None:
    """Return the model for the method clip; null for another method.

    One that is ``given`` goes to other machines as it is. Raises as ``tested_model`` does.
    """
    if settings.method != "clip":
        return None
    if given is not None:
        return Clip(embedder=given, load=Here(given))
    load = partial(clip_embedder, settings.model, settings.weights)
    return Clip(embedder=load(), load=load)
