"""Pages that belong to no app alone: home, guides, search, the study guide, what machines ask for."""
