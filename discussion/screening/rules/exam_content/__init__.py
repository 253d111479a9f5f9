"""Content of real exams, long pastes, repeated texts."""
