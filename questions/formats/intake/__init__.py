"""Turning items into drafts, in batches; a second import only changes what has changed."""
