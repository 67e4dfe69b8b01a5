"""Pictures in requests become pixels, or a 400."""

import base64
import binascii
import hashlib
import io
import re
import warnings
from collections import OrderedDict
from typing import Literal, cast

from PIL import Image

from benchwright.errors import PictureError
from benchwright.sniffing import sniff
from stand_ins.models.question import Eyes, Look, Seen
from stand_ins.models.responses import Refused

_HEAD = re.compile(r"data:([\w.+/-]*);base64,")
_KINDS = {"image/jpeg": "JPEG", "image/png": "PNG"}
_REMEMBERED = 512


class Decoder:
    """Decodes data URIs and looks at them; a picture that came before is not decoded again."""

    def __init__(self, eyes: Eyes | None) -> None:
        self._eyes = eyes
        self._seen: OrderedDict[bytes, Seen] = OrderedDict()

    def decode(self, url: str) -> Seen:
        """Return the picture that a data URI holds.

        Raises Refused (400) for links, for what is neither JPEG nor PNG or says that it is the
        other one, and for what cannot be decoded.
        """
        key = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if key in self._seen:
            self._seen.move_to_end(key)
            return self._seen[key]
        seen = self._look(*_bytes_of(url))
        self._seen[key] = seen
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return seen

    def _look(self, data: bytes, kind: Literal["JPEG", "PNG"]) -> Seen:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with Image.open(io.BytesIO(data), formats=(kind,)) as opened:
                    image = opened.convert("RGB")
        except Exception as error:  # Pillow's plugins raise anything on broken files
            raise _refused(f"the picture cannot be decoded: {type(error).__name__}") from error
        digest = hashlib.blake2b(repr(image.size).encode(), digest_size=8)
        digest.update(image.tobytes())
        look = self._eyes.look(image) if self._eyes else Look(sight="unknown")
        return Seen(
            data=data,
            format=kind,
            width=image.width,
            height=image.height,
            pixels=digest.hexdigest(),
            look=look,
        )


def _bytes_of(url: str) -> tuple[bytes, Literal["JPEG", "PNG"]]:
    head = _HEAD.match(url)
    if head is None:
        raise _refused(f"only base64 data URIs are taken, got {url[:40]!r}")
    wanted = _KINDS.get(head[1])
    if wanted is None:
        raise _refused(f"image/jpeg and image/png are taken, got {head[1]!r}")
    try:
        data = base64.b64decode(url[head.end() :], validate=True)
        found = sniff(data)
    except (binascii.Error, ValueError, PictureError) as error:
        raise _refused(f"the picture cannot be decoded: {error}") from error
    if found != wanted:
        raise _refused(f"the picture is said to be {head[1]} but its bytes are {found}")
    return data, cast('Literal["JPEG", "PNG"]', found)


def _refused(message: str) -> Refused:
    return Refused(400, message, code="invalid_image", param="messages")
