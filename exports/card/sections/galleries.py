"""The hidden-target galleries in figures, and one of each τ."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from exports.card.credits import credits_of
from exports.card.facts import GALLERIES, Facts
from exports.card.figures import gallery_summary
from exports.card.markdown import table
from exports.card.pictures import sheet_path, sizes_path
from exports.card.samples import sample_gallery
from labeling.attributes.measuring.wording import UNKNOWN, percent

_HEAD = (
    *("τ", "galleries", "pictures in each: mean (least to most)", "right by chance"),
    *("can be solved", "each type asked once", "par: mean (median)", "without par"),
)
_BESIDE = 3  # histograms in a row


def galleries(facts: Facts) -> Iterator[str]:
    """Yield sizes, shares that can be solved and par by τ, and a sample of each."""
    configs = facts.galleries
    if not configs:
        return
    yield from ("## Hidden targets", "")
    yield (
        "A gallery is a target and pictures that share at least τ of its attributes. A model asks"
        " yes/no questions about attributes until it names the target. A gallery *can be solved*"
        " where known labels tell the target from each other picture; *par* is how many questions a"
        " careful questioner needs who does not know the target."
    )
    yield ""
    yield from table(_HEAD, [_row(facts, config) for config in configs])
    for start in range(0, len(configs), _BESIDE):
        yield from _sizes(configs[start : start + _BESIDE])
    for config in configs:
        yield from _sample(facts, config)


def _sizes(configs: Sequence[str]) -> Iterator[str]:
    """Yield histograms side by side."""
    shown = [f"![Gallery sizes at τ {_tau(config)}]({sizes_path(config)})" for config in configs]
    yield from table([f"τ = {_tau(config)}" for config in configs], [shown], len(configs))


def _row(facts: Facts, config: str) -> tuple[str, ...]:
    found = gallery_summary(facts, config)
    sizes, par = found["gallery_size"], found["par"]
    chance = fmean(1 / len(one.image_ids) for one in facts.records(config))
    return (
        _tau(config),
        f"{found['episodes']:,}",
        f"{sizes['mean']:.1f} ({sizes['min']} to {sizes['max']})",
        percent(chance),
        _share(found["identifiable"]),
        _share(found["identifiable_protocol"]),
        UNKNOWN if par["mean"] is None else f"{par['mean']:.1f} ({par['median']:g})",
        f"{par['none']:,}",
    )


def _share(found: dict[str, Any]) -> str:
    return f"{percent(found['share'])} ({found['count']:,})"


def _sample(facts: Facts, config: str) -> Iterator[str]:
    gallery = sample_gallery(facts, config)
    if gallery is None:
        return
    count = len(gallery.image_ids)
    hidden = facts.hides_answers(config)
    told = "" if hidden else f", the target is #{gallery.target_index}"
    if not hidden and gallery.par is not None:
        told += f", par {gallery.par}"
    yield f"`{config}`, episode `{gallery.episode_id}`: {count} pictures{told}."
    yield ""
    yield f"![A gallery of {count} pictures at τ {_tau(config)}]({sheet_path(config)})"
    yield ""
    yield from credits_of(facts, gallery.image_ids)


def _tau(config: str) -> str:
    return config.removeprefix(f"{GALLERIES}tau-")
