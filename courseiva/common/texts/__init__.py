"""Texts in general: the form field for them, word differences, formulas."""
