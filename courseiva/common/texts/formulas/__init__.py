"""Formulas in a text: TeX between dollars, drawn as MathML that is made here and nowhere else."""
