"""What we tell a learner: how ready they are, how good earlier predictions were, and what to do next."""
