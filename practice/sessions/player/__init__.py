"""Answering: the page of a running session, saves, checks, and who may write."""
