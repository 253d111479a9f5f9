"""Everything derived from a learner's answers: computed after a session, deleted, recomputed."""
