"""Trajectories written by hand: turns in a short notation, the rest as a referee records it."""

from collections.abc import Sequence
from dataclasses import replace

from benchwright.records import (
    Asked,
    Build,
    Ended,
    Noise,
    Told,
    Trajectory,
    Turn,
    Upload,
    UploadKind,
)
from evaluation.hidden_target.metrics.replaying import replayed
from evaluation.releases.galleries import Gallery


def asks(
    named: str,
    told: Told,
    *,
    truth: Told | None = None,
    noise: Noise | None = None,
    fits: str = "",
) -> Turn:
    """Return a turn that asks for ``TYPE VALUE``, or against it for ``not TYPE VALUE``.

    Without a name the question could not be mapped. ``truth`` is what is told where there is no
    noise.
    """
    is_negated = named.startswith("not ")
    kind, _, value = named.removeprefix("not ").partition(" ")
    asked = Asked(type=kind, value=value, is_negated=is_negated) if named else None
    text = f"Is it {named or 'nice'}?"
    return Turn(
        turn=0,
        status="ok",
        text=text,
        question=text,
        read_by="question_mark",
        asked=() if asked is None else (asked,),
        mapped_by="none" if asked is None else "template",
        told=told,
        reason=None,
        judged_by=None,
        truth=truth or told,
        noise=noise,
        fits=fits,
        feasible=(),
    )


def skips(reason: str, named: str = "") -> Turn:
    """Return a turn that was skipped; without a name nothing was asked."""
    turn = replace(asks(named, "skip"), reason=reason, judged_by="rules", truth=None)
    if named:
        return turn
    return replace(turn, question=None, text="Well.", read_by="statement", mapped_by="none")


def played(
    gallery: Gallery,
    *turns: Turn,
    guess: int | None = None,
    end: Ended | None = None,
    uploads: Sequence[UploadKind] = (),
    builds: Sequence[Build] = (),
    is_by_labels: bool = True,
) -> Trajectory:
    """Return an episode with these turns; constraints and feasible sets follow from its labels."""
    whole = Trajectory(
        run="by-hand",
        player="hand",
        config="hidden-target-tau-0.6",
        episode_id=gallery.episode_id,
        uploads=tuple(
            Upload(batch=number, text=kind, kind=kind) for number, kind in enumerate(uploads, 1)
        ),
        turns=tuple(replace(turn, turn=number) for number, turn in enumerate(turns, 1)),
        guess=guess,
        guess_text=None if guess is None else f"My guess: #{guess}",
        guessed_by=None if guess is None else "announced",
        end=end or ("out_of_turns" if guess is None else "guess"),
        builds=tuple(builds),
    )
    return replayed(gallery, whole, is_by_labels=is_by_labels).trajectory
