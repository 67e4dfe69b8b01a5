"""What the head of a card says of licences, and LICENSE.md where one word does not say it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from benchwright.records import Item
from exports.card.markdown import link, table
from exports.provenance.attribution import FILE as ATTRIBUTION
from exports.provenance.attribution import nameless
from exports.provenance.licences import Licence, licence_of
from labeling.audits.reporting.wording import many

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


def licences(items: Sequence[Item]) -> Iterator[str]:
    """Yield under what pictures are, what is known of who is to be named, and what has no licence.

    It is Markdown in paragraphs.
    """
    author, title, address = (
        sum(bool(getattr(item, field)) for item in items) for field in ("author", "title", "url")
    )
    yield (
        "A picture is under the licence that its source states, and no other."
        f" [{ATTRIBUTION}]({ATTRIBUTION}) has a row for each: its source, its licence, and whose it"
        f" is as far as the source says so. Of {many(len(items), 'picture', 'pictures')} the author"
        f" is known for {author:,}, the title for {title:,}, the link for {address:,}."
    )
    yield ""
    without = len(nameless(items))
    if without:
        yield (
            f"**Not known: the author of {many(without, 'picture', 'pictures')} under a licence"
            " that wants the author named** (CC BY and its kin). Whoever shares them on has to find"
            " out whom to name, from the link or the source."
        )
        yield ""
    yield from licence_table(items)
    yield (
        "The licence at the head of the card is that of the pictures. For what is no picture"
        " (dialogues, labels, annotations, decisions) no licence is stated here: those who publish"
        " this dataset say in their own words on the card whether there is one."
    )
    yield ""


def licence_text(items: Sequence[Item]) -> str:
    """Return LICENSE.md."""
    return "\n".join(["# Licences", "", *licences(items)])
