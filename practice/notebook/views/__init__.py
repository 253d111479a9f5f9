"""The page of a judged question and what is written on it; the mark of a module."""
