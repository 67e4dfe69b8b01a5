"""ensemble.yaml: who votes, with what weight, on which views, and how labels are decided.

voters:
  - {name: qwen, model: Qwen/Qwen2.5-VL-7B-Instruct, base_url: "http://localhost:8000/v1"}
  - {name: clip, kind: clip, model: ViT-B-32, pretrained: laion2b_s34b_b79k, weight: 1}
  - {name: old, kind: replay, votes: earlier/votes.parquet}
views:
  low: {long_side: 336}
  high: {long_side: 1344}
  parts: {tiles: 2, overlap: 0.1, long_side: 768}
templates: 3
"""

from collections.abc import Sequence
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

from benchwright.asking.voters import Positive, Voter, VoterName, check_told_apart
from benchwright.clip.choosing import LOCAL
from benchwright.yaml_files import read_settings

# as many digits as are compared exactly (deciding/rule.py)
Share = Annotated[Decimal, Field(ge=0, le=1, allow_inf_nan=False, decimal_places=9)]
# log-odds go by skills that calibration finds, so votes cannot be planned for them
PlannedMethod = Literal["majority", "unweighted", "dawid-skene"]


class _Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ViewSettings(_Settings):
    """One way to look at a subject; sides in pixels.

    ``long_side`` bounds the longer side. With ``tiles`` N the subject is cut into N x N parts that
    overlap by this share of a part, and all of them are shown in one question.
    """

    long_side: Positive | None = None
    tiles: Annotated[int, Field(ge=2, le=8)] | None = None
    overlap: Annotated[float, Field(ge=0, le=0.5)] = 0.1


class ClipVoter(_Settings):
    """open_clip, which compares a picture with captions: any model and weights, name or file.

    ``model: embedded`` is the small one in this package. ``thresholds`` is a file that was
    calibrated in another workspace, for workspaces that have none of their own. ``cut`` is the
    similarity difference from which on it says yes where no threshold of the value was
    calibrated. ``batch`` is how many pictures are embedded at once.
    """

    kind: Literal["clip"]
    name: VoterName
    weight: Positive = 1
    model: str
    pretrained: str | None = None
    device: str = "cpu"
    batch: Positive = 32
    thresholds: Path | None = None
    cut: float = 0.0


class ReplayVoter(_Settings):
    """Votes that were recorded before, of this voter, in a Parquet file of Vote rows."""

    kind: Literal["replay"]
    name: VoterName
    weight: Positive = 1
    votes: Path
    voter: str | None = None  # whose votes of that file; its own name where it is not given


class ScriptedVoter(_Settings):
    """A voter that knows the labels of a file and errs as often as it is told, by seed.

    It is for trying an ensemble without a model: ``labels`` is a Parquet file of Label rows,
    ``accuracy`` holds for every value but those in ``blind``, on which it guesses.
    """

    kind: Literal["scripted"]
    name: VoterName
    weight: Positive = 1
    labels: Path
    accuracy: Annotated[float, Field(ge=0, le=1)] = 1.0
    blind: tuple[str, ...] = ()
    seed: int = 0


AnyVoter = Voter | ClipVoter | ReplayVoter | ScriptedVoter


def _kind_of(voter: Any) -> str:
    """Return what decides which settings apply: a voter without a kind is a model server.

    It is spelt as the branch of a union that yaml_files leaves out of the place of a fault, where
    it would be taken for a key.
    """
    kind = voter.get("kind", "model") if isinstance(voter, dict) else getattr(voter, "kind", None)
    return f"literal[{kind}]"


_ByKind = Annotated[
    Annotated[Voter, Tag("literal[model]")]
    | Annotated[ClipVoter, Tag("literal[clip]")]
    | Annotated[ReplayVoter, Tag("literal[replay]")]
    | Annotated[ScriptedVoter, Tag("literal[scripted]")],
    Discriminator(
        _kind_of,
        custom_error_type="voter_kind",
        custom_error_message="kind wants model, clip, replay or scripted",
    ),
]
VIEWS = {
    "low": ViewSettings(long_side=336),
    "medium": ViewSettings(long_side=768),
    "high": ViewSettings(long_side=1344),
}


class Ensemble(_Settings):
    """The whole file.

    ``templates`` is how many questions each value gets of every voter on every view. ``context``
    is how much of an object's surroundings is shown with it, as a share of its sides. ``margin``
    and ``quorum`` are those of the vote; ``full`` is the seeded share of subjects that are asked
    in full, for calibration.
    """

    voters: Annotated[tuple[_ByKind, ...], Field(min_length=1)]
    views: Annotated[dict[VoterName, ViewSettings], Field(min_length=1)] = VIEWS
    templates: Positive = 3
    context: Annotated[float, Field(ge=0, le=5)] = 0.2
    method: PlannedMethod = "majority"
    margin: Annotated[Share, Field(lt=Decimal("0.5"))] = Decimal(0)
    quorum: Share = Decimal(0)
    full: Share = Decimal("0.05")
    values_per_call: Positive = 1

    @model_validator(mode="after")
    def _are_told_apart(self) -> Self:
        check_told_apart([voter for voter in self.voters if isinstance(voter, Voter)])
        names = [voter.name for voter in self.voters]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"two voters are named {twice[0]!r}")
        return self

    @model_validator(mode="after")
    def _are_shown_what_they_take(self) -> Self:
        for voter, (name, view) in product(self.voters, self.views.items()):
            most = voter.pictures.at_once if isinstance(voter, Voter) else None
            if most is not None and most < (number := (view.tiles or 1) ** 2):
                raise ValueError(
                    f"voter {voter.name!r} takes at most {most} pictures at once, view {name!r}"
                    f" shows {number}: give it fewer tiles, or leave it away"
                )
        return self

    @model_validator(mode="after")
    def _quorum_is_of_weights(self) -> Self:
        if self.quorum and self.method == "dawid-skene":
            raise ValueError("a quorum is of weights, which dawid-skene has not; leave it away")
        return self

    def weights(self) -> dict[str, int]:
        """Return the weights of the voters by name."""
        return {voter.name: voter.weight for voter in self.voters}

    def share_in_full(self) -> Decimal:
        """Return the share of subjects that are asked in full: all, where nothing stops early."""
        return Decimal(1) if self.method == "dawid-skene" else self.full


def read_ensemble(path: Path) -> Ensemble:
    """Return the ensemble of a file; files that it names are taken from where it lies.

    Raises UsageError that names file and key when it is no such file.
    """
    found = read_settings(path, Ensemble)
    return found.model_copy(update={"voters": _placed(found.voters, path.parent)})


def _placed(voters: Sequence[AnyVoter], folder: Path) -> tuple[AnyVoter, ...]:
    placed: list[AnyVoter] = []
    for voter in voters:
        match voter:
            case ReplayVoter():
                placed.append(voter.model_copy(update={"votes": folder / voter.votes}))
            case ScriptedVoter():
                placed.append(voter.model_copy(update={"labels": folder / voter.labels}))
            case ClipVoter():
                placed.append(voter.model_copy(update=_placed_clip(voter, folder)))
            case _:
                placed.append(voter)
    return tuple(placed)


def _placed_clip(voter: ClipVoter, folder: Path) -> dict[str, str | Path]:
    """Return model, weights and thresholds with their paths; what is no file there is a name."""
    places: dict[str, str | Path] = {}
    if voter.model.startswith(LOCAL):
        places["model"] = f"{LOCAL}{folder / voter.model.removeprefix(LOCAL)}"
    if voter.pretrained is not None and (folder / voter.pretrained).is_file():
        places["pretrained"] = str(folder / voter.pretrained)
    if voter.thresholds is not None:
        places["thresholds"] = folder / voter.thresholds
    return places
