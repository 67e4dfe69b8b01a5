"""A release read back, under the name that its card gives: ``from exports import load_config``."""

from benchwright.release_loading import ShownEpisode, load_config, load_episode

__all__ = ["ShownEpisode", "load_config", "load_episode"]
