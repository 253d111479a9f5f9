"""Pages that don't belong to one app: home, articles, search, the study guide, files for machines."""
