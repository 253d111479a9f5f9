"""Formulas: as other systems write them, as TeX, as MathML."""
