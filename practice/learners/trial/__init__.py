"""The trial of the variant after a miss (docs/evidence-plan.md): who drew what, and what is held back."""
