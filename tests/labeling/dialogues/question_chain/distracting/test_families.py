from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.asking.voters import Voter
from labeling.dialogues.question_chain.distracting.dealing_out import drawn_voters, shares_of
from labeling.dialogues.question_chain.distracting.distracted import generator_of
from labeling.dialogues.question_chain.distracting.families import by_family, family_of
from labeling.dialogues.question_chain.written import LONGEST_NAME


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-5-mini-2025-08-07", "openai"),
        ("chatgpt-4o-latest", "openai"),
        ("o3", "openai"),
        ("openai/o4-mini", "openai"),
        ("azure/gpt4o", "openai"),
        ("claude-sonnet-4-5", "anthropic"),
        ("us.anthropic.claude-3-5-sonnet-20241022-v2:0", "anthropic"),
        ("gemini-2.5-flash", "google"),
        ("google/gemma-3-27b-it", "google"),
        ("Qwen/Qwen2.5-VL-7B-Instruct", "qwen"),
        ("unsloth/Qwen2.5-VL-7B-Instruct-bnb-4bit", "qwen"),  # by the model, not by who hosts it
        ("accounts/fireworks/models/qwen2-vl-72b-instruct", "qwen"),
        ("qwen2.5vl:7b", "qwen"),
        ("OpenGVLab/InternVL3-8B", "internvl"),
        ("llava-v1.6-mistral-7b-hf", "llava"),  # the first word that is known
        ("meta-llama/Llama-3.2-11B-Vision-Instruct", "meta"),
        ("mistralai/Pixtral-12B-2409", "mistral"),
        ("acme-7b", "acme"),
        ("acme-72b-chat", "acme"),
        ("ACME/models/", "models"),
        ("proto3", "proto"),  # no o3
        ("7", "7"),
        ("", ""),
    ],
)
def test_families_by_the_names_of_models(model: str, family: str) -> None:
    assert family_of(model) == family


def voters(*models: str) -> list[Voter]:
    return [
        Voter(name=f"v{at}", model=model, base_url="http://localhost:1/v1")
        for at, model in enumerate(models)
    ]


@given(
    st.lists(
        st.sampled_from(["gpt-5", "gpt-4o", "qwen2", "qwen3", "acme"]),
        min_size=1,
        max_size=5,
        unique=True,
    ),
    st.integers(0, 7),
    st.text(max_size=4),
)
def test_families_share_what_is_wanted(models: list[str], wanted: int, name: str) -> None:
    some = voters(*models)
    shares = shares_of(some, wanted, name)
    assert sum(share.wanted for share in shares) == wanted
    assert shares == shares_of(some, wanted, name)
    turns = Counter(family_of(voter.model) for voter in drawn_voters(some, wanted, name))
    counts = [turns[family] for family in by_family(some)]
    assert max(counts) - min(counts) <= 1
    # within a family the voters take turns as well
    for family in by_family(some).values():
        each = Counter(voter.name for voter in drawn_voters(some, wanted, name))
        own = [each[voter.name] for voter in family]
        assert max(own) - min(own) <= 1


def test_who_begins_is_drawn() -> None:
    some = voters("gpt-5", "qwen3", "acme")
    first = Counter(drawn_voters(some, 1, str(name))[0].name for name in range(300))
    assert all(abs(count - 100) < 33 for count in first.values())  # four standard deviations


@pytest.mark.parametrize("last", ["Qwen2.5-VL-7B-Instruct", "InternVL3-8B", "gpt-4o"])
@pytest.mark.parametrize("length", [0, 30, 200])
def test_a_long_path_keeps_the_part_that_tells_the_family(last: str, length: int) -> None:
    model = f"/{'m' * length}/{last}"
    generator = generator_of(model)
    assert len(generator) <= LONGEST_NAME
    assert family_of(generator) == family_of(model)
    assert generator.endswith(last)
