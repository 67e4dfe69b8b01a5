"""Hidden-target galleries: pools by similarity at a threshold τ, and episodes made of them.

Reads ``catalog/`` and ``labels/`` of a workspace; writes ``galleries/tau-τ/`` (episodes, summary,
report) and the baselines of its galleries.
"""

from pathlib import Path

import lazy_loader as lazy

from galleries.compiled import forget_stale

forget_stale(Path(__file__).parent)  # before any of it is loaded

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
