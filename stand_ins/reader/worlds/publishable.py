"""The built-in sample with labels, and a Hub to publish it on: what the first pages come to."""

from pathlib import Path

from stand_ins.hub import HubServer
from stand_ins.hub.serving import TOKEN
from stand_ins.players import JUDGES
from stand_ins.reader.everybody import Everybody
from stand_ins.reader.voters_file import MODELS, NAMED, write_voters
from stand_ins.reader.world import SERVER, Making, World

REPOSITORIES = ("ana/", "user/", "USER/")
RELEASE = Path("releases", "dresses", "1.0.0")


def publishable(making: Making) -> World:
    """Make the world: a workspace with catalog and labels, voters.yaml, a Hub."""
    root = making.copied("publishable", lambda place: label_sample(making, place))
    making.linked("docs", "tests/data")
    return with_hub(making, root / RELEASE)


def label_sample(making: Making, root: Path, dresses: int = 120) -> None:
    """Make a workspace with the labels of the sample, before any gallery."""
    where = ("--workspace", root)
    making.console("build-catalog", "sample", "--n", str(dresses), "--workers", "1", *where)
    making.console("label-attributes", "normalise", *where)


def with_hub(making: Making, release: Path) -> World:
    """Return a world with a Hub, and with models that know a release which may not be there yet."""
    server = making.served((*MODELS.values(), *NAMED, *JUDGES), Everybody(release))
    write_voters(making.folder / "voters.yaml", server.base_url)
    hub = making.stack.enter_context(HubServer())
    return World(
        folder=making.folder,
        swapped={SERVER: server.base_url},
        environment={
            "HF_ENDPOINT": hub.address,
            "HF_TOKEN": TOKEN,
            "HF_HOME": str(making.folder / "hub"),
            "HF_HUB_DISABLE_XET": "1",
        },
        apart=REPOSITORIES,
    )
