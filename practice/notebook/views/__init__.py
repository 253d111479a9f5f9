"""The page of a marked question and what is written on it; the mark of a module."""
