"""The one recipe of the small CLIP: every number that decides what comes out."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Part of the training: ``passes`` pictures of ``side`` pixels, with captions or without.

    Without captions the picture's tower learns by a head that names the attributes, which is
    thrown away; it is the quickest way to see, and a stage with captions then starts from eyes
    that see.
    """

    passes: int
    side: int
    captions: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How much is drawn, how large the towers are, how long and how fast is learnt.

    Sides are in pixels. ``side`` is what the network is given in the end, ``drawn_side`` what is
    kept of a drawing, of which training takes a random window. ``batch`` is how many pictures are
    seen at once. ``rate`` is the greatest step of AdamW, reached after the share ``warm`` of the
    passes. ``spoilt`` is the share of pictures that are blurred, made noisy, darker or of another
    tint. ``known`` and ``unseen`` are how many further drawings the evaluation calibrates and
    measures on.
    """

    pictures: int = 16_000
    side: int = 192
    drawn_side: int = 208
    width: int = 16
    layers: tuple[int, int, int, int] = (2, 2, 2, 2)
    embedding: int = 128
    text_width: int = 128
    text_layers: int = 2
    context: int = 40
    merges: int = 1_000
    stages: tuple[Stage, ...] = (
        Stage(passes=60_000, side=128),
        Stage(passes=160_000, side=192),
        Stage(passes=80_000, side=192, captions=True),
    )
    batch: int = 32
    rate: float = 2e-3
    warm: float = 0.02
    decay: float = 0.05
    spoilt: float = 0.3
    known: int = 500
    unseen: int = 1_000
    seed: int = 0

    @property
    def passes(self) -> int:
        """All pictures that are seen."""
        return sum(stage.passes for stage in self.stages)
