"""Hidden-target in a report (AMIGO, section 6: figures 8 to 12)."""

from collections.abc import Sequence

from benchwright.protocols.hidden_target import OUTCOMES
from evaluation.hidden_target.metrics.amounts import BANDS
from evaluation.report.entries import Entry
from evaluation.report.kinds.sheet import Beside, Chart, Column, Form, Sheet, chart, worth_drawing
from evaluation.scoring.figures import Key
from evaluation.scoring.spelling import spoken

VERIFIED, OVERALL, TURNS = Key("verified"), Key("overall"), Key("turns")
_COLUMNS = (
    Column(heading="verified", key=VERIFIED),
    Column(heading="overall", key=OVERALL),
    Column(heading="random guess", key=Key("random_guess")),
    Column(heading="contradicted", key=Key("contradicted")),
    Column(heading="incorrect", key=Key("incorrect")),
    Column(heading="turns", key=TURNS, form="number"),
    Column(heading="skip rate", key=Key("skip_rate")),
    Column(heading="premature", key=Key("premature")),
)
_BASELINE = "baseline"
_BESIDE = (
    Beside(name="never asking", keys={OVERALL: Key("overall", _BASELINE, "never_asking")}),
    Beside(
        name="reference questioner",
        keys={key: Key(key.metric, _BASELINE, "reference") for key in (VERIFIED, OVERALL, TURNS)},
    ),
)
DRAWN: Sequence[tuple[str, Form]] = (
    ("verified", "share"),
    ("random_guess", "share"),
    ("overall", "share"),
    ("turns", "number"),
    ("skip_rate", "share"),
    ("premature", "share"),
)


def sheet_of(entries: Sequence[Entry]) -> Sheet:
    """Return what is shown of hidden-target runs of one config."""
    return Sheet(columns=_COLUMNS, main=(VERIFIED,), beside=_BESIDE, charts=_charts(entries))


def _charts(entries: Sequence[Entry]) -> list[Chart]:
    by_size = [
        chart(
            entries,
            f"{spoken(metric).capitalize()} by gallery size",
            "pictures in the gallery",
            {band.replace("-", "–"): Key(metric, "size", band) for band in BANDS},
            form=form,
            is_joined=True,
        )
        for metric, form in DRAWN
    ]
    outcomes: Sequence[tuple[str, Form]] = (("turns", "number"), ("skip_rate", "share"))
    by_outcome = [
        chart(
            entries,
            f"{spoken(metric).capitalize()} by outcome",
            "outcome of the episode",
            {
                "all": Key(metric),
                **{spoken(name): Key(metric, "outcome", name) for name in OUTCOMES},
            },
            form=form,
        )
        for metric, form in outcomes
    ]
    return worth_drawing([*by_size, *by_outcome])
