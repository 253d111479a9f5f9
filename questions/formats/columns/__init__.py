"""Importing a table with user-defined columns: the file, each column's meaning, a preview, drafts."""
