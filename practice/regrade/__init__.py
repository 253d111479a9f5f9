"""What was wrong is put right: a key, in every session that held the version; a clock that ended one too early."""
