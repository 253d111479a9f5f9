"""An exam guide's page and its head."""
