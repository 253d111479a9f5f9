"""A learner's answers in an exam, counted when a session ends, so that no page counts a whole history."""
