"""What is said of a run of question chains: before its first call, and when it ends."""

from collections import Counter
from collections.abc import Iterator, Sequence

from benchwright import store
from benchwright.plain_text import counted
from benchwright.records import ChainAnswer
from benchwright.rows import from_table
from evaluation.question_chain.chains import steps_that_count
from evaluation.question_chain.offers import Offer
from evaluation.question_chain.playing.asking import is_missing
from evaluation.question_chain.playing.material import Material
from evaluation.question_chain.playing.running import TABLE
from evaluation.question_chain.settings import MODES
from evaluation.running.run import Ran


def material_lines(material: Material, player: str) -> Iterator[str]:
    """Yield what is played, by whom, and how it is asked."""
    chains, settings = material.chains, material.settings
    categories = Counter(chain.category for chain in chains)
    steps = [len(chain.steps) for chain in chains]
    of = f"{min(steps)} to {max(steps)}" if min(steps) < max(steps) else f"{steps[0]}"
    yield (
        f"{material.release.name}, {material.config}: {counted(len(chains), 'chain')} of {of} steps"
        f" ({', '.join(f'{name} {count:,}' for name, count in sorted(categories.items()))})"
    )
    yield f"{player} plays: {', '.join(settings.modes)}"
    if "following" in settings.modes or "final" in settings.modes:
        whose = "the true ones" if settings.history == "true" else "the model's own"
        yield f"the answers before a question of following are {whose}"
    offers = _offers(material)
    sizes = Counter(map(len, offers))
    spread = ", ".join(f"{size} ({_times(count)})" for size, count in sorted(sizes.items()))
    yield f"options to choose from: {spread}, shuffled by seed {settings.seed}"
    if settings.options is not None and (few := sum(len(o) < settings.options for o in offers)):
        yield (
            f"short of options: {few:,} of {len(offers):,} times the chains of the category have"
            f" no {settings.options} of them"
        )
    if settings.is_circular:
        yield "circular: each question is asked once for each rotation of its options"
    if settings.is_blindfold:
        yield "blindfold: the picture is left out, so that what is measured is a guess from texts"


def played_lines(ran: Ran) -> Iterator[str]:
    """Yield how many answers name an option, by mode, and what became of the others."""
    if not ran.manifest.counts["played"]:
        return
    answers = list(from_table(store.read_table(ran.folder, f"{TABLE}-*.parquet"), ChainAnswer))
    for mode in MODES:
        wanted = [answer for answer in answers if answer.mode == mode]
        came = [answer for answer in wanted if not is_missing(answer.status)]
        if wanted:
            lost = f", {len(wanted) - len(came):,} did not come" if len(came) < len(wanted) else ""
            yield f"{mode:10}{counted(len(came), 'answer')}{_unread(came)}{lost}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _unread(answers: Sequence[ChainAnswer]) -> str:
    why = Counter(answer.read_by for answer in answers if answer.pick is None)
    if not why:
        return ", all name an option"
    said = ", ".join(f"{name} {count:,}" for name, count in sorted(why.items()))
    return f", {why.total():,} name no option ({said})"


def _offers(material: Material) -> list[Offer]:
    """Return all that is offered in a run, each question once."""
    found, modes = [], material.settings.modes
    for chain in material.chains:
        before = range(1, len(steps_that_count(chain)) + 1)
        if "planning" in modes:
            found += [material.offers.questions(chain, number) for number in before]
        if "following" in modes:
            found += [material.offers.answers(chain, number) for number in before]
        found.append(material.offers.answers(chain, len(chain.steps)))
    return found
