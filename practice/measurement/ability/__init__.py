"""The learner model: the posterior over a learner's abilities, and the chance of passing."""
