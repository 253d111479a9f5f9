"""Exams with their blueprints, domains and concepts, and how the bank's files write them."""
