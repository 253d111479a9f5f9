"""Exams with their blueprints, domains and concepts, and their format in bank files."""
