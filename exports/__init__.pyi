from .building.build import build_release
from .building.settings import ReleaseSettings
from .coco.candidate_sets import write_candidate_sets
from .coco.objects import write_coco
from .differing.diff import Diff, diff_releases
from .fiftyone_dataset import to_fiftyone
from .loading import ShownEpisode, load_config, load_episode
from .pushing.push import push_release
from .verifying.verify import verify_release

__all__ = [
    "Diff",
    "ReleaseSettings",
    "ShownEpisode",
    "build_release",
    "diff_releases",
    "load_config",
    "load_episode",
    "push_release",
    "to_fiftyone",
    "verify_release",
    "write_candidate_sets",
    "write_coco",
]
