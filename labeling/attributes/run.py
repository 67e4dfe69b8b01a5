"""From a catalog to labels by vote in one go: vocabulary, templates, votes, labels."""

from collections.abc import Callable

from benchwright import store
from benchwright.asking.session import Spending
from benchwright.engines.engine import LOCAL, Engine
from benchwright.errors import UsageError
from benchwright.progress import Progress, no_progress
from benchwright.workspace import Workspace
from labeling.attributes.gathering.by_rule import find_vocabulary, keep_vocabulary
from labeling.attributes.labels.decide import DecideSettings, decide
from labeling.attributes.templates.making import make_templates
from labeling.attributes.voting.asking import AskSettings, ask_ensemble
from labeling.attributes.voting.ensemble import Ensemble
from labeling.attributes.voting.report import ask_lines, decide_lines


def run_ensemble(
    workspace: Workspace,
    ensemble: Ensemble,
    settings: AskSettings,
    spending: Spending,
    *,
    keep_catalog: bool = True,
    engine: Engine = LOCAL,
    force: bool = False,
    say: Callable[[str], None],
    progress: Progress = no_progress,
) -> store.Manifest:
    """Do all steps that are still to be done; return the manifest of the votes.

    The vocabulary is gathered by rule where there is none, and templates are made by patterns
    where a value has too few; what stands in vocabulary.yaml already is used as it is.

    Raises what the steps raise.
    """
    prepare_vocabulary(workspace, ensemble, say=say)
    votes = ask_ensemble(
        workspace,
        ensemble,
        settings,
        spending,
        engine=engine,
        force=force,
        progress=progress,
    )
    for line in ask_lines(votes, workspace):
        say(line)
    method = DecideSettings(
        method=ensemble.method, weights=settings.weights, keep_catalog=keep_catalog
    )
    decided, done_before = decide(workspace, method, force=force)
    for line in decide_lines(decided, workspace, done_before=done_before):
        say(line)
    return votes


def prepare_vocabulary(
    workspace: Workspace, ensemble: Ensemble, *, say: Callable[[str], None]
) -> None:
    """Make sure that vocabulary.yaml is there and that every value has templates enough."""
    store.require(workspace.catalog, "build-catalog")
    if not workspace.vocabulary.is_file():
        found = find_vocabulary(workspace)
        if not found.vocabulary.values:
            raise UsageError(
                f"the catalog states no attribute, and there is no {workspace.vocabulary}: write"
                " down there what to label (types and values), and run it again"
            )
        workspace.labels.mkdir(exist_ok=True)
        keep_vocabulary(workspace, found, found.vocabulary)
        say(f"Made {workspace.vocabulary} from the catalog; look it over.")
    made = make_templates(workspace, wanted=ensemble.templates)
    written = sum(len(value.templates) for value in made.vocabulary.values)
    say(f"{len(made.vocabulary.values):,} values, {written:,} templates")
