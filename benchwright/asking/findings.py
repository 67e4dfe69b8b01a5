"""What the doctor's probes found of a voter: one record, as it stands in doctor.json.

The verdict of each probe is one word. ``message`` holds what a server said where it declined,
on one line. What was not asked, since an earlier finding left no sense in it, is null.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.asking.eyesight.sight import Sight
from benchwright.asking.voters import PictureTokens, Voter
from benchwright.store import digest_of

Cap = Literal["max_tokens", "max_completion_tokens"]
Promise = Literal["enforced", "ignored", "rejected"]
ReachVerdict = Literal[
    "answers", "unreachable", "no_key", "wrong_key", "no_quota", "model_unknown", "refuses"
]
Count = Annotated[int, Field(ge=0)]


class _Finding(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Reach(_Finding):
    """Whether the server answers a short question in text at all.

    ``answers``; ``unreachable``: nobody, or an error whatever is asked; ``no_key``: the
    environment does not hold the key; ``wrong_key``: the server does not take it; ``no_quota``: it
    is spent; ``model_unknown``: the server lists its models and this is none of them; ``refuses``:
    it rejects the plainest call.
    ``is_listed`` is null where the server gives no list. ``room`` is how many tokens an answer
    needs at least, where the model reasons first and said nothing within a short cap.
    """

    verdict: ReachVerdict
    is_listed: bool | None = None
    model: str | None = None
    build: str | None = None
    room: Count | None = None
    message: str | None = None


class Fields(_Finding):
    """Which fields of the body are taken: those of the voter's file, and temperature 0.

    ``rejected`` maps a field to what the server said of it; ``untried`` are those beyond the
    bound on calls. ``cap`` is the field for the cap that was taken, with which the other probes
    went on.
    """

    cap: Cap
    rejected: dict[str, str] = Field(default_factory=dict)
    untried: tuple[str, ...] = ()


class Caps(_Finding):
    """What each name of the cap does: a call that may use one token was made with each.

    ``honoured``: cut, and finish_reason said length; ``unmarked``: cut, but not said so, so that
    half an answer looks whole; ``ignored``; ``rejected``.
    """

    max_tokens: Literal["honoured", "unmarked", "ignored", "rejected"]
    max_completion_tokens: Literal["honoured", "unmarked", "ignored", "rejected"]


class AtOnce(_Finding):
    """How many pictures a call may hold: ``most`` were taken, at most ``bound`` were tried.

    ``last_is_seen`` tells whether the last of so many was named right, null where the model
    names no picture right.
    """

    most: Count
    bound: Count
    last_is_seen: bool | None = None
    message: str | None = None


class Sides(_Finding):
    """The smallest and the largest side, in pixels, of a square that was taken.

    ``refused_small`` and ``refused_large`` are the next sizes, which were refused, null where
    none was; ``too_dear`` is the next larger one where it was left out for its tokens.
    """

    smallest: Count
    largest: Count
    refused_small: Count | None = None
    refused_large: Count | None = None
    too_dear: Count | None = None
    message: str | None = None


class Measured(_Finding):
    """The tokens of the prompt that a picture of this size added."""

    width: Count
    height: Count
    tokens: int


class TokenRule(_Finding):
    """The rule that gives the tokens of the pictures that were sent.

    ``rule`` is null where none comes near, or the server does not count pictures; ``off`` is
    the largest share by which it misses, 0 for a rule that fits exactly.
    """

    measured: tuple[Measured, ...]
    rule: PictureTokens | None = None
    off: float = 0.0


class StructuredFinding(_Finding):
    """What becomes of a response_format of each kind, asked against the words of the prompt."""

    json_schema: Promise
    json_object: Promise
    json_schema_message: str | None = None
    json_object_message: str | None = None

    @property
    def best(self) -> Literal["none", "json_object", "json_schema"]:
        """Return the value for ``structured`` in the voters' file."""
        if self.json_schema == "enforced":
            return "json_schema"
        return "json_object" if self.json_object == "enforced" else "none"


class Logprobs(_Finding):
    """Whether logprobs are given, and how many ``alternatives`` of a token."""

    verdict: Literal["given", "ignored", "rejected"]
    alternatives: Count = 0
    message: str | None = None


class Repeats(_Finding):
    """How many different answers came to one question ``asked`` so often, one after the other.

    At temperature 0 where the server takes it. ``logprobs_equal`` is null where there are none,
    or the answers differ.
    """

    asked: Count
    different: Count
    logprobs_equal: bool | None = None
    message: str | None = None


class Speed(_Finding):
    """Median seconds of a short question about a picture: ``alone``, and ``at_once`` of them."""

    alone: float | None
    together: float | None = None
    at_once: Count = 1


class Findings(_Finding):
    """All that was found of one voter, with ``calls`` chat requests.

    ``digest`` is that of the entry that was probed (``entry_digest``).
    """

    digest: str
    calls: Count
    reach: Reach
    fields: Fields | None = None
    caps: Caps | None = None
    sight: Sight | None = None
    at_once: AtOnce | None = None
    sides: Sides | None = None
    tokens: TokenRule | None = None
    structured: StructuredFinding | None = None
    logprobs: Logprobs | None = None
    repeats: Repeats | None = None
    speed: Speed | None = None

    @property
    def is_usable(self) -> bool:
        """Tell whether the voter can be asked about pictures."""
        return self.reach.verdict == "answers" and self.sight is not None and self.sight.is_enough


def entry_digest(voter: Voter) -> str:
    """Return the digest of what findings are about: where, which model, with which parameters.

    What the findings themselves advise to change (cap, limits of pictures) is not among it.
    """
    entry: list[Any] = [voter.base_url, voter.model, voter.revision, voter.parameters]
    return digest_of(entry)
