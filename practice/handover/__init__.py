"""A learner's work changes hands: adopted from a guest, taken along, or left without a name."""
