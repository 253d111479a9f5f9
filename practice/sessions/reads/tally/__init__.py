"""What a learner's answers in an exam come to: counted when a session ends, so that no page counts a whole past."""
