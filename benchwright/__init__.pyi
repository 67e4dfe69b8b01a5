__version__: str

from .errors import BenchwrightError
from .release_loading import ShownEpisode, config_names, load_config, load_episode
from .workspace import Workspace

__all__ = [
    "BenchwrightError",
    "ShownEpisode",
    "Workspace",
    "config_names",
    "load_config",
    "load_episode",
]
