"""What a run plays with: the chains that are drawn, what they offer, their pictures."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from benchwright.records import QuestionChain
from evaluation.question_chain.chains import read_chains
from evaluation.question_chain.offers import Offers
from evaluation.question_chain.playing.chain import Item
from evaluation.question_chain.settings import ChainSettings
from evaluation.releases.pictures import Shown, pictures_digest, write_pictures
from evaluation.releases.release import Release
from evaluation.running.drawing import drawn

_NOTHING: Mapping[str, Shown] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The chains to be played, in the order of the config; ``is_all`` tells that those are all.

    ``offers`` draws on all chains of the config, so that what is offered hangs on no other draw.
    """

    release: Release
    config: str
    chains: tuple[QuestionChain, ...]
    offers: Offers
    settings: ChainSettings
    is_all: bool

    def pictures(self, folder: Path) -> Mapping[str, Shown]:
        """Return the pictures by their ids, written into a folder; none where none is shown."""
        if self.settings.is_blindfold:
            return _NOTHING
        return write_pictures(self.release, self._image_ids(), folder)

    def items(self, pictures: Mapping[str, Shown]) -> tuple[Item, ...]:
        """Return the chains as they are played."""
        return tuple(
            Item(
                chain=chain,
                picture=None if self.settings.is_blindfold else pictures[chain.image_id].part,
            )
            for chain in self.chains
        )

    def inputs(self) -> dict[str, str]:
        """Return the digests of what is read of the release."""
        found = {"release": self.release.digest(self.config)}
        if not self.settings.is_blindfold:
            found["pictures"] = pictures_digest(self.release, self._image_ids())
        return found

    def _image_ids(self) -> frozenset[str]:
        return frozenset(chain.image_id for chain in self.chains)


def material_of(
    release: Release, config: str, settings: ChainSettings, chains: int | None
) -> Material:
    """Return what is played: so many chains, drawn by the seed; null means all.

    Raises UsageError as ``read_chains`` and ``Offers`` do.
    """
    found = read_chains(release, config)
    chosen = drawn(found, lambda chain: chain.chain_id, chains, settings.seed)
    return Material(
        release=release,
        config=config,
        chains=chosen,
        offers=Offers(found, settings.options, settings.seed),
        settings=settings,
        is_all=len(chosen) == len(found),
    )
