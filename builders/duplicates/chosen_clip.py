"""The CLIP of a run of dedup, on this machine or on every node of a cluster."""

from dataclasses import dataclass
from functools import partial

from benchwright.clip.embedder import Embedder
from benchwright.clip.spreading import Spread
from benchwright.engines.pools import one_a_node
from benchwright.workers import Workers
from builders.duplicates.clip import clip_embedder
from builders.duplicates.settings import DedupSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    """The model of this machine, and the settings that it is loaded by on others.

    ``is_given``: it was handed over by a caller, and goes to other machines as it is.
    """

    embedder: Embedder
    settings: DedupSettings
    is_given: bool = False

    def spread(self, workers: Workers) -> Spread | None:
        """Return how pictures are embedded by these workers; null: on this machine."""
        nodes = one_a_node(workers)
        if nodes is None:
            return None
        load = partial(clip_embedder, self.settings.model, self.settings.weights)
        return Spread(
            workers=nodes,
            load=partial(_itself, self.embedder) if self.is_given else load,
            identity=self.embedder.identity,
        )


def chosen_clip(settings: DedupSettings, given: Embedder | None) -> Clip | None:
    """Return the model for the method clip; null for another method.

    Raises as ``tested_model`` does.
    """
    if settings.method != "clip":
        return None
    if given is not None:
        return Clip(embedder=given, settings=settings, is_given=True)
    return Clip(embedder=clip_embedder(settings.model, settings.weights), settings=settings)


def _itself(embedder: Embedder) -> Embedder:
    return embedder
