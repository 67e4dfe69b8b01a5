from .baselines import Baselines, measure_baselines
from .build import Galleries, build_galleries
from .identify import identifiable, identifiable_protocol
from .pools import Pools, find_pools
from .settings import Settings, Sizes
from .tau import Tau, parse_taus

__all__ = [
    "Baselines",
    "Galleries",
    "Pools",
    "Settings",
    "Sizes",
    "Tau",
    "build_galleries",
    "find_pools",
    "identifiable",
    "identifiable_protocol",
    "measure_baselines",
    "parse_taus",
]
