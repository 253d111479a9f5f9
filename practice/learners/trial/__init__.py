"""The trial of the variant after a miss (docs/evidence-plan.md): what was drawn for whom, and what is kept back."""
