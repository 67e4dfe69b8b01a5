"""Who made a picture that a card shows."""

from collections.abc import Iterator, Sequence

from benchwright.plain_text import excerpt
from benchwright.records import Item
from exports.card.facts import Facts
from exports.card.markdown import folded, link, text
from exports.provenance.licences import licence_of


def credit(facts: Facts, image_id: str, changed: str) -> Iterator[str]:
    """Yield title, author, source and licence of a picture, as far as they are known.

    ``changed`` says what was done to it, as Creative Commons asks.
    """
    item = next(one for one in facts.making.gathered.items if one.image_id == image_id)
    yield from (f"Picture: {_named(item)}; {changed}.", "")


def credits_of(facts: Facts, image_ids: Sequence[str]) -> Iterator[str]:
    """Yield the same of several pictures that stand side by side, numbered as they are."""
    items = {item.image_id: item for item in facts.making.gathered.items}
    lines = [f"{at}. {_named(items[name])}" for at, name in enumerate(image_ids, 1)]
    yield from folded("Whose pictures these are, all made smaller", [*lines, ""])


def _named(item: Item) -> str:
    licence = licence_of(item.licence)
    title = link(item.title or item.source_id, item.url)
    author = f" by {text(item.author)}" if item.author else ""
    terms = "no licence stated" if licence is None else link(excerpt(str(licence)), licence.page)
    return f"{title}{author}, from {text(item.source)}, {terms}"
