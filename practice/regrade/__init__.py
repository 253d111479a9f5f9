"""The day a key is wrong: a correction reaches every session that held the version."""
