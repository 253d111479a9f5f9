"""The cue probe: what a logistic regression guesses from the surface of the options, without subject knowledge."""
