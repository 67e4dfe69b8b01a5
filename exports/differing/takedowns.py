"""What takedowns took out of a release, worked out from what two releases say.

A release names no picture that was taken down: somebody did not want it to be found. It only counts
the samples that are left out for one. Where a config lost no more samples with their pictures than
that count grew by, all of them went with a takedown.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from exports.differing.changes import Changes
from exports.differing.comparing import Id, Row
from exports.locking.lock import Lock
from exports.provenance.permissions import TAKEN_DOWN

_IMAGES, _LABELS = "images", "labels"
Published = Callable[[str, Id], bool]  # whether a row has a published fault


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenDown:
    """What is known of takedowns between two releases.

    ``some`` says whether there were any; ``pictures`` are those that certainly were taken down,
    ``gone`` all that the newer has not, ``configs`` those that lost samples with pictures by
    takedowns alone.
    """

    some: bool = False
    pictures: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    configs: frozenset[str] = frozenset()

    def holds_for(self, config: str, row: Row) -> bool:
        """Tell whether a row that only the older has went with a picture that was taken down."""
        shown = pictures_of(row)
        if config in (_IMAGES, _LABELS):
            return any(name in self.pictures for name in shown)
        return config in self.configs and any(name in self.gone for name in shown)


def taken_down(
    old: Lock,
    new: Lock,
    changes: Sequence[Changes],
    gone: Collection[str],
    is_published: Published = lambda _config, _key: False,
) -> TakenDown:
    """Return what takedowns took out; ``gone`` are pictures that the newer has not."""
    more = dict(_more(old, new))
    configs, pictures = set(), set()
    for change in changes:
        config = change.config
        if config not in more or config == _LABELS:
            continue
        lost = [
            [name for name in pictures_of(row) if name in gone]
            for key, row in change.removed_rows()
            if not is_published(config, key)
        ]
        lost = [names for names in lost if names]
        if len(lost) <= more[config]:
            configs.add(config)
            pictures |= {names[0] for names in lost if len(names) == 1}
    return TakenDown(
        some=bool(more),
        pictures=frozenset(pictures),
        gone=frozenset(gone),
        configs=frozenset(configs),
    )


def pictures_of(row: Row) -> Sequence[str]:
    """Return the ids of the pictures that a row shows, or is about."""
    shown = row.get("image_ids") or [row.get("image_id")]
    return [name for name in shown if name is not None]


def _more(old: Lock, new: Lock) -> Iterator[tuple[str, int]]:
    """Yield by how many more samples of a config are left out for takedowns than before."""
    for config, reasons in new.left_out.items():
        before: Mapping[str, int] = old.left_out.get(config, {})
        more = reasons.get(TAKEN_DOWN, 0) - before.get(TAKEN_DOWN, 0)
        if more > 0:
            yield config, more
