"""What a view shows of a picture, as pixels: what a model server would be sent, not encoded."""

from PIL import Image

from benchwright.asking.requests import PicturePart
from benchwright.asking.views import Encoder, _drawn, _layout, _source
from benchwright.asking.voters import PictureLimits

# open_clip brings every picture to its own size: nothing is scaled or padded but by the view
_UNBOUNDED = PictureLimits(max_side=1_000_000, min_side=1, format="png")


class Sight(Encoder):
    """An encoder that gives pixels; several views of one picture decode it once."""

    def picture(self, part: PicturePart) -> Image.Image:
        """Return what a part shows, upright sRGB; raises as ``Encoder.encoded`` does."""
        source = self._sources.made(part.sha256, lambda: _source(part))
        return _drawn(source.image, _layout(*source.image.size, part.view, _UNBOUNDED))
