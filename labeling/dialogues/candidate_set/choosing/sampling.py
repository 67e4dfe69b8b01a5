"""The step that draws a sample of the dialogues, balanced over how ambiguous they may be."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from benchwright import seeds, store
from benchwright.errors import UsageError
from benchwright.workspace import Workspace
from labeling.dialogues.candidate_set.choosing.choice import (
    Choosing,
    read_choices,
    standing_choices,
    write_choices,
)
from labeling.dialogues.candidate_set.choosing.chosen import filtered_of_catalog
from labeling.dialogues.candidate_set.choosing.remedy import remedy

DIALOGUES = 1620  # of the paper
NOT_SAMPLED = "not_sampled"


def in_order_of_drawing(counts: Mapping[str, int], seed: int) -> list[str]:
    """Return ids, of which any first so many are a sample balanced over their counts.

    The k-th of each count comes before the (k+1)-th of any other: counts that have enough get the
    same number, or one less, and the others give all that they have. Which is the k-th, and which
    count comes first in a round, is by the seed and the ids alone. So a larger sample of the same
    ids and seed holds the smaller one.
    """
    by_count: dict[int, list[str]] = defaultdict(list)
    for name, count in counts.items():
        by_count[count].append(name)
    places = {
        name: (place, seeds.draw(seed, "sampled-round", str(place), str(count)), count)
        for count, names in by_count.items()
        for place, name in enumerate(seeds.shuffled(names, seed, "sampled"))
    }
    return sorted(places, key=lambda name: places[name])


def sample_dialogues(
    workspace: Workspace, dialogues: int = DIALOGUES, *, seed: int = 0, force: bool = False
) -> Choosing:
    """Write sampled/: so many of the filtered dialogues, the others as left out by chance.

    They are balanced over the number of boxes of the target's category, for what the candidate
    sets are nobody knows yet. Where there are fewer dialogues, all are taken. Does nothing where
    the sample stands there, but with ``force``.

    Raises WorkspaceError where nothing was filtered, or another catalog was, and UsageError where
    no dialogue was kept.
    """
    filtered = filtered_of_catalog(workspace)
    plan = store.Plan(
        stage="dialogues/candidate-set/sampled",
        inputs={"filtered": filtered.digest()},
        settings={"dialogues": dialogues},
        seed=seed,
    )
    if not force and (standing := standing_choices(workspace, "sampled", plan)) is not None:
        return standing
    kept = [one for one in read_choices(workspace, "filtered") if one.reason is None]
    if not kept:
        raise UsageError(
            f"{workspace.root}: the filter kept no dialogue to sample; {remedy(filtered.reasons)}"
        )
    order = in_order_of_drawing({one.dialogue_id: one.of_category for one in kept}, seed)
    drawn = frozenset(order[:dialogues])
    choices = [
        one if one.dialogue_id in drawn else replace(one, reason=NOT_SAMPLED) for one in kept
    ]
    left = len(kept) - len(drawn)
    return write_choices(workspace, "sampled", choices, plan, {NOT_SAMPLED: left} if left else {})
