"""One run from pictures to a published release and its leaderboard, by the real commands.

Everything is real but the models, which are scripted behind real HTTP servers, the auditors and
the Hub. ``python -m stand_ins.whole_run --out FOLDER`` does it all; run again it goes on.
"""
