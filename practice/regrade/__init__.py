"""Correcting mistakes: a wrong key, in every session that contained the version; a clock that ended a session early."""
