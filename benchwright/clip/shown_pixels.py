"""What a view shows of a picture, as pixels: what a model server would be sent, not encoded."""

from PIL import Image

from benchwright.asking.requests import PicturePart
from benchwright.asking.views import Source, drawn, layout_of, source_of
from benchwright.asking.voters import PictureLimits

# open_clip brings every picture to its own size: nothing is scaled or padded but by the view
_UNBOUNDED = PictureLimits(max_side=1_000_000, min_side=1, format="png")


class ShownPixels:
    """Gives what parts show; use it in one thread.

    The last picture stays decoded, so several of its views in a row decode it once.
    """

    def __init__(self) -> None:
        self._last: tuple[str, Source] | None = None

    def __reduce__(self) -> tuple[type["ShownPixels"], tuple[()]]:
        return ShownPixels, ()  # what is decoded stays in its process

    def picture(self, part: PicturePart) -> Image.Image:
        """Return what a part shows, upright sRGB; raises as ``Encoder.encoded`` does."""
        if self._last is None or self._last[0] != part.sha256:
            self._last = None  # two large ones need not be in memory
            self._last = part.sha256, source_of(part)
        image = self._last[1].image
        return drawn(image, layout_of(*image.size, part.view, _UNBOUNDED))
