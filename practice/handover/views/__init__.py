"""What a learner takes along, and the way out for a guest."""
