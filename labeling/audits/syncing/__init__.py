"""What auditors decided is brought back: into the journal, the labels and the dialogues."""
