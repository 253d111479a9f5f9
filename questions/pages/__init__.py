"""The public pages of exams, questions and modules: the same bytes for everybody."""
