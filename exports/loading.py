"""Reading a release, from a folder or from the Hub, by ``datasets`` and nothing of a workspace."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchwright.errors import UsageError

if TYPE_CHECKING:
    from PIL import Image

_SPLIT = "test"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEpisode:
    """An episode with its pictures in the order shown."""

    episode: dict[str, Any]
    pictures: "tuple[Image.Image, ...]"


def load_config(release: str | Path, config: str, revision: str | None = None) -> Any:
    """Return a config of a release as a ``datasets.Dataset``.

    ``release`` is a folder, or the name of a repository on the Hub with ``revision`` as the tag.
    Raises UsageError for a config that the release has not.
    """
    from datasets import load_dataset  # noqa: PLC0415  # takes seconds

    try:
        return load_dataset(str(release), config, split=_SPLIT, revision=revision)
    except ValueError as error:
        raise UsageError(f"{release}: has no config {config} ({error})") from error


def load_episode(release: str | Path, episode_id: str, revision: str | None = None) -> ShownEpisode:
    """Return a hidden-target episode of any τ with its pictures joined in.

    Raises UsageError for an id that is of no episode.
    """
    from datasets import get_dataset_config_names  # noqa: PLC0415

    names = get_dataset_config_names(str(release), revision=revision)
    for config in sorted(name for name in names if name.startswith("hidden-target-")):
        episodes = load_config(release, config, revision)
        found = [at for at, name in enumerate(episodes["episode_id"]) if name == episode_id]
        if found:
            episode = episodes[found[0]]
            images = load_config(release, "images", revision)
            place = {name: at for at, name in enumerate(images["image_id"])}
            pictures = tuple(images[place[name]]["image"] for name in episode["image_ids"])
            return ShownEpisode(episode=episode, pictures=pictures)
    raise UsageError(f"{release}: has no episode {episode_id}")
