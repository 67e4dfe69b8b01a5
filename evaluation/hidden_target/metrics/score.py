"""The score of a run of hidden-target episodes, from the release and what was played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.hidden_target.metrics.amounts import amounts_of
from evaluation.hidden_target.metrics.outcomes import is_conflict
from evaluation.hidden_target.metrics.replaying import replayed
from evaluation.hidden_target.scoring.played import Played
from evaluation.releases.galleries import Gallery
from evaluation.scoring.figures import Amounts


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What a run comes to.

    ``amounts`` and ``targets`` (image ids) are by episode, in the order of their ids.
    ``conflicts`` are the episodes whose target was eliminated without noise (definition 14),
    ``differing`` those with a recorded feasible set that does not follow from the release.
    """

    amounts: Mapping[str, Amounts]
    targets: Mapping[str, str]
    conflicts: tuple[str, ...]
    differing: tuple[str, ...]


def score_of(played: Played, galleries: Sequence[Gallery]) -> Score:
    """Return the score of the episodes that were played to their end.

    ``galleries`` are those of the config. Nothing that was recorded of feasible sets or, where the
    verifier goes by labels, of constraints is believed.
    """
    gallery_of = {gallery.episode_id: gallery for gallery in galleries}
    is_by_labels = played.verifier == "labels"
    amounts: dict[str, Amounts] = {}
    targets: dict[str, str] = {}
    conflicts, differing = [], []
    for one in sorted(played.finished, key=lambda one: one.episode_id):
        name, gallery = one.episode_id, gallery_of[one.episode_id]
        episode = replayed(gallery, one, is_by_labels=is_by_labels)
        amounts[name] = amounts_of(episode)
        targets[name] = gallery.target_id
        conflicts += [name] * is_conflict(episode)
        differing += [name] * bool(episode.differing)
    return Score(
        amounts=amounts,
        targets=targets,
        conflicts=tuple(conflicts),
        differing=tuple(differing),
    )
