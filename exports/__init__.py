"""Versioned releases and other formats out."""

from benchwright.release_loading import ShownEpisode, load_config, load_episode

__all__ = ["ShownEpisode", "load_config", "load_episode"]
