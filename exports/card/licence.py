"""What the head of a card says of licences, and LICENSE.md where one word does not say it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from benchwright.records import Item
from exports.card.markdown import link, table
from exports.provenance.attribution import FILE as ATTRIBUTION
from exports.provenance.licences import Licence, licence_of

FILE = "LICENSE.md"  # the Hub follows license_link to this name, or to an address
_OF_THE_HUB = frozenset(  # https://huggingface.co/docs/hub/repositories-licenses: what a source of
    # pictures may state; the rest of its list is for programs and models
    {
        *("apache-2.0", "mit", "cc0-1.0", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0"),
        *("cc-by-sa-3.0", "cc-by-sa-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0"),
        *("cc-by-nd-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0"),
        *("cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0"),
    }
)
_OTHERWISE_SPELLED = {"pddl-1.0": "pddl", "odc-by-1.0": "odc-by", "odbl-1.0": "odbl"}


def licence_head(items: Iterable[Item]) -> dict[str, str]:
    """Return ``license``, and where the Hub has no word for it ``license_name`` and its link.

    One word stands where all pictures are under one licence that the Hub knows.
    """
    found = {licence_of(item.licence) for item in items}
    if found == {None}:
        return {"license": "unknown"}
    only = str(next(iter(found))).lower() if len(found) == 1 else ""
    known = _OTHERWISE_SPELLED.get(only, only)
    if known in _OF_THE_HUB or known in _OTHERWISE_SPELLED.values():
        return {"license": known}
    return {"license": "other", "license_name": "see-attribution", "license_link": FILE}


def licence_counts(items: Iterable[Item]) -> Mapping[Licence | None, int]:
    """Return how many pictures are under each licence, the most frequent first; null for none."""
    counts = Counter(licence_of(item.licence) for item in items)
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0]))))


def licence_table(items: Iterable[Item]) -> Iterator[str]:
    """Yield the licences of pictures as a table of Markdown."""
    rows = [
        ("none stated" if one is None else link(str(one), one.page), f"{count:,}")
        for one, count in licence_counts(items).items()
    ]
    yield from table(("licence", "pictures"), rows)


def licence_text(items: Iterable[Item]) -> str:
    """Return LICENSE.md."""
    lines = [
        "# Licences",
        "",
        "A picture of this dataset is under the licence that its source states, and no other;"
        f" {ATTRIBUTION} names it for each picture, with title, author and link as far as known.",
        "",
        *licence_table(items),
    ]
    return "\n".join(lines)
