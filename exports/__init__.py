"""Versioned releases and other formats out."""

from exports.loading import ShownEpisode, load_config, load_episode

__all__ = ["ShownEpisode", "load_config", "load_episode"]
