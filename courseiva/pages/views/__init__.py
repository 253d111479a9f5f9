"""The pages that belong to no app alone."""
