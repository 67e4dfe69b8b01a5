"""The reliability plot: how sure the votes are against how often they are right."""

import io
from collections.abc import Sequence

from labeling.attributes.deciding.ranking import Bin


def reliability_png(margins: Sequence[Bin], p_yes: Sequence[Bin]) -> bytes:
    """Return a PNG with the bins and their 95 % intervals; the same bins give the same bytes.

    Without any bin, as where every label is unsure, it is an empty plot.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  # slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415

    panels = [("margin of the label", "share that is right", 0.5, margins)]
    if p_yes:
        panels.append(("P(yes) that voters gave", "share that is yes", 1.0, p_yes))
    figure = Figure(figsize=(4.6 * len(panels), 3.8), layout="constrained")
    FigureCanvasAgg(figure)
    for number, (across, up, most, bins) in enumerate(panels, 1):
        axes = figure.add_subplot(1, len(panels), number)
        if most == 1.0:
            axes.plot([0, 1], [0, 1], color="0.75", linewidth=1, zorder=1)
        means = [each.mean for each in bins]
        shares = [each.right.share for each in bins]
        lows = [max(0.0, each.right.share - each.right.low) for each in bins]
        highs = [max(0.0, each.right.high - each.right.share) for each in bins]
        axes.errorbar(
            means, shares, yerr=[lows, highs], fmt="o", color="#1f5f8b", capsize=3, zorder=2
        )
        for mean, share, each in zip(means, shares, bins, strict=True):
            axes.annotate(
                f"{each.count:,}", (mean, share), (5, -11), textcoords="offset points", fontsize=7
            )
        axes.set_title("numbers: how many", fontsize=8, color="0.4", loc="right")
        axes.set(xlabel=across, ylabel=up, xlim=(-0.02 * most, 1.04 * most), ylim=(0, 1.03))
        axes.spines[["top", "right"]].set_visible(False)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=110, metadata={"Software": None})
    return stream.getvalue()
