"""Hidden-target galleries: similarity, pools, episodes, their report."""

from pathlib import Path

from galleries.compiled import forget_stale

forget_stale(Path(__file__).parent)  # before any of it is loaded
