"""What readers do with others' comments: mark as helpful, report, follow."""
