"""What a finished session tells its learner."""
