"""Every page of the site as plain text, for whoever edits its English. Runs on a throw-away database of its own."""
