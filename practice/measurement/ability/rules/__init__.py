"""The learner model: belief, growth, and the chance of passing a fresh mock."""
