"""Pages and forms of the notebook: a marked question's page, notes, highlights, modules marked as read."""
