"""The page of an exam guide's objectives."""
