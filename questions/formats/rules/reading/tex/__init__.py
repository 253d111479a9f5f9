"""MathML of other systems as TeX, and the names both have for a sign."""
