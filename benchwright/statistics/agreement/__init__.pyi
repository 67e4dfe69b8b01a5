from .ac1 import gwets_ac1
from .alpha import krippendorffs_alpha
from .coefficient import Coefficient
from .exact import exact_agreement
from .judgements import Judgements
from .published_kappa import PrintedShares, could_be, kappa_range
from .sets import set_agreement
from .two_raters import cohens_kappa, lights_kappa, specific_agreement

__all__ = [
    "Coefficient",
    "Judgements",
    "PrintedShares",
    "cohens_kappa",
    "could_be",
    "exact_agreement",
    "gwets_ac1",
    "kappa_range",
    "krippendorffs_alpha",
    "lights_kappa",
    "set_agreement",
    "specific_agreement",
]
