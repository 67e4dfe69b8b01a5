"""What there is to judge in each kind of audit, the same for the App and for sheets."""
