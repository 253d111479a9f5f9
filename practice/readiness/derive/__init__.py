"""All that is derived from a learner's answers: made after a session, thrown away, made again."""
