"""How to load each config, with this project and without it."""

from collections.abc import Iterator

from exports.card.facts import Facts
from exports.card.markdown import code
from labeling.dialogues.stored import DIALOGUE_KINDS


def loading(facts: Facts) -> Iterator[str]:
    """Yield code that runs as it stands, once the name of the repository is filled in."""
    making = facts.making
    yield from ("## How to load it", "")
    yield (
        "`datasets` is enough; pictures are joined to samples by `image_id`. `USER/NAME` stands for"
        " the address of this repository, which is not known when a card is written: put in yours,"
        " or a folder that holds the release."
    )
    yield ""
    yield from code(_plain(facts), "python")
    if facts.galleries:
        yield "With benchwright installed, a gallery comes with its pictures joined in:"
        yield ""
        yield from code(_episode(facts.galleries[0], making.version.tag), "python")


def _plain(facts: Facts) -> Iterator[str]:
    configs = [one.config for one in facts.making.written]
    yield "from functools import partial"
    yield ""
    yield "from datasets import load_dataset"
    yield ""
    yield 'release = "USER/NAME"  # put in the address of this repository'
    yield (
        "load = partial("
        f'load_dataset, release, split="test", revision="{facts.making.version.tag}")'
    )
    yield ""
    for config in configs:
        yield f'{_variable(config)} = load("{config}")'
    yield ""
    yield 'place = {name: at for at, name in enumerate(images["image_id"])}'
    if facts.galleries:
        yield f"episode = {_variable(facts.galleries[0])}[0]"
        yield 'gallery = [images[place[name]]["image"] for name in episode["image_ids"]]'
    for kind in DIALOGUE_KINDS:
        if kind in configs:
            variable = _variable(kind)
            yield f'picture = images[place[{variable}[0]["image_id"]]]["image"]  # of {kind}'


def _episode(config: str, tag: str) -> Iterator[str]:
    yield "from exports import load_config, load_episode"
    yield ""
    yield 'release = "USER/NAME"'
    yield f'episodes = load_config(release, "{config}", "{tag}")'
    yield f'shown = load_episode(release, episodes[0]["episode_id"], "{tag}")'
    yield "shown.pictures[0].show()"


def _variable(config: str) -> str:
    return config.replace("-", "_").replace(".", "_")
