"""Who is who: the id of a picture, made of what the source calls it."""

import hashlib


def image_id_of(source: str, source_id: str) -> str:
    """Return the image id: 16 hex digits, from the source's name and its canonical id.

    Never a row number or a path, so that it survives a sorted file and a moved folder.
    """
    return hashlib.sha256(f"{source}\0{source_id}".encode()).hexdigest()[:16]
