"""Question chains in the viewer: every question that was asked, with its options and the pick."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence

from benchwright.plain_text import counted
from benchwright.records import ChainAnswer, QuestionChain
from evaluation.question_chain.chains import read_chains
from evaluation.question_chain.offers import Offer, Offers
from evaluation.question_chain.playing.asking import is_missing
from evaluation.question_chain.playing.running import TABLE
from evaluation.question_chain.settings import MODES, ChainSettings
from evaluation.report.viewing.shown import Item, Option, Step, said
from evaluation.scoring.protocol import KeptRun
from evaluation.scoring.spelling import spoken

_TITLES = {
    "planning": "planning, step {step}",
    "following": "following, step {step}",
    "final": "last question, with the chain",
    "alone": "last question, without the chain",
}


def items_of(run: KeptRun, chosen: Callable[[Collection[str]], Collection[str]]) -> list[Item]:
    """Return the chosen of the chains that have answers."""
    settings = ChainSettings.of_run(run.settings, run.manifest.plan.seed or 0)
    chains = {one.chain_id: one for one in read_chains(run.release, run.about.config)}
    offers = Offers(chains.values(), settings.options, settings.seed)
    of_chain: dict[str, list[ChainAnswer]] = defaultdict(list)
    for answer in run.records(TABLE, ChainAnswer):
        if answer.chain_id in chains and not is_missing(answer.status):
            of_chain[answer.chain_id].append(answer)
    return [_item(chains[name], of_chain[name], offers) for name in chosen(of_chain.keys())]


def _item(chain: QuestionChain, answers: Sequence[ChainAnswer], offers: Offers) -> Item:
    ordered = sorted(answers, key=lambda one: (MODES.index(one.mode), one.step, one.rotation))
    return Item(
        title=f"chain {chain.chain_id}",
        facts=(
            f"{chain.category}, {chain.scenario}, {counted(len(chain.steps), 'step')};"
            f" the question: “{chain.question}”"
        ),
        image_ids=[chain.image_id],
        steps=[_step(chain, one, offers) for one in ordered],
    )


def _step(chain: QuestionChain, one: ChainAnswer, offers: Offers) -> Step:
    step, is_last = chain.steps[one.step - 1], one.step == len(chain.steps)
    is_plan = one.mode == "planning" and not is_last
    offer: Offer = offers.questions(chain, one.step) if is_plan else offers.answers(chain, one.step)
    is_right = one.pick == offer.truth
    title = _TITLES[one.mode].format(step=one.step)
    if one.mode == "planning" and is_last:
        title = "last question, after its own plan"
    turned = f", rotation {one.rotation}" if one.rotation else ""
    return Step(
        title=f"{title}{turned}",
        words=[
            said("asked", "Which question comes next?" if is_plan else step.question),
            said("player", one.text, is_player=True),
        ],
        options=[
            Option(
                text=said("", offer.texts[place]).text,
                is_true=place == offer.truth,
                is_picked=place == one.pick,
            )
            for place in one.order
        ],
        note=_note(one, is_right=is_right),
        verdict="right" if is_right else "wrong",
    )


def _note(one: ChainAnswer, *, is_right: bool) -> str:
    if one.pick is None:
        return spoken(one.status) if one.status != "ok" else "no option can be read"
    return "right" if is_right else "wrong"
