"""Importing a table whose columns somebody names: the file, what each column holds, a preview, drafts."""
