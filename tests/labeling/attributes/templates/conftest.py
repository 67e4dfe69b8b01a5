"""What tests of templates share: vocabularies of dresses, of scenes and of odd values."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from benchwright.records import AttributeType, AttributeValue
from labeling.attributes.vocabulary.vocabulary import Vocabulary, load_vocabulary

# as the built-in sample has them, with what raw catalogs hold beside
_DRESSES = {
    "neckline": ["v-neck", "sweetheart", "off-shoulder", "o-neck", "peterpan-collor", "no collar"],
    "sleevelength": [
        "sleeveless",
        "sleevless",
        "cap sleeves",
        "half sleeve",
        "half",
        "3/4",
        "none",
    ],
    "waiseline": ["empire", "belted", "bow sash", "natural waist seam"],
    "bodice": ["chest pockets", "corset", "plain bodice", "princess seams"],
    "skirt": ["a-line", "side slit", "tiered"],
    "garment length": ["mini", "knee", "floor length"],
    "fabrictype": ["lace", "woollen", "knit", "other", "chiffon fabric"],
    "print": ["animal", "solid", "stripes", "none"],
    "decoration": ["lace", "bow", "ruffles", "ruched", "plain", "embroidery"],
    "style": ["casual", "ol", "vintage"],
    "season": ["summer", "automn"],
    "closure": ["zip", "button front", "magnetic", "none"],
    "pockets": ["yes", "no"],
    "buttons": ["4", "wooden", "none"],
    "fit": ["slim", "slim fit", "oversized"],
    "brand": ["Acme", "Marks & Spencer"],
}
# other subjects than garments
_SCENES = {
    "category": ["person", "train", "hot dog", "traffic light", "skis"],
    "livery": ["red and white", "striped", "none"],
    "number of doors": ["2", "4"],
    "wheels": ["alloy", "steel"],
    "breed": ["labrador", "st. bernard"],
    "coat": ["short-haired", "curly"],
    "room": ["kitchen", "living room", "outdoors"],
    "weather": ["sunny", "rain", "overcast"],
    "time of day": ["night", "dawn"],
    "hair colour": ["black", "blonde"],
    "pose": ["sitting", "standing"],
    "is stacked": ["yes", "no"],
    "has smile": ["true", "false"],
    "view": ["front", "side view"],
    "year": ["1950", "1950s"],
    "texture": ["rough", "black or white"],
    "gauge": ["narrow", "standard gauge"],
}


def _vocabulary(content: Mapping[str, list[str]]) -> Vocabulary:
    types = [
        AttributeType(type=name, aliases=(), exclusive=False, complete=False, askable=True)
        for name in sorted(content)
    ]
    values = [
        AttributeValue(type=name, value=value, aliases=(), templates=())
        for name in sorted(content)
        for value in sorted(content[name])
    ]
    return Vocabulary(types=tuple(types), values=tuple(values))


@pytest.fixture(scope="session")
def vocabulary_of() -> Callable[[Mapping[str, list[str]]], Vocabulary]:
    """Make a vocabulary of the values of each type."""
    return _vocabulary


@pytest.fixture(scope="session")
def uci() -> Path:
    return Path(__file__).parents[3] / "data" / "uci_dresses" / "vocabulary.yaml"


@pytest.fixture(scope="session")
def vocabularies(uci: Path) -> dict[str, Vocabulary]:
    """The vocabularies on which patterns are tried."""
    return {
        "uci": load_vocabulary(uci),
        "dresses": _vocabulary(_DRESSES),
        "scenes": _vocabulary(_SCENES),
    }
