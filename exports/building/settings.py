"""What a user chooses of a release."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseSettings:
    """``licences`` are those that may be shared, as the catalog spells them; empty is all.

    ``title`` and ``authors`` are for the card and the citation. With ``private_answers``
    commitments stand in the place of the answers of samples.
    """

    licences: tuple[str, ...] = ()
    title: str | None = None
    authors: tuple[str, ...] = ()
    private_answers: bool = False
