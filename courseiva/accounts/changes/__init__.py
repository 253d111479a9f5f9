"""Changes to an account: renaming it, adopting a guest's work, deleting it."""
