"""Distractors of question chains: drafted by models, then chosen and levelled into drafts."""
