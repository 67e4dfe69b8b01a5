"""The voters of an ensemble, ready to vote, and what of their settings changes a vote."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchwright import files
from benchwright.asking.questions import Asks
from benchwright.asking.voters import Voter
from benchwright.clip.choosing import files_of, folder_of
from benchwright.errors import SourceError
from benchwright.workspace import Workspace
from labeling.attributes.voting.clip_voter import clip_voting, thresholds_in_use
from labeling.attributes.voting.ensemble import (
    AnyVoter,
    ClipVoter,
    Ensemble,
    ReplayVoter,
    ScriptedVoter,
)
from labeling.attributes.voting.model_voter import ModelVoter
from labeling.attributes.voting.plan import VotingPlan
from labeling.attributes.voting.replay_voter import Replayed
from labeling.attributes.voting.scripted_voter import Scripted
from labeling.attributes.voting.site import HERE, Site
from labeling.attributes.voting.voter import Voting

_NO_VOTE_CHANGES = {"votes", "labels", "thresholds", "device", "batch"}  # files go by their hashes


def voters_of(
    plan: VotingPlan,
    workspace: Workspace,
    clients: Mapping[str, Asks],
    held: ExitStack,
    site: Site = HERE,
) -> dict[str, Voting]:
    """Return the voters by name; ``clients`` are those of the model servers.

    What a voter keeps open is closed with ``held``.

    Raises SourceError for a file that a voter names and that cannot be used, UsageError for a
    CLIP model that cannot be loaded or does not pass its test.
    """
    return {
        voter.name: _ready(voter, plan, workspace, clients, held, site)
        for voter in plan.ensemble.voters
    }


def _ready(
    voter: AnyVoter,
    plan: VotingPlan,
    workspace: Workspace,
    clients: Mapping[str, Asks],
    held: ExitStack,
    site: Site,
) -> Voting:
    match voter:
        case Voter():
            return ModelVoter(clients[voter.name])
        case ReplayVoter():
            return Replayed(voter)
        case ScriptedVoter():
            return Scripted(voter)
        case ClipVoter():
            return held.enter_context(
                clip_voting(voter, plan.ensemble, plan.vocabulary, workspace, site)
            )


def models_of(ensemble: Ensemble) -> list[Voter]:
    """Return the voters that are model servers."""
    return [voter for voter in ensemble.voters if isinstance(voter, Voter)]


def settings_of(voter: AnyVoter, workspace: Workspace) -> dict[str, Any]:
    """Return what changes the votes of a voter: no address, no pace, no price, no path.

    Raises SourceError for a file that it names and that is not there.
    """
    if isinstance(voter, Voter):
        return voter.settings() | {"weight": voter.weight}
    said = voter.model_dump(mode="json", exclude=_NO_VOTE_CHANGES)
    match voter:
        case ReplayVoter():
            said["file"] = _hashed(voter.votes, voter.name)
        case ScriptedVoter():
            said["file"] = _hashed(voter.labels, voter.name)
        case ClipVoter():
            said |= _clip_files(voter, workspace)
    return said


def _clip_files(voter: ClipVoter, workspace: Workspace) -> dict[str, Any]:
    """Return the hashes of a CLIP model's files in the place of their paths."""
    found: dict[str, Any] = {}
    if folder_of(voter.model) is not None:
        found["model"] = [_hashed(path, voter.name) for path in files_of(voter.model)]
    if voter.pretrained is not None and Path(voter.pretrained).is_file():
        found["pretrained"] = _hashed(Path(voter.pretrained), voter.name)
    thresholds = thresholds_in_use(workspace, voter)
    if thresholds is not None:
        found["thresholds"] = _hashed(thresholds, voter.name)
    return found


def _hashed(path: Path, name: str) -> str:
    try:
        return files.sha256_of(path)
    except OSError as error:
        raise SourceError(
            f"{path}: the file of voter {name!r} cannot be read ({error.strerror});"
            " mend its entry in the ensemble"
        ) from error
