"""The voters of an ensemble, ready to vote, and what of their settings changes a vote."""

from collections.abc import Mapping
from typing import Any

from benchwright import files
from benchwright.asking.questions import Asks
from benchwright.asking.voters import Voter
from benchwright.errors import SourceError
from labeling.attributes.ensemble import AnyVoter, ClipVoter, Ensemble, ReplayVoter, ScriptedVoter
from labeling.attributes.voting.model_voter import ModelVoter
from labeling.attributes.voting.replay_voter import Replayed
from labeling.attributes.voting.scripted_voter import Scripted
from labeling.attributes.voting.voter import Voting


def voters_of(ensemble: Ensemble, clients: Mapping[str, Asks]) -> dict[str, Voting]:
    """Return the voters by name; ``clients`` are those of the model servers.

    Raises SourceError for a file that a voter names and that cannot be used.
    """
    return {voter.name: _ready(voter, clients) for voter in ensemble.voters}


def _ready(voter: AnyVoter, clients: Mapping[str, Asks]) -> Voting:
    match voter:
        case Voter():
            return ModelVoter(clients[voter.name])
        case ReplayVoter():
            return Replayed(voter)
        case ScriptedVoter():
            return Scripted(voter)
        case ClipVoter():
            from labeling.attributes.voting.clip_voter import ClipVoting  # noqa: PLC0415

            return ClipVoting(voter)


def models_of(ensemble: Ensemble) -> list[Voter]:
    """Return the voters that are model servers."""
    return [voter for voter in ensemble.voters if isinstance(voter, Voter)]


def settings_of(voter: AnyVoter) -> dict[str, Any]:
    """Return what changes the votes of a voter: no address, no pace, no price, no path.

    Raises SourceError for a file that it names and that is not there.
    """
    if isinstance(voter, Voter):
        fields = ("kind", "name", "model", "revision", "weight", "cap", "max_tokens", "logprobs")
        chosen: dict[str, Any] = {name: getattr(voter, name) for name in fields}
        chosen |= {"parameters": voter.parameters, "structured": voter.structured}
        return chosen | {"encoding": voter.pictures.encoding()}
    said = voter.model_dump(mode="json", exclude={"votes", "labels", "device", "batch"})
    for path in (getattr(voter, "votes", None), getattr(voter, "labels", None)):
        if path is not None:
            said["file"] = _hashed(path, voter.name)
    return said


def _hashed(path: Any, name: str) -> str:
    try:
        return files.sha256_of(path)
    except OSError as error:
        raise SourceError(
            f"{path}: the file of voter {name!r} cannot be read ({error.strerror});"
            " mend its entry in the ensemble"
        ) from error
