"""The search index: public text by its words, derived from versions, concepts and modules."""
