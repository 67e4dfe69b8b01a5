"""How an attribute type is spelled, whatever a source calls it."""

import unicodedata


def attribute_type(name: str) -> str:
    """Return the attribute type that a name means: ``Pattern_Type`` is ``pattern type``."""
    return " ".join(unicodedata.normalize("NFKC", name).lower().replace("_", " ").split())
