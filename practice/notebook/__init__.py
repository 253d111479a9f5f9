"""What a learner writes down: notes, stars, why an answer was missed, modules read, the plan."""
