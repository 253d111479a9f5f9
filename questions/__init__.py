"""Exams, questions and their versions, study modules, and the public pages."""
