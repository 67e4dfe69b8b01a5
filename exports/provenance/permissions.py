"""Which pictures may not be shared, and why."""

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from benchwright.errors import UsageError
from benchwright.plain_text import excerpt
from benchwright.records import Item
from exports.building.settings import ReleaseSettings
from exports.provenance.licences import Licence, licence_of
from exports.provenance.takedowns import Takedown

NO_LICENCE = "no licence"
TAKEN_DOWN = "taken down"
_LISTED = 12  # licences of a catalog in a message

_log = logging.getLogger(__name__)


def why_not(
    items: Iterable[Item], settings: ReleaseSettings, takedowns: Collection[Takedown]
) -> Mapping[str, str]:
    """Return the ids of the pictures that may not be shared, each with the reason.

    A takedown holds for all pictures of the same bytes. Where licences are named, only what one
    of them covers may be shared. A name that covers no picture is warned of; UsageError is raised
    where none of them covers any, and for a name that is blank.
    """
    if not settings.licences and not takedowns:
        return {}
    shown = [item for item in items if item.image is not None]
    ids = {one.image_id for one in takedowns}
    hashes = {item.sha256 for item in shown if item.image_id in ids}
    hashes |= {one.sha256 for one in takedowns if one.sha256 is not None}
    named = _named(settings.licences)
    if named:
        _check(named, shown)
    reasons = {
        item.image_id: TAKEN_DOWN
        if item.image_id in ids or item.sha256 in hashes
        else _not_shared(item, named)
        for item in shown
    }
    return {name: reason for name, reason in sorted(reasons.items()) if reason is not None}


def unlicensed(items: Iterable[Item]) -> list[str]:
    """Return the ids of pictures whose source states no licence to share them, ascending."""
    return sorted(
        item.image_id
        for item in items
        if (licence := licence_of(item.licence)) is None or not licence.permits
    )


def _named(texts: Sequence[str]) -> list[Licence]:
    named = [licence_of(text) for text in texts]
    if None in named:
        raise UsageError("--licences wants names such as cc-by-4.0,cc0-1.0; one of them is blank")
    return [licence for licence in named if licence is not None]


def _not_shared(item: Item, named: Sequence[Licence]) -> str | None:
    if not named:
        return None
    licence = licence_of(item.licence)
    if licence is None:
        return NO_LICENCE
    if any(one.covers(licence) for one in named):
        return None
    return f"licence not shared: {excerpt(str(licence))}"


def _check(named: Sequence[Licence], items: Sequence[Item]) -> None:
    """Say which of the named licences cover no picture, and what there is instead."""
    held = Counter(licence_of(item.licence) for item in items)
    idle = [one for one in named if not any(it is not None and one.covers(it) for it in held)]
    if not idle:
        return
    said = (
        f"--licences {', '.join(excerpt(str(one)) for one in idle)}: no picture has it; the catalog"
        f" holds {_listed(held)}"
    )
    if len(idle) == len(named):
        raise UsageError(f"{said}; name one of these")
    _log.warning(said)


def _listed(held: Mapping[Licence | None, int]) -> str:
    counts = {NO_LICENCE if one is None else excerpt(str(one)): n for one, n in held.items()}
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    more = len(ordered) - _LISTED
    listed = ", ".join(f"{name} ({count:,})" for name, count in ordered[:_LISTED])
    return f"{listed} and {more:,} more" if more > 0 else listed
