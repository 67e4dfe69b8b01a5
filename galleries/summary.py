"""What the galleries of one τ come to, in figures and as a histogram."""

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

_BLUE = "#3b6ea5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What was counted before episodes were taken: of all pictures that could be targets."""

    pictures: int
    qualifying: int
    dropped: Mapping[str, int]
    not_identifiable: int  # qualify, but were left out for it
    not_asked: Sequence[str]  # types that no question may be about
    mean_whole_gallery: float | None  # target and whole pool, over all that qualify


def summarise(episodes: pa.Table, totals: Totals, tau: str) -> dict[str, Any]:
    """Return summary.json of rows of Episode: targets, sizes, share identifiable, par.

    Sizes count the target in.
    """
    lengths = pc.list_value_length(episodes.column("image_ids")).to_pylist()
    sizes = Counter(lengths)
    return {
        "tau": tau,
        "pictures": totals.pictures,
        "targets": totals.pictures - totals.dropped.get("no_attributes", 0),
        "qualifying_targets": totals.qualifying,
        "not_asked": list(totals.not_asked),
        "dropped": dict(totals.dropped),
        "not_identifiable": totals.not_identifiable,
        "mean_whole_gallery": _rounded(totals.mean_whole_gallery),
        "episodes": len(episodes),
        "gallery_size": {
            "mean": _mean(lengths),
            "min": min(sizes, default=None),
            "max": max(sizes, default=None),
            "histogram": {str(size): sizes[size] for size in sorted(sizes)},
        },
        "identifiable": _share(episodes.column("identifiable").to_pylist()),
        "identifiable_protocol": _share(episodes.column("identifiable_protocol").to_pylist()),
        "par": _par(episodes.column("par").to_pylist()),
        "par_protocol": _par(episodes.column("par_protocol").to_pylist()),
    }


def _share(flags: Sequence[bool]) -> dict[str, Any]:
    return {"count": sum(flags), "share": _mean(flags)}


def _par(values: Sequence[int | None]) -> dict[str, Any]:
    """Return the figures of a par; episodes that the questioner cannot finish have none."""
    solved = [value for value in values if value is not None]
    counts = Counter(solved)
    return {
        "mean": _mean(solved),
        "median": median(solved) if solved else None,
        "max": max(solved, default=None),
        "none": len(values) - len(solved),
        "histogram": {str(value): counts[value] for value in sorted(counts)},
    }


def _mean(values: Sequence[float]) -> float | None:
    return _rounded(fmean(values)) if values else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def draw_sizes(summary: Mapping[str, Any]) -> bytes:
    """Return the histogram of gallery sizes as PNG; the same summary gives the same bytes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  # half a second
    from matplotlib.figure import Figure  # noqa: PLC0415
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    histogram = {int(size): count for size, count in summary["gallery_size"]["histogram"].items()}
    figure = Figure(figsize=(6.4, 3.6), dpi=120, layout="constrained")
    axes = figure.add_subplot()
    axes.bar(list(histogram), list(histogram.values()), color=_BLUE, width=0.85)
    axes.set_xlabel("pictures in a gallery, target included")
    axes.set_ylabel("galleries")
    for axis in (axes.xaxis, axes.yaxis):  # one whole tick is enough: else a narrow axis has halves
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.spines[["top", "right"]].set_visible(False)
    mean = summary["gallery_size"]["mean"]
    galleries = "gallery" if summary["episodes"] == 1 else "galleries"
    title = f"τ = {summary['tau']}: {summary['episodes']:,} {galleries}"
    axes.set_title(title if mean is None else f"{title}, mean size {mean:.1f}", loc="left")
    if mean is not None:
        axes.axvline(mean, color="#c0392b", linewidth=1.2)
    FigureCanvasAgg(figure)
    data = io.BytesIO()
    figure.savefig(data, format="png", metadata={"Software": None})
    return data.getvalue()
