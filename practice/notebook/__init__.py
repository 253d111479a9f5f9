"""What a learner records: notes, stars, why an answer was missed, modules read, the plan."""
