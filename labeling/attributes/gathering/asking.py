"""Asking models about a vocabulary: a round of proposals, a round about those of the others."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import pydantic

from benchwright.asking.estimates import Estimate, Planned, estimate
from benchwright.asking.questions import Filled, ask_structured
from benchwright.asking.replies import Reply
from benchwright.asking.requests import Request
from benchwright.asking.session import Session
from benchwright.asking.several import ask_each
from benchwright.asking.voters import Voter
from labeling.attributes.gathering.answers import Ideas, ReviewAnswer, take, verdicts_of
from labeling.attributes.gathering.proposals import Pictures, Proposal
from labeling.attributes.gathering.proposing import proposals_of
from labeling.attributes.gathering.questions import Review, TypeQuestion, reviews, type_questions
from labeling.attributes.gathering.subject import Subject
