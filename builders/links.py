"""Pictures behind links: fetched, decoded and stored, with a ledger that a rerun goes on from."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from benchwright.fetching import Answer, Fetched, FetchSettings, Ledger, fetch
from benchwright.pictures import Picture, read_picture
from benchwright.progress import Progress
from benchwright.workers import Pool
from builders.outcomes import Outcome, outcome_of

LEDGER = "fetched.jsonl"
PLACEHOLDER_LINKS = 3  # so many different links with the same bytes are no pictures of their own


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A picture on the web.

    ``make`` turns the bytes that come into one; it must be picklable. ``recipe`` names what it
    does beside reading them, so that a rerun does not take what another recipe made.
    """

    url: str
    make: Callable[[bytes], Picture] = read_picture
    recipe: str = ""


def fetch_pictures(
    links: Sequence[tuple[Link, str | None]],
    catalog: Path,
    images: Path,
    workers: Pool,
    progress: Progress,
    settings: FetchSettings | None = None,
) -> list[Outcome]:
    """Return the outcome of each link (given with the group of its row), in their order.

    Only links without a final answer in the ledger are asked. Links that give the same bytes from
    three places or more are refused as ``placeholder``; links of one group count as one place,
    since a product may well show one picture for all its sizes.
    """
    if not links:
        return []
    with Ledger(catalog / LEDGER) as ledger:
        by_url = {link.url: link for link, _ in links}
        known = {
            url: entry
            for url, entry in ledger.final().items()
            if _is_stored(entry, images) and (url not in by_url or _is_made_by(by_url[url], entry))
        }
        wanted = sorted(by_url.keys() - known.keys())
        with closing(fetch(wanted, settings or FetchSettings())) as answers:
            given = ((by_url[answer.url], answer) for answer in answers)
            stored = workers.map_ordered(partial(_store, images), given)
            for entry in progress("links", len(wanted))(stored):
                ledger.add(entry)
                known[entry.url] = entry
    return _without_placeholders(links, known)


def _is_stored(entry: Fetched, images: Path) -> bool:
    return entry.path is None or (images / entry.path).is_file()


def _is_made_by(link: Link, entry: Fetched) -> bool:
    return entry.sha256 is None or entry.recipe == link.recipe


def _store(images: Path, given: tuple[Link, Answer]) -> Fetched:
    """Decode and store what a link answered; runs in a worker process."""
    link, answer = given
    entry = Fetched(
        url=answer.url,
        status=answer.status,
        recipe=link.recipe,
        reason=answer.reason,
        message=answer.message,
    )
    if answer.data is None:
        return entry
    outcome = outcome_of(link.make, images, answer.data)
    return replace(
        entry,
        sha256=answer.sha256,
        path=outcome.image,
        picture_sha256=outcome.sha256,
        width=outcome.width,
        height=outcome.height,
        is_animated=outcome.is_animated,
        orientation=outcome.orientation,
        reason=outcome.reason,
        message=outcome.message,
    )


def _without_placeholders(
    links: Sequence[tuple[Link, str | None]], known: dict[str, Fetched]
) -> list[Outcome]:
    places: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for link, group in links:
        digest = known[link.url].sha256
        if digest is not None:
            places[digest].add(("link", link.url) if group is None else ("group", group))
    return [_outcome(known[link.url], places) for link, _ in links]


def _outcome(entry: Fetched, places: dict[str, set[tuple[str, str]]]) -> Outcome:
    if entry.reason is not None:
        return Outcome(reason=entry.reason, message=f"{entry.url}: {entry.message}")
    count = len(places[entry.sha256 or ""])
    if count >= PLACEHOLDER_LINKS:
        return Outcome(
            reason="placeholder",
            message=f"{entry.url}: {count} different links give these same bytes, "
            "as a picture that says 'not available' does",
        )
    return Outcome(
        image=entry.path,
        sha256=entry.picture_sha256,
        width=entry.width,
        height=entry.height,
        is_animated=entry.is_animated,
        orientation=entry.orientation,
    )
