"""Counts and order of an exam's public questions, kept so that pages needn't look through the whole bank."""
