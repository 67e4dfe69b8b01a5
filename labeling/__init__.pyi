from .attributes.calibrating.calibrate import calibrate_voters
from .attributes.deciding.rule import Rule
from .attributes.labels.decide import decide, read_votes
from .attributes.labels.knowledge import load_knowledge
from .attributes.labels.normalise import normalise
from .attributes.measuring.measurement import measure_labels
from .attributes.vocabulary.vocabulary import Vocabulary, load_vocabulary
from .attributes.voting.asking import AskSettings, ask_ensemble
from .attributes.voting.ensemble import Ensemble, read_ensemble
from .audits.planning.plan import plan_audit
from .audits.planning.plan_file import PlanSettings
from .audits.sheets.reading import read_sheet
from .dialogues.stored import decide_dialogues, read_dialogues, read_drafts
from .frames import labels_frame, votes_frame

__all__ = [
    "AskSettings",
    "Ensemble",
    "PlanSettings",
    "Rule",
    "Vocabulary",
    "ask_ensemble",
    "calibrate_voters",
    "decide",
    "decide_dialogues",
    "labels_frame",
    "load_knowledge",
    "load_vocabulary",
    "measure_labels",
    "normalise",
    "plan_audit",
    "read_dialogues",
    "read_drafts",
    "read_ensemble",
    "read_sheet",
    "read_votes",
    "votes_frame",
]
