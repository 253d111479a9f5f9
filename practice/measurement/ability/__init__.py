"""The learner model: what is believed of a learner, and the chance to pass."""
