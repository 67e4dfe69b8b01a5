from .bootstrap import Interval, Resample
from .holm import holm
from .intervals import (
    Estimate,
    Stratum,
    effective_size,
    estimate,
    size_for,
    stratified_share,
    weighted_share,
    wilson,
)
from .prediction_powered import PredictionPowered, prediction_powered_share
from .smallest_difference import independent_size, smallest_paired, smallest_unpaired
from .stratified_draws import stratified_counts

__all__ = [
    "Estimate",
    "Interval",
    "PredictionPowered",
    "Resample",
    "Stratum",
    "effective_size",
    "estimate",
    "holm",
    "independent_size",
    "prediction_powered_share",
    "size_for",
    "smallest_paired",
    "smallest_unpaired",
    "stratified_counts",
    "stratified_share",
    "weighted_share",
    "wilson",
]
