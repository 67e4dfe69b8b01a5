"""Who made a picture that a card shows."""

from collections.abc import Iterator

from benchwright.plain_text import excerpt
from exports.card.facts import Facts
from exports.card.markdown import link, text
from exports.provenance.licences import licence_of


def credit(facts: Facts, image_id: str, changed: str) -> Iterator[str]:
    """Yield title, author, source and licence of a picture, as far as they are known.

    ``changed`` says what was done to it, as Creative Commons asks.
    """
    item = next(one for one in facts.making.gathered.items if one.image_id == image_id)
    licence = licence_of(item.licence)
    title = link(item.title or item.source_id, item.url)
    author = f" by {text(item.author)}" if item.author else ""
    terms = "no licence stated" if licence is None else link(excerpt(str(licence)), licence.page)
    yield from (f"Picture: {title}{author}, from {text(item.source)}, {terms}; {changed}.", "")
