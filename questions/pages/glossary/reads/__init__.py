"""The glossary's content, also for machines."""
