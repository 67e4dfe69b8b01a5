"""Which model of open_clip a user means, checked before anything is loaded or downloaded."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from benchwright.errors import UsageError

INSTALL = "pip install 'benchwright[clip]'"
LOCAL, HUB = "local-dir:", "hf-hub:"
EMBEDDED = "embedded"  # the small model that comes with this package
KNOWN = "known_embeddings.json"  # recorded embeddings, beside a checkpoint
_CONFIG = "open_clip_config.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A model and its weights as open_clip wants them.

    ``pretrained`` is null where the model brings its weights along. ``quick_gelu`` says that the
    weights were trained with the quick form, whatever the architecture's own is. ``recorded`` is
    where recorded embeddings would lie, ``merges`` the tokenizer's own file, both null where the
    weights are no local file.
    """

    model: str
    pretrained: str | None
    quick_gelu: bool = False
    recorded: Path | None = None
    merges: Path | None = None

    @property
    def name(self) -> str:
        """What the user calls it; of a place on this machine its last part."""
        if self.model.startswith(LOCAL):
            return Path(self.model.removeprefix(LOCAL)).name
        if self.pretrained is None:
            return self.model
        return f"{self.model} with {Path(self.pretrained).name}"


def choose(open_clip: Any, model: str, pretrained: str | None) -> Choice:
    """Return the choice; raise UsageError, one line, for one that open_clip cannot load.

    ``model`` is a name of open_clip, then ``pretrained`` names its weights or a file of them; or
    it is ``local-dir:FOLDER``, ``hf-hub:NAME`` or ``embedded``, which bring them along.
    """
    folder = folder_of(model)
    if folder is not None or model.startswith(HUB):
        if pretrained is not None:
            raise UsageError(
                f"{model}: brings its own weights; leave pretrained away (got {pretrained!r})"
            )
        if folder is None:
            return Choice(model=model, pretrained=None)
        if model == EMBEDDED and not (folder / _CONFIG).is_file():
            raise UsageError(
                "the model embedded is missing from this installation of benchwright; install it"
                f" again ({INSTALL}), or name another model"
            )
        return _in_folder(folder)
    models = open_clip.list_models()
    if model.replace("/", "-") not in models:
        raise UsageError(
            f"open_clip has no model {model!r}; {_near(model, models)}, or embedded, or"
            " local-dir:FOLDER"
        )
    return _with_weights(open_clip, model.replace("/", "-"), pretrained)


def folder_of(model: str) -> Path | None:
    """Return the folder on this machine that holds a model; null for one that is fetched."""
    if model == EMBEDDED:
        return Path(__file__).parent / EMBEDDED
    return Path(model.removeprefix(LOCAL)) if model.startswith(LOCAL) else None


def files_of(model: str) -> list[Path]:
    """Return the files of a model in a folder: plans name it by their hashes, not by its place.

    None for one that is fetched, and for a folder that is not there.
    """
    folder = folder_of(model)
    return [] if folder is None else sorted(one for one in folder.rglob("*") if one.is_file())


def _in_folder(folder: Path) -> Choice:
    if not (folder / _CONFIG).is_file():
        raise UsageError(
            f"{folder}: holds no {_CONFIG}; local-dir: wants a folder with that and the weights"
        )
    merges = sorted(folder.glob("bpe_*.gz"))
    return Choice(
        model=f"{LOCAL}{folder}",
        pretrained=None,
        recorded=folder / KNOWN,
        merges=merges[0] if merges else None,
    )


def _with_weights(open_clip: Any, model: str, pretrained: str | None) -> Choice:
    tags = open_clip.list_pretrained_tags_by_model(model)
    if pretrained is None:
        raise UsageError(
            f"{model}: without weights it would answer at random; name them under pretrained"
            f" ({', '.join(sorted(tags)[:6]) or 'no tags are known'}, or a file)"
        )
    if open_clip.get_pretrained_cfg(model, pretrained):
        trained = bool(open_clip.get_pretrained_cfg(model, pretrained).get("quick_gelu", False))
        built = bool(open_clip.get_model_config(model).get("quick_gelu", False))
        if built and not trained:
            raise UsageError(
                f"{model}: the weights {pretrained} were trained with plain GELU; take the model"
                f" {model.removesuffix('-quickgelu')}"
            )
        return Choice(model=model, pretrained=pretrained, quick_gelu=trained)
    path = Path(pretrained)
    if not path.is_file():
        raise UsageError(
            f"{model}: there are no weights {pretrained!r}, neither a tag nor a file;"
            f" {_near(pretrained, tags)}"
        )
    return Choice(
        model=model, pretrained=pretrained, recorded=path.with_name(f"{path.name}.{KNOWN}")
    )


def _near(name: str, known: Iterable[str]) -> str:
    folded = {one.casefold(): one for one in known}
    near = get_close_matches(name.casefold(), folded, 3, 0.5)
    shown = [folded[one] for one in near] or sorted(known)[:6]
    return f"{'near it are' if near else 'there are'} {', '.join(shown) or 'none'}"
