"""Reading a release, from a folder or from the Hub, by ``datasets`` and nothing of a workspace."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchwright.errors import ServerError, UsageError
from benchwright.plain_text import excerpt

if TYPE_CHECKING:
    from PIL import Image

_BELOW = ("releases/*/*", "*")  # in a workspace, and in the folder of a name
SPLIT = "test"  # a benchmark is there to be tested on; the split of its source stands in a column


@contextmanager
def hub_asked(release: str | Path, revision: str | None) -> Iterator[None]:
    """Raise ServerError for what goes wrong between us and the Hub; there is none without revision.

    What the Hub itself says of a repository passes.
    """
    import httpx  # noqa: PLC0415  # only who asks pays for it
    import httpx2  # noqa: PLC0415

    try:
        yield
    except FileNotFoundError:
        raise
    except (httpx.HTTPError, httpx2.HTTPError, OSError) as error:
        if revision is None:
            raise
        raise ServerError(
            f"{release}@{revision}: the Hub does not answer ({excerpt(str(error))}); try again, or"
            " name the folder of a release"
        ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownEpisode:
    """An episode, as its row has it, with its pictures in the order shown."""

    episode: dict[str, Any]
    pictures: "tuple[Image.Image, ...]"


def load_config(
    release: str | Path,
    config: str,
    revision: str | None = None,
    *,
    names: Sequence[str] | None = None,
) -> Any:
    """Return a config of a release as a ``datasets.Dataset``.

    ``release`` is a folder, or the name of a repository on the Hub with ``revision`` as the tag;
    ``names`` are those of its configs where they are known already. Raises UsageError where there
    is no such release, or it has no such config.
    """
    known = config_names(release, revision) if names is None else names
    return _loaded(release, config, revision, known)


def load_episode(release: str | Path, episode_id: str, revision: str | None = None) -> ShownEpisode:
    """Return a hidden-target episode of any τ with its pictures joined in.

    Raises UsageError where there is no such release, or no config of it has the episode.
    """
    names = config_names(release, revision)
    for config in names:
        if not config.startswith("hidden-target-"):
            continue
        episodes = _loaded(release, config, revision, names)
        found = [at for at, name in enumerate(episodes["episode_id"]) if name == episode_id]
        if found:
            episode = episodes[found[0]]
            images = _loaded(release, "images", revision, names)
            place = {name: at for at, name in enumerate(images["image_id"])}
            pictures = tuple(images[place[name]]["image"] for name in episode["image_ids"])
            return ShownEpisode(episode=episode, pictures=pictures)
    raise UsageError(f"{release}: has no episode {excerpt(episode_id)}")


def config_names(release: str | Path, revision: str | None = None) -> list[str]:
    """Return the configs that the card of a release names, sorted.

    Raises UsageError where there is no such release.
    """
    from datasets import get_dataset_config_names  # noqa: PLC0415  # takes seconds

    _check_card(Path(release), revision)
    try:
        with hub_asked(release, revision):
            return sorted(get_dataset_config_names(str(release), revision=revision))
    except FileNotFoundError as error:  # also that of a repository that nobody shows us
        at = "" if revision is None else f" at {revision}"
        raise UsageError(
            f"{release}{at}: no release there; name the folder of one, or REPO with its tag"
        ) from error


def _check_card(folder: Path, revision: str | None) -> None:
    """Raise UsageError for a folder that is no release, and name those that it holds."""
    if revision is not None or not folder.is_dir() or _has_card(folder):
        return
    below = (sorted(filter(_has_card, folder.glob(at))) for at in _BELOW)
    found = next(filter(None, below), [])
    named = f"name {' or '.join(map(str, found))}" if found else "name the folder of one"
    raise UsageError(f"{folder}: no release there; {named}")


def _has_card(folder: Path) -> bool:
    card = folder / "README.md"
    return card.is_file() and card.read_bytes()[:3] == b"---"


def _loaded(release: str | Path, config: str, revision: str | None, names: Sequence[str]) -> Any:
    from datasets import load_dataset  # noqa: PLC0415

    if config not in names:
        raise UsageError(
            f"{release}: has no config {excerpt(config)}; it has {', '.join(map(excerpt, names))}"
        )
    with bars_if_watched(), hub_asked(release, revision):
        return load_dataset(str(release), config, split=SPLIT, revision=revision)


@contextmanager
def bars_if_watched() -> Iterator[None]:
    """Turn the bars of ``datasets`` off for a while where nobody looks at a terminal."""
    from datasets.utils import (  # noqa: PLC0415  # takes seconds
        are_progress_bars_disabled,
        disable_progress_bars,
        enable_progress_bars,
    )

    is_to_be_quiet = not sys.stderr.isatty() and not are_progress_bars_disabled()
    if is_to_be_quiet:
        disable_progress_bars()
    try:
        yield
    finally:
        if is_to_be_quiet:
            enable_progress_bars()
