"""Pictures behind links: fetched, decoded and stored, with a ledger that a rerun goes on from."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from benchwright.errors import UsageError
from benchwright.fetching import (
    Answer,
    Fetched,
    FetchSettings,
    Ledger,
    fetch,
    is_transient,
)
from benchwright.pictures import Picture, read_picture
from benchwright.progress import Progress
from benchwright.workers import Workers
from builders.outcomes import Outcome, outcome_of

LEDGER = "fetched.jsonl"
LINKS, DEAD, TO_ASK_AGAIN = "links", "dead_links", "links_to_ask_again"  # names of counts
MANY_DEAD = 0.5  # the share of links without a picture from which on a run warns
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The last answer of each link; ``asked`` of them came just now, ``news`` of these for good."""

    by_url: Mapping[str, Fetched]
    asked: int
    news: int


def ask(
    links: Iterable[Link],
    catalog: Path,
    images: Path,
    workers: Workers,
    progress: Progress,
    settings: FetchSettings | None = None,
) -> Answered:
    """Ask the links that have no final answer in the ledger, and store what comes."""
    by_url = {link.url: link for link in links}
    if not by_url:
        return Answered(by_url={}, asked=0, news=0)
    with Ledger(catalog / LEDGER) as ledger:
        known = {
            url: entry
            for url, entry in ledger.final().items()
            if url in by_url and _is_stored(entry, images) and _is_made_by(by_url[url], entry)
        }
        wanted = sorted(by_url.keys() - known.keys())
        with closing(fetch(wanted, settings or FetchSettings())) as answers:
            given = ((by_url[answer.url], answer) for answer in answers)
            stored = workers.map_ordered(partial(_store, images), given)
            for entry in progress("links", len(wanted))(stored):
                ledger.add(entry)
                known[entry.url] = entry
    news = sum(known[url].is_final for url in wanted)
    return Answered(by_url=known, asked=len(wanted), news=news)


def link_outcomes(
    links: Sequence[tuple[Link, str | None]],
    known: Mapping[str, Fetched],
    placeholders: frozenset[str],
) -> list[Outcome]:
    """Return the outcome of each link (given with the group of its row), in their order.

    Links that give the same bytes from three places or more are refused as ``placeholder``; links
    of one group count as one place, since a product may well show one picture for all its sizes.
    So are those whose bytes have one of the sha256 of ``placeholders``.
    """
    places: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for link, group in links:
        digest = known[link.url].sha256
        if digest is not None:
            places[digest].add(("link", link.url) if group is None else ("group", group))
    return [_outcome(known[link.url], places, placeholders) for link, _ in links]


def link_counts(
    links: Sequence[tuple[Link, str | None]], outcomes: Sequence[Outcome]
) -> dict[str, int]:
    """Return how many links there are, without a picture, and to be asked again; {} for none."""
    if not links:
        return {}
    reasons = {link.url: one.reason for (link, _), one in zip(links, outcomes, strict=True)}
    return {
        LINKS: len(reasons),
        DEAD: sum(reason is not None for reason in reasons.values()),
        TO_ASK_AGAIN: sum(is_transient(reason) for reason in reasons.values()),
    }


def check_dead(counts: Mapping[str, int], most_dead: float | None) -> None:
    """Raise UsageError where more links have no picture than the share that is allowed."""
    links, dead, again = (counts.get(name, 0) for name in (LINKS, DEAD, TO_ASK_AGAIN))
    if most_dead is not None and dead > most_dead * links:
        raise UsageError(
            f"{dead} of {links} links gave no picture, more than --max-dead-links {most_dead:g} "
            f"allows; mend them, or allow more (answers are kept: {again} would be asked again)"
        )


def link_lines(counts: Mapping[str, int]) -> list[str]:
    """Return what the user should know of the links of a catalog, as lines of text."""
    links, dead, again = (counts.get(name, 0) for name in (LINKS, DEAD, TO_ASK_AGAIN))
    lines = []
    if links and dead >= MANY_DEAD * links:
        lines.append(f"warning: {dead} of {links} links gave no picture")
    if again:
        noun = "link" if again == 1 else "links"
        lines.append(f"{again} {noun} may be asked again by the same command")
    return lines


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


def _outcome(
    entry: Fetched, places: Mapping[str, set[tuple[str, str]]], placeholders: frozenset[str]
) -> Outcome:
    if entry.sha256 in placeholders:
        return Outcome(
            reason="placeholder",
            message=f"{entry.url}: these bytes are a known placeholder",
        )
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
