"""Formulas in text: TeX between dollar signs, rendered as MathML, which is made only here."""
