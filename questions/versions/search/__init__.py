"""The search index of public text, derived from versions, concepts and modules; and of drafts, for editors."""
