"""The model of a learner: belief, growth, the chance to pass a fresh mock."""
