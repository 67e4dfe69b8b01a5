"""Giving every value its templates: a person's first, then a model's, then those of patterns.

What was written here is noted beside the vocabulary; every other template is a person's and
stays. So one that somebody edits becomes theirs.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from benchwright import files
from benchwright.errors import WorkspaceError
from benchwright.records import AttributeValue
from benchwright.store import digest_of
from benchwright.workspace import Workspace
from labeling.attributes.templates.checking import Fault, Rules, repeats
from labeling.attributes.templates.patterns import pattern_templates
from labeling.attributes.templates.placing import says_the_same, with_templates
from labeling.attributes.vocabulary.vocabulary import Vocabulary, load_vocabulary, save_vocabulary

Ours = frozenset[str]  # ids of the templates that were written here


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A template of a value that breaks a rule."""

    value: AttributeValue
    template: str
    fault: Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What was done: templates kept and written, by whom, and what was refused.

    ``own`` and ``earlier`` count what was kept, a person's and what was written here before;
    ``dropped`` counts the latter that went. ``refused`` are a model's, ``warned`` a person's own
    that break a rule and stay. ``short`` are values that still have fewer than wanted.
    """

    vocabulary: Vocabulary
    own: int = 0
    earlier: int = 0
    dropped: int = 0
    by_model: int = 0
    by_pattern: int = 0
    refused: Sequence[Broken] = ()
    warned: Sequence[Broken] = ()
    short: Sequence[AttributeValue] = ()


def read_vocabulary(workspace: Workspace) -> Vocabulary:
    """Return the vocabulary of a workspace; raise WorkspaceError where there is none."""
    if not workspace.vocabulary.is_file():
        raise WorkspaceError(
            f"{workspace.vocabulary}: there is no vocabulary to make templates for; run"
            " label-attributes normalise"
        )
    return load_vocabulary(workspace.vocabulary)


def check_templates(vocabulary: Vocabulary) -> list[Broken]:
    """Return the templates of a vocabulary that break a rule."""
    rules = Rules(vocabulary)
    return list(
        chain.from_iterable(_broken(rules, one, one.templates) for one in vocabulary.values)
    )


def values_to_write(
    workspace: Workspace, vocabulary: Vocabulary, wanted: int, *, anew: bool
) -> list[AttributeValue]:
    """Return the values that have fewer templates than wanted, once what goes is gone."""
    rules, ours = Rules(vocabulary), _read_ours(workspace)
    return [
        value
        for value in vocabulary.values
        if sum(map(len, _kept(rules, value, ours, anew=anew))) < wanted
    ]


def make_templates(
    workspace: Workspace,
    *,
    wanted: int,
    written: Mapping[tuple[str, str], Sequence[str]] | None = None,
    anew: bool = False,
) -> Made:
    """Give each value of vocabulary.yaml so many templates at least, and return what was done.

    ``written`` are a model's, by (type, value); each is checked. ``anew`` drops those that were
    written here before. The same vocabulary, wordings and patterns give the same file.

    Raises WorkspaceError without a vocabulary, UsageError for one that cannot be used.
    """
    vocabulary = read_vocabulary(workspace)
    rules, ours = Rules(vocabulary), _read_ours(workspace)
    done = [
        _arranged(
            rules, value, ours, (written or {}).get((value.type, value.value), ()), wanted, anew
        )
        for value in vocabulary.values
    ]
    values = tuple(replace(one.value, templates=one.templates()) for one in done)
    made = replace(vocabulary, values=values)
    _write_ours(workspace, done)
    _save(workspace.vocabulary, vocabulary, made)
    return Made(
        vocabulary=made,
        own=sum(len(one.own) for one in done),
        earlier=sum(len(one.earlier) for one in done),
        dropped=sum(len(one.value.templates) - len(one.own) - len(one.earlier) for one in done),
        by_model=sum(len(one.by_model) for one in done),
        by_pattern=sum(len(one.by_pattern) for one in done),
        refused=[broken for one in done for broken in one.refused],
        warned=[broken for one in done for broken in _broken(rules, one.value, one.own)],
        short=[value for value in values if len(value.templates) < wanted],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Arranged:
    """The templates of one value by who wrote them; ``value`` is as it stood before."""

    value: AttributeValue
    own: tuple[str, ...]
    earlier: tuple[str, ...]
    by_model: tuple[str, ...]
    by_pattern: tuple[str, ...]
    refused: tuple[Broken, ...]

    def written(self) -> tuple[str, ...]:
        return (*self.earlier, *self.by_model, *self.by_pattern)

    def templates(self) -> tuple[str, ...]:
        return (*self.own, *self.written())


def _arranged(
    rules: Rules,
    value: AttributeValue,
    ours: Ours,
    written: Sequence[str],
    wanted: int,
    anew: bool,
) -> _Arranged:
    own, earlier = _kept(rules, value, ours, anew=anew)
    had = (*own, *earlier)
    by_model: list[str] = []
    refused = []
    for template in written:
        fault = rules.fault(value, template) or repeats(template, (*had, *by_model))
        if fault is not None:
            refused.append(Broken(value=value, template=template, fault=fault))
        elif len(had) + len(by_model) < wanted:
            by_model.append(template)
    by_pattern: list[str] = []
    for template in pattern_templates(rules, value):
        so_far = (*had, *by_model, *by_pattern)
        if len(so_far) >= wanted:
            break
        if repeats(template, so_far) is None:
            by_pattern.append(template)
    return _Arranged(
        value=value,
        own=own,
        earlier=earlier,
        by_model=tuple(by_model),
        by_pattern=tuple(by_pattern),
        refused=tuple(refused),
    )


def _kept(
    rules: Rules, value: AttributeValue, ours: Ours, *, anew: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a person's templates, and those written here that stay.

    An edit of the vocabulary can make one of the latter break a rule: a new value is named in it.
    """
    own = tuple(text for text in value.templates if _id(value, text) not in ours)
    earlier = [text for text in value.templates if _id(value, text) in ours and not anew]
    return own, tuple(text for text in earlier if rules.fault(value, text) is None)


def _broken(rules: Rules, value: AttributeValue, templates: Sequence[str]) -> list[Broken]:
    found = []
    for place, template in enumerate(templates):
        fault = rules.fault(value, template) or repeats(template, tuple(templates[:place]))
        if fault is not None:
            found.append(Broken(value=value, template=template, fault=fault))
    return found


def _id(value: AttributeValue, template: str) -> str:
    return digest_of([value.type, value.value, template])


def _note(workspace: Workspace) -> Path:
    """Where it is noted which templates were written here and by no person."""
    return workspace.labels / ".templates.json"


def _read_ours(workspace: Workspace) -> Ours:
    written = files.read_json_object(_note(workspace)).get("written")
    # without a note all are taken for a person's, and none is lost
    return frozenset(map(str, written)) if isinstance(written, list) else frozenset()


def _write_ours(workspace: Workspace, done: Sequence[_Arranged]) -> None:
    ids = sorted(_id(one.value, template) for one in done for template in one.written())
    files.write_json(_note(workspace), {"written": ids})


def _save(path: Path, before: Vocabulary, made: Vocabulary) -> None:
    """Write what changed into the file, or the whole file where its layout leaves no choice."""
    changed = {
        (new.type, new.value): new.templates
        for old, new in zip(before.values, made.values, strict=True)
        if old.templates != new.templates
    }
    if not changed:
        return
    text = path.read_text("utf-8")
    edited = with_templates(text, changed)
    if edited is None or not says_the_same(text, edited, changed):
        save_vocabulary(made, path)
        return
    files.write_bytes(path.with_name(f"{path.name}.previous"), path.read_bytes())
    files.write_bytes(path, edited.encode())


def refused_by_reason(made: Made) -> Mapping[str, int]:
    """Return how many of a model's templates were refused, by reason in alphabetical order."""
    return dict(sorted(Counter(broken.fault.reason for broken in made.refused).items()))
