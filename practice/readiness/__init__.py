"""What a learner is told: how ready they are, how honest that was, and what to do next."""
