"""What a user chooses of a release."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseSettings:
    """``licences`` are those that may be shared, by their short names or as spelled; empty is all.

    With ``keep_metadata`` pictures go out with their EXIF and the like. ``title`` and ``authors``
    are for the card and the citation. With ``private_answers`` commitments stand in the place of
    the answers of samples. The gate looks at pictures with ``clip_model`` as well, and ``waived``
    are checks of it that may fail, each with the reason. ``without_runs`` are names of runs that
    stay out, such as trials.
    """

    keep_metadata: bool = False
    licences: tuple[str, ...] = ()
    title: str | None = None
    authors: tuple[str, ...] = ()
    private_answers: bool = False
    clip_model: str | None = None
    waived: tuple[tuple[str, str], ...] = ()
    without_runs: tuple[str, ...] = ()
