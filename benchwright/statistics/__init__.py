"""Statistics of samples: intervals, draws, corrections for many tests, agreement of raters."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
