"""Items become drafts, in batches; a second import changes only what changed."""
